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
    CUPRIC_MATH static constexpr float STIRLING_LOW() { return -0x1.e6d052p-27f; }
    CUPRIC_MATH static constexpr float STIRLING_SHORT() { return 0x1.acfep-2f; }
    CUPRIC_MATH static constexpr float STIRLING_SHORT_LOW() { return 0x1.c864bep-21f; }
    CUPRIC_MATH static constexpr float LEAST_GAMMA() { return 0x1.76p+0f; }
    CUPRIC_MATH static constexpr float OVER_GAMMA() { return 0x1.211186p+0f; }
    CUPRIC_MATH static constexpr float OVER_GAMMA_LOW() { return -0x1.f7eccp-27f; }
    CUPRIC_MATH static constexpr float LOG_PI() { return 0x1.250d04p+0f; }
    CUPRIC_MATH static constexpr float LOG_PI_LOW() { return 0x1.1cf438p-25f; }
    CUPRIC_MATH static constexpr float GAMMALN_NEAR() { return 0x1.eeb95cp-2f; }
    CUPRIC_MATH static constexpr float GAMMALN_NEAR_LOW() { return -0x1.ed67cep-27f; }
    CUPRIC_MATH static constexpr float GAMMALN_SLOPE() { return -0x1.2aed06p-3f; }
};

template <>
struct special_constants<double> {
    CUPRIC_MATH static constexpr double STIRLING() { return 0x1.acfe390c97d69p-2; }
    CUPRIC_MATH static constexpr double STIRLING_LOW() { return 0x1.3494bc9001442p-56; }
    CUPRIC_MATH static constexpr double STIRLING_SHORT() { return 0x1.acfe390c98p-2; }
    CUPRIC_MATH static constexpr double STIRLING_SHORT_LOW()
    {
        return -0x1.4b596d686dffdp-45;
    }
    CUPRIC_MATH static constexpr double LEAST_GAMMA() { return 0x1.76p+0; }
    CUPRIC_MATH static constexpr double OVER_GAMMA() { return 0x1.211185c102682p+0; }
    CUPRIC_MATH static constexpr double OVER_GAMMA_LOW()
    {
        return -0x1.c7e7a35503896p-54;
    }
    CUPRIC_MATH static constexpr double LOG_PI() { return 0x1.250d048e7a1bdp+0; }
    CUPRIC_MATH static constexpr double LOG_PI_LOW() { return 0x1.7abf2ad8d5088p-57; }
    CUPRIC_MATH static constexpr double GAMMALN_NEAR() { return 0x1.eeb95b094c191p-2; }
    CUPRIC_MATH static constexpr double GAMMALN_NEAR_LOW()
    {
        return 0x1.346863f58b075p-56;
    }
    CUPRIC_MATH static constexpr double GAMMALN_SLOPE()
    {
        return -0x1.2aed059bd608ap-3;
    }
};

/* z (log(gamma(z)) - (z - 1/2) (log(z) - 1) - STIRLING) in z**-2, z >= 4: 2**-30.35 */
CUPRIC_MATH float
stirling_tail(float x)
{
    return horner(x, 0x1.8166aap-11f, -0x1.6bdbaap-9f, 0x1.555552p-4f);
}

/* 2**-60.48 */
CUPRIC_MATH double
stirling_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<6> c = {
        {-0x1.f50533c721ab3p-10, 0x1.b94303a6d1fp-11, -0x1.381358225241ep-11,
         0x1.a01a016116a7cp-11, -0x1.6c16c16c0ba55p-9, 0x1.5555555555554p-4}};
    return horner(x, -0x1.4b0e8p-3, 0x1.51503p-4, -0x1.86eb6p-6, 0x1.94f82p-8, c[0],
                  c[1], c[2], c[3], c[4], c[5]);
}

/* gammaln(x) / (x - 1) / (x - 2) less two terms, by t**2, t = x - 3/2 <= 1/2: 2**-59.06 */
CUPRIC_MATH double
gammaln_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<20> c = {
        {-0x1.0af8e4df63541p-17, 0x1.962a553bab6e7p-17,  -0x1.0fd7d8d268cedp-17,
         0x1.bc08062a5338p-17,   -0x1.cab8eccebb9bfp-16, 0x1.68b75b59badf4p-15,
         -0x1.153c45cd9b24dp-14, 0x1.b9ed764021873p-14,  -0x1.62436eb6691b6p-13,
         0x1.1c7dc609caff1p-12,  -0x1.cb449d3182d7fp-12, 0x1.750a802d063eap-11,
         -0x1.313e8b6ed02d4p-10, 0x1.f814ba6dc039bp-10,  -0x1.a503522c35e02p-9,
         0x1.64f0664d20a48p-8,   -0x1.34dbda14a00ep-7,   0x1.133423527dd1p-6,
         -0x1.007aa83cee164p-5,  0x1.01af62a2929cfp-4}};
    return polynomial<19, 1>(x, c);
}

