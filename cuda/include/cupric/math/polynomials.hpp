/* math/polynomials.hpp: the polynomials of elementary.hpp. Written by
 * tools/polynomials.py: change that. The errors are relative to the result.
 */
#ifndef CUPRIC_MATH_POLYNOMIALS_HPP
#define CUPRIC_MATH_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

template <class F>
struct constants;

template <>
struct constants<float> {
    CUPRIC_MATH static constexpr float LN2() { return 0x1.62e43p-1f; }
    CUPRIC_MATH static constexpr float LN2_LOW() { return -0x1.05c61p-29f; }
    CUPRIC_MATH static constexpr float LN2_SHORT() { return 0x1.62e4p-1f; }
    CUPRIC_MATH static constexpr float LN2_SHORT_LOW() { return 0x1.7f7d1cp-20f; }
    CUPRIC_MATH static constexpr float LOG10_2_SHORT() { return 0x1.3442p-2f; }
    CUPRIC_MATH static constexpr float LOG10_2_SHORT_LOW() { return -0x1.95ec1p-19f; }
    CUPRIC_MATH static constexpr float LOG2_E() { return 0x1.715476p+0f; }
    CUPRIC_MATH static constexpr float LOG2_E_LOW() { return 0x1.4ae0cp-26f; }
    CUPRIC_MATH static constexpr float LOG10_E() { return 0x1.bcb7b2p-2f; }
    CUPRIC_MATH static constexpr float LOG10_E_LOW() { return -0x1.5b235ep-27f; }
    CUPRIC_MATH static constexpr float PI() { return 0x1.921fb6p+1f; }
    CUPRIC_MATH static constexpr float PI_LOW() { return -0x1.777a5cp-24f; }
    CUPRIC_MATH static constexpr float HALF_PI() { return 0x1.921fb6p+0f; }
    CUPRIC_MATH static constexpr float HALF_PI_LOW() { return -0x1.777a5cp-25f; }
    CUPRIC_MATH static constexpr float HALF_PI_LOWER() { return -0x1.ee59dap-50f; }
    CUPRIC_MATH static constexpr float QUARTER_PI() { return 0x1.921fb6p-1f; }
    CUPRIC_MATH static constexpr float QUARTER_PI_LOW() { return -0x1.777a5cp-26f; }
    CUPRIC_MATH static constexpr float INVERSE_PI() { return 0x1.45f306p-2f; }
    CUPRIC_MATH static constexpr float INVERSE_PI_LOW() { return 0x1.b9391p-27f; }
    CUPRIC_MATH static constexpr float TWO_OVER_PI() { return 0x1.45f306p-1f; }
};

template <>
struct constants<double> {
    CUPRIC_MATH static constexpr double LN2() { return 0x1.62e42fefa39efp-1; }
    CUPRIC_MATH static constexpr double LN2_LOW() { return 0x1.abc9e3b39803fp-56; }
    CUPRIC_MATH static constexpr double LN2_SHORT() { return 0x1.62e42fefa38p-1; }
    CUPRIC_MATH static constexpr double LN2_SHORT_LOW() { return 0x1.ef35793c7673p-45; }
    CUPRIC_MATH static constexpr double LOG10_2_SHORT() { return 0x1.34413509f78p-2; }
    CUPRIC_MATH static constexpr double LOG10_2_SHORT_LOW()
    {
        return 0x1.fef311f12b358p-46;
    }
    CUPRIC_MATH static constexpr double LOG2_E() { return 0x1.71547652b82fep+0; }
    CUPRIC_MATH static constexpr double LOG2_E_LOW() { return 0x1.777d0ffda0d24p-56; }
    CUPRIC_MATH static constexpr double LOG10_E() { return 0x1.bcb7b1526e50ep-2; }
    CUPRIC_MATH static constexpr double LOG10_E_LOW() { return 0x1.95355baaafad3p-57; }
    CUPRIC_MATH static constexpr double PI() { return 0x1.921fb54442d18p+1; }
    CUPRIC_MATH static constexpr double PI_LOW() { return 0x1.1a62633145c07p-53; }
    CUPRIC_MATH static constexpr double HALF_PI() { return 0x1.921fb54442d18p+0; }
    CUPRIC_MATH static constexpr double HALF_PI_LOW() { return 0x1.1a62633145c07p-54; }
    CUPRIC_MATH static constexpr double HALF_PI_LOWER()
    {
        return -0x1.f1976b7ed8fbcp-110;
    }
    CUPRIC_MATH static constexpr double QUARTER_PI() { return 0x1.921fb54442d18p-1; }
    CUPRIC_MATH static constexpr double QUARTER_PI_LOW()
    {
        return 0x1.1a62633145c07p-55;
    }
    CUPRIC_MATH static constexpr double INVERSE_PI() { return 0x1.45f306dc9c883p-2; }
    CUPRIC_MATH static constexpr double INVERSE_PI_LOW()
    {
        return -0x1.6b01ec5417056p-56;
    }
    CUPRIC_MATH static constexpr double TWO_OVER_PI() { return 0x1.45f306dc9c883p-1; }
};

