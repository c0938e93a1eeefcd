/* _gradient.cuh: derivatives along an axis, by differences of samples. */
#include "_gradient.h"

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

/* out = the derivative of x, (outer, n, inner), along its second axis; 2 h is rounded to T.
 * Launch: elements(p.pieces), an element each. */
template <class T>
__global__ void
gradient(View<T, 3> x, T *out, double h, gradient_pieces p)
{
    const long long n = x.shape()[1], inner = x.shape()[2];
    const long long step = x.strides()[1];
    const T h2 = cupric::convert<T>(2.0 * h);

    CUPRIC_EACH (e, p.pieces) {
        const long long row = cupric::quotient(e, inner), j = e - row * inner;
        const long long o = cupric::quotient(row, n), i = row - o * n;
        const cupric::extent at[] = {o, 0, j};
        const Along<T> line = {(const char *)&x[at], step};
        if (i == 0 || i == n - 1)
            out[e] = at_edge(line, n, i > 0, h, p.second);
        else
            out[e] = central(line[i - 1], line[i + 1], h2);
    }
}

/* The derivative in the middle of three samples, at p[i - 1], p[i] and p[i + 1], is the sum
 * of their products with these. Places are of H, and R holds products of H and samples. */
template <class H>
struct Shares {
    H a, b, c;

    __device__ Shares() {}
    template <class P>
    __device__ Shares(const P &p, long long i)
    {
        const H h1 = H(p[i] - p[i - 1]), h2 = H(p[i + 1] - p[i]);
        const H both = H(h1 + h2);
        a = H(-h2 / H(h1 * both));
        b = H(H(h2 - h1) / H(h1 * h2));
        c = H(h1 / H(h2 * both));
    }
};

template <class R, class H, class T>
__device__ inline T
shared_out(const Shares<H> &s, const T x0, const T x1, const T x2)
{
    using cupric::convert;
    const R a = convert<R>(s.a), b = convert<R>(s.b), c = convert<R>(s.c);
    return convert<T>(
        R(R(R(a * convert<R>(x0)) + R(b * convert<R>(x1))) + R(c * convert<R>(x2))));
}

/* The derivative at the first or the last of n samples: of the first order, or, by three
 * samples, of the second. `near` is the gap at the edge. */
template <class R, class T, class H>
__device__ inline T
at_edge_of(const Along<T> &x, const Along<H> &p, long long n, bool last, bool second)
{
    using cupric::convert;
    const long long i = last ? n - 2 : 0;
    const H near = H(p[i + 1] - p[i]);
    if (!second)
        return convert<T>(R(convert<R>(T(x[i + 1] - x[i])) / convert<R>(near)));
    const long long k = last ? n - 3 : 1;
    const H next = H(p[k + 1] - p[k]), both = H(near + next);
    const H sign = last ? H(-1) : H(1);
    Shares<H> s;
    const H outer = H(sign * H(-H(H(2) * near + next) / H(near * both)));
    s.b = H(sign * H(both / H(near * next)));
    const H inner = H(sign * H(-near / H(next * both)));
    s.a = last ? inner : outer;
    s.c = last ? outer : inner;
    const long long first = last ? n - 3 : 0;
    return shared_out<R>(s, x[first], x[first + 1], x[first + 2]);
}

/* As gradient, of samples at the places. Launch: elements(p.pieces), an element each. */
template <class T, class H, class R>
__global__ void
gradient_at(View<T, 3> x, View<H, 1> at, T *out, gradient_pieces p)
{
    const long long n = x.shape()[1], inner = x.shape()[2];
    const long long step = x.strides()[1];
    const Along<H> places = {(const char *)&at[0LL], at.strides()[0]};

    CUPRIC_EACH (e, p.pieces) {
        const long long row = cupric::quotient(e, inner), j = e - row * inner;
        const long long o = cupric::quotient(row, n), i = row - o * n;
        const cupric::extent first[] = {o, 0, j};
        const Along<T> line = {(const char *)&x[first], step};
        if (i == 0 || i == n - 1)
            out[e] = at_edge_of<R>(line, places, n, i > 0, p.second);
        else
            out[e] =
                shared_out<R>(Shares<H>(places, i), line[i - 1], line[i], line[i + 1]);
    }
}
