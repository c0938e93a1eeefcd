/* _small_orthogonal.cuh: QR factors and singular values of stacks of matrices of up to 32 rows
 * and columns, on GPUs. A matrix lies in shared memory, and a group of `lanes` neighbouring
 * threads of a warp, a power of two, takes its rows or columns in turns. Nothing but the
 * dtype is known to the compiler.
 */
#include "_small_groups.cuh"
#include "_small_orthogonal.h"

/* The largest magnitude of the parts of an m by n matrix; NaN where it has one. All threads
 * of the group read all of it. */
template <class T>
__device__ inline typename real_of<T>::type
largest_part(const T *x, int m, int n, int ld)
{
    typedef typename real_of<T>::type R;
    R most = R(0);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            const R size = pivot_size(x[i * ld + j]); /* infinity for NaN */
            if (size > most) most = size;
        }
    }
    return most;
}

/* x *= 1 / most, for squares not to overflow, where most is neither 0 nor infinite. */
template <class T, class R>
__device__ inline void
scale_down(T *x, int m, int n, int ld, R most, const small_group &g)
{
    for (int i = g.lane; i < m; i += g.lanes) {
        for (int j = 0; j < n; j++) x[i * ld + j] = x[i * ld + j] / T(most);
    }
}

/* ---- QR ------------------------------------------------------------------------------------ */

/* A matrix of a group, and the Q that is made of it. */
template <class T>
struct qr_matrix {
    T *x;   /* (m, n) in rows of ld: R, and below it what the reflections are made of */
    T *y;   /* (m, wide) in rows of ldq */
    T *tau; /* the factors of the reflections */
    int m, n, wide, ld, ldq;
    small_group g;

    __device__ qr_matrix(const small_group &group, int rows, int columns, int of_q)
        : x((T *)group.memory), m(rows), n(columns), wide(of_q), ld(columns | 1),
          ldq(of_q | 1), g(group)
    {
        y = x + m * ld;
        tau = y + m * ldq;
    }
};

/* x = R, by a reflection for each of k columns. */
template <class T>
__device__ inline void
reflect_columns(const qr_matrix<T> &h, int k)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int m = h.m, n = h.n, ld = h.ld;
    T *const x = h.x;

    for (int c = 0; c < k; c++) {
        R below = R(0);
        for (int i = c + 1; i < m; i++) below += square(x[i * ld + c]);
        const T alpha = x[c * ld + c];
        const reflection<T> turn = reflection_for(alpha, below, R(0));
        const T t = turn.factor;
        __syncwarp();
        for (int i = c + 1 + g.lane; i < m; i += g.lanes) {
            x[i * ld + c] = x[i * ld + c] * turn.scale;
        }
        if (g.lane == 0) {
            h.tau[c] = t;
            x[c * ld + c] = T(turn.beta);
        }
        __syncwarp();
        for (int j = c + 1 + g.lane; j < n; j += g.lanes) {
            T dot = x[c * ld + j];
            for (int i = c + 1; i < m; i++) {
                dot += conjugate(x[i * ld + c]) * x[i * ld + j];
            }
            dot = dot * conjugate(t);
            x[c * ld + j] -= dot;
            for (int i = c + 1; i < m; i++) x[i * ld + j] -= dot * x[i * ld + c];
        }
        __syncwarp();
    }
}

/* y = Q, the product of k reflections: each column by itself. */
template <class T>
__device__ inline void
multiply_columns(const qr_matrix<T> &h, int k)
{
    const int m = h.m, ld = h.ld, ldq = h.ldq;
    const T *const x = h.x;
    T *const y = h.y;

    for (int j = h.g.lane; j < h.wide; j += h.g.lanes) {
        for (int i = 0; i < m; i++) y[i * ldq + j] = T(i == j);
        for (int c = k - 1; c >= 0; c--) {
            T dot = y[c * ldq + j];
            for (int i = c + 1; i < m; i++) {
                dot += conjugate(x[i * ld + c]) * y[i * ldq + j];
            }
            dot = dot * h.tau[c];
            y[c * ldq + j] -= dot;
            for (int i = c + 1; i < m; i++) y[i * ldq + j] -= dot * x[i * ld + c];
        }
    }
    __syncwarp();
}

/* q (stack, m, wide), r (stack, tall, n) with tall = wide: Householder's reflections, with
 * LAPACK's signs (Golub and Van Loan, "Matrix Computations", section 5.2).
 * Launch: blocks(ceil(stack * lanes / threads), threads) with `bytes` of shared memory for
 * each group: (m n + m wide + MOST_ROWS) elements, rows of odd length. */
