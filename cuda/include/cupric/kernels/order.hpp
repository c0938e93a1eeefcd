/* kernels/order.hpp: NumPy's order of sorting: NaN after everything, complex numbers by
 * real, then imaginary part, a complex number with a NaN after all without. */
#ifndef CUPRIC_KERNELS_ORDER_HPP
#define CUPRIC_KERNELS_ORDER_HPP

#include "cupric/types.hpp"

CUPRIC_BEGIN

template <class T>
__device__ inline bool
sorts_before(const T a, const T b)
{
    if constexpr (is_complex<T>::value) {
        const bool a_re = a.re != a.re, a_im = a.im != a.im;
        const bool b_re = b.re != b.re, b_im = b.im != b.im;
        if (a.re < b.re) return !a_im || b_im;
        if (a.re > b.re) return b_im && !a_im;
        if (a.re == b.re || (a_re && b_re)) return a.im < b.im || (b_im && !a_im);
        return b_re;
    } else if constexpr (is_short_float<T>::value) {
        return sorts_before(float(a), float(b));
    } else if constexpr (is_integer<T>::value) {
        return a < b;
    } else {
        return a < b || (b != b && a == a);
    }
}

CUPRIC_END

#endif
