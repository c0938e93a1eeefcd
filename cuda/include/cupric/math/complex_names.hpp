/* math/complex_names.hpp: what kernels of users call for complex numbers besides the
 * functions of math/complex.hpp, by the names of C++ and CuPy.
 */
#ifndef CUPRIC_MATH_COMPLEX_NAMES_HPP
#define CUPRIC_MATH_COMPLEX_NAMES_HPP

#include "cupric/math/complex.hpp"

CUPRIC_BEGIN

template <class V>
CUPRIC_HD inline V
abs(const complex<V> z)
{
    return absolute(z);
}

template <class V>
CUPRIC_HD inline V
arg(const complex<V> z)
{
    return atan2(z.im, z.re);
}

template <class V>
CUPRIC_HD inline V
norm(const complex<V> z)
{
    return z.re * z.re + z.im * z.im;
}

/* z, but all infinities are one. */
template <class V>
CUPRIC_HD inline complex<V>
proj(const complex<V> z)
{
    if (!is_inf(z.re) && !is_inf(z.im)) return z;
    return complex<V>(magnitude(is_inf(z.re) ? z.re : z.im), ::copysign(V(0), z.im));
}

template <class V>
CUPRIC_HD inline complex<V>
polar(const V length, const V angle = V(0))
{
    return complex<V>(length * ::cos(angle), length * ::sin(angle));
}

/* The wider of two parts' types; an integer counts as a float. */
template <class V, class W, bool WIDER = (sizeof(W) > sizeof(V))>
struct wider_part {
    typedef V type;
};
template <class V>
struct wider_part<V, double, true> {
    typedef double type;
};

template <class V, class W>
CUPRIC_HD inline complex<typename wider_part<V, W>::type>
pow(const complex<V> a, const complex<W> b)
{
    typedef complex<typename wider_part<V, W>::type> wide;
    return power(wide(a), wide(b));
}
template <class V, class W, typename only_if<!is_complex<W>::value>::yes = 0>
CUPRIC_HD inline complex<typename wider_part<V, W>::type>
pow(const complex<V> a, const W b)
{
    typedef typename wider_part<V, W>::type part;
    return power(complex<part>(a), complex<part>(part(b)));
}
template <class V, class W, typename only_if<!is_complex<V>::value>::yes = 0>
CUPRIC_HD inline complex<typename wider_part<W, V>::type>
pow(const V a, const complex<W> b)
{
    typedef typename wider_part<W, V>::type part;
    return power(complex<part>(part(a)), complex<part>(b));
}

CUPRIC_END

#endif
