/* _extended.cuh: an element of a signal that goes on beyond its ends. */
#ifndef CUPRIC_SIGNAL_EXTENDED_CUH
#define CUPRIC_SIGNAL_EXTENDED_CUH

#include "_extensions.h"

/* Reflected about elements: 0 1 2 3 2 1 0 1 ... */
__device__ inline long long
reflected(long long k, long long n)
{
    if (n == 1) return 0;
    const long long period = 2 * (n - 1);
    k = (k % period + period) % period;
    return k < n ? k : period - k;
}

/* Reflected between elements: 0 1 2 3 3 2 1 0 0 1 ...; `odd`: an odd number of times. */
__device__ inline long long
reflected_between(long long k, long long n, int *odd)
{
    k = (k % (2 * n) + 2 * n) % (2 * n);
    *odd = k >= n;
    return k < n ? k : 2 * n - 1 - k;
}

/* Element k >= 0 of a signal that is reflected about its ends' values: each time there
 * and back adds twice the distance between them. */
template <class T, class X>
__device__ inline T
odd_element(const X &x, long long k, long long n)
{
    if (n == 1) return x(0);
    const long long period = 2 * (n - 1), turns = k / period, at = k % period;
    const T value = at < n ? T(x(at)) : T(T(2) * x(n - 1) - x(period - at));
    if (turns == 0) return value;
    return value + T(2 * turns) * T(x(n - 1) - x(0));
}

/* Element k of a signal of n elements, which x(j) reads where 0 <= j < n. */
template <class T, class X>
__device__ inline T
extended_element(const X &x, long long k, long long n, int kind)
{
    if (k >= 0 && k < n) return x(k);
    if (kind == EXTEND_ZEROS) return T(0);
    if (kind == EXTEND_PERIODIC) return x((k % n + n) % n);
    if (kind == EXTEND_EVEN) return x(reflected(k, n));
    const long long end = k < 0 ? 0 : n - 1;
    if (kind == EXTEND_CONSTANT) return x(end);
    if (kind == EXTEND_ODD) {
        if (k > 0) return odd_element<T>(x, k, n);
        return T(T(2) * x(0) - odd_element<T>(x, -k, n));
    }
    if (kind == EXTEND_LINE) {
        if (n == 1) return x(0);
        return x(end) + T(k - end) * T(T(x(n - 1) - x(0)) / T(n - 1));
    }
    int odd;
    const long long at = reflected_between(k, n, &odd);
    return kind == EXTEND_ANTISYMMETRIC && odd ? T(-x(at)) : T(x(at));
}

#endif