template <class T>
__global__ void
qr_small(View<T, 3> a, T *q, T *r, int wide, int lanes, long long bytes)
{
    typedef typename real_of<T>::type R;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, lanes, bytes);
    const long long stack = a.shape()[0];
    const int m = (int)a.shape()[1], n = (int)a.shape()[2], k = m < n ? m : n;
    const qr_matrix<T> h(g, m, n, wide);
    const int ld = h.ld, ldq = h.ldq;
    T *const x = h.x, *const y = h.y;

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;

        fetch(place_of(a, at), m, n, x, ld, g.lane, g.lanes);
        __syncwarp();
        R most = largest_part(x, m, n, ld);
        if (!(most > R(0) && most < infinity<R>())) most = R(1);
        __syncwarp();
        scale_down(x, m, n, ld, most, g);
        __syncwarp();
        reflect_columns(h, k);
        multiply_columns(h, k);
        if (given < stack) {
            T *const to_q = q + at * m * wide, *const to_r = r + at * wide * n;
            each_element(m, wide, false, g.lane, g.lanes,
                         [&](int i, int j) { to_q[i * wide + j] = y[i * ldq + j]; });
            each_element(wide, n, false, g.lane, g.lanes, [&](int i, int j) {
                to_r[i * n + j] = i > j ? T(0) : x[i * ld + j] * T(most);
            });
        }
        __syncwarp(); /* before the memory is others' */
    }
}

/* ---- Jacobi's methods ----------------------------------------------------------------------- */

/* Pair t of round `round` of a tournament of n players, n even: each round has n / 2 pairs
 * without a common player, and n - 1 rounds have each pair once. */
__device__ inline void
tournament(int n, int round, int t, int *p, int *q)
{
    const int one = t == 0 ? n - 1 : (round + t) % (n - 1);
    const int other = t == 0 ? round : (round - t + n - 1) % (n - 1);
    *p = one < other ? one : other;
    *q = one < other ? other : one;
}

/* A rotation of columns p and q: to (c p - s f q, s p + c f q), f of modulus 1. */
template <class T>
struct rotation {
    typename real_of<T>::type c, s;
    T f;
    int p, q;
};

/* The rotation that makes the off-diagonal element b of [[low, b], [b^H, high]] zero, by
 * the smaller angle; `size` is |b| > 0. */
template <class T, class R>
__device__ inline rotation<T>
rotation_for(R low, R high, const T &b, R size, int p, int q)
{
    const R cotangent = (high - low) / (R(2) * size);
    const R root = sqrt(R(1) + cotangent * cotangent);
    const R t =
        cotangent < R(0) ? R(-1) / (root - cotangent) : R(1) / (root + cotangent);
    const R c = R(1) / sqrt(R(1) + t * t);
    return {c, t * c, conjugate(b) / T(size), p, q};
}

enum { MOST_SWEEPS = 40 };

/* Column j of x, m rows, a unit vector that is orthogonal to the j columns before it: of
 * the axes that whose rest is longest, made orthogonal twice. Groups of a warp whose column
 * is not `wanted` go along. */
template <class T>
__device__ inline void
complete_column(T *x, int m, int ld, int j, bool wanted, const small_group &g)
{
    typedef typename real_of<T>::type R;
    const int begin = wanted ? g.lane : m; /* of the rows that a thread writes */
    int axis = 0;
    R most = R(-1);

    for (int i = 0; i < m; i++) {
        R rest = R(1);
        for (int c = 0; c < j; c++) rest -= square(x[i * ld + c]);
        if (rest > most) most = rest, axis = i;
    }
    __syncwarp();
    for (int i = begin; i < m; i += g.lanes) x[i * ld + j] = T(i == axis);
    __syncwarp();
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < j; c++) {
            T dot = T(0);
            for (int i = 0; i < m; i++) dot += conjugate(x[i * ld + c]) * x[i * ld + j];
            __syncwarp();
            for (int i = begin; i < m; i += g.lanes)
                x[i * ld + j] -= dot * x[i * ld + c];
            __syncwarp();
        }
    }
    R norm = R(0);
    for (int i = 0; i < m; i++) norm += square(x[i * ld + j]);
    norm = sqrt(norm);
    __syncwarp();
    for (int i = begin; i < m; i += g.lanes) x[i * ld + j] = x[i * ld + j] / T(norm);
    __syncwarp();
}

/* A matrix of a group, m >= n, of which columns are turned until all are orthogonal. */
template <class T>
struct svd_matrix {
    typedef typename real_of<T>::type R;
    rotation<T> *turns; /* MOST_ROWS: of a round */
    T *x, *u;           /* (m, columns) in rows of ld: the matrix, left vectors */
    T *y;               /* (n, n) in rows of ldv: the product of all turns */
    R *values;          /* n */
    int m, n, columns, ld, ldv;
    bool vectors;
    small_group g;

