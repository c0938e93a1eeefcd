//: x = np.zeros(5, dtype="u4")
//: k[1, 1](x)
//: x == [0x3f800000, 5, 3, 12, 0x3ff00000]
union word { float f; unsigned u; unsigned char b[4]; };
struct flags { unsigned low : 3, high : 5; };
extern "C" __global__ void k(unsigned *x)
{
    word w;
    w.f = 1.0f;
    x[0] = w.u;
    flags f = {5, 3};
    x[1] = f.low;
    x[2] = f.high;
    union { unsigned short h[2]; unsigned all; } both = {{12, 0}};
    x[3] = both.all;
    x[4] = (unsigned)__double2hiint(1.0);
}
