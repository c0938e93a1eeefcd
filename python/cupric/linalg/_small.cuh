/* _small.cuh: linear algebra of stacks of matrices of up to 32 rows, a group of threads to a
 * matrix, on GPUs.
 *
 * A group is N neighbouring threads of a warp, N the bucket (4, 8, 16 or 32) that the rows
 * fit into, so that a warp takes 32 / N matrices. Thread i keeps row i in registers. Step k
 * of an elimination works on the first element of each row and shifts the rows to the left
 * by one: registers have no run-time index, yet neither the loop over steps nor the number
 * of rows is known to the compiler, and the code stays short. What a step broadcasts, a
 * row or a column, goes through shared memory, in the layout in which it is kept: by
 * elements of 16 bytes.
 *
 * All groups of a warp go through the same steps: the numbers of rows and columns are
 * those of the launch, and a group past the end of the stack repeats the last matrix.
 */

#include "_small.h"
#include "_small_common.cuh"

/* The elements of a row of N + W: an odd number of packs, so that threads that read a pack
 * of their rows each use all banks. */
template <class T, int N, int W>
struct row_length {
    enum { size = pack<T>::size };
    enum { value = ((N + W + size - 1) / size | 1) * size };
};

/* Row `row` of the matrix in `rows`, whatever lies past its end: no step of an elimination
 * takes anything from there to elsewhere. */
template <class T, int N>
__device__ inline void
take_row(T (&x)[N], const T *rows, int ld, int row)
{
    each_of_row<N>(rows + row * ld, [&](int j, const T &value) { x[j] = value; });
}

/* ---- LU factors: solve, inv, det, slogdet ------------------------------------------------ */

/* How an elimination went. */
template <class T>
struct elimination {
    bool singular;      /* a pivot is 0 */
    unsigned exchanges; /* of rows, or as many and an even number */
    T product;          /* of the pivots */
};

/* The rows of [A | B] that a thread has, those numbered lane + r * L where L threads share
 * the matrix, and which rows no step has taken. */
template <class T, int R, int N, int W>
struct rows_of_thread {
    enum { L = N / R, LD = row_length<T, N, W>::value };
    static constexpr unsigned ALL_LANES = L < 32 ? (1u << L) - 1 : ~0u;
    T x[R][N], b[R][W > 0 ? W : 1];
    int lane;
    unsigned left;

    __device__ bool is_left(int r) const { return left >> (lane + r * L) & 1; }

    /* The number of the first of the rows that are left whose first element is largest. */
    __device__ int find_pivot(bool &is_zero) const
    {
        typedef typename real_of<T>::type S;
        S own[R], best = S(-1);
        unsigned largest = 0;

#pragma unroll
        for (int r = 0; r < R; r++) {
            own[r] = is_left(r) ? pivot_size(x[r][0]) : S(-1);
            best = own[r] > best ? own[r] : best;
        }
#pragma unroll
        for (int half = L / 2; half > 0; half /= 2) {
            const S size = __shfl_xor_sync(~0u, best, half);
            best = size > best ? size : best;
        }
        const unsigned group =
            (threadIdx.x & 31) - lane; /* its first thread of the warp */
#pragma unroll
        for (int r = 0; r < R; r++) {
            const unsigned those = __ballot_sync(~0u, own[r] == best) >> group;
            largest |= (those & ALL_LANES) << (r * L & 31);
        }
        is_zero = best == S(0);
        return __ffs(largest & left) - 1;
    }

    /* Step k, where no row has more than M columns left. */
    template <int M>
    __device__ void step(T *row, elimination<T> &how)
    {
        bool is_zero;
        const int p = find_pivot(is_zero);

        how.singular |= is_zero;
        how.exchanges += __popc(left & ((1u << p) - 1));
        left &= ~(1u << p);
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (p == lane + r * L) {
                store_row<M>(row, x[r]);
                store_row<W>(row + N, b[r]);
            }
        }
        __syncwarp();
        const T pivot = row[0];
        const divisor<T> by(pivot);
        T f[R];
        how.product = how.product * pivot;
#pragma unroll
        for (int r = 0; r < R; r++) f[r] = is_left(r) ? by(x[r][0]) : T(0);
        each_of_row<M>(row, [&](int j, const T &value) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                if (j > 0) x[r][j > 0 ? j - 1 : 0] = x[r][j] - f[r] * value;
            }
        });
        each_of_row<W>(row + N, [&](int c, const T &value) {
#pragma unroll
            for (int r = 0; r < R; r++) b[r][c] = b[r][c] - f[r] * value;
        });
    }

    /* The steps from N - M on. */
    template <int M>
    __device__ void steps(int n, T *rows, elimination<T> &how)
    {
        constexpr int QUARTER = N / 4, PACK = pack<T>::size;
        constexpr int STEPS = QUARTER > PACK ? QUARTER : PACK;
        const int end = N - M + STEPS < n ? N - M + STEPS : n;

#pragma unroll 1
        for (int k = N - M; k < end; k++) step<M>(rows + k * LD, how);
        if constexpr (M > STEPS) steps<M - STEPS>(n, rows, how);
    }
};

