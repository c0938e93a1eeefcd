/* _interpolation.cuh: B-splines: coefficients from samples, and values between samples.
 *
 * W is what is computed in, float or double; complex numbers are two of them, along a last
 * axis. Coordinates are computed as SciPy does, in double and without fused operations:
 * whether a point is outside, or which of two samples is nearer, is the same decision.
 */
#include "_boundary.cuh"

/* The element i of an axis that is made longer by `pad` on both sides: an index into the
 * n elements there are, or -1 for the constant. Beyond the pads `mode` says what lies
 * there; in them `outside` does, NEAREST or CONSTANT. */
__device__ inline long long
padded(long long i, long long n, long long pad, int mode, int outside)
{
    i = boundary(i, n + 2 * pad, mode);
    return pad ? boundary(i - pad, n, outside) : i;
}

/* ---- coefficients -----------------------------------------------------------------------
 *
 * x: (rows, n, inner), y: (rows, m, inner), m = n + 2 * pad. Along n the inverse of a
 * B-spline's samples: for each pole z, u[i] = x[i] + z u[i - 1], then y[i] = u[i] + z y[i + 1],
 * all by the gain (Unser, Aldroubi, Eden 1991). The signal goes on beyond its ends as `mode`
 * says: so a chunk anywhere begins by `warm` elements before it, from zero, where
 * |z|^warm is less than a rounding error. z2 is 0 where there is one pole.
 *
 * On a GPU a tile is `many` rows x (warm + parts * each) elements x `wide` columns in shared
 * memory; a thread has `each` elements of a column. Its last `warm` are not results.
 * Launch: blocks(any, 256 for float, 128 for double).
 */
enum { TILE_BYTES = 40960, LINE_BYTES = 128, LEAST_EACH = 32 };
enum { HOST_BYTES = 196608, LANES = 16, LANE_LENGTH = 768 };

#if defined(CUPRIC_HOST)

/* Both recursions over t rows of v numbers. */
template <class W>
inline void
recursions(W *b, int t, int v, W gain, W z1, W z2)
{
    for (int j = 0; j < v; j++) b[j] = gain * b[j];
    for (int i = 1; i < t; i++) {
        W *now = b + (long long)i * v;
        const W *before = now - v;
        for (int j = 0; j < v; j++) now[j] = gain * now[j] + z1 * before[j];
    }
    for (int i = 1; i < t && z2 != 0; i++) {
        W *now = b + (long long)i * v;
        const W *before = now - v;
        for (int j = 0; j < v; j++) now[j] = now[j] + z2 * before[j];
    }
    for (int pole = 0; pole < 2; pole++) {
        const W z = pole ? z2 : z1;
        for (int i = t - 2; i >= 0 && z != 0; i--) {
            W *now = b + (long long)i * v;
            const W *after = now + v;
            for (int j = 0; j < v; j++) now[j] = now[j] + z * after[j];
        }
    }
}

#endif

