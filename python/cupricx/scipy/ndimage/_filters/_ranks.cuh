/* _ranks.cuh: the smallest or largest element of a window, along one axis or over several.
 *
 * An output is y[i] = max_k x[i + k - before], k in [0, size), where elements outside come
 * from the mode. `flip` is what makes integers of any sign, and minima, maxima of unsigned
 * integers: bits that are inverted on reading and on writing. Of floating numbers, whether
 * they are negated. A window with a NaN gives NaN.
 */
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

/* The constant of a mode: a double, or the bits of an integer. */
template <class T>
__device__ inline T
constant_of(double, long long bits)
{
    return (T)bits;
}
template <>
__device__ inline float
constant_of<float>(double value, long long)
{
    return (float)value;
}
template <>
__device__ inline double
constant_of<double>(double value, long long)
{
    return value;
}

/* ---- along an axis whose elements lie close together ----------------------------------
 *
 * x, y: (rows, n, inner). A piece is SEGMENT elements of a row of n * inner, with those that
 * its windows reach: the line. Windows of 1, 2, 4, ... elements are made of two of half the
 * width; the last two overlap. (size - 1) * inner <= MOST_REACH.
 * Launch: blocks(rows * segments, 256).
 */
enum { PER_THREAD = 12 };

template <class T>
__global__ void __launch_bounds__(256, 3)
    extremum_line(const T *x, T *y, long long rows, long long n, long long inner,
                  long long size, long long before, int mode, double fill,
                  long long fill_bits, long long flip)
{
    const long long length = n * inner;
    const long long segments = (length + SEGMENT - 1) / SEGMENT;
    const int reach = (int)((size - 1) * inner);
    const T outside = constant_of<T>(fill, fill_bits);

#if defined(CUPRIC_HOST)
    T line[SEGMENT + MOST_REACH + 8], next[SEGMENT + MOST_REACH + 8];

    CUPRIC_EACH_BLOCK (piece, rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const T *row = x + piece / segments * length;
        T *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - before * inner;
        const int all = count + reach;
        int inside = start < 0 ? (int)(-start < all ? -start : all) : 0;
        int end = length - start < all ? (int)(length - start) : all;
        if (end < inside) end = inside;
        const T *from = row + start;
        for (int j = inside; j < end; j++) line[j] = ordered(from[j], flip);
        for (int j = 0; j < all; j++) {
            if (j == inside) j = end;
            if (j == all) break;
            line[j] =
                ordered(row_element(row, start + j, n, inner, mode, outside), flip);
        }
        T *a = line, *b = next;
        int width = 1, valid = all;
        for (; 2 * width <= (int)size; width *= 2) {
            const T *__restrict__ p = a, *__restrict__ q = a + width * (int)inner;
            T *__restrict__ made = b;
            valid -= width * (int)inner;
            for (int j = 0; j < valid; j++) made[j] = larger(p[j], q[j]);
            b = a;
            a = made;
        }
        const T *p = a, *q = a + ((int)size - width) * (int)inner;
        for (int j = 0; j < count; j++) out[j] = ordered(larger(p[j], q[j]), flip);
    }
#else
    __shared__ __align__(16) char memory[(SEGMENT + MOST_REACH) * sizeof(T)];
    T *const line = (T *)memory;
    const int block = blockDim.x; /* 256: PER_THREAD * 256 elements are a line */

    CUPRIC_EACH_BLOCK (piece, rows * segments) {
        const long long first = piece % segments * SEGMENT;
        const T *row = x + piece / segments * length;
        T *out = y + piece / segments * length + first;
        const int count = (int)(length - first < SEGMENT ? length - first : SEGMENT);
        const long long start = first - before * inner;
        T held[PER_THREAD];
        int valid = count + reach;
        __syncthreads(); /* the line of the piece before has been read */
#pragma unroll
        for (int r = 0; r < PER_THREAD; r++) {
            const int j = threadIdx.x + r * block;
            if (j >= valid) continue;
            held[r] =
                ordered(row_element(row, start + j, n, inner, mode, outside), flip);
            line[j] = held[r];
        }
        __syncthreads();
        long long width = 1;
        for (; 2 * width <= size; width *= 2) {
            const int step = (int)(width * inner);
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
        const int step = (int)((size - width) * inner);
#pragma unroll
        for (int r = 0; r < PER_THREAD; r++) {
            const int j = threadIdx.x + r * block;
            if (j < count) out[j] = ordered(larger(held[r], line[j + step]), flip);
        }
    }
#endif
}

/* The same of windows of QUAD to a few dozen elements, for GPUs: a piece is a tile.
 * Launch: blocks(tiles, TILE_THREADS, shared_mem=).
 */
template <class T>
__global__ void __launch_bounds__(256, sizeof(T) <= 4 ? 4 : 3)
    extremum_tile(const T *x, T *y, const __grid_constant__ window_sizes s,
                  long long pieces, int size, double fill, long long fill_bits,
                  long long flip)
{
#if !defined(CUPRIC_HOST)
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<T> tile(tile_memory, s);
    const T outside = ordered(constant_of<T>(fill, fill_bits), flip);

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        read_tile(tile, x, s, piece, outside,
                  [&](const T &v) { return ordered(v, flip); });
        tile.each(s, true, [&](const T *from, long long to, int count) {
            quad<T> found = fold_windows<T>(
                from, size, [](const T &v) { return v; },
                [](T a, T b) { return larger(a, b); });
#pragma unroll
            for (int r = 0; r < QUAD; r++) found.v[r] = ordered(found.v[r], flip);
            write_quad(y + to, found, count);
        });
    }
#endif
}

