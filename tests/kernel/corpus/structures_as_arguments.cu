//: p = np.array((2.5, 3, [1, 2]), np.dtype([("a", "f8"), ("n", "i4"), ("v", "f4", 2)], align=True))
//: x = np.zeros(4)
//: k[1, 1](p[()], x)
//: x == [2.5, 3, 1, 2]
typedef struct {
    double a;
    int n;
    float v[2];
} params_t;
extern "C" __global__ void k(const params_t p, double *x)
{
    x[0] = p.a;
    x[1] = p.n;
    x[2] = p.v[0];
    x[3] = p.v[1];
}
