/* _points.cuh: B-splines: values of images between their samples.
 *
 * W is what is computed in, float or double; complex numbers are two of them, along a last
 * axis. Each output is sum w x over (order + 1)^N taps; order <= ORDER, ORDER = 1, 3 or 5.
 */
#include "_points.h"
#include "_spline_taps.cuh"

/* ---- any point -------------------------------------------------------------------------- */

template <class X, class W, int N, int ORDER, int D>
struct taps_from {
    template <class I>
    __device__ static W sum(const X *x, I from, const I (&at)[N][ORDER + 1],
                            const W (&w)[N][ORDER + 1], int order)
    {
        W s = W(0);
#pragma unroll
        for (int j = 0; j <= ORDER; j++) {
            if (j > order) break;
            const W v =
                taps_from<X, W, N, ORDER, D + 1>::sum(x, from + at[D][j], at, w, order);
            s = add_product(s, w[D][j], v);
        }
        return s;
    }
};
template <class X, class W, int N, int ORDER>
struct taps_from<X, W, N, ORDER, N> {
    template <class I>
    __device__ static W sum(const X *x, I from, const I (&)[N][ORDER + 1],
                            const W (&)[N][ORDER + 1], int)
    {
        return W(x[from]);
    }
};

/* An image: where it lies in memory, and what lies around it. I holds its indices. */
template <class W, int N, class I>
struct image {
    I n[N], stride[N]; /* of elements */
    int order, mode, around;
    W even, odd; /* the constant, of a complex number's parts */
};

/* The lengths of a result, its points, and the elements of an image. */
template <int N>
struct point_sizes {
    long long m[N], points, size;
};

/* `lengths`: n, where N > 3. */
template <class W, int N, class I>
__device__ inline point_sizes<N>
read_image(const point_image &p, const long long *lengths, image<W, N, I> &g)
{
    point_sizes<N> s;

    g.order = p.order, g.mode = p.mode, g.around = p.around;
    g.even = W(p.fill[0]), g.odd = W(p.fill[1]);
    s.size = p.inner, s.points = 1;
#pragma unroll
    for (int d = N - 1; d >= 0; d--) {
        g.n[d] = (I)(N > 3 ? lengths[d] : p.n[d < 3 ? d : 0]);
        s.m[d] = N > 3 ? (d == N - 1 ? p.m[0] : 1) : p.m[d < 3 ? d : 0];
        g.stride[d] = (I)s.size;
        s.size *= g.n[d];
        s.points *= s.m[d];
    }
    return s;
}

/* `each` values `apart` from each other, of one point: at coordinates c. */
template <class X, class W, class Y, int N, int ORDER, class I>
__device__ inline void
point_values(const X *from, Y *to, const double (&c)[N], const image<W, N, I> &g,
             int each, int apart, int parity)
{
    W w[N][ORDER + 1], kept = W(1);
    I at[N][ORDER + 1];
    bool partly = false, outside = false;
    if (g.mode == CONSTANT) { /* almost all of those that are not plain */
#pragma unroll
        for (int d = 0; d < N; d++)
            outside = outside || !(c[d] >= 0 && c[d] <= (double)(g.n[d] - 1));
    }
    if (!outside) {
#pragma unroll
        for (int d = 0; d < N; d++) {
            const W lost = axis_taps<W, ORDER, I>(c[d], g.n[d], g.mode, g.around,
                                                  g.order, w[d], at[d]);
            if (lost != 0) {
                partly = true;
                outside = outside || lost == 1;
                kept *= 1 - lost;
            }
#pragma unroll
            for (int j = 0; j <= ORDER; j++) at[d][j] *= g.stride[d];
        }
    }
    for (int j = 0; j < each; j++) {
        const int channel = j * apart;
        const W constant = (parity + channel) & 1 ? g.odd : g.even;
        W sum = constant;
        if (!outside) {
            sum =
                taps_from<X, W, N, ORDER, 0>::sum(from + channel, I(0), at, w, g.order);
            if (partly) sum = add_product(sum, constant, W(1 - kept));
        }
        to[channel] = rounded<Y>::of(sum);
    }
}

/* ---- points all of whose taps lie inside ------------------------------------------------
 *
 * Almost all are such: for those nothing asks for the mode, indices are of 32 bits, and
 * doubles are not converted from and to integers, which is slow.
 *
 * A line is a row of points or, where inner > 1, the channels of a point; a thread makes EACH
 * elements of one, WARP apart, or one of order > 1 that lies along a row.
 */

