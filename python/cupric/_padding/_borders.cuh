enum { CONSTANT, EDGE, WRAP, SYMMETRIC, REFLECT }; /* of _borders.py */

/* Whether 0 <= i < n. */
__device__ inline bool
is_within(int i, int n)
{
    return (unsigned)i < (unsigned)n;
}

__device__ inline bool
is_within(long long i, long long n)
{
    return (unsigned long long)i < (unsigned long long)n;
}

/* Where an element i places from the first of n comes from: a place among them, or -1. */
template <class I>
__device__ inline I
source_of(I i, I n, int mode)
{
    if (is_within(i, n)) return i;
    if (mode == CONSTANT) return -1;
    if (mode == EDGE) return i < 0 ? 0 : n - 1;
    if (mode == REFLECT && n == 1) return 0;
    const I period = mode == WRAP ? n : mode == SYMMETRIC ? 2 * n : 2 * n - 2;
    if (i < -period || i >= period) i %= period; /* borders are rarely that wide */
    if (i < 0) i += period;
    return i < n ? i : (mode == SYMMETRIC ? 2 * n - 1 : 2 * n - 2) - i;
}

#if !defined(CUPRIC_HOST)

__device__ inline int
quotient_of(int i, int n)
{
    return (int)((unsigned)i / (unsigned)n);
}

__device__ inline long long
quotient_of(long long i, long long n)
{
    return cupric::quotient(i, n);
}

/* What a thread writes at once: neighbours in the result, which may be of several rows. */
template <class T>
struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) neighbours {
    enum { size = sizeof(T) < 8 ? 4 : 16 / (int)sizeof(T) };
    T item[size];
};

/* Neighbours' places are divided out together, and all of them are read before the first
 * has come. I has room for all places and for the bytes between elements of x. */
template <class I, class T>
__device__ inline void
write_neighbours(const View<T, 4> &x, T *out, long long pieces, int mode, T value, I m0,
                 I m1, I m2, I m3, I b0, I b1, I b2, I b3)
{
    constexpr int SIZE = neighbours<T>::size;
    const I n = (I)x.shape()[3], step = (I)x.strides()[3], size = m0 * m1 * m2 * m3;

    CUPRIC_EACH (piece, pieces) {
        const I first = (I)piece * SIZE;
        I row = quotient_of(first, m3), from[SIZE];
        unsigned within = 0; /* a bit for each that is an element of x */
        for (I j = first - row * m3;; j -= m3, row++) { /* of the first, in the row */
            I two = row, start = 0;
            bool outside = false;
            if (m0 != 1 || m1 != 1) {
                const I rest = quotient_of(row, m2), zero = quotient_of(rest, m1);
                const I i = source_of<I>(zero - b0, (I)x.shape()[0], mode);
                const I k = source_of<I>(rest - zero * m1 - b1, (I)x.shape()[1], mode);
                two -= rest * m2;
                outside = i < 0 || k < 0;
                start = i * (I)x.strides()[0] + k * (I)x.strides()[1];
            }
            two = source_of<I>(two - b2, (I)x.shape()[2], mode);
            outside = outside || two < 0;
            start += two * (I)x.strides()[2];
            if (mode == CONSTANT) {
                start += (j - b3) * step;
#pragma unroll
                for (int e = 0; e < SIZE; e++) {
                    if (!is_within(j - b3 + e, n) || outside) continue;
                    from[e] = start + e * step;
                    within |= 1u << e;
                }
            } else {
#pragma unroll
                for (int e = 0; e < SIZE; e++) {
                    if (!is_within(j + e, m3)) continue;
                    from[e] = start + source_of<I>(j - b3 + e, n, mode) * step;
                    within |= 1u << e;
                }
            }
            if (j + SIZE <= m3) break;
        }
        neighbours<T> made;
#pragma unroll
        for (int e = 0; e < SIZE; e++) {
            made.item[e] = value;
            if (within >> e & 1)
                made.item[e] = *(const T *)((const char *)x.data + from[e]);
        }
        if (first + SIZE <= size) {
            *(neighbours<T> *)(out + first) = made;
        } else {
#pragma unroll
            for (int e = 0; e < SIZE; e++)
                if (first + e < size) out[first + e] = made.item[e];
        }
    }
}

#else

/* What each row of the result has from one of x, on the host. */
template <class T>
struct border_row {
    long long n, step, each, before;
    int mode;
    T value;