template <class W>
__global__ void
spline_coefficients(const W *x, W *y, long long rows, long long n, long long inner,
                    long long pad, int mode, int outside, double fill, double fill_imag,
                    int warm, double gain, double pole1, double pole2)
{
    const long long m = n + 2 * pad;
    const W g = (W)gain, z1 = (W)pole1, z2 = (W)pole2;
    const W even = (W)fill,
            odd = (W)fill_imag; /* the constant, of a complex number's parts */

#if defined(CUPRIC_HOST)
    W memory[HOST_BYTES / sizeof(W)];

    if (inner >= LANES) {
        const int wide = 512 / sizeof(W), most = HOST_BYTES / 512;
        const long long across = (inner + wide - 1) / wide, high = most - 2 * warm;
        const long long down = (m + high - 1) / high;
        CUPRIC_EACH_BLOCK (piece, rows * down * across) {
            const long long c = piece % across * wide,
                            i0 = piece / across % down * high;
            const long long row = piece / across / down;
            const int v = (int)(inner - c < wide ? inner - c : wide);
            const int h = (int)(m - i0 < high ? m - i0 : high), t = h + 2 * warm;
            for (int i = 0; i < t; i++) {
                const long long s = padded(i0 - warm + i, n, pad, mode, outside);
                const W *from = x + (row * n + s) * inner + c;
                W *to = memory + (long long)i * v;
                if (s < 0) {
                    for (int j = 0; j < v; j++) to[j] = ((c + j) & 1 ? odd : even);
                } else {
                    for (int j = 0; j < v; j++) to[j] = from[j];
                }
            }
            recursions(memory, t, v, g, z1, z2);
            for (int i = 0; i < h; i++) {
                W *to = y + (row * m + i0 + i) * inner + c;
                const W *from = memory + (long long)(warm + i) * v;
                for (int j = 0; j < v; j++) to[j] = from[j];
            }
        }
        return;
    }
    /* LANES chunks of lines at a time, which need not lie side by side. */
    const long long high = LANE_LENGTH - 2 * warm, down = (m + high - 1) / high;
    const long long units = rows * inner * down;
    CUPRIC_EACH_BLOCK (piece, (units + LANES - 1) / LANES) {
        const int h = (int)(m < high ? m : high), t = h + 2 * warm;
        const int lanes =
            (int)(units - piece * LANES < LANES ? units - piece * LANES : LANES);
        for (int v = 0; v < LANES; v++) {
            const long long unit = piece * LANES + (v < lanes ? v : 0);
            const long long line = unit / down, i0 = unit % down * high - warm;
            const long long row = line / inner, c = line % inner;
            const W *from = x + row * n * inner + c;
            W *to = memory + v;
            if (!pad && i0 >= 0 && i0 + t <= m) {
                from += i0 * inner;
                for (int i = 0; i < t; i++) to[i * LANES] = from[i * inner];
                continue;
            }
            for (int i = 0; i < t; i++) {
                const long long s = padded(i0 + i, n, pad, mode, outside);
                to[i * LANES] = s < 0 ? ((c)&1 ? odd : even) : from[s * inner];
            }
        }
        recursions(memory, t, LANES, g, z1, z2);
        for (int v = 0; v < lanes; v++) {
            const long long unit = piece * LANES + v, line = unit / down;
            const long long i0 = unit % down * high, row = line / inner;
            const int count = (int)(m - i0 < high ? m - i0 : high);
            const W *from = memory + warm * LANES + v;
            W *to = y + (row * m + i0) * inner + line % inner;
            for (int i = 0; i < count; i++) to[i * inner] = from[i * LANES];
        }
    }
#else
    __shared__ W tile[TILE_BYTES / sizeof(W)];
    const int most = TILE_BYTES / sizeof(W), widest = LINE_BYTES / sizeof(W);
    const int wide = (int)(inner < widest ? inner : widest);
    const int threads = blockDim.x, most_parts = threads / wide;
    const int most_each = (((most / wide - warm) / most_parts) - 1) | 1;
    long long each_part = (m + warm + most_parts - 1) / most_parts;
    if (each_part < LEAST_EACH) each_part = LEAST_EACH;
    /* odd, so that threads of a warp meet in no bank */
    const int each = (int)(each_part > most_each ? most_each : each_part | 1);
    const long long needed = (m + warm + each - 1) / each;
    const int parts = (int)(needed < most_parts ? needed : most_parts);
    const int length = warm + parts * each, high = parts * each - warm;
    int many = threads / (wide * parts);
    if (many > most / (wide * length)) many = most / (wide * length);

    const int c = threadIdx.x % wide, part = threadIdx.x / wide % parts;
    const int r = threadIdx.x / wide / parts;
    W *const mine = tile + (r * length + warm + part * each) * wide + c;
    const int ahead = part + 1 < parts ? (parts - 1 - part) * each : 0;

    const long long across = (inner + wide - 1) / wide, down = (m + high - 1) / high;
    const long long groups = (rows + many - 1) / many;
    CUPRIC_EACH_BLOCK (piece, groups * down * across) {
        const long long c0 = piece % across * wide, i0 = piece / across % down * high;
        const long long row0 = piece / across / down * many;
        const int rows_here = (int)(rows - row0 < many ? rows - row0 : many);
        const bool within = pad == 0 && i0 >= warm && i0 - warm + length <= n;
        __syncthreads(); /* the tile of the piece before has been written */
        for (int q = 0; q < rows_here; q++) {
            const W *from = x + (row0 + q) * n * inner + c0;
            W *to = tile + q * length * wide;
            for (int e = threadIdx.x; e < length * wide; e += threads) {
                const int i = (unsigned)e / (unsigned)wide, j = e - i * wide;
                if (c0 + j >= inner) continue;
                long long s = i0 - warm + i;
                if (!within) s = padded(s, n, pad, mode, outside);
                to[e] = s < 0 ? ((c0 + j) & 1 ? odd : even) : from[s * inner + j];
            }
        }
        __syncthreads();
        const bool works = r < rows_here && c0 + c < inner;
        W u = 0, w = 0;
        if (works) {
#pragma unroll 4
            for (int i = -warm; i < 0; i++) {
                u = add_product(g * mine[i * wide], z1, u);
                w = add_product(u, z2, w);
            }
        }
        __syncthreads();
        if (works) {
#pragma unroll 4
            for (int i = 0; i < each; i++) {
                u = add_product(g * mine[i * wide], z1, u);
                w = add_product(u, z2, w);
                mine[i * wide] = w;
            }
        }
        __syncthreads();
        u = w = 0;
        if (works) {
            const int end = each + (ahead < warm ? ahead : warm);
#pragma unroll 4
            for (int i = end - 1; i >= each; i--) {
                u = add_product(mine[i * wide], z1, u);
                w = add_product(u, z2, w);
            }
        }
        __syncthreads();
        if (works) {
#pragma unroll 4
            for (int i = each - 1; i >= 0; i--) {
                u = add_product(mine[i * wide], z1, u);
                w = add_product(u, z2, w);
                mine[i * wide] = w;
            }
        }
        __syncthreads();
        const int count = (int)(m - i0 < high ? m - i0 : high) * wide;
        for (int q = 0; q < rows_here; q++) {
            W *to = y + ((row0 + q) * m + i0) * inner + c0;
            const W *from = tile + (q * length + warm) * wide;
            for (int e = threadIdx.x; e < count; e += threads) {
                const int i = (unsigned)e / (unsigned)wide, j = e - i * wide;
                if (c0 + j < inner) to[i * inner + j] = from[e];
            }
        }
    }
#endif
}

