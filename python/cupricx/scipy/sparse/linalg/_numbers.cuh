/* Numbers of solvers, which are double or complex<double>, and the state that has them. */
#ifndef CUPRIC_SPARSE_NUMBERS_CUH
#define CUPRIC_SPARSE_NUMBERS_CUH

#include "_numbers.h"

template <class T>
struct widened {
    typedef double type;
};
template <class U>
struct widened<complex<U>> {
    typedef complex<double> type;
};
template <class T>
using wide = typename widened<T>::type;

__device__ inline double
real_of(double a)
{
    return a;
}
__device__ inline double
real_of(complex<double> a)
{
    return a.re;
}
__device__ inline double
conjugate(double a)
{
    return a;
}
__device__ inline complex<double>
conjugate(complex<double> a)
{
    return complex<double>(a.re, -a.im);
}
__device__ inline double
square(double a)
{
    return a * a;
}
__device__ inline double
square(complex<double> a)
{
    return a.re * a.re + a.im * a.im;
}
template <class W>
__device__ inline W
dot(W a, W b)
{
    return conjugate(a) * b;
}
template <class W>
__device__ inline double
magnitude(W a)
{
    return sqrt(square(a));
}

/* A solver's numbers. */
template <class W>
struct numbers {
    complex<double> *at;

    __device__ double real(int slot) const { return at[slot].re; }
    __device__ bool is(int slot) const { return at[slot].re != 0; }
    __device__ void set(int slot, double x) const { at[slot] = complex<double>(x, 0); }
    __device__ void set(int slot, complex<double> x) const { at[slot] = x; }
    __device__ W get(int slot) const
    {
        if constexpr (sizeof(W) == sizeof(double))
            return at[slot].re;
        else
            return at[slot];
    }
    __device__ void stop(double info) const
    {
        set(INFO, info);
        set(STOPPED, 1.0);
    }
};

/* Whether all other blocks of the launch have left their sums. */
__device__ inline bool
is_last_block(complex<double> *state)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd((unsigned int *)(state + ARRIVED), 1u) + 1 == gridDim.x;
        if (last) state[ARRIVED] = complex<double>(0, 0);
    }
    __syncthreads();
    __threadfence();
    return last;
}

#endif