/* ---- along an axis whose elements lie far apart ---------------------------------------
 *
 * x, y: (rows, n, inner). After van Herk, and Gil and Werman: the windows of `size` outputs
 * that follow one another all hold one element, and each is what lies before it and what
 * lies behind: maxima that are carried on, first upwards (kept in y), then downwards. A
 * piece is a chunk of outputs of neighbouring columns: of `size` of them, or on a GPU, of
 * DOWN where windows are short. Launch: blocks(pieces, 256).
 */
enum { COLUMNS = 64, SHORT = 24 };

template <class T>
__global__ void __launch_bounds__(256, sizeof(T) <= 4 ? 3 : 2)
    extremum_columns(const T *x, T *y, long long rows, long long n, long long inner,
                     long long size, long long before, int mode, double fill,
                     long long fill_bits, long long flip)
{
    const T outside = constant_of<T>(fill, fill_bits);

#if defined(CUPRIC_HOST)
    const long long down = (n + size - 1) / size;
    const long long across = (inner + COLUMNS - 1) / COLUMNS;
    T held[COLUMNS];

    CUPRIC_EACH_BLOCK (piece, rows * across * down) {
        const long long i0 = piece % down * size, c = piece / down % across * COLUMNS;
        const long long at = piece / down / across * n * inner + c;
        const int count = (int)(inner - c < COLUMNS ? inner - c : COLUMNS);
        const long long outputs = n - i0 < size ? n - i0 : size;
        for (long long m = size; m-- > 0;) {
            const long long i = boundary(i0 + m - before, n, mode);
            const T *a = x + at + i * inner;
            if (m == size - 1) {
                for (int j = 0; j < count; j++)
                    held[j] = ordered(i < 0 ? outside : a[j], flip);
            } else if (i < 0) {
                const T v = ordered(outside, flip);
                for (int j = 0; j < count; j++) held[j] = larger(held[j], v);
            } else {
                for (int j = 0; j < count; j++)
                    held[j] = larger(held[j], ordered(a[j], flip));
            }
            if (m >= outputs) continue;
            T *out = y + at + (i0 + m) * inner;
            for (int j = 0; j < count; j++) out[j] = ordered(held[j], flip);
        }
        for (long long m = 1; m < outputs; m++) {
            const long long i = boundary(i0 + m + size - 1 - before, n, mode);
            const T *a = x + at + i * inner;
            if (m == 1) {
                for (int j = 0; j < count; j++)
                    held[j] = ordered(i < 0 ? outside : a[j], flip);
            } else if (i < 0) {
                const T v = ordered(outside, flip);
                for (int j = 0; j < count; j++) held[j] = larger(held[j], v);
            } else {
                for (int j = 0; j < count; j++)
                    held[j] = larger(held[j], ordered(a[j], flip));
            }
            T *out = y + at + (i0 + m) * inner;
            for (int j = 0; j < count; j++) {
                out[j] = ordered(larger(held[j], ordered(out[j], flip)), flip);
            }
        }
    }
#else
    const long long chunk = size > SHORT ? size : DOWN;
    const long long down = (n + chunk - 1) / chunk, columns = rows * inner;
    const long long across = (columns + blockDim.x - 1) / blockDim.x;

    CUPRIC_EACH_BLOCK (piece, across * down) {
        const long long layer = cupric::quotient(piece, across), i0 = layer * chunk;
        const long long column = (piece - layer * across) * blockDim.x + threadIdx.x;
        const long long outputs = n - i0 < chunk ? n - i0 : chunk;
        if (column >= columns) continue;
        const long long row = cupric::quotient(column, inner);
        const T *from = x + row * n * inner + column - row * inner;
        T *out = y + (from - x) + i0 * inner;
        const long long start = i0 - before;
        if (size <= SHORT) {
            T best[DOWN];
            each_of_column<T>(
                from, start, (int)size, n, inner, mode, ordered(outside, flip),
                [&](const T &v) { return ordered(v, flip); },
                [&](int k, const T *v) {
#pragma unroll
                    for (int r = 0; r < DOWN; r++)
                        best[r] = k == 0 ? v[r] : larger(best[r], v[r]);
                });
#pragma unroll
            for (int r = 0; r < DOWN; r++) {
                if (r < outputs) out[r * inner] = ordered(best[r], flip);
            }
            continue;
        }
        const bool inside = start >= 0 && start + size + outputs - 1 <= n;
        const T *p = from + start * inner;
        T held = T(0);
        p += (size - 1) * inner;
#pragma unroll 4
        for (long long m = size - 1; m >= 0; m--, p -= inner) {
            T v;
            if (inside) {
                v = *p;
            } else {
                const long long i = boundary(start + m, n, mode);
                v = i < 0 ? outside : from[i * inner];
            }
            v = ordered(v, flip);
            held = m == size - 1 ? v : larger(held, v);
            if (m < outputs) out[m * inner] = ordered(held, flip);
        }
        p = from + (start + size) * inner;
#pragma unroll 4
        for (long long m = 1; m < outputs; m++, p += inner) {
            T v;
            if (inside) {
                v = *p;
            } else {
                const long long i = boundary(start + m + size - 1, n, mode);
                v = i < 0 ? outside : from[i * inner];
            }
            v = ordered(v, flip);
            held = m == 1 ? v : larger(held, v);
            out[m * inner] = ordered(larger(held, ordered(out[m * inner], flip)), flip);
        }
    }
#endif
}

