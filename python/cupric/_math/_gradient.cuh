/* Elements along one axis. */
template <class T>
struct Along {
    const char *first;
    long long step; /* bytes */

    __device__ T operator[](long long i) const
    {
        return *(const T *)(first + i * step);
    }
};

template <class T>
__device__ inline T
central(const T before, const T behind, const T h2)
{
    return T(T(behind - before) / h2);
}

/* The derivative at the first or the last of n samples, h apart: of the first order, or,
 * by three samples, of the second. */
template <class T>
__device__ inline T
at_edge(const Along<T> &x, long long n, bool last, double h, bool second)
{
    if (!second) {
        const T behind = last ? x[n - 1] : x[1], before = last ? x[n - 2] : x[0];
        return T(T(behind - before) / cupric::convert<T>(h));
    }
    const T a = cupric::convert<T>((last ? 0.5 : -1.5) / h);
    const T b = cupric::convert<T>((last ? -2.0 : 2.0) / h);
    const T c = cupric::convert<T>((last ? 1.5 : -0.5) / h);
    const long long i = last ? n - 3 : 0;
    return T(T(T(a * x[i]) + T(b * x[i + 1])) + T(c * x[i + 2]));
}

/* out = the derivative of x, (outer, n, inner), along its second axis. Of `pieces`: on a
 * GPU an element each; on the host a row of `inner` elements, or, where that is 1, up to
 * `run` along the axis. */
template <class T>
__global__ void
gradient(View<T, 3> x, T *out, long long pieces, long long run, double h, bool second)
{
    const long long n = x.shape()[1], inner = x.shape()[2];
    const long long step = x.strides()[1];
    const T h2 = cupric::convert<T>(2.0 * h);

#if defined(CUPRIC_HOST)
    const long long across = x.strides()[2], runs = (n + run - 1) / run;
    CUPRIC_EACH (piece, pieces) {
        if (inner == 1) {
            const long long o = cupric::quotient(piece, runs);
            const long long begin = (piece - o * runs) * run;
            const long long end = begin + run < n ? begin + run : n;
            const cupric::extent at[] = {o, 0, 0};
            const Along<T> line = {(const char *)&x[at], step};
            const long long from = begin ? begin : 1, to = end < n ? end : n - 1;
            T *y = out + o * n;
            if (step == (long long)sizeof(T)) {
                const T *p = (const T *)line.first;
                for (long long i = from; i < to; i++)
                    y[i] = central(p[i - 1], p[i + 1], h2);
            } else {
                for (long long i = from; i < to; i++)
                    y[i] = central(line[i - 1], line[i + 1], h2);
            }
            if (begin == 0) y[0] = at_edge(line, n, false, h, second);
            if (end == n) y[n - 1] = at_edge(line, n, true, h, second);
            continue;
        }
        const long long o = cupric::quotient(piece, n), i = piece - o * n;
        const cupric::extent at[] = {o, 0, 0};
        const char *p = (const char *)&x[at];
        T *y = out + piece * inner;
        if (i == 0 || i == n - 1) {
            for (long long j = 0; j < inner; j++) {
                const Along<T> line = {p + j * across, step};
                y[j] = at_edge(line, n, i > 0, h, second);
            }
        } else if (across == (long long)sizeof(T)) {
            const T *before = (const T *)(p + (i - 1) * step);
            const T *behind = (const T *)(p + (i + 1) * step);
            for (long long j = 0; j < inner; j++)
                y[j] = central(before[j], behind[j], h2);
        } else {
            for (long long j = 0; j < inner; j++) {
                const Along<T> line = {p + j * across, step};
                y[j] = central(line[i - 1], line[i + 1], h2);
            }
        }
    }
#else
    CUPRIC_EACH (e, pieces) {
        const long long row = cupric::quotient(e, inner), j = e - row * inner;
        const long long o = cupric::quotient(row, n), i = row - o * n;
        const cupric::extent at[] = {o, 0, j};
        const Along<T> line = {(const char *)&x[at], step};
        if (i == 0 || i == n - 1)
            out[e] = at_edge(line, n, i > 0, h, second);
        else
            out[e] = central(line[i - 1], line[i + 1], h2);
    }
#endif
}