/* An axis: `half` is 1/2 for even orders and 0 for others; taps begin `before` elements before
 * the knot, which lies from `least` to `least + room`. */
struct plain_axis {
    int before, least, room, pad;
    double half;
};

/* Whether there is such a point. */
template <class W, int N, class I>
__device__ inline bool
read_axes(const image<W, N, I> &g, int pad, plain_axis (&axes)[N])
{
    bool plain = true;
#pragma unroll
    for (int d = 0; d < N; d++) {
        axes[d].before = g.order / 2;
        axes[d].least = g.order == 0 ? 1 : g.order / 2;
        axes[d].room = (int)g.n[d] - 1 - (g.order == 0 ? 2 : g.order);
        axes[d].pad = pad;
        axes[d].half = g.order & 1 ? 0 : 0.5;
        plain = plain && axes[d].room >= 0;
    }
    return plain;
}

/* Where taps begin, and the distance to the knot; whether all taps are inside, or the
 * coordinate is the one behind them. */
template <class W>
struct plain_place {
    int start;
    W x;
    bool inside, is_last;
};

template <class W>
__device__ inline plain_place<W>
place_of(double c, const plain_axis &a)
{
    /* The sum, rounded down, has the integer in its low bits, if the high ones are these. */
    const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
    const double sum = __dadd_rd(c + a.half, shift), x = c - (sum - shift);
    const int knot = __double2loint(sum), number = knot - a.least;
    const bool is_int = __double2hiint(sum) == 0x43380000;
    return {knot - a.before, (W)x, is_int && (unsigned)number <= (unsigned)a.room,
            is_int && x == 0 && number == a.room + 1};
}

template <class W>
__device__ inline plain_place<W>
place_of(float c, const plain_axis &a)
{
    const int below = __float2int_rd(__fadd_rd(c, (float)a.half));
    const float x =
        c - (float)below; /* exact; NaN where c is, for which `below` is 0 */
    const int knot = below + a.pad, number = knot - a.least;
    return {knot - a.before, (W)x, x < 1 && (unsigned)number <= (unsigned)a.room,
            x == 0 && number == a.room + 1};
}

template <class W, int N, int T>
__device__ inline void
all_weights(const W (&x)[N], W (&w)[N][T])
{
#pragma unroll
    for (int d = 0; d < N; d++) {
        W one[6];
        spline_weights<W, (T <= 2 ? 1 : T <= 4 ? 3 : 5)>(x[d], T - 1, one);
#pragma unroll
        for (int j = 0; j < T; j++) w[d][j] = one[j];
    }
}

/* A sum over T taps along each axis, whose elements lie stride[] apart; if UNIT, along the
 * last one side by side. */
template <class X, class W, int N, int T, bool UNIT, int D>
struct plain_taps {
    __device__ static W sum(const X *x, const W (&w)[N][T], const int (&stride)[N])
    {
        W s = W(0);
#pragma unroll
        for (int j = 0; j < T; j++) {
            const X *from = UNIT && D == N - 1 ? x + j : x + (long long)j * stride[D];
            const W v = plain_taps<X, W, N, T, UNIT, D + 1>::sum(from, w, stride);
            s = T == 1 ? v : j == 0 ? w[D][j] * v : add_product(s, w[D][j], v);
        }
        return s;
    }
};
template <class X, class W, int N, int T, bool UNIT>
struct plain_taps<X, W, N, T, UNIT, N> {
    __device__ static W sum(const X *x, const W (&)[N][T], const int (&)[N])
    {
        return W(*x);
    }
};

/* ---- what a thread makes ---------------------------------------------------------------- */

/* Its elements of a line: `first` and those WARP apart that are `valid`, `left` on from the
 * first; `some` at most for a thread of its warp, COUNT where all have as many. */
struct thread_share {
    long long line, first;
    int left, some;
    unsigned valid;
};