/* The binary fraction of 2 / pi, after 64 zeros, by 64 bits. */
CUPRIC_HD inline unsigned long long
two_over_pi(int i)
{
    static constexpr unsigned long long word[] = {
        0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull,
        0xdb6295993c439041ull, 0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull,
        0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
        0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
        0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull,
        0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull,
        0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull};
    return word[i];
}

/* (exp(r) - 1 - r - r**2 / 2) / r**3 for |r| <= log(2) / 2: 2**-29.79 */
CUPRIC_MATH float
exp_tail(float x)
{
    return horner(x, 0x1.9fbdacp-13f, 0x1.6d4106p-10f, 0x1.1111ccp-7f, 0x1.5554f2p-5f,
                  0x1.555554p-3f);
}

/* 2**-59.04 */
CUPRIC_MATH double
exp_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<10> c = {
        {0x1.1ef5c8868d2c3p-29, 0x1.af5d9d0bcad61p-26, 0x1.27e52b045d61dp-22,
         0x1.71ddf912c91e4p-19, 0x1.a01a0182fa7p-16, 0x1.a01a01af8c98cp-13,
         0x1.6c16c16c1cd5fp-10, 0x1.111111110f7bap-7, 0x1.5555555555548p-5,
         0x1.5555555555559p-3}};
    return polynomial<9, 1>(x, c);
}

/* (exp(r) - 1 - r) / r**2 for |r| <= log(2) / 2, beside exp(r): 2**-27.76 */
CUPRIC_MATH float
exp_square(float x)
{
    return horner(x, 0x1.6a2344p-10f, 0x1.123a6cp-7f, 0x1.5558f4p-5f, 0x1.55549p-3f,
                  0x1.fffffcp-2f);
}

/* 2**-56.86 */
CUPRIC_MATH double
exp_square(double x)
{
    CUPRIC_KEPT kept_coefficients<10> c = {
        {0x1.ad7d688daf05ep-26, 0x1.28add0217e6ccp-22, 0x1.71df2728b6569p-19,
         0x1.a01999ac9708ap-16, 0x1.a01a01294489ap-13, 0x1.6c16c1844af44p-10,
         0x1.1111111127f52p-7, 0x1.55555555507f1p-5, 0x1.55555555554fbp-3,
         0x1.000000000000ap-1}};
    return polynomial<9, 1>(x, c);
}

/* (2**r - 1 - r log(2)) / r**2 for |r| <= 1 / 2, beside 2**r: 2**-27.94 */
CUPRIC_MATH float
exp2_square(float x)
{
    return horner(x, 0x1.414ec8p-13f, 0x1.5f03dap-10f, 0x1.3b2e0cp-7f, 0x1.c6af88p-5f,
                  0x1.ebfbdcp-3f);
}

