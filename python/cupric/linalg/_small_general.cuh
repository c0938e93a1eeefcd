/* _small_general.cuh: eigenvalues and right eigenvectors of stacks of small square matrices,
 * on GPUs. A matrix lies in shared memory, and a group of `lanes` neighbouring threads of a
 * warp, a power of two, takes its rows or columns in turns.
 *
 * As LAPACK's geev: the matrix is balanced, made Hessenberg by reflections and triangular by
 * implicit QR steps with Francis's two shifts, or, of complex numbers, with Wilkinson's one
 * (Golub and Van Loan, "Matrix Computations", sections 7.4 and 7.5), so that complex
 * eigenvalues of real matrices are conjugates to the last bit; eigenvectors are those of the
 * triangle, by substitution, times the product of all reflections.
 *
 * The groups of a warp are at different places of that: what they do together, steps with a
 * barrier, all of them do until the last one is done.
 */
#include "_small_eigenvectors.cuh"

enum { MOST_STEPS = 30 }; /* for each eigenvalue, as LAPACK's */

/* H = I - factor v v^H of up to three rows from k on, where v is 1, a, b. */
template <class T>
struct turn {
    T factor, a, b;
    typename real_of<T>::type beta; /* what the first element becomes */
};

template <class T>
__device__ inline turn<T>
turn_for(T x, T y, T z)
{
    typedef typename real_of<T>::type R;
    const R size = pivot_size(x) + pivot_size(y) + pivot_size(z);

    if (!(size > R(0))) return {T(0), T(0), T(0), R(0)};
    const R by = R(1) / size;
    const bool fits = by < infinity<R>();
    if (fits) x = scaled(x, by), y = scaled(y, by), z = scaled(z, by);
    const reflection<T> r = reflection_for(x, square(y) + square(z), R(0));
    return {r.factor, y * r.scale, z * r.scale, fits ? r.beta * size : r.beta};
}

/* x = H^H x H for each reflection of column k, k rising, which leaves nothing below row k + 1
 * there; q = q H. */
template <class T>
__device__ inline void
make_hessenberg(const general<T> &h, bool vectors)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int n = h.n, ld = h.ld;

    EACH (k, 0, n - 2) {
        R most = R(0), below = R(0);
        EACH_OWN (h.g, i, k + 1, n) {
            const R size = largest_of(h.at(i, k));
            most = size > most ? size : most;
        }
        most = group_max(most, g.lanes);
        const R by = most > R(0) ? R(1) / most : R(0);
        const bool fits = by < infinity<R>();
        EACH_OWN (h.g, i, k + 2, fits ? n : 0) below += square(scaled(h.at(i, k), by));
        below = group_sum(below, g.lanes);
        reflection<T> r = {T(0), T(0), R(0)};
        if (fits && below > R(0))
            r = reflection_for(scaled(h.at(k + 1, k), by), below, R(0));
        if (!__any_sync(~0u, r.factor != T(0))) continue;
        const int turned = r.factor != T(0) ? n : 0;
        __syncwarp();
        EACH_OWN (h.g, i, k + 1, turned) {
            h.v[i] = i == k + 1 ? T(1) : scaled(h.at(i, k), by) * r.scale;
            h.at(i, k) = i == k + 1 ? T(r.beta * most) : T(0);
        }
        __syncwarp();
        EACH_OWN (h.g, j, k + 1, turned) {
            T dot = T(0);
            EACH (i, k + 1, n) dot += conjugate(h.v[i]) * h.at(i, j);
            dot = dot * conjugate(r.factor);
            EACH (i, k + 1, n) h.at(i, j) -= dot * h.v[i];
        }
        __syncwarp();
        EACH_OWN (h.g, i, 0, turned) {
            EACH (part, 0, 1 + vectors) {
                T *const row = (part ? h.q : h.x) + i * ld;
                T dot = T(0);
                EACH (j, k + 1, n) dot += row[j] * h.v[j];
                dot = dot * r.factor;
                EACH (j, k + 1, n) row[j] -= dot * conjugate(h.v[j]);
            }
        }
        __syncwarp();
    }
}

/* A row times H, of columns k on. */
template <class T>
__device__ inline void
turn_row(T *row, const turn<T> &r, bool three)
{
    T dot = row[0] + row[1] * r.a;
    if (three) dot += row[2] * r.b;
    dot = dot * r.factor;
    row[0] -= dot;
    row[1] -= dot * conjugate(r.a);
    if (three) row[2] -= dot * conjugate(r.b);
}

/* H^H times a column, of rows k on. */
template <class T>
__device__ inline void
turn_column(T *column, int ld, const turn<T> &r, bool three)
{
    T dot = column[0] + conjugate(r.a) * column[ld];
    if (three) dot += conjugate(r.b) * column[2 * ld];
    dot = dot * conjugate(r.factor);
    column[0] -= dot;
    column[ld] -= dot * r.a;
    if (three) column[2 * ld] -= dot * r.b;
}

