/* math/special_polynomials.hpp: the polynomials of special.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_MATH_SPECIAL_POLYNOMIALS_HPP
#define CUPRIC_MATH_SPECIAL_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

template <class F>
struct special_constants;

template <>
struct special_constants<float> {
    CUPRIC_MATH static constexpr float STIRLING() { return 0x1.acfe3ap-2f; }
    CUPRIC_MATH static constexpr float STIRLING_2() { return 0x1.3573fcp-1f; }
    CUPRIC_MATH static constexpr float STIRLING_2_LOW() { return 0x1.edab6p-26f; }
    CUPRIC_MATH static constexpr float GAMMALN_NEAR() { return 0x1.eeb95cp-2f; }
    CUPRIC_MATH static constexpr float GAMMALN_NEAR_LOW() { return -0x1.ed67cep-27f; }
    CUPRIC_MATH static constexpr float GAMMALN_SLOPE() { return -0x1.2aed06p-3f; }
    CUPRIC_MATH static constexpr float GAMMALN_SLOPE_LOW() { return 0x1.90a7dep-29f; }
};

template <>
struct special_constants<double> {
    CUPRIC_MATH static constexpr double STIRLING() { return 0x1.acfe390c97d69p-2; }
    CUPRIC_MATH static constexpr double STIRLING_2() { return 0x1.3573fcf6d5af9p-1; }
    CUPRIC_MATH static constexpr double STIRLING_2_LOW()
    {
        return 0x1.0e57879459ce1p-55;
    }
    CUPRIC_MATH static constexpr double GAMMALN_NEAR() { return 0x1.eeb95b094c191p-2; }
    CUPRIC_MATH static constexpr double GAMMALN_NEAR_LOW()
    {
        return 0x1.346863f58b075p-56;
    }
    CUPRIC_MATH static constexpr double GAMMALN_SLOPE()
    {
        return -0x1.2aed059bd608ap-3;
    }
    CUPRIC_MATH static constexpr double GAMMALN_SLOPE_LOW()
    {
        return -0x1.cd3d2ca77b63ap-61;
    }
};

/* z (log(gamma(z)) - (z - 1/2) (log(z) - 1) - STIRLING) in z**-2, z >= 3.15: 2**-58.86 */
CUPRIC_MATH double
stirling_tail(double x)
{
    return horner(x, -0x1.8174554ff74cbp+0, 0x1.2b7b8d885323cp+0, -0x1.c68bf4191cd09p-2,
                  0x1.dc40a7604c907p-4, -0x1.adbad08c455a1p-6, 0x1.9ba89941251dcp-8,
                  -0x1.f5bde53002fa6p-10, 0x1.b9491f6ab2478p-11, -0x1.3813671cf545ap-11,
                  0x1.a01a0174265d2p-11, -0x1.6c16c16c0e65ap-9, 0x1.5555555555555p-4);
}

/* gammaln(x) / (x - 1) / (x - 2) less two terms, by t**2, t = x - 3/2 <= 0.65: 2**-57.74 */
CUPRIC_MATH double
gammaln_tail(double x)
{
    return horner(x, 0x1.2c58814dcfcbcp-19, -0x1.3d068852fca33p-18,
                  0x1.309194bc3753bp-19, -0x1.cf13bc5b5cd87p-21, 0x1.b44e22273d15dp-18,
                  -0x1.ac761b1c86473p-17, 0x1.1eb94ba5236ddp-16, -0x1.ad19d6aa29974p-16,
                  0x1.5d01d252ae47ep-15, -0x1.17029087c1262p-14, 0x1.bb363796f0ddcp-14,
                  -0x1.621fa4768fb7p-13, 0x1.1c725134377d9p-12, -0x1.cb46796022578p-12,
                  0x1.750b02878443p-11, -0x1.313e837a6ad83p-10, 0x1.f814b6d9067dcp-10,
                  -0x1.a5035255468d3p-9, 0x1.64f0665458bdep-8, -0x1.34dbda1467e91p-7,
                  0x1.1334235276ad1p-6, -0x1.007aa83cee33cp-5, 0x1.01af62a2929f5p-4);
}

/* stirling_tail log2(e), z >= 4, for floats: 2**-30.97 */
CUPRIC_MATH double
single_stirling_tail(double x)
{
    return horner(x, 0x1.160210d453dafp-10, -0x1.0677d6d9642cfp-8,
                  0x1.ec7098904135fp-4);
}

/* sin(pi x) / x in x**2, for |x| <= 1 / 2, for floats: 2**-35.46 */
CUPRIC_MATH double
single_sinpi(double x)
{
    return horner(x, -0x1.cc3459d6714bcp-8, 0x1.500ff83e3c073p-4, -0x1.32d11206c9b3p-1,
                  0x1.466bbfc287bd4p+1, -0x1.4abbce4f1bf28p+2, 0x1.921fb5441e558p+1);
}

/* (log(1 + r) - r) / r**2 for |r| <= 0.0335: 2**-61.06 */
CUPRIC_MATH double
logit_tail(double x)
{
    return horner(x, -0x1.9a9fe567f114p-4, 0x1.c821986e0eda6p-4, -0x1.ffffb7ae26886p-4,
                  0x1.2492299b532b1p-3, -0x1.555555599897bp-3, 0x1.9999999c99d7ep-3,
                  -0x1.ffffffffffcdfp-3, 0x1.55555555554ap-2, -0x1p-1);
}

/* log(1 + r) / r for |r| <= 0.0335, for floats: 2**-31.08 */
CUPRIC_MATH double
single_logit_tail(double x)
{
    return horner(x, 0x1.9a14265840fdbp-3, -0x1.003d598c494a6p-2, 0x1.55554f02349fp-2,
                  -0x1.fffffb97bd4a7p-2, 0x1.0000000006b78p+0);
}

} /* namespace elementary */
CUPRIC_END

#endif