/* 2**-57.03 */
CUPRIC_MATH double
exp2_square(double x)
{
    CUPRIC_KEPT kept_coefficients<10> c = {
        {0x1.e7c505fc4e0abp-32, 0x1.e617b7eb6ec02p-28, 0x1.b5265405527a4p-24,
         0x1.62bfc9f417c0cp-20, 0x1.ffcbfbc73f4f6p-17, 0x1.4309130dc57c4p-13,
         0x1.5d87fe78c3afcp-10, 0x1.3b2ab6fba07a4p-7, 0x1.c6b08d704a04p-5,
         0x1.ebfbdff82c5a1p-3}};
    return polynomial<9, 1>(x, c);
}

/* (log(1 + f) - f) / f**2 for 1 + f in [3/4, 3/2]: 2**-27.09 */
CUPRIC_MATH float
log_square(float x)
{
    return horner(x, -0x1.6fdd44p-5f, 0x1.abfba8p-4f, -0x1.0d944ap-3f, 0x1.2898d2p-3f,
                  -0x1.54f1fcp-3f, 0x1.996842p-3f, -0x1.000026p-2f, 0x1.5555a6p-2f,
                  -0x1p-1f);
}

/* log2(1 + f) / f - LOG2_E for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-28.27 */
CUPRIC_MATH float
log2_rest(float x)
{
    return horner(x, -0x1.bcfbc2p-4f, 0x1.7e553ap-3f, -0x1.89131ep-3f, 0x1.a2f802p-3f,
                  -0x1.ea7ceep-3f, 0x1.277d74p-2f, -0x1.715bfep-2f, 0x1.ec70ap-2f,
                  -0x1.71546ep-1f, 0x1.3ad8dcp-26f);
}

/* log10(1 + f) / f - LOG10_E for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-27.18 */
CUPRIC_MATH float
log10_rest(float x)
{
    return horner(x, -0x1.0be81ep-5f, 0x1.cc5feep-5f, -0x1.d94f2p-5f, 0x1.f87d1ap-5f,
                  -0x1.274d9ep-4f, 0x1.63ce34p-4f, -0x1.bcc0c4p-4f, 0x1.287a78p-3f,
                  -0x1.bcb7a8p-3f, -0x1.64ca28p-27f);
}

/* (atanh(q) - q) / q**3 in q**2, for |q| <= 0.2728: 2**-30.43 */
CUPRIC_MATH float
half_log_tail(float x)
{
    return horner(x, 0x1.091e26p-3f, 0x1.2223a8p-3f, 0x1.99a938p-3f, 0x1.555546p-2f);
}

/* (2 atanh(q) - 2 q) / q**3 in q**2, for |q| <= 0.1716: 2**-59.04 */
CUPRIC_MATH double
log_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<7> c = {{0x1.2f042e8d5c3b2p-3, 0x1.39a1dc7d4e426p-3,
                                           0x1.74663d8c5371bp-3, 0x1.c71c520f7ee87p-3,
                                           0x1.24924941ec503p-2, 0x1.999999997fd7ep-2,
                                           0x1.5555555555593p-1}};
    return polynomial<6, 1>(x, c);
}

/* (2 atanh(q) - 2 q) / q**3 in q**2, for |q| <= 0.2001: 2**-61.43 */
CUPRIC_MATH double
log_wide_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<8> c = {{0x1.1b6fd06fc7cd6p-3, 0x1.0dce403796bf9p-3,
                                           0x1.3b35977bd101fp-3, 0x1.745c4c25b0f53p-3,
                                           0x1.c71c748a1ef22p-3, 0x1.24924921ead35p-2,
                                           0x1.999999999c107p-2, 0x1.555555555554fp-1}};
    return polynomial<7, 1>(x, c);
}

/* (2 atanh(q / 2) - q) / q**3 in q**2, for |q| <= 0.3432: 2**-30.14 */
CUPRIC_MATH float
atanh_tail(float x)
{
    return horner(x, 0x1.31e276p-9f, 0x1.995ec2p-7f, 0x1.55557ap-4f);
}

