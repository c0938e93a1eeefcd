//: options = ("-DN=3", "-D", "TYPE=double", "--std=c++17", "-Dscaled=k")
//: x = np.ones(3)
//: k[1, 3](x)
//: x == 3
#ifndef TYPE
#define TYPE float
#endif
extern "C" __global__ void scaled(TYPE *x)
{
    static_assert(N == 3, "of the options");
    x[threadIdx.x] *= N;
}
