/* Linear algebra of stacks of matrices of up to 8 rows, a thread to a matrix.
 *
 * A thread keeps its matrix in registers, padded by the identity to the bucket (2, 4 or 8
 * rows), so that loops are unrolled and no index is known at run time only. A block reads
 * and writes through shared memory, neighbouring threads neighbouring elements, whatever
 * the layout of the stack.
 */

#include "_small_common.cuh"

/* Elements of shared memory for each thread; odd, so that threads use different banks. */
template <int LOG_N>
struct tiny_room {
    enum { value = (1 << 2 * LOG_N) | 1 };
};

__device__ inline void
block_barrier()
{
#if !defined(CUPRIC_HOST)
    __syncthreads();
#endif
}

/* The matrices of a block: those from `first` on, one for each of `count` threads. */
struct tiny_block {
    long long first;
    int count, thread, threads;
};

__device__ inline int
threads_of_block()
{
#if defined(CUPRIC_HOST)
    return 1;
#else
    return (int)blockDim.x;
#endif
}

__device__ inline tiny_block
block_of_stack(long long piece, long long stack)
{
    tiny_block k;

    k.threads = threads_of_block();
    k.thread = k.threads == 1 ? 0 : (int)threadIdx.x;
    k.first = piece * k.threads;
    k.count = (int)(stack - k.first < k.threads ? stack - k.first : k.threads);
    return k;
}

/* visit(matrix, i, j) for all i < m, j < n and matrices of the block; the places of 2^LOG_M
 * by 2^LOG_N matrices are dealt to the threads in their order. */
template <int LOG_M, int LOG_N, class F>
__device__ inline void
each_place(const tiny_block &k, int m, int n, const F &visit)
{
    for (int e = k.thread; e < k.count << (LOG_M + LOG_N); e += k.threads) {
        const int i = e >> LOG_N & ((1 << LOG_M) - 1), j = e & ((1 << LOG_N) - 1);
        if (i < m && j < n) visit(e >> (LOG_M + LOG_N), i, j);
    }
}

/* x = the thread's m by n matrix at column `column` of the stack, with the identity or
 * zeros around it. */
template <int LOG_M, int LOG_N, class T, int M, int N>
__device__ inline void
take_matrix(T (&x)[M][N], const View<T, 3> &from, const tiny_block &k, int m, int n,
            long long column, T around, T *shared)
{
    constexpr int ROOM = tiny_room<LOG_M>::value;
    const char *const data = (const char *)from.data + k.first * from.strides()[0] +
                             column * from.strides()[2];

    each_place<LOG_M, LOG_N>(k, m, n, [&](int matrix, int i, int j) {
        shared[matrix * ROOM + (i << LOG_N) + j] =
            *(const T *)(data + matrix * from.strides()[0] + i * from.strides()[1] +
                         j * from.strides()[2]);
    });
    block_barrier();
    const bool mine = k.thread < k.count;
#pragma unroll
    for (int i = 0; i < M; i++) {
#pragma unroll
        for (int j = 0; j < N; j++) {
            x[i][j] = mine && i < m && j < n ? shared[k.thread * ROOM + i * N + j]
                                             : (i == j ? around : T(0));
        }
    }
    block_barrier();
}

/* The reverse, to a dense stack of m by `columns` matrices. */
template <int LOG_M, int LOG_N, class T, int M, int N>
__device__ inline void
leave_matrix(const T (&x)[M][N], T *to, const tiny_block &k, int m, int n,
             long long column, long long columns, T *shared)
{
    constexpr int ROOM = tiny_room<LOG_M>::value;

#pragma unroll
    for (int i = 0; i < M; i++) {
#pragma unroll
        for (int j = 0; j < N; j++) shared[k.thread * ROOM + i * N + j] = x[i][j];
    }
    block_barrier();
    to += k.first * m * columns + column;
    each_place<LOG_M, LOG_N>(k, m, n, [&](int matrix, int i, int j) {
        to[((long long)matrix * m + i) * columns + j] =
            shared[matrix * ROOM + (i << LOG_N) + j];
    });
    block_barrier();
}

