/* Eigenvalues and right eigenvectors of stacks of small square matrices. A matrix lies in
 * shared memory, and a group of `lanes` neighbouring threads of a warp, a power of two, takes
 * its rows or columns in turns.
 *
 * As LAPACK's geev: the matrix is balanced (Parlett and Reinsch, "Balancing a matrix for
 * calculation of eigenvalues and eigenvectors", 1969), made Hessenberg by reflections and
 * triangular by implicit QR steps with Francis's two shifts, or, of complex numbers, with
 * Wilkinson's one (Golub and Van Loan, "Matrix Computations", sections 7.4 and 7.5), so that
 * complex eigenvalues of real matrices are conjugates to the last bit; eigenvectors are those
 * of the triangle, by substitution, times the product of all reflections.
 *
 * The groups of a warp are at different places of that: what they do together, steps with a
 * barrier, all of them do until the last one is done.
 */
#include "_small_groups.cuh"

enum { MOST_STEPS = 30 }; /* for each eigenvalue, as LAPACK's */

template <class T>
struct general {
    typedef typename real_of<T>::type R;
    T *x, *q, *y; /* (n, ld): the matrix, the product of reflections, eigenvectors */
    T *v;         /* n: a reflection */
    R *by;        /* n: what balancing multiplied rows by */
    R *re, *im;   /* n: the eigenvalues */
    int *place;   /* n: where rows were before balancing */
    int n, ld;
    small_group g;

    __device__ general(const small_group &group, int rows, bool vectors)
        : x((T *)group.memory), n(rows), ld(rows | 1), g(group)
    {
        q = x + (vectors ? n * ld : 0);
        y = q + (vectors ? n * ld : 0);
        v = y + n * ld;
        by = (R *)(v + n);
        re = by + n;
        im = re + n;
        place = (int *)(im + n);
    }
    __device__ T &at(int i, int j) const { return x[i * ld + j]; }
};

/* The largest element is about 1: numbers below this count as zero beside the diagonal, and
 * none smaller is divided by. */
template <class R>
__device__ inline R
tiny()
{
    return sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-900);
}

/* a / b, where the square of b may be too small. */
template <class R>
__device__ inline R
quotient(R a, R b)
{
    return a / b;
}
template <class R>
__device__ inline complex<R>
quotient(complex<R> a, complex<R> b)
{
    const R size = pivot_size(b);
    return scaled(a, R(1) / size) / scaled(b, R(1) / size);
}

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

/* ---- balancing --------------------------------------------------------------------- */

/* x = the matrix times the power of two that makes its largest element about 1: *exponent of
 * its inverse. False, and zeros, where an element is not finite. */
template <class T>
__device__ inline bool
read_general(const general<T> &h, const matrix_place &from, bool vectors, int *exponent)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int n = h.n;
    R most = R(0);

    fetch(from, n, n, h.x, h.ld, g.lane, g.lanes);
    GROUP_SYNC();
    for (int i = g.lane; i < n; i += g.lanes) {
        for (int j = 0; j < n; j++) {
            const R size = largest_of(h.at(i, j));
            most = size > most ? size : most;
            if (vectors) h.q[i * h.ld + j] = T(i == j);
        }
        h.by[i] = R(1);
        h.place[i] = i;
    }
    most = group_max(most, g.lanes);
    const bool finite = most < infinity<R>();
    *exponent = exponent_of(most);
    const R by = scalbn(R(1), -*exponent);
    for (int i = g.lane; i < n; i += g.lanes)
        for (int j = 0; j < n; j++) h.at(i, j) = finite ? scaled(h.at(i, j), by) : T(0);
    GROUP_SYNC();
    return finite;
}

/* Rows and columns a and b change places, if `swaps`. */
template <class T>
__device__ inline void
exchange_rows(const general<T> &h, int a, int b, bool swaps)
{
    const small_group &g = h.g;

    for (int j = g.lane; swaps && j < h.n; j += g.lanes)
        exchange(h.at(a, j), h.at(b, j));
    GROUP_SYNC();
    for (int i = g.lane; swaps && i < h.n; i += g.lanes)
        exchange(h.at(i, a), h.at(i, b));
    if (swaps && g.lane == 0) exchange(h.place[a], h.place[b]);
    GROUP_SYNC();
}

/* One more than a row of low to high without elements beside its diagonal there, or a column;
 * 0 where there is none. All groups of the warp call it. */
template <class T>
__device__ inline int
isolated(const general<T> &h, int low, int high, bool column)
{
    int found = 0;

    for (int i = h.g.own(low); i <= high; i += h.g.lanes) {
        bool alone = true;
        for (int j = low; j <= high; j++)
            alone &= i == j || (column ? h.at(j, i) : h.at(i, j)) == T(0);
        found = alone ? i + 1 : found;
    }
    return group_max(found, h.g.lanes);
}

