/* math/i1_pieces.hpp: the tables of bessel.hpp. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_I1_PIECES_HPP
#define CUPRIC_MATH_I1_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* I1(x) / x in x**2, 0 <= x <= 12: 2**-55.17 */
CUPRIC_MATH double
i1_series(double x)
{
    CUPRIC_KEPT kept_coefficients<18> c = {
        {0x1.dcb879e54db2cp-146, 0x1.e5bd352121a85p-138, 0x1.8e843ef974e34p-126,
         0x1.5c7437e01fcb8p-116, 0x1.55945ef474ae8p-106, 0x1.1619103c3fdb9p-96,
         0x1.8bdaf6c62655ep-87, 0x1.e261c02485661p-78, 0x1.f176c5f8c0549p-69,
         0x1.ab81e6d7f7b96p-60, 0x1.2c975910feb05p-51, 0x1.522a43f1b8cd1p-43,
         0x1.27e4fb77d176fp-35, 0x1.845c8a0cdf276p-28, 0x1.6c16c16c17127p-21,
         0x1.c71c71c71c6c8p-15, 0x1.5555555555559p-9, 0x1.fffffffffffffp-5}};
    return horner(x, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10],
                  c[11], c[12], c[13], c[14], c[15], c[16], c[17], 0x1p-1);
}

/* I1(x) / I0(x) in 1 / x, 12 <= x <= 714: 2**-54.27 */
CUPRIC_MATH double
i1_over_i0(double x)
{
    CUPRIC_KEPT kept_coefficients<17> c = {
        {-0x1.67260edfce6c3p+39, 0x1.d8f1dc52c8edp+38, -0x1.17bf6ac5afbd8p+37,
         0x1.8aec260d2178dp+34, -0x1.747581d005aa7p+31, 0x1.f139b789239e7p+27,
         -0x1.e51f6cfd671f8p+23, 0x1.5f99158ebfbabp+19, -0x1.7e2e5dca0374p+14,
         0x1.2f1af7794cdbfp+9, -0x1.d89ac4dae2b82p+3, -0x1.c8488208fd2e7p-1,
         -0x1.a1886c277d4a2p-2, -0x1.8ffaf2395ed48p-3, -0x1.00000540fbc96p-3,
         -0x1.fffffff9c5bfap-4, -0x1.0000000000396p-1}};
    return horner(x, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10],
                  c[11], c[12], c[13], c[14], c[15], c[16], 0x1p+0);
}

} /* namespace elementary */
CUPRIC_END

#endif
