/* math/inverse_pieces.hpp: the tables of erf_inverses.hpp. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_INVERSE_PIECES_HPP
#define CUPRIC_MATH_INVERSE_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* erfinv(y) / y in y**2, |y| <= 1 / 2: 2**-53.61 */
CUPRIC_MATH double
erfinv_middle(double x)
{
    CUPRIC_KEPT kept_coefficients<14> c = {
        {0x1.d267cc048a9c3p-4, -0x1.3c6d0cbafb5bp-4, 0x1.3050a6da579fdp-4,
         0x1.09317a47a753ep-7, 0x1.0397375d91cc7p-5, 0x1.fe0046492c9fap-6,
         0x1.2b36c3095c544p-5, 0x1.5ee20b42574eep-5, 0x1.a7c8cf21f677dp-5,
         0x1.0a1316c8e6bfdp-4, 0x1.62847c50c98c6p-4, 0x1.053c2c0aada7dp-3,
         0x1.db29fb2fee6aap-3, 0x1.c5bf891b4ef6bp-1}};
    return polynomial<13, 1>(x, c);
}

/* erfcinv(exp(-w**2)), w = 1.15625 + x from 0.8125 to 1.5: 2**-53.41 */
CUPRIC_MATH double
erfcinv_tail_0(double x)
{
    CUPRIC_KEPT kept_coefficients<17> c = {
        {0x1.7b1078387da76p-14, -0x1.dbd1a160827aep-13, 0x1.3eb3d7f20a457p-12,
         -0x1.d5f4092719786p-13, -0x1.4759479be58e2p-13, 0x1.f53691a41216cp-11,
         -0x1.129aa5d753cfcp-9, 0x1.90e2808386b5dp-9, -0x1.5a8f2e9355cabp-9,
         -0x1.306ec214d520ep-10, 0x1.65218f4dbb998p-7, -0x1.d3d2109a254f3p-6,
         0x1.b38c8cc72773ap-5, -0x1.39518448d3c3bp-4, 0x1.33fa137cfeef4p-4,
         0x1.020d901cbc015p+0, 0x1.958884d6780f2p-1}};
    return polynomial<16, 1>(x, c);
}

/* erfcinv(exp(-w**2)), w = 2.125 + x from 1.5 to 2.75: 2**-54.21 */
CUPRIC_MATH double
erfcinv_tail_1(double x)
{
    CUPRIC_KEPT kept_coefficients<19> c = {
        {-0x1.814118ff2f146p-27, 0x1.3d10e208c90c5p-25, -0x1.5fb2e30077064p-24,
         0x1.8258ef0718a56p-23, -0x1.7413a3afac5fap-22, 0x1.02621e52fd8eep-21,
         -0x1.6baf3b58ade8ep-24, -0x1.62b69d5d16cd2p-19, 0x1.b9ced65683df5p-17,
         -0x1.840ab64b1938ep-15, 0x1.21cd184387351p-13, -0x1.838e065b117f6p-12,
         0x1.d6a80a9d8a43ep-11, -0x1.01325ed421798p-9, 0x1.e3529655722b6p-9,
         -0x1.4580a872e7d17p-8, -0x1.63699b24eefa9p-10, 0x1.0caa9ba557d6fp+0,
         0x1.cca467a7b4bc5p+0}};
    return polynomial<18, 1>(x, c);
}

/* erfcinv(exp(-w**2)), w = 3.875 + x from 2.75 to 5.0: 2**-53.54 */
CUPRIC_MATH double
erfcinv_tail_2(double x)
{
    CUPRIC_KEPT kept_coefficients<19> c = {
        {0x1.fed9d1827e332p-42, -0x1.6eb177534843ep-39, 0x1.82ed7aa65d0c6p-37,
         -0x1.c6c9912ece847p-35, 0x1.06d07df595258p-32, -0x1.1fb93e9c2bce3p-30,
         0x1.3070652881476p-28, -0x1.385fa8e89cd8ep-26, 0x1.35d62ce4c291ap-24,
         -0x1.2783db8d893cbp-22, 0x1.0c30ce8fedeb7p-20, -0x1.c52d898664a25p-19,
         0x1.5273c39920949p-17, -0x1.783a392e4b8d3p-16, -0x1.24e8f2dda0d59p-19,
         0x1.f9232059fcdbdp-12, -0x1.245696a705642p-8, 0x1.086f2077b3c33p+0,
         0x1.cfa7d9c4c847ep+1}};
    return polynomial<18, 1>(x, c);
}

/* erfcinv(exp(-w**2)), w = 8.0 + x from 5.0 to 11.0: 2**-53.87 */
CUPRIC_MATH double
erfcinv_tail_3(double x)
{
    CUPRIC_KEPT kept_coefficients<22> c = {
        {-0x1.36b5f42ae4994p-67, 0x1.0ceb2f947d195p-64,  -0x1.f86d94573daf7p-65,
         0x1.e02ffd6ae4128p-61,  -0x1.0a4b0995fd33dp-56, 0x1.d433347a2eeccp-54,
         -0x1.7bda74db0ca0bp-51, 0x1.5d3bf3a564f7dp-48,  -0x1.365620f21919ap-45,
         0x1.ff3a25292e6cfp-43,  -0x1.7ffff415aae69p-40, 0x1.db0e757862e02p-38,
         -0x1.106de631a944cp-36, -0x1.fedb7af6bcfap-33,  0x1.62c45e74f1301p-28,
         -0x1.3620b390394fap-24, 0x1.d3acb116783c3p-21,  -0x1.499e4846bb276p-17,
         0x1.c2ad0435bcb45p-14,  -0x1.32edc0f40ec8fp-10, 0x1.035dbdf2f62cdp+0,
         0x1.f5557c60ff25ep+2}};
    return polynomial<21, 1>(x, c);
}

/* erfcinv(exp(-w**2)), w = 19.25 + x from 11.0 to 27.5: 2**-52.39 */
CUPRIC_MATH double
erfcinv_tail_4(double x)
{
    CUPRIC_KEPT kept_coefficients<22> c = {
        {-0x1.5e3f8b26204cfp-97, 0x1.1bd42f9381bdep-94,  0x1.03b887aac3d27p-88,
         -0x1.d370504a37288p-85, 0x1.1e38b2a5bf37p-81,   -0x1.3be2acbf5217ep-76,
         0x1.121eb013991fcp-71,  -0x1.7e6dfb0d98757p-67, 0x1.0b254ebbc9c7p-62,
         -0x1.77ae9508c59e9p-58, 0x1.0514a6c77cca3p-53,  -0x1.67e5df36da9c6p-49,
         0x1.eddbb3edd38f4p-45,  -0x1.51ebbb0316d73p-40, 0x1.ce087e65c77dap-36,
         -0x1.3c3cb83db3c1ap-31, 0x1.b27b68639a32cp-27,  -0x1.2c91ea5c327b4p-22,
         0x1.a4f34214082f3p-18,  -0x1.2d2696a39e815p-13, 0x1.00e0bd163e7f6p+0,
         0x1.3287ecdab3b9ap+4}};
    return polynomial<21, 1>(x, c);
}

} /* namespace elementary */
CUPRIC_END

#endif
