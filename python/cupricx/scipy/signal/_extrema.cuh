/* _extrema.cuh: which elements are less or greater than their neighbours along an axis. */
#include "_extrema.h"

template <class T>
__device__ inline bool
compares(int comparison, const T &a, const T &b)
{
    switch (comparison) {
    case BELOW: return a < b;
    case ABOVE: return b < a;
    case NOT_ABOVE: return a <= b;
    default: return b <= a;
    }
}

/* Whether element i of x compares with its neighbours. */
template <class T>
__device__ inline bool
is_extreme(const T *x, const extrema_sizes &s, long long i)
{
    const long long n = s.n, row = cupric::quotient(i, s.step);
    const long long at = row - cupric::quotient(row, n) * n;
    const T v = x[i];
    bool holds = true;
    for (long long k = 1; holds && k <= s.order; k++) {
        long long after = at + k, before = at - k;
        if (s.wraps) {
            after %= n;
            before = (n - k % n + at) % n;
        } else {
            after = after < n ? after : n - 1;
            before = before > 0 ? before : 0;
        }
        holds = compares(s.comparison, v, x[i + (after - at) * s.step]) &&
                compares(s.comparison, v, x[i + (before - at) * s.step]);
    }
    return holds;
}

/* found = whether elements of x compare with their neighbours. Launch: elements(size). */
template <class T>
__global__ void
relative_extrema(const T *x, bool *found, extrema_sizes s, long long size)
{
    CUPRIC_EACH (i, size) found[i] = is_extreme(x, s, i);
}