/* The factor, a power of two, that brings the sum of a column's elements beside the diagonal
 * near that of the row's; 1 where that would change little. */
template <class R>
__device__ inline R
balance_of(R column, R row)
{
    R f = R(1), c = column;

    if (!(column > R(0)) || !(row > R(0))) return R(1);
    for (; c < row * R(0.5); c *= R(4)) f *= R(2);
    for (; c >= row * R(2); c *= R(0.25)) f *= R(0.5);
    return (c + row) / f < R(0.95) * (column + row) ? f : R(1);
}

/* Eigenvalues that stand alone in their row or column go to the ends, where they stay to the
 * last bit; rows and columns of the rest get sums of one size. */
template <class T>
__device__ inline void
balance(const general<T> &h)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    int low = 0, high = h.n - 1;

    for (int column = 0; column < 2; column++) {
        for (;;) {
            const int alone = isolated(h, low, high, column);
            const int found = low < high ? alone : 0;
            if (!ANY_OF_WARP(found != 0)) break;
            const int to = column ? low : high;
            exchange_rows(h, found - 1, to, found != 0 && found - 1 != to);
            if (found && column) low++;
            if (found && !column) high--;
        }
    }
    for (int round = 0; round < 10; round++) {
        bool uneven = false;
        for (int i = h.g.own(low); i <= high; i += g.lanes) {
            R column = R(0), row = R(0);
            for (int j = low; j <= high; j++) {
                column += i == j ? R(0) : pivot_size(h.at(j, i));
                row += i == j ? R(0) : pivot_size(h.at(i, j));
            }
            uneven |= balance_of(column, row) != R(1);
        }
        if (!ANY_OF_WARP(uneven)) break;
        for (int i = 0; i < h.n; i++) {
            R column = R(0), row = R(0);
            for (int j = h.g.own(low); j <= high; j += g.lanes) {
                column += i == j ? R(0) : pivot_size(h.at(j, i));
                row += i == j ? R(0) : pivot_size(h.at(i, j));
            }
            column = group_sum(column, g.lanes);
            row = group_sum(row, g.lanes);
            const R f = i < low || i > high ? R(1) : balance_of(column, row);
            GROUP_SYNC();
            if (f != R(1)) {
                for (int j = g.lane; j < h.n; j += g.lanes) {
                    if (j != i) h.at(i, j) = scaled(h.at(i, j), R(1) / f);
                    if (j != i) h.at(j, i) = scaled(h.at(j, i), f);
                }
                if (g.lane == 0) h.by[i] *= f;
            }
            GROUP_SYNC();
        }
    }
}

/* ---- to a triangle ----------------------------------------------------------------- */

/* x = H^H x H for each reflection of column k, k rising, which leaves nothing below row k + 1
 * there; q = q H. */
