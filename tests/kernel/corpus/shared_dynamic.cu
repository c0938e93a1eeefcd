//: x = np.arange(32, dtype="i4")
//: names = ("typed<int>",)
//: k[1, 32, 128](x)
//: x == np.arange(32)[::-1] * 2
//: words[1, 32, 128](x)
//: x == np.arange(32) * 2
//: typed<int>[1, 32, 128](x)
//: x == np.arange(32)[::-1] * 2
#define DYNAMIC extern __shared__
#define DECLARE(T, name) extern __shared__ T name[]
extern __shared__ int at_file_scope[];
extern "C" __global__ void k(int *x)
{
    extern __shared__ int s[];
    const int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    x[i] = s[31 - i] + at_file_scope[31 - i];
}
extern "C" __global__ void words(int *x)
{
    __shared__ extern int a[];
    volatile extern __shared__ int b[];
    extern __shared__ __align__(sizeof(int)) unsigned char c[], d[];
    extern __shared__ int rows[][4];
    DYNAMIC int e[];
    DECLARE(int, f);
    const int i = threadIdx.x;
    a[i] = x[i];
    __syncthreads();
    int same = b[i] == e[i] && f[i] == e[i] && rows[i / 4][i % 4] == e[i] && c[i] == d[i];
    x[i] = same * a[31 - i];
    extern __shared__ int fixed[8];
    if (i < 8) fixed[i] = 1;
}
template <typename T>
__global__ void typed(T *x)
{
    extern __shared__ unsigned char bytes[];
    T *s = reinterpret_cast<T *>(bytes);
    const int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    x[i] = s[31 - i];
}
