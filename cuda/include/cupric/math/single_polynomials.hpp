/* math/single_polynomials.hpp: the polynomials of single_in_double.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_MATH_SINGLE_POLYNOMIALS_HPP
#define CUPRIC_MATH_SINGLE_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

/* exp(r) for |r| <= log(2) / 2: 2**-32.8 */
CUPRIC_MATH double
single_exp_of_rest(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {0x1.555553541ec1dp-3, 0x1.00000041f086dp-1, 0x1.000000008f401p+0}};
    return horner(x, 0x1.9eb67p-13, 0x1.6da58p-10, 0x1.1113p-7, 0x1.55547p-5, c[0],
                  c[1], c[2], 0x1p+0);
}

/* (exp(r) - 1) / r for |r| <= log(2) / 2: 2**-35.83 */
CUPRIC_MATH double
single_expm1(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {0x1.555554e382ae4p-5, 0x1.5555558a1a11ap-3, 0x1.000000002d42ep-1}};
    return horner(x, 0x1.a0189p-16, 0x1.a17e2p-13, 0x1.6c176p-10, 0x1.1110ap-7, c[0],
                  c[1], c[2], 0x1p+0);
}

/* sinh(r) / r in r**2, for |r| <= log(2) / 2: 2**-35.99 */
CUPRIC_MATH double
single_sinh(double x)
{
    CUPRIC_KEPT kept_coefficients<1> c = {{0x1.5555558a04156p-3}};
    return horner(x, 0x1.a17e4p-13, 0x1.1110ap-7, c[0], 0x1p+0);
}

/* cosh(r) in r**2, for |r| <= log(2) / 2: 2**-33.24 */
CUPRIC_MATH double
single_cosh(double x)
{
    CUPRIC_KEPT kept_coefficients<1> c = {{0x1.000000669bbafp-1}};
    return horner(x, 0x1.6da6bp-10, 0x1.55546p-5, c[0], 0x1p+0);
}

/* sin(r) / r in r**2, for |r| <= pi / 4: 2**-36.5 */
CUPRIC_MATH double
single_sin(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {0x1.1111070daf335p-7, -0x1.55555548cfc62p-3}};
    return horner(x, 0x1.6caf5p-19, -0x1.a00ecp-13, c[0], c[1], 0x1p+0);
}

/* cos(r) in r**2, for |r| <= pi / 4: 2**-32.77 */
CUPRIC_MATH double
single_cos(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {-0x1.6c06e37ec7579p-10, 0x1.5555388feaafcp-5, -0x1.ffffffb61890ep-2}};
    return horner(x, 0x1.98e61p-16, c[0], c[1], c[2], 0x1p+0);
}

/* (cos(r) - 1) / r**2 in r**2, for |r| <= pi / 4: 2**-39.37 */
CUPRIC_MATH double
single_cos_less_1(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {-0x1.6c16bae4f80cep-10, 0x1.5555555164f6dp-5}};
    return horner(x, -0x1.2471ep-22, 0x1.a0129p-16, c[0], c[1], -0x1p-1);
}

/* log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-31.65 */
CUPRIC_MATH double
single_log1p(double x)
{
    CUPRIC_KEPT kept_coefficients<5> c = {{-0x1.fc49265befca2p-4, -0x1.5569afbb8bce9p-3,
                                           -0x1.ffffa52341a58p-3, 0x1.55555420b1416p-2,
                                           -0x1.0000001c7c68ap-1}};
    return horner(x, -0x1.eb3bcp-5, 0x1.b8749p-4, -0x1.bdeecp-4, 0x1.c34efp-4, c[0],
                  0x1.2491cp-3, c[1], 0x1.999a3p-3, c[2], c[3], c[4], 0x1p+0);
}

/* log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-35.81 */
CUPRIC_MATH double
single_log1p_for_power(double x)
{
    CUPRIC_KEPT kept_coefficients<7> c = {{0x1.c6e15958bdd6p-4, 0x1.2495247e9a9ffp-3,
                                           -0x1.55544fb33b8a4p-3, 0x1.9999860238d23p-3,
                                           -0x1.0000018da7ccdp-2, 0x1.55555567ab8aep-2,
                                           -0x1.fffffffedfc06p-2}};
    return horner(x, -0x1.8cdecp-5, 0x1.79065p-4, -0x1.7e877p-4, 0x1.71bep-4,
                  -0x1.947e3p-4, c[0], -0x1.00252p-3, c[1], c[2], c[3], c[4], c[5],
                  c[6], 0x1p+0);
}

/* (atan(q) - q) / q**3 in q**2, for |q| <= tan(pi / 8): 2**-35.35 */
CUPRIC_MATH double
single_atan_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {-0x1.247ed933c274ep-3, 0x1.999918847f6eep-3, -0x1.555554c581cc7p-2}};
    return horner(x, 0x1.84a11p-5, -0x1.5b2ffp-4, 0x1.c463fp-4, c[0], c[1], c[2]);
}

} /* namespace elementary */
CUPRIC_END

#endif
