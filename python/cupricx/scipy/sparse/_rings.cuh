/* _rings.cuh: how elements of a dtype are added and multiplied: in float if they are
 * float16; bools by "or" and "and"; integers wrap. */
#include "cupric/monoids.hpp"

template <class T>
struct ring {
    typedef typename cupric::compute_type<T>::type sum;

    __device__ static sum zero() { return sum(0); }
    __device__ static sum load(const T *x, long long i)
    {
        return cupric::convert<sum>(cupric::load(x + i));
    }
    __device__ static sum add(const sum &a, const sum &b)
    {
        return cupric::sum_of<sum>().combine(a, b);
    }
    __device__ static sum multiply(const sum &a, const sum &b)
    {
        return cupric::product_of<sum>().combine(a, b);
    }
    __device__ static void store(T *y, long long i, const sum &value)
    {
        y[i] = cupric::convert<T>(value);
    }
};
