//: error = "kernel.cu:7: "
//: x = np.zeros(1, dtype="i4")
//: k[1, 1](x)
#define SET(v) (*x = (v))
extern "C" __global__ void k(int *x)
{
    SET(undeclared);
}
