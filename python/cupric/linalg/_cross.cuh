/* Cross products: one launch. */
#include "cupric/math.hpp"
#include "cupric/pack.hpp"

/* An element of vectors with 2 or 3 components. */
template <class T>
__device__ inline T
component(const View<T, 4> &x, const cupric::extent *at, long long k)
{
    const cupric::extent place[] = {at[0], at[1], at[2], k};
    return k < x.shape()[3] ? T(x[place]) : T(0);
}

template <class T>
__device__ inline void
cross_product(const T *a, const T *b, T *out)
{
    out[0] = cupric::cross_term(a[1], b[2], a[2], b[1]);
    out[1] = cupric::cross_term(a[2], b[0], a[0], b[2]);
    out[2] = cupric::cross_term(a[0], b[1], a[1], b[0]);
}

/* out = a × b, n vectors of three components in C order; those of a and b, (m0, m1, m2, 2
 * or 3), are zero past the second where they have two. */
template <class T>
__global__ void
cross_products(View<T, 4> a, View<T, 4> b, T *out, long long n)
{
    const long long m1 = a.shape()[1], m2 = a.shape()[2];
    long long done = 0;
#if !defined(CUPRIC_HOST)
    /* Vectors in C order: three packs at a time, with no division. */
    typedef cupric::pack<T> P;
    struct three {
        P packs[3];
    };
    if (a.shape()[3] == 3 && b.shape()[3] == 3 && cupric::is_packed(a) &&
        cupric::is_packed(b)) {
        done = n - n % P::size;
        CUPRIC_EACH (i, done / P::size) {
            const three x = ((const three *)a.data)[i], y = ((const three *)b.data)[i];
            three z;
#pragma unroll
            for (int k = 0; k < P::size; k++) {
                T from[2][3], to[3];
#pragma unroll
                for (int c = 0; c < 3; c++) {
                    const int e = 3 * k + c;
                    from[0][c] = x.packs[e / P::size].item[e % P::size];
                    from[1][c] = y.packs[e / P::size].item[e % P::size];
                }
                cross_product(from[0], from[1], to);
#pragma unroll
                for (int c = 0; c < 3; c++) {
                    const int e = 3 * k + c;
                    z.packs[e / P::size].item[e % P::size] = to[c];
                }
            }
            ((three *)out)[i] = z;
        }
    }
#endif
    CUPRIC_EACH (rest, n - done) {
        const long long i = done + rest;
        const long long two = cupric::quotient(i, m2), one = cupric::quotient(two, m1);
        const cupric::extent at[] = {one, two - one * m1, i - two * m2};
        const T x[] = {component(a, at, 0), component(a, at, 1), component(a, at, 2)};
        const T y[] = {component(b, at, 0), component(b, at, 1), component(b, at, 2)};
        cross_product(x, y, out + 3 * i);
    }
}
