/* math/single_polynomials.hpp: the polynomials of single_in_double.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_MATH_SINGLE_POLYNOMIALS_HPP
#define CUPRIC_MATH_SINGLE_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

/* sinh(r) / r in r**2, for |r| <= log(2) / 2: 2**-36.7 */
CUPRIC_MATH double
single_sinh(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {{0x1.1110a60058882p-7, 0x1.5555557e79d5fp-3}};
    return horner(x, 0x1.a17e4p-13, c[0], c[1], 0x1p+0);
}

/* (cosh(r) - 1) / r**2 in r**2, for |r| <= log(2) / 2: 2**-39.0 */
CUPRIC_MATH double
single_cosh(double x)
{
    CUPRIC_KEPT kept_coefficients<1> c = {{0x1.55555561a8f1p-5}};
    return horner(x, 0x1.a1372p-16, 0x1.6c167p-10, c[0], 0x1p-1);
}

/* sin(r) / r in r**2, for |r| <= pi / 4: 2**-36.5 */
CUPRIC_MATH double
single_sin(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {0x1.1111070daf335p-7, -0x1.55555548cfc62p-3}};
    return horner(x, 0x1.6caf5p-19, -0x1.a00ecp-13, c[0], c[1], 0x1p+0);
}

/* (cos(r) - 1) / r**2 in r**2, for |r| <= pi / 4: 2**-39.37 */
CUPRIC_MATH double
single_cos(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {-0x1.6c16bae4f80cep-10, 0x1.5555555164f6dp-5}};
    return horner(x, -0x1.2471ep-22, 0x1.a0129p-16, c[0], c[1], -0x1p-1);
}

/* log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-35.81 */
CUPRIC_MATH double
single_log1p(double x)
{
    CUPRIC_KEPT kept_coefficients<7> c = {{0x1.c6e15958bdd6p-4, 0x1.2495247e9a9ffp-3,
                                           -0x1.55544fb33b8a4p-3, 0x1.9999860238d23p-3,
                                           -0x1.0000018da7ccdp-2, 0x1.55555567ab8aep-2,
                                           -0x1.fffffffedfc06p-2}};
    return horner(x, -0x1.8cdecp-5, 0x1.79065p-4, -0x1.7e877p-4, 0x1.71bep-4,
                  -0x1.947e3p-4, c[0], -0x1.00252p-3, c[1], c[2], c[3], c[4], c[5],
                  c[6], 0x1p+0);
}

/* atan(q) / q in q**2, for |q| <= 1: 2**-35.42 */
CUPRIC_MATH double
single_atan(double x)
{
    CUPRIC_KEPT kept_coefficients<7> c = {{0x1.9f29873619ba4p-5, 0x1.380a25164620fp-4,
                                           -0x1.73d2a609c50a8p-4, 0x1.c70c392ca5efep-4,
                                           -0x1.2491b5d0a5911p-3, 0x1.99999416cbe7ap-3,
                                           -0x1.5555554b9f2a6p-2}};
    return horner(x, -0x1.20ba9p-12, 0x1.22fbbp-9, -0x1.137f8p-7, 0x1.4b3b1p-6,
                  -0x1.23672p-5, c[0], -0x1.0537ap-4, c[1], c[2], c[3], c[4], c[5],
                  c[6], 0x1p+0);
}

} /* namespace elementary */
CUPRIC_END

#endif
