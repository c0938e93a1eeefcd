/* Quantiles of sorted rows, by the methods of R. J. Hyndman and Y. Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50 (1996). */

#include "cupric/types.hpp"

/* As _KERNEL_METHODS of _order.py has them. */
enum quantile_method {
    CONTINUOUS,
    LINEAR,
    INVERTED_CDF,
    AVERAGED_INVERTED_CDF,
    CLOSEST_OBSERVATION,
    LOWER,
    HIGHER,
    NEAREST,
    MIDPOINT,
    MEDIAN /* of two in the middle the mean: half their sum */
};

/* Where the fraction p of n sorted elements is, between two of them or on one. */
__device__ inline double
place_of(int method, double alpha, double beta, double p, double n)
{
    const double last = p * (n - 1), counted = n * p - 1;
    double at = 0;

    switch (method) {
    case CONTINUOUS: at = n * p + (alpha + p * (1 - alpha - beta)) - 1; break;
    case LINEAR: at = last; break;
    case INVERTED_CDF: at = ceil(counted); break;
    case AVERAGED_INVERTED_CDF:
        at = counted == floor(counted) ? counted + 0.5 : ceil(counted);
        break;
    case CLOSEST_OBSERVATION: /* of two that are as close, the one at an odd place */
        at = n * p - 1.5;
        at = at - 2 * floor(at / 2) == 1 ? at : floor(at) + 1;
        break;
    case LOWER: at = floor(last); break;
    case HIGHER: at = ceil(last); break;
    case NEAREST: at = rint(last); break;
    case MIDPOINT: at = (floor(last) + ceil(last)) / 2; break;
    case MEDIAN: at = (n - 1) / 2; break;
    }
    return at > n - 1 ? n - 1 : at > 0 ? at : 0;
}

/* How many elements of a sorted row stand before its NaNs. */
template <class T>
__device__ inline long long
count_numbers(const T *x, long long n)
{
    long long low = 0;

    while (n > 0) {
        const long long middle = low + n / 2;
        const bool is_number = x[middle] == x[middle];
        low = is_number ? middle + 1 : low;
        n = is_number ? n - n / 2 - 1 : n / 2;
    }
    return low;
}

template <class R>
__device__ inline R
mean_of_two(R a, R b)
{
    typedef typename cupric::compute_type<R>::type S;

    if constexpr (cupric::is_complex<R>::value) {
        const R sum = a + b;
        return R(sum.re / 2, sum.im / 2);
    } else {
        return R((S(a) + S(b)) / S(2));
    }
}

/* The value `t` of the way from a to b, each step rounded to R. Measured from the nearer
 * one, so that it lies between both. */
template <class R>
__device__ inline R
between(R a, R b, double t)
{
    typedef typename cupric::compute_type<R>::type S;

    if constexpr (cupric::is_complex<R>::value) {
        return a; /* there is the median alone */
    } else {
        const R step = R(S(b) - S(a));
        if (t < 0.5) return R(S(a) + S(R(S(step) * S(R(t)))));
        return R(S(b) - S(R(S(step) * S(R(1 - t)))));
    }
}

/* out (count, rows): the quantile of each row of `sorted`, (rows, n), for each of the
 * fractions: `only` where count is 1. With NaNs in a row it is NaN, or, if they are
 * skipped, that of the others. A thread makes a quantile. */
template <class T, class R>
__global__ void
quantiles(const T *sorted, R *out, const double *fractions, double only,
          long long count, long long rows, long long n, int method, double alpha,
          double beta, bool skips_nans)
{
    CUPRIC_EACH (i, count * rows) {
        const long long k = i / rows;
        const T *const x = sorted + (i - k * rows) * n;
        const bool has_nan = !(x[n - 1] == x[n - 1]);
        const long long used = has_nan ? skips_nans ? count_numbers(x, n) : 0 : n;
        if (used == 0) {
            out[i] = R(x[n - 1]);
            continue;
        }
        const double p = count == 1 ? only : fractions[k];
        const double at = place_of(method, alpha, beta, p, (double)used);
        const long long low = (long long)at;
        const double t = at - (double)low;
        if (t == 0) {
            out[i] = R(x[low]);
        } else {
            const R a = R(x[low]), b = R(x[low + 1]);
            out[i] = method == MEDIAN ? mean_of_two(a, b) : between(a, b, t);
        }
    }
}
