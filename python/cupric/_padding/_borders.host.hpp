/* _borders.host.hpp: a piece is made of runs of elements of rows, of borders and of x. */

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

template <class T>
__global__ void
bordered(View<T, NDIM> x, T *out, T value, border_sizes p)
{
    const long long run = p.run, each = p.each, m1 = p.m[1], m2 = p.m[2], m3 = p.m[3];
    const long long rows = run > m3 ? run / m3 : 1; /* of one plane, in a piece */
    const long long runs = (m3 + run - 1) / run, blocks = (m2 + rows - 1) / rows;
    const border_row<T> border = {x.shape()[3], x.strides()[3], each,
                                  p.b[3],       p.mode,         value};
    const auto place = [&](int d, long long i) {
        return (cupric::extent)source_of<long long>(i, x.shape()[d], p.mode);
    };

    CUPRIC_EACH (piece, p.pieces) {
        const long long block = cupric::quotient(piece, runs);
        const long long plane = cupric::quotient(block, blocks);
        const long long zero = cupric::quotient(plane, m1);
        const long long begin = (piece - block * runs) * run;
        const long long end = begin + run < m3 ? begin + run : m3;
        const long long first = (block - plane * blocks) * rows;
        const long long last = first + rows < m2 ? first + rows : m2;
        const cupric::extent at[] = {place(0, zero - p.b[0]),
                                     place(1, plane - zero * m1 - p.b[1]), 0, 0};
        const char *const plane_of_x =
            at[0] < 0 || at[1] < 0 ? 0 : (const char *)&x[at];
        for (long long two = first; two < last; two++) {
            T *const y = out + (plane * m2 + two) * m3 * each;
            const long long i = plane_of_x ? (long long)place(2, two - p.b[2]) : -1;
            if (i < 0)
                border.fill(y, begin, end);
            else
                border.write(y, plane_of_x + i * x.strides()[2], begin, end);
        }
    }
}
