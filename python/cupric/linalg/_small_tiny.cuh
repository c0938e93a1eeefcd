/* _small_tiny.cuh: linear algebra of stacks of matrices of up to 8 rows, a thread to a matrix,
 * on GPUs.
 *
 * A thread keeps its matrix in registers, padded by the identity to the bucket (2, 4 or 8
 * rows), so that loops are unrolled and no index is known at run time only. A block reads
 * and writes through shared memory, neighbouring threads neighbouring elements, whatever
 * the layout of the stack.
 */

#include "_small_common.cuh"

/* Where a thread's M by N matrix lies in shared memory: by packs of 16 bytes, an odd number
 * of them from one thread to the next, so that threads that each read or write one use all
 * banks. What is smaller than a pack lies by elements. */
template <class T, int LOG_M, int LOG_N>
struct tiny_place {
    enum { elements = 1 << (LOG_M + LOG_N), item = pack<T>::size };
    enum { packs = elements / item };
    enum { pitch = packs ? (packs | 1) * item : elements | 1 };
};

/* The matrices of a block: those from `first` on, one for each of `count` threads. */
struct tiny_block {
    long long first;
    int count, thread, threads;
};

__device__ inline tiny_block
block_of_stack(long long piece, long long stack)
{
    const int threads = (int)blockDim.x;
    const long long first = piece * threads;
    return {first, (int)(stack - first < threads ? stack - first : threads),
            (int)threadIdx.x, threads};
}

/* Place `e` of the matrices of a block, which are dealt to the threads in their order. */
template <int LOG_M, int LOG_N>
struct place_of_matrix {
    int matrix, i, j;

    __device__ explicit place_of_matrix(int e)
        : matrix(e >> (LOG_M + LOG_N)), i(e >> LOG_N & ((1 << LOG_M) - 1)),
          j(e & ((1 << LOG_N) - 1))
    {
    }
};

/* to[index(e)] = from(e) for e = k.thread, k.thread + k.threads, ... < n. A thread issues
 * several loads before it waits for one. */
template <int AT_ONCE, class T, class From, class Index>
__device__ inline void
move_by_threads(const tiny_block &k, int n, T *to, const From &from, const Index &index)
{
    for (int e = k.thread; e < n; e += AT_ONCE * k.threads) {
        T values[AT_ONCE];

#pragma unroll
        for (int q = 0; q < AT_ONCE; q++) {
            const int at = e + q * k.threads;
            values[q] = from(at < n ? at : e);
        }
#pragma unroll
        for (int q = 0; q < AT_ONCE; q++) {
            const int at = e + q * k.threads;
            if (at < n) to[index(at)] = values[q];
        }
    }
}

/* The matrices of a block, which lie one behind the other, between memory and their places
 * in shared memory. */
template <int LOG_M, int LOG_N, class T>
__device__ inline void
move_packs(const tiny_block &k, const T *from, T *to, bool fetches)
{
    typedef tiny_place<T, LOG_M, LOG_N> place;
    constexpr int PACKS = place::packs > 0 ? place::packs : 1;
    constexpr int PITCH = place::pitch / place::item, AT_ONCE = PACKS < 8 ? PACKS : 8;
    const auto dense = [](int e) { return e; };
    const auto apart = [](int e) { return e / PACKS * PITCH + e % PACKS; };
    const pack<T> *const data = (const pack<T> *)from;

    if (fetches) {
        move_by_threads<AT_ONCE>(
            k, k.count * PACKS, (pack<T> *)to, [&](int e) { return data[e]; }, apart);
    } else {
        move_by_threads<AT_ONCE>(
            k, k.count * PACKS, (pack<T> *)to, [&](int e) { return data[apart(e)]; },
            dense);
    }
}

/* Whether the matrices, in rows of `width` elements, are whole buckets behind each other. */
template <int LOG_M, int LOG_N, class T>
__device__ inline bool
are_packs(const void *data, int m, int n, long long width)
{
    return tiny_place<T, LOG_M, LOG_N>::packs > 0 && m == 1 << LOG_M &&
           n == 1 << LOG_N && width == n &&
           (unsigned long long)data % sizeof(pack<T>) == 0;
}

/* x = the thread's m by n matrix at column `column` of the stack, with the identity or
 * zeros around it. */
