/* math/bessel_pieces.hpp: the tables of elementary.hpp. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_BESSEL_PIECES_HPP
#define CUPRIC_MATH_BESSEL_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

template <class F>
struct bessel_constants;

template <>
struct bessel_constants<double> {
    CUPRIC_MATH static constexpr double I0_LIMIT() { return 0x1.9884533d43651p-2; }
    CUPRIC_MATH static constexpr double I0_LIMIT_LOW()
    {
        return -0x1.cbc0d30ebfd15p-56;
    }
};

/* Of what follows the terms from power 7 on. */
CUPRIC_MATH double
i0_series_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<12> c = {
        {0x1.1ce176163d17cp-140, 0x1.0a78faa12c164p-132, 0x1.a8c721e5b4a66p-121,
         0x1.5c26ba6309843p-111, 0x1.404524d685d4ap-101, 0x1.e6aaa410c328ep-92,
         0x1.41a1db78878fcp-82, 0x1.69c959689c25cp-73, 0x1.5601a62b62e69p-64,
         0x1.0b313084cc2e2p-55, 0x1.522a4428dcee4p-47, 0x1.522a43f2e0b3ap-39}};
    return polynomial<11, 1>(x, c);
}

/* I0(x) in x**2, 0 <= x <= 12: 2**-59.02 */
CUPRIC_MATH words<double>
i0_series(double x)
{
    CUPRIC_KEPT kept_coefficients<4> c = {{0x1.02e85c08c0e52p-31, 0x1.23456789a98f2p-24,
                                           0x1.c71c71c71c94p-18, 0x1.c71c71c71c71p-12}};
    return with_terms(x, i0_series_tail(x), c[0], c[1], c[2], c[3], 0x1p-6, 0x1p-2,
                      0x1p+0);
}

/* I0(x) in x**2, 0 <= x <= 12, for floats: 2**-32.18 */
CUPRIC_MATH double
single_i0_series(double x)
{
    CUPRIC_KEPT kept_coefficients<8> c = {{0x1.145afd596aaf8p-55, 0x1.4fe3250693703p-47,
                                           0x1.02dd6e2ae952ep-31, 0x1.2346f77d2ca29p-24,
                                           0x1.c71c2dacfae57p-18, 0x1.c71c77b27c11ep-12,
                                           0x1.ffffffa6c46b9p-7, 0x1.fffffffd62756p-3}};
    return horner(x, 0x1.61d6ep-90, -0x1.1f842p-84, 0x1.0dbb1p-72, 0x1.24498p-64, c[0],
                  c[1], 0x1.528c3p-39, c[2], c[3], c[4], c[5], c[6], c[7], 0x1p+0);
}

/* sqrt(x) exp(-x) I0(x) in 1 / x, 12 <= x <= 92, for floats: 2**-32.31 */
CUPRIC_MATH double
single_i0_varying(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {{0x1.98855430b8922p-5, 0x1.988453130b1afp-2}};
    return horner(x, 0x1.c92fdp-3, 0x1.b313cp-6, 0x1.f102fp-6, 0x1.cb073p-6, c[0],
                  c[1]);
}

/* I1(x) / I0(x) / (2 x), 0 < x <= 12, which a rest is multiplied by: 2**-4.568 */
CUPRIC_MATH double
i0_slope(double x)
{
    return horner(x, -0x1.0e91cp-13, 0x1.10516p-8, -0x1.8cc62p-5, 0x1.f693bp-3);
}

/* (sqrt(x) exp(-x) I0(x) - I0_LIMIT) x in 1 / x, 12 <= x <= 714: 2**-59.64 */
CUPRIC_MATH double
i0_far_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<19> c = {
        {-0x1.e3016913312e5p+44, 0x1.841efbab6f30dp+44, -0x1.1b13570e479bdp+43,
         0x1.f162e87698deep+40, -0x1.26b255874f9eap+38, 0x1.f3cda5a39e9b2p+34,
         -0x1.39f1dfef078f8p+31, 0x1.2a290f0cd10d9p+27, -0x1.b0d59d1307b68p+22,
         0x1.e23289bdfeca3p+17, -0x1.9a685eb66fb8fp+12, 0x1.0ecdf72d53badp+7,
         -0x1.5234d83a876b7p+0, 0x1.009bd52df2b2bp-2, 0x1.7266bbb123abap-4,
         0x1.6e891e7d671a5p-5, 0x1.debb0e6950e75p-6, 0x1.cb94dda650f93p-6,
         0x1.9884533d4345ep-5}};
    return polynomial<18, 1>(x, c);
}

} /* namespace elementary */
CUPRIC_END

#endif
