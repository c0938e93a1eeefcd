/* math/gamma_pieces.hpp: the tables of stirling.hpp. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_GAMMA_PIECES_HPP
#define CUPRIC_MATH_GAMMA_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* Less its logarithm, to 42 bits after the point, and two halves of a word:
 * about 1 / m for m = 1 + i / 128 + rest, of those above 1 + 53 / 128 for m / 2, and
 * what the logarithm lacks. */
CUPRIC_MATH table_row<unsigned long long>
small_log_row(unsigned long long i)
{
    alignas(16) static constexpr unsigned long long at[128][2] = {
        {0x0ull, 0x3ff0000000000000ull},
        {0x3f882448a3880000ull, 0x3fefa0003d345544ull},
        {0x3f9432a925980000ull, 0x3fef60003d09813aull},
        {0x3f9c63d2ec150000ull, 0x3fef2000bd35439dull},
        {0x3fa252f32f8d0000ull, 0x3feee0003d283e9bull},
        {0x3fa67c94f2d48000ull, 0x3feea0003d3dac21ull},
        {0x3fa894aa149f8000ull, 0x3fee80003d39a19bull},
        {0x3faccb73cddd8000ull, 0x3fee40003d3965c3ull},
        {0x3fb08598b59e4000ull, 0x3fee0000bd17e5ddull},
        {0x3fb2aa04a4470000ull, 0x3fedc0003d37a48cull},
        {0x3fb3bdf5a7d20000ull, 0x3feda000bd319bd1ull},
        {0x3fb5e95a4d978000ull, 0x3fed60003d31cb7dull},
        {0x3fb8197e2f410000ull, 0x3fed2000bd3c0fe4ull},
        {0x3fb9335e5d594000ull, 0x3fed00003d23115cull},
        {0x3fbb6ac88dad4000ull, 0x3fecc0003d3b1be0ull},
        {0x3fbda72763844000ull, 0x3fec80003d1a8940ull},
        {0x3fbec739830a0000ull, 0x3fec60003d311fccull},
        {0x3fc08598b59e4000ull, 0x3fec2000bd27e5ddull},
        {0x3fc1178e8227e000ull, 0x3fec00003d21ef79ull},
        {0x3fc23d712a49c000ull, 0x3febc0003d100d24ull},
        {0x3fc2d1610c868000ull, 0x3feba0003d039d6dull},
        {0x3fc3fb45a5992000ull, 0x3feb60003d319714ull},
        {0x3fc4913d8333c000ull, 0x3feb4000bd353e43ull},
        {0x3fc5bf406b544000ull, 0x3feb0000bd127024ull},
        {0x3fc6574ebe8c2000ull, 0x3feae000bd398c1dull},
        {0x3fc7898d85444000ull, 0x3feaa0003d38e67cull},
        {0x3fc823c16551a000ull, 0x3fea80003d1e0ddcull},
        {0x3fc8beafeb390000ull, 0x3fea6000bd073d55ull},
        {0x3fc9f6c40708a000ull, 0x3fea2000bd3337d9ull},
        {0x3fca93ed3c8ae000ull, 0x3fea0000bd287243ull},
        {0x3fcb31d8575bc000ull, 0x3fe9e0003d3c794eull},
        {0x3fcc6ffbc6f00000ull, 0x3fe9a0003d3ee139ull},
        {0x3fcd1037f2656000ull, 0x3fe98000bd084a7eull},
        {0x3fcdb13db0d48000ull, 0x3fe960003d32806bull},
        {0x3fce530effe72000ull, 0x3fe94000bd3fdbdcull},
        {0x3fcf991c6cb3c000ull, 0x3fe90000bd390d05ull},
        {0x3fd01eae5626c000ull, 0x3fe8e0003d3a43ddull},
        {0x3fd07138604d6000ull, 0x3fe8c000bd3e7632ull},
        {0x3fd0c42d67616000ull, 0x3fe8a0003d27188bull},
        {0x3fd1178e8227e000ull, 0x3fe880003d31ef79ull},
        {0x3fd1bf99635a7000ull, 0x3fe84000bd31ac89ull},
        {0x3fd214456d0ec000ull, 0x3fe82000bd3caf04ull},
        {0x3fd269621134e000ull, 0x3fe80000bd31b61full},
        {0x3fd2bef07cdc9000ull, 0x3fe7e0003d2a9cfaull},
        {0x3fd314f1e1d36000ull, 0x3fe7c000bd28e27bull},
        {0x3fd36b6776be1000ull, 0x3fe7a0003d116eceull},
        {0x3fd3c25277333000ull, 0x3fe780003d183b55ull},
        {0x3fd419b423d5f000ull, 0x3fe76000bd3ce379ull},
        {0x3fd4718dc271c000ull, 0x3fe740003d306c19ull},
        {0x3fd4c9e09e173000ull, 0x3fe72000bd2e2089ull},
        {0x3fd522ae0738a000ull, 0x3fe700003d2ebe71ull},
        {0x3fd57bf753c8d000ull, 0x3fe6e0003d1fadeeull},
        {0x3fd5d5bddf596000ull, 0x3fe6c000bd0a0b2aull},
        {0xbfd62c82f2b9c000ull, 0x3ff6a000bd3e54beull},
        {0xbfd5d1bdbf581000ull, 0x3ff680003d38d6beull},
        {0xbfd5767717456000ull, 0x3ff660003d364eaeull},
        {0xbfd51aad872e0000ull, 0x3ff640003d3f4bd9ull},
        {0xbfd4be5f95778000ull, 0x3ff620003d3d7c93ull},
        {0xbfd4618bc21c6000ull, 0x3ff600003d13d82full},
        {0xbfd404308686a000ull, 0x3ff5e000bd3f8ef4ull},
        {0xbfd3a64c55694000ull, 0x3ff5c000bd37a71dull},
        {0xbfd347dd9a988000ull, 0x3ff5a0003d25594eull},
        {0xbfd2e8e2bae12000ull, 0x3ff580003d267b1full},
        {0xbfd2895a13de8000ull, 0x3ff56000bd3a8d7bull},
        {0xbfd22941fbcf8000ull, 0x3ff540003d3a6977ull},
        {0xbfd1c898c169a000ull, 0x3ff520003d381411ull},
        {0xbfd1675cababa000ull, 0x3ff50000bd38380eull},
        {0xbfd1675cababa000ull, 0x3ff50000bd38380eull},
        {0xbfd1058bf9ae5000ull, 0x3ff4e0003d34ab9eull},
        {0xbfd0a324e2739000ull, 0x3ff4c000bd0c6beeull},
        {0xbfd0402594b4d000ull, 0x3ff4a000bcf036b9ull},
        {0xbfcfb9186d5e4000ull, 0x3ff480003d0d572bull},
        {0xbfcef0adcbdc6000ull, 0x3ff460003d2b26b8ull},
        {0xbfcef0adcbdc6000ull, 0x3ff460003d2b26b8ull},
        {0xbfce27076e2b0000ull, 0x3ff440003d3a342cull},
        {0xbfcd5c216b4fc000ull, 0x3ff420003d21ba92ull},
        {0xbfcc8ff7c79aa000ull, 0x3ff400003d27794full},
        {0xbfcbc286742d8000ull, 0x3ff3e000bd39ac54ull},
        {0xbfcbc286742d8000ull, 0x3ff3e000bd39ac54ull},
        {0xbfcaf3c94e80c000ull, 0x3ff3c0003cba4e63ull},
        {0xbfca23bc1fe2c000ull, 0x3ff3a0003d3539ceull},
        {0xbfc9525a9cf46000ull, 0x3ff380003d329713ull},
        {0xbfc9525a9cf46000ull, 0x3ff380003d329713ull},
        {0xbfc87fa06520c000ull, 0x3ff36000bd322120ull},
        {0xbfc7ab890210e000ull, 0x3ff340003d2bdb90ull},
        {0xbfc6d60fe719e000ull, 0x3ff320003d3bc6e5ull},
        {0xbfc6d60fe719e000ull, 0x3ff320003d3bc6e5ull},
        {0xbfc5ff3070a7a000ull, 0x3ff300003d38586full},
        {0xbfc526e5e3a1c000ull, 0x3ff2e0003d3790baull},
        {0xbfc526e5e3a1c000ull, 0x3ff2e0003d3790baull},
        {0xbfc44d2b6ccb8000ull, 0x3ff2c0003d170cc1ull},
        {0xbfc371fc201e8000ull, 0x3ff2a000bd3ee878ull},
        {0xbfc371fc201e8000ull, 0x3ff2a000bd3ee878ull},
        {0xbfc29552f8200000ull, 0x3ff280003d35b968ull},
        {0xbfc1b72ad52f6000ull, 0x3ff26000bd2e80a4ull},
        {0xbfc1b72ad52f6000ull, 0x3ff26000bd2e80a4ull},
        {0xbfc0d77e7cd08000ull, 0x3ff24000bd3cb2cdull},
        {0xbfbfec9131dc0000ull, 0x3ff220003d354556ull},
        {0xbfbfec9131dc0000ull, 0x3ff220003d354556ull},
        {0xbfbe27076e2b0000ull, 0x3ff200003d2a342cull},
        {0xbfbc5e548f5bc000ull, 0x3ff1e000bd1d0c57ull},
        {0xbfbc5e548f5bc000ull, 0x3ff1e000bd1d0c57ull},
        {0xbfba926d3a4ac000ull, 0x3ff1c000bd356365ull},
        {0xbfba926d3a4ac000ull, 0x3ff1c000bd356365ull},
        {0xbfb8c345d6318000ull, 0x3ff1a000bd3b20f6ull},
        {0xbfb6f0d28ae58000ull, 0x3ff180003d34b464ull},
        {0xbfb6f0d28ae58000ull, 0x3ff180003d34b464ull},
        {0xbfb51b073f060000ull, 0x3ff16000bd383f69ull},
        {0xbfb51b073f060000ull, 0x3ff16000bd383f69ull},
        {0xbfb341d7961bc000ull, 0x3ff14000bd31d093ull},
        {0xbfb16536eea38000ull, 0x3ff120003d147c5eull},
        {0xbfb16536eea38000ull, 0x3ff120003d147c5eull},
        {0xbfaf0a30c0118000ull, 0x3ff100003d2d599full},
        {0xbfaf0a30c0118000ull, 0x3ff100003d2d599full},
        {0xbfab42dd71198000ull, 0x3ff0e0003d1c827bull},
        {0xbfab42dd71198000ull, 0x3ff0e0003d1c827bull},
        {0xbfa77458f6330000ull, 0x3ff0c0003d3181ddull},
        {0xbfa39e87b9fe8000ull, 0x3ff0a000bd3eafd5ull},
        {0xbfa39e87b9fe8000ull, 0x3ff0a000bd3eafd5ull},
        {0xbf9f829b0e780000ull, 0x3ff08000bd298026ull},
        {0xbf9f829b0e780000ull, 0x3ff08000bd298026ull},
        {0xbf97b91b07d60000ull, 0x3ff060003d33b956ull},
        {0xbf97b91b07d60000ull, 0x3ff060003d33b956ull},
        {0xbf8fc0a8b0fc0000ull, 0x3ff04000bcdf1e7dull},
        {0xbf8fc0a8b0fc0000ull, 0x3ff04000bcdf1e7dull},
        {0xbf7fe02a6b100000ull, 0x3ff02000bd19e23full},
        {0xbf7fe02a6b100000ull, 0x3ff02000bd19e23full},
        {0x0ull, 0x3ff0000000000000ull}};
    return {at[i][0], at[i][1]};
}

