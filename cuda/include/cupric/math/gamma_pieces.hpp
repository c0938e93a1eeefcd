/* math/gamma_pieces.hpp: the tables of gamma.hpp. Written by tools/pieces.py: change that. The errors
 * are relative to the value.
 */
#ifndef CUPRIC_MATH_GAMMA_PIECES_HPP
#define CUPRIC_MATH_GAMMA_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* about 1 / m for m = 1 + piece / 128 + rest, of those above 1 + 53 / 128 for m / 2 */
CUPRIC_MATH double
log_inverse(format<double>::bits piece)
{
    static constexpr double at[128] = {0x1p+0, 0x1.fap-1, 0x1.f6p-1, 0x1.f2p-1, 0x1.eep-1, 0x1.eap-1, 0x1.e8p-1, 0x1.e4p-1, 0x1.ep-1, 0x1.dcp-1, 0x1.dap-1, 0x1.d6p-1, 0x1.d2p-1, 0x1.dp-1, 0x1.ccp-1, 0x1.c8p-1, 0x1.c6p-1, 0x1.c2p-1, 0x1.cp-1, 0x1.bcp-1, 0x1.bap-1, 0x1.b6p-1, 0x1.b4p-1, 0x1.bp-1, 0x1.aep-1, 0x1.aap-1, 0x1.a8p-1, 0x1.a6p-1, 0x1.a2p-1, 0x1.ap-1, 0x1.9ep-1, 0x1.9ap-1, 0x1.98p-1, 0x1.96p-1, 0x1.94p-1, 0x1.9p-1, 0x1.8ep-1, 0x1.8cp-1, 0x1.8ap-1, 0x1.88p-1, 0x1.84p-1, 0x1.82p-1, 0x1.8p-1, 0x1.7ep-1, 0x1.7cp-1, 0x1.7ap-1, 0x1.78p-1, 0x1.76p-1, 0x1.74p-1, 0x1.72p-1, 0x1.7p-1, 0x1.6ep-1, 0x1.6cp-1, 0x1.6ap+0, 0x1.68p+0, 0x1.66p+0, 0x1.64p+0, 0x1.62p+0, 0x1.6p+0, 0x1.5ep+0, 0x1.5cp+0, 0x1.5ap+0, 0x1.58p+0, 0x1.56p+0, 0x1.54p+0, 0x1.52p+0, 0x1.5p+0, 0x1.5p+0, 0x1.4ep+0, 0x1.4cp+0, 0x1.4ap+0, 0x1.48p+0, 0x1.46p+0, 0x1.46p+0, 0x1.44p+0, 0x1.42p+0, 0x1.4p+0, 0x1.3ep+0, 0x1.3ep+0, 0x1.3cp+0, 0x1.3ap+0, 0x1.38p+0, 0x1.38p+0, 0x1.36p+0, 0x1.34p+0, 0x1.32p+0, 0x1.32p+0, 0x1.3p+0, 0x1.2ep+0, 0x1.2ep+0, 0x1.2cp+0, 0x1.2ap+0, 0x1.2ap+0, 0x1.28p+0, 0x1.26p+0, 0x1.26p+0, 0x1.24p+0, 0x1.22p+0, 0x1.22p+0, 0x1.2p+0, 0x1.1ep+0, 0x1.1ep+0, 0x1.1cp+0, 0x1.1cp+0, 0x1.1ap+0, 0x1.18p+0, 0x1.18p+0, 0x1.16p+0, 0x1.16p+0, 0x1.14p+0, 0x1.12p+0, 0x1.12p+0, 0x1.1p+0, 0x1.1p+0, 0x1.0ep+0, 0x1.0ep+0, 0x1.0cp+0, 0x1.0ap+0, 0x1.0ap+0, 0x1.08p+0, 0x1.08p+0, 0x1.06p+0, 0x1.06p+0, 0x1.04p+0, 0x1.04p+0, 0x1.02p+0, 0x1.02p+0, 0x1p+0};
    return at[piece];
}