/* ---- coordinates and weights ------------------------------------------------------------ */

enum {
    GRID_WRAP = 5
}; /* a mode of coordinates; the others are those of _boundary.cuh */

/* c >= 0, less the whole periods in it. */
__device__ inline double
less_periods(double c, double period)
{
    return add_product(c, -period, trunc(c / period));
}

/* A coordinate beyond the first or the last of n samples as one between them, or less than
 * a sample beyond; -2 where it is outside. */
__device__ CUPRIC_RARE double
coordinate_brought_inside(double c, long long n, int mode)
{
    const double last = (double)(n - 1);
    if (mode == NEAREST) { /* the taps are brought inside, one by one */
        if (c != c) return -64;
        return c < -32 ? -32 : c > last + 32 ? last + 32 : c;
    }
    if (mode == CONSTANT || c != c) return -2;
    if (n == 1) return 0;
    if (mode == MIRROR) {
        const double period = 2 * last;
        if (c < 0) {
            c = less_periods(-c, period);
            return c >= last ? period - c : c;
        }
        c = less_periods(c, period);
        return c >= (double)n ? period - c : c;
    }
    if (mode == WRAP) {
        if (c < 0) return add_product(c, last, trunc(-c / last) + 1);
        return less_periods(c, last);
    }
    if (mode == GRID_WRAP) {
        if (c < 0) return add_product(c, (double)n, trunc((-1 - c) / (double)n) + 1);
        return less_periods(c, (double)n);
    }
    const double period = 2 * (double)n; /* REFLECT */
    if (c < 0) {
        if (c < -period) c = add_product(c, period, trunc(-c / period));
        if (c < -(double)n) return c + period;
        return (c > -1e-15 ? 1e-15 : -c) - 1; /* more than -1 */
    }
    c = less_periods(c, period);
    return c >= (double)n ? period - c - 1 : c;
}

/* Any coordinate. */
__device__ inline double
coordinate_inside(double c, long long n, int mode)
{
    return c >= 0 && c <= (double)(n - 1) ? c : coordinate_brought_inside(c, n, mode);
}

/* The index that stands for i, or -1. */
__device__ CUPRIC_RARE long long
tap_index(long long i, long long n, int around)
{
    return boundary(i, n, around);
}