    void fill(T *y, long long begin, long long end) const
    {
        for (long long j = begin * each; j < end * each; j++) y[j] = value;
    }

    void take(T *y, const char *row, long long begin, long long end) const
    {
        if (mode == CONSTANT) return fill(y, begin, end);
        for (long long j = begin; j < end; j++) {
            const long long k = source_of<long long>(j - before, n, mode);
            const T *const from = (const T *)(row + k * step);
            for (long long e = 0; e < each; e++) y[j * each + e] = from[e];
        }
    }

    /* Elements [begin, end) of the result's row y, of a row of x. */
    void write(T *y, const char *row, long long begin, long long end) const
    {
        const long long nbytes = each * (long long)sizeof(T);
        const long long from = begin > before ? begin : before < end ? before : end;
        const long long stop = before + n;
        const long long to = end < stop ? end : stop > from ? stop : from;

        take(y, row, begin, from);
        const char *p = row + (from - before) * step;
        if (step == nbytes) {
            copy(y, p, from, to);
        } else if (each == 1) {
            for (long long j = from; j < to; j++, p += step) y[j] = *(const T *)p;
        } else {
            for (long long j = from; j < to; j++, p += step)
                __builtin_memcpy(y + j * each, p, nbytes);
        }
        take(y, row, to, end);
    }

    /* Elements [from, to), which lie densely, to y, in blocks: the C library copies 2 KiB
     * and more by an instruction that some processors run byte by byte where the two lie a
     * few bytes apart, modulo a page, as they do here (src/host/dense_copy.h). It knows how
     * to copy a block then; a loop of blocks whose size the compiler knows does not. */
    void copy(T *y, const char *p, long long from, long long to) const
    {
        const long long most = 1024 / step + 1;
        for (long long j = from; j < to; j += most, p += most * step) {
            const long long count = to - j < most ? to - j : most;
            __builtin_memcpy(y + j * each, p, count * step);
        }
    }
};

#endif

/* out, (m0, ..., m3), is x with borders, of b0, ..., b3 elements before it. Of `pieces`: on a
 * GPU neighbours, on the host up to `run` elements of rows, for each of which there are
 * `each` in memory, side by side. `is_short`: 32 bits have room for all places. */
template <class T>
__global__ void
bordered(View<T, 4> x, T *out, long long pieces, long long run, long long each,
         bool is_short, int mode, T value, long long m0, long long m1, long long m2,
         long long m3, long long b0, long long b1, long long b2, long long b3)
{
#if defined(CUPRIC_HOST)
    const long long rows = run > m3 ? run / m3 : 1; /* of one plane, in a piece */
    const long long runs = (m3 + run - 1) / run, blocks = (m2 + rows - 1) / rows;
    const border_row<T> border = {x.shape()[3], x.strides()[3], each, b3, mode, value};
    const auto place = [&](int d, long long i) {
        return (cupric::extent)source_of<long long>(i, x.shape()[d], mode);
    };

    CUPRIC_EACH (piece, pieces) {
        const long long block = cupric::quotient(piece, runs);
        const long long plane = cupric::quotient(block, blocks);
        const long long zero = cupric::quotient(plane, m1);
        const long long begin = (piece - block * runs) * run;
        const long long end = begin + run < m3 ? begin + run : m3;
        const long long first = (block - plane * blocks) * rows;
        const long long last = first + rows < m2 ? first + rows : m2;
        const cupric::extent at[] = {place(0, zero - b0),
                                     place(1, plane - zero * m1 - b1), 0, 0};
        const char *const p = at[0] < 0 || at[1] < 0 ? 0 : (const char *)&x[at];
        for (long long two = first; two < last; two++) {
            T *const y = out + (plane * m2 + two) * m3 * each;
            const long long i = p ? (long long)place(2, two - b2) : -1;
            if (i < 0)
                border.fill(y, begin, end);
            else
                border.write(y, p + i * x.strides()[2], begin, end);
        }
    }
#else
    (void)run, (void)each;
    if (!is_short)
        write_neighbours<long long>(x, out, pieces, mode, value, m0, m1, m2, m3, b0, b1,
                                    b2, b3);
    else if (mode == CONSTANT)
        write_neighbours<int>(x, out, pieces, CONSTANT, value, m0, m1, m2, m3, b0, b1,
                              b2, b3);
    else
        write_neighbours<int>(x, out, pieces, mode, value, m0, m1, m2, m3, b0, b1, b2,
                              b3);
#endif
}