/* sin(pi piece / 32) in two words. */
struct sine_numbers {
    double hi, lo;
};
CUPRIC_MATH sine_numbers
sine_numbers_of(format<double>::bits piece)
{
    static constexpr double at[2][17] = {
        {0x0p+0, 0x1.917a6bc29b42cp-4, 0x1.8f8b83c69a60bp-3, 0x1.294062ed59f06p-2,
         0x1.87de2a6aea963p-2, 0x1.e2b5d3806f63bp-2, 0x1.1c73b39ae68c8p-1,
         0x1.44cf325091dd6p-1, 0x1.6a09e667f3bcdp-1, 0x1.8bc806b151741p-1,
         0x1.a9b66290ea1a3p-1, 0x1.c38b2f180bdb1p-1, 0x1.d906bcf328d46p-1,
         0x1.e9f4156c62ddap-1, 0x1.f6297cff75cbp-1, 0x1.fd88da3d12526p-1, 0x1p+0},
        {0x0p+0, -0x1.e2718d26ed688p-60, -0x1.26d19b9ff8d82p-57, -0x1.5d28da2c4612dp-56,
         -0x1.72cedd3d5a61p-57, 0x1.e0d891d3c6841p-58, 0x1.b25dd267f66p-55,
         0x1.8076a2cfdc6b3p-57, -0x1.bdd3413b26456p-55, -0x1.2c5e12ed1336dp-55,
         0x1.9f630e8b6dac8p-60, -0x1.6e0b1757c8d07p-56, 0x1.457e610231ac2p-56,
         0x1.760b1e2e3f81ep-55, 0x1.562172a361fd3p-56, -0x1.87df6378811c7p-55, 0x0p+0}};
    return {at[0][piece], at[1][piece]};
}

