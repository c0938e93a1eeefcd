/* _interpolation.cuh: B-splines: values between samples.
 *
 * W is what is computed in, float or double; complex numbers are two of them, along a last
 * axis.
 */
#include "_resample.cuh"
#include "_spline_filter.cuh"
#include "_spline_taps.cuh"

/* ---- values at coordinates --------------------------------------------------------------
 *
 * x: (outer, n..., inner), y: (outer, m..., inner), with N lengths between. Each output is
 * sum w x over (order + 1)^N taps; order <= ORDER, ORDER = 1, 3 or 5. By `kind` its coordinates
 * are an affine function of its index k, b + a k; those of an array (N, outputs) of float or
 * double; (k + b) a along each axis alone, or (k + 1/2) a - 1/2. `pad` is added.
 * `lengths` are n where N > 3. fill: the constant; of odd elements of `inner`, fill_imag.
 */
enum { AFFINE, SINGLES, DOUBLES, ZOOM, GRID_ZOOM };

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

#if defined(CUPRIC_HOST)

enum { POINTS = 64 };

template <class X, class W, int N, int T, int D>
struct plain_taps {
    static inline W sum(const X *x, const W (&w)[N][T][POINTS], int p,
                        const long long *stride)
    {
        W s = W(0);
        for (int j = 0; j < T; j++) {
            s += w[D][j][p] *
                 plain_taps<X, W, N, T, D + 1>::sum(x + j * stride[D], w, p, stride);
        }
        return s;
    }
};
template <class X, class W, int N, int T>
struct plain_taps<X, W, N, T, N> {
    static inline W sum(const X *x, const W (&)[N][T][POINTS], int, const long long *)
    {
        return W(*x);
    }
};

/* Values of up to POINTS points all of whose taps lie inside: false where some do not. */
template <class X, class W, class Y, int N, int T>
inline bool
plain_points(const X *x, Y *y, const double (&c)[N][POINTS],
             const image<W, N, long long> &g, int count, long long inner)
{
    const int order = T - 1, odd = order & 1;
    W w[N][T][POINTS];
    long long at[POINTS];
    for (int d = 0; d < N; d++) {
        if (g.n[d] > 0x7fffffff) return false;
        const double least = order / 2 - (odd ? 0 : 0.5);
        const double most =
            (double)(g.n[d] - 1 - (odd ? order / 2 + 1 : order / 2)) + (odd ? 1 : 0.5);
        bool inside = true;
        for (int p = 0; p < count; p++)
            inside = inside & (c[d][p] >= 0) & (c[d][p] <= (double)(g.n[d] - 1)) &
                     (c[d][p] >= least) & (c[d][p] < most);
        if (!inside) return false;
    }
    for (int p = 0; p < count; p++) at[p] = 0;
    for (int d = 0; d < N; d++) {
        for (int p = 0; p < count; p++) {
            const int knot = (int)(odd ? c[d][p] : c[d][p] + 0.5);
            W one[6];
            spline_weights<W, (order <= 1   ? 1
                               : order <= 3 ? 3
                                            : 5)>((W)(c[d][p] - (double)knot), order,
                                                  one);
            for (int j = 0; j < T; j++) w[d][j][p] = one[j];
            at[p] += (knot - order / 2) * g.stride[d];
        }
    }
    for (int p = 0; p < count; p++) {
        for (long long j = 0; j < inner; j++)
            y[p * inner + j] = rounded<Y>::of(
                plain_taps<X, W, N, T, 0>::sum(x + at[p] + j, w, p, g.stride));
    }
    return true;
}

#else

/* On a GPU a line is a row of points or, where inner > 1, the channels of a point; a thread
 * makes EACH elements of one, WARP apart, or one of order > 1 that lies along a row. */
enum { WARP = 32, EACH = 4 };

/* Almost all points have all of their taps inside: for those nothing asks for the mode,
 * indices are of 32 bits, and doubles are not converted from and to integers, which is slow.
 *
 * Along an axis, `half` is 1/2 for even orders and 0 for others; taps begin `before` elements
 * before the knot, which lies from `least` to `least + room`. */
struct plain_axis {
    int before, least, room, pad;
    double half;
};

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

/* Values of up to COUNT points of a row, `some` of them in a warp, whose taps begin at
 * x + base[]. Those that are not inside are made of other taps, and not written. */
