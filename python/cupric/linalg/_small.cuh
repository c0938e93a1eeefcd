/* Linear algebra of stacks of matrices of up to 32 rows, a group of threads to a matrix.
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

#include "_small_common.cuh"

/* 16 bytes of elements: a load or store of shared memory */
template <class T>
struct alignas(16) pack {
    static constexpr int size = (int)(16 / sizeof(T));
    T item[size];
};

/* The elements of a row of N + W, and room so that rows begin in different banks. */
template <class T, int N, int W>
struct row_length {
    static constexpr int size = pack<T>::size;
    static constexpr int value = (N + W + size - 1) / size * size + size;
};

template <class T, int N>
__device__ inline void
store_row(T *to, const T (&x)[N])
{
    if constexpr (N % pack<T>::size == 0) {
#pragma unroll
        for (int q = 0; q < N / pack<T>::size; q++) {
            pack<T> p;
#pragma unroll
            for (int c = 0; c < pack<T>::size; c++)
                p.item[c] = x[q * pack<T>::size + c];
            ((pack<T> *)to)[q] = p;
        }
    } else {
#pragma unroll
        for (int j = 0; j < N; j++) to[j] = x[j];
    }
}

/* x[j - shift] -= f * row[j] for j from shift on, or f * conjugate(row[j]); x[N - 1] = 0
 * where shift is 1 */
template <int SHIFT, bool CONJUGATE = false, class T, int N>
__device__ inline void
subtract_row(T (&x)[N], const T &f, const T *row)
{
    if constexpr (N % pack<T>::size == 0) {
#pragma unroll
        for (int q = 0; q < N / pack<T>::size; q++) {
            const pack<T> p = ((const pack<T> *)row)[q];
#pragma unroll
            for (int c = 0; c < pack<T>::size; c++) {
                const int j = q * pack<T>::size + c;
                const T other = CONJUGATE ? conjugate(p.item[c]) : p.item[c];
                if (j >= SHIFT) x[j - SHIFT] = x[j] - f * other;
            }
        }
    } else {
#pragma unroll
        for (int j = SHIFT; j < N; j++) {
            x[j - SHIFT] = x[j] - f * (CONJUGATE ? conjugate(row[j]) : row[j]);
        }
    }
    if (SHIFT) x[N - 1] = T(0);
}

/* Row `lane` of the n by n matrix in `rows`, zeros around it. */
template <class T, int N>
__device__ inline void
take_row(T (&x)[N], const T *rows, int ld, int n, int lane)
{
#pragma unroll
    for (int j = 0; j < N; j++) {
        x[j] = j < n && lane < n ? rows[lane * ld + j] : T(0);
    }
}

/* ---- LU factors: solve, inv, det, slogdet ------------------------------------------------ */

/* How an elimination went. */
struct elimination {
    bool singular; /* a pivot is 0 */
    bool odd;      /* the permutation of the rows is */
};

#if defined(CUPRIC_HOST)

/* [A | B], n by n + width in rows of `ld`, to [U | L^-1 P B], where U's row k begins with
 * its diagonal, as the threads of a GPU leave it. */
template <class T>
inline elimination
eliminate(T *rows, int ld, int n, int first, int width)
{
    elimination how = {false, false};

    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) {
            if (pivot_size(rows[i * ld + k]) > pivot_size(rows[p * ld + k])) p = i;
        }
        if (p != k) {
            how.odd = !how.odd;
            for (int j = k; j < first + width; j++) {
                const T t = rows[k * ld + j];
                rows[k * ld + j] = rows[p * ld + j];
                rows[p * ld + j] = t;
            }
        }
        if (rows[k * ld + k] == T(0)) how.singular = true;
        for (int i = k + 1; i < n && !how.singular; i++) {
            const T f = rows[i * ld + k] / rows[k * ld + k];
            for (int j = k + 1; j < n; j++) rows[i * ld + j] -= f * rows[k * ld + j];
            for (int j = first; j < first + width; j++) {
                rows[i * ld + j] -= f * rows[k * ld + j];
            }
        }
        for (int j = k; j < n; j++) rows[k * ld + j - k] = rows[k * ld + j];
    }
    return how;
}

#else

