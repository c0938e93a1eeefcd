/* Cross products: one launch. */
#include "cupric/math.hpp"

/* An element of vectors with 2 or 3 components. */
template <class T>
__device__ inline T
component(const View<T, 4> &x, const cupric::extent *at, long long k)
{
    const cupric::extent place[] = {at[0], at[1], at[2], k};
    return k < x.shape()[3] ? T(x[place]) : T(0);
}

/* out = a x b, n vectors of three components in C order; those of a and b, (m0, m1, m2, 2
 * or 3), are zero past the second where they have two. */
template <class T>
__global__ void
cross_products(View<T, 4> a, View<T, 4> b, T *out, long long n)
{
    const long long m1 = a.shape()[1], m2 = a.shape()[2];
    const bool divides = m2 < n; /* which is as much work as the rest */
    CUPRIC_EACH (i, n) {
        const long long two = divides ? cupric::quotient(i, m2) : 0,
                        one = divides ? cupric::quotient(two, m1) : 0;
        const cupric::extent at[] = {one, two - one * m1, i - two * m2};
        const T a0 = component(a, at, 0), a1 = component(a, at, 1);
        const T b0 = component(b, at, 0), b1 = component(b, at, 1);
        const T a2 = component(a, at, 2), b2 = component(b, at, 2);
        out[3 * i] = cupric::cross_term(a1, b2, a2, b1);
        out[3 * i + 1] = cupric::cross_term(a2, b0, a0, b2);
        out[3 * i + 2] = cupric::cross_term(a0, b1, a1, b0);
    }
}