/* (1 / gamma(x) - OVER_GAMMA) / t, t = x - LEAST_GAMMA, 1 <= x <= 2: 2**-58.81 */
CUPRIC_MATH double
over_gamma_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<10> c = {
        {0x1.0898dc86ce517p-15, 0x1.283dbfd292d45p-13, -0x1.30b83ce6fb1e5p-10,
         0x1.44892aace9e65p-9, 0x1.88385da10acd4p-8, -0x1.6571c9def18ddp-5,
         0x1.e62bc495859dcp-5, 0x1.54f767af63119p-3, -0x1.17e6bbe4f54d3p-1,
         0x1.8e12060bd379p-11}};
    return horner(x, -0x1.317cdp-32, -0x1.6c6b5p-31, 0x1.2e07fp-26, -0x1.aaad3p-24,
                  0x1.d632cp-24, 0x1.1bba7p-19, -0x1.f3ea6p-17, c[0], c[1], c[2], c[3],
                  c[4], c[5], c[6], c[7], c[8], c[9]);
}

/* (log(1 + f) - f + f**2 / 2) / f**3 for |f| <= 1 / 128: 2**-69.83 */
CUPRIC_MATH double
small_log_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {0x1.99999986e70ebp-3, -0x1.0000000009698p-2, 0x1.55555555555cfp-2}};
    return horner(x, -0x1.0007cp-3, 0x1.24999p-3, -0x1.55555p-3, c[0], c[1], c[2]);
}

/* (sin(pi h) - pi h) / h**3 in h**2, for |h| <= 1 / 64: 2**-64.46 */
CUPRIC_MATH double
sinpi_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {0x1.466bc6776c13bp+1, -0x1.4abbce625be55p+2}};
    return horner(x, 0x1.5073ap-4, -0x1.32d2dp-1, c[0], c[1]);
}

/* (cos(pi h) - 1) / h**2 in h**2, for |h| <= 1 / 64: 2**-63.53 */
CUPRIC_MATH double
cospi_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {-0x1.55d3c7d65fdb7p+0, 0x1.03c1f081b59a9p+2, -0x1.3bd3cc9be45dep+2}};
    return horner(x, 0x1.e1edp-3, c[0], c[1], c[2]);
}

/* as stirling_tail(), for gamma of floats, beside which it is not small: 2**-28.95 */
CUPRIC_MATH double
single_gamma_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {0x1.8166a92b37c41p-11, -0x1.6bdbaaf9a8382p-9}};
    return horner(x, c[0], c[1], 0x1.55555p-4);
}

/* exp(r) for |r| <= log(2) / 2, for gamma of floats: 2**-31.31 */
CUPRIC_MATH double
single_exp(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {{0x1.0000003dd0a18p-1, 0x1.00000009ed593p+0}};
    return horner(x, 0x1.9eb67p-13, 0x1.6da58p-10, 0x1.1113p-7, 0x1.55547p-5,
                  0x1.55555p-3, c[0], c[1], 0x1p+0);
}

/* sin(pi x) / x in x**2, for |x| <= 1 / 2, for floats: 2**-35.45 */
CUPRIC_MATH double
single_sinpi(double x)
{
    CUPRIC_KEPT kept_coefficients<4> c = {{-0x1.32d112842d382p-1, 0x1.466bbfc7d405ep+1,
                                           -0x1.4abbce4f4626fp+2,
                                           0x1.921fb5441fc19p+1}};
    return horner(x, -0x1.cc346p-8, 0x1.501p-4, c[0], c[1], c[2], c[3]);
}

/* (log(1 + r) - r) / r**2 for |r| <= 0.0335: 2**-30.62 */
CUPRIC_MATH float
wide_log_square(float x)
{
    return horner(x, 0x1.9a10d4p-3f, -0x1.003d6p-2f, 0x1.55555p-2f, -0x1.fffffcp-2f);
}

/* 2**-61.06 */
CUPRIC_MATH double
wide_log_square(double x)
{
    CUPRIC_KEPT kept_coefficients<8> c = {{-0x1.9a9fe567f114p-4, 0x1.c821986e0eda6p-4,
                                           -0x1.ffffb7ae26886p-4, 0x1.2492299b532b1p-3,
                                           -0x1.555555599897bp-3, 0x1.9999999c99d7ep-3,
                                           -0x1.ffffffffffcdfp-3, 0x1.55555555554ap-2}};
    return horner(x, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], -0x1p-1);
}

/* log(1 + r) / r for |r| <= 0.0335, for floats: 2**-35.56 */
CUPRIC_MATH double
single_small_log(double x)
{
    return horner(x, -0x1.55d39p-3, 0x1.9a17dp-3, -0x1.fffffp-3, 0x1.55555p-2, -0x1p-1,
                  0x1p+0);
}

} /* namespace elementary */
CUPRIC_END

#endif