/* -log(log_inverse) to 42 bits after the point */
CUPRIC_MATH double
log_word(format<double>::bits piece)
{
    static constexpr double at[128] = {0x0p+0, 0x1.82448a388p-7, 0x1.432a92598p-6, 0x1.c63d2ec15p-6, 0x1.252f32f8dp-5, 0x1.67c94f2d48p-5, 0x1.894aa149f8p-5, 0x1.ccb73cddd8p-5, 0x1.08598b59e4p-4, 0x1.2aa04a447p-4, 0x1.3bdf5a7d2p-4, 0x1.5e95a4d978p-4, 0x1.8197e2f41p-4, 0x1.9335e5d594p-4, 0x1.b6ac88dad4p-4, 0x1.da72763844p-4, 0x1.ec739830ap-4, 0x1.08598b59e4p-3, 0x1.1178e8227ep-3, 0x1.23d712a49cp-3, 0x1.2d1610c868p-3, 0x1.3fb45a5992p-3, 0x1.4913d8333cp-3, 0x1.5bf406b544p-3, 0x1.6574ebe8c2p-3, 0x1.7898d85444p-3, 0x1.823c16551ap-3, 0x1.8beafeb39p-3, 0x1.9f6c40708ap-3, 0x1.a93ed3c8aep-3, 0x1.b31d8575bcp-3, 0x1.c6ffbc6fp-3, 0x1.d1037f2656p-3, 0x1.db13db0d48p-3, 0x1.e530effe72p-3, 0x1.f991c6cb3cp-3, 0x1.01eae5626cp-2, 0x1.07138604d6p-2, 0x1.0c42d67616p-2, 0x1.1178e8227ep-2, 0x1.1bf99635a7p-2, 0x1.214456d0ecp-2, 0x1.269621134ep-2, 0x1.2bef07cdc9p-2, 0x1.314f1e1d36p-2, 0x1.36b6776be1p-2, 0x1.3c25277333p-2, 0x1.419b423d5fp-2, 0x1.4718dc271cp-2, 0x1.4c9e09e173p-2, 0x1.522ae0738ap-2, 0x1.57bf753c8dp-2, 0x1.5d5bddf596p-2, -0x1.62c82f2b9cp-2, -0x1.5d1bdbf581p-2, -0x1.5767717456p-2, -0x1.51aad872ep-2, -0x1.4be5f95778p-2, -0x1.4618bc21c6p-2, -0x1.404308686ap-2, -0x1.3a64c55694p-2, -0x1.347dd9a988p-2, -0x1.2e8e2bae12p-2, -0x1.2895a13de8p-2, -0x1.22941fbcf8p-2, -0x1.1c898c169ap-2, -0x1.1675cababap-2, -0x1.1675cababap-2, -0x1.1058bf9ae5p-2, -0x1.0a324e2739p-2, -0x1.0402594b4dp-2, -0x1.fb9186d5e4p-3, -0x1.ef0adcbdc6p-3, -0x1.ef0adcbdc6p-3, -0x1.e27076e2bp-3, -0x1.d5c216b4fcp-3, -0x1.c8ff7c79aap-3, -0x1.bc286742d8p-3, -0x1.bc286742d8p-3, -0x1.af3c94e80cp-3, -0x1.a23bc1fe2cp-3, -0x1.9525a9cf46p-3, -0x1.9525a9cf46p-3, -0x1.87fa06520cp-3, -0x1.7ab890210ep-3, -0x1.6d60fe719ep-3, -0x1.6d60fe719ep-3, -0x1.5ff3070a7ap-3, -0x1.526e5e3a1cp-3, -0x1.526e5e3a1cp-3, -0x1.44d2b6ccb8p-3, -0x1.371fc201e8p-3, -0x1.371fc201e8p-3, -0x1.29552f82p-3, -0x1.1b72ad52f6p-3, -0x1.1b72ad52f6p-3, -0x1.0d77e7cd08p-3, -0x1.fec9131dcp-4, -0x1.fec9131dcp-4, -0x1.e27076e2bp-4, -0x1.c5e548f5bcp-4, -0x1.c5e548f5bcp-4, -0x1.a926d3a4acp-4, -0x1.a926d3a4acp-4, -0x1.8c345d6318p-4, -0x1.6f0d28ae58p-4, -0x1.6f0d28ae58p-4, -0x1.51b073f06p-4, -0x1.51b073f06p-4, -0x1.341d7961bcp-4, -0x1.16536eea38p-4, -0x1.16536eea38p-4, -0x1.f0a30c0118p-5, -0x1.f0a30c0118p-5, -0x1.b42dd71198p-5, -0x1.b42dd71198p-5, -0x1.77458f633p-5, -0x1.39e87b9fe8p-5, -0x1.39e87b9fe8p-5, -0x1.f829b0e78p-6, -0x1.f829b0e78p-6, -0x1.7b91b07d6p-6, -0x1.7b91b07d6p-6, -0x1.fc0a8b0fcp-7, -0x1.fc0a8b0fcp-7, -0x1.fe02a6b1p-8, -0x1.fe02a6b1p-8, 0x0p+0};
    return at[piece];
}