template <class X, class W, class Y, int N, int T, int COUNT>
__device__ inline void
row_values(const X *x, Y *y, const int (&base)[COUNT], const W (&at)[COUNT][N],
           const int (&stride)[N], unsigned inside, int some)
{
    W v[COUNT];
    const auto value = [&](int r) {
        W w[N][T];
        all_weights<W, N, T>(at[r], w);
        return plain_taps<X, W, N, T, true, 0>::sum(x + base[r], w, stride);
    };
    const auto write = [&](int r) {
        if (inside >> r & 1) y[r * WARP] = rounded<Y>::of(v[r]);
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
template <class X, class W, class Y, int N, int T>
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

#endif

/* On a GPU 2^lanes threads have neighbouring elements of a line; if 32, 2^beside warps of a
 * block are of the same line, which is cut into `cuts` pieces. I: the type of indices into
 * an image, int where it has less than 2^31 elements. Launch: blocks(any, 256).
 */
template <class X, class W, class Y, class I, int N, int ORDER>
__global__ void __launch_bounds__(256, ORDER == 1   ? 4
                                       : ORDER == 5 ? 1
                                       : N < 3      ? 3
                                                    : 2)
    interpolate(const X *x, Y *y, const void *coordinates, const long long *lengths,
                long long outer, long long n0, long long n1, long long n2, long long m0,
                long long m1, long long m2, long long inner, int order, int mode,
                int around, long long pad, double fill, double fill_imag, int kind,
                double a00, double a01, double a02, double a10, double a11, double a12,
                double a20, double a21, double a22, double b0, double b1, double b2,
                long long lines, long long cuts, int lanes, int beside)
{
#if defined(CUPRIC_HOST)
    typedef long long index;
#else
    typedef I index;
#endif
    const long long some_n[3] = {n0, n1, n2}, some_m[3] = {m0, m1, m2};
    const double a[3][3] = {{a00, a01, a02}, {a10, a11, a12}, {a20, a21, a22}};
    const double b[3] = {b0, b1, b2};
    image<W, N, index> g = {{}, {}, order, mode, around, W(fill), W(fill_imag)};
    long long m[N], size = inner, points = 1;
#pragma unroll
    for (int d = N - 1; d >= 0; d--) {
        g.n[d] = (index)(N > 3 ? lengths[d] : some_n[d < 3 ? d : 0]);
        m[d] = N > 3 ? (d == N - 1 ? m0 : 1) : some_m[d < 3 ? d : 0];
        g.stride[d] = (index)size;
        size *= g.n[d];
        points *= m[d];
    }
    const bool listed = N > 3 || kind == SINGLES || kind == DOUBLES;

#if defined(CUPRIC_HOST)
    if (sizeof(I) > sizeof(int)) return; /* which is for GPUs */
    double c[N][POINTS];
    const long long across = (m[N - 1] + POINTS - 1) / POINTS;
    const long long rows = points / m[N - 1];

    CUPRIC_EACH_BLOCK (piece, outer * rows * across) {
        const long long row = piece / across, k0 = piece % across * POINTS;
        const long long o = row / rows, number = row % rows * m[N - 1] + k0;
        const int count = (int)(m[N - 1] - k0 < POINTS ? m[N - 1] - k0 : POINTS);
        double k[N];
        long long rest = row % rows;
        for (int d = N - 2; d >= 0; d--) {
            k[d] = (double)(rest % m[d]);
            rest /= m[d];
        }
        for (int d = 0; d < N; d++) {
            double *to = c[d];
            if (listed && kind == SINGLES) {
                const float *from = (const float *)coordinates + d * points + number;
                for (int p = 0; p < count; p++) to[p] = (double)from[p] + (double)pad;
            } else if (listed) {
                const double *from = (const double *)coordinates + d * points + number;
                for (int p = 0; p < count; p++) to[p] = from[p] + (double)pad;
            } else if (kind == AFFINE) {
                double begin = b[d < 3 ? d : 0];
                for (int l = 0; l < N - 1 && l < 3; l++)
                    begin += k[l] * a[d < 3 ? d : 0][l];
                const double step = a[d < 3 ? d : 0][N <= 3 ? N - 1 : 0];
                for (int p = 0; p < count; p++)
                    to[p] = begin + (double)(k0 + p) * step + (double)pad;
            } else {
                const double before = kind == ZOOM ? b[d < 3 ? d : 0] : 0.5;
                const double scale = a[d < 3 ? d : 0][d < 3 ? d : 0];
                const double after = kind == ZOOM ? 0 : -0.5;
                for (int p = 0; p < count; p++) {
                    const double i = d == N - 1 ? (double)(k0 + p) : k[d];
                    to[p] = (i + before) * scale + after + (double)pad;
                }
            }
        }
        const X *from = x + o * size;
        Y *to = y + (o * points + number) * inner;
        const bool plain =
            order == ORDER
                ? plain_points<X, W, Y, N, ORDER + 1>(from, to, c, g, count, inner)
                : plain_points<X, W, Y, N, ORDER>(from, to, c, g, count, inner);
        for (int p = 0; p < count && !plain; p++) {
            double one[N];
            for (int d = 0; d < N; d++) one[d] = c[d][p];
            point_values<X, W, Y, N, ORDER>(from, to + p * inner, one, g, (int)inner, 1,
                                            0);
        }
    }
#else
    const bool along = inner == 1;
    constexpr int COUNT = ORDER > 1 ? 1 : EACH;
    const int taken = WARP * (along ? COUNT : EACH); /* of a line, by a warp */
    const long long length = along ? m[N - 1] : inner;
    const int rows = 256 >> lanes >> beside;
    const int lane = threadIdx.x & ((1 << lanes) - 1), rest = threadIdx.x >> lanes;

    /* Of so many taps, and of huge images, no more code than what all points need. */
    constexpr bool FAST = sizeof(I) == sizeof(int) && ORDER < 5;
    bool plain = FAST && (along || N < 3 || ORDER == 1);
    plain_axis axes[N];
#pragma unroll
    for (int d = 0; d < N; d++) {
        axes[d].before = order / 2;
        axes[d].least = order == 0 ? 1 : order / 2;
        axes[d].room = (int)g.n[d] - 1 - (order == 0 ? 2 : order);
        axes[d].pad = ORDER > 1 ? (int)pad : 0;
        axes[d].half = order & 1 ? 0 : 0.5;
        plain = plain && axes[d].room >= 0;
    }

    /* Linear, of a constant outside and samples that are mirrored: the last sample has a
     * neighbour, of weight 0, and no other coordinate needs more than those inside. */
    const bool filled = order == 1 && mode == CONSTANT && around == MIRROR;

    CUPRIC_EACH_BLOCK (piece, (lines + rows - 1) / rows * cuts) {
        const long long group = cuts == 1 ? piece : cupric::quotient(piece, cuts);
        const long long line = group * rows + (rest >> beside);
        const long long first =
            ((piece - group * cuts << beside) + (rest & ((1 << beside) - 1))) * taken +
            lane;
        if (line >= lines || first >= length) continue;
        const long long behind = length - first;
        const int left = behind < taken ? (int)behind : taken;
        const long long of_warp =
            (behind + lane + WARP - 1) / WARP; /* points a thread */
        const int some = of_warp < COUNT ? (int)of_warp : COUNT;
        unsigned valid = 0;
#pragma unroll
        for (int r = 0; r < EACH; r++) valid |= r * WARP < left ? 1u << r : 0u;

        /* The index of a point: along the last axis of a row, of the first one. */
        double k[N], begin[N];
        long long o = listed ? 0 : line;
#pragma unroll
        for (int d = N - 1; d >= 0; d--) {
            k[d] = (double)first;
            if (listed || (along && d == N - 1)) continue;
            const long long q = d == 0 && outer == 1 ? 0 : cupric::quotient(o, m[d]);
            k[d] = (double)(o - q * m[d]);
            o = q;
        }
        /* What all points of a row have of their coordinates. */
#pragma unroll
        for (int d = 0; d < N; d++) {
            const int e = d < 3 ? d : 0;
            begin[d] = b[e];
            if (kind == AFFINE) {
#pragma unroll
                for (int l = 0; l < N && l < 3; l++) {
                    if (l < N - 1 || !along)
                        begin[d] = total(begin[d], product(k[l], a[e][l]));
                }
            } else if (d < N - 1) {
                begin[d] = product(total(k[d], kind == ZOOM ? b[e] : 0.5), a[e][e]);
                if (kind == GRID_ZOOM) begin[d] = total(begin[d], -0.5);
            }
        }
        const auto moved = [&](double c) {
            return ORDER > 1 ? total(c, (double)pad) : c;
        };
        const int last = N <= 3 ? N - 1 : 0;
        const auto affine = [&](int d, int r) {
            if (!along) return moved(begin[d]);
            const double step = a[d < 3 ? d : 0][last];
            return moved(total(begin[d], product(k[N - 1] + r * WARP, step)));
        };
        const auto zoomed = [&](int d, int r) {
            if (d < N - 1) return moved(begin[d]);
            const double i = along ? k[N - 1] + r * WARP : k[N - 1];
            const double c =
                product(total(i, kind == ZOOM ? b[last] : 0.5), a[last][last]);
            return moved(kind == GRID_ZOOM ? total(c, -0.5) : c);
        };
        const long long number = along ? first : line;
        const auto single = [&](int d, int r) {
            return ((const float *)coordinates)[d * points + number + r * WARP];
        };
        const auto listed_double = [&](int d, int r) {
            return moved(((const double *)coordinates)[d * points + number + r * WARP]);
        };

        const X *const from = x + o * size + (along ? 0 : first);
        Y *const to = y + line * length + first;
        unsigned inside = 0;
        if constexpr (FAST) {
            int base[COUNT];
            W at[COUNT][N] = {};
            const auto locate = [&](const auto &coordinate) {
#pragma unroll
                for (int r = 0; r < COUNT; r++) {
                    base[r] = 0; /* an element that is there */
                    if (r >= some && along) continue;
                    bool is = valid >> r & 1;
                    const int q = is && along ? r : 0;
                    int begins = 0;
#pragma unroll
                    for (int d = 0; d < N; d++) {
                        const plain_place<W> p =
                            place_of<W>(coordinate(d, q, r), axes[d]);
                        at[r][d] = p.x;
                        begins += p.start * g.stride[d];
                        is = is && p.inside;
                    }
                    if (ORDER == 1 && filled && !is && (valid >> r & 1)) {
                        is = true;
                        begins = 0;
#pragma unroll
                        for (int d = 0; d < N; d++) {
                            const plain_place<W> p =
                                place_of<W>(coordinate(d, q, r), axes[d]);
                            at[r][d] = p.is_last ? W(1) : p.x;
                            begins += (p.start - p.is_last) * g.stride[d];
                            is = is && (p.inside || p.is_last);
                        }
                    }
                    base[r] = is ? begins : 0;
                    inside |= is ? 1u << r : 0u;
                }
            };
            /* All coordinates are asked for before the first is used. */
            const auto locate_listed = [&](auto first, const auto &coordinate) {
                decltype(first) c[COUNT][N];
#pragma unroll
                for (int r = 0; r < COUNT; r++) {
#pragma unroll
                    for (int d = 0; d < N; d++)
                        c[r][d] = coordinate(d, along && valid >> r & 1 ? r : 0);
                }
                locate([&](int d, int, int r) { return c[r][d]; });
            };
            if (!plain) {
            } else if (kind == SINGLES) {
                locate_listed(0.0f, single);
            } else if (listed) {
                locate_listed(0.0, listed_double);
            } else if (kind == AFFINE) {
                locate([&](int d, int q, int) { return affine(d, q); });
            } else {
                locate([&](int d, int q, int) { return zoomed(d, q); });
            }
            if (!plain) {
            } else if (along) {
                if (order == ORDER)
                    row_values<X, W, Y, N, ORDER + 1, COUNT>(from, to, base, at,
                                                             g.stride, inside, some);
                else
                    row_values<X, W, Y, N, ORDER, COUNT>(from, to, base, at, g.stride,
                                                         inside, some);
            } else if (inside & 1) {
                const X *const taps = from + base[0];
                if (order == ORDER)
                    channel_values<X, W, Y, N, ORDER + 1>(taps, to, at[0], g.stride,
                                                          valid);
                else
                    channel_values<X, W, Y, N, ORDER>(taps, to, at[0], g.stride, valid);
            }
        }
        unsigned others = along ? valid & ((1u << COUNT) - 1) & ~inside : ~inside & 1;
        if (FAST && ORDER == 1 && plain && filled) { /* what is not inside is outside */
            if (!along) others = others ? valid : 0;
            const Y constant = rounded<Y>::of(!along && first & 1 ? g.odd : g.even);
#pragma unroll
            for (int r = 0; r < EACH; r++) {
                if (others >> r & 1) to[r * WARP] = constant;
            }
            continue;
        }
#pragma unroll 1
        while (others) {
            const int r = __ffs((int)others) - 1;
            others &= others - 1;
            double c[N];
#pragma unroll
            for (int d = 0; d < N; d++)
                c[d] = kind == SINGLES  ? moved(single(d, r))
                       : listed         ? listed_double(d, r)
                       : kind == AFFINE ? affine(d, r)
                                        : zoomed(d, r);
            point_values<X, W, Y, N, ORDER, I>(from, to + r * WARP, c, g,
                                               along ? 1 : (left + WARP - 1) / WARP,
                                               WARP, along ? 0 : (int)(first & 1));
        }
    }
#endif
}