/* False where it has none. `taken`: of a line, by a warp. */
__device__ inline bool
read_share(thread_share &t, long long piece, const point_cut &cut, long long length,
           int taken, int count)
{
    const int lane = threadIdx.x & ((1 << cut.lanes) - 1),
              rest = threadIdx.x >> cut.lanes;
    const int rows = THREADS >> cut.lanes >> cut.beside;
    const long long group = cut.cuts == 1 ? piece : cupric::quotient(piece, cut.cuts);
    t.line = group * rows + (rest >> cut.beside);
    t.first =
        ((piece - group * cut.cuts << cut.beside) + (rest & ((1 << cut.beside) - 1))) *
            taken +
        lane;
    if (t.line >= cut.lines || t.first >= length) return false;
    const long long behind = length - t.first;
    t.left = behind < taken ? (int)behind : taken;
    const long long of_warp = (behind + lane + WARP - 1) / WARP; /* points a thread */
    t.some = of_warp < count ? (int)of_warp : count;
    t.valid = 0;
#pragma unroll
    for (int r = 0; r < EACH; r++) t.valid |= r * WARP < t.left ? 1u << r : 0u;
    return true;
}

/* Coordinates of a thread's points, by number of an axis and of a point. */
template <int N, int ORDER>
struct thread_points {
    const point_map &map;
    const void *list;
    long long points, number; /* of a list; the first's place there */
    double k[N], begin[N];    /* the first's indices; what a row has in common */
    double pad;
    bool along; /* points lie along a row */

    static const int LAST = N <= 3 ? N - 1 : 0;

    /* Of an index of a line: sets k, and returns the image's number. */
    __device__ long long read_indices(const thread_share &t, const point_sizes<N> &s,
                                      long long outer, bool listed)
    {
        long long o = listed ? 0 : t.line;
#pragma unroll
        for (int d = N - 1; d >= 0; d--) {
            k[d] = (double)t.first;
            if (listed || (along && d == N - 1)) continue;
            const long long q = d == 0 && outer == 1 ? 0 : cupric::quotient(o, s.m[d]);
            k[d] = (double)(o - q * s.m[d]);
            o = q;
        }
        return o;
    }

    __device__ void read_row()
    {
#pragma unroll
        for (int d = 0; d < N; d++) {
            const int e = d < 3 ? d : 0;
            begin[d] = map.b[e];
            if (map.kind == AFFINE) {
#pragma unroll
                for (int l = 0; l < N && l < 3; l++) {
                    if (l < N - 1 || !along)
                        begin[d] = total(begin[d], product(k[l], map.a[e][l]));
                }
            } else if (d < N - 1) {
                const double before = map.kind == ZOOM ? map.b[e] : 0.5;
                begin[d] = product(total(k[d], before), map.a[e][e]);
                if (map.kind == GRID_ZOOM) begin[d] = total(begin[d], -0.5);
            }
        }
    }

    __device__ double moved(double c) const
    {
        return ORDER > 1 ? total(c, pad) : c;
    }

    __device__ double affine(int d, int r) const
    {
        if (!along) return moved(begin[d]);
        const double step = map.a[d < 3 ? d : 0][LAST];
        return moved(total(begin[d], product(k[N - 1] + r * WARP, step)));
    }
    __device__ double zoomed(int d, int r) const
    {
        if (d < N - 1) return moved(begin[d]);
        const double i = along ? k[N - 1] + r * WARP : k[N - 1];
        const double before = map.kind == ZOOM ? map.b[LAST] : 0.5;
        const double c = product(total(i, before), map.a[LAST][LAST]);
        return moved(map.kind == GRID_ZOOM ? total(c, -0.5) : c);
    }
    __device__ float single(int d, int r) const
    {
        return ((const float *)list)[d * points + number + r * WARP];
    }
    __device__ double listed(int d, int r) const
    {
        return moved(((const double *)list)[d * points + number + r * WARP]);
    }
};

/* Of a thread's points: where taps begin, distances to knots; and which are inside. */
template <class W, int N, int COUNT>
struct plain_points {
    int base[COUNT];
    W at[COUNT][N];
    unsigned inside;
};

/* By coordinate(d, q, r) along axis d of point q = r, or of point 0 where there is no r.
 * `filled`: linear, of a constant outside and samples that are mirrored: the last sample has
 * a neighbour, of weight 0, and no other coordinate needs more than those inside. */