/* About the reciprocal of the numbers of an octave's 32nd, where 1 is
 * in the 15th, and its logarithm's negative less 1 in two words,
 * the first of 16 bits after the point. */
struct single_log_places {
    float scale, log, log_low;
};
CUPRIC_MATH single_log_places
single_log_places_of(format<float>::bits piece)
{
    static constexpr float at[3][32] = {
        {0x1.5p+0f,  0x1.48p+0f, 0x1.4p+0f,  0x1.3cp+0f, 0x1.34p+0f, 0x1.3p+0f,
         0x1.28p+0f, 0x1.24p+0f, 0x1.2p+0f,  0x1.1cp+0f, 0x1.14p+0f, 0x1.1p+0f,
         0x1.0cp+0f, 0x1.08p+0f, 0x1.04p+0f, 0x1p+0f,    0x1.fp-1f,  0x1.ep-1f,
         0x1.d8p-1f, 0x1.c8p-1f, 0x1.b8p-1f, 0x1.bp-1f,  0x1.a8p-1f, 0x1.98p-1f,
         0x1.9p-1f,  0x1.88p-1f, 0x1.8p-1f,  0x1.78p-1f, 0x1.7p-1f,  0x1.68p-1f,
         0x1.6p-1f,  0x1.58p-1f},
        {-0x1.459dp+0f, -0x1.3f72p+0f, -0x1.392p+0f,  -0x1.35e8p+0f, -0x1.2f57p+0f,
         -0x1.2bfep+0f, -0x1.252bp+0f, -0x1.21afp+0f, -0x1.1e27p+0f, -0x1.1a92p+0f,
         -0x1.1342p+0f, -0x1.0f85p+0f, -0x1.0bbap+0f, -0x1.07e1p+0f, -0x1.03f8p+0f,
         -0x1p+0f,      -0x1.efbep-1f, -0x1.def4p-1f, -0x1.d65ap-1f, -0x1.c4b2p-1f,
         -0x1.b268p-1f, -0x1.a902p-1f, -0x1.9f7p-1f,  -0x1.8bcp-1f,  -0x1.819cp-1f,
         -0x1.7744p-1f, -0x1.6cb4p-1f, -0x1.61eep-1f, -0x1.56eap-1f, -0x1.4baap-1f,
         -0x1.4028p-1f, -0x1.3462p-1f},
        {-0x1.cababap-18f, -0x1.86d5e4p-19f, 0x1.070cacp-20f,  0x1.b58bfap-18f,
         -0x1.20421cp-20f, -0x1.83853cp-18f, 0x1.683fp-18f,    0x1.832f72p-23f,
         -0x1.db8abcp-22f, -0x1.b4e92cp-18f, 0x1.434f22p-19f,  -0x1.86008cp-20f,
         -0x1.63d8ccp-19f, 0x1.64f188p-18f,  -0x1.5161f8p-20f, 0x0p+0f,
         -0x1.44ec32p-18f, -0x1.9d2988p-18f, 0x1.15d208p-20f,  0x1.3b1c22p-19f,
         -0x1.a7f538p-22f, -0x1.fca55ep-18f, -0x1.f4d572p-18f, 0x1.bf932ap-18f,
         0x1.c6cb3cp-19f,  0x1.d044fcp-19f,  -0x1.deecb2p-18f, 0x1.277334p-18f,
         -0x1.1f8c76p-18f, 0x1.07d38ep-19f,  -0x1.7109fap-20f, -0x1.cbcecap-18f}};
    return {at[0][piece], at[1][piece], at[2][piece]};
}

