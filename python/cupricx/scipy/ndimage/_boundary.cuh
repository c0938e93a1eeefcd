/* _boundary.cuh: what lies outside an array: the modes of scipy.ndimage's filters, and
 * values in other dtypes.
 */

#include "_boundary.h"
#include "cupric/rare.hpp"

/* The index that stands for i outside of [0, n), or -1 for the constant. n > 0. Only what
 * lies further out than a period is divided. */
__device__ CUPRIC_RARE long long
boundary_beyond(long long i, long long n, int mode)
{
    if (mode == CONSTANT) return -1;
    if (mode == NEAREST) return i < 0 ? 0 : n - 1;
    if (mode == WRAP) {
        if (i < -n || i >= 2 * n) i %= n;
        return i < 0 ? i + n : i < n ? i : i - n;
    }
    if (mode == MIRROR) { /* d c b | a b c d | c b a */
        if (n == 1) return 0;
        const long long period = 2 * n - 2;
        if (i < 0) i = -i;
        if (i >= period) i %= period;
        return i < n ? i : period - i;
    }
    /* REFLECT: c b a | a b c d | d c b */
    if (i < 0) i = -1 - i;
    if (i >= 2 * n) i %= 2 * n;
    return i < n ? i : 2 * n - 1 - i;
}

/* The index that stands for any i, or -1. n > 0. */
__device__ inline long long
boundary(long long i, long long n, int mode)
{
    return i >= 0 && i < n ? i : boundary_beyond(i, n, mode);
}

/* Products and sums of doubles that no compiler fuses, so that a GPU finds the same bits as
 * the host: where a result is rounded to an integer, the last bit of a sum shows. */
__device__ inline double
product(double a, double b)
{
    return __dmul_rn(a, b);
}
__device__ inline double
total(double a, double b)
{
    return __dadd_rn(a, b);
}

/* sum + a * b: of doubles, in which all integers are computed, rounded twice. */
template <class W>
__device__ inline W
add_product(const W &sum, const W &a, const W &b)
{
    return sum + a * b;
}
__device__ inline double
add_product(double sum, double a, double b)
{
    return total(sum, product(a, b));
}

/* A computed value as an element of type T: towards zero, negative ones wrapping. */
template <class T>
struct element {
    template <class W>
    __device__ static T of(const W &v)
    {
        return (T)(long long)v;
    }
    __device__ static T of(const T &v) { return v; }
};
template <>
struct element<unsigned long long> {
    __device__ static unsigned long long of(double v)
    {
        return v < 0 ? -(unsigned long long)-v : (unsigned long long)v;
    }
};
template <>
struct element<bool> {
    __device__ static bool of(double v) { return (long long)v != 0; }
};
#define CUPRIC_FLOATING(T)                                                             \
    template <>                                                                        \
    struct element<T> {                                                                \
        template <class W>                                                             \
        __device__ static T of(const W &v)                                             \
        {                                                                              \
            return T(v);                                                               \
        }                                                                              \
    };
CUPRIC_FLOATING(half)
CUPRIC_FLOATING(float)
CUPRIC_FLOATING(double)
CUPRIC_FLOATING(complex<float>)
CUPRIC_FLOATING(complex<double>)
#undef CUPRIC_FLOATING

/* A number that came as two doubles, in the type that is computed in. */
template <class W>
struct number {
    __device__ static W of(double real, double) { return (W)real; }
};
template <class R>
struct number<complex<R>> {
    __device__ static complex<R> of(double real, double imag)
    {
        return complex<R>((R)real, (R)imag);
    }
};
