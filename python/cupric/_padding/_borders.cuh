enum { CONSTANT, EDGE, WRAP, SYMMETRIC, REFLECT }; /* of _borders.py */

/* Where an element i places from the first of n comes from: a place among them, or -1. */
__device__ inline long long
source_of(long long i, long long n, int mode)
{
    if (i >= 0 && i < n) return i;
    if (mode == CONSTANT) return -1;
    if (mode == EDGE) return i < 0 ? 0 : n - 1;
    if (mode == REFLECT && n == 1) return 0;
    const long long period = mode == WRAP ? n : mode == SYMMETRIC ? 2 * n : 2 * n - 2;
    const long long rest = i % period, place = rest < 0 ? rest + period : rest;
    return place < n ? place : (mode == SYMMETRIC ? 2 * n - 1 : 2 * n - 2) - place;
}

/* out, (m0, ..., m3), is x with borders, of b0, ..., b3 elements before it. Of `pieces`: on a
 * GPU an element each; on the host up to `run` of a row. */
template <class T>
__global__ void
bordered(View<T, 4> x, T *out, long long pieces, long long run, int mode, T value,
         long long m0, long long m1, long long m2, long long m3, long long b0,
         long long b1, long long b2, long long b3)
{
    const long long n = x.shape()[3], step = x.strides()[3];
#if defined(CUPRIC_HOST)
    const long long runs = (m3 + run - 1) / run;
#endif
    CUPRIC_EACH (piece, pieces) {
#if defined(CUPRIC_HOST)
        const long long row = cupric::quotient(piece, runs);
#else
        const long long row = cupric::quotient(piece, m3);
#endif
        const long long two = cupric::quotient(row, m2),
                        one = cupric::quotient(two, m1);
        const cupric::extent at[] = {source_of(one - b0, x.shape()[0], mode),
                                     source_of(two - one * m1 - b1, x.shape()[1], mode),
                                     source_of(row - two * m2 - b2, x.shape()[2], mode),
                                     0};
        const bool outside = at[0] < 0 || at[1] < 0 || at[2] < 0;
        const char *p = outside ? 0 : (const char *)&x[at];
#if defined(CUPRIC_HOST)
        const long long begin = (piece - row * runs) * run;
        const long long end = begin + run < m3 ? begin + run : m3;
        T *y = out + row * m3;
        if (outside) {
            for (long long j = begin; j < end; j++) y[j] = value;
            continue;
        }
        const long long from = begin > b3 ? begin : b3 < end ? b3 : end;
        const long long to = end < b3 + n ? end : b3 + n > from ? b3 + n : from;
        for (long long j = begin; j < from; j++) {
            const long long k = source_of(j - b3, n, mode);
            y[j] = k < 0 ? value : *(const T *)(p + k * step);
        }
        if (step == (long long)sizeof(T)) {
            const T *middle = (const T *)p - b3;
            if (from < to)
                __builtin_memcpy(y + from, middle + from, (to - from) * sizeof(T));
        } else {
            for (long long j = from; j < to; j++)
                y[j] = *(const T *)(p + (j - b3) * step);
        }
        for (long long j = to; j < end; j++) {
            const long long k = source_of(j - b3, n, mode);
            y[j] = k < 0 ? value : *(const T *)(p + k * step);
        }
#else
        const long long k = source_of(piece - row * m3 - b3, n, mode);
        out[piece] = outside || k < 0 ? value : *(const T *)(p + k * step);
#endif
    }
}