/* Gaussian elimination with partial pivoting (Golub and Van Loan, "Matrix Computations",
 * section 3.4) of [A | B], whose row `lane` x and b are. Rows are not exchanged: the thread
 * that has the pivot takes its row out and leaves it in shared memory. There row k, of U
 * and of L^-1 P B, begins with the diagonal of U. */
template <class T, int N, int W>
__device__ inline elimination
eliminate(T (&x)[N], T (&b)[W], int n, int lane, T *rows)
{
    typedef typename real_of<T>::type R;
    constexpr int LD = row_length<T, N, W>::value;
    elimination how = {false, false};
    const unsigned all = n < 32 ? (1u << n) - 1 : ~0u;
    const unsigned group = (threadIdx.x & 31) - lane; /* its first thread of the warp */
    unsigned left = all;                              /* rows that no step has taken */

    for (int k = 0; k < n; k++) {
        T *const row = rows + k * LD;
        const R own = left >> lane & 1 ? pivot_size(x[0]) : R(-1);
        R best = own;
#pragma unroll
        for (int half = N / 2; half > 0; half /= 2) {
            const R size = __shfl_xor_sync(~0u, best, half);
            best = size > best ? size : best;
        }
        const unsigned largest = __ballot_sync(~0u, own == best) >> group;
        const int p = __ffs(largest & all) - 1; /* the first of those */
        how.singular |= best == R(0);
        how.odd ^= __popc(left & ((1u << p) - 1)) & 1;
        left &= ~(1u << p);
        if (lane == p) {
            store_row(row, x);
            store_row(row + N, b);
        }
        __syncwarp();
        const T f = left >> lane & 1 ? x[0] / row[0] : T(0);
        subtract_row<1>(x, f, row);
        subtract_row<0>(b, f, row + N);
    }
    return how;
}

#endif

/* x (stack, n, k) = the solution of a x = b, or the inverse of a with `inverts`, NaN where
 * a is singular; the int at address `status` = 1 where one is. Up to W columns at a time.
 * The bucket N and W are powers of two. Launch: blocks(ceil(stack * N / threads), threads)
 * with N * row_length elements of shared memory for each N threads. */
template <class T, int LOG_N, int LOG_W>
__global__ void
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
#if defined(CUPRIC_HOST)
            for (int i = 0; i < n && inverts; i++) {
                for (int c = 0; c < width; c++)
                    rows[i * LD + N + c] = T(i == first + c);
            }
            singular = eliminate(rows, LD, n, N, width).singular;
            for (int k = n - 1; k >= 0 && !singular; k--) {
                T *const row = rows + k * LD;
                for (int c = 0; c < width; c++) row[N + c] /= row[0];
                for (int i = 0; i < k; i++) {
                    const T f = rows[i * LD + k - i];
                    for (int c = 0; c < width; c++)
                        rows[i * LD + N + c] -= f * row[N + c];
                }
            }
#else
            T r[N], y[W];
            __syncwarp();
            take_row(r, rows, LD, n, lane);
#pragma unroll
            for (int c = 0; c < W; c++) {
                if (inverts) {
                    y[c] = T(lane == first + c);
                } else {
                    y[c] = c < width && lane < n ? rows[lane * LD + N + c] : T(0);
                }
            }
            __syncwarp();
            singular = eliminate(r, y, n, lane, rows).singular;
            __syncwarp();
            const T *const own = rows + (lane < n ? lane : 0) * LD;
            const T reciprocal = T(1) / own[0];
#pragma unroll
            for (int c = 0; c < W; c++) y[c] = own[N + c];
            for (int k = n - 1; k >= 0; k--) {
                if (lane == k) {
#pragma unroll
                    for (int c = 0; c < W; c++) y[c] = y[c] * reciprocal;
                    store_row(rows + k * LD + N, y);
                }
                __syncwarp();
                const T f = lane < k ? own[k - lane] : T(0);
                if (lane < k) subtract_row<0>(y, f, rows + k * LD + N);
            }
            __syncwarp();
#endif
            T *const to = x + at * n * columns + first;
            if (given < stack) {
                each_element(n, width, false, lane, lanes, [&](int i, int j) {
                    to[i * columns + j] =
                        singular ? not_a_number<T>() : rows[i * LD + N + j];
                });
            }
#if !defined(CUPRIC_HOST)
            __syncwarp(); /* before the rows are others */