template <class W, int N, int COUNT, class I, class C>
__device__ inline void
locate(plain_points<W, N, COUNT> &p, const C &coordinate, const thread_share &t,
       const image<W, N, I> &g, const plain_axis (&axes)[N], bool along, bool filled)
{
#pragma unroll
    for (int r = 0; r < COUNT; r++) {
        p.base[r] = 0; /* an element that is there */
        if (r >= t.some && along) continue;
        bool is = t.valid >> r & 1;
        const int q = is && along ? r : 0;
        int begins = 0;
#pragma unroll
        for (int d = 0; d < N; d++) {
            const plain_place<W> one = place_of<W>(coordinate(d, q, r), axes[d]);
            p.at[r][d] = one.x;
            begins += one.start * g.stride[d];
            is = is && one.inside;
        }
        if (filled && !is && (t.valid >> r & 1)) {
            is = true;
            begins = 0;
#pragma unroll
            for (int d = 0; d < N; d++) {
                const plain_place<W> one = place_of<W>(coordinate(d, q, r), axes[d]);
                p.at[r][d] = one.is_last ? W(1) : one.x;
                begins += (one.start - one.is_last) * g.stride[d];
                is = is && (one.inside || one.is_last);
            }
        }
        p.base[r] = is ? begins : 0;
        p.inside |= is ? 1u << r : 0u;
    }
}

/* Values of up to COUNT points of a row, `some` of them in a warp, whose taps begin at
 * x + base[]. Those that are not inside are made of other taps, and not written. */
template <int T, class X, class W, class Y, int N, int COUNT>
__device__ inline void
row_values(const X *x, Y *y, const plain_points<W, N, COUNT> &p, const int (&stride)[N],
           int some)
{
    W v[COUNT];
    const auto value = [&](int r) {
        W w[N][T];
        all_weights<W, N, T>(p.at[r], w);
        return plain_taps<X, W, N, T, true, 0>::sum(x + p.base[r], w, stride);
    };
    const auto write = [&](int r) {
        if (p.inside >> r & 1) y[r * WARP] = rounded<Y>::of(v[r]);
    };

    if (COUNT == 1 || some == COUNT) { /* all taps are asked for before the first sum */
#pragma unroll
        for (int r = 0; r < COUNT; r++) v[r] = value(r);
#pragma unroll
        for (int r = 0; r < COUNT; r++) write(r);
        return;
    }
#pragma unroll
    for (int r = 0; r < COUNT - 1; r++) {
        if (r >= some) break; /* for all threads of a warp */
        v[r] = value(r);
        write(r);
    }
}

/* Values of EACH channels of a point whose taps begin at x. */
template <int T, class X, class W, class Y, int N>
__device__ inline void
channel_values(const X *x, Y *y, const W (&at)[N], const int (&stride)[N],
               unsigned valid)
{
    constexpr int together = T <= 2 ? EACH : 1;
    W w[N][T];
    all_weights<W, N, T>(at, w);
#pragma unroll together
    for (int r = 0; r < EACH; r++) {
        const bool is = valid >> r & 1;
        const X *from = x + (is ? r * WARP : 0);
        const W v = plain_taps<X, W, N, T, false, 0>::sum(from, w, stride);
        if (is) y[r * WARP] = rounded<Y>::of(v);
    }
}

/* Writes what is inside of a thread's share; returns the bits of these points. */
template <int ORDER, int COUNT, class X, class W, class Y, int N>
__device__ inline unsigned
plain_values(const X *from, Y *to, const thread_points<N, ORDER> &c,
             const thread_share &t, const image<W, N, int> &g,
             const plain_axis (&axes)[N], bool filled)
{
    plain_points<W, N, COUNT> p = {{}, {}, 0};
    const bool along = c.along;
    const int kind = c.map.kind;
    const auto find = [&](const auto &coordinate) {
        locate(p, coordinate, t, g, axes, along, ORDER == 1 && filled);
    };
    /* All coordinates are asked for before the first is used. */
    const auto find_listed = [&](auto first, const auto &coordinate) {
        decltype(first) list[COUNT][N];
#pragma unroll
        for (int r = 0; r < COUNT; r++) {
#pragma unroll
            for (int d = 0; d < N; d++)
                list[r][d] = coordinate(d, along && t.valid >> r & 1 ? r : 0);
        }
        find([&](int d, int, int r) { return list[r][d]; });
    };

    if (kind == SINGLES) {
        find_listed(0.0f, [&](int d, int r) { return c.single(d, r); });
    } else if (N > 3 || kind == DOUBLES) {
        find_listed(0.0, [&](int d, int r) { return c.listed(d, r); });
    } else if (kind == AFFINE) {
        find([&](int d, int q, int) { return c.affine(d, q); });
    } else {
        find([&](int d, int q, int) { return c.zoomed(d, q); });
    }
    if (along) {
        if (g.order == ORDER)
            row_values<ORDER + 1>(from, to, p, g.stride, t.some);
        else
            row_values<ORDER>(from, to, p, g.stride, t.some);
    } else if (p.inside & 1) {
        if (g.order == ORDER)
            channel_values<ORDER + 1>(from + p.base[0], to, p.at[0], g.stride, t.valid);
        else
            channel_values<ORDER>(from + p.base[0], to, p.at[0], g.stride, t.valid);
    }
    return p.inside;
}

