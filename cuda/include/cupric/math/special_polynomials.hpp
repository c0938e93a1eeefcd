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
    static constexpr float ERFCX = 0x1.3ba592p+0f;
    static constexpr float ERFCX_LOW = -0x1.22c05p-25f;
    static constexpr float ROOT_HALF = 0x1.6a09e6p-1f;
    static constexpr float ROOT_HALF_LOW = 0x1.9fcef4p-27f;
};

template <>
struct special_constants<double> {
    static constexpr double ERFCX = 0x1.3ba5916e9fd7fp+0;
    static constexpr double ERFCX_LOW = -0x1.aa9c415679e6fp-55;
    static constexpr double ROOT_HALF = 0x1.6a09e667f3bcdp-1;
    static constexpr double ROOT_HALF_LOW = -0x1.bdd3413b26456p-55;
};

/* erf(x) / x - 1 in x**2, for |x| <= 1: 2**-28.02 */
CUPRIC_MATH float
erf_rest(float x)
{
    return horner(x, 0x1.49668p-14f, -0x1.a3f5d6p-11f, 0x1.54059p-8f, -0x1.b7f90ap-6f,
                  0x1.ce2cf8p-4f, -0x1.81273ep-2f, 0x1.06eba8p-3f);
}

/* 2**-56.3 */
CUPRIC_MATH double
erf_rest(double x)
{
    return horner(x,
                  horner(x, 0x1.0577b9eb2cb45p-34, -0x1.386a0f26ebccap-30,
                         0x1.f7a3dac0fb3f9p-27, -0x1.5f1d31cda94bep-23,
                         0x1.b9def10e770e9p-20, -0x1.f4d1df2e9dad9p-17,
                         0x1.f9a321a097ecbp-14, -0x1.c02db3d8e922bp-11),
                  0x1.565bcd0db023dp-8, -0x1.b82ce312849adp-6, 0x1.ce2f21a042b21p-4,
                  -0x1.812746b0379e6p-2, 0x1.06eba8214db69p-3);
}

/* ((1 + 2 x) exp(x**2) erfc(x) - ERFCX) / t, t = (x - 4) / (x + 4), x >= 1 / 2: 2**-26.92 */
CUPRIC_MATH float
erfcx_tail(float x)
{
    return horner(x, -0x1.066daep-12f, -0x1.0e5d78p-11f, 0x1.4cc9cp-8f, -0x1.0be40cp-6f,
                  0x1.305154p-5f, -0x1.0f81a6p-4f, 0x1.7ff1fap-4f, -0x1.9de126p-4f,
                  0x1.16ecap-4f, 0x1.f7f7f2p-7f, -0x1.1df1acp-3f);
}

/* 2**-55.2 */
CUPRIC_MATH double
erfcx_tail(double x)
{
    return horner(x, -0x1.51c9752406c01p-27, -0x1.9c2f0431d6e9ap-27,
                  0x1.bda4b7538920bp-24, 0x1.1d41436834a16p-24, -0x1.b84ab2890e93dp-21,
                  0x1.4261cadc169d8p-22, 0x1.7efb96b0bd262p-18, -0x1.78a7529b2f68ep-17,
                  -0x1.9955869c1ed42p-16, 0x1.3be0eb1ec5bedp-13, -0x1.a1df3f9b2db3cp-13,
                  -0x1.8d4aa296eca62p-11, 0x1.49c672a3c8dp-8, -0x1.0962387c8251dp-6,
                  0x1.3079edf631bfdp-5, -0x1.0fb06dfe6ff18p-4, 0x1.7fee004e13e9p-4,
                  -0x1.9ddb23c3e7b7cp-4, 0x1.16ecefcfa5402p-4, 0x1.f7f5df66fd5d3p-7,
                  -0x1.1df1ad154a294p-3);
}

} /* namespace elementary */
CUPRIC_END

#endif
