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
    CUPRIC_MATH static constexpr float TWO_OVER_PI() { return 0x1.45f306p-1f; }
    CUPRIC_MATH static constexpr float CBRT_2() { return 0x1.428a3p+0f; }
    CUPRIC_MATH static constexpr float CBRT_HALF() { return 0x1.965feap-1f; }
    CUPRIC_MATH static constexpr float I0_AT_16() { return 0x1.9bd428p-2f; }
    CUPRIC_MATH static constexpr float I0_AT_16_LOW() { return 0x1.5a4934p-27f; }
    CUPRIC_MATH static constexpr float I0_3() { return 0x1.c71c72p-6f; }
    CUPRIC_MATH static constexpr float I0_3_LOW() { return -0x1.c71c72p-33f; }
    CUPRIC_MATH static constexpr float I0_4() { return 0x1.c71c72p-10f; }
    CUPRIC_MATH static constexpr float I0_4_LOW() { return -0x1.c71c72p-37f; }
    CUPRIC_MATH static constexpr float I0_5() { return 0x1.234568p-14f; }
    CUPRIC_MATH static constexpr float I0_5_LOW() { return -0x1.d950c8p-40f; }
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
    CUPRIC_MATH static constexpr double TWO_OVER_PI() { return 0x1.45f306dc9c883p-1; }
    CUPRIC_MATH static constexpr double CBRT_2() { return 0x1.428a2f98d728bp+0; }
    CUPRIC_MATH static constexpr double CBRT_HALF() { return 0x1.965fea53d6e3dp-1; }
    CUPRIC_MATH static constexpr double I0_AT_16() { return 0x1.9bd428ad249a5p-2; }
    CUPRIC_MATH static constexpr double I0_AT_16_LOW()
    {
        return -0x1.d5d29a8561441p-56;
    }
    CUPRIC_MATH static constexpr double I0_3() { return 0x1.c71c71c71c71cp-6; }
    CUPRIC_MATH static constexpr double I0_3_LOW() { return 0x1.c71c71c71c71cp-60; }
    CUPRIC_MATH static constexpr double I0_4() { return 0x1.c71c71c71c71cp-10; }
    CUPRIC_MATH static constexpr double I0_4_LOW() { return 0x1.c71c71c71c71cp-64; }
    CUPRIC_MATH static constexpr double I0_5() { return 0x1.23456789abcdfp-14; }
    CUPRIC_MATH static constexpr double I0_5_LOW() { return 0x1.23456789abcdfp-74; }
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
    return horner(x, 0x1.1ef5c8868d2c3p-29, 0x1.af5d9d0bcad61p-26,
                  0x1.27e52b045d61dp-22, 0x1.71ddf912c91e4p-19, 0x1.a01a0182fa7p-16,
                  0x1.a01a01af8c98cp-13, 0x1.6c16c16c1cd5fp-10, 0x1.111111110f7bap-7,
                  0x1.5555555555548p-5, 0x1.5555555555559p-3);
}

/* (log(1 + f) - f + f**2 / 2) / f**3 for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-28.1 */
CUPRIC_MATH float
log_tail(float x)
{
    return horner(x, 0x1.14d9f6p-4f, -0x1.df0742p-4f, 0x1.e725aep-4f, -0x1.fc066ep-4f,
                  0x1.233242p-3f, -0x1.555cd2p-3f, 0x1.99a4f4p-3f, -0x1.000006p-2f,
                  0x1.555548p-2f);
}

/* 2**-55.84 */
CUPRIC_MATH double
log_tail(double x)
{
    return horner(x, -0x1.8f2a72e57b3e4p-6, 0x1.d455f158472cep-5, -0x1.0186ebb8801b8p-4,
                  0x1.bb744eee042d3p-5, -0x1.b3fa8070dbae7p-5, 0x1.dc8b1a4ef95f8p-5,
                  -0x1.00d6c94b8e094p-4, 0x1.116bd10867a19p-4, -0x1.2488c9eb60476p-4,
                  0x1.3b0d49b02d303p-4, -0x1.55557b86efa0ep-4, 0x1.745d5b52df142p-4,
                  -0x1.99999a8ed7e53p-4, 0x1.c71c701c15e96p-4, -0x1.fffffff345a5cp-4,
                  0x1.2492492769c87p-3, -0x1.555555556dc11p-3, 0x1.9999999996117p-3,
                  -0x1.ffffffffffe01p-3, 0x1.555555555553cp-2);
}

/* (log(1 + f) - f) / f**2 for 1 + f in [sqrt(1/2), sqrt(2)]: 2**-28.13 */
CUPRIC_MATH float
log_square(float x)
{
    return horner(x, 0x1.13ecd6p-4f, -0x1.df00e8p-4f, 0x1.e7aa7ap-4f, -0x1.fc1a14p-4f,
                  0x1.2328ap-3f, -0x1.555b4p-3f, 0x1.99a58p-3f, -0x1.00000ep-2f,
                  0x1.555546p-2f, -0x1p-1f);
}