/* What a group does next to rows low to high. */
template <class T>
struct step {
    int low, high;
    T first[3]; /* the column that the first reflection is for */
    bool works, splits;
};

/* Rows low and low + 1 of a real matrix, a block with real eigenvalues, are to become a
 * triangle; or the eigenvalues are complex. Of the block (a b; c d). */
template <class R>
__device__ inline void
plan_pair(const general<R> &h, step<R> *s, bool *is_complex)
{
    const int i = s->low;
    const R a = h.at(i, i), b = h.at(i, i + 1), c = h.at(i + 1, i),
            d = h.at(i + 1, i + 1);
    const R p = (a - d) * R(0.5), sum = modulus(p) + modulus(b) + modulus(c);
    const R square_root = (p / sum) * (p / sum) + (b / sum) * (c / sum);

    *is_complex = square_root < R(0);
    if (*is_complex) {
        const R size = sqrt(-square_root) * sum;
        if (h.g.lane == 0) {
            h.re[i] = h.re[i + 1] = d + p;
            h.im[i] = size;
            h.im[i + 1] = -size;
        }
        return;
    }
    const R root = sqrt(square_root) * sum;
    s->splits = true;
    s->first[0] = p + (p < R(0) ? -root : root);
    s->first[1] = c;
    s->first[2] = R(0);
}

/* The first column of the product of both shifts' differences, times a number. */
template <class R>
__device__ inline void
plan_shifts(const general<R> &h, step<R> *s, bool unusual)
{
    const int low = s->low, high = s->high;
    const R z = h.at(low, low), below = h.at(low + 1, low);
    R x = h.at(high, high), y = h.at(high - 1, high - 1);
    R left = h.at(high, high - 1), right = h.at(high - 1, high);

    if (unusual) {
        right = modulus(left) + modulus(h.at(high - 1, high - 2));
        left = R(-0.4375) * right;
        x = y = x + R(0.75) * right;
    }
    const R r = x - z, t = y - z, sum = modulus(t) + modulus(below);
    const R by = below / sum;
    s->first[0] = r * (t / sum) - (left / sum) * right + h.at(low, low + 1) * by;
    s->first[1] = (h.at(low + 1, low + 1) - z - r - t) * by;
    s->first[2] = h.at(low + 2, low + 1) * by;
}

template <class R>
__device__ inline complex<R>
root_of(complex<R> z)
{
    const R root = sqrt((modulus(z) + modulus(z.re)) * R(0.5));
    if (!(root > R(0))) return complex<R>(R(0));
    const R other = z.im / (R(2) * root);
    if (z.re >= R(0)) return complex<R>(root, other);
    return complex<R>(modulus(other), z.im < R(0) ? -root : root);
}

/* The same of one shift. */
template <class R>
__device__ inline void
plan_shifts(const general<complex<R>> &h, step<complex<R>> *s, bool unusual)
{
    typedef complex<R> C;
    const int low = s->low, high = s->high;
    const C a = h.at(high - 1, high - 1), d = h.at(high, high),
            c = h.at(high, high - 1);
    const C p = scaled(a - d, R(0.5)), bc = h.at(high - 1, high) * c;
    const C root = root_of(p * p + bc);
    const bool same = p.re * root.re + p.im * root.im >= R(0);
    const C by = same ? p + root : p - root;
    C shift = pivot_size(by) < machine_epsilon<R>() * pivot_size(c)
                  ? d
                  : d - quotient(bc, by);

    if (unusual) shift = d + C(R(0.75) * pivot_size(c));
    s->first[0] = h.at(low, low) - shift;
    s->first[1] = h.at(low + 1, low);
    s->first[2] = C(0);
}

/* A QR step, or a reflection that splits two rows. All groups of the warp call it. */
template <class T>
__device__ inline void
run_step(const general<T> &h, const step<T> &s, bool vectors)
{
    constexpr int SIZE = cupric::is_complex<T>::value ? 2 : 3;
    const small_group &g = h.g;
    const int n = h.n, ld = h.ld, low = s.low, high = s.high;
    const int last = vectors ? n : high + 1, begin = vectors ? 0 : low;

    for (int k = low; __any_sync(~0u, s.works && k < high); k++) {
        const bool works = s.works && k < high, starts = k == low;
        const bool three = SIZE == 3 && k + 2 <= high;
        turn<T> r = {T(0), T(0), T(0), 0};
        if (works) {
            r = starts ? turn_for(s.first[0], s.first[1], three ? s.first[2] : T(0))
                       : turn_for(h.at(k, k - 1), h.at(k + 1, k - 1),
                                  three ? h.at(k + 2, k - 1) : T(0));
            EACH_OWN (h.g, j, k, last) turn_column(&h.at(k, j), ld, r, three);
        }
        __syncwarp();
        if (works) {
            const int end = k + SIZE < high ? k + SIZE : high;
            EACH_OWN (h.g, i, begin, end + 1) turn_row(&h.at(i, k), r, three);
            EACH_OWN (h.g, i, 0, vectors ? n : 0) turn_row(h.q + i * ld + k, r, three);
            if (g.lane == 0 && !starts) {
                h.at(k, k - 1) = T(r.beta);
                h.at(k + 1, k - 1) = T(0);
                if (three) h.at(k + 2, k - 1) = T(0);
            }
        }
        __syncwarp();
    }
    if (s.works && s.splits && g.lane == 0) h.at(high, low) = T(0);
    __syncwarp();
}

