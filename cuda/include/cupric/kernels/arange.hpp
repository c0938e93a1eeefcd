/* kernels/arange.hpp: out[i] = start + i * step, i < n, as NumPy computes it in each
 * dtype. Launch: a thread for each i, blocks of 256. */
#ifndef CUPRIC_KERNELS_ARANGE_HPP
#define CUPRIC_KERNELS_ARANGE_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

typedef cu_arange_params arange_params;

template <class T>
__device__ inline void
arange(const arange_params &p)
{
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    const T start = value_of<T>(p.start), step = value_of<T>(p.step);
    T *const out = (T *)p.out;
    if (i >= p.n) return;
    if constexpr (is_complex<T>::value) {
        typedef typename T::value_type R;
        out[i] = T(start.re + R(i) * step.re, start.im + R(i) * step.im);
    } else if constexpr (is_same<T, bool>::value) {
        out[i] = start != (i && step);
    } else if constexpr (is_integer<T>::value) {
        out[i] = T((unsigned long long)start +
                   (unsigned long long)i * (unsigned long long)step);
    } else {
        typedef typename compute_type<T>::type C;
        out[i] = T(C(start) + C(i) * C(step));
    }
}

CUPRIC_END

#endif
