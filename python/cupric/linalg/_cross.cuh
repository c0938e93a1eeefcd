/* Cross products: one launch. */
#include "cupric/math.hpp"

/* The vector at an index, with 0 for a third component that it does not have. */
template <class T>
__device__ inline void
read_vector(const View<T, 4> &x, const cupric::extent *at, T (&vector)[3])
{
    const cupric::extent place[] = {at[0], at[1], at[2], 0};
    const char *const p = (const char *)&x[place];
    for (int k = 0; k < 3; k++)
        vector[k] = k < x.shape()[3] ? *(const T *)(p + k * x.strides()[3]) : T(0);
}

/* out = a x b, n vectors of three components in C order; those of a and b, (m0, m1, m2, 2
 * or 3), are zero past the second where they have two. `in_order`: both have three, and lie
 * as out does. */
template <class T>
__global__ void
cross_products(View<T, 4> a, View<T, 4> b, T *out, long long n, bool in_order)
{
    const long long m1 = a.shape()[1], m2 = a.shape()[2];
    const bool divides = m2 < n; /* which is as much work as the rest */
    CUPRIC_EACH (i, n) {
        T x[3], y[3];
        if (in_order) {
            for (int k = 0; k < 3; k++) {
                x[k] = a.data[3 * i + k];
                y[k] = b.data[3 * i + k];
            }
        } else {
            const long long two = divides ? cupric::quotient(i, m2) : 0,
                            one = divides ? cupric::quotient(two, m1) : 0;
            const cupric::extent at[] = {one, two - one * m1, i - two * m2};
            read_vector(a, at, x);
            read_vector(b, at, y);
        }
        out[3 * i] = cupric::cross_term(x[1], y[2], x[2], y[1]);
        out[3 * i + 1] = cupric::cross_term(x[2], y[0], x[0], y[2]);
        out[3 * i + 2] = cupric::cross_term(x[0], y[1], x[1], y[0]);
    }
}