/* 2**-59.09 */
CUPRIC_MATH double
atanh_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<7> c = {{0x1.2f04ff93957aap-18, 0x1.39a1c8bd4e649p-16,
                                           0x1.74663e4604bd1p-14, 0x1.c71c520c29ed6p-12,
                                           0x1.24924941f026dp-9, 0x1.999999997fd3ep-7,
                                           0x1.5555555555593p-4}};
    return polynomial<6, 1>(x, c);
}

/* (2 atanh(q / 2) - q) / q**3 in q**2, for |q| <= 0.4008: 2**-61.46 */
CUPRIC_MATH double
atanh_wide_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<8> c = {{0x1.1b94f21c415d4p-20, 0x1.0dc8b895044d3p-18,
                                           0x1.3b35ec7de1917p-16, 0x1.745c4983e6c43p-14,
                                           0x1.c71c7495847fdp-12, 0x1.24924921ddb8ap-9,
                                           0x1.999999999c1eap-7, 0x1.555555555554fp-4}};
    return polynomial<7, 1>(x, c);
}

/* log2(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)], for powers of floats: 2**-33.99 */
CUPRIC_MATH double
single_log2(double x)
{
    CUPRIC_KEPT kept_coefficients<10> c = {
        {-0x1.251864218561p-3, 0x1.451cc1df21bd8p-3, -0x1.7142572258766p-3,
         0x1.a6403234a5541p-3, -0x1.ec72b5232561ap-3, 0x1.27764e4a9ee55p-2,
         -0x1.71547116bd564p-2, 0x1.ec709edbde63dp-2, -0x1.71547651ba795p-1,
         0x1.71547652788c1p+0}};
    return horner(x, 0x1.3d8a3p-4, -0x1.251b6p-3, 0x1.28a4p-3, c[0], c[1], c[2], c[3],
                  c[4], c[5], c[6], c[7], c[8], c[9]);
}

/* 2**r for |r| <= 1 / 2, for powers of floats: 2**-28.49 */
CUPRIC_MATH double
single_exp2(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {0x1.c6aed2ac19604p-5, 0x1.ebfbdacc68d1ep-3, 0x1.62e430c977a5cp-1}};
    return horner(x, 0x1.41d2cp-13, 0x1.5f466p-10, 0x1.3b2dcp-7, c[0], c[1], c[2],
                  0x1p+0);
}

/* (sin(r) - r) / r**3 in r**2, for |r| <= pi / 4: 2**-28.03 */
CUPRIC_MATH float
sin_tail(float x)
{
    return horner(x, 0x1.6cc28p-19f, -0x1.a00f3ep-13f, 0x1.111108p-7f, -0x1.555556p-3f);
}

/* 2**-56.27 */
CUPRIC_MATH double
sin_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<6> c = {
        {0x1.5d84ec3ab2b02p-33, -0x1.ae5e35dc77333p-26, 0x1.71de353a228e1p-19,
         -0x1.a01a019bcaacep-13, 0x1.111111110f641p-7, -0x1.5555555555547p-3}};
    return polynomial<5, 1>(x, c);
}

/* (cos(r) - 1 + r**2 / 2) / r**4 in r**2, for |r| <= pi / 4: 2**-30.94 */
CUPRIC_MATH float
cos_tail(float x)
{
    return horner(x, 0x1.99d8a6p-16f, -0x1.6c0bf2p-10f, 0x1.55554ap-5f);
}

/* 2**-61.16 */
CUPRIC_MATH double
cos_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<6> c = {
        {-0x1.8f986e3dd801ep-37, 0x1.1ee9c09a0d72fp-29, -0x1.27e4f7c9658d7p-22,
         0x1.a01a019c57029p-16, -0x1.6c16c16c14dcbp-10, 0x1.555555555554ap-5}};
    return polynomial<5, 1>(x, c);
}

/* (tan(r) - r) / r**3 in r**2, for |r| <= pi / 4: 2**-29.33 */
CUPRIC_MATH float
tan_tail(float x)
{
    return horner(x, 0x1.24fc8ep-8f, -0x1.9acd42p-14f, 0x1.67cf14p-7f, 0x1.5bcb78p-6f,
                  0x1.baf164p-5f, 0x1.110d18p-3f, 0x1.555562p-2f);
}