/* The weights of the order + 1 B-splines at x, its distance to the middle one's knot. */
template <class W, int ORDER>
__device__ inline void
spline_weights(W x, int order, W *w)
{
    W rest = W(1);
    if (ORDER == 1) {
        if (order == 1) rest = x, w[0] = 1 - x;
    } else if (order == 2) {
        const W y = W(0.5) - x;
        w[0] = W(0.5) * y * y;
        w[1] = add_product(W(0.75), -x, x);
        rest = 1 - w[0] - w[1];
    } else if (ORDER == 3 || order == 3) {
        const W y = 1 - x;
        w[0] = y * y * y / 6;
        w[1] = add_product(W(2.0 / 3), x * x, add_product(W(-1), x, W(0.5)));
        w[2] = add_product(W(2.0 / 3), y * y, add_product(W(-1), y, W(0.5)));
        rest = 1 - w[0] - w[1] - w[2];
    } else if (order == 4) {
        const W t = x * x, y = 1 + x, z = 1 - x, v = (W(0.5) - x) * (W(0.5) - x);
        w[0] = v * v / 24;
        const auto outer = [](W u) {
            const W v = add_product(W(5.0 / 24), u, u * (5 - u) / 6 - W(1.25));
            return add_product(W(55.0 / 96), u, v);
        };
        w[1] = outer(y);
        w[2] = add_product(W(115.0 / 192), t, add_product(W(-0.625), t, W(0.25)));
        w[3] = outer(z);
        rest = 1 - w[0] - w[1] - w[2] - w[3];
    } else {
        const W z = 1 - x, tx = x * x, tz = z * z, a = 1 + x, b = 1 + z;
        w[0] = z * tz * tz / 120;
        const auto outer = [](W u) {
            W v = add_product(W(1.25), u, u / 24 - W(0.375));
            v = add_product(W(0.625), u, add_product(W(-1.75), u, v));
            return add_product(W(0.425), u, v);
        };
        const auto inner = [](W t, W y) {
            const W v = add_product(W(-0.5), t, W(0.25) - y / 12);
            return add_product(W(0.55), t, v);
        };
        w[1] = outer(a);
        w[2] = inner(tx, x);
        w[3] = inner(tz, z);
        w[4] = outer(b);
        rest = 1 - w[0] - w[1] - w[2] - w[3] - w[4];
    }
#pragma unroll
    for (int j = 0; j <= ORDER; j++) {
        if (j == order) w[j] = rest;
    }
}

/* What a coordinate takes along an axis of n: taps w[j] at[j], by index. Returns the weight
 * of the constant, by which taps outside were replaced: 0 if none were, 1 if all. */
template <class W, int ORDER, class I>
__device__ inline W
axis_taps(double c, I n, int mode, int around, int order, W *w, I *at)
{
    c = coordinate_inside(c, n, mode);
    if (!(c > -1) && (mode != NEAREST || c < -48)) {
#pragma unroll
        for (int j = 0; j <= ORDER; j++) w[j] = W(0), at[j] = 0;
        return W(1);
    }
    const double knot = floor(order & 1 ? c : c + 0.5);
    const I start = (I)knot - order / 2;
    spline_weights<W, ORDER>((W)(c - knot), order, w);
    if (start >= 0 && start + order < n) {
#pragma unroll
        for (int j = 0; j <= ORDER; j++) at[j] = start + j;
        return W(0);
    }
    W kept = W(0);
    int outside = 0;
#pragma unroll
    for (int j = 0; j <= ORDER; j++) {
        if (j > order) break;
        const I i = (I)tap_index(start + j, n, around);
        at[j] = i >= 0 ? i : start + j < 0 ? 0 : n - 1;
        if (i < 0) {
            w[j] = W(0);
            outside++;
        } else {
            kept += w[j];
        }
    }
    return outside ? outside > order ? W(1) : 1 - kept : W(0);
}

/* A value as an element: integers are rounded, and bounded by what their type holds. */
template <class Y>
struct rounded {
    template <class W>
    __device__ static Y of(W v)
    {
        const bool is_signed = Y(-1) < Y(0);
        const double half_range = (double)(1ull << (8 * sizeof(Y) - 1));
        const double least = is_signed ? -half_range : 0;
        const double most = is_signed ? half_range - 1 : 2 * half_range - 1;
        double t = (double)v;
        t = t > 0 ? t + 0.5 : is_signed ? t - 0.5 : 0;
        if (t >= most) return is_signed ? Y(~(1ull << (8 * sizeof(Y) - 1))) : Y(~0ull);
        return t <= least ? Y(least) : Y(t);
    }
};
template <>
struct rounded<bool> {
    template <class W>
    __device__ static bool of(W v)
    {
        return (long long)v != 0;
    }
};
template <>
struct rounded<float> {
    __device__ static float of(float v) { return v; }
};
template <>
struct rounded<double> {
    __device__ static double of(double v) { return v; }
};

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
                c[d] = kind == SINGLES ? moved(single(d, r))
                       : listed ? listed_double(d, r)
                       : kind == AFFINE ? affine(d, r)
                                        : zoomed(d, r);
            point_values<X, W, Y, N, ORDER, I>(from, to + r * WARP, c, g,
                                               along ? 1 : (left + WARP - 1) / WARP,
                                               WARP, along ? 0 : (int)(first & 1));
        }
    }
