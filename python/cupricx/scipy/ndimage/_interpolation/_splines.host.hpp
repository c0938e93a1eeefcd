/* _splines.host.hpp: chunks in memory that stays in the cache, with neighbouring columns, or
 * LANES lines, side by side.
 */

enum { HOST_BYTES = 196608, LANES = 16, LANE_LENGTH = 768 };

/* Both recursions over t rows of v numbers. */
template <class W>
inline void
filter_rows(W *b, int t, int v, W gain, W z1, W z2)
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

template <class W>
inline void
filter_columns(const W *x, W *y, W *memory, const spline_axis &a)
{
    const long long m = a.n + 2 * a.pad, inner = a.inner;
    const W even = (W)a.fill[0], odd = (W)a.fill[1];
    const int warm = a.warm, wide = 512 / sizeof(W), most = HOST_BYTES / 512;
    const long long across = (inner + wide - 1) / wide, high = most - 2 * warm;
    const long long down = (m + high - 1) / high;

    CUPRIC_EACH_BLOCK (piece, a.rows * down * across) {
        const long long c = piece % across * wide, i0 = piece / across % down * high;
        const long long row = piece / across / down;
        const int v = (int)(inner - c < wide ? inner - c : wide);
        const int h = (int)(m - i0 < high ? m - i0 : high), t = h + 2 * warm;
        for (int i = 0; i < t; i++) {
            const long long s = padded(i0 - warm + i, a);
            const W *from = x + (row * a.n + s) * inner + c;
            W *to = memory + (long long)i * v;
            if (s < 0) {
                for (int j = 0; j < v; j++) to[j] = ((c + j) & 1 ? odd : even);
            } else {
                for (int j = 0; j < v; j++) to[j] = from[j];
            }
        }
        filter_rows(memory, t, v, (W)a.gain, (W)a.poles[0], (W)a.poles[1]);
        for (int i = 0; i < h; i++) {
            W *to = y + (row * m + i0 + i) * inner + c;
            const W *from = memory + (long long)(warm + i) * v;
            for (int j = 0; j < v; j++) to[j] = from[j];
        }
    }
}

/* A chunk of a line, t elements of it from i0, which may be outside. */
template <class W>
inline void
read_chunk(const W *from, W *to, long long i0, int t, long long column,
           const spline_axis &a)
{
    const W constant = (W)a.fill[column & 1];

    if (!a.pad && i0 >= 0 && i0 + t <= a.n) {
        from += i0 * a.inner;
        for (int i = 0; i < t; i++) to[i * LANES] = from[i * a.inner];
        return;
    }
    for (int i = 0; i < t; i++) {
        const long long s = padded(i0 + i, a);
        to[i * LANES] = s < 0 ? constant : from[s * a.inner];
    }
}

/* LANES chunks of lines at a time, which need not lie side by side. */
template <class W>
inline void
filter_lines(const W *x, W *y, W *memory, const spline_axis &a)
{
    const long long m = a.n + 2 * a.pad, inner = a.inner;
    const int warm = a.warm;
    const long long high = LANE_LENGTH - 2 * warm, down = (m + high - 1) / high;
    const long long units = a.rows * inner * down;

    CUPRIC_EACH_BLOCK (piece, (units + LANES - 1) / LANES) {
        const int h = (int)(m < high ? m : high), t = h + 2 * warm;
        const int lanes =
            (int)(units - piece * LANES < LANES ? units - piece * LANES : LANES);
        for (int v = 0; v < LANES; v++) {
            const long long unit = piece * LANES + (v < lanes ? v : 0);
            const long long line = unit / down, i0 = unit % down * high - warm;
            const long long row = line / inner, c = line % inner;
            read_chunk(x + row * a.n * inner + c, memory + v, i0, t, c, a);
        }
        filter_rows(memory, t, LANES, (W)a.gain, (W)a.poles[0], (W)a.poles[1]);
        for (int v = 0; v < lanes; v++) {
            const long long unit = piece * LANES + v, line = unit / down;
            const long long i0 = unit % down * high, row = line / inner;
            const int count = (int)(m - i0 < high ? m - i0 : high);
            const W *from = memory + warm * LANES + v;
            W *to = y + (row * m + i0) * inner + line % inner;
            for (int i = 0; i < count; i++) to[i * inner] = from[i * LANES];
        }
    }
}

template <class W>
__global__ void
spline_coefficients(const W *x, W *y, spline_axis a)
{
    W memory[HOST_BYTES / sizeof(W)];

    if (a.inner >= LANES) {
        filter_columns(x, y, memory, a);
    } else {
        filter_lines(x, y, memory, a);
    }
}