/* ---- windows that are longer than a line ------------------------------------------------
 *
 * As `extremum_columns`, but a piece is a chunk of `size` outputs of one column, which a
 * block scans a tile of blockDim.x elements at a time: for few columns, and for those whose
 * elements lie close together. Launch: blocks(rows * inner * chunks, SCAN).
 */
enum { SCAN = 256 };

#if defined(CUPRIC_HOST)
#else
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
#endif

template <class T>
__global__ void
extremum_scan(const T *x, T *y, long long rows, long long n, long long inner,
              long long size, long long before, int mode, double fill,
              long long fill_bits, long long flip)
{
    const T outside = constant_of<T>(fill, fill_bits);
    const long long chunks = (n + size - 1) / size;
#if defined(CUPRIC_HOST)
#else
    __shared__ __align__(16) char memory[SCAN * sizeof(T)];
    T *const room = (T *)memory;
#endif

    CUPRIC_EACH_BLOCK (piece, rows * inner * chunks) {
        const long long column = piece / chunks, i0 = piece % chunks * size;
        const long long at = column / inner * n * inner + column % inner;
        const T *from = x + at;
        T *out = y + at + i0 * inner;
        const long long start = i0 - before;
        const long long outputs = n - i0 < size ? n - i0 : size;
#if defined(CUPRIC_HOST)
        T held = T(0);
        for (long long m = size; m-- > 0;) {
            const long long i = boundary(start + m, n, mode);
            const T v = ordered(i < 0 ? outside : from[i * inner], flip);
            held = m == size - 1 ? v : larger(held, v);
            if (m < outputs) out[m * inner] = ordered(held, flip);
        }
        for (long long m = 1; m < outputs; m++) {
            const long long i = boundary(start + m + size - 1, n, mode);
            const T v = ordered(i < 0 ? outside : from[i * inner], flip);
            held = m == 1 ? v : larger(held, v);
            T *o = out + m * inner;
            *o = ordered(larger(held, ordered(*o, flip)), flip);
        }
#else
        T carried = T(0), last;
        bool has = false;
        for (long long tile = (size - 1) / SCAN; tile >= 0; tile--) {
            /* Behind the chunk: its last element again, which changes nothing. */
            const long long m = tile * SCAN + threadIdx.x;
            const long long i = boundary(start + (m < size ? m : size - 1), n, mode);
            T v = ordered(i < 0 ? outside : from[i * inner], flip);
            v = scan_larger<true>(v, room, &last);
            if (has) v = larger(v, carried);
            if (m < outputs) out[m * inner] = ordered(v, flip);
            carried = has ? larger(carried, last) : last;
            has = true;
        }
        has = false;
        for (long long tile = 0; tile * SCAN < outputs - 1; tile++) {
            const long long m = tile * SCAN + threadIdx.x + 1;
            const long long k = (m < outputs ? m : outputs - 1) + size - 1;
            const long long i = boundary(start + k, n, mode);
            T v = ordered(i < 0 ? outside : from[i * inner], flip);
            v = scan_larger<false>(v, room, &last);
            if (has) v = larger(v, carried);
            T *o = out + m * inner;
            /* `*o` was written by another thread, before a barrier. */
            if (m < outputs) *o = ordered(larger(v, ordered(*o, flip)), flip);
            carried = has ? larger(carried, last) : last;
            has = true;
        }
        __syncthreads();
#endif
    }
}