#endif
}

/* ---- one axis at a time -----------------------------------------------------------------
 *
 * x: (rows, n, inner), y: (rows, m, inner). Output i lies at ((i + shift) zoom, or
 * (i + 1/2) zoom - 1/2 if `grid`) + pad. A piece is up to OUTPUTS of them, whose weights are
 * found once, for many rows and columns. Launch: blocks(any, 256).
 */
enum { OUTPUTS = 128, MOST_TAPS = 6, PIECE = 8192 };

template <class W>
struct output_taps {
    W w[MOST_TAPS][OUTPUTS], lost[OUTPUTS];
    long long at[MOST_TAPS][OUTPUTS];

    __device__ void make(int i, double k, long long n, long long step, double shift,
                         double zoom, int grid, long long pad, int mode, int around,
                         int order)
    {
        double c = product(total(k, grid ? 0.5 : shift), zoom);
        if (grid) c = total(c, -0.5);
        c = total(c, (double)pad);
        W weights[MOST_TAPS];
        long long indices[MOST_TAPS];
        if (order <= 1) {
            lost[i] = axis_taps<W, 1>(c, n, mode, around, order, weights, indices);
        } else if (order <= 3) {
            lost[i] = axis_taps<W, 3>(c, n, mode, around, order, weights, indices);
        } else {
            lost[i] = axis_taps<W, 5>(c, n, mode, around, order, weights, indices);
        }
        for (int j = 0; j <= order; j++) {
            w[j][i] = weights[j];
            at[j][i] = indices[j] * step;
        }
    }
};

#if defined(CUPRIC_HOST)

/* `count` outputs of `v` columns that lie side by side, `inner` apart from the next. */
template <class W, int TAPS>
inline void
resample_columns(const output_taps<W> &t, const W *x, W *y, int count, long long v,
                 long long inner)
{
    for (int i = 0; i < count; i++) {
        W w[TAPS];
        const W *a[TAPS];
        for (int j = 0; j < TAPS; j++) w[j] = t.w[j][i], a[j] = x + t.at[j][i];
        W *to = y + i * inner;
        for (long long c = 0; c < v; c++) {
            W s = w[0] * a[0][c];
            for (int j = 1; j < TAPS; j++) s += w[j] * a[j][c];
            to[c] = s;
        }
    }
}

