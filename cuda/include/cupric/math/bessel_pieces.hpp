/* math/bessel_pieces.hpp: the tables of elementary.hpp. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_BESSEL_PIECES_HPP
#define CUPRIC_MATH_BESSEL_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* exp(-x) I0(x), 0 <= x <= 92, by quarters of octaves: 2**-27.5 */
CUPRIC_MATH words<float>
i0_piece(place<float> p)
{
    static constexpr float at[9][27] = {
        {-0x1.363a8p-8f,   -0x1.b563b8p-9f,  -0x1.126d04p-9f,  -0x1.5907bap-10f,
         -0x1.5ae37ap-11f, -0x1.160fa2p-12f, -0x1.c3206cp-14f, -0x1.734b74p-15f,
         -0x1.9c037ap-17f, -0x1.3d352cp-19f, -0x1.158e04p-21f, -0x1.1c6b62p-23f,
         -0x1.9e09c2p-26f, -0x1.09a74cp-28f, -0x1.f1329cp-31f, -0x1.28e3d2p-32f,
         -0x1.0c6c6ap-34f, -0x1.a3616ap-37f, -0x1.b815c2p-39f, -0x1.1b2bap-40f,
         -0x1.13738cp-42f, -0x1.cb2d1ap-45f, -0x1.f6e82cp-47f, -0x1.4d97ecp-48f,
         -0x1.4eddb2p-50f, -0x1.1f4c84p-52f, -0x1.40e33p-54f},
        {0x1.469f42p-6f,  0x1.9e42e2p-7f,  0x1.0544aep-7f,  0x1.4a62f8p-8f,
         0x1.4fd75cp-9f,  0x1.1185f6p-10f, 0x1.c4ad18p-12f, 0x1.7df498p-13f,
         0x1.be8676p-15f, 0x1.78fe7cp-17f, 0x1.761f6ap-19f, 0x1.bd4eaep-21f,
         0x1.96e71cp-23f, 0x1.509cbp-25f,  0x1.80435ap-27f, 0x1.0e1e7p-28f,
         0x1.2ad0d2p-30f, 0x1.2230dcp-32f, 0x1.6bf2b8p-34f, 0x1.10616p-35f,
         0x1.408e6cp-37f, 0x1.4910fep-39f, 0x1.ac27f8p-41f, 0x1.48f09ep-42f,
         0x1.8db8fap-44f, 0x1.a29d42p-46f, 0x1.14fd04p-47f},
        {-0x1.0cbffep-4f,  -0x1.546ca8p-5f,  -0x1.b071bcp-6f,  -0x1.1398ecp-6f,
         -0x1.1a71aep-7f,  -0x1.d6a524p-9f,  -0x1.90d63ap-10f, -0x1.5ebb7cp-11f,
         -0x1.b05fa4p-13f, -0x1.a15ebcp-15f, -0x1.e9c696p-17f, -0x1.5c65e4p-18f,
         -0x1.8b9dcap-20f, -0x1.a9fbdcp-22f, -0x1.29b1b8p-23f, -0x1.edf79ep-25f,
         -0x1.48cf32p-26f, -0x1.9068d8p-28f, -0x1.2d868ap-29f, -0x1.073c16p-30f,
         -0x1.714a06p-32f, -0x1.d699b8p-34f, -0x1.6d5256p-35f, -0x1.45f51ep-36f,
         -0x1.d401a8p-38f, -0x1.306dcp-39f,  -0x1.df5dbp-41f},
        {0x1.7554f6p-3f,  0x1.dd05fcp-4f,  0x1.320bp-4f,    0x1.8a8e26p-5f,
         0x1.9c8c5cp-6f,  0x1.636a4ap-7f,  0x1.3bf45cp-8f,  0x1.23d13ep-9f,
         0x1.8f4b76p-11f, 0x1.cc986ap-13f, 0x1.49b7d4p-14f, 0x1.1b78eep-15f,
         0x1.98abb2p-17f, 0x1.193ac6p-18f, 0x1.dd193ep-20f, 0x1.d10bfap-21f,
         0x1.7a6d5p-22f,  0x1.1e32a8p-23f, 0x1.017a06p-24f, 0x1.056308p-25f,
         0x1.bbb3dp-27f,  0x1.5c1c6p-28f,  0x1.40fdecp-29f, 0x1.4bb01ep-30f,
         0x1.1ee0f4p-31f, 0x1.c9ca46p-33f, 0x1.ab02e2p-34f},
        {-0x1.aaaaaap-2f,  -0x1.144372p-2f,  -0x1.67fb9ap-3f,  -0x1.d86p-4f,
         -0x1.fdbf3ep-5f,  -0x1.cf172p-6f,   -0x1.b88e9p-7f,   -0x1.ba6e88p-8f,
         -0x1.60bbe6p-9f,  -0x1.007bb6p-10f, -0x1.cbc23p-12f,  -0x1.e00678p-13f,
         -0x1.b591fp-14f,  -0x1.7f3b76p-15f, -0x1.89f33ep-16f, -0x1.c2d942p-17f,
         -0x1.c05c7p-18f,  -0x1.a5047p-19f,  -0x1.c46d0cp-20f, -0x1.0b0608p-20f,
         -0x1.123f6ap-21f, -0x1.08e636p-22f, -0x1.222012p-23f, -0x1.5b2ed8p-24f,
         -0x1.69cffcp-25f, -0x1.62117p-26f,  -0x1.87428p-27f},
        {0x1.8p-1f,       0x1.fc997ep-2f,  0x1.542a94p-2f,  0x1.cc27f2p-3f,
         0x1.062fcap-3f,  0x1.04e0aap-4f,  0x1.15aep-5f,    0x1.3db2cp-6f,
         0x1.39ad3ap-7f,  0x1.2ce4ccp-8f,  0x1.553234p-9f,  0x1.af7ceep-10f,
         0x1.ee9bd4p-11f, 0x1.12de1ap-11f, 0x1.561062p-12f, 0x1.cb640cp-13f,
         0x1.17023ep-13f, 0x1.4540aep-14f, 0x1.a17446p-15f, 0x1.1e7772p-15f,
         0x1.63f44ep-16f, 0x1.a75132p-17f, 0x1.1357d6p-17f, 0x1.7d945ap-18f,
         0x1.df134cp-19f, 0x1.1f865ap-19f, 0x1.786b3p-20f},
        {-0x1p+0f,         -0x1.62c462p-1f,  -0x1.f4575ap-2f,  -0x1.67b546p-2f,
         -0x1.c82124p-3f,  -0x1.0c67c4p-3f,  -0x1.587418p-4f,  -0x1.dd6cc6p-5f,
         -0x1.34a296p-5f,  -0x1.8ed63ap-6f,  -0x1.1d4bb6p-6f,  -0x1.b2bd9ap-7f,
         -0x1.37f666p-7f,  -0x1.b710dep-8f,  -0x1.4a7542p-8f,  -0x1.044a7cp-8f,
         -0x1.820d34p-9f,  -0x1.1749eap-9f,  -0x1.ac164ep-10f, -0x1.558832p-10f,
         -0x1.00b2cep-10f, -0x1.77d8d2p-11f, -0x1.225d3ep-11f, -0x1.d2p-12f,
         -0x1.606c0ap-12f, -0x1.036f68p-12f, -0x1.926224p-13f},
        {0x1p+0f,        0x1.950034p-1f, 0x1.4a421p-1f,  0x1.15139cp-1f, 0x1.be401ap-2f,
         0x1.6665f6p-2f, 0x1.3093eep-2f, 0x1.0cbe54p-2f, 0x1.d1a5f8p-3f, 0x1.93ce8ap-3f,
         0x1.69b7c6p-3f, 0x1.4a9ffep-3f, 0x1.2827dep-3f, 0x1.07804ep-3f, 0x1.df715cp-4f,
         0x1.bacfcap-4f, 0x1.90d612p-4f, 0x1.67d9eap-4f, 0x1.4951a4p-4f, 0x1.317018p-4f,
         0x1.15b5eep-4f, 0x1.f4962ep-5f, 0x1.cb54bp-5f,  0x1.aad6e8p-5f, 0x1.84e36ap-5f,
         0x1.5f2402p-5f, 0x1.429bb2p-5f},
        {-0x1.266ac8p-49f, -0x1.b04b3cp-27f, 0x1.eb074cp-29f,  -0x1.ce4fb8p-27f,
         -0x1.f43b2ap-28f, -0x1.a34ed4p-27f, 0x1.c2ee7cp-27f,  -0x1.35af16p-27f,
         -0x1.089a16p-29f, -0x1.333ca6p-28f, 0x1.8d7ca6p-29f,  -0x1.0f9c42p-32f,
         -0x1.9d917cp-28f, -0x1.609aa8p-28f, 0x1.dbe5cep-31f,  0x1.509278p-30f,
         -0x1.402104p-30f, 0x1.39082cp-30f,  0x1.9048ccp-29f,  0x1.7efab4p-33f,
         -0x1.ee94b8p-29f, -0x1.426bc2p-30f, -0x1.19ee14p-30f, 0x1.84beecp-30f,
         -0x1.de968cp-31f, 0x1.04e9a6p-30f,  -0x1.9d73dcp-31f}};
    return piecewise_words(at, p);
}

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
