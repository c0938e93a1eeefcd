//: error = "kernel.cu:8: "
//: x = np.zeros(1, dtype="i4")
//: k[1, 1, 4](x)
extern "C" __global__ void k(int *x)
{
    extern __shared__
        int s[];
    *x = s[0] + undeclared;
}