/* -log(log_inverse) - log_word */
CUPRIC_MATH double
log_low_word(format<double>::bits piece)
{
    static constexpr double at[128] = {0x0p+0, 0x1.4554412c584ep-44, 0x1.98139928637fep-47, -0x1.5439ce030a687p-44, 0x1.83e9ae021b67bp-45, 0x1.dac20827cca0cp-44, 0x1.9a19a8be97661p-44, 0x1.965c36e09f5fep-44, -0x1.7e5dd7009902cp-46, 0x1.7a48ba8b1cb41p-44, -0x1.19bd0ad125895p-44, 0x1.1cb7ce1d17171p-44, -0x1.c0fe460d20041p-44, 0x1.3115c3abd47dap-45, 0x1.b1bdff50225c7p-44, 0x1.a89401fa71733p-46, 0x1.11fcba80cdd1p-44, -0x1.7e5dd7009902cp-45, 0x1.1ef78ce2d07f2p-45, 0x1.00d238fd3df5cp-46, 0x1.39d6ccb81b4a1p-47, 0x1.19713c0cae559p-44, -0x1.53e43558124c4p-44, -0x1.27023eb68981cp-46, -0x1.98c1d34f0f462p-44, 0x1.8e67be3dbaf3fp-44, 0x1.e0ddb9a631e83p-46, -0x1.73d54aae92cd1p-47, -0x1.337d94bcd3f43p-44, -0x1.8724350562169p-45, 0x1.c794e562a63cbp-44, 0x1.ee138d3a69d43p-44, -0x1.84a7e75b6f6e4p-47, 0x1.2806a847527e6p-44, -0x1.fdbdbb13f7c18p-44, -0x1.90d04cd7cc834p-44, 0x1.a43dcfade85aep-44, -0x1.e76324e912b17p-44, 0x1.7188b163ceae9p-45, 0x1.1ef78ce2d07f2p-44, -0x1.1ac89575c2125p-44, -0x1.caf0428b728a3p-44, -0x1.1b61f10522625p-44, 0x1.a9cfa4a5004f4p-45, -0x1.8e27ad3213cb8p-45, 0x1.16ecdb0f177c8p-46, 0x1.83b54b606bd5cp-46, -0x1.ce379226de3ecp-44, 0x1.06c18fb4c14c5p-44, -0x1.e20891b0ad8a4p-45, 0x1.ebe708164c759p-45, 0x1.fadedee5d40efp-46, -0x1.a0b2a08a465dcp-47, -0x1.e54bdbd7c8a98p-44, 0x1.8d6bdc9c7c238p-44, 0x1.64ead9524d7cap-44, 0x1.f4bd8db0a7cc1p-44, 0x1.d7c92cd9ad824p-44, 0x1.3d82f484c84ccp-46, -0x1.f8ef43049f7d3p-44, -0x1.7a71cbcd735dp-44, 0x1.5594dd4c58092p-45, 0x1.67b1e99b72bd8p-45, -0x1.a8d7ad24c13fp-44, 0x1.a6976f5eb0963p-44, 0x1.81410e5c62affp-44, -0x1.8380e731f55c4p-44, -0x1.8380e731f55c4p-44, 0x1.4ab9d817d52cdp-44, -0x1.c6bee7ef4030ep-47, -0x1.036b89ef42d7fp-48, 0x1.d572aab993c87p-47, 0x1.b26b79c86af24p-45, 0x1.b26b79c86af24p-45, 0x1.a342c2af0003cp-44, 0x1.1ba91bbca681bp-45, 0x1.7794f689f8434p-45, -0x1.9ac53f39d121cp-44, -0x1.9ac53f39d121cp-44, 0x1.a4e633fcd9066p-52, 0x1.539cd91dc9f0bp-44, 0x1.297137d9f158fp-44, 0x1.297137d9f158fp-44, -0x1.22120401202fcp-44, 0x1.bdb9072534a58p-45, 0x1.bc6e557134767p-44, 0x1.bc6e557134767p-44, 0x1.8586f183bebf2p-44, 0x1.790ba37fc5238p-44, 0x1.790ba37fc5238p-44, 0x1.70cc16135783cp-46, -0x1.ee8779b2d8abcp-44, -0x1.ee8779b2d8abcp-44, 0x1.5b967f4471dfcp-44, -0x1.e80a41811a396p-45, -0x1.e80a41811a396p-45, -0x1.cb2cd2ee2f482p-44, 0x1.54555d1ae6607p-44, 0x1.54555d1ae6607p-44, 0x1.a342c2af0003cp-45, -0x1.d0c57585fbe06p-46, -0x1.d0c57585fbe06p-46, -0x1.563650bd22a9cp-44, -0x1.563650bd22a9cp-44, -0x1.b20f5acb42a66p-44, 0x1.4b4641b664613p-44, 0x1.4b4641b664613p-44, -0x1.83f69278e686ap-44, -0x1.83f69278e686ap-44, -0x1.1d0929983761p-44, 0x1.47c5e768fa309p-46, 0x1.47c5e768fa309p-46, 0x1.d599e83368e91p-45, 0x1.d599e83368e91p-45, 0x1.c827ae5d6704cp-46, 0x1.c827ae5d6704cp-46, 0x1.181dce586af09p-44, -0x1.eafd480ad9015p-44, -0x1.eafd480ad9015p-44, -0x1.980267c7e09e4p-45, -0x1.980267c7e09e4p-45, 0x1.3b955b602ace4p-44, 0x1.3b955b602ace4p-44, -0x1.f1e7cf6d3a69cp-50, -0x1.f1e7cf6d3a69cp-50, -0x1.9e23f0dda40e4p-46, -0x1.9e23f0dda40e4p-46, 0x0p+0};
    return at[piece];
}

