/* math/erf_pieces.hpp: the tables of special.hpp. Written by tools/pieces.py: change that. The errors
 * are relative to the value.
 */
#ifndef CUPRIC_MATH_ERF_PIECES_HPP
#define CUPRIC_MATH_ERF_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* erf(x) for x = piece / 8 + rest < 4, for floats: 2**-35.39 */
CUPRIC_MATH double
single_erf_piece(place<double> p)
{
    static constexpr double at[7][33] = {
        {-0x1.db6db6db6db6ep-200, -0x1.72ae10cbb900bp-6,  -0x1.4b804661fdc8fp-5,
         -0x1.99d82618d7d0cp-5,   -0x1.99614c735df6dp-5,  -0x1.5252995ee341ep-5,
         -0x1.b805738ce0dacp-6,   -0x1.5424e796c5c7fp-7,  0x1.2c2276d74ff58p-8,
         0x1.fbc2e3659a445p-7,    0x1.5c5cc2fa34c8p-6,    0x1.6a9cd4a7418f4p-6,
         0x1.3c6015b9bcd28p-6,    0x1.d836c9d9499bap-7,   0x1.25dd364506174p-7,
         0x1.0dad744871ca1p-8,    0x1.ecf891532b797p-12,  -0x1.dafe97b464d8fp-10,
         -0x1.7bc8ce0faad9p-9,    -0x1.97a2d1445d1b8p-9,  -0x1.6e91de35a2136p-9,
         -0x1.267734390a4e1p-9,   -0x1.b29e12050bcbep-10, -0x1.2b1b3fa09e9e6p-10,
         -0x1.836dcc5684142p-11,  -0x1.db1590d962557p-12, -0x1.14ea3d3226adp-12,
         -0x1.33d409f5af9d4p-13,  -0x1.4710e0ee2f003p-14, -0x1.4cbf4d630dbcap-15,
         -0x1.449ecec9d7e84p-16,  -0x1.300a7ece93676p-17, -0x1.11a890b3df8d5p-18},
        {0x1.cd6ebcc30c09bp-4,  0x1.aa0e8a31d83e2p-4,  0x1.477208321f22p-4,
         0x1.743a78a8c5079p-5,  0x1.e25968e4853dfp-8,  -0x1.bf95dc34e1d41p-6,
         -0x1.b322160552222p-5, -0x1.12cbc68e106ecp-4, -0x1.1af4baeb356c8p-4,
         -0x1.f5d362f511ecfp-5, -0x1.824dc2ed61af4p-5, -0x1.f59b3c3f4e7cdp-6,
         -0x1.e832f443532c6p-7, -0x1.1d5d21d79af1fp-9, 0x1.af6bfa54c3411p-8,
         0x1.76809b30eec33p-7,  0x1.ac257a7196674p-7,  0x1.99086efb084a2p-7,
         0x1.5d148af0b28fdp-7,  0x1.11e1dddf4a7b9p-7,  0x1.912623dddbd9dp-8,
         0x1.14ba4bbbf16c6p-8,  0x1.69c9b146556aap-9,  0x1.c2119945165d4p-10,
         0x1.0b2e8a28d7227p-10, 0x1.2f7312bd1b1e7p-11, 0x1.4a42781059145p-12,
         0x1.58ecdf77dbdd3p-13, 0x1.5a175f72df6e5p-14, 0x1.4def3e3927bcap-15,
         0x1.36157541880dcp-16, 0x1.154a26b0baa0dp-17, 0x1.dddcce1717bc5p-19},
        {0x1.9b6db6db6db6ep-207, 0x1.196c88c7a31cap-4,   0x1.040e7912e5ef9p-3,
         0x1.552997aa63223p-3,   0x1.76f26beb40e33p-3,   0x1.6963bcaa75c47p-3,
         0x1.349b5a8996d86p-3,   0x1.cc605d1617e2fp-4,   0x1.1b615c2721759p-4,
         0x1.ca50d972733cap-6,   -0x1.93a8614b22e32p-8,  -0x1.f3b8981eb0716p-6,
         -0x1.6d5a84e00579ep-5,  -0x1.974bff425525bp-5,  -0x1.8a0daa7985303p-5,
         -0x1.5a316f5d289cfp-5,  -0x1.1a2c64d9f88cap-5,  -0x1.afe567cc4ee32p-6,
         -0x1.38a9917b6c758p-6,  -0x1.ae59726ae5cfcp-7,  -0x1.1a89c0f9e9b4fp-7,
         -0x1.62d4c8d8161a5p-8,  -0x1.ab0c1d0f9dfp-9,    -0x1.ed4aa8cc6d2acp-10,
         -0x1.11c83c3a3eb12p-10, -0x1.24541bfadc7a1p-11, -0x1.2c7d140363d4dp-12,
         -0x1.298f28938d95fp-13, -0x1.1c06f443cb81fp-14, -0x1.05757730e9415p-15,
         -0x1.d06e112a73527p-17, -0x1.8e1e6c02b09bp-18,  -0x1.497f89ea8617dp-19},
        {-0x1.81272ea55cdbcp-2, -0x1.6f551843453c5p-2, -0x1.3c9735e0b4351p-2,
         -0x1.e106bb55348adp-3, -0x1.2bf53b2fc6ad6p-3, -0x1.c810b3ac199fdp-5,
         0x1.b6e751322b724p-6,  0x1.7c9d32d75f0fep-4,  0x1.1b612fec8db31p-3,
         0x1.4cb3bdd47f491p-3,  0x1.571cfb43cb0e6p-3,  0x1.4374dab46d17ap-3,
         0x1.1c2a0b399f8a8p-3,  0x1.d663343c0839cp-4,  0x1.7148d98734ce4p-4,
         0x1.143d2e17049ecp-4,  0x1.8b0afbdd55f0bp-5,  0x1.0ea48343b4c6bp-5,
         0x1.63ef6b8d52dcap-6,  0x1.c1ec0cb520d51p-7,  0x1.119d9142c7262p-7,
         0x1.407f961bfaa74p-8,  0x1.69cefc623f3d5p-9,  0x1.89e102cf9340cp-10,
         0x1.9db697e5da263p-11, 0x1.a3728984f108p-12,  0x1.9aa351a70ba67p-13,
         0x1.8450b8634f20fp-14, 0x1.62cb3e89ed3fap-15, 0x1.3949501560a61p-16,
         0x1.0b689c1329bf7p-17, 0x1.b95bf198d8ae5p-19, 0x1.6036d4a73670cp-20},
        {-0x1.7p-216,
         -0x1.1c62fa1d458f9p-3,
         -0x1.0f5d1601e240ep-2,
         -0x1.78749a420dc24p-2,
         -0x1.c1efca48853a3p-2,
         -0x1.e8a3c390c2588p-2,
         -0x1.edc5644311b9fp-2,
         -0x1.d62beb651d05ep-2,
         -0x1.a911f097847c7p-2,
         -0x1.6ea6cf45db375p-2,
         -0x1.2ebf3dcd42585p-2,
         -0x1.dfbbadeeea0aap-3,
         -0x1.6d5a95d1293d7p-3,
         -0x1.0bcfca21b5b0dp-3,
         -0x1.7a4a8a2b897f9p-4,
         -0x1.01a1c847565fp-4,
         -0x1.529b9e8b8d19bp-5,
         -0x1.ada8735df4d06p-6,
         -0x1.074b60f714b8dp-6,
         -0x1.37ccd583d3f39p-7,
         -0x1.64e3dcd1cff9ep-8,
         -0x1.8af148283efa2p-9,
         -0x1.a6a519a39f6dap-10,
         -0x1.b5781ea53fc66p-11,
         -0x1.b60d5ea6beab2p-12,
         -0x1.a8670ac31e3a5p-13,
         -0x1.8de3cd4e81161p-14,
         -0x1.690585fcebb4dp-15,
         -0x1.3d0e441560a48p-16,
         -0x1.0d8876a704434p-17,
         -0x1.bba3acf0981eap-19,
         -0x1.617a9d99e855ep-20,
         -0x1.10b1493726447p-21},
        {0x1.20dd75036964ap+0,  0x1.1c62fa1ddad38p+0,  0x1.0f5d16028425ap+0,
         0x1.f5f0cdaec6f21p-1,  0x1.c1efca49f248p-1,   0x1.86e96941fbc8cp-1,
         0x1.492e42d895127p-1,  0x1.0cab61f18efe2p-1,  0x1.a911f098ade7ep-2,
         0x1.45e99bcccaf22p-2,  0x1.e4652fae9bb0bp-3,  0x1.5ce595c404eeep-3,
         0x1.e723726963a8dp-4,  0x1.499d4789064bap-4,  0x1.b055302cb4acdp-5,
         0x1.12ceb37b8fd93p-5,  0x1.529b9e86eb67bp-6,  0x1.94624e722c1d5p-7,
         0x1.d4143a992baa6p-8,  0x1.06918b64335a4p-8,  0x1.1d8317177fcfcp-9,
         0x1.2ce8989410341p-10, 0x1.3360ccf742781p-11, 0x1.30538ff8138e3p-12,
         0x1.2408ea13cf2f4p-13, 0x1.0f9e1bc82782p-14,  0x1.e9b5ea084f972p-16,
         0x1.abe0a008d3a9p-17,  0x1.6a5973c5912dp-18,  0x1.296a72c3b78bcp-19,
         0x1.d93721ee1c876p-21, 0x1.6ce1adf20d308p-22, 0x1.10b14c09837a8p-23},
        {0x1.5b6db6db6db6ep-228, 0x1.1f5e1a35c3b89p-3, 0x1.1af54e232d609p-2,
         0x1.9dd0d2b721f39p-2,   0x1.0a7ef5c18edd2p-1, 0x1.3f196dcd0f135p-1,
         0x1.6c1c9759d0e5fp-1,   0x1.91724951b8fc6p-1, 0x1.af767a741088bp-1,
         0x1.c6dad2829ec62p-1,   0x1.d8865d98abe01p-1, 0x1.e5768c3b4a3fcp-1,
         0x1.eea5557137aep-1,    0x1.f4f693b67bd77p-1, 0x1.f92d077f8d56dp-1,
         0x1.fbe61eef4cf6ap-1,   0x1.fd9ae142795e3p-1, 0x1.fea4218d6594ap-1,
         0x1.ff404760319b4p-1,   0x1.ff9960f3eb327p-1, 0x1.ffcaa8f4c9beap-1,
         0x1.ffe514bbdc197p-1,   0x1.fff2cfb0453d9p-1, 0x1.fff9ba420e834p-1,
         0x1.fffd1ac4135f9p-1,   0x1.fffeb3ebb267bp-1, 0x1.ffff6f9f67e55p-1,
         0x1.ffffc316d9edp-1,    0x1.ffffe710d565ep-1, 0x1.fffff618c3da6p-1,
         0x1.fffffc2f171e3p-1,   0x1.fffffe92ced93p-1, 0x1.ffffff7b91176p-1}};
    return piecewise(at, p);
}

} /* namespace elementary */
CUPRIC_END

#endif
