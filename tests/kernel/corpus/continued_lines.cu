//: x = np.zeros(3, dtype="i4")
//: k[1, 1](x)
//: x == [7, 17, 3]
#define ADD(a, b) \
    do {          \
        a += b;   \
    } while (0)
// a comment that goes on \
   { __global__
ext\
ern "C" __glo\
bal__ void k(int *x)
{
    int a = 3;
    ADD(a, 4);
    x[0] = a;
    x[1] = __LINE__;
    x[2] = 3;
}
