/* Singular values that are large, and what is done with them. s (stack, k) has those of each
 * matrix, the largest first. Large are those above a share of the largest, `share` or the
 * matrix's of `shares`. */

#include "cupric/types.hpp"

template <class T, class R>
__device__ inline T
scaled(const T x, const R factor)
{
    if constexpr (cupric::is_complex<T>::value) {
        return T(x.re * factor, x.im * factor);
    } else {
        return x * factor;
    }
}

/* out (stack, k, columns): rows of x by the reciprocals of large singular values, and zeros
 * in place of the others. A thread makes an element. */
template <class T>
__global__ void
divide_by_large(View<T, 3> x, const typename cupric::real_type<T>::type *s,
                const double *shares, T *out, double share, bool is_one)
{
    typedef typename cupric::real_type<T>::type R;
    const long long k = x.shape()[1], columns = x.shape()[2];

    CUPRIC_EACH (i, x.size()) {
        const long long row = i / columns, matrix = row / k;
        const double part = is_one ? share : shares[matrix];
        const bool is_large = (double)s[row] > part * (double)s[matrix * k];
        const cupric::extent at[] = {matrix, row - matrix * k, i - row * columns};
        out[i] = scaled(x[at], is_large ? R(1) / s[row] : R(0));
    }
}

/* ranks (n): how many of k singular values are large, or above `share` itself where this is
 * absolute. A thread counts those of a matrix. */
template <class R, class I>
__global__ void
count_large(const R *s, const double *shares, I *ranks, long long n, long long k,
            double share, bool is_one, bool is_absolute)
{
    CUPRIC_EACH (i, n) {
        const R *const row = s + i * k;
        const double part = is_one ? share : shares[i];
        long long count = 0;
        for (long long j = 0; j < k; j++) {
            count += (double)row[j] > (is_absolute ? part : part * (double)row[0]);
        }
        ranks[i] = I(count);
    }
}
