/* special/bessel_complex_pieces.hpp: coefficients of bessel_complex.hpp. Written by
 * tools/bessel_tables.py: change that.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_COMPLEX_PIECES_HPP
#define CUPRIC_SPECIAL_BESSEL_COMPLEX_PIECES_HPP

#include "cupric/special/tables.hpp"

CUPRIC_BEGIN
namespace complex_bessel {

/* even of 1 / gamma(1 + x) = even(x**2) - x odd(x**2), highest power first */
CUPRIC_MATH double
inverse_gamma_even(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<12> c = {{
        -0x1.72cb88ea5ae6ep-46, -0x1.0423bac8ca3fbp-38, 0x1.cae7675c18607p-34,
        0x1.57bc3fc384334p-28, -0x1.b9986666c225dp-23, -0x1.4fad41fc34fbbp-20,
        0x1.0c8a78cd9f9d2p-13, -0x1.317112ce3a2a8p-10, -0x1.3b4af28483e21p-7,
        0x1.5512320b43fbep-3, -0x1.4fcf4026afa2ep-1, 0x1p+0}};
    /* clang-format on */
    return c[k];
}

/* odd of the same */
CUPRIC_MATH double
inverse_gamma_odd(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<12> c = {{
        0x1.815f72a05f16fp-48, -0x1.1f20151323cdp-41, -0x1.11d065bfaf067p-37,
        0x1.44b4cedca388fp-30, -0x1.a44b7ba22d629p-28, -0x1.302509dbc0de3p-20,
        0x1.51ce8af47eabep-16, 0x1.c364fe6f1563dp-13, -0x1.d919c527f60b2p-8,
        0x1.59af103c34092p-5, 0x1.5815e8fa27048p-5, -0x1.2788cfc6fb619p-1}};
    /* clang-format on */
    return c[k];
}

