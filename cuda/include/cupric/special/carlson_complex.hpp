/* special/carlson_complex.hpp: Carlson's integrals of complex arguments, in the plane cut
 * along the negative real axis; NaN on the cut.
 */
#ifndef CUPRIC_SPECIAL_CARLSON_COMPLEX_HPP
#define CUPRIC_SPECIAL_CARLSON_COMPLEX_HPP

#include "cupric/special/carlson.hpp"

CUPRIC_BEGIN

namespace carlson {

CUPRIC_MATH complex128
not_a_complex_number()
{
    return complex128(elementary::nan<double>(), elementary::nan<double>());
}

CUPRIC_MATH bool
is_on_cut(complex128 z)
{
    return (z.im == 0 && z.re < 0) || is_nan(z);
}

CUPRIC_MATH bool
is_zero(complex128 z)
{
    return z.re == 0 && z.im == 0;
}

CUPRIC_MATH bool
is_real(complex128 z)
{
    return z.im == 0 && z.re >= 0;
}

CUPRIC_MATH bool
are_conjugates(complex128 a, complex128 b)
{
    return a.re == b.re && a.im == -b.im && !is_zero(a);
}

CUPRIC_MATH int
zeros_of(complex128 x, complex128 y, complex128 z)
{
    return is_zero(x) + is_zero(y) + is_zero(z);
}

/* Where the algorithm is right for RJ: p. 15 of Carlson's. */
CUPRIC_MATH bool
has_rj(complex128 x, complex128 y, complex128 z, complex128 p)
{
    if (x.re >= 0 && y.re >= 0 && z.re >= 0 && p.re > 0) return true;
    if (is_real(x) && is_real(y) && is_real(z)) return true;
    return (is_real(x) && are_conjugates(y, z)) ||
           (is_real(y) && are_conjugates(x, z)) || (is_real(z) && are_conjugates(x, y));
}

} /* namespace carlson */

CUPRIC_APART complex128
elliprc(complex128 x, complex128 y)
{
    using namespace carlson;
    if (is_on_cut(x) || is_zero(y) || is_nan(y)) return not_a_complex_number();
    if (is_inf(x) || is_inf(y)) return complex128(0);
    if (y.im != 0 || y.re > 0) return rc_of_plane(x, y);
    const complex128 far = x - y; /* Cauchy's principal value */
    return root(x) / root(far) * rc_of_plane(far, -y);
}

CUPRIC_APART complex128
elliprf(complex128 x, complex128 y, complex128 z)
{
    using namespace carlson;
    if (is_on_cut(x) || is_on_cut(y) || is_on_cut(z)) return not_a_complex_number();
    if (is_inf(x) || is_inf(y) || is_inf(z)) return complex128(0);
    if (zeros_of(x, y, z) > 1) return complex128(elementary::infinity<double>(), 0);
    return rf(x, y, z);
}

CUPRIC_APART complex128
elliprd(complex128 x, complex128 y, complex128 z)
{
    using namespace carlson;
    if (is_on_cut(x) || is_on_cut(y) || is_on_cut(z)) return not_a_complex_number();
    if (is_zero(z)) return complex128(elementary::infinity<double>(), 0);
    if (is_inf(x) || is_inf(y) || is_inf(z)) return complex128(0);
    if (zeros_of(x, y, z) > 1) return complex128(elementary::infinity<double>(), 0);
    return rd(x, y, z);
}

CUPRIC_APART complex128
elliprg(complex128 x, complex128 y, complex128 z)
{
    using namespace carlson;
    if (is_nan(x) || is_nan(y) || is_nan(z)) return not_a_complex_number();
    /* RG(0, y, z) is a mean of roots, which the cut has, too */
    if (zeros_of(x, y, z) == 0 && (is_on_cut(x) || is_on_cut(y) || is_on_cut(z)))
        return not_a_complex_number();
    if (is_inf(x) || is_inf(y) || is_inf(z))
        return complex128(elementary::infinity<double>(), 0);
    if (size(x) > size(z)) { /* z is the largest, for the sake of accuracy */
        const complex128 t = x;
        x = z, z = t;
    }
    if (size(y) > size(z)) {
        const complex128 t = y;
        y = z, z = t;
    }
    if (zeros_of(x, y, z) > 1) return root(z) * 0.5;
    const complex128 last = (x - z) * (y - z) * rd(x, y, z) * (1 / 3.0);
    return (z * rf(x, y, z) - last + root(x) * root(y) / root(z)) * 0.5;
}

CUPRIC_APART complex128
elliprj(complex128 x, complex128 y, complex128 z, complex128 p)
{
    using namespace carlson;
    if (is_on_cut(x) || is_on_cut(y) || is_on_cut(z) || is_nan(p) ||
        !has_rj(x, y, z, p))
        return not_a_complex_number();
    if (p.im == 0 && p.re <= 0) {
        if (p.re == 0 || !is_real(x) || !is_real(y) || !is_real(z))
            return not_a_complex_number();
        return complex128(elliprj(x.re, y.re, z.re, p.re));
    }
    if (is_inf(x) || is_inf(y) || is_inf(z) || is_inf(p)) return complex128(0);
    if (zeros_of(x, y, z) > 1) return complex128(elementary::infinity<double>(), 0);
    return rj(x, y, z, p);
}

CUPRIC_END

#endif
