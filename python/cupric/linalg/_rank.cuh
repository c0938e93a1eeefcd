/* _rank.cuh: singular values that are large, and what is done with them. s (stack, k) has those of each
 * matrix, the largest first. Large are those above a share of the largest, `share` or the
 * matrix's of `shares`.
 */
#include "_rank.h"
#include "cupric/math.hpp"

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
 * in place of the others. Launch: elements(out.size). */
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
 * absolute. Launch: elements(n). */
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

/* out (stack, n, columns) = V, by the reciprocals of large singular values, by P: of u
 * (stack, m, k) and vh (stack, k, n), with P the conjugate transpose of U times b (stack, m,
 * columns) where `has_b`, else itself. ranks (stack): how many singular values are large.
 * Launch: elements(out.size). */
template <class T>
__global__ void
solve_by_factors(View<T, 3> u, const typename cupric::real_type<T>::type *s,
                 View<T, 3> vh, View<T, 3> b, T *out, int *ranks, rank_solution p)
{
    typedef typename cupric::real_type<T>::type R;
    const long long m = u.shape()[1], k = u.shape()[2], n = vh.shape()[2];

    CUPRIC_EACH (e, u.shape()[0] * n * p.columns) {
        const long long row = e / p.columns, column = e - row * p.columns;
        const long long matrix = row / n, i = row - matrix * n;
        const R *const values = s + matrix * k;
        const double least = p.share * (double)values[0];
        long long rank = 0;
        T sum = T();

        for (long long j = 0; j < k; j++) {
            const bool is_large = (double)values[j] > least;
            T part = T();
            if (p.has_b) {
                for (long long r = 0; r < m; r++) {
                    const cupric::extent at[] = {matrix, r, j},
                                         from[] = {matrix, r, column};
                    part = part + cupric::conj(u[at]) * b[from];
                }
            } else {
                const cupric::extent at[] = {matrix, column, j};
                part = cupric::conj(u[at]);
            }
            const cupric::extent at[] = {matrix, j, i};
            const R factor = is_large ? R(1) / values[j] : R(0);
            sum = sum + cupric::conj(vh[at]) * scaled(part, factor);
            rank += is_large;
        }
        out[e] = sum;
        if (i == 0 && column == 0) ranks[matrix] = int(rank);
    }
}
