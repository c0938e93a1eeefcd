/* QR factors and singular values of stacks of matrices of up to 32 rows and
 * columns. A matrix lies in shared memory, and a group of `lanes` neighbouring threads of a
 * warp, a power of two, takes its rows or columns in turns; on the host a group is one
 * thread. Nothing but the dtype is known to the compiler.
 */
#include "_small_groups.cuh"

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

/* q (stack, m, wide), r (stack, tall, n) with tall = wide: Householder's reflections, with
 * LAPACK's signs (Golub and Van Loan, "Matrix Computations", section 5.2).
 * Launch: blocks(ceil(stack * lanes / threads), threads) with `bytes` of shared memory for
 * each group: (m n + m wide + 32) elements, rows of odd length. */
template <class T>
__global__ void
qr_small(View<T, 3> a, T *q, T *r, int wide, int lanes, long long bytes)
{
    typedef typename real_of<T>::type R;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, lanes, bytes);
    const long long stack = a.shape()[0];
    const int m = (int)a.shape()[1], n = (int)a.shape()[2], k = m < n ? m : n;
    const int ld = n | 1, ldq = wide | 1;
    T *const x = (T *)g.memory, *const y = x + m * ld, *const tau = y + m * ldq;

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;

        fetch(place_of(a, at), m, n, x, ld, g.lane, g.lanes);
        GROUP_SYNC();
        R most = largest_part(x, m, n, ld);
        if (!(most > R(0) && most < infinity<R>())) most = R(1);
        GROUP_SYNC();
        scale_down(x, m, n, ld, most, g);
        GROUP_SYNC();
        for (int c = 0; c < k; c++) {
            R below = R(0);
            for (int i = c + 1; i < m; i++) below += square(x[i * ld + c]);
            const T alpha = x[c * ld + c];
            const reflection<T> turn = reflection_for(alpha, below, R(0));
            const T t = turn.factor;
            GROUP_SYNC();
            for (int i = c + 1 + g.lane; i < m; i += g.lanes) {
                x[i * ld + c] = x[i * ld + c] * turn.scale;
            }
            if (g.lane == 0) {
                tau[c] = t;
                x[c * ld + c] = T(turn.beta);
            }
            GROUP_SYNC();
            for (int j = c + 1 + g.lane; j < n; j += g.lanes) {
                T dot = x[c * ld + j];
                for (int i = c + 1; i < m; i++) {
                    dot += conjugate(x[i * ld + c]) * x[i * ld + j];
                }
                dot = dot * conjugate(t);
                x[c * ld + j] -= dot;
                for (int i = c + 1; i < m; i++) x[i * ld + j] -= dot * x[i * ld + c];
            }
            GROUP_SYNC();
        }
        for (int j = g.lane; j < wide;
             j += g.lanes) { /* columns of Q, each by itself */
            for (int i = 0; i < m; i++) y[i * ldq + j] = T(i == j);
            for (int c = k - 1; c >= 0; c--) {
                T dot = y[c * ldq + j];
                for (int i = c + 1; i < m; i++) {
                    dot += conjugate(x[i * ld + c]) * y[i * ldq + j];
                }
                dot = dot * tau[c];
                y[c * ldq + j] -= dot;
                for (int i = c + 1; i < m; i++) y[i * ldq + j] -= dot * x[i * ld + c];
            }
        }
        GROUP_SYNC();
        if (given < stack) {
            T *const to_q = q + at * m * wide, *const to_r = r + at * wide * n;
            each_element(m, wide, false, g.lane, g.lanes,
                         [&](int i, int j) { to_q[i * wide + j] = y[i * ldq + j]; });
            each_element(wide, n, false, g.lane, g.lanes, [&](int i, int j) {
                to_r[i * n + j] = i > j ? T(0) : x[i * ld + j] * T(most);
            });
        }
        GROUP_SYNC(); /* before the memory is others' */
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
    GROUP_SYNC();
    for (int i = begin; i < m; i += g.lanes) x[i * ld + j] = T(i == axis);
    GROUP_SYNC();
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < j; c++) {
            T dot = T(0);
            for (int i = 0; i < m; i++) dot += conjugate(x[i * ld + c]) * x[i * ld + j];
            GROUP_SYNC();
            for (int i = begin; i < m; i += g.lanes)
                x[i * ld + j] -= dot * x[i * ld + c];
            GROUP_SYNC();
        }
    }
    R norm = R(0);
    for (int i = 0; i < m; i++) norm += square(x[i * ld + j]);
    norm = sqrt(norm);
    GROUP_SYNC();
    for (int i = begin; i < m; i += g.lanes) x[i * ld + j] = x[i * ld + j] / T(norm);
    GROUP_SYNC();
}

/* Of a (stack, m, n), m >= n, conjugated if `conjugates`: s (stack, n) falling and, if
 * `vectors`, left (stack, m, columns) and right (stack, n, n), so that a = left s right^H;
 * `left_conjugates` and `right_conjugates` ask for their conjugates. One-sided Jacobi
 * (Golub and Van Loan, section 8.6; Drmac and Veselic, "New fast and accurate Jacobi SVD
 * algorithm", SIAM J. Matrix Anal. Appl. 29, 2008): columns are turned until all are
 * orthogonal; those below epsilon / 4 of the norm are left, and count as none where left
 * vectors are completed. NaN and `status` as of eigh_small.
 * Launch: as qr_small; 32 rotations, (m + m) (columns | 1) + n (n | 1) elements and 32 real
 * numbers. */