/* sin(pi piece / 32) */
CUPRIC_MATH double
sine_word(format<double>::bits piece)
{
    static constexpr double at[17] = {0x0p+0, 0x1.917a6bc29b42cp-4, 0x1.8f8b83c69a60bp-3, 0x1.294062ed59f06p-2, 0x1.87de2a6aea963p-2, 0x1.e2b5d3806f63bp-2, 0x1.1c73b39ae68c8p-1, 0x1.44cf325091dd6p-1, 0x1.6a09e667f3bcdp-1, 0x1.8bc806b151741p-1, 0x1.a9b66290ea1a3p-1, 0x1.c38b2f180bdb1p-1, 0x1.d906bcf328d46p-1, 0x1.e9f4156c62ddap-1, 0x1.f6297cff75cbp-1, 0x1.fd88da3d12526p-1, 0x1p+0};
    return at[piece];
}

/* sin(pi piece / 32) - sine_word */
CUPRIC_MATH double
sine_low_word(format<double>::bits piece)
{
    static constexpr double at[17] = {0x0p+0, -0x1.e2718d26ed688p-60, -0x1.26d19b9ff8d82p-57, -0x1.5d28da2c4612dp-56, -0x1.72cedd3d5a61p-57, 0x1.e0d891d3c6841p-58, 0x1.b25dd267f66p-55, 0x1.8076a2cfdc6b3p-57, -0x1.bdd3413b26456p-55, -0x1.2c5e12ed1336dp-55, 0x1.9f630e8b6dac8p-60, -0x1.6e0b1757c8d07p-56, 0x1.457e610231ac2p-56, 0x1.760b1e2e3f81ep-55, 0x1.562172a361fd3p-56, -0x1.87df6378811c7p-55, 0x0p+0};
    return at[piece];
}

} /* namespace elementary */
CUPRIC_END

#endif