/* u_k(p) / p**k by p**2, k = 1, 2, ..., highest powers first */
CUPRIC_MATH double
debye_coefficient(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<170> c = {{
        -0x1.aaaaaaaaaaaabp-3, 0x1p-3, 0x1.5638e38e38e39p-2, -0x1.9aaaaaaaaaaabp-2,
        0x1.2p-4, -0x1.069ba781948b1p+0, 0x1.d8b1c71c71c72p+0, -0x1.c84cccccccccdp-1,
        0x1.2cp-4, 0x1.2ada78a021b64p+2, -0x1.669fc3f35ba78p+3, 0x1.19408p+3,
        -0x1.2e9a666666666p+1, 0x1.cb6p-4, -0x1.c364a631dd95fp+4,
        0x1.528b7ca566307p+6, -0x1.6f45e11c71c72p+6, 0x1.5447ad6c16c17p+5,
        -0x1.d79a53a83a83bp+2, 0x1.d11ep-3, 0x1.a923e815a1cf4p+7,
        -0x1.7ea050e044d42p+9, 0x1.08ff6393p+10, -0x1.5dca313ad82d8p+9,
        0x1.b4618ac15dc91p+7, -0x1.a7dce636db6dbp+4, 0x1.251ee8p-1,
        -0x1.dfdd4a56e48aep+10, 0x1.f7db8e0e6ff83p+12, -0x1.a8946669c5f9bp+13,
        0x1.6c3b258dcc4bep+13, -0x1.4b9a5a063f1c7p+12, 0x1.2c39c95483d71p+10,
        -0x1.b05d1a13b6db7p+6, 0x1.ba4c598p+0, 0x1.3bb12a52aa2fbp+14,
        -0x1.7ad4992fff6c7p+16, 0x1.7811802863395p+17, -0x1.8d4416b11fe98p+17,
        0x1.dd58770920853p+16, -0x1.41d14f581555cp+15, 0x1.bc583a953f412p+12,
        -0x1.edea5169e2492p+8, 0x1.84bd1aa98p+2, -0x1.da73980d20117p+17,
        0x1.404139d5a8d89p+20, -0x1.6df7ff592a81cp+21, 0x1.cb623a6199ae4p+21,
        -0x1.5773d9d00c99dp+21, 0x1.35a8d45f867fp+20, -0x1.43df4b09fcb1fp+18,
        0x1.614589b7ecd85p+15, -0x1.387a934e97623p+11, 0x1.8616a64f6cp+4,
        0x1.90efaed3176ecp+21, -0x1.2cb3c31e51931p+24, 0x1.84bccd3f0fa29p+25,
        -0x1.1ab04f0d89c04p+26, 0x1.fa2b20232a522p+25, -0x1.1e9d645493e4cp+25,
        0x1.958a7e55353d9p+23, -0x1.540a91065230fp+21, 0x1.2cf699e52c822p+18,
        -0x1.b1f0b7d0cbfb1p+13, 0x1.b8118d37ff7p+6, -0x1.785a32d50ea99p+25,
        0x1.367d9d22f8e58p+28, -0x1.bff876bd73df6p+29, 0x1.7268078e48462p+30,
        -0x1.827ee7a06eeffp+30, 0x1.07e453034ac45p+30, -0x1.d8ead78466863p+28,
        0x1.0ef6a77985642p+27, -0x1.7571ceb9ca037p+24, 0x1.11e5c16c629afp+21,
        -0x1.48256f009b97ep+16, 0x1.13aafea4e5774p+9, 0x1.84858f40f24dap+29,
        -0x1.5dab67540d45ep+32, 0x1.1679daa552eedp+34, -0x1.0207616f8514bp+35,
        0x1.338fb49d78209p+35, -0x1.ec227ad1733f1p+34, 0x1.0b89e3d8c9f56p+34,
        -0x1.8733ea609e897p+32, 0x1.73c2e3e3845c1p+30, -0x1.ad5adfbc7617p+27,
        0x1.096da38dd1835p+24, -0x1.0c7a4a7b78e16p+19, 0x1.7bc2e57729724p+11,
        -0x1.b579e01fd909fp+33, 0x1.aa8a07524069bp+36, -0x1.73aff169e1ddbp+38,
        0x1.7d7a79bfd9279p+39, -0x1.ff7885a2e2725p+39, 0x1.d575cfc9e2c3ap+39,
        -0x1.2c857cd0fac0cp+39, 0x1.0c20dd26c89a3p+38, -0x1.475491eb205f5p+36,
        0x1.06c7289bb5702p+34, -0x1.0258a06e72954p+31, 0x1.110d4e9701237p+27,
        -0x1.d8a2cb8a63829p+21, 0x1.1d47059b0d98ap+14, 0x1.0aca592e16b75p+38,
        -0x1.18214409fe408p+41, 0x1.091de1749afccp+43, -0x1.2a8f68053f67p+44,
        0x1.bcc7f72fa3f52p+44, -0x1.ccd1190f05129p+44, 0x1.53c36f1e925d7p+44,
        -0x1.6692d03f4fc93p+43, 0x1.0c7ef86c5c487p+42, -0x1.16981c00442e8p+40,
        0x1.7f8bafc20347bp+37, -0x1.452fdce361dedp+34, 0x1.294f68360d03fp+30,
        -0x1.bd61241f49ddp+24, 0x1.d0366d1f2a1fcp+16, -0x1.5e64de75a4806p+42,
        0x1.8a317a4459106p+45, -0x1.92a1f52c0b7a6p+47, 0x1.ed9e6cefe60bcp+48,
        -0x1.947f1290b1214p+49, 0x1.d30151d4d5254p+49, -0x1.85ed9a23ccb78p+49,
        0x1.dbb73479600cap+48, -0x1.a71b10ac0f97ep+47, 0x1.0e915e49881c9p+46,
        -0x1.e4231a32338f6p+43, 0x1.214acc7d910afp+41, -0x1.abb30c9d41f8cp+37,
        0x1.55b4c489b95fdp+33, -0x1.bf624170b648dp+27, 0x1.96ab69ba805e8p+19,
        0x1.ed06d883c7d6cp+46, -0x1.27d0e84f1180ep+50, 0x1.44560eec11e37p+52,
        -0x1.ae03f99bb5229p+53, 0x1.80787763a0616p+54, -0x1.e986473674e26p+54,
        0x1.c8b65d444facp+54, -0x1.3c7354c38a71ap+54, 0x1.4678cb08b74acp+53,
        -0x1.f1df281e71adfp+51, 0x1.13bb05a2903aep+50, -0x1.ae77ec0689828p+47,
        0x1.c337b3c824076p+44, -0x1.258c4c70506d6p+41, 0x1.9d7f5fdd32dd4p+36,
        -0x1.dd3ad540c461p+30, 0x1.7da65df946f8bp+22, -0x1.71f57863fbe5ap+51,
        0x1.d7b29319145e6p+54, -0x1.1446c7ccdc56fp+57, 0x1.89e3930b3b6e8p+58,
        -0x1.7d964d45c558cp+59, 0x1.099c0c1b7092fp+60, -0x1.11eab4c8bb84ap+60,
        0x1.a93af4ed2572p+59, -0x1.f3b7a856e204cp+58, 0x1.bb6299640b50dp+57,
        -0x1.25d7cfff31619p+56, 0x1.1d2164f816f87p+54, -0x1.88436f58b2301p+51,
        0x1.6bd69bc1a45c4p+48, -0x1.a4062c9f3b6c3p+44, 0x1.06cc4ec342dfcp+40,
        -0x1.0d62f0182a1dbp+34, 0x1.7e002ac418369p+25}};
    /* clang-format on */
    return c[k];
}