    __device__ svd_matrix(const small_group &group, int rows, int of_x, int of_u,
                          bool with_vectors)
        : turns((rotation<T> *)group.memory), m(rows), n(of_x), columns(of_u),
          ld(of_u | 1), ldv(of_x | 1), vectors(with_vectors), g(group)
    {
        x = (T *)(turns + MOST_ROWS);
        u = x + m * ld;
        y = u + m * ld;
        values = (R *)(y + n * ldv);
    }
};

/* What is too small to be turned: squares of norms, and the cosine of two columns. */
template <class R>
struct svd_bounds {
    R negligible, orthogonal;
};

/* x = the matrix by *divisor, so that squares do not overflow, and y = 1. Whether all
 * elements are finite. */
template <class T, class R>
__device__ inline bool
read_columns(const svd_matrix<T> &h, const matrix_place &place, bool conjugates,
             R *divisor, svd_bounds<R> *bounds)
{
    const small_group &g = h.g;
    const int m = h.m, n = h.n, ld = h.ld;
    T *const x = h.x;

    fetch(place, m, n, x, ld, g.lane, g.lanes);
    __syncwarp();
    R most = largest_part(x, m, n, ld);
    const bool finite = most < infinity<R>();
    if (!(most > R(0) && finite)) most = R(1);
    __syncwarp();
    for (int i = g.lane; i < m; i += g.lanes) {
        for (int j = 0; j < n && conjugates; j++) {
            x[i * ld + j] = conjugate(x[i * ld + j]);
        }
    }
    for (int i = g.lane; i < n; i += g.lanes) {
        for (int j = 0; j < n; j++) h.y[i * h.ldv + j] = T(i == j);
    }
    scale_down(x, m, n, ld, most, g);
    __syncwarp();
    R norm = R(0);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) norm += square(x[i * ld + j]);
    }
    const R epsilon = machine_epsilon<R>();
    *bounds = {norm * (epsilon / R(4)) * (epsilon / R(4)), epsilon * sqrt(R(m))};
    *divisor = most;
    return finite;
}

/* The rotations of a round, which are for pairs without a common column. Whether this thread
 * found one that turns. */
template <class T, class R>
__device__ inline bool
plan_round(const svd_matrix<T> &h, int round, const svd_bounds<R> &bounds)
{
    const int m = h.m, n = h.n, ld = h.ld, players = n + n % 2;
    const T *const x = h.x;
    bool turned = false;

    for (int t = h.g.lane; t < players / 2; t += h.g.lanes) {
        int p, q;
        tournament(players, round, t, &p, &q);
        h.turns[t] = {R(1), R(0), T(1), p, q};
        if (q >= n) continue;
        R low = R(0), high = R(0);
        T dot = T(0);
        for (int i = 0; i < m; i++) {
            const T xp = x[i * ld + p], xq = x[i * ld + q];
            low += square(xp);
            high += square(xq);
            dot += conjugate(xp) * xq;
        }
        const R size = modulus(dot);
        if (!(low > bounds.negligible && high > bounds.negligible)) continue;
        if (!(size > bounds.orthogonal * sqrt(low) * sqrt(high))) continue;
        h.turns[t] = rotation_for<T, R>(low, high, dot, size, p, q);
        turned = true;
    }
    return turned;
}

/* The columns of x, and of y, are turned by the rotations of a round. */
template <class T>
__device__ inline void
turn_columns(const svd_matrix<T> &h)
{
    typedef typename real_of<T>::type R;
    const int n = h.n, ld = h.ld, ldv = h.ldv, pairs = (n + n % 2) / 2;
    T *const x = h.x, *const y = h.y;

    for (int i = h.g.lane; i < h.m; i += h.g.lanes) {
        for (int t = 0; t < pairs; t++) {
            const rotation<T> turn = h.turns[t];
            const int p = turn.p, q = turn.q;
            if (turn.s == R(0)) continue;
            const T xp = x[i * ld + p], xq = turn.f * x[i * ld + q];
            x[i * ld + p] = T(turn.c) * xp - T(turn.s) * xq;
            x[i * ld + q] = T(turn.s) * xp + T(turn.c) * xq;
            if (!h.vectors || i >= n) continue;
            const T yp = y[i * ldv + p], yq = turn.f * y[i * ldv + q];
            y[i * ldv + p] = T(turn.c) * yp - T(turn.s) * yq;
            y[i * ldv + q] = T(turn.s) * yp + T(turn.c) * yq;
        }
    }
}

