/* special/elliptic_polynomials.hpp: polynomials of elliptic.hpp. Written by
 * tools/elliptic.py: change that.
 */
#ifndef CUPRIC_SPECIAL_ELLIPTIC_POLYNOMIALS_HPP
#define CUPRIC_SPECIAL_ELLIPTIC_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

/* A of K(1 - p) = A(p) - log(p) B(p): 2**-59.55 */
CUPRIC_MATH double
ellipk_free(double x)
{
    CUPRIC_KEPT kept_coefficients<11> c = {
        {0x1.0873ca59a87a2p-13, 0x1.19a34f1abe92ap-9, 0x1.fd8068a245057p-8,
         0x1.46192e9e90d6dp-7, 0x1.ceca204acba57p-8, 0x1.995c69f1a4424p-8,
         0x1.203b50576b81bp-7, 0x1.e97eaba3a8015p-7, 0x1.fa05b2b06b10bp-6,
         0x1.8b90bfbeb5c1fp-4, 0x1.62e42fefa39efp+0}};
    return polynomial<10, 1>(x, c);
}

/* B of K(1 - p) = A(p) - log(p) B(p): 2**-59.55 */
CUPRIC_MATH double
ellipk_log(double x)
{
    CUPRIC_KEPT kept_coefficients<11> c = {
        {0x1.c08695c8d6cb7p-16, 0x1.befb64525c18dp-11, 0x1.749721239c6e7p-8,
         0x1.f0db5efb2aa96p-7, 0x1.854f44b5a0da7p-6, 0x1.ed131751c4256p-6,
         0x1.322ebecd0612bp-5, 0x1.8fffbd98d62f7p-5, 0x1.1fffffdf5ec6ep-4,
         0x1.fffffffffba13p-4, 0x1.0000000000000p-1}};
    return polynomial<10, 1>(x, c);
}

/* A of E(1 - p) = 1 + p (A(p) - log(p) B(p)): 2**-63.35 */
CUPRIC_MATH double
ellipe_free(double x)
{
    CUPRIC_KEPT kept_coefficients<11> c = {
        {0x1.2d1d5812aceadp-14, 0x1.76bacdc16900ap-10, 0x1.93d154df9431ap-8,
         0x1.35e9e2b7eed88p-7, 0x1.e3d0c2b406dd2p-8, 0x1.780e1db2669b1p-8,
         0x1.d969ea59f621ap-8, 0x1.7a628aafe8c6ap-7, 0x1.65af8af7161dap-6,
         0x1.d1591faa8a96fp-5, 0x1.c5c85fdf47616p-2}};
    return polynomial<10, 1>(x, c);
}

/* B of E(1 - p) = 1 + p (A(p) - log(p) B(p)): 2**-63.35 */
CUPRIC_MATH double
ellipe_log(double x)
{
    CUPRIC_KEPT kept_coefficients<11> c = {
        {0x1.f175e7849b3efp-17, 0x1.1a5a45a3d5f17p-11, 0x1.0d3dd8091e425p-8,
         0x1.95cdfb81c5894p-7, 0x1.59278c36d5a8bp-6, 0x1.c06e6589c031dp-6,
         0x1.13696d9aa28eep-5, 0x1.5dfe8b859ab60p-5, 0x1.dffffcb23512ap-5,
         0x1.7fffffff19337p-4, 0x1.fffffffffff8ep-3}};
    return polynomial<10, 1>(x, c);
}

} /* namespace elementary */
CUPRIC_END

#endif
