/* _ranks.host.hpp: extrema of a line, of neighbouring columns and of a row, by plain loops.
 */
template <class T>
__global__ void
extremum_line(const T *x, T *y, extremum_axis p, extremum_numbers o)
{
    const long long length = p.n * p.inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int reach = (int)((p.size - 1) * p.inner);
    const T outside = constant_of<T>(o);

    T line[SEGMENT + MOST_REACH + 8], next[SEGMENT + MOST_REACH + 8];

    CUPRIC_EACH_BLOCK (piece, p.rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const T *row = x + piece / segments * length;
        T *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - p.before * p.inner;
        const int all = count + reach;
        int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
        int end = length - start < all ? (int)(length - start) : all;
        if (end < inside) end = inside;
        const T *from = row + start;
        for (int j = inside; j < end; j++) line[j] = ordered(from[j], o.flip);
        for (int j = 0; j < all; j++) {
            if (j == inside) j = end;
            if (j == all) break;
            line[j] = ordered(
                row_element(row, start + j, p.n, p.inner, p.mode, outside), o.flip);
        }
        T *a = line, *b = next;
        int width = 1, valid = all;
        for (; 2 * width <= (int)p.size; width *= 2) {
            const T *__restrict__ one = a, *__restrict__ two = a + width * (int)p.inner;
            T *__restrict__ made = b;
            valid -= width * (int)p.inner;
            for (int j = 0; j < valid; j++) made[j] = larger(one[j], two[j]);
            b = a;
            a = made;
        }
        const T *one = a, *two = a + ((int)p.size - width) * (int)p.inner;
        for (int j = 0; j < count; j++)
            out[j] = ordered(larger(one[j], two[j]), o.flip);
    }
}

/* Of GPUs alone. */
template <class T>
__global__ void
extremum_tile(const T *x, T *y, const window_sizes s, long long pieces, int size,
              extremum_numbers o)
{
}

template <class T>
__global__ void
extremum_columns(const T *x, T *y, extremum_axis p, extremum_numbers o)
{
    const T outside = constant_of<T>(o);

    const long long down = (p.n + p.size - 1) / p.size;
    const long long across = (p.inner + COLUMNS - 1) / COLUMNS;
    T held[COLUMNS];

    CUPRIC_EACH_BLOCK (piece, p.rows * across * down) {
        const long long i0 = piece % down * p.size, c = piece / down % across * COLUMNS;
        const long long at = piece / down / across * p.n * p.inner + c;
        const int count = (int)(p.inner - c < COLUMNS ? p.inner - c : COLUMNS);
        const long long outputs = p.n - i0 < p.size ? p.n - i0 : p.size;
        for (long long m = p.size; m-- > 0;) {
            const long long i = boundary(i0 + m - p.before, p.n, p.mode);
            const T *a = x + at + i * p.inner;
            if (m == p.size - 1) {
                for (int j = 0; j < count; j++)
                    held[j] = ordered(i < 0 ? outside : a[j], o.flip);
            } else if (i < 0) {
                const T v = ordered(outside, o.flip);
                for (int j = 0; j < count; j++) held[j] = larger(held[j], v);
            } else {
                for (int j = 0; j < count; j++)
                    held[j] = larger(held[j], ordered(a[j], o.flip));
            }
            if (m >= outputs) continue;
            T *out = y + at + (i0 + m) * p.inner;
            for (int j = 0; j < count; j++) out[j] = ordered(held[j], o.flip);
        }
        for (long long m = 1; m < outputs; m++) {
            const long long i = boundary(i0 + m + p.size - 1 - p.before, p.n, p.mode);
            const T *a = x + at + i * p.inner;
            if (m == 1) {
                for (int j = 0; j < count; j++)
                    held[j] = ordered(i < 0 ? outside : a[j], o.flip);
            } else if (i < 0) {
                const T v = ordered(outside, o.flip);
                for (int j = 0; j < count; j++) held[j] = larger(held[j], v);
            } else {
                for (int j = 0; j < count; j++)
                    held[j] = larger(held[j], ordered(a[j], o.flip));
            }
            T *out = y + at + (i0 + m) * p.inner;
            for (int j = 0; j < count; j++) {
                out[j] = ordered(larger(held[j], ordered(out[j], o.flip)), o.flip);
            }
        }
    }
}

template <class T>
__global__ void
extremum_scan(const T *x, T *y, extremum_axis p, extremum_numbers o)
{
    const T outside = constant_of<T>(o);
    const long long chunks = (p.n + p.size - 1) / p.size;

    CUPRIC_EACH_BLOCK (piece, p.rows * p.inner * chunks) {
        const long long column = piece / chunks, i0 = piece % chunks * p.size;
        const long long at = column / p.inner * p.n * p.inner + column % p.inner;
        const T *from = x + at;
        T *out = y + at + i0 * p.inner;
        const long long start = i0 - p.before;
        const long long outputs = p.n - i0 < p.size ? p.n - i0 : p.size;
        T held = T(0);
        for (long long m = p.size; m-- > 0;) {
            const long long i = boundary(start + m, p.n, p.mode);
            const T v = ordered(i < 0 ? outside : from[i * p.inner], o.flip);
            held = m == p.size - 1 ? v : larger(held, v);
            if (m < outputs) out[m * p.inner] = ordered(held, o.flip);
        }
        for (long long m = 1; m < outputs; m++) {
            const long long i = boundary(start + m + p.size - 1, p.n, p.mode);
            const T v = ordered(i < 0 ? outside : from[i * p.inner], o.flip);
            held = m == 1 ? v : larger(held, v);
            T *own = out + m * p.inner;
            *own = ordered(larger(held, ordered(*own, o.flip)), o.flip);
        }
    }
}

template <class T, int STRUCTURE>
__global__ void
extremum_window(const T *x, const long long *taps, const T *weights, T *y,
                const window_sizes s, long long rows, long long count,
                extremum_numbers o)
{
    const int last = s.ndim - 1, mode = s.mode[last];
    const long long n = s.shape[last], chunks = (n + CHUNK - 1) / CHUNK;
    const T raw_outside = constant_of<T>(o);

    T best[CHUNK];

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * CHUNK;
        const int m = (int)(n - c < CHUNK ? n - c : CHUNK);
        for (long long k = 0; k < count; k++) {
            const window_tap t = tap_of(taps[k], s, row);
            const T w = STRUCTURE ? weights[k] : T(0);
            const auto made = [&](T v) {
                v = ordered(v, o.flip);
                if constexpr (STRUCTURE != FLAT)
                    v = added<T, STRUCTURE>(v, w, k == 0, o.flip);
                return v;
            };
            const T *from = t.row < 0 ? nullptr : x + t.row * n;
            if (k == 0) {
                each_of_row(from, c + t.shift, m, n, mode, raw_outside,
                            [&](int j, T v) { best[j] = made(v); });
            } else {
                each_of_row(from, c + t.shift, m, n, mode, raw_outside,
                            [&](int j, T v) { best[j] = larger(best[j], made(v)); });
            }
        }
        T *out = y + row * n + c;
        for (int j = 0; j < m; j++) out[j] = ordered(best[j], o.flip);
    }
}
