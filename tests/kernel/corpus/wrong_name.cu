//: error = "kernel.cu:6: "
//: x = np.zeros(1, dtype="i4")
//: k[1, 1](x)
extern "C" __global__ void k(int *x)
{
    *x = undeclared;
}
