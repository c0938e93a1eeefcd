/* _ranks.cuh: the smallest or largest element of a window, along one axis or over several.
 *
 * An output is y[i] = max_k x[i + k - before], k in [0, size), where elements outside come
 * from the mode. `flip` is what makes integers of any sign, and minima, maxima of unsigned
 * integers: bits that are inverted on reading and on writing. Of floating numbers, whether
 * they are negated. A window with a NaN gives NaN.
 */
#include "_ranks.h"
#include "_window.cuh"

template <class T>
__device__ inline T
ordered(T v, long long flip)
{
    return (T)(v ^ (T)flip);
}
template <>
__device__ inline float
ordered(float v, long long flip)
{
    return flip ? -v : v;
}
template <>
__device__ inline double
ordered(double v, long long flip)
{
    return flip ? -v : v;
}

template <class T>
__device__ inline T
larger(T a, T b)
{
    return a > b ? a : b;
}
template <>
__device__ inline float
larger(float a, float b)
{
    return a > b || a != a ? a : b;
}
template <>
__device__ inline double
larger(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* The constant of a mode. */
template <class T>
__device__ inline T
constant_of(const extremum_numbers &o)
{
    return (T)o.bits;
}
template <>
__device__ inline float
constant_of<float>(const extremum_numbers &o)
{
    return (float)o.fill;
}
template <>
__device__ inline double
constant_of<double>(const extremum_numbers &o)
{
    return o.fill;
}

/* ---- along an axis whose elements lie close together ----------------------------------
 *
 * x, y: (rows, n, inner). A piece is SEGMENT elements of a row of n * inner, with those that
 * its windows reach: the line. Windows of 1, 2, 4, ... elements are made of two of half the
 * width; the last two overlap. (size - 1) * inner <= MOST_REACH.
 * Launch: blocks(rows * segments, LINE_THREADS).
 */
template <class T>
__global__ void
__launch_bounds__(LINE_THREADS, 3)
    extremum_line(const T *x, T *y, extremum_axis p, extremum_numbers o)
{
    const long long length = p.n * p.inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int reach = (int)((p.size - 1) * p.inner);
    const T outside = constant_of<T>(o);
    __shared__ __align__(16) char memory[(SEGMENT + MOST_REACH) * sizeof(T)];
    T *const line = (T *)memory;
    const int block = blockDim.x; /* PER_THREAD * LINE_THREADS elements are a line */

    CUPRIC_EACH_BLOCK (piece, p.rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const T *row = x + piece / segments * length;
        T *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - p.before * p.inner;
        T held[PER_THREAD];
        int valid = count + reach;
        __syncthreads(); /* the line of the piece before has been read */
#pragma unroll
        for (int r = 0; r < PER_THREAD; r++) {
            const int j = threadIdx.x + r * block;
            if (j >= valid) continue;
            held[r] = ordered(
                row_element(row, start + j, p.n, p.inner, p.mode, outside), o.flip);
            line[j] = held[r];
        }
        __syncthreads();
        long long width = 1;
        for (; 2 * width <= p.size; width *= 2) {
            const int step = (int)(width * p.inner);
            valid -= step;
#pragma unroll
            for (int r = 0; r < PER_THREAD; r++) {
                const int j = threadIdx.x + r * block;
                if (j < valid) held[r] = larger(held[r], line[j + step]);
            }
            __syncthreads();
#pragma unroll
            for (int r = 0; r < PER_THREAD; r++) {
                const int j = threadIdx.x + r * block;
                if (j < valid) line[j] = held[r];
            }
            __syncthreads();
        }
        const int step = (int)((p.size - width) * p.inner);
#pragma unroll
        for (int r = 0; r < PER_THREAD; r++) {
            const int j = threadIdx.x + r * block;
            if (j < count) out[j] = ordered(larger(held[r], line[j + step]), o.flip);
        }
    }
}

/* The same of windows of QUAD to a few dozen elements, for GPUs: a piece is a tile.
 * Launch: blocks(pieces, TILE_THREADS), shared_mem.
 */
template <class T>
__global__ void
__launch_bounds__(TILE_THREADS, sizeof(T) <= 4 ? 4 : 3)
    extremum_tile(const T *x, T *y, const __grid_constant__ window_sizes s,
                  long long pieces, int size, extremum_numbers o)
{
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<T> tile(tile_memory, s);
    const T outside = ordered(constant_of<T>(o), o.flip);

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, outside,
                  [&](const T &v) { return ordered(v, o.flip); });
        tile.each(s, true, [&](const T *from, long long to, int count) {
            quad<T> found = fold_windows<T>(
                from, size, [](const T &v) { return v; },
                [](T a, T b) { return larger(a, b); });
#pragma unroll
            for (int r = 0; r < QUAD; r++) found.v[r] = ordered(found.v[r], o.flip);
            write_quad(y + to, found, count);
        });
    }
}

