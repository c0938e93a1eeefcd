/* _spline_filter.cuh: coefficients of B-splines from samples.
 *
 * W is what is computed in, float or double; complex numbers are two of them, along a last
 * axis.
 */
#include "../_boundary.cuh"

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
