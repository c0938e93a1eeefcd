/* math/single_polynomials.hpp: the polynomials of single_in_double.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_MATH_SINGLE_POLYNOMIALS_HPP
#define CUPRIC_MATH_SINGLE_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

/* sinh(r) / r in r**2, for |r| <= log(2) / 2: 2**-37.7 */
CUPRIC_MATH double
single_sinh(double x)
{
    return horner(x, 0x1.a17e3e1e374c2p-13, 0x1.1110a601ed5aap-7, 0x1.5555557e78896p-3,
                  0x1.fffffffff623ap-1);
}

/* (cosh(r) - 1) / r**2 in r**2, for |r| <= log(2) / 2: 2**-40.01 */
CUPRIC_MATH double
single_cosh(double x)
{
    return horner(x, 0x1.a1371963688edp-16, 0x1.6c166bad4a9b6p-10, 0x1.55555565d3e9ep-5,
                  0x1.fffffffffe04dp-2);
}

/* sin(r) / r in r**2, for |r| <= pi / 4: 2**-37.67 */
CUPRIC_MATH double
single_sin(double x)
{
    return horner(x, 0x1.6caf49111612ap-19, -0x1.a00ec121cd3f2p-13, 0x1.111107108f43p-7,
                  -0x1.55555548d71ecp-3, 0x1.fffffffff5f86p-1);
}

/* (cos(r) - 1) / r**2 in r**2, for |r| <= pi / 4: 2**-40.29 */
CUPRIC_MATH double
single_cos(double x)
{
    return horner(x, -0x1.2471dcb9548cp-22, 0x1.a0128a7f7fa79p-16,
                  -0x1.6c16bad0bfc54p-10, 0x1.555555513bdb4p-5, -0x1.fffffffffe5f2p-2);
}

/* log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-36.56 */
CUPRIC_MATH double
single_log1p(double x)
{
    return horner(x, -0x1.8cdebb3acddeep-5, 0x1.7906543f1048ep-4, -0x1.7e8774deb2992p-4,
                  0x1.71be04eb7781fp-4, -0x1.947e327522c44p-4, 0x1.c6e154cc3529fp-4,
                  -0x1.00251e96ec2e2p-3, 0x1.249524c1364ecp-3, -0x1.55544fe7e0712p-3,
                  0x1.99998602d7713p-3, -0x1.0000018257ab4p-2, 0x1.555555668312cp-2,
                  -0x1.ffffffff97eb6p-2, 0x1.0000000003c29p+0);
}

/* atan(q) / q in q**2, for |q| <= 1: 2**-37.44 */
CUPRIC_MATH double
single_atan(double x)
{
    return horner(x, -0x1.20ba8b7184336p-12, 0x1.22fbab0ab74fap-9,
                  -0x1.137f7b79d6258p-7, 0x1.4b3b087b0d98fp-6, -0x1.23671610ecdefp-5,
                  0x1.9f2975d64a1c3p-5, -0x1.053795b60c807p-4, 0x1.380a1c7c42056p-4,
                  -0x1.73d2a154f41cap-4, 0x1.c70c37fb08238p-4, -0x1.2491b5e0740fap-3,
                  0x1.999994210a5a3p-3, -0x1.5555554a7d30bp-2, 0x1.fffffffff42c8p-1);
}

} /* namespace elementary */
CUPRIC_END

#endif