/* sin(pi x) / (pi x) in x**2, for |x| <= 1 / 2, for floats: 2**-34.4 */
CUPRIC_MATH double
single_sinc(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {
        {0x1.9f9cab6988f75p-1, -0x1.a51a660c41719p+0}};
    return horner(x, -0x1.24f9bp-9, 0x1.abe35p-6, -0x1.86a6bp-3, c[0], c[1], 0x1p+0);
}

/* (sin(pi x) / pi - x) / x**3 in x**2, for |x| <= 0.3: 2**-60.7 */
CUPRIC_MATH double
sinpi_over_pi_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<7> c = {{-0x1.ce171d034297p-18, 0x1.3740146976ea1p-13,
                                           -0x1.3381622eb2194p-9, 0x1.ac6805c3fc90ep-6,
                                           -0x1.86a8e47205bcdp-3, 0x1.9f9cb402bc416p-1,
                                           -0x1.a51a6625307d3p+0}};
    return polynomial<6, 1>(x, c);
}

/* (cos(pi x) - 1) / (pi x**2) in x**2, for |x| <= 0.2: 2**-56.28 */
CUPRIC_MATH double
cospi_over_pi_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<6> c = {
        {0x1.3f9708f866c9ep-11, -0x1.0d2ad7b595174p-7, 0x1.32d2cb1269d72p-4,
         -0x1.b33a5df2e086dp-2, 0x1.4abbce625b40bp+0, -0x1.921fb54442d13p+0}};
    return polynomial<5, 1>(x, c);
}

/* (asin(x) - x) / x**3 in x**2, for |x| <= 1 / 2: 2**-30.14 */
CUPRIC_MATH float
asin_tail(float x)
{
    return horner(x, 0x1.336b62p-5f, 0x1.d8e52ep-7f, 0x1.04955ap-5f, 0x1.6cae6p-5f,
                  0x1.33388p-4f, 0x1.55554cp-3f);
}

/* 2**-57.71 */
CUPRIC_MATH double
asin_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<13> c = {
        {0x1.0b7ffb5f0082dp-5, -0x1.58b0210008b9ep-6, 0x1.64177eaabf364p-6,
         0x1.e46bad9a52082p-9, 0x1.6155e2a4a6902p-7, 0x1.758127129afa1p-7,
         0x1.ca20122e5ca54p-7, 0x1.1c49eb06f0119p-6, 0x1.6e8bdf290d9a5p-6,
         0x1.f1c71a9280f3fp-6, 0x1.6db6db7218767p-5, 0x1.333333332e0b9p-4,
         0x1.5555555555577p-3}};
    return polynomial<12, 1>(x, c);
}

/* (atan(x) - x) / x**3 in x**2, for |x| <= tan(pi / 8): 2**-28.2 */
CUPRIC_MATH float
atan_tail(float x)
{
    return horner(x, -0x1.f18e8ap-5f, 0x1.b1da5p-4f, -0x1.23b4p-3f, 0x1.999188p-3f,
                  -0x1.55554ap-2f);
}

/* 2**-57.59 */
CUPRIC_MATH double
atan_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<11> c = {
        {-0x1.24ddf87388a16p-6, 0x1.3795fc97c0a6p-5, -0x1.9cb9d86c9cd7dp-5,
         0x1.df09cd286566ap-5, -0x1.10eb581c10efp-4, 0x1.3b1110ac62122p-4,
         -0x1.745cf862ee733p-4, 0x1.c71c70e1d107bp-4, -0x1.24924922a27cfp-3,
         0x1.99999999956c2p-3, -0x1.555555555553cp-2}};
    return polynomial<10, 1>(x, c);
}

/* (atan(x) - x) / x**3 in x**2, for |x| <= 1: 2**-28.5 */
CUPRIC_MATH float
atan_long_tail(float x)
{
    return horner(x, -0x1.d341ecp-10f, 0x1.641afp-7f, -0x1.fd77cep-6f, 0x1.da2822p-5f,
                  -0x1.5808d4p-4f, 0x1.c08c46p-4f, -0x1.242086p-3f, 0x1.9991e4p-3f,
                  -0x1.55553ep-2f);
}

