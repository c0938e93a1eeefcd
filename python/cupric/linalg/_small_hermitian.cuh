/* _small_hermitian.cuh: eigenvalues and eigenvectors of stacks of small Hermitian matrices, on
 * GPUs. A matrix lies in shared memory, and a group of `lanes` neighbouring threads of a
 * warp, a power of two, takes its rows or columns in turns.
 *
 * Reflections make the matrix tridiagonal, and implicit QL iterations with Wilkinson's shift
 * diagonal (Golub and Van Loan, "Matrix Computations", sections 8.3.1 and 8.3.3; Wilkinson
 * and Reinsch, "Linear Algebra", II/2 and II/4). Jacobi's rotations, which need no such
 * chain of dependent steps, move seven times as many elements through shared memory, which is
 * what they wait for. All threads of a group compute each rotation of QL: it is the chain
 * that takes its time, and a warp runs those of several matrices at once where groups are
 * smaller than it.
 */
#include "_small_groups.cuh"

/* A matrix of a group. While it is made tridiagonal, column k of x below the diagonal becomes
 * the vector v of reflection k, x[k, k] its factor, and row k beyond the diagonal is where
 * its product with the matrix lies. */
template <class T>
struct hermitian {
    typedef typename real_of<T>::type R;
    T *x;       /* (n, ld) */
    R *d, *e;   /* n: the diagonal and what is below it */
    R *d2, *e2; /* n: those that a QL sweep makes */
    int *order; /* n: the columns in the order of their eigenvalues */
    int n, ld;
    small_group g;

    __device__ hermitian(const small_group &group, int rows)
        : x((T *)group.memory), n(rows), ld(rows | 1), g(group)
    {
        d = (R *)(x + n * ld);
        e = d + n;
        d2 = e + n;
        e2 = d2 + n;
        order = (int *)(e2 + n);
    }
};

/* sum + a b, as fused operations */
template <class R>
__device__ inline R
plus_product(R sum, R a, R b)
{
    return sum + a * b;
}
template <class R>
__device__ inline complex<R>
plus_product(complex<R> sum, complex<R> a, complex<R> b)
{
    return complex<R>(sum.re + a.re * b.re - a.im * b.im,
                      sum.im + a.re * b.im + a.im * b.re);
}

/* y[i * step] = value(i) for i < n, where value reads y there and what no call changes: four
 * values are computed before they are stored, as the compiler keeps loads behind stores. */
template <class T, class F>
__device__ inline void
update(T *y, int step, int n, const F &value)
{
    int i = 0;

#pragma unroll 1
    for (; i + 4 <= n; i += 4) {
        T made[4];
#pragma unroll
        for (int k = 0; k < 4; k++) made[k] = value(i + k);
#pragma unroll
        for (int k = 0; k < 4; k++) y[(i + k) * step] = made[k];
    }
#pragma unroll 1
    for (; i < n; i++) y[i * step] = value(i);
}

/* x = the matrix by one of its triangles, times the power of two that makes its largest
 * element about 1: *exponent of its inverse. False where an element is not finite. */
template <class T>
__device__ inline bool
read_matrix(const hermitian<T> &h, const matrix_place &place, bool upper, int *exponent)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int n = h.n, ld = h.ld;
    T *const x = h.x;
    R most = R(0);

    fetch(place, n, n, x, ld, g.lane, g.lanes);
    __syncwarp();
    for (int i = g.lane; i < n; i += g.lanes) {
        for (int j = 0; j < i; j++) {
            T &low = x[i * ld + j], &high = x[j * ld + i];
            const T value = upper ? conjugate(high) : low;
            const R size = largest_of(value);
            most = size > most ? size : most;
            low = value;
            high = conjugate(value);
        }
        const R value = real_part(x[i * ld + i]), size = pivot_size(value);
        most = size > most ? size : most;
        x[i * ld + i] = T(value);
    }
    most = group_max(most, g.lanes);
    const bool finite = most < infinity<R>();
    *exponent = exponent_of(most);
    const R by = scalbn(R(1), -*exponent);
    __syncwarp();
    for (int i = g.lane; i < n; i += g.lanes) {
        T *const row = x + i * ld;
        update(row, 1, n, [&](int j) { return scaled(row[j], by); });
    }
    __syncwarp();
    return finite;
}