/* Elements below the diagonal that are negligible become 0: bit i is set where the one of row
 * i + 1 is. All groups of the warp call it. */
template <class T>
__device__ inline unsigned int
cut_blocks(const general<T> &h)
{
    typedef typename real_of<T>::type R;
    unsigned int cuts = 0;

    EACH_OWN (h.g, i, 0, h.n - 1) {
        T &below = h.at(i + 1, i);
        const R size = pivot_size(below);
        const R beside = pivot_size(h.at(i, i)) + pivot_size(h.at(i + 1, i + 1));
        const R least = machine_epsilon<R>() * (beside > R(0) ? beside : R(1));
        const bool none = size <= least || size < tiny<R>();
        if (none) below = T(0);
        cuts |= (unsigned int)none << i;
    }
    cuts = group_or(cuts, h.g.lanes);
    __syncwarp();
    return cuts;
}

/* re, im = the eigenvalues, if `going`; whether they were not found. */
template <class T>
__device__ inline bool
iterate(const general<T> &h, bool going, bool vectors)
{
    constexpr bool IS_REAL = !cupric::is_complex<T>::value;
    const int n = h.n, most = MOST_STEPS * (n > 10 ? n : 10);
    int high = going ? n - 1 : -1, steps = 0;

    EACH (round, 0, most + 1) {
        const unsigned int cuts = cut_blocks(h);
        step<T> s = {0, 0, {T(0), T(0), T(0)}, false, false};
        while (high >= 0 && !s.works) {
            const unsigned int before = high ? cuts & (~0u >> (32 - high)) : 0;
            s.low = before ? 32 - __clz((int)before) : 0;
            s.high = high;
            bool found = s.low == high;
            if (found) {
                if (h.g.lane == 0) {
                    h.re[high] = real_part(h.at(high, high));
                    h.im[high] = imaginary_part(h.at(high, high));
                }
            } else if constexpr (IS_REAL) {
                if (s.low == high - 1) plan_pair(h, &s, &found);
            }
            s.works = !found;
            if (found) high = s.low - 1;
            if (found) steps = 0;
        }
        if (!__any_sync(~0u, s.works)) return false;
        if (s.works && !s.splits) plan_shifts(h, &s, ++steps % 10 == 0);
        run_step(h, s, vectors);
    }
    return high >= 0;
}

/* ---- the kernel -------------------------------------------------------------------- */

/* w (stack, n) and, if VECTORS, v (stack, n, n). NaN where an element is not finite, of which
 * the int at `status` tells, as where the steps are not enough.
 * Launch: blocks(ceil(stack * lanes / threads), threads) with `bytes` of shared memory for
 * each group: n (n | 1) elements, thrice with vectors, n more, 3 n real numbers and n ints. */
template <class T, int VECTORS>
__global__ void
eig_small(View<T, 3> a, complex<typename real_of<T>::type> *w,
          complex<typename real_of<T>::type> *v, long long status, int lanes,
          long long bytes)
{
    typedef typename real_of<T>::type R;
    typedef complex<R> C;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, lanes, bytes);
    const long long stack = a.shape()[0];
    const int n = (int)a.shape()[1];
    const general<T> h(g, n, VECTORS);

    CUPRIC_EACH_BLOCK (piece, (stack + g.in_block - 1) / g.in_block) {
        const long long given = piece * g.in_block + g.number;
        const long long at = given < stack ? given : stack - 1;
        int exponent;

        const bool finite = read_general(h, place_of(a, at), VECTORS, &exponent);
        balance(h);
        make_hessenberg(h, VECTORS);
        const bool fails = iterate(h, finite, VECTORS) || !finite;
        __syncwarp();
        EACH_OWN (h.g, k, 0, given < stack ? n : 0) {
            w[at * n + k] =
                fails ? not_a_number<C>()
                      : C(scalbn(h.re[k], exponent), scalbn(h.im[k], exponent));
            if (!VECTORS) continue;
            C *const out = v + at * n * n;
            if (fails) {
                EACH (i, 0, n) out[i * n + k] = not_a_number<C>();
            } else if (cupric::is_complex<T>::value || h.im[k] == R(0)) {
                find_vector<T, T>(h, k, out);
            } else if (h.im[k] > R(0)) {
                find_vector<T, C>(h, k, out);
            }
        }
        if (fails && g.lane == 0 && given < stack) *(int *)status = 1;
        __syncwarp(); /* before the memory is others' */
    }
}