template <class T>
__global__ void
svd_small(View<T, 3> a, View<T, 3> left, View<T, 3> right, typename real_of<T>::type *s,
          long long status, bool vectors, bool conjugates, bool left_conjugates,
          bool right_conjugates, int lanes, long long bytes)
{
    typedef typename real_of<T>::type R;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, lanes, bytes);
    const long long stack = a.shape()[0];
    const int m = (int)a.shape()[1], n = (int)a.shape()[2], players = n + n % 2;
    const int columns = vectors ? (int)left.shape()[2] : n;
    const int ld = columns | 1, ldv = n | 1;
    rotation<T> *const turns = (rotation<T> *)g.memory;
    T *const x = (T *)(turns + 32), *const u = x + m * ld, *const y = u + m * ld;
    R *const values = (R *)(y + n * ldv);

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;

        fetch(place_of(a, at), m, n, x, ld, g.lane, g.lanes);
        GROUP_SYNC();
        R most = largest_part(x, m, n, ld);
        const bool finite = most < infinity<R>();
        if (!(most > R(0) && finite)) most = R(1);
        GROUP_SYNC();
        for (int i = g.lane; i < m; i += g.lanes) {
            for (int j = 0; j < n && conjugates; j++) {
                x[i * ld + j] = conjugate(x[i * ld + j]);
            }
        }
        for (int i = g.lane; i < n; i += g.lanes) {
            for (int j = 0; j < n; j++) y[i * ldv + j] = T(i == j);
        }
        scale_down(x, m, n, ld, most, g);
        GROUP_SYNC();
        R norm = R(0);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) norm += square(x[i * ld + j]);
        }
        const R epsilon = machine_epsilon<R>();
        const R negligible = norm * (epsilon / R(4)) * (epsilon / R(4)); /* squared */
        const R orthogonal = epsilon * sqrt(R(m));
        bool turned = finite;
        for (int sweep = 0; sweep < MOST_SWEEPS && ANY_OF_WARP(turned); sweep++) {
            turned = false;
            for (int round = 0; round < players - 1; round++) {
                for (int t = g.lane; t < players / 2; t += g.lanes) {
                    int p, q;
                    tournament(players, round, t, &p, &q);
                    turns[t] = {R(1), R(0), T(1), p, q};
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
                    if (!(low > negligible && high > negligible)) continue;
                    if (!(size > orthogonal * sqrt(low) * sqrt(high))) continue;
                    turns[t] = rotation_for<T, R>(low, high, dot, size, p, q);
                    turned = true;
                }
                GROUP_SYNC();
                for (int i = g.lane; i < m; i += g.lanes) {
                    for (int t = 0; t < players / 2; t++) {
                        const rotation<T> turn = turns[t];
                        const int p = turn.p, q = turn.q;
                        if (turn.s == R(0)) continue;
                        const T xp = x[i * ld + p], xq = turn.f * x[i * ld + q];
                        x[i * ld + p] = T(turn.c) * xp - T(turn.s) * xq;
                        x[i * ld + q] = T(turn.s) * xp + T(turn.c) * xq;
                        if (!vectors || i >= n) continue;
                        const T yp = y[i * ldv + p], yq = turn.f * y[i * ldv + q];
                        y[i * ldv + p] = T(turn.c) * yp - T(turn.s) * yq;
                        y[i * ldv + q] = T(turn.s) * yp + T(turn.c) * yq;
                    }
                }
                GROUP_SYNC();
            }
            turned = any_of_group(turned, g.lanes);
        }
        const bool fails = turned || !finite;
        for (int j = g.lane; j < n; j += g.lanes) {
            R sum = R(0);
            for (int i = 0; i < m; i++) sum += square(x[i * ld + j]);
            values[j] = fails ? nan_of<R>() : sqrt(sum);
        }
        GROUP_SYNC();
        int kept = 0; /* columns that are not negligible */
        for (int j = 0; j < n; j++) kept += values[j] * values[j] > negligible;
        for (int j = g.lane; j < n; j += g.lanes) {
            const int to = fails ? j : rank_of(values, n, j, true);
            if (given < stack) s[at * n + to] = values[j] * most;
            for (int i = 0; i < m && vectors; i++) {
                u[i * ld + to] =
                    fails ? not_a_number<T>() : x[i * ld + j] / T(values[j]);
            }
            for (int i = 0; i < n && vectors && given < stack; i++) {
                const long long index[] = {at, i, to};
                const T value = fails ? not_a_number<T>() : y[i * ldv + j];
                right[index] = right_conjugates ? conjugate(value) : value;
            }
        }
        GROUP_SYNC();
        for (int j = 0; j < columns && vectors; j++) {
            const bool wanted = j >= kept && !fails;
            if (ANY_OF_WARP(wanted)) complete_column(u, m, ld, j, wanted, g);
        }
        GROUP_SYNC();
        if (given < stack && vectors) {
            each_element(m, columns, false, g.lane, g.lanes, [&](int i, int j) {
                const long long index[] = {at, i, j};
                const T value = fails ? not_a_number<T>() : u[i * ld + j];
                left[index] = left_conjugates ? conjugate(value) : value;
            });
        }
        if (fails && g.lane == 0 && given < stack) *(int *)status = 1;
        GROUP_SYNC(); /* before the memory is others' */
    }
}