/* A_k(zeta), k = 0, 1, 2, 3, highest powers first: 1, 25, 20, 13 */
CUPRIC_MATH double
uniform_a(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<59> c = {{
        0x1p+0, -0x1.9264402b364dfp-40, -0x1.0da7854b78498p-39, 0x1.70b9375e8ea23p-38,
        0x1.ec3f7dc9be9c9p-36, 0x1.478c995c70fp-35, -0x1.be9b29a3a25p-34,
        -0x1.27a4522ec7449p-31, -0x1.85b7e2040d3a7p-31, 0x1.08cba686021c9p-29,
        0x1.5a9187cca41c3p-27, 0x1.c2b25d90e3b62p-27, -0x1.3115e16e8f331p-25,
        -0x1.889f0730e8d9ap-23, -0x1.f41f34e5725dcp-23, 0x1.5154da088ba22p-21,
        0x1.a6a8d349e42c8p-19, 0x1.040fff80afbc7p-18, -0x1.5df59e8d12863p-17,
        -0x1.a27a7d9c87c2ap-15, -0x1.e3b663a75ac7p-15, 0x1.42f79b283312ap-13,
        0x1.60c97219cf6cap-11, 0x1.725db8a8b2b2bp-11, -0x1.7fb3bebf230b6p-10,
        -0x1.23456789abcdfp-8, 0x1.51974eacafe0dp-31, 0x1.981ab048da96bp-29,
        0x1.e943218c64ba6p-29, -0x1.2daf747ff3738p-27, -0x1.63b2f71bf9e0fp-25,
        -0x1.9e9f89a83687p-25, 0x1.f3b1f8962f347p-24, 0x1.1c7dc76ca7d1p-21,
        0x1.3e996e1492d69p-21, -0x1.736995fc77ab3p-20, -0x1.91818bc64fb17p-18,
        -0x1.a6cdce5c6ad05p-18, 0x1.d36ae7dd2d1c5p-17, 0x1.cfe88dae22207p-15,
        0x1.b7a18d3797163p-15, -0x1.b6321cc1b1abep-14, -0x1.7066cf37500b2p-12,
        -0x1.1af8e16eea1efp-12, 0x1.8291a09fc4acfp-12, 0x1.6bb79bb291192p-11,
        -0x1.1cf1a8d3c96c1p-19, -0x1.1ec219b02f312p-19, 0x1.27d31acbebd63p-18,
        0x1.1ba369a4448a1p-16, 0x1.074616fb94c19p-16, -0x1.f3b8e8c9ad267p-16,
        -0x1.accaa8d102e89p-14, -0x1.5c1c984e4b489p-14, 0x1.1ba85798572dfp-13,
        0x1.8b465b918b5cp-12, 0x1.eafcdb60f389dp-13, -0x1.03ee9d3449fcap-12,
        -0x1.736b0d550b439p-12}};
    /* clang-format on */
    return c[k];
}