/* Sweeps over all pairs of columns; whether they were not enough. */
template <class T, class R>
__device__ inline bool
make_orthogonal(const svd_matrix<T> &h, bool going, const svd_bounds<R> &bounds)
{
    const int rounds = h.n + h.n % 2 - 1;
    bool turned = going;

    for (int sweep = 0; sweep < MOST_SWEEPS && __any_sync(~0u, turned); sweep++) {
        turned = false;
        for (int round = 0; round < rounds; round++) {
            turned |= plan_round(h, round, bounds);
            __syncwarp();
            turn_columns(h);
            __syncwarp();
        }
        turned = any_of_group(turned, h.g.lanes);
    }
    return turned;
}

/* values = the norms of the columns, NaN if it `fails`. */
template <class T>
__device__ inline void
measure_columns(const svd_matrix<T> &h, bool fails)
{
    typedef typename real_of<T>::type R;

    for (int j = h.g.lane; j < h.n; j += h.g.lanes) {
        R sum = R(0);
        for (int i = 0; i < h.m; i++) sum += square(h.x[i * h.ld + j]);
        h.values[j] = fails ? nan_of<R>() : sqrt(sum);
    }
    __syncwarp();
}

/* The columns of u behind those whose values are not negligible are completed. */
template <class T, class R>
__device__ inline void
complete(const svd_matrix<T> &h, bool fails, R negligible)
{
    int kept = 0; /* columns that are not negligible */

    for (int j = 0; j < h.n; j++) kept += h.values[j] * h.values[j] > negligible;
    for (int j = 0; j < h.columns && h.vectors; j++) {
        const bool wanted = j >= kept && !fails;
        if (__any_sync(~0u, wanted)) complete_column(h.u, h.m, h.ld, j, wanted, h.g);
    }
    __syncwarp();
}

/* Of a (stack, m, n), m >= n, conjugated if `conjugates`: s (stack, n) falling and, if
 * `vectors`, left (stack, m, columns) and right (stack, n, n), so that a = left s right^H;
 * `left_conjugates` and `right_conjugates` ask for their conjugates. One-sided Jacobi
 * (Golub and Van Loan, section 8.6; Drmac and Veselic, "New fast and accurate Jacobi SVD
 * algorithm", SIAM J. Matrix Anal. Appl. 29, 2008): columns are turned until all are
 * orthogonal; those below epsilon / 4 of the norm are left, and count as none where left
 * vectors are completed. NaN and `status` as of eigh_small.
 * Launch: as qr_small; MOST_ROWS rotations, (m + m) (columns | 1) + n (n | 1) elements and
 * MOST_ROWS real numbers. */
template <class T>
__global__ void
svd_small(View<T, 3> a, View<T, 3> left, View<T, 3> right, typename real_of<T>::type *s,
          long long status, svd_options o, int lanes, long long bytes)
{
    typedef typename real_of<T>::type R;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, lanes, bytes);
    const long long stack = a.shape()[0];
    const int m = (int)a.shape()[1], n = (int)a.shape()[2];
    const svd_matrix<T> h(g, m, n, o.vectors ? (int)left.shape()[2] : n, o.vectors);

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;
        svd_bounds<R> bounds;
        R most;

        const bool finite =
            read_columns(h, place_of(a, at), o.conjugates, &most, &bounds);
        const bool fails = make_orthogonal(h, finite, bounds) || !finite;
        measure_columns(h, fails);
        for (int j = g.lane; j < n; j += g.lanes) {
            const int to = fails ? j : rank_of(h.values, n, j, true);
            if (given < stack) s[at * n + to] = h.values[j] * most;
            for (int i = 0; i < m && o.vectors; i++) {
                h.u[i * h.ld + to] =
                    fails ? not_a_number<T>() : h.x[i * h.ld + j] / T(h.values[j]);
            }
            for (int i = 0; i < n && o.vectors && given < stack; i++) {
                const long long index[] = {at, i, to};
                const T value = fails ? not_a_number<T>() : h.y[i * h.ldv + j];
                right[index] = o.right_conjugates ? conjugate(value) : value;
            }
        }
        __syncwarp();
        complete(h, fails, bounds.negligible);
        if (given < stack && o.vectors) {
            each_element(m, h.columns, false, g.lane, g.lanes, [&](int i, int j) {
                const long long index[] = {at, i, j};
                const T value = fails ? not_a_number<T>() : h.u[i * h.ld + j];
                left[index] = o.left_conjugates ? conjugate(value) : value;
            });
        }
        if (fails && g.lane == 0 && given < stack) *(int *)status = 1;
        __syncwarp(); /* before the memory is others' */
    }
}
