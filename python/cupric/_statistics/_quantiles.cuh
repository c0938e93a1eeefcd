/* Quantiles of sorted rows, by the methods of R. J. Hyndman and Y. Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50 (1996). */

#include "cupric/kernels/sort.hpp"
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

/* How many elements of a sorted row, at(0), at(1), ..., stand before its NaNs. */
template <class Row>
__device__ inline long long
count_numbers(const Row &at, long long n)
{
    long long low = 0;

    while (n > 0) {
        const long long middle = low + n / 2;
        const bool is_number = at(middle) == at(middle);
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

/* What is done with a row: by which method, and whether NaNs are left out. */
struct rule {
    int method;
    double alpha, beta;
    bool skips_nans;
};

/* The quantile of a sorted row, at(0), at(1), ... at(n - 1), for a fraction. With NaNs in
 * the row it is NaN, or, if they are skipped, that of the others. Where it is NaN, `word`
 * is set, if there is one. */
template <class R, class Row>
__device__ inline R
quantile_of(const Row &at, long long n, double fraction, const rule &by, int *word)
{
    const auto last = at(n - 1);
    const bool has_nan = !(last == last);
    const long long used = has_nan ? by.skips_nans ? count_numbers(at, n) : 0 : n;
    R found = R(last);

    if (used > 0) {
        const double place =
            place_of(by.method, by.alpha, by.beta, fraction, (double)used);
        const long long low = (long long)place;
        const double t = place - (double)low;
        found = R(at(low));
        if (t != 0) {
            const R next = R(at(low + 1));
            found = by.method == MEDIAN ? mean_of_two(found, next)
                                        : between(found, next, t);
        }
    }
    if (word && !(found == found)) *word = 1;
    return found;
}

/* out (count, rows): the quantile of each row of `sorted`, (rows, n), for each of the
 * fractions: `only` where count is 1. A thread makes a quantile. */
template <class T, class R>
__global__ void
quantiles(const T *sorted, R *out, const double *fractions, double only,
          long long count, long long rows, long long n, int method, double alpha,
          double beta, bool skips_nans, int *word)
{
    const rule by = {method, alpha, beta, skips_nans};

    CUPRIC_EACH (i, count * rows) {
        const long long k = i / rows;
        const T *const x = sorted + (i - k * rows) * n;
        out[i] = quantile_of<R>([x](long long j) { return x[j]; }, n,
                                count == 1 ? only : fractions[k], by, word);
    }
}

/* The same of rows that are not sorted, and stay as they are: of up to
 * sort_shape<T>::tile elements. A block sorts as many as its threads can, `group` threads
 * a row. Launch: blocks over rows, a multiple of `group` and of 32 threads. */
template <class T, class R>
__global__ void
quantiles_of_short(View<T, 2> x, R *out, const double *fractions, double only,
                   long long count, int method, double alpha, double beta,
                   bool skips_nans, int group, long long pieces, int *word)
{
    const rule by = {method, alpha, beta, skips_nans};
    const long long rows = x.shape()[0], n = x.shape()[1];

#if defined(CUPRIC_HOST) /* where rows are sorted by what is made for it: for tests */
    (void)group;
    CUPRIC_EACH (i, count * rows) {
        const long long k = i / rows, row = i - k * rows;
        auto at = [&](long long place) {
            for (long long j = 0;; j++) {
                const T own = x[row * n + j];
                long long before = 0;
                for (long long m = 0; m < n; m++) {
                    const T other = x[row * n + m];
                    before += cupric::sorts_before(other, own) ||
                              (m < j && !cupric::sorts_before(own, other));
                }
                if (before == place || j == n - 1) return own;
            }
        };
        out[i] = quantile_of<R>(at, n, count == 1 ? only : fractions[k], by, word);
    }
    (void)pieces;
#else
    __shared__ cupric::sort_tile<T, false> tile;
    const int together = blockDim.x / group;
    const int local = threadIdx.x / group, rank = threadIdx.x % group;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first = piece * together;
        const int here = cupric::clamp_to(rows - first, together);
        /* Neighbouring threads read what is close in memory. */
        const bool across = x.strides()[0] < x.strides()[1];
        for (int i = threadIdx.x; i < here * (int)n; i += blockDim.x) {
            const int r = across ? i % here : i / (int)n;
            const int j = across ? i / here : i % (int)n;
            const cupric::extent from[] = {first + r, j};
            tile.key.at[cupric::sort_slot(r * (int)n + j)] = x[from];
        }
        __syncthreads();
        cupric::sort_together(tile, local * (int)n, local < here ? (int)n : 0, group,
                              rank, false);
        for (int i = threadIdx.x; i < here * count; i += blockDim.x) {
            const int k = i / here, base = i % here * (int)n;
            auto at = [&](long long j) {
                return tile.key.at[cupric::sort_slot(base + (int)j)];
            };
            out[k * rows + first + i % here] =
                quantile_of<R>(at, n, count == 1 ? only : fractions[k], by, word);
        }
        __syncthreads(); /* before the shared memory is reused */
    }
#endif
}
