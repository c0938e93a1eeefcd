/* _small_groups.cuh: what kernels share that take a group of threads to a matrix in shared
 * memory.
 */
#include "_small_common.cuh"

/* i from `first` to below `end`, each, or a group's threads in turns: one loop. Of lengths
 * known at run time alone, four copies of a body take room, in the archive and in the cache
 * of instructions, and no less time. */
#define EACH(i, first, end) _Pragma("unroll 1") for (int i = (first); i < (end); i++)
#define EACH_OWN(g, i, first, end)                                                     \
    _Pragma("unroll 1") for (int i = (g).own(first); i < (end); i += (g).lanes)

template <class R>
__device__ inline R
square(R x)
{
    return x * x;
}
template <class R>
__device__ inline R
square(complex<R> x)
{
    return x.re * x.re + x.im * x.im;
}

template <class R>
__device__ inline R
machine_epsilon()
{
    return sizeof(R) == 4 ? R(1.1920928955078125e-07) : R(2.220446049250313e-16);
}

/* Whether it holds in any of a group's threads. */
__device__ inline bool
any_of_group(bool holds, int lanes)
{
    for (int half = lanes / 2; half > 0; half /= 2)
        holds |= __shfl_xor_sync(~0u, (int)holds, half) != 0;
    return holds;
}

/* Where value j of n comes in an order without ties. */
template <class R>
__device__ inline int
rank_of(const R *values, int n, int j, bool falling)
{
    int rank = 0;
    for (int i = 0; i < n; i++) {
        const bool before = falling ? values[i] > values[j] : values[i] < values[j];
        rank += before || (values[i] == values[j] && i < j);
    }
    return rank;
}

/* H = I - factor v v^H with H^H (alpha, x) = (beta, 0), where v is 1 and scale * x: LAPACK's
 * larfg (Golub and Van Loan, "Matrix Computations", section 5.1). */
template <class T>
struct reflection {
    T factor, scale;
    typename real_of<T>::type beta;
};

/* `below` is |x|^2; where the square of the whole is not above `least`, it counts as 0. */
template <class T, class R>
__device__ inline reflection<T>
reflection_for(const T &alpha, R below, R least)
{
    const R whole = square(alpha) + below;
    const R norm = sqrt(whole);
    const R beta = real_part(alpha) < R(0) ? norm : -norm;

    if (whole <= least) return {T(0), T(0), R(0)};
    if (below == R(0) && alpha == T(real_part(alpha))) {
        return {T(0), T(0), real_part(alpha)};
    }
    return {(T(beta) - alpha) / T(beta), T(1) / (alpha - T(beta)), beta};
}

/* The largest element is about 1: numbers whose squares are not above this count as zero, as
 * digits would be lost in less. */
template <class R>
__device__ inline R
least_square()
{
    return sizeof(R) == 4 ? R(1e-31) : R(1e-292);
}

template <class R>
__device__ inline R
group_sum(R x, int lanes)
{
    for (int half = lanes / 2; half > 0; half /= 2) x += __shfl_xor_sync(~0u, x, half);
    return x;
}
template <class R>
__device__ inline complex<R>
group_sum(complex<R> x, int lanes)
{
    return complex<R>(group_sum(x.re, lanes), group_sum(x.im, lanes));
}

template <class R>
__device__ inline R
group_max(R x, int lanes)
{
    for (int half = lanes / 2; half > 0; half /= 2) {
        const R other = __shfl_xor_sync(~0u, x, half);
        x = other > x ? other : x;
    }
    return x;
}

template <class B>
__device__ inline B
group_or(B bits, int lanes)
{
    for (int half = lanes / 2; half > 0; half /= 2)
        bits |= __shfl_xor_sync(~0u, bits, half);
    return bits;
}

/* The larger of the magnitudes of an element's parts; infinity for NaN. */
template <class R>
__device__ inline R
largest_of(R x)
{
    return pivot_size(x);
}
template <class R>
__device__ inline R
largest_of(complex<R> x)
{
    const R re = pivot_size(x.re), im = pivot_size(x.im);
    return re > im ? re : im;
}

/* Of the power of two that divides a matrix, so that its largest element, which is `most`, is
 * about 1; whose inverse is finite. */
template <class R>
__device__ inline int
exponent_of(R most)
{
    const int least = sizeof(R) == 4 ? -125 : -1021;
    const int exponent = most > R(0) && most < infinity<R>() ? ilogb(most) : 0;

    return exponent < least ? least : exponent;
}

template <class R>
__device__ inline R
scaled(R x, R by)
{
    return x * by;
}
template <class R>
__device__ inline complex<R>
scaled(complex<R> x, R by)
{
    return complex<R>(x.re * by, x.im * by);
}
