/* _points.host.hpp: POINTS points of a row at a time, whose coordinates and weights are found
 * by loops that are vectorised.
 */

enum { POINTS = 64 };

/* Points of a row: the image's number, those of the row's first point and of the first of
 * these in the result, and its index along the row. */
template <int N>
struct row_part {
    long long image, number, first;
    double k[N]; /* indices of the row, along the other axes */
    int count;

    row_part(long long piece, const point_sizes<N> &s)
    {
        const long long length = s.m[N - 1], across = (length + POINTS - 1) / POINTS;
        const long long rows = s.points / length, row = piece / across;
        long long rest = row % rows;
        first = piece % across * POINTS;
        image = row / rows, number = rest * length + first;
        count = (int)(length - first < POINTS ? length - first : POINTS);
        for (int d = N - 2; d >= 0; d--) {
            k[d] = (double)(rest % s.m[d]);
            rest /= s.m[d];
        }
    }
};

template <class T>
inline void
listed_coordinates(double *to, const T *from, int count, double pad)
{
    for (int p = 0; p < count; p++) to[p] = (double)from[p] + pad;
}

/* The coordinates of points along axis d. */
template <int N>
inline void
axis_coordinates(double *to, int d, const row_part<N> &part, const point_map &map,
                 const void *list, long long points, double pad)
{
    const long long listed = d * points + part.number;
    const int e = d < 3 ? d : 0;

    if (map.kind == SINGLES) {
        listed_coordinates(to, (const float *)list + listed, part.count, pad);
    } else if (N > 3 || map.kind == DOUBLES) {
        listed_coordinates(to, (const double *)list + listed, part.count, pad);
    } else if (map.kind == AFFINE) {
        double begin = map.b[e];
        for (int l = 0; l < N - 1 && l < 3; l++) begin += part.k[l] * map.a[e][l];
        const double step = map.a[e][N <= 3 ? N - 1 : 0];
        for (int p = 0; p < part.count; p++)
            to[p] = begin + (double)(part.first + p) * step + pad;
    } else {
        const double before = map.kind == ZOOM ? map.b[e] : 0.5, scale = map.a[e][e];
        const double after = map.kind == ZOOM ? 0 : -0.5;
        for (int p = 0; p < part.count; p++) {
            const double i = d == N - 1 ? (double)(part.first + p) : part.k[d];
            to[p] = (i + before) * scale + after + pad;
        }
    }
}

template <class X, class W, int N, int T, int D>
struct point_taps {
    static inline W sum(const X *x, const W (&w)[N][T][POINTS], int p,
                        const long long *stride)
    {
        W s = W(0);
        for (int j = 0; j < T; j++) {
            s += w[D][j][p] *
                 point_taps<X, W, N, T, D + 1>::sum(x + j * stride[D], w, p, stride);
        }
        return s;
    }
};
template <class X, class W, int N, int T>
struct point_taps<X, W, N, T, N> {
    static inline W sum(const X *x, const W (&)[N][T][POINTS], int, const long long *)
    {
        return W(*x);
    }
};

/* Whether all taps of points lie inside. */
template <class W, int N>
inline bool
all_inside(const double (&c)[N][POINTS], const image<W, N, long long> &g, int count,
           int order)
{
    const int odd = order & 1;
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
    return true;
}

/* Values of up to POINTS points all of whose taps lie inside: false where some do not. */
template <int T, class X, class W, class Y, int N>
inline bool
inside_values(const X *x, Y *y, const double (&c)[N][POINTS],
              const image<W, N, long long> &g, int count, long long inner)
{
    const int order = T - 1, odd = order & 1;
    W w[N][T][POINTS];
    long long at[POINTS];

    if (!all_inside<W, N>(c, g, count, order)) return false;
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
                point_taps<X, W, N, T, 0>::sum(x + at[p] + j, w, p, g.stride));
    }
    return true;
}

template <class X, class W, class Y, class I, int N, int ORDER>
__global__ void
interpolate(const X *x, Y *y, const void *coordinates, const long long *lengths,
            point_image p, point_map map, point_cut cut)
{
    if (sizeof(I) > sizeof(int)) return; /* which is for GPUs */
    image<W, N, long long> g;
    const point_sizes<N> s = read_image(p, lengths, g);
    const long long across = (s.m[N - 1] + POINTS - 1) / POINTS;
    double c[N][POINTS];

    CUPRIC_EACH_BLOCK (piece, p.outer * (s.points / s.m[N - 1]) * across) {
        const row_part<N> part(piece, s);
        for (int d = 0; d < N; d++)
            axis_coordinates<N>(c[d], d, part, map, coordinates, s.points,
                                (double)p.pad);
        const X *from = x + part.image * s.size;
        Y *to = y + (part.image * s.points + part.number) * p.inner;
        const bool inside =
            p.order == ORDER
                ? inside_values<ORDER + 1>(from, to, c, g, part.count, p.inner)
                : inside_values<ORDER>(from, to, c, g, part.count, p.inner);
        for (int i = 0; i < part.count && !inside; i++) {
            double one[N];
            for (int d = 0; d < N; d++) one[d] = c[d][i];
            point_values<X, W, Y, N, ORDER>(from, to + i * p.inner, one, g,
                                            (int)p.inner, 1, 0);
        }
    }
}