template <class T>
__device__ inline void
exchange(T &x, T &y)
{
    const T t = x;
    x = y;
    y = t;
}

/* Gaussian elimination with partial pivoting (Golub and Van Loan, "Matrix Computations",
 * section 3.4) of [A | B] in place: x becomes U, with `by` its pivots, and y L^-1 P B. The
 * sign of the permutation, or 0 where a pivot is 0. */
template <class T, int N, int W>
__device__ inline int
eliminate_tiny(T (&x)[N][N], T (&y)[N][W], divisor<T> (&by)[N])
{
    typedef typename real_of<T>::type R;
    int sign = 1;

#pragma unroll
    for (int k = 0; k < N; k++) {
        R best = pivot_size(x[k][k]);
        int p = k;
#pragma unroll
        for (int i = k + 1; i < N; i++) {
            const R size = pivot_size(x[i][k]);
            if (size > best) best = size, p = i;
        }
        if (best == R(0)) sign = 0;
        if (p != k) sign = -sign;
#pragma unroll
        for (int i = k + 1; i < N; i++) {
            if (p == i) {
#pragma unroll
                for (int j = k; j < N; j++) exchange(x[k][j], x[i][j]);
#pragma unroll
                for (int c = 0; c < W; c++) exchange(y[k][c], y[i][c]);
            }
        }
        by[k] = divisor<T>(x[k][k]);
#pragma unroll
        for (int i = k + 1; i < N; i++) {
            const T f = by[k](x[i][k]);
#pragma unroll
            for (int j = k + 1; j < N; j++) x[i][j] = x[i][j] - f * x[k][j];
#pragma unroll
            for (int c = 0; c < W; c++) y[i][c] = y[i][c] - f * y[k][c];
        }
    }
    return sign;
}

/* y = x^-1 y for an upper triangular x. */
template <class T, int N, int W>
__device__ inline void
substitute_tiny(const T (&x)[N][N], T (&y)[N][W], const divisor<T> (&by)[N])
{
#pragma unroll
    for (int k = N - 1; k >= 0; k--) {
#pragma unroll
        for (int c = 0; c < W; c++) y[k][c] = by[k](y[k][c]);
#pragma unroll
        for (int i = 0; i < k; i++) {
#pragma unroll
            for (int c = 0; c < W; c++) y[i][c] = y[i][c] - x[i][k] * y[k][c];
        }
    }
}

/* x (stack, n, k) = the solution of a x = b, or the inverse of a with `inverts`, NaN where
 * a is singular; the int at address `status` = 1 where one is. Up to W columns at a time.
 * Launch: blocks(ceil(stack / threads), threads) with tiny_room elements of shared memory
 * for each thread. */
template <class T, int LOG_N, int LOG_W>
__global__ void
solve_tiny(View<T, 3> a, View<T, 3> b, T *x, long long status, long long columns,
           bool inverts)
{
    constexpr int N = 1 << LOG_N, W = 1 << LOG_W;
    const long long stack = a.shape()[0], threads = threads_of_block();
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    T *const shared = (T *)small_memory;

    CUPRIC_EACH_BLOCK (piece, (stack + threads - 1) / threads) {
        const tiny_block k = block_of_stack(piece, stack);

        for (long long column = 0; column < columns; column += W) {
            const int width = (int)(columns - column < W ? columns - column : W);
            T u[N][N], y[N][W];

            take_matrix<LOG_N, LOG_N>(u, a, k, n, n, 0, T(1), shared);
            if (inverts) {
#pragma unroll
                for (int i = 0; i < N; i++) {
#pragma unroll
                    for (int c = 0; c < W; c++) y[i][c] = T(i == column + c);
                }
            } else {
                take_matrix<LOG_N, LOG_W>(y, b, k, n, width, column, T(0), shared);
            }
            divisor<T> by[N];
            const bool singular = eliminate_tiny(u, y, by) == 0;
            substitute_tiny(u, y, by);
            if (singular) {
                if (k.thread < k.count) *(int *)status = 1;
#pragma unroll
                for (int i = 0; i < N; i++) {
#pragma unroll
                    for (int c = 0; c < W; c++) y[i][c] = not_a_number<T>();
                }
            }
            leave_matrix<LOG_N, LOG_W>(y, x, k, n, width, column, columns, shared);
        }
    }
}