/* ---- along an axis whose elements lie far apart ---------------------------------------
 *
 * x, y: (rows, n, inner). After van Herk, and Gil and Werman: the windows of `size` outputs
 * that follow one another all hold one element, and each is what lies before it and what
 * lies behind: maxima that are carried on, first upwards (kept in y), then downwards. A
 * piece is a chunk of outputs of neighbouring columns: of `size` of them, or on a GPU, of
 * DOWN where windows are short. Launch: blocks(work, COLUMN_THREADS).
 */

/* DOWN outputs of a column from `out` on, of windows that are short. */
template <class T>
__device__ inline void
write_short_windows(const T *from, T *out, long long start, long long outputs,
                    T outside, const extremum_axis &p, long long flip)
{
    T best[DOWN];
    each_of_column<T>(
        from, start, (int)p.size, p.n, p.inner, p.mode, ordered(outside, flip),
        [&](const T &v) { return ordered(v, flip); },
        [&](int k, const T *v) {
#pragma unroll
            for (int r = 0; r < DOWN; r++)
                best[r] = k == 0 ? v[r] : larger(best[r], v[r]);
        });
#pragma unroll
    for (int r = 0; r < DOWN; r++) {
        if (r < outputs) out[r * p.inner] = ordered(best[r], flip);
    }
}

/* p.size outputs of a column, or fewer, of windows that all hold one element. */
template <class T>
__device__ inline void
write_chunk(const T *from, T *out, long long start, long long outputs, T outside,
            const extremum_axis &p, long long flip)
{
    const long long n = p.n, inner = p.inner, size = p.size;
    const int mode = p.mode;
    const bool inside = start >= 0 && start + size + outputs - 1 <= n;
    const T *q = from + start * inner;
    T held = T(0);
    q += (size - 1) * inner;
#pragma unroll 4
    for (long long m = size - 1; m >= 0; m--, q -= inner) {
        T v;
        if (inside) {
            v = *q;
        } else {
            const long long i = boundary(start + m, n, mode);
            v = i < 0 ? outside : from[i * inner];
        }
        v = ordered(v, flip);
        held = m == size - 1 ? v : larger(held, v);
        if (m < outputs) out[m * inner] = ordered(held, flip);
    }
    q = from + (start + size) * inner;
#pragma unroll 4
    for (long long m = 1; m < outputs; m++, q += inner) {
        T v;
        if (inside) {
            v = *q;
        } else {
            const long long i = boundary(start + m + size - 1, n, mode);
            v = i < 0 ? outside : from[i * inner];
        }
        v = ordered(v, flip);
        held = m == 1 ? v : larger(held, v);
        out[m * inner] = ordered(larger(held, ordered(out[m * inner], flip)), flip);
    }
}

template <class T>
__global__ void
__launch_bounds__(COLUMN_THREADS, sizeof(T) <= 4 ? 3 : 2)
    extremum_columns(const T *x, T *y, const __grid_constant__ extremum_axis p,
                     extremum_numbers o)
{
    const T outside = constant_of<T>(o);
    const long long n = p.n, inner = p.inner, size = p.size;
    const long long chunk = size > SHORT ? size : DOWN;
    const long long down = (n + chunk - 1) / chunk, columns = p.rows * inner;
    const long long across = (columns + blockDim.x - 1) / blockDim.x;

    CUPRIC_EACH_BLOCK (piece, across * down) {
        const long long layer = cupric::quotient(piece, across), i0 = layer * chunk;
        const long long column = (piece - layer * across) * blockDim.x + threadIdx.x;
        const long long outputs = n - i0 < chunk ? n - i0 : chunk;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, inner);
        const T *from = x + row * n * inner + column - row * inner;
        T *out = y + (from - x) + i0 * inner;
        const long long start = i0 - p.before;
        if (size <= SHORT) {
            write_short_windows(from, out, start, outputs, outside, p, o.flip);
            continue;
        }
        write_chunk(from, out, start, outputs, outside, p, o.flip);
    }
}

/* ---- windows that are longer than a line ------------------------------------------------
 *
 * As `extremum_columns`, but a piece is a chunk of `size` outputs of one column, which a
 * block scans a tile of blockDim.x elements at a time: for few columns, and for those whose
 * elements lie close together. Launch: blocks(rows * inner * chunks, SCAN).
 */

/* The largest of v of this thread and of those before it (after it: REVERSED), and `last`
 * that of all. */
template <bool REVERSED, class T>
__device__ inline T
scan_larger(T v, T *room, T *last)
{
    const int t = REVERSED ? SCAN - 1 - threadIdx.x : threadIdx.x;
    for (int by = 1; by < SCAN; by *= 2) {
        room[t] = v;
        __syncthreads();
        if (t >= by) v = larger(v, room[t - by]);
        __syncthreads();
    }
    room[t] = v;
    __syncthreads();
    *last = room[SCAN - 1];
    __syncthreads();
    return v;
}