/* B_k(zeta), k = 0, 1, 2, 3, highest powers first: 27, 23, 17, 9 */
CUPRIC_MATH double
uniform_b(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<76> c = {{
        0x1.580952e88778fp-46, 0x1.de1d78b6547b5p-44, 0x1.4bbc49d7bd665p-43,
        -0x1.dec9d1b7c4c04p-42, -0x1.4c04212fa401ep-39, -0x1.cb8a8b6fb82e1p-39,
        0x1.4d801e7ba236fp-37, 0x1.cd3d5c8fb2954p-35, 0x1.3e0390e32770ep-34,
        -0x1.d1650f5ed7052p-33, -0x1.4085a1d8c5376p-30, -0x1.b776c95f50a73p-30,
        0x1.45c001a3bd633p-28, 0x1.bde16b8465b2ep-26, 0x1.2ec2ca67e082p-25,
        -0x1.cafffb281fad5p-24, -0x1.36dd1f54e3ecdp-21, -0x1.9ece48229bf2fp-21,
        0x1.4867c1c93182cp-19, 0x1.b4c20bd65a775p-17, 0x1.195a0c12b211cp-16,
        -0x1.ea429dca96fe4p-15, -0x1.3cbbbbff7445bp-12, -0x1.7dfaf9521d18ap-12,
        0x1.aa2a04c9fcaf6p-10, 0x1.23456789abcdfp-7, 0x1.26e4bdcd91844p-6,
        0x1.3bb860642db6cp-36, 0x1.9530b4d25cd57p-36, -0x1.0a49bb33bb57cp-34,
        -0x1.531f284cf1e2p-32, -0x1.ad82ce0b18061p-32, 0x1.17d23b665cdf7p-30,
        0x1.5ed16287a8d2dp-28, 0x1.b48ad30540c4p-28, -0x1.1936092d043e1p-26,
        -0x1.5910419f500ep-24, -0x1.a2db20a8f3cb1p-24, 0x1.09c7e00e4f259p-22,
        0x1.3c1b0facb2295p-20, 0x1.71b0799b4596cp-20, -0x1.cb5fe25217b0fp-19,
        -0x1.042373d8ef2abp-16, -0x1.1e52ec2f1328bp-16, 0x1.58673f53ced4ep-15,
        0x1.66950f71b8dc2p-13, 0x1.629ca7dd89c16p-13, -0x1.90a7f4f389992p-12,
        -0x1.6d71fd584613dp-10, -0x1.8756181379eacp-10, -0x1.dca36cf5cec5p-26,
        -0x1.0e2fde2fe838dp-25, 0x1.3ab81089a5da2p-24, 0x1.5c87bb81cfedp-22,
        0x1.7c0a4279449ebp-22, -0x1.ab57d48956c16p-21, -0x1.c2b6221947c57p-19,
        -0x1.d0aeeeaba31afp-19, 0x1.f00506d135ecbp-18, 0x1.e603ea2e83c3p-16,
        0x1.cb4fd7b29470ep-16, -0x1.c25583b23d6f1p-15, -0x1.86619bced8e55p-13,
        -0x1.3db4743861f86p-13, 0x1.0924a1f28ed52p-12, 0x1.74cb559efb315p-11,
        0x1.2184c8d6eb909p-11, -0x1.8943508470327p-16, -0x1.55ed26b82d8e5p-14,
        -0x1.1cf7b6a76df27p-14, 0x1.df190d46226fap-14, 0x1.673051c9b5aecp-12,
        0x1.f4df5c929f28fp-13, -0x1.557ed8ccc8134p-12, -0x1.8db4907a49674p-11,
        -0x1.f1ac3ea112d74p-12}};
    /* clang-format on */
    return c[k];
}

} /* namespace complex_bessel */
CUPRIC_END

#endif