template <class T>
__device__ inline void
make_hessenberg(const general<T> &h, bool vectors)
{
    typedef typename real_of<T>::type R;
    const small_group &g = h.g;
    const int n = h.n, ld = h.ld;

    for (int k = 0; k < n - 2; k++) {
        R most = R(0), below = R(0);
        for (int i = h.g.own(k + 1); i < n; i += g.lanes) {
            const R size = largest_of(h.at(i, k));
            most = size > most ? size : most;
        }
        most = group_max(most, g.lanes);
        const R by = most > R(0) ? R(1) / most : R(0);
        const bool fits = by < infinity<R>();
        for (int i = h.g.own(k + 2); i < n && fits; i += g.lanes)
            below += square(scaled(h.at(i, k), by));
        below = group_sum(below, g.lanes);
        reflection<T> r = {T(0), T(0), R(0)};
        if (fits && below > R(0))
            r = reflection_for(scaled(h.at(k + 1, k), by), below, R(0));
        if (!ANY_OF_WARP(r.factor != T(0))) continue;
        GROUP_SYNC();
        for (int i = h.g.own(k + 1); i < n && r.factor != T(0); i += g.lanes) {
            h.v[i] = i == k + 1 ? T(1) : scaled(h.at(i, k), by) * r.scale;
            h.at(i, k) = i == k + 1 ? T(r.beta * most) : T(0);
        }
        GROUP_SYNC();
        for (int j = h.g.own(k + 1); j < n && r.factor != T(0); j += g.lanes) {
            T dot = T(0);
            for (int i = k + 1; i < n; i++) dot += conjugate(h.v[i]) * h.at(i, j);
            dot = dot * conjugate(r.factor);
            for (int i = k + 1; i < n; i++) h.at(i, j) -= dot * h.v[i];
        }
        GROUP_SYNC();
        for (int i = g.lane; i < n && r.factor != T(0); i += g.lanes) {
            for (int part = 0; part <= (int)vectors; part++) {
                T *const row = (part ? h.q : h.x) + i * ld;
                T dot = T(0);
                for (int j = k + 1; j < n; j++) dot += row[j] * h.v[j];
                dot = dot * r.factor;
                for (int j = k + 1; j < n; j++) row[j] -= dot * conjugate(h.v[j]);
            }
        }
        GROUP_SYNC();
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

    for (int k = low; ANY_OF_WARP(s.works && k < high); k++) {
        const bool works = s.works && k < high, starts = k == low;
        const bool three = SIZE == 3 && k + 2 <= high;
        turn<T> r = {T(0), T(0), T(0), 0};
        if (works) {
            r = starts ? turn_for(s.first[0], s.first[1], three ? s.first[2] : T(0))
                       : turn_for(h.at(k, k - 1), h.at(k + 1, k - 1),
                                  three ? h.at(k + 2, k - 1) : T(0));
            for (int j = h.g.own(k); j < last; j += g.lanes)
                turn_column(&h.at(k, j), ld, r, three);
        }
        GROUP_SYNC();
        if (works) {
            const int end = k + SIZE < high ? k + SIZE : high;
            for (int i = h.g.own(begin); i <= end; i += g.lanes)
                turn_row(&h.at(i, k), r, three);
            for (int i = g.lane; i < n && vectors; i += g.lanes)
                turn_row(h.q + i * ld + k, r, three);
            if (g.lane == 0 && !starts) {
                h.at(k, k - 1) = T(r.beta);
                h.at(k + 1, k - 1) = T(0);
                if (three) h.at(k + 2, k - 1) = T(0);
            }
        }
        GROUP_SYNC();
    }
    if (s.works && s.splits && g.lane == 0) h.at(high, low) = T(0);
    GROUP_SYNC();
}

/* Elements below the diagonal that are negligible become 0: bit i is set where the one of row
 * i + 1 is. All groups of the warp call it. */
template <class T>
__device__ inline unsigned int
cut_blocks(const general<T> &h)
{
    typedef typename real_of<T>::type R;
    unsigned int cuts = 0;

    for (int i = h.g.lane; i < h.n - 1; i += h.g.lanes) {
        T &below = h.at(i + 1, i);
        const R size = pivot_size(below);
        const R beside = pivot_size(h.at(i, i)) + pivot_size(h.at(i + 1, i + 1));
        const R least = machine_epsilon<R>() * (beside > R(0) ? beside : R(1));
        const bool none = size <= least || size < tiny<R>();
        if (none) below = T(0);
        cuts |= (unsigned int)none << i;
    }
    cuts = group_or(cuts, h.g.lanes);
    GROUP_SYNC();
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

    for (int round = 0; round <= most; round++) {
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
        if (!ANY_OF_WARP(s.works)) return false;
        if (s.works && !s.splits) plan_shifts(h, &s, ++steps % 10 == 0);
        run_step(h, s, vectors);
    }
    return high >= 0;
}

/* ---- eigenvectors ------------------------------------------------------------------ */

template <class R>
__device__ inline R
as_value(R, R re, R)
{
    return re;
}
template <class R>
__device__ inline complex<R>
as_value(complex<R>, R re, R im)
{
    return complex<R>(re, im);
}

/* The eigenvectors of the triangle, and of the whole: column k of y, whose elements are of
 * type L; complex ones of a real matrix lie in columns k and k + 1, real and imaginary
 * parts. */
template <class T, class L>
struct eigenvector {
    typedef typename real_of<T>::type R;
    const general<T> &h;
    L value; /* the eigenvalue */
    int k, top;

    static constexpr bool in_parts =
        cupric::is_complex<L>::value && !cupric::is_complex<T>::value;

    __device__ eigenvector(const general<T> &of, int column)
        : h(of), value(as_value(L(), of.re[column], of.im[column])), k(column),
          top(column + in_parts)
    {
    }

    __device__ L get(int i) const
    {
        const T *const at = h.y + i * h.ld + k;
        if constexpr (in_parts)
            return L(at[0], at[1]);
        else
            return at[0];
    }
    __device__ void put(int i, L value) const
    {
        T *const at = h.y + i * h.ld + k;
        if constexpr (in_parts) {
            at[0] = value.re;
            at[1] = value.im;
        } else {
            at[0] = value;
        }
    }
    /* What row i lacks, of the elements behind `from`. */
    __device__ L rest(int i, int from) const
    {
        L sum = L(0);
        for (int j = from + 1; j <= top; j++) sum -= L(h.at(i, j)) * get(j);
        return sum;
    }
    /* A divisor that is not too near 0: as large as the rounding of the eigenvalue. */
    __device__ L usable(L divisor) const
    {
        const R rounding = machine_epsilon<R>() * pivot_size(value);
        const R least = rounding > tiny<R>() ? rounding : tiny<R>();
        return pivot_size(divisor) < least ? L(least) : divisor;
    }
    /* y and *a, *b times a number, so that *a / divisor stays within bounds. */
    __device__ void bound(L divisor, int from, L *a, L *b) const
    {
        const R most = pivot_size(divisor) * (sizeof(R) == 4 ? R(0x1p40) : R(0x1p400));
        const R size = pivot_size(*a);
        if (!(size > most)) return;
        const R by = most / size;
        for (int j = from; j <= top; j++) put(j, scaled(get(j), by));
        *a = scaled(*a, by);
        *b = scaled(*b, by);
    }

    __device__ void substitute() const
    {
        if constexpr (in_parts) {
            put(k, L(h.at(k, k + 1)));
            put(k + 1, value - L(h.at(k, k)));
        } else {
            put(k, L(1));
        }
        for (int i = k - 1; i >= 0; i--) {
            L here = rest(i, i), above = L(0);
            const L diagonal = L(h.at(i, i)) - value;
            if (cupric::is_complex<T>::value || i == 0 || h.at(i, i - 1) == T(0)) {
                const L divisor = usable(diagonal);
                bound(divisor, i + 1, &here, &above);
                put(i, quotient(here, divisor));
                continue;
            }
            /* two rows at once: (p b; c d), by elimination with the larger of p and c */
            above = rest(i - 1, i);
            const L c = L(h.at(i, i - 1)), b = L(h.at(i - 1, i)),
                    p = L(h.at(i - 1, i - 1)) - value;
            const bool swaps = pivot_size(c) > pivot_size(p);
            const L pivot = usable(swaps ? c : p), beside = swaps ? diagonal : b;
            const L factor = quotient(swaps ? p : c, pivot);
            L upper = swaps ? here : above;
            L lower = (swaps ? above : here) - factor * upper;
            const L corner = usable((swaps ? b : diagonal) - factor * beside);
            bound(corner, i + 1, &lower, &upper);
            put(i, quotient(lower, corner));
            L first = upper - beside * get(i), none = L(0);
            bound(pivot, i, &first, &none);
            put(i - 1, quotient(first, pivot));
            i--;
        }
    }

    /* out[:, k] = the vector of the matrix that was given, of norm 1; of complex ones the
     * element that is largest is real. */
    __device__ void finish(complex<R> *out) const
    {
        R most = R(0), sum = R(0);
        L largest = L(1);
        const int n = h.n;

        for (int j = 0; j <= top; j++) {
            const R size = largest_of(get(j));
            most = size > most ? size : most;
        }
        const R by = R(1) / most;
        for (int j = 0; j <= top; j++) put(j, scaled(get(j), by));
        most = R(0);
        for (int i = 0; i < n; i++) {
            L row = L(0);
            for (int j = 0; j <= top; j++) row += L(h.q[i * h.ld + j]) * get(j);
            row = scaled(row, h.by[i]);
            const R size = modulus(row);
            if (size > most) largest = row;
            most = size > most ? size : most;
            out[h.place[i] * n + k] = complex<R>(row);
        }
        for (int i = 0; i < n; i++)
            sum += square(scaled(complex<R>(out[i * n + k]), R(1) / most));
        const R norm = R(1) / sqrt(sum);
        const complex<R> turned =
            cupric::is_complex<L>::value
                ? conjugate(scaled(complex<R>(largest), R(1) / most))
                : complex<R>(R(1));
        for (int i = 0; i < n; i++) {
            const complex<R> made =
                scaled(scaled(complex<R>(out[i * n + k]), R(1) / most) * turned, norm);
            out[i * n + k] = made;
            if (in_parts) out[i * n + k + 1] = conjugate(made);
        }
    }
};

template <class T, class L>
__device__ inline void
find_vector(const general<T> &h, int k, complex<typename real_of<T>::type> *out)
{
    const eigenvector<T, L> made(h, k);

    made.substitute();
    made.finish(out);
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
        GROUP_SYNC();
        for (int k = g.lane; k < n && given < stack; k += g.lanes) {
            w[at * n + k] =
                fails ? not_a_number<C>()
                      : C(scalbn(h.re[k], exponent), scalbn(h.im[k], exponent));
            if (!VECTORS) continue;
            C *const out = v + at * n * n;
            if (fails) {
                for (int i = 0; i < n; i++) out[i * n + k] = not_a_number<C>();
            } else if (cupric::is_complex<T>::value || h.im[k] == R(0)) {
                find_vector<T, T>(h, k, out);
            } else if (h.im[k] > R(0)) {
                find_vector<T, C>(h, k, out);
            }
        }
        if (fails && g.lane == 0 && given < stack) *(int *)status = 1;
        GROUP_SYNC(); /* before the memory is others' */
    }
}