/* The same of a single column; `runs`: each output's taps lie one after the last one's. */
template <class W, int TAPS>
inline void
resample_line(const output_taps<W> &t, const W *x, W *y, int count, bool runs)
{
    if (runs) {
        const W *a[TAPS];
        for (int j = 0; j < TAPS; j++) a[j] = x + t.at[j][0];
        for (int i = 0; i < count; i++) {
            W s = t.w[0][i] * a[0][i];
            for (int j = 1; j < TAPS; j++) s += t.w[j][i] * a[j][i];
            y[i] = s;
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        W s = t.w[0][i] * x[t.at[0][i]];
        for (int j = 1; j < TAPS; j++) s += t.w[j][i] * x[t.at[j][i]];
        y[i] = s;
    }
}

template <class W, int TAPS>
inline void
resample_taps(const output_taps<W> &t, const W *x, W *y, int count, long long v,
              long long inner, bool runs)
{
    if (inner == 1) {
        resample_line<W, TAPS>(t, x, y, count, runs);
    } else {
        resample_columns<W, TAPS>(t, x, y, count, v, inner);
    }
}

#endif

template <class W>
__global__ void
resample(const W *x, W *y, long long rows, long long n, long long m, long long inner,
         double shift, double zoom, int grid, long long pad, int order, int mode,
         int around, double fill, double fill_imag)
{
    const W even = (W)fill,
            odd = (W)fill_imag; /* the constant, of a complex number's parts */
    const long long down = (m + OUTPUTS - 1) / OUTPUTS;

#if defined(CUPRIC_HOST)
    output_taps<W> t;
    const long long wide = inner < 1024 ? inner : 1024;
    const long long across = (inner + wide - 1) / wide;
    const long long many = wide >= PIECE / OUTPUTS ? 1 : PIECE / OUTPUTS / wide;
    const long long groups = (rows + many - 1) / many;
    long long made = -1; /* the block of outputs whose taps t has */

    CUPRIC_EACH_BLOCK (piece, down * across * groups) {
        const long long block = piece / groups / across, i0 = block * OUTPUTS;
        const long long c0 = piece / groups % across * wide, r0 = piece % groups * many;
        const int count = (int)(m - i0 < OUTPUTS ? m - i0 : OUTPUTS);
        const long long v = inner - c0 < wide ? inner - c0 : wide;
        if (made != block) {
            for (int i = 0; i < count; i++)
                t.make(i, (double)(i0 + i), n, inner, shift, zoom, grid, pad, mode,
                       around, order);
            made = block;
        }
        bool runs = inner == 1;
        for (int j = 0; j <= order && runs; j++) {
            for (int i = 1; i < count; i++) runs = runs && t.at[j][i] == t.at[j][0] + i;
        }
        for (long long r = r0; r < rows && r < r0 + many; r++) {
            const W *from = x + r * n * inner + c0;
            W *to = y + (r * m + i0) * inner + c0;
            switch (order) {
            case 0: resample_taps<W, 1>(t, from, to, count, v, inner, runs); break;
            case 1: resample_taps<W, 2>(t, from, to, count, v, inner, runs); break;
            case 2: resample_taps<W, 3>(t, from, to, count, v, inner, runs); break;
            case 3: resample_taps<W, 4>(t, from, to, count, v, inner, runs); break;
            case 4: resample_taps<W, 5>(t, from, to, count, v, inner, runs); break;
            default: resample_taps<W, 6>(t, from, to, count, v, inner, runs);
            }
            for (int i = 0; i < count; i++) {
                if (t.lost[i] == 0) continue;
                for (long long c = 0; c < v; c++) {
                    const W constant = ((c0 + c) & 1 ? odd : even);
                    W *one = to + i * inner + c;
                    *one = t.lost[i] == 1 ? constant : *one + t.lost[i] * constant;
                }
            }
        }
    }
#else
    __shared__ __align__(16) char memory[sizeof(output_taps<W>)];
    output_taps<W> &t = *(output_taps<W> *)memory;
    const int wide = (int)(inner < 64 ? inner : 64);
    const long long across = (inner + wide - 1) / wide;
    const int length = (int)(m < OUTPUTS ? m : OUTPUTS);
    const int fitting = PIECE / (length * wide), many = fitting < 1 ? 1 : fitting;
    const long long groups = (rows + many - 1) / many;

    CUPRIC_EACH_BLOCK (piece, down * across * groups) {
        const long long c0 = piece % across * wide,
                        i0 = piece / across % down * OUTPUTS;
        const long long r0 = piece / across / down * many;
        const int count = (int)(m - i0 < OUTPUTS ? m - i0 : OUTPUTS);
        const int rows_here = (int)(rows - r0 < many ? rows - r0 : many);
        __syncthreads(); /* the taps of the piece before have been used */
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            t.make(i, (double)(i0 + i), n, inner, shift, zoom, grid, pad, mode, around,
                   order);
        __syncthreads();
        for (int e = threadIdx.x; e < rows_here * count * wide; e += blockDim.x) {
            const int line = (unsigned)e / (unsigned)wide, c = e - line * wide;
            const int r = (unsigned)line / (unsigned)count, i = line - r * count;
            if (c0 + c >= inner) continue;
            const W *from = x + (r0 + r) * n * inner + c0 + c;
            const W lost = t.lost[i];
            W s = W(0);
            if (lost != 1) {
                for (int j = 0; j <= order; j++)
                    s = add_product(s, t.w[j][i], from[t.at[j][i]]);
            }
            if (lost != 0) s = add_product(s, lost, (c0 + c) & 1 ? odd : even);
            y[((r0 + r) * m + i0 + i) * inner + c0 + c] = s;
        }
    }
#endif
}
