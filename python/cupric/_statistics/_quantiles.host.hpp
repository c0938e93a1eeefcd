/* _quantiles.host.hpp: bodies for tests. The host sorts rows or selects their elements by
 * what is made for it.
 */

/* `quantiles` of rows that are not sorted, by counting. */
template <class T, class R>
inline void
quantiles_by_counting(const View<T, 2> &x, R *out, const double *fractions,
                      const quantile_rule &by, int *word)
{
    const long long rows = x.shape()[0], n = x.shape()[1];

    CUPRIC_EACH (i, by.count * rows) {
        const long long k = i / rows, first = (i - k * rows) * n;
        auto at = [&](long long place) {
            for (long long j = 0;; j++) {
                const T own = x[first + j];
                long long before = 0;
                for (long long m = 0; m < n; m++) {
                    const T other = x[first + m];
                    before += cupric::sorts_before(other, own) ||
                              (m < j && !cupric::sorts_before(own, other));
                }
                if (before == place || j == n - 1) return own;
            }
        };
        auto row = row_in_order(at, n);
        out[i] = quantile_of<R>(row, by.count == 1 ? by.only : fractions[k], by, word);
    }
}

template <class T, class R>
__global__ void
quantiles_of_short(View<T, 2> x, R *out, const double *fractions, quantile_rule by,
                   int group, long long pieces, int *word)
{
    (void)group, (void)pieces;
    quantiles_by_counting(x, out, fractions, by, word);
}

template <class T, class R>
__global__ void
quantiles_by_selection(View<T, 2> x, R *out, const double *fractions, quantile_rule by,
                       int *word)
{
    quantiles_by_counting(x, out, fractions, by, word);
}