/* Gaussian elimination with partial pivoting (Golub and Van Loan, "Matrix Computations",
 * section 3.4). Rows are not exchanged: the thread that has the pivot takes its row out and
 * leaves it in shared memory. There row k, of U and of L^-1 P B, begins with the diagonal
 * of U. A quarter of the steps goes by loops over as many columns as are left to its
 * first: what a step costs is above all reading the row, which every thread does. */
template <class T, int R, int N, int W>
__device__ inline elimination<T>
eliminate(rows_of_thread<T, R, N, W> &mine, int n, T *rows)
{
    elimination<T> how = {false, 0, T(1)};

    mine.left = n < 32 ? (1u << n) - 1 : ~0u;
    mine.template steps<N>(n, rows, how);
    return how;
}

template <class R>
__device__ inline R
of_lane_across(R x, int across)
{
    return __shfl_xor_sync(~0u, x, across);
}
template <class R>
__device__ inline complex<R>
of_lane_across(complex<R> x, int across)
{
    return complex<R>(of_lane_across(x.re, across), of_lane_across(x.im, across));
}

/* How many blocks a multiprocessor is to hold: as many as it has registers for, where a
 * thread has 40 beside those of M elements. */
template <class T, int M>
struct blocks_with {
    enum { words = M * (int)sizeof(T) / 4, registers = 1 << 16 };
    enum { value = registers / THREADS / (words + 40) };
};

/* y = U^-1 y of a thread's row of [U | L^-1 P B], as `eliminate` leaves these; row k of the
 * result stays in row k of shared memory. */
template <class T, int N, int W>
__device__ inline void
substitute(T (&y)[W], int n, T *rows, int lane)
{
    constexpr int LD = row_length<T, N, W>::value;
    const T *const own = rows + (lane < n ? lane : 0) * LD;
    const divisor<T> by(own[0]);

#pragma unroll
    for (int c = 0; c < W; c++) y[c] = own[N + c];
    for (int k = n - 1; k >= 0; k--) {
        if (lane == k) {
#pragma unroll
            for (int c = 0; c < W; c++) y[c] = by(y[c]);
            store_row<W>(rows + k * LD + N, y);
        }
        __syncwarp();
        if (lane < k) {
            const T f = own[k - lane];
            each_of_row<W>(rows + k * LD + N,
                           [&](int c, const T &value) { y[c] = y[c] - f * value; });
        }
    }
}

/* x (stack, n, k) = the solution of a x = b, or the inverse of a with `inverts`, NaN where
 * a is singular; the int at address `status` = 1 where one is. Up to W columns at a time.
 * The bucket N and W are powers of two. Launch: blocks(ceil(stack * N / threads), threads)
 * with N * row_length elements of shared memory for each N threads. */
template <class T, int LOG_N, int LOG_W>
__global__ void
__launch_bounds__(THREADS, blocks_with<T, (1 << LOG_N) + (1 << LOG_W)>::value)
    solve_small(View<T, 3> a, View<T, 3> b, T *x, long long status, long long columns,
                bool inverts)
{
    constexpr int N = 1 << LOG_N, W = 1 << LOG_W;
    constexpr int LD = row_length<T, N, W>::value;
    const long long stack = a.shape()[0];
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, N, N * LD * (int)sizeof(T));
    const int lane = g.lane, lanes = g.lanes;
    T *const rows = (T *)g.memory;

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;
        const matrix_place from = place_of(a, at);
        bool singular = false;

        for (long long first = 0; first < columns; first += W) {
            const int width = (int)(columns - first < W ? columns - first : W);
            fetch(from, n, n, rows, LD, lane, lanes);
            if (!inverts) {
                matrix_place right = place_of(b, at);
                right.data += first * right.column;
                fetch(right, n, width, rows + N, LD, lane, lanes);
            }
            rows_of_thread<T, 1, N, W> mine;
            T(&y)[W] = mine.b[0];
            mine.lane = lane;
            __syncwarp();
            take_row(mine.x[0], rows, LD, lane);
#pragma unroll
            for (int c = 0; c < W; c++) {
                y[c] = inverts ? T(lane == first + c) : rows[lane * LD + N + c];
            }
            __syncwarp();
            singular = eliminate(mine, n, rows).singular;
            __syncwarp();
            substitute<T, N, W>(y, n, rows, lane);
            __syncwarp();
            T *const to = x + at * n * columns + first;
            if (given < stack) {
                each_element(n, width, false, lane, lanes, [&](int i, int j) {
                    to[i * columns + j] =
                        singular ? not_a_number<T>() : rows[i * LD + N + j];
                });
            }
            __syncwarp(); /* before the rows are others */
        }
        if (singular && lane == 0 && given < stack) *(int *)status = 1;
    }
}

/* A number that is not 0 as its direction and the logarithm of its size. */
template <class T>
struct direction_and_log {
    T direction;
    typename real_of<T>::type log_size;
};

/* The product of the first elements of n rows, whose logarithms the threads of a group
 * share. */
