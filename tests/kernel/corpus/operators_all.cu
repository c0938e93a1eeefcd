//: x = np.zeros(24, dtype="i4")
//: k[1, 1](x)
//: x == np.arange(24)
struct number {
    int v;
    __device__ number &operator=(int b) { v = b; return *this; }
    __device__ number &operator++() { ++v; return *this; }
    __device__ number operator++(int) { number old = *this; v++; return old; }
    __device__ number &operator<<=(int n) { v <<= n; return *this; }
    __device__ number &operator>>=(int n) { v >>= n; return *this; }
    __device__ number &operator%=(int n) { v %= n; return *this; }
    __device__ number &operator|=(int n) { v |= n; return *this; }
    __device__ number &operator&=(int n) { v &= n; return *this; }
    __device__ number &operator^=(int n) { v ^= n; return *this; }
    __device__ int operator()() const { return v; }
    __device__ int operator()(int a, int b) const { return a * b + v; }
    __device__ int operator[](int i) const { return v + i; }
    __device__ number *operator->() { return this; }
    __device__ int &operator*() { return v; }
    __device__ operator int() const { return v; }
    __device__ explicit operator bool() const { return v != 0; }
};
struct other { int v; };
__device__ other operator+(other a, other b) { return other{a.v + b.v}; }
__device__ other operator-(other a) { return other{-a.v}; }
__device__ other operator~(other a) { return other{~a.v}; }
__device__ bool operator!(other a) { return !a.v; }
__device__ other operator,(other a, other b) { return other{10 * a.v + b.v}; }
__device__ other operator<<(other a, int n) { return other{a.v << n}; }
__device__ other operator>>(other a, int n) { return other{a.v >> n}; }
__device__ bool operator<(other a, other b) { return a.v < b.v; }
__device__ bool operator>(other a, other b) { return a.v > b.v; }
__device__ bool operator<=(other a, other b) { return a.v <= b.v; }
__device__ bool operator>=(other a, other b) { return a.v >= b.v; }
__device__ bool operator&&(other a, other b) { return a.v && b.v; }
__device__ bool operator||(other a, other b) { return a.v || b.v; }
__device__ other operator^(other a, other b) { return other{a.v ^ b.v}; }
__device__ int operator->*(other a, int b) { return a.v * b; }
__device__ other &operator|=(other &a, other b) { a.v |= b.v; return a; }
__device__ constexpr int operator""_dozen(unsigned long long n) { return 12 * (int)n; }

extern "C" __global__ void k(int *x)
{
    number a;
    other b = {1}, c = {2};
    int i = 0;
    x[i++] = (a = 0)();
    x[i++] = (++a)();
    a++;
    x[i++] = *a;
    x[i++] = a(1, 1);
    a <<= 1;
    x[i++] = a->v;
    x[i++] = a[1];
    a |= 2;
    x[i++] = (int)a;
    a ^= 1;
    x[i++] = a;
    x[i++] = a ? 8 : 0;
    x[i++] = (b + c).v + 6;
    x[i++] = (-b).v + 11;
    x[i++] = (~b).v + 13;
    x[i++] = (b, c).v;
    x[i++] = (c << 2).v + 5;
    x[i++] = (c >> 1).v + 13;
    x[i++] = (b < c) + 14;
    x[i++] = (b > c) + 16;
    x[i++] = (b <= c) + 16;
    x[i++] = (b >= c) + 18;
    x[i++] = (b && c) + 18;
    x[i++] = (b || c) + 19;
    x[i++] = (b ^ c).v + 18;
    x[i++] = (c->*3) + 16;
    x[i++] = 2_dozen - !c - (b |= c).v + 2;
}