template <int LOG_M, int LOG_N, class T, int M, int N>
__device__ inline void
take_matrix(T (&x)[M][N], const View<T, 3> &from, const tiny_block &k, int m, int n,
            long long column, T around, T *shared)
{
    typedef tiny_place<T, LOG_M, LOG_N> place;
    const long long matrix = from.strides()[0], row = from.strides()[1];
    const long long step = from.strides()[2], width = from.shape()[2];
    const char *const data = (const char *)from.data + k.first * matrix + column * step;
    const bool is_dense = (step == (long long)sizeof(T) || width == 1) &&
                          row == width * (long long)sizeof(T) && matrix == m * row;

    if (is_dense && are_packs<LOG_M, LOG_N, T>(data, m, n, width)) {
        move_packs<LOG_M, LOG_N>(k, (const T *)data, shared, true);
    } else {
        move_by_threads<(M * N < 8 ? M * N : 8)>(
            k, k.count << (LOG_M + LOG_N), shared,
            [&](int e) {
                const place_of_matrix<LOG_M, LOG_N> p(e);
                const bool there = p.i < m && p.j < n;
                return *(const T *)(data + p.matrix * matrix +
                                    (there ? p.i * row + p.j * step : 0));
            },
            [&](int e) { return e / (M * N) * place::pitch + e % (M * N); });
    }
    __syncthreads();
    const bool mine = k.thread < k.count;
    const T *const own = shared + k.thread * place::pitch;
    each_of_row<M * N>(own, [&](int e, const T &value) {
        const int i = e / N, j = e % N;
        x[i][j] = mine && i < m && j < n ? value : (i == j ? around : T(0));
    });
    __syncthreads();
}

/* What threads left in shared memory to a dense stack of m by `columns` matrices. */
template <int LOG_M, int LOG_N, class T>
__device__ inline void
leave_block(T *to, const tiny_block &k, int m, int n, long long column,
            long long columns, const T *shared)
{
    typedef tiny_place<T, LOG_M, LOG_N> place;

    __syncthreads();
    to += k.first * m * columns + column;
    if (are_packs<LOG_M, LOG_N, T>(to, m, n, columns)) {
        move_packs<LOG_M, LOG_N>(k, shared, to, false);
    } else {
        for (int e = k.thread; e < k.count << (LOG_M + LOG_N); e += k.threads) {
            const place_of_matrix<LOG_M, LOG_N> p(e);
            if (p.i >= m || p.j >= n) continue;
            to[((long long)p.matrix * m + p.i) * columns + p.j] =
                shared[p.matrix * place::pitch + (p.i << LOG_N) + p.j];
        }
    }
    __syncthreads();
}

