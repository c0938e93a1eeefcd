/* _close.cuh: closeness of all elements of small arrays: one launch. */
#include "cupric/math.hpp"

/* The type of tolerances beside T: of integers, double. */
template <class T, bool = cupric::is_integer<T>::value>
struct tolerance {
    typedef double type;
};
template <class T>
struct tolerance<T, false> {
    typedef typename cupric::real_type<T>::type type;
};

/* *out: whether all n elements of a and b, (m0, m1, m2), are equal within a tolerance.
 * Launch: blocks(1). */
template <class T>
__global__ void
all_close(View<T, 3> a, View<T, 3> b, bool *out, long long n, double rtol, double atol,
          bool equal_nan)
{
    typedef typename tolerance<T>::type R;
    const long long m1 = a.shape()[1], m2 = a.shape()[2];
    CUPRIC_EACH_BLOCK (block, 1) {
        bool close = true;
        for (long long i = threadIdx.x; i < n; i += blockDim.x) {
            const long long row = cupric::quotient(i, m2),
                            one = cupric::quotient(row, m1);
            const cupric::extent at[] = {one, row - one * m1, i - row * m2};
            const T x = a[at], y = b[at];
            bool same = cupric::is_close(x, y, R(rtol), R(atol));
            if (equal_nan) same |= cupric::is_nan(x) & cupric::is_nan(y);
            close &= same;
        }
        close = __syncthreads_and(close);
        if (threadIdx.x == 0) out[block] = close;
    }
}