/* gammaln(1 + x) / x / (x - 1), x = piece / 8 + rest: 2**-30.0 */
CUPRIC_MATH words<float>
gammaln_piece(place<float> p)
{
    static constexpr float at[7][25] = {
        {-0x1.3e1c66p-4f,  -0x1.593d52p-5f,  -0x1.8f6b5ap-6f,  -0x1.e6acdcp-7f,
         -0x1.3579fcp-7f,  -0x1.9807d6p-8f,  -0x1.156026p-8f,  -0x1.833e04p-9f,
         -0x1.14a0f8p-9f,  -0x1.935488p-10f, -0x1.2b5eaap-10f, -0x1.c39a3cp-11f,
         -0x1.59911ap-11f, -0x1.0be3a8p-11f, -0x1.a445d6p-12f, -0x1.4d3afap-12f,
         -0x1.0ad36ep-12f, -0x1.af2f1cp-13f, -0x1.5f4d5cp-13f, -0x1.206deap-13f,
         -0x1.dd01fp-14f,  -0x1.8d1066p-14f, -0x1.4c9148p-14f, -0x1.18290ep-14f,
         -0x1.da951ep-15f},
        {0x1.7b6b08p-4f,  0x1.ce9ddp-5f,   0x1.2905bcp-5f,  0x1.8dc104p-6f,
         0x1.13ba32p-6f,  0x1.8996cp-7f,   0x1.1ffca6p-7f,  0x1.ae920ap-8f,
         0x1.47f158p-8f,  0x1.fbd29ep-9f,  0x1.8ef1b4p-9f,  0x1.3d804cp-9f,
         0x1.ff4926p-10f, 0x1.a005p-10f,   0x1.55be68p-10f, 0x1.1b2dp-10f,
         0x1.d907c2p-11f, 0x1.8df9f4p-11f, 0x1.511656p-11f, 0x1.1f4ac2p-11f,
         0x1.ec8836p-12f, 0x1.a8766cp-12f, 0x1.6fa12cp-12f, 0x1.3fe4b6p-12f,
         0x1.1792bp-12f},
        {-0x1.d7a35ep-4f, -0x1.43488ap-4f,  -0x1.ccfdacp-5f,  -0x1.5357acp-5f,
         -0x1.007a9ap-5f, -0x1.8c66c2p-6f,  -0x1.382e0ep-6f,  -0x1.f3caf8p-7f,
         -0x1.95ce1ap-7f, -0x1.4da22ep-7f,  -0x1.15596p-7f,   -0x1.d1b14cp-8f,
         -0x1.8a722ap-8f, -0x1.50c7a2p-8f,  -0x1.21a2b4p-8f,  -0x1.f57b5p-9f,
         -0x1.b4c4c8p-9f, -0x1.7e85bcp-9f,  -0x1.50baf6p-9f,  -0x1.29d3p-9f,
         -0x1.0891fap-9f, -0x1.d7fa52p-10f, -0x1.a697bcp-10f, -0x1.7bb876p-10f,
         -0x1.565588p-10f},
        {0x1.3e5404p-3f, 0x1.e9e4c4p-4f, 0x1.835736p-4f, 0x1.3911dep-4f, 0x1.01af56p-4f,
         0x1.aebafep-5f, 0x1.6cb61cp-5f, 0x1.384ca8p-5f, 0x1.0e0c9ap-5f, 0x1.d71074p-6f,
         0x1.9dff26p-6f, 0x1.6e5312p-6f, 0x1.462042p-6f, 0x1.23f15p-6f,  0x1.06a6dcp-6f,
         0x1.dac1ecp-7f, 0x1.aede36p-7f, 0x1.888972p-7f, 0x1.66e19ep-7f, 0x1.492f66p-7f,
         0x1.2edce8p-7f, 0x1.176eb2p-7f, 0x1.027e5ep-7f, 0x1.df6ce6p-8f, 0x1.bd9e5p-8f},
        {-0x1.f6465ap-3f, -0x1.b0711cp-3f, -0x1.79f9cp-3f,  -0x1.4e6fcap-3f,
         -0x1.2aed06p-3f, -0x1.0d794ap-3f, -0x1.e96586p-4f, -0x1.bf347p-4f,
         -0x1.9ae65p-4f,  -0x1.7b5f08p-4f, -0x1.5fc498p-4f, -0x1.476d24p-4f,
         -0x1.31d26ep-4f, -0x1.1e8916p-4f, -0x1.0d3a38p-4f, -0x1.fb3daap-5f,
         -0x1.def8bep-5f, -0x1.c54446p-5f, -0x1.adcea6p-5f, -0x1.9852fcp-5f,
         -0x1.8496cp-5f,  -0x1.7267f6p-5f, -0x1.619ba2p-5f, -0x1.520caap-5f,
         -0x1.439ad4p-5f},
        {0x1.2788dp-1f,  0x1.18fa24p-1f, 0x1.0c58fep-1f, 0x1.013d86p-1f,
         0x1.eeb95cp-2f, 0x1.dcfd34p-2f, 0x1.ccf152p-2f, 0x1.be5346p-2f,
         0x1.b0ee6p-2f,  0x1.a4982ap-2f, 0x1.992dfcp-2f, 0x1.8e9332p-2f,
         0x1.84afep-2f,  0x1.7b6fdep-2f, 0x1.72c20ap-2f, 0x1.6a97b2p-2f,
         0x1.62e43p-2f,  0x1.5b9c82p-2f, 0x1.54b71p-2f,  0x1.4e2b6ap-2f,
         0x1.47f224p-2f, 0x1.4204a4p-2f, 0x1.3c5d0cp-2f, 0x1.36f62p-2f,
         0x1.31cb2ap-2f},
        {-0x1.bf9028p-28f, -0x1.97b7dp-26f,  0x1.310e22p-28f,  -0x1.8c408cp-26f,
         -0x1.ed0e62p-27f, -0x1.95731ap-28f, -0x1.f51f02p-30f, 0x1.ea4abp-27f,
         0x1.c842fcp-28f,  0x1.a1de6ap-27f,  0x1.2a7aeep-27f,  -0x1.8838b2p-29f,
         0x1.9bfbd6p-31f,  0x1.a45682p-28f,  -0x1.0636c8p-27f, 0x1.83a92ap-27f,
         -0x1.05bc64p-30f, 0x1.065a6ep-28f,  -0x1.595a9ap-29f, 0x1.c9a2cep-27f,
         -0x1.d1924cp-29f, -0x1.711f6ep-27f, -0x1.132418p-28f, -0x1.759af2p-27f,
         0x1.b1b068p-28f}};
    return piecewise_words(at, p);
}