template <class T>
__device__ inline direction_and_log<T>
product_of_pivots(const T *rows, int ld, int n, int lane, int lanes)
{
    direction_and_log<T> all = {T(1), 0};

#pragma unroll 1
    for (int k = lane; k < n; k += lanes) {
        const T pivot = rows[k * ld];
        const typename real_of<T>::type size = modulus(pivot);
        all.direction = all.direction * (pivot / T(size));
        all.log_size += log(size);
    }
    for (int across = 1; across < lanes; across *= 2) {
        all.direction = all.direction * of_lane_across(all.direction, across);
        all.log_size += of_lane_across(all.log_size, across);
    }
    return all;
}

/* The determinants of a stack, or, with `logs`, their signs and the logarithms of their
 * magnitudes. A thread takes 2^LOG_R rows, so that what is read of a row of U serves
 * several. Launch: blocks(ceil(stack * L / threads), threads), L = 2^(LOG_N - LOG_R), with
 * N * row_length elements of shared memory for each L threads. */
template <class T, int LOG_N, int LOG_R>
__global__ void
__launch_bounds__(THREADS, blocks_with<T, 1 << (LOG_N + LOG_R)>::value)
    det_small(View<T, 3> a, T *result, typename real_of<T>::type *logs, bool with_logs)
{
    constexpr int N = 1 << LOG_N, ROWS = 1 << LOG_R, LD = row_length<T, N, 0>::value;
    typedef typename real_of<T>::type R;
    const long long stack = a.shape()[0];
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    const small_group g =
        group_of_thread(small_memory, N / ROWS, N * LD * (int)sizeof(T));
    const int lane = g.lane, lanes = g.lanes;
    T *const rows = (T *)g.memory;

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;

        fetch(place_of(a, at), n, n, rows, LD, lane, lanes);
        rows_of_thread<T, ROWS, N, 0> mine;
        mine.lane = lane;
        __syncwarp();
#pragma unroll
        for (int r = 0; r < ROWS; r++) take_row(mine.x[r], rows, LD, lane + r * lanes);
        __syncwarp();
        const elimination<T> how = eliminate(mine, n, rows);
        direction_and_log<T> found = {how.product, 0};
        if (with_logs) found = product_of_pivots(rows, LD, n, lane, lanes);
        if (how.exchanges & 1) found.direction = found.direction * T(-1);
        if (how.singular) found = {T(0), -infinity<R>()};
        if (lane == 0 && given < stack) {
            result[at] = found.direction;
            if (with_logs) logs[at] = found.log_size;
        }
        __syncwarp(); /* before the rows are others */
    }
}

/* ---- Cholesky ---------------------------------------------------------------------------- */

/* L of a = L L^H by its outer product form (Golub and Van Loan, section 4.2.5), of which a
 * thread has a row of a: column k of L is left in row k of shared memory, from its diagonal
 * on. Whether a is not positive definite. */
template <class T, int N>
__device__ inline bool
factor(T (&x)[N], int n, T *rows, int ld, int lane)
{
    typedef typename real_of<T>::type R;
    bool fails = false;

    for (int k = 0; k < n; k++) {
        T *const row = rows + k * ld;
        const R pivot = __shfl_sync(~0u, real_part(x[0]), k, N);
        const R root = sqrt(pivot);
        fails |= !(pivot > R(0));
        const T l = lane == k ? T(root) : x[0] / T(root);
        if (lane >= k && lane < n) row[lane - k] = l;
        __syncwarp();
        /* past n, for nobody */
        each_of_row<N>(row, [&](int j, const T &value) {
            if (j > 0) x[j > 0 ? j - 1 : 0] = x[j] - l * conjugate(value);
        });
    }
    return fails;
}

/* x (stack, n, n) = the lower triangular L of a = L L^H, NaN where a is not positive
 * definite; the int at address `status` = 1 where one is not. The lower triangle of a is
 * read. Launch: as solve_small, W = 0. */
template <class T, int LOG_N>
__global__ void
cholesky_small(View<T, 3> a, T *x, long long status)
{
    constexpr int N = 1 << LOG_N, LD = row_length<T, N, 0>::value;
    const long long stack = a.shape()[0];
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, N, N * LD * (int)sizeof(T));
    const int lane = g.lane, lanes = g.lanes;
    T *const rows = (T *)g.memory;

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;

        fetch(place_of(a, at), n, n, rows, LD, lane, lanes);
        T row[N];
        __syncwarp();
        take_row(row, rows, LD, lane);
        __syncwarp();
        const bool fails = factor(row, n, rows, LD, lane);
        __syncwarp();
        T *const to = x + at * n * n;
        if (given < stack) {
            each_element(n, n, false, lane, lanes, [&](int i, int j) {
                const T value = i < j ? T(0) : rows[j * LD + i - j];
                to[i * n + j] = fails ? not_a_number<T>() : value;
            });
            if (fails && lane == 0) *(int *)status = 1;
        }
        __syncwarp(); /* before the rows are others */
    }
}
