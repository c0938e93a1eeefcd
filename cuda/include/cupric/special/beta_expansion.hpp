/* special/beta_expansion.hpp: coefficients of incomplete_beta.hpp. Written by
 * tools/beta_expansion.py: change that.
 */
#ifndef CUPRIC_SPECIAL_BETA_EXPANSION_HPP
#define CUPRIC_SPECIAL_BETA_EXPANSION_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

/* The sum from 1 to `last`, at most 28, of d_m(delta) q_m, where q_m is xi**(m - 1) +
 * (m - 1) / n q_(m - 2), w = 1 / n. Coefficients of d_m stand side by side, that of
 * the highest power first; every other power is none. */
CUPRIC_APART double
beta_expansion(double xi, double w, double delta, int last)
{
    static constexpr double coefficients[] = {
        -0x1.5555555555555p-2,  0x1.5555555555555p-6,   0x1.0000000000000p-4,
        0x1.e573ac901e574p-10,  -0x1.1111111111111p-6,  0x1.2f684bda12f68p-14,
        0x1.c71c71c71c71cp-12,  0x1.5555555555555p-11,  -0x1.71de3a556c734p-17,
        0x1.1566abc011567p-14,  0x1.3813813813814p-12,  -0x1.76e06fec7273bp-19,
        0x1.419ca252adb36p-17,  -0x1.2fc962fc962fdp-13, -0x1.5555555555555p-15,
        -0x1.48c5892f7cd83p-22, 0x1.ed284dc73b445p-21,  0x1.ce55c8eac7900p-17,
        0x1.a01a01a01a01ap-16,  -0x1.255370652afc1p-27, 0x1.ed284dc73b445p-31,
        -0x1.8006ef5de4cd4p-22, -0x1.8231bcb564effp-20, -0x1.999999999999ap-22,
        0x1.f1b22f594c6b5p-29,  -0x1.4ebfd17f7a75cp-26, 0x1.42cb40df7f3abp-26,
        -0x1.35581e2b84984p-20, -0x1.7a463005e918cp-21, 0x1.bd6d21e4b4109p-31,
        -0x1.1bd2ca3a4b691p-28, 0x1.0b870b183accep-27,  0x1.0ddc882dd3dd0p-22,
        0x1.19135b925ef05p-21,  0x1.b05b05b05b05bp-25,  0x1.7b5f9a2d0465cp-34,
        -0x1.e87570d5cfe2ap-32, 0x1.0997a09737868p-30,  -0x1.8713c9ac504c0p-26,
        -0x1.db08e63d172c6p-24, -0x1.791c3953dfb70p-25, 0x1.ccf5ceb7f0d9fp-40,
        -0x1.038301d14a2f2p-38, 0x1.157ecf2d37172p-39,  0x1.13253e1b6d663p-31,
        0x1.6e4754716a883p-29,  0x1.bc10650abf7e8p-29,  0x1.566abc011566bp-32,
        -0x1.6097d55c37c1cp-40, 0x1.338ee5eba66f8p-37,  -0x1.b656e6c6abd12p-36,
        0x1.01fd6c02393edp-34,  0x1.6a0a257a7382fp-29,  0x1.a79048d13f661p-28,
        0x1.8713c9ac504c0p-30,  -0x1.2d2197c7a2faap-42, 0x1.08f79e15d5f16p-39,
        -0x1.8d4f6a65506fdp-38, 0x1.598b32b352b76p-37,  -0x1.0c1f8fc47d75dp-31,
        -0x1.48f74819a5863p-29, -0x1.8b7fa3119cbf1p-30, -0x1.29fd4a7f529fdp-34,
        -0x1.f6e66d24d5c8ap-46, 0x1.c6adbf35c2b83p-43,  -0x1.654f0d2530818p-41,
        0x1.33c4367024a66p-40,  0x1.1e714d0134fafp-35,  0x1.84e7582764601p-32,
        0x1.ef50b2a1b3659p-32,  0x1.54523c4975ebap-34,  -0x1.c0d9b6edf2b0bp-52,
        0x1.d56ce5a3861f2p-50,  -0x1.6a6ff9a3b0359p-50, -0x1.8956921ebb652p-47,
        -0x1.6a1c45eb76c95p-41, -0x1.8aa8016d744cap-38, -0x1.bc3320e9cd579p-37,
        -0x1.bd310e8cf772ep-38, -0x1.51f024b2a6301p-42, 0x1.0070a87340428p-51,
        -0x1.1af1d5408e102p-48, 0x1.11875af5fada3p-46,  -0x1.33c346d108ce7p-45,
        0x1.bdeed3b786183p-46,  -0x1.8ec32660fe232p-38, -0x1.e86da7e650540p-36,
        -0x1.86d9a9401b4c0p-36, -0x1.76a6a5d4acd4ap-39, 0x1.ac9475c463659p-54,
        -0x1.e340a630f892bp-51, 0x1.e3adf2fe6b971p-49,  -0x1.1a6c00d70090bp-47,
        0x1.97d5e2a117dfcp-47,  0x1.da27787fdff7bp-41,  0x1.199eb4a4ce462p-37,
        0x1.a5e5adc181ae7p-37,  0x1.e1d7519adc6cbp-39,  0x1.aaaf4a3e9888dp-44,
        0x1.61ca701fd754ap-57,  -0x1.9aa0f69ccd534p-54, 0x1.aa8f52d42fb2bp-52,
        -0x1.040dfaf5d1769p-50, 0x1.a47abca579d04p-50,  -0x1.ec6b36c5f1018p-45,
        -0x1.0886b755ab4b2p-40, -0x1.5edc9831f2311p-39, -0x1.8bef6265061d7p-40,
        -0x1.2ea1398c764c6p-43, 0x1.ef98008f5eec2p-64,  -0x1.7ae2cc0f10d0fp-61,
        0x1.57d67af039e2ep-60,  0x1.e03ff851bd2c5p-60,  -0x1.f98a0563f0330p-58,
        0x1.178a66ccb75d6p-50,  0x1.a8dada40c54b0p-47,  0x1.6fecccf9b1d48p-45,
        0x1.90733ca4a5de4p-45,  0x1.a3f25eea8a1a4p-47,  0x1.7577891e9503bp-52,
        -0x1.7ba0759769d7cp-63, 0x1.fe0d9e13865cfp-60,  -0x1.3550bc96e0d35p-57,
        0x1.bf4f4c7a3fe2ep-56,  -0x1.a933ca7e240b8p-55, 0x1.a534079b86159p-54,
        0x1.8d1bc945bf6e8p-47,  0x1.ab461f030968ep-44,  0x1.6aa8c0e640b75p-43,
        0x1.267a959c15984p-44,  0x1.583e7384596fap-48,  -0x1.3989bebb193c0p-65,
        0x1.af9b43b73e795p-62,  -0x1.0deca2aae8f96p-59, 0x1.9501116f7da20p-58,
        -0x1.94c7ebbb67cc2p-57, 0x1.244dce681a1a3p-56,  -0x1.b219e1f1615c3p-50,
        -0x1.93ecc41688c37p-46, -0x1.1b03dc93556bep-44, -0x1.9423c5a9610ddp-45,
        -0x1.0d3fb08d4651cp-47, -0x1.38d0a4501675cp-53, -0x1.0104fc4369a3cp-68,
        0x1.6bb6acb9c3581p-65,  -0x1.d5ec1adf88730p-63, 0x1.6e07b25541327p-61,
        -0x1.7ec087e48ff63p-60, 0x1.1551b02cae066p-59,  0x1.798fea8771cd8p-54,
        0x1.459e8289a7b40p-49,  0x1.6ee4070e80f94p-47,  0x1.aff1c373715cap-47,
        0x1.1119d33cd6424p-48,  0x1.099d08db5be4ap-52,  -0x1.283fe7950ad7bp-75,
        0x1.2af729dffb492p-72,  -0x1.b293b8dc1f960p-71, 0x1.48bbacb901c7ep-72,
        0x1.2de04b9e45794p-68,  -0x1.55651c8d73ef2p-66, -0x1.8f54fdaea5054p-60,
        -0x1.c68dffe1cf695p-56, -0x1.1517ab1bb1e4dp-53, -0x1.f15cfe9158cddp-53,
        -0x1.2dcc1e12bcee4p-53, -0x1.7f380d9891514p-56, -0x1.bdf163b4569b8p-62,
        0x1.1ca914d71a27cp-74,  -0x1.c3ebe23ca2e9dp-71, 0x1.49ba26b0d1c91p-68,
        -0x1.24b53fccef364p-66, 0x1.605f3115f6a26p-65,  -0x1.30b1177db0e94p-64,
        0x1.859ec8e83f054p-65,  -0x1.83ffe633ec365p-56, -0x1.3da2d598af021p-52,
        -0x1.d15c71fa6aac3p-51, -0x1.8f6db2af53a40p-51, -0x1.885e9123e3907p-53,
        -0x1.345d120395f0ap-57, 0x1.d2e7d5ca48b90p-77,  -0x1.7b9b90e258bfep-73,
        0x1.1cd329c668d9fp-70,  -0x1.0525a2b21e583p-68, 0x1.466f98ab32ba5p-67,
        -0x1.25d0fda254b68p-66, 0x1.7c4484df066c7p-66,  0x1.76ed267886814p-59,
        0x1.04c8d48e36361p-54,  0x1.256f8555afca2p-52,  0x1.8742954869655p-52,
        0x1.45f554b33f589p-53,  0x1.1c571bbbf470bp-56,  0x1.d23d3c6a42152p-63,
        0x1.7cfbcf3db9bfcp-80,  -0x1.3dce31ab5fe0bp-76, 0x1.eae5276208bc5p-74,
        -0x1.d0f8326c782cdp-72, 0x1.2d87db0044b0ep-70,  -0x1.1ada19e767d6fp-69,
        0x1.919a7d1b55669p-69,  -0x1.3fbe919ff389ap-63, -0x1.746701b749366p-58,
        -0x1.3fabc5ba54288p-55, -0x1.4136041f015cbp-54, -0x1.a8c12e9843282p-55,
        -0x1.56c93f1abf1fbp-57, -0x1.cd69cc77799f3p-62, 0x1.75713641cd216p-87,
        -0x1.d5113f6d8258ep-84, 0x1.d3cff439520c7p-82,  -0x1.5f9a334f3732cp-81,
        -0x1.3902c1cd2385bp-80, 0x1.19b1c38ac98b9p-77,  -0x1.1151f30ae9029p-76,
        0x1.37597b4d7491ap-69,  0x1.d690f16eb71a3p-65,  0x1.86a5b4e841bbcp-62,
        0x1.fd27bb30166ffp-61,  0x1.0b4fb31d8e202p-60,  0x1.94bed4dc7b1ddp-62,
        0x1.566141545f813p-65,  0x1.18c332244dcc2p-71,
    };
    const double square = product(delta, delta);
    double sum = 0, power = 1, before = 0, q = 0;
    int at = 0;
    for (int m = 1; m <= last; m++) {
        double d = coefficients[at];
        const int end = at + m / 2;
        while (at < end) d = fused(d, square, coefficients[++at]);
        at++;
        if (m & 1) d = product(d, delta);
        const double next = fused(product(m - 1.0, w), before, power);
        before = q;
        q = next;
        sum = fused(d, q, sum);
        power = product(power, xi);
    }
    return sum;
}

} /* namespace elementary */
CUPRIC_END

#endif