/* A = H^H A H for each reflection H of column k, k rising: two products with vectors. */
template <class T>
__device__ inline void
make_tridiagonal(const hermitian<T> &h)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int n = h.n, ld = h.ld;
    T *const x = h.x;

    for (int k = 0; k < n - 1; k++) {
        T *const column = x + k, *const product = x + k * ld;
        R below = R(0);
        for (int i = h.g.own(k + 2); i < n; i += g.lanes)
            below += square(column[i * ld]);
        below = group_sum(below, g.lanes);
        const reflection<T> turn =
            reflection_for(column[(k + 1) * ld], below, least_square<R>());
        const T factor = turn.factor;
        __syncwarp();
        for (int i = h.g.own(k + 1); i < n; i += g.lanes) {
            column[i * ld] = i == k + 1 ? T(1) : column[i * ld] * turn.scale;
        }
        if (g.lane == 0) {
            h.d[k] = real_part(product[k]);
            h.e[k] = turn.beta;
            product[k] = factor;
        }
        if (!__any_sync(~0u, factor != T(0))) continue;
        __syncwarp();
        T dot = T(0);
        for (int i = h.g.own(k + 1); i < n; i += g.lanes) {
            T sum = T(0);
#pragma unroll 4
            for (int j = k + 1; j < n; j++)
                sum = plus_product(sum, x[i * ld + j], column[j * ld]);
            sum = sum * factor;
            product[i] = sum;
            dot += conjugate(sum) * column[i * ld];
        }
        dot = scaled(group_sum(dot, g.lanes) * factor, R(-0.5));
        for (int i = h.g.own(k + 1); i < n; i += g.lanes) {
            product[i] += dot * column[i * ld];
        }
        __syncwarp();
        for (int i = h.g.own(k + 1); i < n; i += g.lanes) {
            const T v = -column[i * ld], w = -product[i];
            const T *const row = x + i * ld;
            update(x + i * ld + k + 1, 1, n - k - 1, [&](int at) {
                const int j = k + 1 + at;
                const T part = plus_product(row[j], v, conjugate(product[j]));
                return plus_product(part, w, conjugate(column[j * ld]));
            });
        }
        __syncwarp();
    }
    if (g.lane == 0) h.d[n - 1] = real_part(x[(n - 1) * ld + n - 1]);
    __syncwarp();
}

/* x = H_0 H_1 ... of the reflections that lie in it, from the last to the first: where those
 * from k + 1 on have been multiplied, the rest of row and column k + 1 are the identity's. */
template <class T>
__device__ inline void
multiply_reflections(const hermitian<T> &h)
{
    const small_group &g = h.g;
    const int n = h.n, ld = h.ld;
    T *const x = h.x;

    for (int k = n - 2; k >= 0; k--) {
        const T *const v = x + k;
        const T factor = x[k * ld + k];
        for (int j = h.g.own(k + 1); j < n; j += g.lanes) {
            const bool first = j == k + 1;
            T dot = T(first);
#pragma unroll 4
            for (int i = k + 2; i < n; i++) {
                const T value = first ? T(0) : x[i * ld + j];
                dot = plus_product(dot, conjugate(v[i * ld]), value);
            }
            dot = -dot * factor;
            update(x + (k + 2) * ld + j, ld, n - k - 2, [&](int at) {
                const int i = k + 2 + at;
                return plus_product(first ? T(0) : x[i * ld + j], dot, v[i * ld]);
            });
            x[(k + 1) * ld + j] = T(first) + dot;
        }
        __syncwarp();
    }
    for (int i = g.lane; i < n; i += g.lanes) x[i * ld] = x[i] = T(i == 0);
    __syncwarp();
}

/* 1 / sqrt(x) to the last digit but one: of float32 the function has one digit less. */
template <class R>
__device__ inline R
reciprocal_root(R x)
{
    const R root = rsqrt(x);
    if (sizeof(R) == 8) return root;
    return root + R(0.5) * root * (R(1) - x * root * root);
}

/* A QL sweep over rows low to high of the tridiagonal matrix, and over the columns of x, of
 * which a thread has ROWS rows. What a step needs of memory is read a step ahead, and a row
 * that is past the last is computed and not stored, as branches take longer. */
template <int ROWS, class T>
__device__ inline void
sweep(const hermitian<T> &h, int low, int high)
{
    typedef typename real_of<T>::type R;
    const bool writes = h.g.lane == 0;
    const R to_low = h.d[low], below = h.e[low], half = (h.d[low + 1] - to_low) / R(2);
    const R ratio = half / below, root = sqrt(ratio * ratio + R(1));
    R after = h.d[high], here = h.d[high - 1], old = h.e[high - 1]; /* at i + 1, i, i */
    R g = after - to_low + below / (ratio + (ratio < R(0) ? -root : root));
    R s = R(1), c = R(1), p = R(0);
    T *at[ROWS + 1], carried[ROWS + 1]; /* at column i + 1 */
    bool owns[ROWS + 1];

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int row = h.g.lane + r * h.g.lanes;
        owns[r] = row < h.n;
        at[r] = h.x + (owns[r] ? row : 0) * h.ld + high;
        carried[r] = owns[r] ? *at[r] : T(0);
    }
    for (int i = high - 1; i >= low; i--) {
        const int next = i > low ? i - 1 : low;
        const R next_here = h.d[next], next_old = h.e[next];
        T value[ROWS + 1];
#pragma unroll
        for (int r = 0; r < ROWS; r++) value[r] = owns[r] ? at[r][-1] : T(0);
        const R f = s * old, b = c * old, size = f * f + g * g;
        const bool turns = size > least_square<R>();
        const R inverse = reciprocal_root(size);

        s = turns ? f * inverse : R(0);
        c = turns ? g * inverse : R(1);
        if (writes) h.e2[i + 1] = turns && i + 1 < high ? size * inverse : R(0);
        g = after - p;
        const R t = (here - g) * s + R(2) * c * b;
        p = s * t;
        if (writes) h.d2[i + 1] = g + p;
        g = c * t - b;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (owns[r]) *at[r] = scaled(value[r], s) + scaled(carried[r], c);
            carried[r] = scaled(value[r], c) - scaled(carried[r], s);
            at[r]--;
        }
        after = here;
        here = next_here;
        old = next_old;
    }
    if (writes) {
        h.d2[low] = after - p;
        h.e2[low] = g;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (owns[r]) *at[r] = carried[r];
    }
}

