/* special/bessel_tables.hpp: the polynomials of bessel.hpp. Written by tools/bessel.py:
 * change that. The errors are relative to the value, or to the slope beside a zero.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_TABLES_HPP
#define CUPRIC_SPECIAL_BESSEL_TABLES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* A piece's polynomial: its rows are coefficients, the highest power's first, the
 * middle and the value there in two words each. */
template <int ROWS, int PIECES>
CUPRIC_MATH double
bessel_piece(const double (&at)[ROWS][PIECES], unsigned long long piece, double x)
{
    const double t = (x - at[ROWS - 4][piece]) - at[ROWS - 3][piece];
    double sum = at[0][piece];
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 20
#endif
    for (int k = 1; k < ROWS - 4; k++) sum = fused(sum, t, at[k][piece]);
    return at[ROWS - 2][piece] + fused(sum, t, at[ROWS - 1][piece]);
}

/* J0(x) by halves of 1, 0 <= x <= 8: 2**-52.98 */
CUPRIC_MATH double
j0_piece(unsigned long long piece, double x)
{
    static constexpr double at[17][16] = {
        {-0x1.24bf709637242p-37, -0x1.957cd6a71e2ep-36, -0x1.1dbddb8ea0e18p-35,
         -0x1.2f3562bc93af6p-35, -0x1.f2df1ec128e79p-36, -0x1.2921b2fc4477bp-36,
         -0x1.3e88fe5fd5b44p-43, 0x1.1630c32a07158p-36, 0x1.ed24a84401befp-36,
         0x1.28bb60ee524c7p-35, 0x1.14667741f129cp-35, 0x1.90586c40c223dp-36,
         0x1.1a8de96df2e5p-37, -0x1.187dbaf79360ep-37, -0x1.8214795e2a738p-36,
         -0x1.0dfb805c8eb9fp-35},
        {0x1.f65786e9b01f6p-32, 0x1.8405123bec4cbp-32, 0x1.734632c2f1b67p-33,
         -0x1.d2e082666b11p-35, -0x1.5ed554b94982cp-32, -0x1.6fbf9e3d17af4p-32,
         -0x1.fe75f1514ccd7p-32, -0x1.c547b262de437p-32, -0x1.256f48e9968c1p-32,
         -0x1.113630ae10f3ep-34, 0x1.23537393b0e31p-32, 0x1.240cf1451b92dp-32,
         0x1.dd7f45930efbp-32, 0x1.dd97ef45c1eeap-32, 0x1.70704f59abcaep-32,
         0x1.610014739467cp-33},
        {0x1.809da77769f31p-30, 0x1.0a9332438c27bp-28, 0x1.785d25e6c8849p-28,
         0x1.90b27e8b04841p-28, 0x1.293fc7ec4ec3cp-28, 0x1.2ad3649ae2f6ep-28,
         0x1.1811d00072043p-33, -0x1.5f6f0ebd5aba4p-29, -0x1.3e9c7aa1892fep-28,
         -0x1.83c894688013ep-28, -0x1.417e61f11e237p-28, -0x1.422dc45100f37p-28,
         -0x1.9eaa6f17a142p-30, 0x1.3cc4cb8ddf91dp-30, 0x1.e23f0b7bd5362p-29,
         0x1.595d593a3a847p-28},
        {-0x1.1af7af8e45977p-24, -0x1.b6c754128171dp-25, -0x1.aacc289612ef8p-26,
         0x1.d7df6f3592531p-28, 0x1.7ff9135c40175p-25, 0x1.7fd26a73993b3p-25,
         0x1.1df6569972953p-24, 0x1.00a5d0cb61d64p-24, 0x1.53eb27ca781ecp-25,
         0x1.70eff8a9f8e5bp-27, -0x1.2d9d07de77342p-25, -0x1.2d9e3d16d8ae7p-25,
         -0x1.060998ddf72d5p-24, -0x1.0a3ea659d9053p-24, -0x1.a4060c512e18ep-25,
         -0x1.ac8c26cab8102p-26},
        {-0x1.689f56e6a1ad6p-23, -0x1.f469126cd8452p-22, -0x1.6214c9f264f26p-21,
         -0x1.7aa5509ff77c7p-21, -0x1.1cce30c035af7p-21, -0x1.1ccccce9904f4p-21,
         -0x1.168306110d955p-25, 0x1.36f2cf411c2cep-22, 0x1.235b6f25463c1p-21,
         0x1.681fc6362b22cp-21, 0x1.32e70321824dfp-21, 0x1.32e6beb694b5p-21,
         0x1.b8a3e4fd2b0efp-23, -0x1.d1b8398504778p-24, -0x1.a3e94588ec055p-22,
         -0x1.36f01e9640d7fp-21},
        {0x1.ba5f4235b77b4p-18, 0x1.58c6968e63bfcp-18, 0x1.570303f2abba8p-19,
         -0x1.34a1d2d49b8ap-21, -0x1.232c77cf4c639p-18, -0x1.232c89e8a7276p-18,
         -0x1.baccddf46b005p-18, -0x1.931b3cecab111p-18, -0x1.12e29eccd1e92p-18,
         -0x1.600dff91de71bp-20, 0x1.ad77da35e6f87p-19, 0x1.ad77d8b6c363p-19,
         0x1.88f8b8c1af266p-18, 0x1.97b452f6c802ep-18, 0x1.4aa08677573a1p-18,
         0x1.6a3305cfa1dedp-19},
        {0x1.c2db4d66976efp-17, 0x1.3944444588b7p-15, 0x1.bcc7eb189ee33p-15,
         0x1.de9726b175b45p-15, 0x1.6ed3b9f0923dcp-15, 0x1.6ed3ba9bcac7fp-15,
         0x1.3468b2e666fe8p-18, -0x1.61fc6c481ff18p-16, -0x1.5db00f7ca031dp-15,
         -0x1.ba07afa9e7d65p-15, -0x1.863f4810f81a9p-15, -0x1.863f481d6ef45p-15,
         -0x1.3d182b13d1778p-16, 0x1.6cab064236203p-18, 0x1.d37910b1aa53bp-16,
         0x1.6c0b30032b552p-15},
        {-0x1.bab9924e8bac3p-12, -0x1.5bc1727d502a3p-12, -0x1.65862e6c03019p-13,
         0x1.b11d8bb854e5p-16, 0x1.15382ba06cd01p-12, 0x1.15382b9bd3baep-12,
         0x1.b3182afcab20ap-12, 0x1.941560a91a02ap-12, 0x1.1e86819a3c638p-12,
         0x1.b7ab5b2b37f59p-14, -0x1.6f641f41434ebp-13, -0x1.6f641f418421fp-13,
         -0x1.6ded4b003be3ap-12, -0x1.86e820cde5e9p-12, -0x1.4864f8161f557p-12,
         -0x1.85c95029a939ep-13},
        {-0x1.523b2036c65p-11, -0x1.d70cd7c689403p-10, -0x1.500d492394154p-9,
         -0x1.6cf541dd83895p-9, -0x1.1f992590d12c5p-9, -0x1.1f992590ba907p-9,
         -0x1.86f81d79fbc23p-12, 0x1.bdbb2087f5bb9p-11, 0x1.e6955da6347e6p-10,
         0x1.3ee444677546p-9, 0x1.27e31fe9a9f2bp-9, 0x1.27e31fe9a96afp-9,
         0x1.15453990abe1fp-10, -0x1.84a8eb39f8d9ap-15, -0x1.1f0c4462fcecap-10,
         -0x1.e6db5bca5ceefp-10},
        {0x1.f2ba316e0b0e2p-7, 0x1.8cd6eea108d2fp-7, 0x1.add14282a6d5dp-8,
         -0x1.062593bff7f97p-12, -0x1.1bb1cbe1a4071p-7, -0x1.1bb1cbe1a4a18p-7,
         -0x1.d65437ca5851bp-7, -0x1.c22b820eeb206p-7, -0x1.510368c16a2a3p-7,
         -0x1.3bbc8af435995p-8, 0x1.2f7ffe90256f7p-8, 0x1.2f7ffe90256bcp-8,
         0x1.659f837d265f2p-7, 0x1.8f89ac6d9fb2cp-7, 0x1.5f8ff4e4eef5fp-7,
         0x1.c80b08eee330ap-8},
        {0x1.fb9154447bdcbp-7, 0x1.62babcf4f0aep-5, 0x1.fe4b37afffc3ap-5,
         0x1.195d344529ddfp-4, 0x1.cfae864368d7p-5, 0x1.cfae864368d9cp-5,
         0x1.fc55e95f11f74p-7, -0x1.acec62eefe09p-7, -0x1.33790cf4fa6d9p-5,
         -0x1.b12b29806ec12p-5, -0x1.b2150cb41e8c1p-5, -0x1.b2150cb41e8c1p-5,
         -0x1.dec1731e74b2ep-6, -0x1.726fbaa8b2252p-8, 0x1.22207637f7ba4p-6,
         0x1.2492045c82c6p-5},
        {-0x1.f40d4f1e0b1ep-3, -0x1.982670c5b1de1p-3, -0x1.e635e42cdaff8p-4,
         -0x1.335208cb079a6p-6, 0x1.ba1deea029494p-4, 0x1.ba1deea029493p-4,
         0x1.a0b544210521ap-3, 0x1.a41d16b719ac9p-3, 0x1.5494d6555562bp-3,
         0x1.8dcd6272187c4p-4, -0x1.f8f72e7a848ep-6, -0x1.f8f72e7a848ep-6,
         -0x1.fcbbf789461c1p-4, -0x1.3496c9cd50fb4p-3, -0x1.21517a8f84f2bp-3,
         -0x1.9aa5978744dd2p-4},
        {-0x1.fc02a9c749ee9p-4, -0x1.65a01d66b68bcp-2, -0x1.057069774d333p-1,
         -0x1.290a3baedcc45p-1, -0x1.09cdb3655128p-1, -0x1.09cdb3655128p-1,
         -0x1.edd028b393814p-3, -0x1.1036fef8f05b8p-5, 0x1.3e92ac250af99p-3,
         0x1.2820958a7f424p-2, 0x1.5c6e60a097823p-2, 0x1.5c6e60a097823p-2,
         0x1.c4094eb49a82fp-3, 0x1.49008b7cb882dp-4, -0x1.18e920168c57p-4,
         -0x1.8866f09a3faap-3},
        {0x1p-2, 0x1.8p-1, 0x1.4p+0, 0x1.cp+0, 0x1.33d152e971b4p+1, 0x1.33d152e971b4p+1,
         0x1.ap+1, 0x1.ep+1, 0x1.1p+2, 0x1.3p+2, 0x1.6148f5b2c2e45p+2,
         0x1.6148f5b2c2e45p+2, 0x1.9p+2, 0x1.bp+2, 0x1.dp+2, 0x1.fp+2},
        {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.0f539d7da258ep-53, -0x1.0f539d7da258ep-53,
         0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x1.75054cd60a517p-54, 0x1.75054cd60a517p-54,
         0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
        {0x1.f807fc72aa864p-1, 0x1.ba7df6a752a19p-1, 0x1.4ab433d10e1cp-1,
         0x1.79e3a9e138af1p-2, 0x0p+0, 0x0p+0, -0x1.54bca0542983fp-2,
         -0x1.9b0a3059780fep-2, -0x1.7a0f812c83da7p-2, -0x1.053e64ea6a671p-2, 0x0p+0,
         0x0p+0, 0x1.b4688ec8898c4p-3, 0x1.28675c56eb554p-2, 0x1.2b013ddfbec0bp-2,
         0x1.cd47850686e28p-3},
        {0x1.82419802ae0d7p-55, -0x1.71308ff97366dp-56, 0x1.12727a90e536ap-55,
         0x1.83b2603f4a7c8p-57, 0x0p+0, 0x0p+0, 0x1.fefe9a8440accp-56,
         -0x1.4e7bd6141e794p-56, 0x1.9552622ca1abbp-56, 0x1.be32a7f9f720ap-56, 0x0p+0,
         0x0p+0, -0x1.146aaaecee34p-57, -0x1.da66f8053b5f8p-56, 0x1.cafbb83941826p-56,
         0x1.fa011d4d0c5b3p-57}};
    return bessel_piece(at, piece, x);
}

/* Y0(x) by quarters of octaves, 1/2 <= x <= 8: 2**-53.19 */
CUPRIC_MATH double
y0_piece(unsigned long long piece, double x)
{
    static constexpr double at[19][16] = {
        {0x1.eecc2e499164bp+7, 0x1.80c4ff411ba9dp+3, 0x1.c79fda01cee5ep-1,
         0x1.e4adfa87ac5d5p-4, 0x1.ed87ba34bb6acp-8, 0x1.7f4c55fde7b0fp-12,
         0x1.ef98c2597bd85p-16, 0x1.cc1b3274a9db6p-19, 0x1.e896fd16b10c8p-23,
         0x1.79a308b1ca89ep-27, 0x1.e59af66c3c2ffp-31, 0x1.aa43e58721641p-34,
         0x1.0b7e9991da632p-37, 0x1.02da18ceee478p-42, -0x1.1af54d7530615p-43,
         -0x1.68cea5540badp-44},
        {-0x1.2a0f418968ad6p+7, -0x1.1b4c7d939cd13p+3, 0x1.e242a9a8dd106p-3,
         -0x1.88445c6d70bb2p-3, -0x1.292bb964fc523p-7, -0x1.1a09d3777cd0ep-11,
         -0x1.aedc3803d244ap-15, -0x1.cd63e4e917957p-18, -0x1.25b9537dddb44p-21,
         -0x1.153a56c68ce06p-25, -0x1.a4c302a891b92p-29, -0x1.c86f58a9df948p-34,
         -0x1.9301b7b8a0534p-34, 0x1.cbdb8fa10ffb5p-45, -0x1.6fc67d2c23bep-40,
         -0x1.8fd1979fe29c1p-40},
        {0x1.5a68d9247ec25p+6, 0x1.98015d688f1f9p+2, 0x1.85abbf1d406dfp-2,
         0x1.a742efda702f1p-3, 0x1.592da4fb4aba8p-7, 0x1.95da0a2e9c686p-11,
         0x1.711dcc17e38eep-14, 0x1.ca1d2c980f85p-17, 0x1.546da06cdd957p-20,
         0x1.8d8fa984ce951p-24, 0x1.65d0ba8ef328fp-27, 0x1.cc64dc9d1f928p-31,
         0x1.472f6ef65c60cp-31, 0x1.04ac60316db17p-35, 0x1.f27782f4e45cap-36,
         0x1.f476299a015cdp-36},
        {-0x1.a6176e2e2a421p+5, -0x1.2fc5d48efd16ep+2, -0x1.4da58eceb24b3p-3,
         -0x1.a0e9e8961dccfp-3, -0x1.a44be4e15b059p-7, -0x1.2ddb584aacd46p-10,
         -0x1.4446c72fa5cccp-13, -0x1.d017f95e67239p-16, -0x1.9d62a31a8e3aap-19,
         -0x1.26724de775932p-22, -0x1.39c60032ee9f2p-25, -0x1.f162d15091eb8p-29,
         -0x1.d79e936e3bc23p-29, -0x1.e31fa58c728bdp-32, 0x1.fac60811f7853p-33,
         0x1.fa02c6d5af1fp-33},
        {0x1.031a2aacb27dp+5, 0x1.c794346781ep+1, 0x1.a518854a5db5p-3,
         0x1.96d2b04d66d55p-3, 0x1.01c2ecea1ef64p-6, 0x1.c416aab14d437p-10,
         0x1.1ebec71e8a63fp-12, 0x1.d92184e78665dp-15, 0x1.f99c6c58bc1a2p-18,
         0x1.b9f82bd63141p-21, 0x1.2033e1f4f1c29p-23, 0x1.45694b9816a8p-26,
         0x1.41772b9fa2f35p-26, -0x1.7334617a57003p-29, -0x1.44264f8ef6058p-28,
         -0x1.4427f4783b301p-28},
        {-0x1.407fd4f0d41ep+4, -0x1.584efa402ab2dp+1, -0x1.8dbd947acaafcp-3,
         -0x1.8f7dd220ecdb4p-3, -0x1.3e709f298a83p-6, -0x1.550c95c6e3fe7p-9,
         -0x1.fee0e2a35a098p-12, -0x1.e60291ece158ap-14, -0x1.37b8be37b7ee6p-16,
         -0x1.4da805d60119ep-19, -0x1.e9905e431258bp-22, -0x1.77628872a5296p-26,
         -0x1.74cbab471caa5p-26, 0x1.c4b39fc1e4db9p-25, -0x1.0a279e00398a4p-25,
         -0x1.0a2836a289606p-25},
        {0x1.905fb7afefcd7p+3, 0x1.06c56faa442c9p+1, 0x1.8c31e1ec02e11p-3,
         0x1.8c08cf955b7e3p-3, 0x1.8d19f368e758bp-6, 0x1.039ea2b18e272p-8,
         0x1.caf6846ad29b7p-11, 0x1.f68b4a6291849p-13, 0x1.7dfb549421f14p-15,
         0x1.c8414984fe3d5p-18, 0x1.ebc1250cb8bcbp-21, -0x1.3b214681a064cp-22,
         -0x1.3b37c51d44657p-22, 0x1.7e374ef9c8bb4p-22, 0x1.34aa7a7379254p-21,
         0x1.34aa7615cfe4ap-21},
        {-0x1.fa4155fa72686p+2, -0x1.95eaf35c3a971p+0, -0x1.8d32e2ecf3acp-3,
         -0x1.8d35b48f8c568p-3, -0x1.f4b7806771407p-6, -0x1.8f1db613a3702p-8,
         -0x1.9edf7a6b9ff8ap-10, -0x1.03653c8165c8ep-11, -0x1.c9db72aa42834p-14,
         -0x1.40f687b6230fap-16, -0x1.67c3c5c02cfefp-18, -0x1.486371b603101p-18,
         -0x1.4862e5a360641p-18, -0x1.7766fec1387f2p-18, 0x1.6a9227d1b1da2p-19,
         0x1.6a92272e19f74p-19},
        {0x1.44f8d7c7c6ca4p+2, 0x1.3e3d4dd7fa6c3p+0, 0x1.9424de4de547dp-3,
         0x1.9424b9313c37dp-3, 0x1.3ffbd58e9a80cp-5, 0x1.36fccb6e63c56p-7,
         0x1.7e9369fda9cadp-9, 0x1.18cf611526833p-10, 0x1.4f2f758a2ecp-12,
         0x1.eb7d7a36f6a8fp-14, 0x1.4140e8ddbafd5p-14, 0x1.ab2c1fed1543dp-15,
         0x1.ab2c1ae185f97p-15, -0x1.953c0ce2207c4p-16, -0x1.8177e4fad3483p-15,
         -0x1.8177e4fe4ab59p-15},
        {-0x1.a97f3837a3df3p+1, -0x1.fccefb766062p-1, -0x1.a396a69abb03dp-3,
         -0x1.a396a8059fcd1p-3, -0x1.a3a646c265c4ap-5, -0x1.fb114acf0eabp-7,
         -0x1.81357005e508ap-8, -0x1.6125e68ea7c6ep-9, -0x1.22e543cdfde74p-10,
         -0x1.d19620a7a0a24p-12, -0x1.f800f58d17772p-14, 0x1.998276516584ep-13,
         0x1.9982769453d74p-13, 0x1.6ee43fa45e933p-12, -0x1.26dd71e357d18p-13,
         -0x1.26dd71e391921p-13},
        {0x1.1e294a61a1d7ep+1, 0x1.a201bb9cf807p-1, 0x1.c0680876422d3p-3,
         0x1.c068086c29671p-3, 0x1.1abdc924dff75p-4, 0x1.9c665e80eea98p-6,
         0x1.599ba9830f86p-7, 0x1.27b7dd19bf9afp-8, 0x1.343d4a65d5a9ap-11,
         -0x1.9cc7d90295418p-10, -0x1.38d8b455237ecp-9, -0x1.1e32bc4ef8a52p-9,
         -0x1.1e32bc4f94119p-9, 0x1.01700cdc2a649p-10, 0x1.1d35e85fded51p-9,
         0x1.1d35e85fde299p-9},
        {-0x1.8c024b4485ed3p+0, -0x1.5c9a23ceefc71p-1, -0x1.cf18e6a480e1ap-3,
         -0x1.cf18e6a4b388p-3, -0x1.44021de6cf657p-4, -0x1.a398f175ab91p-6,
         -0x1.371ca705f9826p-8, 0x1.11beb0271f1aap-8, 0x1.13d6eb8ca35f4p-7,
         0x1.bc5ebc1bc03ep-8, 0x1.aad0fa0338a11p-10, -0x1.c116fdc598096p-8,
         -0x1.c116fdc5907a7p-8, -0x1.96e938a041e28p-7, 0x1.b2f14a9552925p-9,
         0x1.b2f14a95527cbp-9},
        {0x1.13366c90c097ap+0, 0x1.1baba8b296515p-1, 0x1.c3b1338af4923p-3,
         0x1.c3b1338af3e97p-3, 0x1.798fa7153dc8cp-4, 0x1.6a9bdc2c097cdp-5,
         0x1.f505223bee8dp-6, 0x1.fa83f4a7c53bbp-6, 0x1.520ac57750d24p-5,
         0x1.d5d153ec8137dp-5, 0x1.0eb9c791a8cf4p-4, 0x1.df6d59bf50ebdp-5,
         0x1.df6d59bf50dd2p-5, -0x1.ca4458e622489p-7, -0x1.8969c64cbf451p-5,
         -0x1.8969c64cbf452p-5},
        {-0x1.014af25dc723ep+0, -0x1.6cfb9aba1d4abp-1, -0x1.f7e38a46d70f8p-2,
         -0x1.f7e38a46d7102p-2, -0x1.90937ad227a3dp-2, -0x1.5f89cacf80443p-2,
         -0x1.441d73e1b39dep-2, -0x1.2d10de4287287p-2, -0x1.0415e059d3b2cp-2,
         -0x1.6fd168815cd34p-3, -0x1.5f17d8cd42b08p-4, 0x1.a09c9290367efp-5,
         0x1.a09c9290367f7p-5, 0x1.57346c22293dp-3, -0x1.5aef611fc4d57p-6,
         -0x1.5aef611fc4d57p-6},
        {0x1.54dfd34c830f7p+0, 0x1.1eedd9c1f2bd8p+0, 0x1.c24371844b88ap-1,
         0x1.c24371844b88ap-1, 0x1.5b54eb93cedd3p-1, 0x1.fc23d82d1ea13p-2,
         0x1.53a7b3f0dfb71p-2, 0x1.6eb0ba613b15dp-3, -0x1.bd83c1ac86ccp-6,
         -0x1.f7d8cf6d01b7fp-3, -0x1.84e476f773438p-2, -0x1.9c34256a12a0cp-2,
         -0x1.9c34256a12a0cp-2, 0x1.854146d501fdfp-6, 0x1.334cca0697a5bp-2,
         0x1.334cca0697a5bp-2},
        {0x1.2p-1, 0x1.6p-1, 0x1.c982eb8d417eap-1, 0x1.c982eb8d417eap-1, 0x1.2p+0,
         0x1.6p+0, 0x1.ap+0, 0x1.ep+0, 0x1.2p+1, 0x1.6p+1, 0x1.ap+1,
         0x1.fa9534d98569cp+1, 0x1.fa9534d98569cp+1, 0x1.6p+2, 0x1.c581dc4e72103p+2,
         0x1.c581dc4e72103p+2},
        {0x0p+0, 0x0p+0, 0x1.ea9d270347f83p-56, 0x1.ea9d270347f83p-56, 0x0p+0, 0x0p+0,
         0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.f06ae7804384ep-54,
         -0x1.f06ae7804384ep-54, 0x0p+0, -0x1.9774a495f56cfp-54,
         -0x1.9774a495f56cfp-54},
        {-0x1.6da72f31dca44p-2, -0x1.a2f2e18b92a4fp-3, 0x0p+0, 0x0p+0,
         0x1.6f58de9069b5bp-3, 0x1.4d8526f28d2a7p-2, 0x1.b7362a42dd8ffp-2,
         0x1.f8590248fe8f5p-2, 0x1.0a45edb51cae8p-1, 0x1.cb6d3120d1805p-2,
         0x1.2734ae8b62595p-2, 0x0p+0, 0x0p+0, -0x1.5ba0ccf037ce6p-2, 0x0p+0, 0x0p+0},
        {-0x1.3156d95c44a71p-56, -0x1.cb8ae15d6bd3ap-58, 0x0p+0, 0x0p+0,
         -0x1.af6b1d18cada3p-58, -0x1.f5ede4ee98e7bp-56, 0x1.9a678e41088c4p-56,
         0x1.640eb6438adc2p-56, -0x1.b4e97825e7799p-57, 0x1.e2663b1f7e6b9p-56,
         0x1.b4580852d1984p-57, 0x0p+0, 0x0p+0, -0x1.bdbfeeb56278ap-56, 0x0p+0,
         0x0p+0}};
    return bessel_piece(at, piece, x);
}

/* sqrt(x) |J0(x) + i Y0(x)| in 1 / x**2, x >= 8: 2**-53.78 */
CUPRIC_MATH double
modulus_of_0(double x)
{
    return horner(x, -0x1.eddf23bae6aeap+44, 0x1.ca54b5895104bp+41,
                  -0x1.8c9ca2925e1a9p+37, 0x1.b2f1a38c3ba0bp+32, -0x1.624a5ce1b094p+27,
                  0x1.ee8df814981bdp+21, -0x1.5ca4700033c23p+16, 0x1.2692255fe24fep+11,
                  -0x1.5509179c82c24p+6, 0x1.2aa8d9359c7fdp+2, -0x1.bb8628af44f85p-2,
                  0x1.524d94ee54e0ep-4, -0x1.9884533d4362ap-5, 0x1.9884533d43651p-1);
}

/* x (the phase of J0(x) + i Y0(x) - x + (0 + 1) pi / 4) in 1 / x**2, x >= 8: 2**-54.68 */
CUPRIC_MATH double
phase_of_0(double x)
{
    return horner(x, -0x1.16950aa090f39p+54, 0x1.0ecbe4701142cp+51,
                  -0x1.e7a2c3662aa84p+46, 0x1.118975913f9ddp+42, -0x1.b74da0119ff6fp+36,
                  0x1.193dd5c948bc7p+31, -0x1.43876d2976843p+25, 0x1.828b79e2756dfp+19,
                  -0x1.15ab6991376b3p+14, 0x1.0bc2d06c5ebf4p+9, -0x1.779996defba73p+4,
                  0x1.a35847dc32da5p+0, -0x1.ad33333294f6bp-3, 0x1.0aaaaaaaaaa77p-4,
                  -0x1p-3);
}

/* sqrt(x) exp(x) K0(x) in 1 / x by eighths of 1, x >= 1: 2**-60.86 */
CUPRIC_MATH double
k0_piece(unsigned long long piece, double x)
{
    static constexpr double at[17][9] = {
        {-0x1.8dfe5507d88c4p+11, -0x1.8124fa38387bfp+4, 0x1.7c8aab784e687p-2,
         -0x1.6c0925b0e06e7p-1, 0x1.7cdb88c88ff2ep-2, -0x1.21ebea04929dp-3,
         -0x1.1516662183313p-1, -0x1.a93f8957ca442p-2, 0x1.2759d64b07abep+11},
        {0x1.019d22ec7f318p+9, 0x1.307cf2b628945p+3, 0x1.3469c88ec3d6fp-2,
         0x1.a16986a2af7bap-6, 0x1.dbfb3b5029c83p-9, 0x1.7977d38ecc624p-11,
         0x1.7895dc08befcp-13, 0x1.bd3d3d12e741p-15, 0x1.84128b479e5cdp-16},
        {-0x1.cb7e3b61ef0c9p+6, -0x1.c3e0bcb7956p+1, -0x1.799fa7eca85cdp-3,
         -0x1.610f293bc5926p-7, -0x1.0be1b33ba9dabp-7, 0x1.03b7c1a514477p-10,
         0x1.b32217f8b8f87p-8, 0x1.547902245a6dcp-8, -0x1.dff2949ec42e7p+2},
        {0x1.f0734c08bb9fdp+4, 0x1.820181b691e42p+0, 0x1.b9b16a248f6abp-4,
         0x1.ffd9364338df1p-7, 0x1.b65038e3b7354p-9, 0x1.e2e7b2c17b7b3p-11,
         0x1.3dabacb4711c3p-12, 0x1.dd1ab661b2dd3p-14, 0x1.ea44fa7b66bdep-15},
        {-0x1.1ccb91c3fccdap+3, -0x1.5f8354095a85p-1, -0x1.208620d3165bfp-4,
         -0x1.af70b244a6ca6p-7, -0x1.bbd971d7fd594p-9, -0x1.229fb92e23f56p-10,
         -0x1.d4da3b8aac9a8p-12, -0x1.a3cd9b2a7f783p-13, 0x1.28ca3fd640d73p-7},
        {0x1.66a5b221100afp+1, 0x1.5612d1acedbaep-2, 0x1.8ec8b26676b5fp-5,
         0x1.7b13bde4d2db6p-7, 0x1.dbdb0e5284685p-9, 0x1.66684eb6a7a44p-10,
         0x1.336187675c8d7p-11, 0x1.22abd76c18c1cp-12, 0x1.5cd5a1d52891bp-13},
        {-0x1.f860887af20dfp-1, -0x1.69122d3d7dc06p-3, -0x1.261882afe03acp-5,
         -0x1.61e3f53a8975p-7, -0x1.0ae2a1ec6ae5cp-8, -0x1.d3827119b5b95p-10,
         -0x1.c7dcaa4310f84p-11, -0x1.e21f7156a4d2p-12, -0x1.3da758be1dc5bp-12},
        {0x1.93ab283bf6cddp-2, 0x1.a454ce51f4f16p-4, 0x1.d5e9a4c90a215p-6,
         0x1.626f54b0df18dp-7, 0x1.3f1d2228e7778p-8, 0x1.438de34fbab67p-9,
         0x1.6580d7e423903p-10, 0x1.a5b8e6b8b2f54p-11, 0x1.25ca3b2b96fadp-11},
        {-0x1.79949132745f8p-3, -0x1.14224ae56bce8p-4, -0x1.9efce500bf3cap-6,
         -0x1.83dc4101a9f9p-7, -0x1.9db9cbf890fd8p-8, -0x1.e2e492b683566p-9,
         -0x1.2cfd4ca061454p-9, -0x1.8aa73d2b04c6p-10, -0x1.275604f114159p-10},
        {0x1.acd9f400ed333p-4, 0x1.a7b7da0379c23p-5, 0x1.a19652e8157e9p-6,
         0x1.dcd349e8b3c15p-7, 0x1.2a7215a1e8b0bp-7, 0x1.8e36dc5768784p-8,
         0x1.16884ec19fba1p-8, 0x1.942ebff743538p-9, 0x1.44064cd7cfbedp-9},
        {-0x1.39ded6b930d4ap-4, -0x1.90fb7e25aee3fp-5, -0x1.f7130688ef95ep-6,
         -0x1.58b86bc190016p-6, -0x1.f446a7e26a419p-7, -0x1.7a1c36bea3d17p-7,
         -0x1.26b1595e152b2p-7, -0x1.d69264632b8d9p-8, -0x1.92aa48dd80434p-8},
        {0x1.48c28833bbde4p-4, 0x1.024ae84e95d92p-4, 0x1.8d86f6465d9b8p-5,
         0x1.3f6dd8ec2450fp-5, 0x1.085a24b1d9977p-5, 0x1.bf207d1d1a4bbp-6,
         0x1.8084576de3569p-6, 0x1.4f2102c88e38p-6, 0x1.30846200b261bp-6},
        {-0x1.3616365b1024ep-3, -0x1.1ad09c5c420adp-3, -0x1.fd1328181db4cp-4,
         -0x1.d092791c4b84ep-4, -0x1.ac450893fa54cp-4, -0x1.8de4d0a6f216fp-4,
         -0x1.73fc75b873eb6p-4, -0x1.5d8e1c5eafbap-4, -0x1.4e950105f67e8p-4},
        {0x1p-5, 0x1p-3, 0x1p-2, 0x1.8p-2, 0x1p-1, 0x1.4p-1, 0x1.8p-1, 0x1.cp-1,
         0x1.fp-1},
        {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
        {0x1.3f9dcfbce22e9p+0, 0x1.3c261a172d207p+0, 0x1.37f5dd35f91a9p+0,
         0x1.3429d6a326a48p+0, 0x1.30ae2423de262p+0, 0x1.2d74d36bb8e9fp+0,
         0x1.2a7398dbab71dp+0, 0x1.27a291d49322p+0, 0x1.25a1a562b9b79p+0},
        {-0x1.15637d73bc532p-55, 0x1.2cb5d5863487cp-56, 0x1.fe5131be0c0c7p-57,
         0x1.1c24fcba50cdfp-56, -0x1.c9fddda1a3df3p-55, 0x1.8f4d7e9b416f7p-54,
         0x1.f17db1c6d17ddp-54, 0x1.9cbf23be009eep-54, -0x1.4d96711c66b49p-56}};
    return bessel_piece(at, piece, x);
}

/* J1(x) by halves of 1, 0 <= x <= 8: 2**-53.46 */
CUPRIC_MATH double
j1_piece(unsigned long long piece, double x)
{
    static constexpr double at[17][16] = {
        {0x1.20271f117f402p-35, 0x1.ba230108ca6a8p-36, 0x1.a1cae67587b96p-37,
         -0x1.1f17321a26577p-38, -0x1.4f1105ab76352p-36, -0x1.042ec625b8eb6p-35,
         -0x1.24a4432899183p-35, -0x1.00edd4ff941c2p-35, -0x1.47aed541269f2p-36,
         -0x1.082f93f0ac555p-38, 0x1.a13978d5df971p-37, 0x1.b0d392142455ap-36,
         0x1.15a249d42bb18p-35, 0x1.10d21ea30a92fp-35, 0x1.a5bd53f8fa5c5p-36,
         0x1.787f3fb096b4dp-37},
        {0x1.d9a1ce033dbcfp-40, 0x1.4969ac2398467p-32, 0x1.d043f7fc601eap-32,
         0x1.eca53c4158507p-32, 0x1.9854add722d14p-32, 0x1.ce2cbf381e366p-33,
         0x1.02e492da6b29ap-39, -0x1.041c409ffa4bfp-32, -0x1.909f4e49cdcd6p-32,
         -0x1.e21f379146b6fp-32, -0x1.c480dbb253c36p-32, -0x1.3f892c2d0d021p-32,
         -0x1.cb17beb127a8cp-34, 0x1.cf59d20425a95p-33, 0x1.d2a3b3e867431p-33,
         0x1.b6a8bae645005p-32},
        {-0x1.847859077b5d2p-28, -0x1.2350c891ec4a5p-28, -0x1.16bd63e5a7d37p-29,
         0x1.5e8c5a30db985p-31, 0x1.b0926541f0849p-29, 0x1.52aa0649128cap-28,
         0x1.7f3e5c3472bc9p-28, 0x1.456a469466798p-28, 0x1.b899084ba19ebp-29,
         0x1.9a2d47892a77p-31, -0x1.fea0dd775c6d1p-30, -0x1.136c94a523b65p-28,
         -0x1.6680218dfdd2ap-28, -0x1.442526e5877b8p-28, -0x1.44b28cfb6faap-28,
         -0x1.09019c88add62p-29},
        {0x1.ff31b646b3e5ep-41, -0x1.6e8a61702a193p-25, -0x1.02c00778a9285p-24,
         -0x1.137ab442ea76ep-24, -0x1.cbba21eabf564p-25, -0x1.0922cb6751e8ap-25,
         -0x1.81187fa9f181ep-30, 0x1.1706a320d617bp-25, 0x1.b6172417d8ce4p-25,
         0x1.0a99e354e947bp-24, 0x1.fa4e117e4fa34p-25, 0x1.6cdfd76bbc692p-25,
         0x1.1d152a0dc4df5p-26, -0x1.d484fb77dcf7ap-26, -0x1.d483ee0853df7p-26,
         -0x1.dae055b3479f3p-25},
        {0x1.6c16b553985d8p-21, 0x1.123c9e919a73ap-21, 0x1.0abfa2d68bd9cp-22,
         -0x1.26ebb285df972p-24, -0x1.8bc4f24f85e88p-22, -0x1.3958147e5757p-21,
         -0x1.6573f984a12c7p-21, -0x1.33825cc07c6e2p-21, -0x1.a8e60098a4ec1p-22,
         -0x1.cd2c02cef99c9p-24, 0x1.aff87b5c95f29p-23, 0x1.ed8a693686b38p-22,
         0x1.478c0bac13a6dp-21, 0x1.3026fc4e3e5d3p-21, 0x1.3026c6a57e985p-21,
         0x1.0bd7a0c7c77bdp-22},
        {0x1.8d25e8f98d1bap-44, 0x1.197b1a5ccfd22p-18, 0x1.8e5763301c9d1p-18,
         0x1.a9f9fab358c5cp-18, 0x1.669c82d93db85p-18, 0x1.a7eee6ab72198p-19,
         0x1.395366d34734dp-22, -0x1.9799d4cbd3c02p-19, -0x1.47c6dd096cb55p-18,
         -0x1.9523befc55112p-18, -0x1.869579e0951bbp-18, -0x1.20ba04b44b68p-18,
         -0x1.efb8619c4aaedp-20, 0x1.4255b1f67025dp-19, 0x1.4255b18925b94p-19,
         0x1.5dce2268794f4p-18},
        {-0x1.c71c71c945c5ep-15, -0x1.58c6968f97adbp-15, -0x1.570303f3ceb4p-16,
         0x1.34a1d2d62b6edp-18, 0x1.dd0763576f3e2p-16, 0x1.7fe015a95dda8p-15,
         0x1.baccddf602a06p-15, 0x1.83a06e30c0a2bp-15, 0x1.12e29ecdb620cp-15,
         0x1.600dff92967p-17, -0x1.cb4206bce3d9fp-17, -0x1.1fe83d1097c36p-15,
         -0x1.88f8b8c331deep-15, -0x1.796a7519c72e2p-15, -0x1.796a7522f0201p-15,
         -0x1.6a3305d0a8158p-16},
        {0x1.00e489578aa69p-49, -0x1.121bbbbcd795ep-12, -0x1.852eedb58af85p-12,
         -0x1.a2c441db46ee7p-12, -0x1.64eb663d57f5p-12, -0x1.b42d1c3b0f554p-13,
         -0x1.0ddb9c899a1fep-15, 0x1.6e4c2d5354394p-13, 0x1.31fa0d8d0c1efp-12,
         0x1.82c6b9b4aacc6p-12, 0x1.7ca59545a6f22p-12, 0x1.22afe431198a2p-12,
         0x1.157525b157421p-13, -0x1.07358bbd8f19cp-13, -0x1.07358bbdabcd3p-13,
         -0x1.3e89ca02c5dc8p-12},
        {0x1.5555555555424p-9, 0x1.04d115ddfc308p-9, 0x1.0c24a2d102512p-10,
         -0x1.44d628ca3fd78p-13, -0x1.50f9806a782eap-10, -0x1.164bc8f72db89p-9,
         -0x1.4652203d806ecp-9, -0x1.24b3409959061p-9, -0x1.adc9c2675aae3p-10,
         -0x1.49c084606a024p-11, 0x1.00f33d25e04b9p-11, 0x1.80f9e65d8af5ep-10,
         0x1.1271f8402cffep-9, 0x1.13fbc7d698674p-9, 0x1.13fbc7d698105p-9,
         0x1.2456fc1f3ef9cp-10},
        {0x1.adce2caa6024fp-58, 0x1.266806dc15c82p-7, 0x1.a4109b6c791a9p-7,
         0x1.c8329254e46bbp-7, 0x1.8bfcef0479bap-7, 0x1.fb4ad7874cd38p-8,
         0x1.e8b624d87ab2cp-10, -0x1.537544c331da7p-8, -0x1.301d5a87e0cefp-7,
         -0x1.8e9d558152978p-7, -0x1.942e74e704e36p-7, -0x1.4230bd8f1a91ep-7,
         -0x1.5a9687f4d6da6p-8, 0x1.9a4b292e3de82p-9, 0x1.9a4b292e3de49p-9,
         0x1.3049195e7a155p-7},
        {-0x1p-4, -0x1.8cd6eea108d2fp-5, -0x1.add14282a6d5dp-6, 0x1.062593bff7f97p-10,
         0x1.c2393af90902ep-6, 0x1.8663ed0e6308bp-5, 0x1.d65437ca5851bp-5,
         0x1.b589d1da13905p-5, 0x1.510368c16a2a3p-5, 0x1.3bbc8af435995p-6,
         -0x1.7551d8fb2e888p-8, -0x1.cf386999d8f43p-6, -0x1.659f837d265f2p-5,
         -0x1.80c83bdeee5bp-5, -0x1.80c83bdeee5bp-5, -0x1.c80b08eee330ap-6},
        {0x1.679082315ba3ep-70, -0x1.0a0c0db7b4828p-3, -0x1.7eb869c3ffd2cp-3,
         -0x1.a60bce67beccfp-3, -0x1.795b6928a754bp-3, -0x1.03b7c2bb869bbp-3,
         -0x1.7d406f074d797p-5, 0x1.ae8a39f51ad04p-5, 0x1.cd35936f77a46p-4,
         0x1.44e05f205310ep-3, 0x1.59d04cbc160fcp-3, 0x1.2459b6e90fb9cp-3,
         0x1.67111656d7862p-4, -0x1.5e70dc60362bfp-6, -0x1.5e70dc60362bfp-6,
         -0x1.b6db068ac428fp-4},
        {0x1p-1, 0x1.982670c5b1de1p-2, 0x1.e635e42cdaff8p-3, 0x1.335208cb079a6p-5,
         -0x1.49acaa2116f52p-3, -0x1.46b289f8ff62cp-2, -0x1.a0b544210521ap-2,
         -0x1.9c6cf582cbf7fp-2, -0x1.5494d6555562bp-2, -0x1.8dcd6272187c4p-3,
         -0x1.c0551ba8a6003p-6, 0x1.0cd74d6d33ba5p-3, 0x1.fcbbf789461c1p-3,
         0x1.33518b3874e8ap-2, 0x1.33518b3874e8ap-2, 0x1.9aa5978744dd2p-3},
        {0x0p+0, 0x1.8p-1, 0x1.4p+0, 0x1.cp+0, 0x1.2p+1, 0x1.6p+1, 0x1.ap+1,
         0x1.ea75575af6f09p+1, 0x1.1p+2, 0x1.3p+2, 0x1.5p+2, 0x1.7p+2, 0x1.9p+2,
         0x1.c0ff5f3b4725p+2, 0x1.c0ff5f3b4725p+2, 0x1.fp+2},
        {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.60155a9d1b256p-53,
         0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.b226d9d243827p-54,
         -0x1.b226d9d243827p-54, 0x0p+0},
        {0x0p+0, 0x1.65a01d66b68bcp-2, 0x1.057069774d333p-1, 0x1.290a3baedcc45p-1,
         0x1.18c50c47440ddp-1, 0x1.b4321558d2f04p-2, 0x1.edd028b393814p-3, 0x0p+0,
         -0x1.3e92ac250af99p-3, -0x1.2820958a7f424p-2, -0x1.614b582aa567fp-2,
         -0x1.45933fd0b40b2p-2, -0x1.c4094eb49a82fp-3, 0x0p+0, 0x0p+0,
         0x1.8866f09a3faap-3},
        {0x0p+0, 0x1.ddd24ac845bccp-56, -0x1.acfb27351a087p-57, -0x1.d9d1547dba2e7p-57,
         0x1.f55a890078469p-55, 0x1.edabef1c7bc86p-59, -0x1.320c93e701cc8p-58, 0x0p+0,
         0x1.e4d11632e858p-57, -0x1.a3fa512e3c18fp-56, -0x1.646e09012a339p-56,
         0x1.3a1241c04b74p-57, 0x1.a7ec1cf386f68p-58, 0x0p+0, 0x0p+0,
         0x1.cfc13047e1d51p-57}};
    return bessel_piece(at, piece, x);
}

/* Y1(x) by quarters of octaves, 1/2 <= x <= 8: 2**-53.63 */
CUPRIC_MATH double
y1_piece(unsigned long long piece, double x)
{
    static constexpr double at[19][16] = {
        {0x1.9ea51730677e4p+12, 0x1.0759af098572bp+8, 0x1.20465e4194e2cp+4,
         0x1.d0700e8549bbdp+0, 0x1.9db951716b597p-4, 0x1.0679f29f28fd5p-8,
         0x1.1ef0f783bd68dp-12, 0x1.cd9632d65f2dcp-16, 0x1.a4003e7b6442dp-20,
         0x1.03177d12c5b61p-24, 0x1.19d70b8307e44p-28, 0x1.c2e8a55c88c42p-32,
         0x1.8f462648822e5p-36, 0x1.1b9a4815467e3p-40, 0x1.e2f2e8e9c13cp-45,
         -0x1.04f2b4e24f2c7p-43},
        {-0x1.d26c22e6328e5p+11, -0x1.6a0b7f2b86e5bp+7, -0x1.d455bb005b5e3p+3,
         -0x1.b345a49f8f68ap+0, -0x1.d13ab10fe0a76p-4, -0x1.68a96449009fbp-8,
         -0x1.d1d792a6a5e32p-12, -0x1.b0333402690f3p-15, -0x1.398aac752cd53p-18,
         -0x1.6356d6d6aa2ccp-23, -0x1.c874bdc75046ap-27, -0x1.a546424652bf3p-30,
         -0x1.bf0ecaad9af6p-34, -0x1.3ec0217fa5768p-38, 0x1.0597d905535d4p-39,
         0x1.45a9ae93f4f3dp-40},
        {0x1.f45ae61726a3bp+10, 0x1.e24668fc3eb67p+6, 0x1.73f695a3491c7p+3,
         0x1.911a3f308d141p+0, 0x1.f2d8cd4b015ddp-4, 0x1.e01d37277cdd3p-8,
         0x1.71a609fc8ba0ep-11, 0x1.8dcd114118d22p-14, 0x1.5ad268f5cee84p-17,
         0x1.d7de8697575adp-22, 0x1.68f173fd174c7p-25, 0x1.808af682026f1p-28,
         0x1.b60d89796fd45p-32, 0x1.50e4f0defe591p-39, 0x1.87bf2e061c0dcp-39,
         0x1.da083d28b397bp-36},
        {-0x1.1965e508cddcp+10, -0x1.4b792b56425bcp+6, -0x1.2e1ad7d022aeap+3,
         -0x1.77d7dec532d0ap+0, -0x1.1865d24509839p-3, -0x1.49b93da0332ep-7,
         -0x1.2be48cd8a23b9p-10, -0x1.7435272b54e09p-13, -0x1.7988c100b956cp-16,
         -0x1.42fce613656b9p-20, -0x1.22b5fd4a1d22ep-23, -0x1.602e5f8836f8p-26,
         -0x1.e25977a35e7c9p-30, -0x1.a7eb54363242cp-32, -0x1.ed7097553f493p-32,
         -0x1.0c51753929d5ep-32},
        {0x1.3cc82f7cc1acdp+9, 0x1.c7cb713830268p+5, 0x1.eac6ca293caf2p+2,
         0x1.602965380cbfep+0, 0x1.3b6f6973ba23ep-3, 0x1.c4eb99565ee5ep-7,
         0x1.e67d12b16b434p-10, 0x1.5c1995accf6f4p-12, 0x1.9d103d3bffdbp-15,
         0x1.b9cd979528fap-19, 0x1.d6bb9228d2128p-22, 0x1.586e230568e7bp-24,
         0x1.d4bb946e32c65p-27, 0x1.80b11cae3363cp-28, 0x1.8529bb72fde0fp-33,
         -0x1.2799b8f195a8bp-28},
        {-0x1.644440c21aa65p+8, -0x1.3935f63840f79p+5, -0x1.8e7e6afb2741bp+2,
         -0x1.49dd2fa9365f6p+0, -0x1.626c4bb3a98c2p-3, -0x1.36cfa77d71f3p-6,
         -0x1.8a465a2cf50adp-9, -0x1.45470e4b66d2cp-11, -0x1.c3fa0ee6ebfe5p-14,
         -0x1.2fdab01221d04p-17, -0x1.8c475ef219b33p-20, -0x1.726cda907eae9p-22,
         -0x1.09112069b0c28p-24, 0x1.b62cd1b79cec2p-26, 0x1.03fe3adc1331ap-24,
         0x1.318d51586397cp-25},
        {0x1.909f3f3323339p+7, 0x1.ae628ca82eb3ep+4, 0x1.437c1a779ad84p+2,
         0x1.34e128e383387p+0, 0x1.8e0c3c49146b6p-3, 0x1.aa4f8f361c368p-6,
         0x1.3f4c819e055c5p-8, 0x1.2fc1965d22092p-10, 0x1.eea7c4f929909p-13,
         0x1.a111dbda50f3fp-16, 0x1.31fa2f189ccf3p-18, 0x1.a2153fd468db4p-21,
         -0x1.d42cf73bc513fp-22, -0x1.255e6cd126d48p-21, -0x1.f03fd2fbb3bcep-26,
         0x1.08d532806548p-21},
        {-0x1.c26bae0d13661p+6, -0x1.279e1d8bb5588p+4, -0x1.067f1f94699c7p+2,
         -0x1.21168e44d616ap+0, -0x1.bebd313d7602bp-3, -0x1.241276f3f757cp-5,
         -0x1.022aaa7783944p-7, -0x1.1aae59d5d9c7p-9, -0x1.0b2d883a1ef96p-11,
         -0x1.00a4b9473fe26p-14, -0x1.149ca4ce26db8p-17, 0x1.d6a6c1cf1ca9dp-20,
         0x1.e2b83e62fa3f3p-20, -0x1.80619148891eep-19, -0x1.8e7aa92149c29p-18,
         -0x1.eae0b1ad222e4p-19},
        {0x1.fa4156b03fcc2p+5, 0x1.95eaf3791e0d9p+3, 0x1.a9bf160aaf022p+1,
         0x1.0e55e0ea6cd76p+0, 0x1.f4b7811cd7368p-3, 0x1.8f1db6306e598p-5,
         0x1.9edf7a737f547p-7, 0x1.03653c82fb24fp-8, 0x1.17ab4af825b62p-10,
         0x1.40f687d28ee4bp-13, 0x1.67c3c5c7e8845p-15, 0x1.288dc94d60cf8p-15,
         0x1.a2a4daacc9984p-15, 0x1.85b940eb55ff6p-15, 0x1.58f53e95a5e3fp-18,
         -0x1.318b02e08e76bp-15},
        {-0x1.1c59bccf1e283p+5, -0x1.1675a41d05889p+3, -0x1.58dd64345c70fp+1,
         -0x1.f8cfdd1a3f6a6p-1, -0x1.17fc5add173ffp-2, -0x1.101d3200a1aeep-4,
         -0x1.4ec0fcbdf6f81p-6, -0x1.eb6ae9e5043bdp-8, -0x1.5429dc59a7d1cp-9,
         -0x1.ae0dcaf02217ep-11, -0x1.1918cbc20434fp-11, -0x1.ae5f3f569a5c7p-12,
         -0x1.86751011cfecfp-13, 0x1.337c7e138f84ep-13, 0x1.76002b8cff505p-12,
         0x1.efafbfe8e1ab5p-13},
        {0x1.3f1f6a2981af6p+4, 0x1.7d9b3c98bf314p+2, 0x1.1713f841c7ceep+1,
         0x1.d760b6040cd36p-1, 0x1.3abcb511933cp-2, 0x1.7c4cf81b41efcp-4,
         0x1.20e814046a893p-5, 0x1.08dc6ceafd956p-6, 0x1.e671c7d119dbdp-8,
         0x1.5d30987db4006p-9, 0x1.7a00b829d061bp-11, -0x1.6b749f5fad004p-11,
         -0x1.0ec447ca7829p-9, -0x1.1be6db9923ab9p-9, -0x1.8fd9c47ed6495p-12,
         0x1.9524b4beeb4f3p-10},
        {-0x1.65b39cfa0a2a4p+3, -0x1.054115421b021p+2, -0x1.c3b5aa276e94ep+0,
         -0x1.b89c1bb4a52c9p-1, -0x1.616d3b6e17d19p-2, -0x1.01bffb109527ap-3,
         -0x1.b00293e3d366fp-5, -0x1.71a5d4602f81ap-6, -0x1.3a6dec37297aep-8,
         0x1.01fce7a19d4a1p-7, 0x1.870ee16a6c5e8p-7, 0x1.85aa42f27cbcfp-7,
         0x1.a39f371c80befp-8, -0x1.10a329e2c23fbp-8, -0x1.7bb3112dd3f0dp-7,
         -0x1.124bbfb5412b7p-7},
        {0x1.8c024b4485fb5p+2, 0x1.5c9a23ceefc83p+1, 0x1.5b98330a6d0aep+0,
         0x1.77a8f334bac26p-1, 0x1.44021de6cf738p-2, 0x1.a398f175ab934p-4,
         0x1.371ca705f982fp-6, -0x1.11beb0271f1a9p-6, -0x1.0d2af4e932385p-5,
         -0x1.bc5ebc1bc03d7p-6, -0x1.aad0fa0338a0fp-8, 0x1.254e042dcf783p-6,
         0x1.7e0b5c10c3ee2p-5, 0x1.a15d92dfe3e27p-5, 0x1.c31271fe1202ap-7,
         -0x1.e1e2f5de1ad38p-6},
        {-0x1.9cd1a2d920e38p+1, -0x1.a9817d0be179fp+0, -0x1.dd65141c8c187p-1,
         -0x1.1bbd2b045a112p-1, -0x1.1b2bbd4fee569p-2, -0x1.0ff4e521071d9p-3,
         -0x1.77c3d9acf2e9cp-4, -0x1.7be2f77dd3eccp-4, -0x1.e56f82217b8f1p-4,
         -0x1.605cfef160e9ep-3, -0x1.9616ab5a7d36fp-3, -0x1.8490ac36aa1e1p-3,
         -0x1.d2f26797edde6p-4, 0x1.00b9f8571ca1fp-5, 0x1.26acf98ab4837p-3,
         0x1.dfcaab7c9649dp-4},
        {0x1.014af25dc723ep+1, 0x1.6cfb9aba1d4abp+0, 0x1.1ca699c9f711dp+0,
         0x1.dca17107b9071p-1, 0x1.90937ad227a3dp-1, 0x1.5f89cacf80443p-1,
         0x1.441d73e1b39dep-1, 0x1.2d10de4287287p-1, 0x1.0aa48442f014bp-1,
         0x1.6fd168815cd34p-2, 0x1.5f17d8cd42b08p-3, -0x1.a41c995e8079dp-6,
         -0x1.0bdf1d5ed9f11p-2, -0x1.5c7c556f0c19ap-2, -0x1.0c70cfd87bc18p-3,
         0x1.3704580e577e1p-3},
        {0x1.2p-1, 0x1.6p-1, 0x1.ap-1, 0x1.ep-1, 0x1.2p+0, 0x1.6p+0, 0x1.ap+0, 0x1.ep+0,
         0x1.193bed4dff243p+1, 0x1.6p+1, 0x1.ap+1, 0x1.ep+1, 0x1.2p+2,
         0x1.5b7fe4e87b02ep+2, 0x1.ap+2, 0x1.ep+2},
        {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0,
         -0x1.bd1e50d219bfdp-55, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x1.dfe7bac228e8cp-52,
         0x0p+0, 0x0p+0},
        {-0x1.54dfd34c830f7p+0, -0x1.1eedd9c1f2bd8p+0, -0x1.ed9e19714809fp-1,
         -0x1.acbf57f2ddca8p-1, -0x1.5b54eb93cedd3p-1, -0x1.fc23d82d1ea13p-2,
         -0x1.53a7b3f0dfb71p-2, -0x1.6eb0ba613b15dp-3, 0x0p+0, 0x1.f7d8cf6d01b7fp-3,
         0x1.84e476f773438p-2, 0x1.a9d9815adc5afp-2, 0x1.3438a46b12235p-2, 0x0p+0,
         -0x1.18ab620718a46p-2, -0x1.0958fbf7ff0a3p-2},
        {-0x1.35e29321526bep-56, -0x1.21e57e980e968p-54, -0x1.0de31f2d65f38p-55,
         -0x1.cc25a7625a0cfp-57, -0x1.442d792c2242cp-56, -0x1.c9175468507e1p-58,
         -0x1.f81c74e353a17p-56, -0x1.113635d150cdcp-57, 0x0p+0, -0x1.fe474658113a7p-58,
         -0x1.860bd49560824p-56, -0x1.368e68c22032cp-56, 0x1.c7a45dd253e7cp-56, 0x0p+0,
         0x1.28132a5171d4ap-57, -0x1.12041127f6699p-56}};
    return bessel_piece(at, piece, x);
}

/* sqrt(x) |J1(x) + i Y1(x)| in 1 / x**2, x >= 8: 2**-53.78 */
CUPRIC_MATH double
modulus_of_1(double x)
{
    return horner(x, 0x1.151e87d9d4791p+45, -0x1.017a01ba9f0c8p+42,
                  0x1.be6b1cc2be41p+37, -0x1.eb0846e281fbfp+32, 0x1.92116cd2bf397p+27,
                  -0x1.1b3e15a1e6247p+22, 0x1.95cdc34e0fd06p+16, -0x1.5fc5bce460d68p+11,
                  0x1.a79b0f3acfa78p+6, -0x1.8b3c4a76f7b61p+2, 0x1.48fa4edb7d54p-1,
                  -0x1.3bf6586128d66p-3, 0x1.32633e6df28b2p-3, 0x1.9884533d43651p-1);
}

/* x (the phase of J1(x) + i Y1(x) - x + (2 + 1) pi / 4) in 1 / x**2, x >= 8: 2**-56.18 */
CUPRIC_MATH double
phase_of_1(double x)
{
    return horner(x, 0x1.36b356c23cd42p+54, -0x1.2e443aff25d4cp+51,
                  0x1.107c380945af5p+47, -0x1.3247d84251a1fp+42, 0x1.ed6e672721499p+36,
                  -0x1.3d99361c17f1dp+31, 0x1.70ca6e78949e2p+25, -0x1.bf92409a6c455p+19,
                  0x1.496b79ea86eaap+14, -0x1.4986ec440e754p+9, 0x1.e9fb5cb8f1289p+4,
                  -0x1.2f486d0118622p+1, 0x1.7bcccccc75336p-2, -0x1.4ffffffffffe4p-3,
                  0x1.8p-2);
}

/* sqrt(x) exp(x) K1(x) in 1 / x by eighths of 1, x >= 1: 2**-60.06 */
CUPRIC_MATH double
k1_piece(unsigned long long piece, double x)
{
    static constexpr double at[17][9] = {
        {0x1.8e23c760a6d03p+9, 0x1.c20ed02b62cddp+4, 0x1.06e41f0bdb8d8p-3,
         -0x1.904d9a83f9502p-4, 0x1.aab5c4b9d7105p-3, 0x1.c9e8c9c469fc9p-2,
         -0x1.2160812fb863cp+0, -0x1.bb745c2bd9639p-1, -0x1.787905e6da43fp+10},
        {-0x1.1b8acba123943p+9, -0x1.584dff563ee1bp+3, -0x1.660a1082f1897p-2,
         -0x1.ee9e85666faabp-6, -0x1.1ef232696f706p-8, -0x1.ce1e5928de15ep-11,
         -0x1.d36e91e54757dp-13, -0x1.17d59adc2862bp-14, -0x1.ec30c9997b084p-16},
        {0x1.102fef294ba36p+7, 0x1.0112d560b6fb9p+2, 0x1.abcc35e39706p-3,
         0x1.989c9f549d128p-6, 0x1.99bf036fc772cp-10, -0x1.329e54d39daefp-8,
         0x1.dfbda88b48c4fp-7, 0x1.6b83a9d01dfbfp-7, 0x1.31e3188477fa9p+2},
        {-0x1.161e646601b52p+5, -0x1.bd2e3b03540cp+0, -0x1.05c97d4a56e01p-3,
         -0x1.360fef795e339p-6, -0x1.0e7fd4cdcfe55p-8, -0x1.2ef3c42ad9af6p-10,
         -0x1.948a33af4cca1p-12, -0x1.33f2cc45fe95bp-13, -0x1.3f7ba960343p-14},
        {0x1.425d710ffe641p+3, 0x1.9a579429a7896p-1, 0x1.5ab1b48655b97p-4,
         0x1.0814180054d19p-6, 0x1.18c55a8b9fbeep-8, 0x1.76bb3bf0e7108p-10,
         0x1.e7df011bb025dp-12, 0x1.6fb20a9fe376fp-13, -0x1.75eeb2b8beed5p-8},
        {-0x1.9c268857bad32p+1, -0x1.9552586f39e1cp-2, -0x1.e6cb0c520aaf9p-5,
         -0x1.d9e34d5db1c03p-7, -0x1.2f8bf483f704bp-8, -0x1.d18d80c84c93ap-10,
         -0x1.95d156d2db8b8p-11, -0x1.8586fdd31546cp-12, -0x1.d865320ec60a9p-13},
        {0x1.271a9ee474959p+0, 0x1.b414a713ef25cp-3, 0x1.6e6b9761ac701p-5,
         0x1.c4192bfae61cbp-7, 0x1.5c51bee2eb53bp-8, 0x1.36ebde848844cp-9,
         0x1.347f190c5ab89p-10, 0x1.4b7afe0f2fa2dp-11, 0x1.b54798ce077c5p-12},
        {-0x1.e3e3dcd071596p-2, -0x1.044f9c48e18a4p-3, -0x1.2cb02c96622cdp-5,
         -0x1.d1bf67d2be107p-7, -0x1.acf5ac8f9cd4p-8, -0x1.bbc4fa182d068p-9,
         -0x1.f358b7225b538p-10, -0x1.2b7dfc626e3bdp-10, -0x1.a635e3196dbc9p-11},
        {0x1.d42c159ad455dp-3, 0x1.623650e97a5cbp-4, 0x1.1383aa11f814ep-5,
         0x1.08da9e1dbeaebp-6, 0x1.21729ccbdb6abp-7, 0x1.5930dc3c1526cp-8,
         0x1.b6cc2e48b0954p-9, 0x1.24e0de0642becp-9, 0x1.bbe79c8329e9ap-10},
        {-0x1.17bc0510f8776p-3, -0x1.1e5531c9efe15p-4, -0x1.24bdedb37d6adp-5,
         -0x1.5886852b39ce4p-6, -0x1.bab479ac7b27ep-7, -0x1.2e4f33b174497p-7,
         -0x1.aff05f6b5bbdp-8, -0x1.3f8d31e8f21f9p-8, -0x1.03b41fb074b55p-8},
        {0x1.bdf3141e889a6p-4, 0x1.279519426704p-4, 0x1.81bb3979399c4p-5,
         0x1.11235b7e5e419p-5, 0x1.97e59d891a693p-6, 0x1.3c473c485148p-6,
         0x1.f89d20b670b7fp-7, 0x1.9b9f593867464p-7, 0x1.65938dc9b2e9ep-7},
        {-0x1.1618136b9c853p-3, -0x1.c642af0ede031p-4, -0x1.6cd23ac7d417dp-4,
         -0x1.2ffb8d8a8b12bp-4, -0x1.03bbb0fa2f789p-4, -0x1.c41ec77f369b4p-5,
         -0x1.8f26b39cadfb9p-5, -0x1.646bde0f6bcb4p-5, -0x1.4971e208a6dc2p-5},
        {0x1.d83cbe7db420bp-2, 0x1.c0b7e3626c158p-2, 0x1.a7520dfb3f9a2p-2,
         0x1.9287973ce5fb8p-2, 0x1.80fb15bf9d16p-2, 0x1.71d827486a85fp-2,
         0x1.64930b407d8eap-2, 0x1.58ca8dd1e3d83p-2, 0x1.50c2da847e7dep-2},
        {0x1p-5, 0x1p-3, 0x1p-2, 0x1.8p-2, 0x1p-1, 0x1.4p-1, 0x1.8p-1, 0x1.cp-1,
         0x1.fp-1},
        {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0},
        {0x1.4492964a22decp+0, 0x1.4f5b136a71d17p+0, 0x1.5cf785b4a0203p+0,
         0x1.69dc65513e397p+0, 0x1.7628990a85c65p+0, 0x1.81f27f654f4ap+0,
         0x1.8d4b120a8fa94p+0, 0x1.983fa4c60b984p+0, 0x1.a03bfc1b2e233p+0},
        {0x1.b95e6011e8e54p-54, 0x1.6bb74718a652ep-55, -0x1.ac94e2fa8d9c5p-56,
         -0x1.a4c53c436f09cp-56, 0x1.cde7aa7b319e4p-58, 0x1.d6e4d2a86e35dp-55,
         0x1.47c053be42fe4p-55, 0x1.52b5dc0fa7ef1p-55, 0x1.b70cfce83bf5fp-55}};
    return bessel_piece(at, piece, x);
}

/* Y0(x) - 2 / pi log(x) J0(x) in x**2, x <= 1/2: 2**-51.54 */
CUPRIC_MATH double
y0_regular(double x)
{
    return horner(x, 0x1.228965275b343p-38, -0x1.a6edc256851dep-31,
                  0x1.bce4a5c26e18ep-24, -0x1.3e997941f8d0dp-17, 0x1.1a6206b7b972p-11,
                  -0x1.075b1bbf41364p-6, 0x1.6bbcb41034286p-3, -0x1.2e4d699cbd01fp-4);
}

/* (Y1(x) + 2 / (pi x) - 2 / pi log(x) J1(x)) / x in x**2, x <= 1/2: 2**-54.43 */
CUPRIC_MATH double
y1_regular(double x)
{
    return horner(x, 0x1.295c93733e2d1p-42, -0x1.f0cd8eda1ad49p-35,
                  0x1.32e5a4c1a61bap-27, -0x1.0a780ac771f7dp-20, 0x1.2c7dbffcde97p-14,
                  -0x1.835b97894be5bp-9, 0x1.bd3975c75b4a7p-5, -0x1.91866143cbc8ap-3);
}

/* K0(x) + log(x) I0(x) in x**2, x <= 1: 2**-54.7 */
CUPRIC_MATH double
k0_regular(double x)
{
    return horner(x, 0x1.d09ac2de620f4p-38, 0x1.4c2257adf848fp-30,
                  0x1.5d6b201929b1ep-23, 0x1.f47476856e0f5p-17, 0x1.bb90e85df78cap-11,
                  0x1.9dadb0145418ep-6, 0x1.1dadb014541ebp-2, 0x1.dadb014541eb2p-4);
}

/* (K1(x) - 1 / x - log(x) I1(x)) / x in x**2, x <= 1: 2**-54.29 */
CUPRIC_MATH double
k1_regular(double x)
{
    return horner(x, -0x1.da8cd4180a395p-42, -0x1.862870f4db613p-34,
                  -0x1.e212ab3d6fa53p-27, -0x1.a291821c95d92p-20,
                  -0x1.d802af7a62fbap-14, -0x1.303ae729ff2fap-8, -0x1.5dadb014541ebp-4,
                  -0x1.3b5b6028a83d6p-2);
}

/* I0(x) in x**2, x <= 1: 2**-59.61 */
CUPRIC_MATH double
i0_small(double x)
{
    return horner(x, 0x1.56d1a37cbc97p-39, 0x1.02e1f2645736cp-31, 0x1.2345704a901d8p-24,
                  0x1.c71c71bad96c7p-18, 0x1.c71c71c7249f2p-12, 0x1.fffffffffffbfp-7,
                  0x1p-2, 0x1p+0);
}

/* I1(x) / x in x**2, x <= 1: 2**-62.68 */
CUPRIC_MATH double
i1_small(double x)
{
    return horner(x, 0x1.564c918b6d40cp-43, 0x1.27df497fbe0f4p-35,
                  0x1.845c91d2dd081p-28, 0x1.6c16c166a511bp-21, 0x1.c71c71c720133p-15,
                  0x1.5555555555547p-9, 0x1p-4, 0x1p-1);
}

/* (1 / gamma(1 - m) - 1 / gamma(1 + m)) / (2 m) in m**2, |m| <= 1/2: 2**-56.2 */
CUPRIC_MATH double
temme_difference(double x)
{
    return horner(x, -0x1.5d85501b63cd5p-28, -0x1.303d568d9e8a4p-20,
                  0x1.51cecd3042bbfp-16, 0x1.c364fdb5b06b3p-13, -0x1.d919c527b841bp-8,
                  0x1.59af103c33ea4p-5, 0x1.5815e8fa27049p-5, -0x1.2788cfc6fb619p-1);
}

/* (1 / gamma(1 - m) + 1 / gamma(1 + m)) / 2 in m**2, |m| <= 1/2: 2**-55.11 */
CUPRIC_MATH double
temme_sum(double x)
{
    return horner(x, -0x1.b017fc06d53c5p-23, -0x1.5016241e720fp-20,
                  0x1.0c8a9c9e4838dp-13, -0x1.3171133299deep-10, -0x1.3b4af283fdfb6p-7,
                  0x1.5512320b43da7p-3, -0x1.4fcf4026afa2dp-1, 0x1p+0);
}

enum { DEBYE_TERMS = 16 };

/* u_k(t) / t**k of Debye's expansions by s = t**2, k from 1 to DEBYE_TERMS.
 */
CUPRIC_MATH double
debye_polynomial(int k, double s)
{
    static constexpr double at[152] = {-0x1.aaaaaaaaaaaabp-3,
                                       0x1p-3,
                                       0x1.5638e38e38e39p-2,
                                       -0x1.9aaaaaaaaaaabp-2,
                                       0x1.2p-4,
                                       -0x1.069ba781948b1p+0,
                                       0x1.d8b1c71c71c72p+0,
                                       -0x1.c84cccccccccdp-1,
                                       0x1.2cp-4,
                                       0x1.2ada78a021b64p+2,
                                       -0x1.669fc3f35ba78p+3,
                                       0x1.19408p+3,
                                       -0x1.2e9a666666666p+1,
                                       0x1.cb6p-4,
                                       -0x1.c364a631dd95fp+4,
                                       0x1.528b7ca566307p+6,
                                       -0x1.6f45e11c71c72p+6,
                                       0x1.5447ad6c16c17p+5,
                                       -0x1.d79a53a83a83bp+2,
                                       0x1.d11ep-3,
                                       0x1.a923e815a1cf4p+7,
                                       -0x1.7ea050e044d42p+9,
                                       0x1.08ff6393p+10,
                                       -0x1.5dca313ad82d8p+9,
                                       0x1.b4618ac15dc91p+7,
                                       -0x1.a7dce636db6dbp+4,
                                       0x1.251ee8p-1,
                                       -0x1.dfdd4a56e48aep+10,
                                       0x1.f7db8e0e6ff83p+12,
                                       -0x1.a8946669c5f9bp+13,
                                       0x1.6c3b258dcc4bep+13,
                                       -0x1.4b9a5a063f1c7p+12,
                                       0x1.2c39c95483d71p+10,
                                       -0x1.b05d1a13b6db7p+6,
                                       0x1.ba4c598p+0,
                                       0x1.3bb12a52aa2fbp+14,
                                       -0x1.7ad4992fff6c7p+16,
                                       0x1.7811802863395p+17,
                                       -0x1.8d4416b11fe98p+17,
                                       0x1.dd58770920853p+16,
                                       -0x1.41d14f581555cp+15,
                                       0x1.bc583a953f412p+12,
                                       -0x1.edea5169e2492p+8,
                                       0x1.84bd1aa98p+2,
                                       -0x1.da73980d20117p+17,
                                       0x1.404139d5a8d89p+20,
                                       -0x1.6df7ff592a81cp+21,
                                       0x1.cb623a6199ae4p+21,
                                       -0x1.5773d9d00c99dp+21,
                                       0x1.35a8d45f867fp+20,
                                       -0x1.43df4b09fcb1fp+18,
                                       0x1.614589b7ecd85p+15,
                                       -0x1.387a934e97623p+11,
                                       0x1.8616a64f6cp+4,
                                       0x1.90efaed3176ecp+21,
                                       -0x1.2cb3c31e51931p+24,
                                       0x1.84bccd3f0fa29p+25,
                                       -0x1.1ab04f0d89c04p+26,
                                       0x1.fa2b20232a522p+25,
                                       -0x1.1e9d645493e4cp+25,
                                       0x1.958a7e55353d9p+23,
                                       -0x1.540a91065230fp+21,
                                       0x1.2cf699e52c822p+18,
                                       -0x1.b1f0b7d0cbfb1p+13,
                                       0x1.b8118d37ff7p+6,
                                       -0x1.785a32d50ea99p+25,
                                       0x1.367d9d22f8e58p+28,
                                       -0x1.bff876bd73df6p+29,
                                       0x1.7268078e48462p+30,
                                       -0x1.827ee7a06eeffp+30,
                                       0x1.07e453034ac45p+30,
                                       -0x1.d8ead78466863p+28,
                                       0x1.0ef6a77985642p+27,
                                       -0x1.7571ceb9ca037p+24,
                                       0x1.11e5c16c629afp+21,
                                       -0x1.48256f009b97ep+16,
                                       0x1.13aafea4e5774p+9,
                                       0x1.84858f40f24dap+29,
                                       -0x1.5dab67540d45ep+32,
                                       0x1.1679daa552eedp+34,
                                       -0x1.0207616f8514bp+35,
                                       0x1.338fb49d78209p+35,
                                       -0x1.ec227ad1733f1p+34,
                                       0x1.0b89e3d8c9f56p+34,
                                       -0x1.8733ea609e897p+32,
                                       0x1.73c2e3e3845c1p+30,
                                       -0x1.ad5adfbc7617p+27,
                                       0x1.096da38dd1835p+24,
                                       -0x1.0c7a4a7b78e16p+19,
                                       0x1.7bc2e57729724p+11,
                                       -0x1.b579e01fd909fp+33,
                                       0x1.aa8a07524069bp+36,
                                       -0x1.73aff169e1ddbp+38,
                                       0x1.7d7a79bfd9279p+39,
                                       -0x1.ff7885a2e2725p+39,
                                       0x1.d575cfc9e2c3ap+39,
                                       -0x1.2c857cd0fac0cp+39,
                                       0x1.0c20dd26c89a3p+38,
                                       -0x1.475491eb205f5p+36,
                                       0x1.06c7289bb5702p+34,
                                       -0x1.0258a06e72954p+31,
                                       0x1.110d4e9701237p+27,
                                       -0x1.d8a2cb8a63829p+21,
                                       0x1.1d47059b0d98ap+14,
                                       0x1.0aca592e16b75p+38,
                                       -0x1.18214409fe408p+41,
                                       0x1.091de1749afccp+43,
                                       -0x1.2a8f68053f67p+44,
                                       0x1.bcc7f72fa3f52p+44,
                                       -0x1.ccd1190f05129p+44,
                                       0x1.53c36f1e925d7p+44,
                                       -0x1.6692d03f4fc93p+43,
                                       0x1.0c7ef86c5c487p+42,
                                       -0x1.16981c00442e8p+40,
                                       0x1.7f8bafc20347bp+37,
                                       -0x1.452fdce361dedp+34,
                                       0x1.294f68360d03fp+30,
                                       -0x1.bd61241f49ddp+24,
                                       0x1.d0366d1f2a1fcp+16,
                                       -0x1.5e64de75a4806p+42,
                                       0x1.8a317a4459106p+45,
                                       -0x1.92a1f52c0b7a6p+47,
                                       0x1.ed9e6cefe60bcp+48,
                                       -0x1.947f1290b1214p+49,
                                       0x1.d30151d4d5254p+49,
                                       -0x1.85ed9a23ccb78p+49,
                                       0x1.dbb73479600cap+48,
                                       -0x1.a71b10ac0f97ep+47,
                                       0x1.0e915e49881c9p+46,
                                       -0x1.e4231a32338f6p+43,
                                       0x1.214acc7d910afp+41,
                                       -0x1.abb30c9d41f8cp+37,
                                       0x1.55b4c489b95fdp+33,
                                       -0x1.bf624170b648dp+27,
                                       0x1.96ab69ba805e8p+19,
                                       0x1.ed06d883c7d6cp+46,
                                       -0x1.27d0e84f1180ep+50,
                                       0x1.44560eec11e37p+52,
                                       -0x1.ae03f99bb5229p+53,
                                       0x1.80787763a0616p+54,
                                       -0x1.e986473674e26p+54,
                                       0x1.c8b65d444facp+54,
                                       -0x1.3c7354c38a71ap+54,
                                       0x1.4678cb08b74acp+53,
                                       -0x1.f1df281e71adfp+51,
                                       0x1.13bb05a2903aep+50,
                                       -0x1.ae77ec0689828p+47,
                                       0x1.c337b3c824076p+44,
                                       -0x1.258c4c70506d6p+41,
                                       0x1.9d7f5fdd32dd4p+36,
                                       -0x1.dd3ad540c461p+30,
                                       0x1.7da65df946f8bp+22};
    const double *c = at + (k - 1) * (k + 2) / 2;
    double sum = c[0];
    for (int j = 1; j <= k; j++) sum = fused(sum, s, c[j]);
    return sum;
}

} /* namespace elementary */
CUPRIC_END

#endif
