//: x = np.zeros(6, dtype="i4")
//: k[1, 1](x)
//: x == [1, 5, 12, 3, 7, 2]
class counter {
    int n;

  public:
    static const int step = 4;
    __device__ counter(int start) : n{start} {}
    __device__ ~counter() {}
    __device__ int next() { return n += step; }
    __device__ int get() const;
    struct nested { int v; };
    __device__ static int three() { return 3; }
};
__device__ int counter::get() const { return n; }
struct base {
    int a;
    __device__ base(int a) : a(a) {}
    __device__ virtual int area() const { return a; }
};
struct square final : public base {
    __device__ explicit square(int a) : base(a) {}
    __device__ int area() const override { return 3 * a; }
};
template <typename T, int N>
class stack {
    T at[N];
    int n = 0;

  public:
    __device__ void push(const T &v) { at[n++] = v; }
    __device__ T pop();
};
template <typename T, int N>
__device__ T stack<T, N>::pop()
{
    return at[--n];
}
enum class color : unsigned char { red, green = 2 };
extern "C" __global__ void k(int *x)
{
    counter c(1);
    x[0] = c.get();
    x[1] = c.next();
    square s(4);
    x[2] = s.area();
    x[3] = counter::three();
    stack<int, 4> t;
    t.push(1);
    t.push(7);
    x[4] = t.pop();
    x[5] = static_cast<int>(color::green);
}