/* The zeros of gammaln left of -2, less their sign, in two words: the
 * last before k is number 2 k - 5, the first after it the next. */
struct gammaln_zeros {
    float hi, lo;
};
CUPRIC_MATH gammaln_zeros
gammaln_zeros_of(format<float>::bits piece)
{
    static constexpr float at[2][15] = {
        {0x1.3a7fcap+1f, 0x1.5fb41p+1f, 0x1.9260dcp+1f, 0x1.fa4716p+1f, 0x1.0284e8p+2f,
         0x1.3f7578p+2f, 0x1.4086a6p+2f, 0x1.7fe93p+2f, 0x1.8016b2p+2f, 0x1.bffccp+2f,
         0x1.c0034p+2f, 0x1.ffff98p+2f, 0x1.000034p+3f, 0x1.1ffffap+3f, 0x1.200006p+3f},
        {-0x1.3fe0f2p-24f, 0x1.437b2p-24f, -0x1.b0d328p-26f, -0x1.707a04p-24f,
         -0x1.e99aap-24f, -0x1.64454p-24f, -0x1.01e924p-23f, -0x1.4dc17ep-23f,
         0x1.625f24p-24f, -0x1.128f22p-23f, -0x1.0900fp-25f, -0x1.fa98c4p-28f,
         0x1.459fcap-28f, 0x1.c425e8p-24f, -0x1.c44b82p-24f}};
    return {at[0][piece], at[1][piece]};
}