template <class T>
__global__ void
extremum_scan(const T *x, T *y, extremum_axis p, extremum_numbers o)
{
    const T outside = constant_of<T>(o);
    const long long chunks = (p.n + p.size - 1) / p.size;
    __shared__ __align__(16) char memory[SCAN * sizeof(T)];
    T *const room = (T *)memory;

    CUPRIC_EACH_BLOCK (piece, p.rows * p.inner * chunks) {
        const long long column = piece / chunks, i0 = piece % chunks * p.size;
        const long long at = column / p.inner * p.n * p.inner + column % p.inner;
        const T *from = x + at;
        T *out = y + at + i0 * p.inner;
        const long long start = i0 - p.before;
        const long long outputs = p.n - i0 < p.size ? p.n - i0 : p.size;
        T carried = T(0), last;
        bool has = false;
        for (long long tile = (p.size - 1) / SCAN; tile >= 0; tile--) {
            /* Behind the chunk: its last element again, which changes nothing. */
            const long long m = tile * SCAN + threadIdx.x;
            const long long i =
                boundary(start + (m < p.size ? m : p.size - 1), p.n, p.mode);
            T v = ordered(i < 0 ? outside : from[i * p.inner], o.flip);
            v = scan_larger<true>(v, room, &last);
            if (has) v = larger(v, carried);
            if (m < outputs) out[m * p.inner] = ordered(v, o.flip);
            carried = has ? larger(carried, last) : last;
            has = true;
        }
        has = false;
        for (long long tile = 0; tile * SCAN < outputs - 1; tile++) {
            const long long m = tile * SCAN + threadIdx.x + 1;
            const long long k = (m < outputs ? m : outputs - 1) + p.size - 1;
            const long long i = boundary(start + k, p.n, p.mode);
            T v = ordered(i < 0 ? outside : from[i * p.inner], o.flip);
            v = scan_larger<false>(v, room, &last);
            if (has) v = larger(v, carried);
            T *own = out + m * p.inner;
            /* `*own` was written by another thread, before a barrier. */
            if (m < outputs) *own = ordered(larger(v, ordered(*own, o.flip)), o.flip);
            carried = has ? larger(carried, last) : last;
            has = true;
        }
        __syncthreads();
    }
}

/* ---- over windows of any shape ----------------------------------------------------------
 *
 * x, y: contiguous, of shape s; `taps`: those elements of the window that count, by their
 * numbers in it. With a structure, weights[k] is added to the element of tap k, once in
 * order; in BYTES the sum is modulo 256, but that of the first tap, as SciPy computes on
 * bools. A piece is CHUNK outputs along the last axis: for each tap all of them take
 * elements of one row of x. Launch: blocks(work, WINDOW_THREADS).
 */
template <class T, int STRUCTURE>
__device__ inline T
added(T v, T weight, bool first, long long flip)
{
    v = (T)(v + weight);
    if (STRUCTURE != BYTES || first) return v;
    const T sum = ordered(v, flip);
    return ordered((T)(sum - T(256) * floor(sum / T(256))), flip);
}

template <class T, int STRUCTURE>
__global__ void
__launch_bounds__(WINDOW_THREADS, 6)
    extremum_window(const T *x, const long long *taps, const T *weights, T *y,
                    const __grid_constant__ window_sizes s, long long rows,
                    long long count, extremum_numbers o)
{
    const int last = s.ndim - 1, mode = s.mode[last];
    const long long n = s.shape[last], chunks = (n + CHUNK - 1) / CHUNK;
    const T raw_outside = constant_of<T>(o);

    const T outside = ordered(raw_outside, o.flip);
    __shared__ window_tap some[TAPS];
    __shared__ __align__(16) char memory[(STRUCTURE ? TAPS : 1) * sizeof(T)];
    T *const weight = (T *)memory;

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = cupric::quotient(piece, chunks);
        const long long c = (piece - row * chunks) * CHUNK + threadIdx.x;
        const int b = blockDim.x;
        T best[4];
        for (long long k = 0; k < count; k += TAPS) {
            const int m = (int)(count - k < TAPS ? count - k : TAPS);
            __syncthreads();
            for (int t = threadIdx.x; t < m; t += b) {
                some[t] = tap_of(taps[k + t], s, row);
                if (STRUCTURE) weight[t] = weights[k + t];
            }
            __syncthreads();
            for (int t = 0; t < m; t++) {
                const window_tap tap = some[t];
                const T *from = x + tap.row * n;
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    if (c + r * b >= n) continue;
                    long long i = c + r * b + tap.shift;
                    if (tap.row < 0) {
                        i = -1;
                    } else if (i < 0 || i >= n) {
                        i = boundary(i, n, mode);
                    }
                    T v = i < 0 ? outside : ordered(from[i], o.flip);
                    if constexpr (STRUCTURE != FLAT)
                        v = added<T, STRUCTURE>(v, weight[t], k + t == 0, o.flip);
                    best[r] = k + t == 0 ? v : larger(best[r], v);
                }
            }
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            if (c + r * b < n) y[row * n + c + r * b] = ordered(best[r], o.flip);
        }
    }
}
