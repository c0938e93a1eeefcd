/* _quantiles.cuh: quantiles of rows, by the methods of R. J. Hyndman and Y. Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50 (1996). */

#include "_quantiles.h"
#include "_row_of_block.cuh"
#include "cupric/kernels/sort.hpp"
#include "cupric/types.hpp"

static_assert(ITEMS == cupric::CUPRIC_SORT_ITEMS && THREADS == CUPRIC_SORT_THREADS(8));

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

/* A row whose elements, n of them and 1 at least, are known in order: at(0), at(1), ... */
template <class At>
struct sorted_row {
    At at;
    long long n;

    /* How many elements stand before the NaNs. */
    __device__ long long numbers() const
    {
        const auto last = at(n - 1);
        long long low = 0, left = n;

        if (last == last) return n;
        while (left > 0) {
            const long long middle = low + left / 2;
            const bool is_number = at(middle) == at(middle);
            low = is_number ? middle + 1 : low;
            left = is_number ? left - left / 2 - 1 : left / 2;
        }
        return low;
    }
    __device__ auto find(long long place) { return at(place); }
    __device__ auto next(long long place) { return at(place + 1); } /* after find() */
    __device__ auto last() const { return at(n - 1); }
};

template <class At>
__device__ inline sorted_row<At>
row_in_order(const At &at, long long n)
{
    return {at, n};
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

/* The quantile of a row for a fraction. With NaNs in the row it is NaN, or, if they are
 * skipped, that of the others. Where it is NaN, `word` is set, if there is one. */
template <class R, class Row>
__device__ inline R
quantile_of(Row &row, double fraction, const quantile_rule &by, int *word)
{
    const long long numbers = row.numbers();
    const long long used = numbers == row.n || by.skips_nans ? numbers : 0;
    R found = R(row.last());

    if (used > 0) {
        const double place =
            place_of(by.method, by.alpha, by.beta, fraction, (double)used);
        const long long low = (long long)place;
        const double t = place - (double)low;
        found = R(row.find(low));
        if (t != 0) {
            const R next = R(row.next(low));
            found = by.method == MEDIAN ? mean_of_two(found, next)
                                        : between(found, next, t);
        }
    }
    if (word && !(found == found)) *word = 1;
    return found;
}

/* out (count, rows): the quantile of each row of `sorted`, (rows, n), for each of the
 * fractions, which are not read where there is one. A thread makes a quantile.
 * Launch: elements(count * rows). */
template <class T, class R>
__global__ void
quantiles(const T *sorted, R *out, const double *fractions, long long rows, long long n,
          quantile_rule by, int *word)
{
    CUPRIC_EACH (i, by.count * rows) {
        const long long k = i / rows;
        const T *const x = sorted + (i - k * rows) * n;
        auto row = row_in_order([x](long long j) { return x[j]; }, n);
        out[i] = quantile_of<R>(row, by.count == 1 ? by.only : fractions[k], by, word);
    }
}

/* The same of rows that are not sorted, and stay as they are: of up to
 * sort_shape<T>::tile elements. A block sorts as many as its threads can, `group` threads
 * a row. Launch: blocks(pieces) over rows, a multiple of `group` and of 32 threads. */
template <class T, class R>
__global__ void
quantiles_of_short(View<T, 2> x, R *out, const double *fractions, quantile_rule by,
                   int group, long long pieces, int *word)
{
    __shared__ cupric::sort_tile<typename ranks<T>::type, false> tile;
    const long long rows = x.shape()[0], n = x.shape()[1];
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
            tile.key.at[cupric::sort_slot(r * (int)n + j)] = rank_of(x[from]);
        }
        __syncthreads();
        cupric::sort_together(tile, local * (int)n, local < here ? (int)n : 0, group,
                              rank, false);
        for (int i = threadIdx.x; i < here * by.count; i += blockDim.x) {
            const int k = i / here, base = i % here * (int)n;
            auto at = [&](long long j) {
                return element_of<T>(tile.key.at[cupric::sort_slot(base + (int)j)]);
            };
            auto row = row_in_order(at, n);
            out[k * rows + first + i % here] =
                quantile_of<R>(row, by.count == 1 ? by.only : fractions[k], by, word);
        }
        __syncthreads(); /* before the shared memory is reused */
    }
}

/* The same of rows of up to HELD elements for each thread of a block, as they are, by
 * selection: a pass over registers for every bit that tells elements apart. Launch:
 * blocks(rows), whole warps. */
template <class T, class R>
__global__ void
__launch_bounds__(THREADS)
    quantiles_by_selection(View<T, 2> x, R *out, const double *fractions,
                           const __grid_constant__ quantile_rule by, int *word)
{
    __shared__ exchange<typename ranks<T>::type> hands;
    const long long rows = x.shape()[0];

    CUPRIC_EACH_BLOCK (i, rows) {
        row_of_block<T> row(hands, x, i);
        for (long long k = 0; k < by.count; k++) {
            const R found =
                quantile_of<R>(row, by.count == 1 ? by.only : fractions[k], by, word);
            if (threadIdx.x == 0) out[k * rows + i] = found;
        }
        __syncthreads(); /* before the shared memory is reused */
    }
}