/* x, the thread's matrix, to a dense stack of m by `columns` matrices. */
template <int LOG_M, int LOG_N, class T, int M, int N>
__device__ inline void
leave_matrix(const T (&x)[M][N], T *to, const tiny_block &k, int m, int n,
             long long column, long long columns, T *shared)
{
    T all[M * N];

#pragma unroll
    for (int e = 0; e < M * N; e++) all[e] = x[e / N][e % N];
    store_row<M * N>(shared + k.thread * tiny_place<T, LOG_M, LOG_N>::pitch, all);
    leave_block<LOG_M, LOG_N>(to, k, m, n, column, columns, shared);
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

/* x (stack, n, k) = the solution of a x = b, NaN where a is singular; the int at address
 * `status` = 1 where one is. Up to W columns at a time. Launch: blocks(ceil(stack /
 * threads), threads) with the pitch of tiny_place of shared memory for each thread. */
template <class T, int LOG_N, int LOG_W>
__global__ void
solve_tiny(View<T, 3> a, View<T, 3> b, T *x, long long status, long long columns)
{
    constexpr int N = 1 << LOG_N, W = 1 << LOG_W;
    const long long stack = a.shape()[0], threads = (int)blockDim.x;
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    T *const shared = (T *)small_memory;

    CUPRIC_EACH_BLOCK (piece, (stack + threads - 1) / threads) {
        const tiny_block k = block_of_stack(piece, stack);

        for (long long column = 0; column < columns; column += W) {
            const int width = (int)(columns - column < W ? columns - column : W);
            T u[N][N], y[N][W];

            take_matrix<LOG_N, LOG_N>(u, a, k, n, n, 0, T(1), shared);
            take_matrix<LOG_N, LOG_W>(y, b, k, n, width, column, T(0), shared);
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

/* Of u x = y the unknown of the first column is exchanged for the y of row p; columns move to
 * the left by one. */
template <class T, int N>
__device__ inline void
exchange_unknown(T (&u)[N][N], int p)
{
    T row[N];

#pragma unroll
    for (int j = 0; j < N; j++) {
        row[j] = u[0][j];
#pragma unroll
        for (int i = 1; i < N; i++) row[j] = p == i ? u[i][j] : row[j];
    }
    const divisor<T> by(row[0]);
    row[0] = T(1);
#pragma unroll
    for (int j = 0; j < N; j++) row[j] = by(row[j]);
#pragma unroll
    for (int i = 0; i < N; i++) {
        const T f = u[i][0];
#pragma unroll
        for (int j = 1; j < N; j++) {
            const T value = u[i][j] - f * row[j];
            u[i][j - 1] = p == i ? row[j] : value;
        }
        u[i][N - 1] = p == i ? row[0] : T(0) - f * row[0];
    }
}

/* x (stack, n, n) = the inverses of a stack, as solve_tiny says; in place, by Gauss-Jordan
 * elimination with partial pivoting (Peters and Wilkinson, "On the stability of Gauss-Jordan
 * elimination with pivoting", Communications of the ACM 18, 1975). Step k
 * exchanges the unknown k of a x = y for the y of its pivot's row. Rows stay where they are,
 * columns move to the left by one, so that no step's code depends on its number; where rows
 * and columns belong they are put when they are left. Launch: as solve_tiny. */
template <class T, int LOG_N>
__global__ void
inv_tiny(View<T, 3> a, T *x, long long status)
{
    typedef typename real_of<T>::type R;
    constexpr int N = 1 << LOG_N;
    const long long stack = a.shape()[0], threads = (int)blockDim.x;
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    T *const shared = (T *)small_memory;

    CUPRIC_EACH_BLOCK (piece, (stack + threads - 1) / threads) {
        const tiny_block k = block_of_stack(piece, stack);
        unsigned left = (1u << N) - 1; /* the rows that no step has taken */
        unsigned steps = 0, rows = 0;  /* by rows and by steps, in 4 bits each */
        bool singular = false;
        T u[N][N];

        take_matrix<LOG_N, LOG_N>(u, a, k, n, n, 0, T(1), shared);
#pragma unroll 1
        for (int step = 0; step < N; step++) {
            R best = R(-1);
            int p = 0;
#pragma unroll
            for (int i = 0; i < N; i++) {
                const R size = left >> i & 1 ? pivot_size(u[i][0]) : R(-1);
                if (size > best) best = size, p = i;
            }
            singular |= best == R(0);
            left &= ~(1u << p);
            steps |= (unsigned)step << 4 * p;
            rows |= (unsigned)p << 4 * step;
            exchange_unknown(u, p);
        }
        T *const own = shared + k.thread * tiny_place<T, LOG_N, LOG_N>::pitch;
#pragma unroll
        for (int i = 0; i < N; i++) {
            T *const to = own + ((steps >> 4 * i & 15) << LOG_N);
#pragma unroll
            for (int j = 0; j < N; j++) {
                to[rows >> 4 * j & 15] = singular ? not_a_number<T>() : u[i][j];
            }
        }
        if (singular && k.thread < k.count) *(int *)status = 1;
        leave_block<LOG_N, LOG_N>(x, k, n, n, 0, n, shared);
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
    const long long stack = a.shape()[0], threads = (int)blockDim.x;
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
    const long long stack = a.shape()[0], threads = (int)blockDim.x;
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

template <class T, int N>
__device__ inline void
multiply_tiny(const T (&a)[N][N], const T (&b)[N][N], T (&to)[N][N])
{
    T product[N][N];

#pragma unroll
    for (int i = 0; i < N; i++) {
#pragma unroll
        for (int j = 0; j < N; j++) {
            product[i][j] = a[i][0] * b[0][j];
#pragma unroll
            for (int k = 1; k < N; k++) product[i][j] += a[i][k] * b[k][j];
        }
    }
#pragma unroll
    for (int i = 0; i < N; i++) {
#pragma unroll
        for (int j = 0; j < N; j++) to[i][j] = product[i][j];
    }
}

/* x (stack, n, n) = a to a positive power, by squares: D. E. Knuth, "The Art of Computer
 * Programming", volume 2, section 4.6.3, from the lowest bit. Launch: as solve_tiny. */
template <class T, int LOG_N>
__global__ void
power_tiny(View<T, 3> a, T *x, long long power)
{
    constexpr int N = 1 << LOG_N;
    const long long stack = a.shape()[0], threads = (int)blockDim.x;
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    T *const shared = (T *)small_memory;

    CUPRIC_EACH_BLOCK (piece, (stack + threads - 1) / threads) {
        const tiny_block k = block_of_stack(piece, stack);
        T square[N][N], result[N][N];
        long long left = power;

        take_matrix<LOG_N, LOG_N>(square, a, k, n, n, 0, T(1), shared);
        for (; !(left & 1); left >>= 1) multiply_tiny(square, square, square);
#pragma unroll
        for (int i = 0; i < N; i++) {
#pragma unroll
            for (int j = 0; j < N; j++) result[i][j] = square[i][j];
        }
        while (left >>= 1) {
            multiply_tiny(square, square, square);
            if (left & 1) multiply_tiny(result, square, result);
        }
        leave_matrix<LOG_N, LOG_N>(result, x, k, n, n, 0, n, shared);
    }
}
