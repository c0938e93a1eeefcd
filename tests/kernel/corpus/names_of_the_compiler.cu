//: x = np.zeros(5, dtype="i8")
//: k[1, 1](x)
//: x == [1, 8, 8, 8, 4]
struct item { float a; double b; };
extern "C" __global__ void k(long long *x)
{
    int *nothing = NULL;
    x[0] = nothing == NULL;
    x[1] = offsetof(item, b);
    x[2] = sizeof(ptrdiff_t);
    x[3] = sizeof(size_t);
    clock_t before = clock();
    x[4] = before <= clock() ? 4 : 4;
}
