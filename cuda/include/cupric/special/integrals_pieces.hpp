/* special/integrals_pieces.hpp: polynomials of integrals.hpp. Written by tools/integral_pieces.py:
 * change that. The errors are relative to the value.
 */
#ifndef CUPRIC_SPECIAL_INTEGRALS_PIECES_HPP
#define CUPRIC_SPECIAL_INTEGRALS_PIECES_HPP

#include "cupric/special/table.hpp"

CUPRIC_BEGIN
namespace elementary {

/* (E1(x) + log(x) + gamma) / x, 0 <= x <= 1: 2**-57.82 */
CUPRIC_APART double
e1_near(double x)
{
    return horner(x, -0x1.2b96432e22462p-41, 0x1.9569b2104f4d8p-37,
                  -0x1.7b56759da4073p-33, 0x1.38c6558160920p-29, -0x1.d9682f3fa80adp-26,
                  0x1.48c55067fc190p-22, -0x1.a019fec0038d4p-19, 0x1.db8b6f7861387p-16,
                  -0x1.e573ac8f7e4c6p-13, 0x1.b4e81b4e7f36bp-10, -0x1.55555555554f6p-7,
                  0x1.c71c71c71c71cp-5, -0x1.0000000000000p-2, 0x1.0000000000000p+0);
}

/* x exp(x) E1(x), 1 <= x < 64: 2**-53.13 */
CUPRIC_APART double
e1_middle(double x)
{
    static constexpr double at[24][12] = {
        {0x1.2b3a060c3f938p-9, -0x1.90a099f5c87bbp-9, 0x1.09811c247ae2dp-8,
         -0x1.707d5ecceeb27p-8, 0x1.05c3c4fdfda1dp-7, -0x1.7e8540e383ae8p-7,
         0x1.21908f3c2db6ep-6, -0x1.ca81cb9b6d3e1p-6, 0x1.808ce405aaeeap-5,
         -0x1.5b946159703aep-4, 0x1.5a30267a5de3ap-3, 0x1.3ce0b9cc6e4f1p-1},
        {0x1.304bb7100eb16p-12, -0x1.efc1415e0b280p-12, 0x1.92d5039ba0a1dp-11,
         -0x1.534d95bf2af95p-10, 0x1.24038b2f80df2p-9, -0x1.01e89756834b3p-8,
         0x1.d665dcafbb455p-8, -0x1.be79a948bf51ap-7, 0x1.bdbc39c63373ap-6,
         -0x1.da9c76b96c6a8p-5, 0x1.1253b8eb948a2p-3, 0x1.5020540726576p-1},
        {0x1.b351231699d8fp-15, -0x1.a14f7c26f551bp-14, 0x1.90abb28e0f5cfp-13,
         -0x1.8c4ef0fc95033p-12, 0x1.8fe6f7f60352ep-11, -0x1.9d4b019a4643cp-10,
         0x1.b7ca3a33d49b5p-9, -0x1.e526a72215712p-8, 0x1.17e419a97813cp-6,
         -0x1.55b4a2fc8412fp-5, 0x1.bfe672357390fp-4, 0x1.5f9c7fb1d9b46p-1},
        {0x1.8ce69a227e08dp-17, -0x1.b541dbeac72bfp-16, 0x1.e394db127156dp-15,
         -0x1.12544708539cfp-13, 0x1.3d19468f3ce51p-12, -0x1.76c0ead6ff32fp-11,
         0x1.c6ed7ebdcc71ep-10, -0x1.1d511d291ab1dp-8, 0x1.74a0b01f88ca9p-7,
         -0x1.ffae0bab5f91cp-6, 0x1.75ef0e63a9138p-4, 0x1.6c6593428f2ccp-1},
        {0x1.e990950456ce9p-20, -0x1.41a5e9a725232p-18, 0x1.a06e7517b246bp-17,
         -0x1.1934892edfd93p-15, 0x1.8259b125a3340p-14, -0x1.0eaec7da33dbcp-12,
         0x1.84701f54bc951p-11, -0x1.1ed5c0cdb97e2p-9, 0x1.b6ad83d379116p-8,
         -0x1.5e1b512f83cb0p-6, 0x1.2679bcfc0ea8dp-4, 0x1.7bf1eb6e6d939p-1},
        {0x1.e08523766eeb9p-23, -0x1.7f4864a3641bap-21, 0x1.2f8933e7c50fdp-19,
         -0x1.f0414d998f8aap-18, 0x1.9bd9b8d518588p-16, -0x1.5bcef110c79b2p-14,
         0x1.2bdd82add46f3p-12, -0x1.08f8272fbdd65p-10, 0x1.e245b3b8d63d4p-9,
         -0x1.c6c24796fb43fp-7, 0x1.bfa0effd5c079p-5, 0x1.8bfba4997a9e3p-1},
        {0x1.4c95512549389p-25, -0x1.3799c78f02792p-23, 0x1.230b43c99c7e4p-21,
         -0x1.16ccd621452c4p-19, 0x1.0eb580a22ae03p-17, -0x1.0af7bf883412dp-15,
         0x1.0c1dac65c691ep-13, -0x1.13185e1f19c09p-11, 0x1.217fa8f9fa6f7p-9,
         -0x1.39fbb147da89ap-7, 0x1.61075eb0bf79fp-5, 0x1.9866f0c2ccea9p-1},
        {0x1.2611b9f0e3263p-27, -0x1.3c20e1d0c2ef0p-25, 0x1.5399032ab607fp-23,
         -0x1.74876bd4b288bp-21, 0x1.9dad0604aa7bdp-19, -0x1.d1d36801b4c33p-17,
         0x1.0a8ee584d9e06p-14, -0x1.36dfb5758a042p-12, 0x1.72a966fe0271dp-10,
         -0x1.c59bd72d877c8p-8, 0x1.1e3d202cf36b9p-5, 0x1.a2558ad9cc02cp-1},
        {0x1.5bfbff9eddc48p-30, -0x1.bd649b2cacdeap-28, 0x1.173f73d5aac66p-25,
         -0x1.6bf2557b107c4p-23, 0x1.df8903e6f0638p-21, -0x1.3fa76b566fae8p-18,
         0x1.b015c7739f429p-16, -0x1.28b685c3aa6fbp-13, 0x1.9f13c27b94b64p-11,
         -0x1.289cd80c93f94p-8, 0x1.b2a59317207fcp-6, 0x1.ae05b01fdd31dp-1},
        {0x1.4489b3fb10d2dp-33, -0x1.f7552c7a1ac60p-31, 0x1.8182cced791dap-28,
         -0x1.2f9925adf4c13p-25, 0x1.e28f28d1e2af3p-23, -0x1.8358e58b9328cp-20,
         0x1.3a7fa3239e127p-17, -0x1.02b1bf02ac26fp-14, 0x1.aff4c798fe8a1p-12,
         -0x1.6ed54aa6a0bddp-9, 0x1.3db515732b9fep-6, 0x1.b9a1b61b0b9d7p-1},
        {0x1.ad37d9683919fp-36, -0x1.866d841878c2dp-33, 0x1.6057dc851e20ep-30,
         -0x1.44d130b8a2c7cp-27, 0x1.2dc933191ee9bp-24, -0x1.1acb9fd36736ap-21,
         0x1.0b93351fbcb84p-18, -0x1.ffe4280985251p-16, 0x1.efb55379ebe5dp-13,
         -0x1.e6caaf3910e8dp-10, 0x1.e5b497e6615dep-7, 0x1.c24f831fa72f6p-1},
        {0x1.6c3f4f206db79p-38, -0x1.7bce99bfd411fp-35, 0x1.89f5cb88282bap-32,
         -0x1.9fa4a3d7b4c86p-29, 0x1.b9808afc491d6p-26, -0x1.d876ca62313d2p-23,
         0x1.fdd08e99a0e2cp-20, -0x1.159f618025c11p-16, 0x1.3185c09f68b8dp-13,
         -0x1.542eaa21cb710p-10, 0x1.7fceeff38015bp-7, 0x1.c90e61e57987dp-1},
        {0x1.98a07aa251a44p-41, -0x1.fae8465e44707p-38, 0x1.324d8e8549769p-34,
         -0x1.7fcef419adc8ap-31, 0x1.e3ca7f72c2267p-28, -0x1.32adff99021bfp-24,
         0x1.87747b7e8f21ap-21, -0x1.f76b7e5306d94p-18, 0x1.466742e00a407p-14,
         -0x1.ab309614ecbcdp-11, 0x1.1a721325b4a08p-7, 0x1.d0c59aab548a4p-1},
        {0x1.65e8acf799cdcp-44, -0x1.0cd8f2ef28fb1p-40, 0x1.8d0c71012364dp-37,
         -0x1.2cac58c4d8458p-33, 0x1.c9812adacbcc6p-30, -0x1.5db784ddfca84p-26,
         0x1.0cc0a18ab496cp-22, -0x1.9f7b271e4b642p-19, 0x1.433858fd9387ap-15,
         -0x1.fa71b991cb25ap-12, 0x1.8fdb9aec7e29ep-8, 0x1.d83267f15c3cap-1},
        {0x1.c0bcf5743bb80p-47, -0x1.8b5d4f826e671p-43, 0x1.5830b93a4debbp-39,
         -0x1.314a87b4c80a4p-35, 0x1.0fd0416617e08p-31, -0x1.e5e840101558ap-28,
         0x1.b432283342f0ep-24, -0x1.8968f8010cc2ap-20, 0x1.64a257372b515p-16,
         -0x1.4518ee56797bap-12, 0x1.2a276e0a4294fp-8, 0x1.dd976dcc5c328p-1},
        {0x1.6ba52faa029d1p-49, -0x1.6f5a646c51445p-45, 0x1.6fd7484bb6a57p-41,
         -0x1.75b2db55e95f8p-37, 0x1.7cd8d4ac48c96p-33, -0x1.85680950d45d7p-29,
         0x1.8f95f280ccc56p-25, -0x1.9b9da920f49e8p-21, 0x1.a9c72ce50d9b8p-17,
         -0x1.ba6ac81df7143p-13, 0x1.cdf571fe7b88bp-9, 0x1.e1b1161ade93dp-1},
        {0x1.813722fb71378p-52, -0x1.cf4e8c545c099p-48, 0x1.0e3058a1b21bfp-43,
         -0x1.467649cf86adap-39, 0x1.8b951096c8c08p-35, -0x1.e0655eeb95647p-31,
         0x1.2482b2b40ef13p-26, -0x1.6547af94f6c20p-22, 0x1.b5c9279776c71p-18,
         -0x1.0d22a8814ea1ep-13, 0x1.4c210a3656163p-9, 0x1.e6481f4d0b0e3p-1},
        {0x1.3c76cb2775798p-55, -0x1.cd76de3d9fac9p-51, 0x1.4998c88473d7dp-46,
         -0x1.e24e281f2c35ap-42, 0x1.619b90872b613p-37, -0x1.03b727bad6b3fp-32,
         0x1.7e4e53229ae15p-28, -0x1.1a0143f12aa15p-23, 0x1.a10454931579cp-19,
         -0x1.351aec8a55e7dp-14, 0x1.cb74e55c8518ap-10, 0x1.ea98f51fc8132p-1},
        {0x1.78c15a4e26bcdp-58, -0x1.429861e32f18fp-53, 0x1.102ca63c17f31p-48,
         -0x1.d36483e0b5656p-44, 0x1.91f2178e4b7d1p-39, -0x1.5a2a1581e2524p-34,
         0x1.2a9c20183edb5p-29, -0x1.0207be6c902b8p-24, 0x1.bebcc5e4aa271p-20,
         -0x1.83772719d64e0p-15, 0x1.50bc779f1a2d0p-10, 0x1.edab9d1d26addp-1},
        {0x1.2483416af1ce2p-60, -0x1.1f894dd64c35ep-55, 0x1.1786624bd3f13p-50,
         -0x1.1363d296c1923p-45, 0x1.0fa78f1847fd5p-40, -0x1.0c49fc4b2405cp-35,
         0x1.094fa7eef12e5p-30, -0x1.06b9b96fb81dfp-25, 0x1.0489df903d02dp-20,
         -0x1.02c267595b474p-15, 0x1.01664bcf280aep-10, 0x1.eff86b4df8e1dp-1},
        {0x1.267d7e31311c1p-63, -0x1.594afeff0f334p-58, 0x1.876482b564539p-53,
         -0x1.cbb8177379b87p-48, 0x1.0e5a01e631441p-42, -0x1.3e21b98792814p-37,
         0x1.76b8915fca2fcp-32, -0x1.b9d3a2e994be9p-27, 0x1.04c058e5cf246p-21,
         -0x1.341d3fec38573p-16, 0x1.6c80474a90021p-11, 0x1.f2822d0a6c153p-1},
        {0x1.ca66ab7cb09b2p-67, -0x1.46855b0a56cfcp-61, 0x1.c6b49fbb18d6ap-56,
         -0x1.444d44edf05c7p-50, 0x1.cefd8367f0db1p-45, -0x1.4aa6b8d996c2ap-39,
         0x1.d89c385e140dep-34, -0x1.52011ec9d9d86p-28, 0x1.e3d6378c8c68fp-23,
         -0x1.5a90ad1a4a6e6p-17, 0x1.f0e1b72fe1099p-12, 0x1.f4dc04d4f7a13p-1},
        {0x1.05c044210f555p-69, -0x1.b6be33f6f26e6p-64, 0x1.69bebda42d533p-58,
         -0x1.2f784ad3b15bbp-52, 0x1.fd79150d2abdap-47, -0x1.abd522b6dcc6cp-41,
         0x1.677700eed8e2ap-35, -0x1.2e2ffc3177e33p-29, 0x1.fc5c15cd70cc1p-24,
         -0x1.abd8d0a5ba5c7p-18, 0x1.684d4818a3436p-12, 0x1.f68321a0fe310p-1},
        {0x1.893b431d523a2p-72, -0x1.7af5bd3211c6ep-66, 0x1.68bbe92971bddp-60,
         -0x1.5be84dcbcb499p-54, 0x1.4fb057dbc805bp-48, -0x1.4402a4ae95e7cp-42,
         0x1.38de17d662d39p-36, -0x1.2e3c901626cbap-30, 0x1.2418349350220p-24,
         -0x1.1a6b7c16d6b40p-18, 0x1.113126b487259p-12, 0x1.f7bcde2ca0b01p-1}};
    const place<double> p = place_in_table<2, 24>(x, 0x1.0000000000000p+0);
    return polynomial<11, 1>(p.rest, at[p.piece]);
}

/* x exp(x) E1(x) in 1 / x, x >= 64: 2**-57.22 */
CUPRIC_APART double
e1_far(double x)
{
    return horner(x, -0x1.5ba2f9369e8acp+17, 0x1.120b457a05ec2p+15,
                  -0x1.356de9d178d5cp+12, 0x1.6786d7713b76cp+9, -0x1.dff985992fcc2p+6,
                  0x1.7fffe4bf0328bp+4, -0x1.7fffffbdba661p+2, 0x1.ffffffffadcb5p+0,
                  -0x1.ffffffffffec2p-1, 0x1.0000000000000p+0);
}

/* (Ei(x) - log(x / x0)) / (x - x0) in x - 1, 0 <= x <= 2, x0 the zero: 2**-53.54 */
CUPRIC_APART double
ei_near(double x)
{
    return horner(x, 0x1.0e14f07afd583p-47, 0x1.1ee83eaaf72eep-43,
                  0x1.1aa92c7999801p-39, 0x1.087b6320cff88p-35, 0x1.cde69d39163e7p-32,
                  0x1.7667bf7d99236p-28, 0x1.180f7f2cb7d58p-24, 0x1.7ff17c3a67897p-21,
                  0x1.de5827f9990ccp-18, 0x1.0c16750bdd2bfp-14, 0x1.0b09f679438a8p-11,
                  0x1.d181a6c77c264p-9, 0x1.5c2060f068f8bp-6, 0x1.b3bc40e35889fp-4,
                  0x1.bba5130c02089p-2, 0x1.7248c09561c7fp+0);
}

/* x exp(-x) Ei(x), 2 <= x < 64: 2**-53.22 */
CUPRIC_APART double
ei_middle(double x)
{
    static constexpr double at[40][13] = {
        {0x1.abdafb4261eb7p-19, -0x1.2784a3b0355f7p-17, 0x1.a97193a45e8fap-16,
         -0x1.45c0633e1d645p-14, 0x1.0384c131dd620p-12, -0x1.954ab8d4dca57p-11,
         0x1.0fc5acbfde653p-9, -0x1.ad3290eb33689p-9, -0x1.a2215176cb064p-8,
         0x1.147076362e92ap-4, -0x1.cb171a2c3220ep-3, 0x1.14c0dc7eb4191p-2,
         0x1.60ddd0c42af43p+0},
        {0x1.0fb39034d7290p-20, -0x1.aa75669fc0e37p-19, 0x1.5de9413930756p-17,
         -0x1.2e77a40777d74p-15, 0x1.09207c13383dap-13, -0x1.b29eb2745464dp-12,
         0x1.184f1edc10c93p-10, -0x1.04e3eec7a3a26p-10, -0x1.23674cb0e47d1p-7,
         0x1.e86364a9ceb26p-5, -0x1.69276090b268fp-3, 0x1.5cf3da99e1f3ep-3,
         0x1.6ed6fc703ad9ep+0},
        {0x1.886566032df6ep-22, -0x1.5a16e07fdc99cp-20, 0x1.3eb6e3e21294ap-18,
         -0x1.30573967eaa3ap-16, 0x1.1d83ef09795f0p-14, -0x1.db47fc99f81d4p-13,
         0x1.1358e51fae343p-11, 0x1.4f3372bcdf53fp-13, -0x1.31be54ebbb6f9p-7,
         0x1.9cc4242992bf6p-5, -0x1.149de2155eac2p-3, 0x1.7c3458b73c8e1p-4,
         0x1.772705cff631bp+0},
        {0x1.3b02f11db3d39p-23, -0x1.34f8eeab5a58fp-21, 0x1.3a5f03302c903p-19,
         -0x1.44b0dad185bb6p-17, 0x1.3dde57a2a4308p-15, -0x1.03a65cb6259c6p-13,
         0x1.dca5fec927802p-13, 0x1.6ff634981c82bp-11, -0x1.1e9488459367ep-7,
         0x1.52445b5606ef9p-5, -0x1.9c911abdad02ap-4, 0x1.17d6fb780101bp-5,
         0x1.7b1fd5046215dp+0},
        {0x1.144110fb63ed7p-24, -0x1.2a122f52dbd68p-22, 0x1.49ca12a2ec717p-20,
         -0x1.691b3794147c2p-18, 0x1.68353db8b802cp-16, -0x1.1504757339defp-14,
         0x1.147beddbffb45p-14, 0x1.dcaa5377d9044p-11, -0x1.f988010630befp-8,
         0x1.0eac8b67fb335p-5, -0x1.2aa7e46d9d9e4p-4, -0x1.26a1f999fa9d3p-7,
         0x1.7bdb0992d3f03p+0},
        {0x1.04e4c8dcba014p-25, -0x1.3227b8c787424p-23, 0x1.6a92d49784acep-21,
         -0x1.9d0833fa56f95p-19, 0x1.99c1d06ec807bp-17, -0x1.16b0b2f310b24p-15,
         -0x1.324762c1d5195p-16, 0x1.eba99706ae4afp-11, -0x1.ad0631aa535a0p-8,
         0x1.a87b7082ef444p-6, -0x1.a0d14a90765f9p-5, -0x1.455d435ed5677p-5,
         0x1.7a3cfbd5797a1p+0},
        {0x1.062475f49a5c8p-26, -0x1.4aa0d2eac590bp-24, 0x1.9cc010eb3eeedp-22,
         -0x1.e0710ac9cf81ap-20, 0x1.cd2596d856775p-18, -0x1.ea89d4a4841e9p-17,
         -0x1.eb4c9b3298204p-15, 0x1.cb54f17210487p-11, -0x1.625171c19e8edp-8,
         0x1.46abc7a7138e6p-6, -0x1.148f8356f79dbp-5, -0x1.f12e4e2a411d0p-5,
         0x1.76fac29c7d7a0p+0},
        {0x1.1551cf68eaa75p-27, -0x1.7371e895c0d88p-25, 0x1.e1b0d344e807fp-23,
         -0x1.1954ab5318123p-20, 0x1.f7ceb2fe35a70p-19, -0x1.1e98cf8f6d7ffp-18,
         -0x1.372ded4f9026dp-14, 0x1.95f2d53d06cfdp-11, -0x1.1e8f5ab22b46fp-8,
         0x1.ed78b98c8eb14p-7, -0x1.5327219a7b75ep-6, -0x1.2fbbbcabf8e1fp-4,
         0x1.72a134c35b3a0p+0},
        {0x1.cef41f5f854f8p-29, -0x1.4bd88fb71544bp-26, 0x1.b9aff8fe9fdeep-24,
         -0x1.f3647f884e56fp-22, 0x1.642b60f360d18p-20, 0x1.80509a0f46ed0p-19,
         -0x1.3850dd42360a8p-14, 0x1.3c742192ee02cp-11, -0x1.93cf14ee3a769p-9,
         0x1.379d1958b8ae3p-7, -0x1.cecb8aec139d1p-8, -0x1.58c796cfefe8ep-4,
         0x1.6af2c62c12609p+0},
        {0x1.3e29439eff588p-30, -0x1.dffba0f166f05p-28, 0x1.3c63562a0483cp-25,
         -0x1.3403330153ffcp-23, 0x1.542b422f0c71bp-24, 0x1.5d0a745fe9f25p-18,
         -0x1.ee454293be494p-15, 0x1.a50dfa6ed5b40p-12, -0x1.e0d8e486d472dp-10,
         0x1.32a37b08c39c9p-8, 0x1.ac6d7e0a91791p-9, -0x1.5e154639b45c2p-4,
         0x1.5ffb48c26f586p+0},
        {0x1.d70d33588ef82p-32, -0x1.6541556d73187p-29, 0x1.afe1f94f5f33ep-27,
         -0x1.ff1c200dcf060p-26, -0x1.1d49da7c86290p-22, 0x1.38c34efd51b83p-18,
         -0x1.5a366b7f546c7p-15, 0x1.07fd93471654dp-12, -0x1.0dacd2c308d83p-10,
         0x1.ec61b4469ae98p-10, 0x1.05ad1ddffad30p-7, -0x1.459b4ab45c14bp-4,
         0x1.555fc10fcea38p+0},
        {0x1.68d40030caf04p-33, -0x1.048aee0ce001bp-30, 0x1.eb6a70c282a7ep-29,
         0x1.da5f63a07093bp-28, -0x1.42aaaf5bfc8eep-22, 0x1.d24e514b0dcdap-19,
         -0x1.c4f859724f5e1p-16, 0x1.3b6a76fd19c74p-13, -0x1.1877c199ae49dp-11,
         0x1.76154d8b39516p-12, 0x1.3892fd8532a81p-7, -0x1.20f0f562045abp-4,
         0x1.4bc1636842038p+0},
        {0x1.136a232af8ac8p-34, -0x1.597d2c91c7425p-32, 0x1.b4e7db28b7e02p-32,
         0x1.08c32c1274fc9p-26, -0x1.06783b4535968p-22, 0x1.3e5da75363b36p-19,
         -0x1.1a7179f27d94ap-16, 0x1.671b1c24b8ee0p-14, -0x1.023b824dc11f9p-12,
         -0x1.a0dd568f9bfa8p-12, 0x1.35378e1dc5171p-7, -0x1.f3644567ebe0cp-5,
         0x1.435728ad63d2ap+0},
        {0x1.8f1799a66b72cp-36, -0x1.502a61dc715ffp-34, -0x1.34cefe381590bp-31,
         0x1.f10f1fcad8570p-27, -0x1.78cd2dd1f120bp-23, 0x1.9bb83837ff13bp-20,
         -0x1.52407af6fbe38p-17, 0x1.81af66241ec75p-15, -0x1.68a8567fc6609p-14,
         -0x1.7600d20874161p-11, 0x1.189bf51b93546p-7, -0x1.a957e870c0b89p-5,
         0x1.3c20182de01d1p+0},
        {0x1.f13140620fbc0p-38, 0x1.85842ba44b7e2p-38, -0x1.873981db4808fp-31,
         0x1.7d6019ee645a1p-27, -0x1.f9677ec702400p-24, 0x1.ff6d935e5e92dp-21,
         -0x1.8507b134cdc13p-18, 0x1.7c4fc6edeaebap-16, -0x1.7e6eb6b27c79ap-19,
         -0x1.9f827088dd5f9p-11, 0x1.e5d9237486f9bp-8, -0x1.67d29851a7f60p-5,
         0x1.3600ea006668ap+0},
        {0x1.5cdcb4adf801dp-40, 0x1.e40d018e888f2p-36, -0x1.4c0780623340ep-31,
         0x1.0ab274c1ee9e7p-27, -0x1.4406c37bbea69p-24, 0x1.32c40ecb3c429p-21,
         -0x1.aab4d81d7a8bdp-19, 0x1.3fffaeabb67c9p-17, 0x1.2c1e82fd44f34p-15,
         -0x1.8b644ec42156cp-11, 0x1.9932dc45b1eedp-8, -0x1.2fec304efa80bp-5,
         0x1.30d49f5ce8653p+0},
        {-0x1.118b3bc0bb65dp-40, 0x1.c04e3ed157a3ap-36, -0x1.98ab0801f4122p-32,
         0x1.1aef7c04086cbp-28, -0x1.382cb002c4150p-25, 0x1.0aa4a392be68ap-22,
         -0x1.2f35daab08329p-20, 0x1.fc18120bdee6bp-22, 0x1.b19f7abd5891fp-15,
         -0x1.4235e017e704cp-11, 0x1.33b8598513af7p-8, -0x1.da12e60902ab5p-6,
         0x1.2a87449b5c0c2p+0},
        {-0x1.e864c8711433dp-41, 0x1.d460d4215b0e3p-37, -0x1.5ff33d73369f1p-33,
         0x1.b057da5b88320p-30, -0x1.a754ad24dfb61p-27, 0x1.27886a0b0a1fdp-24,
         -0x1.178efc1e4d057p-23, -0x1.68cde714db407p-19, 0x1.6eac911c23666p-15,
         -0x1.b70939fb4f7a0p-12, 0x1.9d66cd308d401p-9, -0x1.5b14d17dcffe3p-6,
         0x1.242dc67b5fa1ep+0},
        {-0x1.e7362d7c42ef6p-42, 0x1.8d5b7a1ab0586p-38, -0x1.0bdf77446f00ep-34,
         0x1.27c500fda372dp-31, -0x1.e8fd3cf57a3ebp-29, 0x1.886ab532bdca4p-27,
         0x1.da3cadfe3e9cbp-24, -0x1.566006a450964p-19, 0x1.f7d91d38017f0p-16,
         -0x1.1cb1cdededce0p-12, 0x1.1782942d6317dp-9, -0x1.05ac31a623658p-6,
         0x1.1f776511653e3p+0},
        {-0x1.97a2589e0e21dp-43, 0x1.2dcd5f3d4a356p-39, -0x1.71250f8f693b9p-36,
         0x1.6051803b3f3c9p-33, -0x1.86f6006fd1f6fp-31, -0x1.d6e9614c030f6p-29,
         0x1.0d443998ff35ep-23, -0x1.e152848d353bfp-20, 0x1.4121295c34746p-16,
         -0x1.6dd4096bc2b7dp-13, 0x1.8285fa2b92e60p-10, -0x1.96bd09cffe8efp-7,
         0x1.1bdc798335523p+0},
        {-0x1.34bbf0737a8b8p-44, 0x1.a2c03174eb90bp-41, -0x1.c252da99c5940p-38,
         0x1.3bd4352a43a51p-35, 0x1.18d597b87586ep-34, -0x1.6b29457379b1fp-28,
         0x1.887add29ea7f3p-24, -0x1.3125c658c8792p-20, 0x1.8f65eb8075807p-17,
         -0x1.dbd6949640926p-14, 0x1.1336a6a9fc9ffp-10, -0x1.45045bb6d5627p-7,
         0x1.19055763346bbp+0},
        {-0x1.ae644b0363bc6p-46, 0x1.04a484e3efc2bp-42, -0x1.b467cedd3ed10p-40,
         0x1.a67ae3eee855dp-41, 0x1.a8c6c72be9e7ep-33, -0x1.16648a521ed26p-28,
         0x1.f36135a31ea14p-25, -0x1.73e02ba49d7f8p-21, 0x1.f176db86cc57ap-18,
         -0x1.3ce75b5f3a7b3p-14, 0x1.94221c6ba31afp-11, -0x1.09f9b5d86a4f2p-7,
         0x1.16b9630de7efep+0},
        {-0x1.0ffdbcfe76cf5p-47, 0x1.0bfe6d784cbf6p-44, -0x1.36e07a208e48ep-43,
         -0x1.b1280a09278b7p-38, 0x1.5c944ed4d0982p-33, -0x1.6600a7f352b41p-29,
         0x1.2cbda3a3bfea9p-25, -0x1.c12bb9800e9cap-22, 0x1.3af1a942bdd3fp-18,
         -0x1.b286de307c174p-15, 0x1.3165946fc1f46p-11, -0x1.bc08fa160d9d5p-8,
         0x1.14d371f02aa65p+0},
        {-0x1.23c057c278782p-49, 0x1.2580c3b3be62cp-47, 0x1.801a7829d5fb3p-43,
         -0x1.859ddf7b19b2bp-38, 0x1.c7f7334c7b6c0p-34, -0x1.ace4a8f0bbacbp-30,
         0x1.637786457a8e7p-26, -0x1.11aa3a5e2e4f1p-22, 0x1.98ca16b711a7cp-19,
         -0x1.32f798eca8206p-15, 0x1.d97bbb850339cp-12, -0x1.78c3a6d3323fcp-8,
         0x1.133a78de77d4ap+0},
        {-0x1.1cd111cb2ef1bp-54, -0x1.68ec0ee5a958bp-48, 0x1.4dc377cb447f7p-43,
         -0x1.97efe62744ea6p-39, 0x1.9fc17109d452dp-35, -0x1.7bd67397fc101p-31,
         0x1.45258361f9b3bp-27, -0x1.0e82e3ac95773p-23, 0x1.c2fdb0f209b18p-20,
         -0x1.801a31fe75889p-16, 0x1.5053b85de1224p-12, -0x1.2dd8f773ebd26p-8,
         0x1.1140b686eb2a9p+0},
        {0x1.0a92a89567826p-53, -0x1.9747d7bc5b392p-49, 0x1.f1b19ae1e0928p-45,
         -0x1.0db9dced76829p-40, 0x1.0e7a7a5c8ae1ep-36, -0x1.035b5e0a62c55p-32,
         0x1.e94c12b496ff5p-29, -0x1.d0752cd1b0423p-25, 0x1.c1c490197cd85p-21,
         -0x1.be12ca8121e84p-17, 0x1.c3f24f01eb636p-13, -0x1.d19cb3aba5b17p-9,
         0x1.0f2ea0ed0c5e9p+0},
        {0x1.a86c987c29a25p-55, -0x1.0d4e7065be32bp-50, 0x1.3643257c62036p-46,
         -0x1.5466b7b59154dp-42, 0x1.6a7a489113e6ap-38, -0x1.7f04750ab7ce3p-34,
         0x1.98774406cbff1p-30, -0x1.bbd2402185e07p-26, 0x1.ec6dd0b98fa27p-22,
         -0x1.164dbe64368e9p-17, 0x1.3f45bd719cd41p-13, -0x1.7282c2a18e382p-9,
         0x1.0d8f5172fb377p+0},
        {0x1.03bcebf56c8dbp-56, -0x1.439b41d798bb2p-52, 0x1.801dd856c147ap-48,
         -0x1.c2df2fdb2f59ap-44, 0x1.083cdbf359371p-39, -0x1.39279f73790d5p-35,
         0x1.79ac11af77c89p-31, -0x1.cffb34414cfafp-27, 0x1.21b09352fb837p-22,
         -0x1.6e88032a1e4f1p-18, 0x1.d4990ffffcf29p-14, -0x1.2e0d7792d0a0dp-9,
         0x1.0c40ccdb98617p+0},
        {0x1.30a73c7a5dba5p-58, -0x1.8c14283fb3e3fp-54, 0x1.f97f4efa46982p-50,
         -0x1.45e859a50556dp-45, 0x1.a95e878249254p-41, -0x1.1a2520a33ab15p-36,
         0x1.7c7f018db4e37p-32, -0x1.044760fc894ecp-27, 0x1.68482a55511e2p-23,
         -0x1.f7676fb9f5052p-19, 0x1.62612e003ce2ap-14, -0x1.f62043e2a58c7p-10,
         0x1.0b2d6dbc585b2p+0},
        {0x1.72ea4b7cd9e7dp-60, -0x1.03b6ca8061949p-55, 0x1.6b7a2eaa461c2p-51,
         -0x1.033a729b9ae70p-46, 0x1.7763f0b4e31eap-42, -0x1.13d17345771d0p-37,
         0x1.9a81d3bc97a69p-33, -0x1.34b102cd1a4e4p-28, 0x1.d433e16ec881ap-24,
         -0x1.658bf71ac4733p-19, 0x1.12a55f2992e22p-14, -0x1.a810c1f104f7bp-10,
         0x1.0a46b594cfcdap+0},
        {0x1.e68dd55843499p-62, -0x1.7409791a6dcddp-57, 0x1.1e7fae12a1a68p-52,
         -0x1.c1e80c3f276d6p-48, 0x1.65eefb90e6449p-43, -0x1.200022de76cc9p-38,
         0x1.d3d001fb4b2dfp-34, -0x1.7edcf45b2ad46p-29, 0x1.3b5603a7d6a51p-24,
         -0x1.051f3a0decd24p-19, 0x1.b27b03a6f4359p-15, -0x1.6af4850f27348p-10,
         0x1.09828d0706359p+0},
        {0x1.5c1abfa599629p-63, -0x1.22f1d00f673b8p-58, 0x1.ea62a6b31d37fp-54,
         -0x1.a4196e77f13aap-49, 0x1.6b8ad6ded5754p-44, -0x1.3d3eb6f8f38bcp-39,
         0x1.16c4e36a41dcap-34, -0x1.ecc5eb302da06p-30, 0x1.b5b2f29f1c0f7p-25,
         -0x1.86772c6f8232ep-20, 0x1.5daa3a71b9de7p-15, -0x1.3a33e7a8994b6p-10,
         0x1.08d9b3cf0b8e0p+0},
        {0x1.5f511614d39e2p-65, -0x1.4b9a706623888p-60, 0x1.3778b2416bb8dp-55,
         -0x1.2b2bf6f33c82bp-50, 0x1.21445114dd5f8p-45, -0x1.19371bc4d8ce3p-40,
         0x1.12aeb9ba281b9p-35, -0x1.0d68a43bcd020p-30, 0x1.09337407f156fp-25,
         -0x1.05e99ee5151b1p-20, 0x1.036dfd58a9901p-15, -0x1.01a987c527decp-10,
         0x1.08044e9374b8dp+0},
        {0x1.1580c0cf88b86p-67, -0x1.2c77a1972f223p-62, 0x1.43945553f9268p-57,
         -0x1.61f1498c47fd8p-52, 0x1.84bb442609acap-47, -0x1.ac6fe3bdfc6c7p-42,
         0x1.d9b23e3844768p-37, -0x1.069e39cb0cc60p-31, 0x1.23f353eda25d4p-26,
         -0x1.455567cf3a251p-21, 0x1.6b54a34dc287dp-16, -0x1.969724f8331dap-11,
         0x1.071f70cf1fdd1p+0},
        {0x1.0b257225235e3p-69, -0x1.44d7d7ef9f23bp-64, 0x1.88fa1d33f0d78p-59,
         -0x1.e102aeb954c72p-54, 0x1.2734f11fde4d2p-48, -0x1.6b40ad13a50ecp-43,
         0x1.c003a334f429bp-38, -0x1.14dd2328e8e13p-32, 0x1.56dd6ff5fb125p-27,
         -0x1.a9600bbbfd456p-22, 0x1.0851dde210843p-16, -0x1.4902596ef55cep-11,
         0x1.06689178b85acp+0},
        {0x1.2a9619ed3324cp-71, -0x1.91fa5ca7c1038p-66, 0x1.0d59bc7eed61bp-60,
         -0x1.6c53b5a3fc47cp-55, 0x1.edd05585b92f0p-50, -0x1.4f4a3f890053fp-44,
         0x1.c81d3728c4b84p-39, -0x1.36bfdb8c813b4p-33, 0x1.a813d71ca6501p-28,
         -0x1.21c924c9e599bp-22, 0x1.8c93eedb4573bp-17, -0x1.0fb5d5ae6c487p-11,
         0x1.05d312f7bf882p+0},
        {0x1.77b9f5f9de8f1p-73, -0x1.151aa6b102af1p-67, 0x1.971a480705a38p-62,
         -0x1.2d50b58da4a8cp-56, 0x1.bebfde24f0ec9p-51, -0x1.4badacfede937p-45,
         0x1.ed2e74e765babp-40, -0x1.6f24fe33973f4p-34, 0x1.11a80f6b9d5a1p-28,
         -0x1.986d15826f044p-23, 0x1.311f37f877d52p-17, -0x1.c85fc3e0b15a3p-12,
         0x1.0556932b2fa2dp+0},
        {0x1.048cfc55498ddp-74, -0x1.a1a16cea53438p-69, 0x1.4d887dffba23ap-63,
         -0x1.0c0e8ef080ccep-57, 0x1.af6bc181b1167p-52, -0x1.5b9618c6f2383p-46,
         0x1.185c59a9e1004p-40, -0x1.c4c2d147a67b3p-35, 0x1.6df5f179949e0p-29,
         -0x1.2816b384aec94p-23, 0x1.df8ec9b05f333p-18, -0x1.84b2e9a052fc9p-12,
         0x1.04ed47c5377e1p+0},
        {0x1.88184cbcf890ap-76, -0x1.532f66bbdc582p-70, 0x1.248313e711c80p-64,
         -0x1.fb3b4c2d22f77p-59, 0x1.b83ecf4186ed8p-53, -0x1.7e7b3e8a8d30bp-47,
         0x1.4c9c20f2194d0p-41, -0x1.2180391ec2581p-35, 0x1.f863e71279a12p-30,
         -0x1.b7c0d027008d4p-24, 0x1.7fb31a8e04a0bp-18, -0x1.4f0acba3441e2p-12,
         0x1.04930fd82dc06p+0},
        {0x1.3c4c2d009ac61p-77, -0x1.25ac0742cb484p-71, 0x1.0fec4f08cf59ap-65,
         -0x1.f9e50ad128988p-60, 0x1.d7011b049cf5fp-54, -0x1.b6e205b05151dp-48,
         0x1.994703ad932b6p-42, -0x1.7df5a502280c2p-36, 0x1.64b99f14b7735p-30,
         -0x1.4d640e3400648p-24, 0x1.37cad1123f48fp-18, -0x1.23c7faa8d9c74p-12,
         0x1.0444e55bfd164p+0}};
    const place<double> p = place_in_table<3, 40>(x, 0x1.0000000000000p+1);
    return polynomial<12, 1>(p.rest, at[p.piece]);
}

/* x exp(-x) Ei(x) in 1 / x, x >= 64: 2**-54.69 */
CUPRIC_APART double
ei_far(double x)
{
    return horner(x, 0x1.abe9d17025ba4p+19, 0x1.3a82c160f7b60p+14,
                  0x1.5435f412d15ffp+12, 0x1.65a58217326edp+9, 0x1.e022350d22e7dp+6,
                  0x1.7fff6a3d16ee6p+4, 0x1.80000175f29bbp+2, 0x1.fffffffe284e8p+0,
                  0x1.0000000000397p+0, 0x1.0000000000000p+0);
}

/* Si(x) / x in x**2, 0 <= x <= 4: 2**-52.54 */
CUPRIC_APART double
si_near(double x)
{
    return horner(x, -0x1.29c37d73fdb04p-118, 0x1.41ffa66ff8e3cp-108,
                  -0x1.13e267b55097cp-98, 0x1.989ef90a5e8c7p-89, -0x1.043f781a1db43p-79,
                  0x1.19b179658d15bp-70, -0x1.feccf9f20691fp-62, 0x1.7d57069971975p-53,
                  -0x1.cb3264bf2e5f2p-45, 0x1.b2a2edd1e100ap-37, -0x1.390327a26bdbdp-29,
                  0x1.48c5892f7cd83p-22, -0x1.db8b6f9266dd5p-16, 0x1.b4e81b4e81b4fp-10,
                  -0x1.c71c71c71c71cp-5, 0x1.0000000000000p+0);
}

/* (Ci(x) - gamma - log(x)) / x**2 in x**2, 0 <= x <= 4: 2**-53.41 */
CUPRIC_APART double
ci_near(double x)
{
    return horner(x, 0x1.22594ca2487a2p-123, -0x1.4c3e8a4a3cf0bp-113,
                  0x1.300c5b4722a2ep-103, -0x1.e39370b432098p-94, 0x1.4c89fe282bfd3p-84,
                  -0x1.871c7e4562f32p-75, 0x1.843561cc9c217p-66, -0x1.402321fc14465p-57,
                  0x1.ae7f3e733b7dbp-49, -0x1.cd3f30a008e6ap-41, 0x1.7e9213ff67620p-33,
                  -0x1.d96e5f25a9894p-26, 0x1.a01a01a01a01ap-19, -0x1.e573ac901e574p-13,
                  0x1.5555555555555p-7, -0x1.0000000000000p-2);
}

/* Shi(x) / x in x**2, 0 <= x <= 2: 2**-56.72 */
CUPRIC_APART double
shi_near(double x)
{
    return horner(x, 0x1.2517c1316fa86p-70, 0x1.fe5ffec8f20a9p-62,
                  0x1.7d582c098d906p-53, 0x1.cb3260eb4648bp-45, 0x1.b2a2edda159c3p-37,
                  0x1.390327a260913p-29, 0x1.48c5892f7ceb9p-22, 0x1.db8b6f9266dd2p-16,
                  0x1.b4e81b4e81b4fp-10, 0x1.c71c71c71c71cp-5, 0x1.0000000000000p+0);
}

/* (Chi(x) - gamma - log(x)) / x**2 in x**2, 0 <= x <= 2: 2**-56.94 */
CUPRIC_APART double
chi_near(double x)
{
    return horner(x, 0x1.95a81c1f1ee66p-75, 0x1.83efe2e8659d1p-66,
                  0x1.4023dd102bae2p-57, 0x1.ae7f3c0295f88p-49, 0x1.cd3f30a543d44p-41,
                  0x1.7e9213ff602fap-33, 0x1.d96e5f25a9959p-26, 0x1.a01a01a01a019p-19,
                  0x1.e573ac901e574p-13, 0x1.5555555555555p-7, 0x1.0000000000000p-2);
}

/* x f(x), 4 <= x < 32: 2**-53.11 */
CUPRIC_APART double
si_f(double x)
{
    static constexpr double at[12][12] = {
        {0x1.bfcd900f47064p-30, -0x1.35c546db7132bp-27, 0x1.a414c94819c02p-25,
         -0x1.24b0fd03c6ffcp-22, 0x1.97695919b91bbp-20, -0x1.1997e18684d9ap-17,
         0x1.7f9e1968412c0p-15, -0x1.fcf4f4b6fcaa8p-13, 0x1.42c4a24baf433p-10,
         -0x1.7b345a76d87e3p-8, 0x1.83339467d2e55p-6, 0x1.dc43b049345b0p-1},
        {0x1.e50924058c86fp-33, -0x1.8f37469a1aeefp-30, 0x1.4309e9de02e45p-27,
         -0x1.09609d4f435f0p-24, 0x1.b15689047986ap-22, -0x1.5d9ed46782339p-19,
         0x1.1499d0a2c5f9dp-16, -0x1.a84689f6cb166p-14, 0x1.35e632358cdccp-11,
         -0x1.a24f4d62a4ee2p-9, 0x1.ea8ed56c87cd1p-7, 0x1.e5ed87453946cp-1},
        {0x1.623b5aad77e42p-35, -0x1.5047de4b3ce39p-32, 0x1.3a3a2885488bep-29,
         -0x1.27cd608f50b60p-26, 0x1.13ccf3f434124p-23, -0x1.fa8fb9e851f6dp-21,
         0x1.c6c0cd11eca75p-18, -0x1.8ab3981648c8bp-15, 0x1.45a1f8b328a87p-12,
         -0x1.f00e28b0c102bp-10, 0x1.4884b163facd9p-7, 0x1.ec37882fb790cp-1},
        {0x1.4095108e204f2p-37, -0x1.5794c89ab8a3dp-34, 0x1.6aa077d26ac73p-31,
         -0x1.7f90a29c67d8bp-28, 0x1.90e485bc0ab67p-25, -0x1.9bcbec8e673ddp-22,
         0x1.9cb1c5e4d30ffp-19, -0x1.8f4451e93cf9fp-16, 0x1.6ed798c6fd27bp-13,
         -0x1.372f3f79a12f9p-10, 0x1.cba198fe6091bp-8, 0x1.f084e4d5b457dp-1},
        {0x1.7a4cedf71b269p-40, -0x1.d900d5e3053aep-37, 0x1.1cabea48e7e83p-33,
         -0x1.5d86dbd8f94c1p-30, 0x1.a73ef1ae3e325p-27, -0x1.f688e92def446p-24,
         0x1.229a8b337d4f2p-20, -0x1.441e151e7071bp-17, 0x1.573885ed09c3fp-14,
         -0x1.4fd49ebccb7b3p-11, 0x1.1eb9eddac6af3p-8, 0x1.f4c9def24f0abp-1},
        {0x1.50999f2095df8p-43, -0x1.f2b28322253dfp-40, 0x1.661ab006e7127p-36,
         -0x1.038683d43fa60p-32, 0x1.7255338801264p-29, -0x1.02cd5d26d8133p-25,
         0x1.600fc8228e30ep-22, -0x1.cdc3c3d598fb0p-19, 0x1.1fafec9bd5c31p-15,
         -0x1.4bc2c9d2f6662p-12, 0x1.4ece8c71dad5fp-9, 0x1.f83a39458d72ep-1},
        {0x1.9cfd186fd7104p-46, -0x1.60b693401cac5p-42, 0x1.25451488655e6p-38,
         -0x1.e91ed2a718c81p-35, 0x1.913f0cdf866a0p-31, -0x1.424c1cccf4353p-27,
         0x1.f7ea70f68445ep-24, -0x1.7bfa63fab5133p-20, 0x1.1076f4b045cd1p-16,
         -0x1.6a3c3008bf171p-13, 0x1.a67f953667dd8p-10, 0x1.fa4fdd1c81794p-1},
        {0x1.408948c1ff7d4p-48, -0x1.35a079e44cff3p-44, 0x1.240fbce0b0ad2p-40,
         -0x1.1336e7db3b0bep-36, 0x1.fe1bd7865a7d0p-33, -0x1.cee93386cb322p-29,
         0x1.98f6f1631cad9p-25, -0x1.5cb8a5e2554a9p-21, 0x1.1b0e67bc205a8p-17,
         -0x1.aaa1bb5f069b3p-14, 0x1.1aa7ad34c64f7p-10, 0x1.fbaa49ae3e06bp-1},
        {0x1.3839d23b022c0p-51, -0x1.61c8f69933001p-47, 0x1.7dc5b320aaf2bp-43,
         -0x1.a5a320382cb60p-39, 0x1.ca3ebf1333adfp-35, -0x1.e79f8911fe4dbp-31,
         0x1.f97dfe007d73cp-27, -0x1.fa490763fc2c6p-23, 0x1.e363ff9dd921ep-19,
         -0x1.ad50d7a2efebcp-15, 0x1.50026b014e37bp-11, 0x1.fcf27cc9423edp-1},
        {0x1.c1d8cf5c3fb1cp-55, -0x1.30a358ebfaf02p-50, 0x1.8d78d6c3cae37p-46,
         -0x1.067d79542d81ep-41, 0x1.553a6394444e4p-37, -0x1.b2ba985852571p-33,
         0x1.0e07dc6c86aeep-28, -0x1.448083e119074p-24, 0x1.74506a826892ep-20,
         -0x1.8e194ce20c1c2p-16, 0x1.77f56b503bd53p-12, 0x1.fdef0ef502fa0p-1},
        {0x1.d437d483c6160p-58, -0x1.70eef4cde1954p-53, 0x1.1a0d103be07a0p-48,
         -0x1.b1cb0d4f3a7c8p-44, 0x1.4873eb0821182p-39, -0x1.e7d5518f897a9p-35,
         0x1.618b041338da8p-30, -0x1.f02fa043566fap-26, 0x1.4cd07889cf74fp-21,
         -0x1.a0a25248f817ap-17, 0x1.cd5a186fde76fp-13, 0x1.fe82d053d97b7p-1},
        {0x1.3f40f3558eea3p-60, -0x1.1f03d8872059dp-55, 0x1.f71d65f011e3bp-51,
         -0x1.b9c66c001c684p-46, 0x1.7e1a287adbc16p-41, -0x1.4457d49d1c976p-36,
         0x1.0cda9a2eb4b3cp-31, -0x1.afe6ff9c7adb8p-27, 0x1.4be0fbfbc4dd7p-22,
         -0x1.dc696f7372dc7p-18, 0x1.2ec9a6eabf080p-13, 0x1.fee07d8abf38dp-1}};
    const place<double> p = place_in_table<2, 12>(x, 0x1.0000000000000p+2);
    return polynomial<11, 1>(p.rest, at[p.piece]);
}

/* x**2 g(x), 4 <= x < 32: 2**-52.43 */
CUPRIC_APART double
si_g(double x)
{
    static constexpr double at[12][12] = {
        {-0x1.56095590fb752p-32, 0x1.3dc1ad9a5dd11p-31, 0x1.33c46ddbdca17p-28,
         -0x1.3779ee6849181p-24, 0x1.7cb685c3231bdp-21, -0x1.886ea88eb12e3p-18,
         0x1.6e48548548580p-15, -0x1.3b7d386e8f925p-12, 0x1.f39de229e7665p-10,
         -0x1.6311a4a448f9ep-7, 0x1.aa9ae5c5b055cp-5, 0x1.a5d06f6a9ab2cp-1},
        {0x1.41f20ad32730fp-37, -0x1.23acf3ec4e0b9p-32, 0x1.c2ef69248a2a1p-29,
         -0x1.1a5c1134321e7p-25, 0x1.3f752c1ba58d3p-22, -0x1.5156459b43829p-19,
         0x1.4fc7c852cd1edp-16, -0x1.3a66ee3fc53bep-13, 0x1.117acb82fe919p-10,
         -0x1.ae0320dd1f8b2p-8, 0x1.1f968533d0f18p-5, 0x1.bbc540ede59b2p-1},
        {0x1.71cb5799c8fbap-37, -0x1.1451f0a818aa1p-33, 0x1.6deed5fd93a9dp-30,
         -0x1.c65cf4b9c64afp-27, 0x1.0c092ecc392d3p-23, -0x1.2e3658838adfcp-20,
         0x1.453cae959463bp-17, -0x1.4baa3c6babeb7p-14, 0x1.3bc1de72fea8bp-11,
         -0x1.10d9dcee2939cp-8, 0x1.930b810f9ca79p-6, 0x1.cada0e2b9017dp-1},
        {0x1.2a3d371a58eb1p-38, -0x1.a9bec2ad63d5dp-35, 0x1.1f4b895aaea68p-31,
         -0x1.76b787f710eeep-28, 0x1.d77f1e36cdae2p-25, -0x1.1df006a3196a7p-21,
         0x1.4cc9f7caef86cp-18, -0x1.705a2cf2b24c8p-15, 0x1.7dc880cf3a8ccp-12,
         -0x1.68478f1b03615p-9, 0x1.23bc4b820712cp-6, 0x1.d5966cdeccaf4p-1},
        {0x1.1640b1550f904p-40, -0x1.a55fa9d2312b8p-37, 0x1.2ff1d9ead7495p-33,
         -0x1.b3aa6be730389p-30, 0x1.2fb0d48b0fa2bp-26, -0x1.9a317b38f6a9bp-23,
         0x1.0ad184033c46dp-19, -0x1.4b2587e08da60p-16, 0x1.820b29dce16b7p-13,
         -0x1.9b4512a195000p-10, 0x1.79cf329459032p-7, 0x1.e0a0cc38ed125p-1},
        {0x1.62b789b579b9fp-43, -0x1.2c832dd9bc8cbp-39, 0x1.eb099037c8a0cp-36,
         -0x1.8f1b84e84b690p-32, 0x1.3ca5a2eeda65dp-28, -0x1.e837300616a74p-25,
         0x1.6b6f5d1afc5cfp-21, -0x1.02c84d1d226e8p-17, 0x1.5b3d40b9c2e4cp-14,
         -0x1.ab797317ecda8p-11, 0x1.c82bd5821012ap-8, 0x1.e9d7593ca90bbp-1},
        {0x1.1069dd77807a4p-45, -0x1.01faae15edd48p-41, 0x1.d9fbc6ee5c443p-38,
         -0x1.b09edd2d9dba1p-34, 0x1.82101c8c84e03p-30, -0x1.4f4d035dc000ep-26,
         0x1.19af054265008p-22, -0x1.c59c9f7d73762p-19, 0x1.58ffedcc1ed36p-15,
         -0x1.e303dc694a6dep-12, 0x1.2650e7071ad53p-8, 0x1.ef959fd29fd62p-1},
        {0x1.edcfa02f4e675p-48, -0x1.0344e512c944ap-43, 0x1.0911436384b62p-39,
         -0x1.0ce29e3193623p-35, 0x1.0af463d85fd20p-31, -0x1.02422ce17ef2bp-27,
         0x1.e401f17ff96a4p-24, -0x1.b36dccecfc49dp-20, 0x1.72cbcf4e39587p-16,
         -0x1.2363d308cbd33p-12, 0x1.8ff79fa916063p-9, 0x1.f362601b32375p-1},
        {0x1.191560b9602a5p-50, -0x1.538d1faca0817p-46, 0x1.86fd252dd956bp-42,
         -0x1.c900bc818c12ap-38, 0x1.05d273187b14dp-33, -0x1.24a418743313bp-29,
         0x1.3d5e6fcc48fc8p-25, -0x1.4b2267ab2e147p-21, 0x1.47e028ff814eap-17,
         -0x1.2c8829c470e11p-13, 0x1.e2faf29722ba3p-10, 0x1.f70a71e7bc5eep-1},
        {0x1.d0d2cabcbb168p-54, -0x1.4a17754d1c22bp-49, 0x1.c37d501bde67ep-45,
         -0x1.36f6c78ec7c84p-40, 0x1.a4625b4f8ff0fp-36, -0x1.15ab41096f9c0p-31,
         0x1.6490d7266b5edp-27, -0x1.b97a3fe3977e2p-23, 0x1.0408802b7f43dp-18,
         -0x1.1c6c9a9df8c69p-14, 0x1.11b164db64599p-10, 0x1.f9e52c0de6557p-1},
        {0x1.0860f565c7897p-56, -0x1.b03da296dd764p-52, 0x1.568fe645ed8fbp-47,
         -0x1.101c374e8c892p-42, 0x1.a8aa9c6c76813p-38, -0x1.443efebdc3388p-33,
         0x1.e201c76b07501p-29, -0x1.59fea814575d8p-24, 0x1.d97cebefdfdd7p-20,
         -0x1.2d757e55b6dbap-15, 0x1.5283e2db48862p-11, 0x1.fb951dec23b1fp-1},
        {0x1.7f216d908cf77p-59, -0x1.62b0281b4c432p-54, 0x1.3fd2c0d99c173p-49,
         -0x1.20268a4399041p-44, 0x1.fe7c66c6d7d96p-40, -0x1.baea41a74da20p-35,
         0x1.7681c41491d94p-30, -0x1.323319a7fe553p-25, 0x1.ddf0234ddbf38p-21,
         -0x1.5b9a067d30269p-16, 0x1.bea2d87c3b51ep-12, 0x1.fca8c371c712ap-1}};
    const place<double> p = place_in_table<2, 12>(x, 0x1.0000000000000p+2);
    return polynomial<11, 1>(p.rest, at[p.piece]);
}

/* x f(x) in 1 / x**2, x >= 32: 2**-63.19 */
CUPRIC_APART double
si_f_far(double x)
{
    return horner(x, 0x1.572344bb99fc7p+58, -0x1.85790c3ac238cp+51,
                  0x1.039388a371784p+44, -0x1.3c94362a211e7p+36, 0x1.c7cd849f48f05p+28,
                  -0x1.baed7c980f3c0p+21, 0x1.3affdd3d002a5p+15, -0x1.67ffffbc254b5p+9,
                  0x1.7fffffffddbc7p+4, -0x1.fffffffffffcap+0, 0x1.0000000000000p+0);
}

/* x**2 g(x) in 1 / x**2, x >= 32: 2**-58.86 */
CUPRIC_APART double
si_g_far(double x)
{
    return horner(x, 0x1.84919117a2910p+62, -0x1.a9a71277af650p+55,
                  0x1.0a7c06f13b97ep+48, -0x1.26310e85f3331p+40, 0x1.71e6eec074ab4p+32,
                  -0x1.307d748e5d786p+25, 0x1.625fa9fe829a8p+18, -0x1.3affff587300fp+12,
                  0x1.dfffffff56ff1p+6, -0x1.7fffffffffef4p+2, 0x1.0000000000000p+0);
}

} /* namespace elementary */
CUPRIC_END

#endif