/* Whether the element below the diagonal in column i of the tridiagonal matrix is
 * negligible, so that a block ends. */
template <class T>
__device__ inline bool
ends_block(const hermitian<T> &h, int i)
{
    typedef typename real_of<T>::type R;
    const R size = modulus(h.e[i]);

    return size <= machine_epsilon<R>() * (modulus(h.d[i]) + modulus(h.d[i + 1])) ||
           size * size <= least_square<R>();
}

/* The rows of the first block of more than one from row *low on, through *low and *high; false
 * where there is none. All groups of the warp call it, each of whose threads tests some rows:
 * of 64, which have a bit each. */
template <class T>
__device__ inline bool
find_block(const hermitian<T> &h, int *low, int *high)
{
    unsigned long long ends = ~0ull << (h.n - 1);

    for (int i = h.g.own(*low); i < h.n - 1; i += h.g.lanes) {
        ends |= (unsigned long long)ends_block(h, i) << i;
    }
    ends = group_or(ends, h.g.lanes);
    const unsigned long long within = ~ends >> *low;
    if (!within) return false;
    *low += __ffsll((long long)within) - 1;
    *high = *low + __ffsll((long long)(ends >> *low)) - 1;
    return true;
}

enum { MOST_SWEEPS = 30 }; /* for each eigenvalue, as LAPACK's */

/* d = the eigenvalues, unsorted, if `going`; whether they were not found. */
template <int ROWS, class T>
__device__ inline bool
iterate(const hermitian<T> &h, bool going)
{
    const int n = h.n;
    int low = 0, high = 0;

    for (int round = 0; round <= MOST_SWEEPS * n; round++) {
        going = find_block(h, &low, &high) && going;
        if (!__any_sync(~0u, going)) return false;
        if (going) sweep<ROWS>(h, low, high);
        __syncwarp();
        for (int i = h.g.own(low); i <= high && going; i += h.g.lanes) {
            h.d[i] = h.d2[i];
            h.e[i] = h.e2[i];
        }
        __syncwarp();
    }
    return going;
}

/* w (stack, n) rising and, unless ROWS is 0, v (stack, n, n): of matrices of up to lanes * ROWS
 * rows, so that a GPU alone takes it. NaN where an element is not finite, of which the int at
 * `status` tells, as where the iterations are not enough.
 * Launch: blocks(ceil(stack * lanes / threads), threads) with `bytes` of shared memory for
 * each group: n (n | 1) elements, 4 n real numbers and n ints. */
template <class T, int ROWS>
__global__ void
eigh_small(View<T, 3> a, typename real_of<T>::type *w, T *v, long long status,
           bool upper, int lanes, long long bytes)
{
    typedef typename real_of<T>::type R;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, lanes, bytes);
    const long long stack = a.shape()[0];
    const int n = (int)a.shape()[1];
    const hermitian<T> h(g, n);

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;
        int exponent;

        const bool finite = read_matrix(h, place_of(a, at), upper, &exponent);
        make_tridiagonal(h);
        if (ROWS) multiply_reflections(h);
        const bool fails = iterate<ROWS>(h, finite) || !finite;
        for (int j = g.lane; j < n; j += g.lanes) {
            const int to = fails ? j : rank_of(h.d, n, j, false);
            h.order[to] = j;
            if (given < stack)
                w[at * n + to] = fails ? nan_of<R>() : scalbn(h.d[j], exponent);
        }
        __syncwarp();
        for (int i = 0; i < n && ROWS && given < stack; i++) {
            for (int j = g.lane; j < n; j += g.lanes) {
                v[(at * n + i) * n + j] =
                    fails ? not_a_number<T>() : h.x[i * h.ld + h.order[j]];
            }
        }
        if (fails && g.lane == 0 && given < stack) *(int *)status = 1;
        __syncwarp(); /* before the memory is others' */
    }
}
