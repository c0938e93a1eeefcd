/* _splines.cuh: coefficients of B-splines from samples.
 *
 * W is what is computed in, float or double; complex numbers are two of them, along a last
 * axis.
 */
#include "../_boundary.cuh"
#include "_splines.h"

/* The element i of an axis that is made longer by pads on both sides: an index into the n
 * elements there are, or -1 for the constant. */
__device__ inline long long
padded(long long i, const spline_axis &a)
{
    i = boundary(i, a.n + 2 * a.pad, a.mode);
    return a.pad ? boundary(i - a.pad, a.n, a.outside) : i;
}

/* ---- coefficients -----------------------------------------------------------------------
 *
 * Along n the inverse of a B-spline's samples: for each pole z, u[i] = x[i] + z u[i - 1], then
 * y[i] = u[i] + z y[i + 1], all by the gain (Unser, Aldroubi, Eden 1991). The signal goes on
 * beyond its ends as its mode says: so a chunk anywhere begins by `warm` elements before it,
 * from zero, where |z|^warm is less than a rounding error.
 *
 * On a GPU a tile is `many` rows x (warm + parts * each) elements x `wide` columns in shared
 * memory; a thread has `each` elements of a column. Its last `warm` are not results.
 */
enum { TILE_BYTES = 40960, LINE_BYTES = 128, LEAST_EACH = 32 };

/* How tiles lie: what of `high` x `wide` results, rows and columns, is a thread's. */
struct tile_layout {
    int warm, wide, each, parts, length, high, many;
    long long across, down;
};

template <class W>
__device__ inline tile_layout
tile_layout_of(const spline_axis &a, int threads)
{
    const int most = TILE_BYTES / sizeof(W), widest = LINE_BYTES / sizeof(W);
    const long long m = a.n + 2 * a.pad;
    const int warm = a.warm;
    tile_layout t;

    t.warm = warm;
    t.wide = (int)(a.inner < widest ? a.inner : widest);
    const int most_parts = threads / t.wide;
    const int most_each = (((most / t.wide - warm) / most_parts) - 1) | 1;
    long long each_part = (m + warm + most_parts - 1) / most_parts;
    if (each_part < LEAST_EACH) each_part = LEAST_EACH;
    /* odd, so that threads of a warp meet in no bank */
    t.each = (int)(each_part > most_each ? most_each : each_part | 1);
    const long long needed = (m + warm + t.each - 1) / t.each;
    t.parts = (int)(needed < most_parts ? needed : most_parts);
    t.length = warm + t.parts * t.each;
    t.high = t.parts * t.each - warm;
    t.many = threads / (t.wide * t.parts);
    if (t.many > most / (t.wide * t.length)) t.many = most / (t.wide * t.length);
    t.across = (a.inner + t.wide - 1) / t.wide;
    t.down = (m + t.high - 1) / t.high;
    return t;
}

/* Where a tile's results begin, and its rows. */
struct tile_place {
    long long column, first, row;
    int rows;
};

__device__ inline tile_place
tile_place_of(long long piece, const tile_layout &t, const spline_axis &a)
{
    const long long row = piece / t.across / t.down * t.many;
    return {piece % t.across * t.wide, piece / t.across % t.down * t.high, row,
            (int)(a.rows - row < t.many ? a.rows - row : t.many)};
}

/* x, with what is around its results, as a tile. */
template <class W>
__device__ inline void
read_tile(const W *x, W *tile, const tile_place &p, const tile_layout &t,
          const spline_axis &a, W even, W odd)
{
    const bool within =
        a.pad == 0 && p.first >= t.warm && p.first - t.warm + t.length <= a.n;

    for (int q = 0; q < p.rows; q++) {
        const W *from = x + (p.row + q) * a.n * a.inner + p.column;
        W *to = tile + q * t.length * t.wide;
        for (int e = threadIdx.x; e < t.length * t.wide; e += blockDim.x) {
            const int i = (unsigned)e / (unsigned)t.wide, j = e - i * t.wide;
            if (p.column + j >= a.inner) continue;
            long long s = p.first - t.warm + i;
            if (!within) s = padded(s, a);
            to[e] = s < 0 ? ((p.column + j) & 1 ? odd : even) : from[s * a.inner + j];
        }
    }
}

/* The results of a tile. */
template <class W>
__device__ inline void
write_tile(const W *tile, W *y, const tile_place &p, const tile_layout &t,
           const spline_axis &a)
{
    const long long m = a.n + 2 * a.pad;
    const int count = (int)(m - p.first < t.high ? m - p.first : t.high) * t.wide;

    for (int q = 0; q < p.rows; q++) {
        W *to = y + ((p.row + q) * m + p.first) * a.inner + p.column;
        const W *from = tile + (q * t.length + t.warm) * t.wide;
        for (int e = threadIdx.x; e < count; e += blockDim.x) {
            const int i = (unsigned)e / (unsigned)t.wide, j = e - i * t.wide;
            if (p.column + j < a.inner) to[i * a.inner + j] = from[e];
        }
    }
}

/* Both recursions forwards, then both backwards, over the elements of a thread from `mine`,
 * from zero `warm` elements before them; `ahead` elements lie behind them. All threads of a
 * block take part. */
template <class W>
__device__ inline void
recursions(W *mine, const tile_layout &t, int ahead, bool works, W gain, W z1, W z2)
{
    const int wide = t.wide, each = t.each;
    W u = 0, w = 0;

    if (works) {
#pragma unroll 4
        for (int i = -t.warm; i < 0; i++) {
            u = add_product(gain * mine[i * wide], z1, u);
            w = add_product(u, z2, w);
        }
    }
    __syncthreads();
    if (works) {
#pragma unroll 4
        for (int i = 0; i < each; i++) {
            u = add_product(gain * mine[i * wide], z1, u);
            w = add_product(u, z2, w);
            mine[i * wide] = w;
        }
    }
    __syncthreads();
    u = w = 0;
    if (works) {
        const int end = each + (ahead < t.warm ? ahead : t.warm);
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
}

/* Launch: blocks(any, FLOAT_THREADS, of double half as many). */
template <class W>
__global__ void
spline_coefficients(const W *x, W *y, const __grid_constant__ spline_axis a)
{
    __shared__ W tile[TILE_BYTES / sizeof(W)];
    const tile_layout t = tile_layout_of<W>(a, blockDim.x);
    const int c = threadIdx.x % t.wide, part = threadIdx.x / t.wide % t.parts;
    const int r = threadIdx.x / t.wide / t.parts;
    W *const mine = tile + (r * t.length + t.warm + part * t.each) * t.wide + c;
    const int ahead = part + 1 < t.parts ? (t.parts - 1 - part) * t.each : 0;
    const long long groups = (a.rows + t.many - 1) / t.many;

    CUPRIC_EACH_BLOCK (piece, groups * t.down * t.across) {
        const tile_place p = tile_place_of(piece, t, a);
        __syncthreads(); /* the tile of the piece before has been written */
        read_tile(x, tile, p, t, a, (W)a.fill[0], (W)a.fill[1]);
        __syncthreads();
        const bool works = r < p.rows && p.column + c < a.inner;
        recursions(mine, t, ahead, works, (W)a.gain, (W)a.poles[0], (W)a.poles[1]);
        __syncthreads();
        write_tile(tile, y, p, t, a);
    }
}