/* The others: points whose bits are set, one after the other. */
template <int ORDER, class X, class W, class Y, int N, class I>
__device__ inline void
other_values(unsigned others, const X *from, Y *to, const thread_points<N, ORDER> &c,
             const thread_share &t, const image<W, N, I> &g)
{
    const int kind = c.map.kind;

#pragma unroll 1
    while (others) {
        const int r = __ffs((int)others) - 1;
        others &= others - 1;
        double at[N];
#pragma unroll
        for (int d = 0; d < N; d++)
            at[d] = kind == SINGLES            ? c.moved(c.single(d, r))
                    : N > 3 || kind == DOUBLES ? c.listed(d, r)
                    : kind == AFFINE           ? c.affine(d, r)
                                               : c.zoomed(d, r);
        point_values<X, W, Y, N, ORDER, I>(from, to + r * WARP, at, g,
                                           c.along ? 1 : (t.left + WARP - 1) / WARP,
                                           WARP, c.along ? 0 : (int)(t.first & 1));
    }
}

/* I: the type of indices into an image, int where it has less than 2^31 elements. lengths:
 * n, where N > 3. Launch: blocks(any, THREADS). */
template <class X, class W, class Y, class I, int N, int ORDER>
__global__ void
__launch_bounds__(THREADS, ORDER == 1   ? 4
                           : ORDER == 5 ? 1
                           : N < 3      ? 3
                                        : 2)
    interpolate(const X *x, Y *y, const void *coordinates, const long long *lengths,
                const __grid_constant__ point_image p,
                const __grid_constant__ point_map map,
                const __grid_constant__ point_cut cut)
{
    /* Of so many taps, and of huge images, no more code than what all points need. */
    constexpr bool FAST = sizeof(I) == sizeof(int) && ORDER < 5;
    constexpr int COUNT = ORDER > 1 ? 1 : EACH;
    const bool along = p.inner == 1;
    const bool listed = N > 3 || map.kind == SINGLES || map.kind == DOUBLES;
    const bool filled = p.order == 1 && p.mode == CONSTANT && p.around == MIRROR;
    image<W, N, I> g;
    const point_sizes<N> s = read_image(p, lengths, g);
    plain_axis axes[N];
    const bool roomy = read_axes(g, ORDER > 1 ? (int)p.pad : 0, axes);
    const bool plain = FAST && (along || N < 3 || ORDER == 1) && roomy;
    const long long length = along ? s.m[N - 1] : p.inner;
    const int taken = WARP * (along ? COUNT : EACH);
    const int rows = THREADS >> cut.lanes >> cut.beside;
    thread_share t;

    CUPRIC_EACH_BLOCK (piece, (cut.lines + rows - 1) / rows * cut.cuts) {
        if (!read_share(t, piece, cut, length, taken, COUNT)) continue;
        thread_points<N, ORDER> c = {
            map, coordinates, s.points,      along ? t.first : t.line,
            {},  {},          (double)p.pad, along};
        const long long o = c.read_indices(t, s, p.outer, listed);
        c.read_row();
        const X *const from = x + o * s.size + (along ? 0 : t.first);
        Y *const to = y + t.line * length + t.first;
        unsigned inside = 0;
        if constexpr (FAST) {
            if (plain)
                inside = plain_values<ORDER, COUNT>(from, to, c, t, g, axes, filled);
        }
        unsigned others = along ? t.valid & ((1u << COUNT) - 1) & ~inside : ~inside & 1;
        if (FAST && ORDER == 1 && plain && filled) { /* what is not inside is outside */
            if (!along) others = others ? t.valid : 0;
            const Y constant = rounded<Y>::of(!along && t.first & 1 ? g.odd : g.even);
#pragma unroll
            for (int r = 0; r < EACH; r++) {
                if (others >> r & 1) to[r * WARP] = constant;
            }
            continue;
        }
        other_values(others, from, to, c, t, g);
    }
}