/* gammaln(-zero - rest) / rest, where gammaln is less than 1 / 16, or
 * 1 / 32 right of -3: 2**-27.7 */
CUPRIC_MATH words<float>
gammaln_beside_zero(place<float> p)
{
    static constexpr float at[7][15] = {
        {0x1.8aca2ap+4f, 0x1.3bd762p+9f, 0x1.27f472p+14f, 0x1.3c0dfp+24f,
         0x1.543d1cp+25f, 0x1.a623eep+38f, 0x1.f50aep+38f, 0x1.42e92ap+54f,
         0x1.4d3p+54f, 0x1.25b9fep+71f, 0x1.272512p+71f, 0x1.265752p+89f,
         0x1.268784p+89f, 0x1.2a70eep+108f, 0x1.2a76a4p+108f},
        {-0x1.7435c4p+2f, 0x1.8741bep+7f, -0x1.9b11bcp+11f, 0x1.12ce3cp+20f,
         -0x1.036316p+21f, 0x1.150f8ep+32f, -0x1.3f577ep+32f, 0x1.171f14p+45f,
         -0x1.1e76e4p+45f, 0x1.21814p+59f, -0x1.22a9bep+59f, 0x1.2201cp+74f,
         -0x1.22291cp+74f, 0x1.055caep+90f, -0x1.0560d4p+90f},
        {0x1.171982p+3f, 0x1.f50e62p+5f, 0x1.267318p+9f, 0x1.e8fc9p+15f,
         0x1.96d36ep+16f, 0x1.752cdcp+25f, 0x1.a22838p+25f, 0x1.ef6036p+35f,
         0x1.f9cab6p+35f, 0x1.24f59ap+47f, 0x1.25e5eep+47f, 0x1.255dcap+59f,
         0x1.257dbp+59f, 0x1.d6011cp+71f, 0x1.d60714p+71f},
        {-0x1.694a36p+0f, 0x1.418552p+4f, -0x1.c11326p+6f, 0x1.d252b8p+11f,
         -0x1.559acap+12f, 0x1.0d3f36p+19f, -0x1.253d3ep+19f, 0x1.d6e78ep+26f,
         -0x1.de4fcp+26f, 0x1.3d918ap+35f, -0x1.3e54dap+35f, 0x1.3de63ap+44f,
         -0x1.3e0028p+44f, 0x1.c4b29ap+53f, -0x1.c4b6eap+53f},
        {0x1.36eebap+2f, 0x1.3267f4p+3f, 0x1.9d4d2ap+4f, 0x1.f76deap+7f, 0x1.44415cp+8f,
         0x1.b533c6p+12f, 0x1.cecc32p+12f, 0x1.f79dccp+17f, 0x1.fce234p+17f,
         0x1.8349a2p+23f, 0x1.83e85ep+23f, 0x1.838e76p+29f, 0x1.83a388p+29f,
         0x1.ea8c14p+35f, 0x1.ea8f32p+35f},
        {-0x1.83fe96p+0f, 0x1.ea12dap+0f, -0x1.f20a66p+2f, 0x1.4b99dap+4f,
         -0x1.aca5dp+4f, 0x1.d224a4p+6f, -0x1.ed72ep+6f, 0x1.661f6ap+9f,
         -0x1.69de4ap+9f, 0x1.3abf7ap+12f, -0x1.3b407ap+12f, 0x1.3af77p+15f,
         -0x1.3b089p+15f, 0x1.625eep+18f, -0x1.62612p+18f},
        {-0x1.ace206p-26f, 0x1.2c0b76p-25f, 0x1.7c55b2p-27f, -0x1.2ceb78p-21f,
         0x1.6ad106p-21f, -0x1.bad226p-23f, -0x1.09a198p-19f, 0x1.15c748p-17f,
         0x1.a9088cp-19f, 0x1.79e292p-14f, -0x1.4a287ep-13f, -0x1.9afa0cp-13f,
         0x1.10b5f4p-13f, -0x1.c01ab4p-9f, -0x1.d6c19ep-9f}};
    return piecewise_words(at, p);
}

} /* namespace elementary */
CUPRIC_END

#endif