#endif
        }
        if (singular && lane == 0 && given < stack) *(int *)status = 1;
    }
}

/* The determinants of a stack, or, with `logs`, their signs and the logarithms of their
 * magnitudes. Launch: as solve_small, W = 1. */
template <class T, int LOG_N>
__global__ void
det_small(View<T, 3> a, T *result, typename real_of<T>::type *logs, bool with_logs)
{
    constexpr int N = 1 << LOG_N;
    typedef typename real_of<T>::type R;
    constexpr int LD = row_length<T, N, 1>::value;
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
#if defined(CUPRIC_HOST)
        const elimination how = eliminate(rows, LD, n, N, 0);
#else
        T r[N], none[1] = {T(0)};
        __syncwarp();
        take_row(r, rows, LD, n, lane);
        __syncwarp();
        const elimination how = eliminate(r, none, n, lane, rows);
        __syncwarp();
#endif
        if (lane == 0 && given < stack) {
            T product = how.singular ? T(0) : how.odd ? T(-1) : T(1);
            R log_size = how.singular ? -infinity<R>() : R(0);
            for (int k = 0; k < n && !how.singular; k++) {
                const T pivot = rows[k * LD];
                const R size = modulus(pivot);
                product = product * (with_logs ? pivot / T(size) : pivot);
                if (with_logs) log_size += log(size);
            }
            result[at] = product;
            if (with_logs) logs[at] = log_size;
        }
#if !defined(CUPRIC_HOST)
        __syncwarp(); /* before the rows are others */
#endif
    }
}

/* ---- Cholesky ---------------------------------------------------------------------------- */

/* x (stack, n, n) = the lower triangular L of a = L L^H, NaN where a is not positive
 * definite; the int at address `status` = 1 where one is not. The lower triangle of a is read. The outer
 * product form (Golub and Van Loan, section 4.2.5): column k of L is left in row k of
 * shared memory, from its diagonal on.
 * Launch: as solve_small, W = 0. */
template <class T, int LOG_N>
__global__ void
cholesky_small(View<T, 3> a, T *x, long long status)
{
    constexpr int N = 1 << LOG_N;
    typedef typename real_of<T>::type R;
    constexpr int LD = row_length<T, N, 0>::value;
    const long long stack = a.shape()[0];
    const int n = (int)a.shape()[1];
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, N, N * LD * (int)sizeof(T));
    const int lane = g.lane, lanes = g.lanes;
    T *const rows = (T *)g.memory;

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;
        bool fails = false;

        fetch(place_of(a, at), n, n, rows, LD, lane, lanes);
#if defined(CUPRIC_HOST)
        T lower[N * N];
        for (int j = 0; j < n; j++) {
            for (int i = j; i < n; i++) {
                T sum = rows[i * LD + j];
                for (int k = 0; k < j; k++) {
                    sum -= lower[i * N + k] * conjugate(lower[j * N + k]);
                }
                if (i == j) {
                    fails |= !(real_part(sum) > R(0));
                    lower[i * N + j] = T(sqrt(real_part(sum)));
                } else {
                    lower[i * N + j] = sum / lower[j * N + j];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k <= i; k++) rows[k * LD + i - k] = lower[i * N + k];
        }
#else
        T r[N];
        __syncwarp();
        take_row(r, rows, LD, n, lane);
        __syncwarp();
        for (int k = 0; k < n; k++) {
            T *const row = rows + k * LD;
            const R pivot = __shfl_sync(~0u, real_part(r[0]), k, N);
            const R root = sqrt(pivot);
            fails |= !(pivot > R(0));
            const T l = lane == k ? T(root) : r[0] / T(root);
            if (lane >= k && lane < n) row[lane - k] = l;
            __syncwarp();
            subtract_row<1, true>(r, l, row); /* past n, of what nobody uses */
        }
        __syncwarp();
#endif
        T *const to = x + at * n * n;
        if (given < stack) {
            each_element(n, n, false, lane, lanes, [&](int i, int j) {
                const T value = i < j ? T(0) : rows[j * LD + i - j];
                to[i * n + j] = fails ? not_a_number<T>() : value;
            });
            if (fails && lane == 0) *(int *)status = 1;
        }
#if !defined(CUPRIC_HOST)
        __syncwarp(); /* before the rows are others */
#endif
    }
}