/* log2(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)], for powers of floats: 2**-37.14 */
CUPRIC_MATH double
single_log2(double x)
{
    return horner(x, -0x1.1e48p-4, 0x1.0ff74p-3, -0x1.13efcp-3, 0x1.0ab678402a7f3p-3,
                  -0x1.23c7bp-3, 0x1.48207p-3, -0x1.718a1p-3, 0x1.a61b87889477p-3,
                  -0x1.ec6f2p-3, 0x1.2776b61e3c59ep-2, -0x1.715478c57114bp-2,
                  0x1.ec709dec6b162p-2, -0x1.715476512302p-1, 0x1.71547652b08cap+0);
}

/* 2**r for |r| <= 1 / 2, for powers of floats: 2**-33.61 */
CUPRIC_MATH double
single_exp2(double x)
{
    return horner(x, 0x1.fe16bp-17, 0x1.446adp-13, 0x1.5d8a7p-10, 0x1.3b29ep-7,
                  0x1.c6b08aca5b819p-5, 0x1.ebfbe08a78aeep-3, 0x1.62e42ff0afa9fp-1,
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
    return horner(x, 0x1.5d84ec3ab2b02p-33, -0x1.ae5e35dc77333p-26,
                  0x1.71de353a228e1p-19, -0x1.a01a019bcaacep-13, 0x1.111111110f641p-7,
                  -0x1.5555555555547p-3);
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
    return horner(x, -0x1.8f986e3dd801ep-37, 0x1.1ee9c09a0d72fp-29,
                  -0x1.27e4f7c9658d7p-22, 0x1.a01a019c57029p-16, -0x1.6c16c16c14dcbp-10,
                  0x1.555555555554ap-5);
}

/* (tan(r) - r) / r**3 in r**2, for |r| <= pi / 4: 2**-27.38 */
CUPRIC_MATH float
tan_tail(float x)
{
    return horner(x, 0x1.2308b8p-8f, -0x1.431018p-15f, 0x1.664d92p-7f, 0x1.5c13e6p-6f,
                  0x1.baeaa6p-5f, 0x1.110d3cp-3f, 0x1.555562p-2f);
}

/* 2**-56.1 */
CUPRIC_MATH double
tan_tail(double x)
{
    return horner(x, 0x1.4fae4bd3709fdp-17, -0x1.a6a8a100e3cbcp-16,
                  0x1.a77e77e191eb2p-15, -0x1.d317cbfacff3dp-16, 0x1.213e9938ae57fp-14,
                  0x1.5a7a424ef968ap-14, 0x1.fff6271692193p-13, 0x1.34ae1e62a7769p-11,
                  0x1.7db2f56d60d3dp-10, 0x1.d6d2ce7961c46p-9, 0x1.226e3b1bbc499p-7,
                  0x1.664f48586211dp-6, 0x1.ba1ba1bad5897p-5, 0x1.1111111110421p-3,
                  0x1.555555555555fp-2);
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
    return horner(x, 0x1.0b7ffb5f0082dp-5, -0x1.58b0210008b9ep-6, 0x1.64177eaabf364p-6,
                  0x1.e46bad9a52082p-9, 0x1.6155e2a4a6902p-7, 0x1.758127129afa1p-7,
                  0x1.ca20122e5ca54p-7, 0x1.1c49eb06f0119p-6, 0x1.6e8bdf290d9a5p-6,
                  0x1.f1c71a9280f3fp-6, 0x1.6db6db7218767p-5, 0x1.333333332e0b9p-4,
                  0x1.5555555555577p-3);
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
    return horner(x, -0x1.24ddf87388a16p-6, 0x1.3795fc97c0a6p-5, -0x1.9cb9d86c9cd7dp-5,
                  0x1.df09cd286566ap-5, -0x1.10eb581c10efp-4, 0x1.3b1110ac62122p-4,
                  -0x1.745cf862ee733p-4, 0x1.c71c70e1d107bp-4, -0x1.24924922a27cfp-3,
                  0x1.99999999956c2p-3, -0x1.555555555553cp-2);
}

/* (asinh(x) - x) / x**3 in x**2, for |x| <= 1 / 2: 2**-29.22 */
CUPRIC_MATH float
asinh_tail(float x)
{
    return horner(x, -0x1.b1b3d2p-7f, 0x1.cd815ap-6f, -0x1.6b98a6p-5f, 0x1.33250cp-4f,
                  -0x1.555536p-3f);
}

/* (sinh(x) - x) / x**3 in x**2, for |x| <= 1: 2**-27.51 */
CUPRIC_MATH float
sinh_tail(float x)
{
    return horner(x, 0x1.7a15c4p-19f, 0x1.9ffe92p-13f, 0x1.111134p-7f, 0x1.555556p-3f);
}

/* 2**-56.54 */
CUPRIC_MATH double
sinh_tail(double x)
{
    return horner(x, 0x1.b4c746e96b83fp-41, 0x1.611a5658719e3p-33,
                  0x1.ae64671aa3543p-26, 0x1.71de3a465b5a6p-19, 0x1.a01a01a0289a7p-13,
                  0x1.11111111110a6p-7, 0x1.5555555555556p-3);
}

/* (tanh(x) - x) / x**3 in x**2, for |x| <= 1: 2**-30.91 */
CUPRIC_MATH float
tanh_tail(float x)
{
    return horner(x, 0x1.e86d6p-14f, -0x1.aee922p-11f, 0x1.8f9f52p-9f, -0x1.18de98p-7f,
                  0x1.64c0a4p-6f, -0x1.b9f6dep-5f, 0x1.11103cp-3f, -0x1.555552p-2f);
}

/* (tanh(x) - x) / x**3 in x**2, for |x| <= 5 / 8: 2**-58.75 */
CUPRIC_MATH double
tanh_tail(double x)
{
    return horner(x, 0x1.95805587bf55ep-18, -0x1.fa7509c8fc0ebp-16,
                  0x1.800620dac63cdp-14, -0x1.f10cbb1b5f834p-13, 0x1.350ae2afe1258p-11,
                  -0x1.7d9c1d8962201p-10, 0x1.d6d3585209d6ep-9, -0x1.226e32c137194p-7,
                  0x1.664f487037153p-6, -0x1.ba1ba1b9cea5bp-5, 0x1.1111111110c39p-3,
                  -0x1.5555555555553p-2);
}

/* m**(-1/3) for m in [1/2, 1], which elementary.hpp refines: 2**-14.69 */
CUPRIC_MATH float
reciprocal_cbrt(float x)
{
    return horner(x, 0x1.271b5cp-1f, -0x1.1d70bep+1f, 0x1.c0a69ep+1f, -0x1.7a4e0ep+1f,
                  0x1.0d5294p+1f);
}

/* 2**-14.69 */
CUPRIC_MATH double
reciprocal_cbrt(double x)
{
    return horner(x, 0x1.271b5b1b2adb8p-1, -0x1.1d70bdd7424a4p+1, 0x1.c0a69dac0fcecp+1,
                  -0x1.7a4e0cf66dd4ap+1, 0x1.0d5292a7b16c2p+1);
}

/* I0(x) less six terms, by s**6, s = (x / 2)**2, for |x| <= 8: 2**-27.07 */
CUPRIC_MATH float
i0_rest(float x)
{
    return horner(x, 0x1.12f88ap-43f, 0x1.c84576p-38f, 0x1.59018ep-31f, 0x1.51988cp-25f,
                  0x1.02ecf8p-19f);
}

/* 2**-57.35 */
CUPRIC_MATH double
i0_rest(double x)
{
    return horner(x, 0x1.0dec826bfc89fp-80, 0x1.1cb406f6734b6p-73,
                  0x1.ee30a2d1ebd15p-66, 0x1.411fb2c7e882p-58, 0x1.69d52e49b9ec4p-51,
                  0x1.5600e8a41eb06p-44, 0x1.0b3138c36bd86p-37, 0x1.522a43a826942p-31,
                  0x1.522a43f87fa6bp-25, 0x1.02e85c0892258p-19);
}

/* (exp(-x) sqrt(x) I0(x) - I0_AT_16) / u, u = 16 / x - 1, 8 <= x: 2**-29.33 */
CUPRIC_MATH float
i0_tail(float x)
{
    return horner(x, 0x1.dba7p-24f, 0x1.8320f6p-22f, 0x1.8b99d6p-20f, 0x1.74f10ap-17f,
                  0x1.1dab56p-13f, 0x1.b87984p-9f);
}

/* 2**-57.58 */
CUPRIC_MATH double
i0_tail(double x)
{
    return horner(x, -0x1.f71f66bd4ee95p-35, -0x1.b17863631d938p-36,
                  0x1.e313a5318c678p-32, 0x1.84b2e33155541p-33, -0x1.b19401d53f325p-30,
                  -0x1.5995e1a47334ap-31, 0x1.ecb99e00c817cp-29, 0x1.b71a661e815b7p-30,
                  -0x1.964e5699903c4p-28, -0x1.eaeab6f29f341p-29, 0x1.fd43563c114b8p-28,
                  0x1.04c3a1cd27624p-27, -0x1.73080fae7877bp-28, -0x1.cd2fc52348661p-27,
                  -0x1.cfbe8992f6dcbp-28, 0x1.03af705f4fa83p-27, 0x1.7232951504293p-26,
                  0x1.51cd71f7561dcp-25, 0x1.7d0f1dbcbe0ccp-24, 0x1.3f49aa6e06af8p-22,
                  0x1.8e513a62d727ep-20, 0x1.75e5ee70c7ec5p-17, 0x1.1daa72b5e3e85p-13,
                  0x1.b87969bb93baep-9);
}

} /* namespace elementary */
CUPRIC_END

#endif
