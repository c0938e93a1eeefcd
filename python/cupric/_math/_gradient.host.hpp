/* _gradient.host.hpp: rows of `inner` elements, or runs along the axis, are loops without
 * a test of where each element is.
 */

/* A run along the axis of a line of n samples: elements [begin, end). */
template <class T>
inline void
gradient_run(const Along<T> &line, long long n, T *y, long long begin, long long end,
             double h, bool second)
{
    const T h2 = cupric::convert<T>(2.0 * h);
    const long long from = begin ? begin : 1, to = end < n ? end : n - 1;

    if (line.step == (long long)sizeof(T)) {
        const T *p = (const T *)line.first;
        for (long long i = from; i < to; i++) y[i] = central(p[i - 1], p[i + 1], h2);
    } else {
        for (long long i = from; i < to; i++)
            y[i] = central(line[i - 1], line[i + 1], h2);
    }
    if (begin == 0) y[0] = at_edge(line, n, false, h, second);
    if (end == n) y[n - 1] = at_edge(line, n, true, h, second);
}

/* Row i of n, each of `inner` elements `across` bytes apart; rows are `step` apart, the
 * first at p. */
template <class T>
inline void
gradient_row(const char *p, long long i, long long n, T *y, long long inner,
             long long step, long long across, double h, bool second)
{
    const T h2 = cupric::convert<T>(2.0 * h);

    if (i == 0 || i == n - 1) {
        for (long long j = 0; j < inner; j++) {
            const Along<T> line = {p + j * across, step};
            y[j] = at_edge(line, n, i > 0, h, second);
        }
    } else if (across == (long long)sizeof(T)) {
        const T *before = (const T *)(p + (i - 1) * step);
        const T *behind = (const T *)(p + (i + 1) * step);
        for (long long j = 0; j < inner; j++) y[j] = central(before[j], behind[j], h2);
    } else {
        for (long long j = 0; j < inner; j++) {
            const Along<T> line = {p + j * across, step};
            y[j] = central(line[i - 1], line[i + 1], h2);
        }
    }
}

template <class T>
__global__ void
gradient(View<T, 3> x, T *out, double h, gradient_pieces p)
{
    const long long n = x.shape()[1], inner = x.shape()[2];
    const long long step = x.strides()[1], across = x.strides()[2];
    const long long runs = (n + p.run - 1) / p.run;

    CUPRIC_EACH (piece, p.pieces) {
        const long long o = cupric::quotient(piece, inner == 1 ? runs : n);
        const cupric::extent at[] = {o, 0, 0};
        const char *const first = (const char *)&x[at];
        if (inner == 1) {
            const long long begin = (piece - o * runs) * p.run;
            const long long end = begin + p.run < n ? begin + p.run : n;
            gradient_run(Along<T>{first, step}, n, out + o * n, begin, end, h,
                         p.second);
        } else {
            gradient_row(first, piece - o * n, n, out + piece * inner, inner, step,
                         across, h, p.second);
        }
    }
}

template <class R, class T, class X, class P>
inline void
inner_run(const X &x, const P &p, T *y, long long from, long long to)
{
    typedef decltype(p[0] - p[0]) H;
    for (long long i = from; i < to; i++)
        y[i] = shared_out<R>(Shares<H>(p, i), T(x[i - 1]), T(x[i]), T(x[i + 1]));
}

/* gradient_run of samples at places. */
template <class R, class T, class H>
inline void
gradient_run_at(const Along<T> &line, const Along<H> &places, long long n, T *y,
                long long begin, long long end, bool second)
{
    const long long from = begin ? begin : 1, to = end < n ? end : n - 1;

    if (line.step == (long long)sizeof(T) && places.step == (long long)sizeof(H))
        inner_run<R>((const T *)line.first, (const H *)places.first, y, from, to);
    else
        inner_run<R>(line, places, y, from, to);
    if (begin == 0) y[0] = at_edge_of<R>(line, places, n, false, second);
    if (end == n) y[n - 1] = at_edge_of<R>(line, places, n, true, second);
}

/* gradient_row of samples at places. */
template <class R, class T, class H>
inline void
gradient_row_at(const char *first, const Along<H> &places, long long i, long long n,
                T *y, long long inner, long long step, long long across, bool second)
{
    if (i == 0 || i == n - 1) {
        for (long long j = 0; j < inner; j++) {
            const Along<T> line = {first + j * across, step};
            y[j] = at_edge_of<R>(line, places, n, i > 0, second);
        }
        return;
    }
    const Shares<H> s(places, i);
    const char *x0 = first + (i - 1) * step, *x1 = x0 + step, *x2 = x1 + step;
    if (across == (long long)sizeof(T)) {
        for (long long j = 0; j < inner; j++)
            y[j] = shared_out<R>(s, ((const T *)x0)[j], ((const T *)x1)[j],
                                 ((const T *)x2)[j]);
    } else {
        for (long long j = 0; j < inner; j++)
            y[j] = shared_out<R>(s, *(const T *)(x0 + j * across),
                                 *(const T *)(x1 + j * across),
                                 *(const T *)(x2 + j * across));
    }
}

template <class T, class H, class R>
__global__ void
gradient_at(View<T, 3> x, View<H, 1> at, T *out, gradient_pieces p)
{
    const long long n = x.shape()[1], inner = x.shape()[2];
    const long long step = x.strides()[1], across = x.strides()[2];
    const long long runs = (n + p.run - 1) / p.run;
    const Along<H> places = {(const char *)&at[0LL], at.strides()[0]};

    CUPRIC_EACH (piece, p.pieces) {
        const long long o = cupric::quotient(piece, inner == 1 ? runs : n);
        const cupric::extent from[] = {o, 0, 0};
        const char *const first = (const char *)&x[from];
        if (inner == 1) {
            const long long begin = (piece - o * runs) * p.run;
            const long long end = begin + p.run < n ? begin + p.run : n;
            gradient_run_at<R>(Along<T>{first, step}, places, n, out + o * n, begin,
                               end, p.second);
        } else {
            gradient_row_at<R>(first, places, piece - o * n, n, out + piece * inner,
                               inner, step, across, p.second);
        }
    }
}
