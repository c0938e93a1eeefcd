/* Tiles of TILE sums, which go along the spectra together. */
template <class T>
__global__ void
sum_products(const complex<T> *x, const complex<T> *y, double *sums, average_sizes s,
             long long total)
{
    CUPRIC_EACH_BLOCK (b, total) {
        const long long chunk = b / s.tiles, first = (b - chunk * s.tiles) * TILE;
        const long long row = chunk / s.chunks, part = chunk - row * s.chunks;
        const long long from = part * s.chunk;
        const long long to = from + s.chunk < s.segments ? from + s.chunk : s.segments;
        const long long count = first + TILE < s.m ? TILE : s.m - first;
        products_of_spectra *out = (products_of_spectra *)sums + chunk * s.m + first;
        for (long long j = 0; j < count; j++) out[j] = products_of_spectra{0, 0, 0, 0};
        for (long long k = from; k < to; k++) {
            const long long at = (row * s.segments + k) * s.m + first;
            for (long long j = 0; j < count; j++) out[j].add(x, y, at + j, s.products);
        }
    }
}

/* In four sums, which do not wait for each other. */
template <class A, class T>
__device__ inline line<A>
line_of(const T *x, long long begin, const segment_sizes &s)
{
    line<A> found = {A(0), A(0), 0.5 * (double)(s.points - 1)};
    if (s.trend == NO_TREND) return found;
    A sum[4] = {A(0), A(0), A(0), A(0)}, moment[4] = {A(0), A(0), A(0), A(0)};
    const bool is_inside = begin >= 0 && begin + s.points <= s.n;
    for (long long k = 0; k < s.points; k += 4) {
        for (long long j = k; j < k + 4 && j < s.points; j++) {
            const A value = (A)(is_inside ? x[begin + j] : element(x, begin + j, s));
            sum[j - k] += value;
            if (s.trend == LINEAR)
                moment[j - k] += scaled((double)j - found.middle, value);
        }
    }
    const double points = (double)s.points;
    found.mean = scaled(1 / points, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (s.trend == LINEAR && s.points > 1) {
        const double squares = points * (points * points - 1) / 12;
        found.slope =
            scaled(1 / squares, (moment[0] + moment[1]) + (moment[2] + moment[3]));
    }
    return found;
}

/* A stretch of a segment. */
template <class T, class W, class A>
inline void
add_stretch(const T *x, const W *w, A *sums, double *norms, long long count)
{
    for (long long i = 0; i < count; i++) {
        sums[i] += (A)times(x[i], w[i]);
        const double re = re_of(w[i]), im = im_of(w[i]);
        norms[i] += re * re + im * im;
    }
}

/* A tile of sums, to which the segments are added one after the other. */
template <class T, class W, class A>
__global__ void
overlap_add(const T *x, const W *w, T *y, overlap_sizes s, long long total)
{
    A sums[OVERLAP];
    double norms[OVERLAP];
    CUPRIC_EACH_BLOCK (b, total) {
        const long long row = b / s.tiles, begin = (b - row * s.tiles) * OVERLAP;
        const long long end = begin + OVERLAP < s.n ? begin + OVERLAP : s.n;
        for (long long i = 0; i < end - begin; i++) {
            sums[i] = A(0);
            norms[i] = 0;
        }
        const segment_range range(s, begin, end);
        for (long long k = range.first; k < range.end; k++) {
            const long long origin = s.first + k * s.step;
            const long long from = origin > begin ? origin : begin;
            const long long to = origin + s.points < end ? origin + s.points : end;
            /* Up to the element where a rolled segment begins anew, and from there. */
            const long long middle = origin + s.shift;
            const long long cut = middle < from ? from : middle > to ? to : middle;
            const T *segment = x + (row * s.segments + k) * s.length - origin - s.shift;
            add_stretch(segment + s.length + from, w + (from - origin),
                        sums + (from - begin), norms + (from - begin), cut - from);
            add_stretch(segment + cut, w + (cut - origin), sums + (cut - begin),
                        norms + (cut - begin), to - cut);
        }
        for (long long i = 0; i < end - begin; i++) {
            const A sum = norms[i] > s.least ? scaled(1 / norms[i], sums[i]) : sums[i];
            y[row * s.n + begin + i] = (T)sum;
        }
    }
}