/* (asinh(x) - x) / x**3 in x**2, for |x| <= 0.46: 2**-30.83 */
CUPRIC_MATH float
asinh_tail(float x)
{
    return horner(x, -0x1.d1ab5p-7f, 0x1.d59a5ep-6f, -0x1.6c4baep-5f, 0x1.332b0ep-4f,
                  -0x1.555546p-3f);
}

/* (sinh(r) - r) / r**3 in r**2, for |r| <= log(2) / 2: 2**-30.96 */
CUPRIC_MATH float
sinh_tail(float x)
{
    return horner(x, 0x1.a1702ap-13f, 0x1.1110b2p-7f, 0x1.555556p-3f);
}

/* 2**-60.75 */
CUPRIC_MATH double
sinh_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<5> c = {{0x1.af5efaa0e3c62p-26, 0x1.71ddf8372b359p-19,
                                           0x1.a01a01afee04fp-13, 0x1.111111110f69fp-7,
                                           0x1.5555555555559p-3}};
    return polynomial<4, 1>(x, c);
}

/* (cosh(r) - 1 - r**2 / 2) / r**4 in r**2, for |r| <= log(2) / 2: 2**-33.16 */
CUPRIC_MATH float
cosh_tail(float x)
{
    return horner(x, 0x1.6d4f7cp-10f, 0x1.5554e6p-5f);
}

/* 2**-57.32 */
CUPRIC_MATH double
cosh_tail(double x)
{
    CUPRIC_KEPT kept_coefficients<4> c = {{0x1.28a0799176e85p-22, 0x1.a019aa40e88dbp-16,
                                           0x1.6c16c17d0ce06p-10,
                                           0x1.5555555553124p-5}};
    return polynomial<3, 1>(x, c);
}

/* (tanh(x) - x) / x**3 in x**2, for |x| <= 1: 2**-30.91 */
CUPRIC_MATH float
tanh_tail(float x)
{
    return horner(x, 0x1.e86d6p-14f, -0x1.aee922p-11f, 0x1.8f9f52p-9f, -0x1.18de98p-7f,
                  0x1.64c0a4p-6f, -0x1.b9f6dep-5f, 0x1.11103cp-3f, -0x1.555552p-2f);
}

/* tan(r) / r as (1 + s over(s)) / (1 + s under(s)), s = r**2, for
 * |r| <= pi / 4: 2**-57.32 */
CUPRIC_MATH double
tan_over(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {-0x1.2b74992fe09ebp-16, 0x1.c0ce9901a4dcdp-9, -0x1.11281396c13bdp-3}};
    return polynomial<2, 1>(x, c);
}

CUPRIC_MATH words<double>
tan_under(double x)
{
    CUPRIC_KEPT kept_coefficients<4> c = {{0x1.0b231889fd2bcp-21,
                                           -0x1.46d422233f3b2p-12, 0x1.a46df09b767a1p-6,
                                           -0x1.dde95f20b5f34p-2}};
    const double tail = polynomial<2, 1>(x, c);
    const double sum = fused(tail, x, c[3]);
    return {sum, fused(tail, x, c[3] - sum)};
}

/* tanh(r) / r as (1 + s over(s)) / (1 + s under(s)), s = r**2, for
 * |r| <= log(2) / 2: 2**-55.87 */
CUPRIC_MATH double
tanh_over(double x)
{
    CUPRIC_KEPT kept_coefficients<2> c = {{0x1.0886d1e666697p-9, 0x1.f065d38606339p-4}};
    return polynomial<1, 1>(x, c);
}

CUPRIC_MATH double
tanh_under(double x)
{
    CUPRIC_KEPT kept_coefficients<3> c = {
        {0x1.92a502e8819d1p-14, 0x1.4ad732d8bfc98p-6, 0x1.d16eca36d6e21p-2}};
    return polynomial<2, 1>(x, c);
}

} /* namespace elementary */
CUPRIC_END

#endif