/* ---- over windows of any shape ----------------------------------------------------------
 *
 * x, y: contiguous, of shape s; `taps`: those elements of the window that count, by their
 * numbers in it. With a structure, weights[k] is added to the element of tap k, once in
 * order; in BYTES the sum is modulo 256, but that of the first tap, as SciPy computes on
 * bools. A piece is CHUNK outputs along the last axis: for each tap all of them take
 * elements of one row of x. Launch: blocks(pieces, 128).
 */
enum { CHUNK = 512, TAPS = 512 };
enum { FLAT, STRUCTURED, BYTES };

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
__global__ void __launch_bounds__(128, 6)
    extremum_window(const T *x, const long long *taps, const T *weights, T *y,
                    const __grid_constant__ window_sizes s, long long rows,
                    long long count, double fill, long long fill_bits, long long flip)
{
    const int last = s.ndim - 1, mode = s.mode[last];
    const long long n = s.shape[last], chunks = (n + CHUNK - 1) / CHUNK;
    const T raw_outside = constant_of<T>(fill, fill_bits);

#if defined(CUPRIC_HOST)
    T best[CHUNK];

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * CHUNK;
        const int m = (int)(n - c < CHUNK ? n - c : CHUNK);
        for (long long k = 0; k < count; k++) {
            const window_tap t = tap_of(taps[k], s, row);
            const T w = STRUCTURE ? weights[k] : T(0);
            const auto made = [&](T v) {
                v = ordered(v, flip);
                if constexpr (STRUCTURE != FLAT)
                    v = added<T, STRUCTURE>(v, w, k == 0, flip);
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
        for (int j = 0; j < m; j++) out[j] = ordered(best[j], flip);
    }
#else
    const T outside = ordered(raw_outside, flip);
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
                    T v = i < 0 ? outside : ordered(from[i], flip);
                    if constexpr (STRUCTURE != FLAT)
                        v = added<T, STRUCTURE>(v, weight[t], k + t == 0, flip);
                    best[r] = k + t == 0 ? v : larger(best[r], v);
                }
            }
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            if (c + r * b < n) y[row * n + c + r * b] = ordered(best[r], flip);
        }
    }
#endif
}