/* The determinants of a stack, or, with `logs`, their signs and the logarithms of their
 * magnitudes. Launch: as solve_tiny. */
template <class T, int LOG_N>
__global__ void
det_tiny(View<T, 3> a, T *result, typename real_of<T>::type *logs, bool with_logs)
{
    typedef typename real_of<T>::type R;
    constexpr int N = 1 << LOG_N;
    const long long stack = a.shape()[0], threads = threads_of_block();
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];

    CUPRIC_EACH_BLOCK (piece, (stack + threads - 1) / threads) {
        const tiny_block k = block_of_stack(piece, stack);
        T u[N][N], none[N][1];

        take_matrix<LOG_N, LOG_N>(u, a, k, n, n, 0, T(1), (T *)small_memory);
#pragma unroll
        for (int i = 0; i < N; i++) none[i][0] = T(0);
        divisor<T> by[N];
        const int sign = eliminate_tiny(u, none, by);
        T product = T(sign);
        R log_size = sign ? R(0) : -infinity<R>();
#pragma unroll
        for (int i = 0; i < N; i++) {
            const R size = modulus(u[i][i]);
            if (sign) product = product * (with_logs ? u[i][i] / T(size) : u[i][i]);
            if (sign && with_logs) log_size += log(size);
        }
        if (k.thread < k.count) {
            result[k.first + k.thread] = product;
            if (with_logs) logs[k.first + k.thread] = log_size;
        }
    }
}

/* x (stack, n, n) = the lower triangular L of a = L L^H, NaN where a is not positive
 * definite; the int at address `status` = 1 where one is not. The lower triangle of a is
 * read. The outer product form (Golub and Van Loan, section 4.2.5).
 * Launch: as solve_tiny. */
template <class T, int LOG_N>
__global__ void
cholesky_tiny(View<T, 3> a, T *x, long long status)
{
    typedef typename real_of<T>::type R;
    constexpr int N = 1 << LOG_N;
    const long long stack = a.shape()[0], threads = threads_of_block();
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    T *const shared = (T *)small_memory;

    CUPRIC_EACH_BLOCK (piece, (stack + threads - 1) / threads) {
        const tiny_block k = block_of_stack(piece, stack);
        bool fails = false;
        T l[N][N];

        take_matrix<LOG_N, LOG_N>(l, a, k, n, n, 0, T(1), shared);
#pragma unroll
        for (int j = 0; j < N; j++) {
            const R pivot = real_part(l[j][j]);
            fails |= !(pivot > R(0));
            const R root = sqrt(pivot);
            l[j][j] = T(root);
#pragma unroll
            for (int i = 0; i < j; i++) l[i][j] = T(0);
            const divisor<T> by{T(root)};
#pragma unroll
            for (int i = j + 1; i < N; i++) l[i][j] = by(l[i][j]);
#pragma unroll
            for (int i = j + 1; i < N; i++) {
#pragma unroll
                for (int c = j + 1; c <= i; c++) {
                    l[i][c] = l[i][c] - l[i][j] * conjugate(l[c][j]);
                }
            }
        }
        if (fails) {
            if (k.thread < k.count) *(int *)status = 1;
#pragma unroll
            for (int i = 0; i < N; i++) {
#pragma unroll
                for (int j = 0; j < N; j++) l[i][j] = not_a_number<T>();
            }
        }
        leave_matrix<LOG_N, LOG_N>(l, x, k, n, n, 0, n, shared);
    }
}
