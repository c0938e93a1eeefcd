/* special/gamma_polynomials.hpp: the polynomials of gamma.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_SPECIAL_GAMMA_POLYNOMIALS_HPP
#define CUPRIC_SPECIAL_GAMMA_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

template <class F>
struct gamma_constants;

template <>
struct gamma_constants<float> {
    CUPRIC_MATH static constexpr float DIGAMMA_ROOT() { return 0x1.762d86p+0f; }
    CUPRIC_MATH static constexpr float DIGAMMA_ROOT_LOW() { return 0x1.ab5f2p-27f; }
};

template <>
struct gamma_constants<double> {
    CUPRIC_MATH static constexpr double DIGAMMA_ROOT() { return 0x1.762d86356be3fp+0; }
    CUPRIC_MATH static constexpr double DIGAMMA_ROOT_LOW()
    {
        return 0x1.b86a722197829p-54;
    }
};

/* psi(x) / (x - DIGAMMA_ROOT) by t = x - 3/2, 1 <= x <= 2: 2**-53.48 */
CUPRIC_MATH double
digamma_over_root(double x)
{
    CUPRIC_KEPT kept_coefficients<23> c = {
        {0x1.fc71743fba637p-14,  -0x1.7616d1c15952p-13,  0x1.870a8f6214b51p-14,
         -0x1.2f3ecef869617p-13, 0x1.55bf778859b99p-12,  -0x1.fdad2dbbf9975p-12,
         0x1.69e69d2ce9b6ap-11,  -0x1.0fb12a4344777p-10, 0x1.99dd141090f24p-10,
         -0x1.336df81fa614dp-9,  0x1.cd1f75cb8398ap-9,   -0x1.5a06a26fbc6f2p-8,
         0x1.03c0b1002e6adp-7,   -0x1.86356413173f6p-7,  0x1.256471624c034p-6,
         -0x1.b9f8b11b69352p-6,  0x1.4de9aa17cc0bfp-5,   -0x1.fb44202a244b2p-5,
         0x1.8512e59038aabp-4,   -0x1.2feeeb98a78c9p-3,  0x1.eca189b8e6f58p-3,
         -0x1.b1cb63005ee99p-2,  0x1.e6f0cbb873616p-1}};
    return polynomial<22, 1>(x, c);
}

} /* namespace elementary */
CUPRIC_END

#endif
