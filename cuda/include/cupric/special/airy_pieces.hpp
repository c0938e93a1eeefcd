/* special/airy_pieces.hpp: values of airy_real.hpp. Written by
 * tools/bessel_tables.py: change that.
 */
#ifndef CUPRIC_SPECIAL_AIRY_PIECES_HPP
#define CUPRIC_SPECIAL_AIRY_PIECES_HPP

#include "cupric/special/tables.hpp"

CUPRIC_BEGIN
namespace complex_bessel {

/* Ai, Ai', Bi, Bi', integrals of Ai and Bi from 0, at -15, -14.5, ..., 15 */
CUPRIC_MATH double
airy_at_centre(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<366> c = {{
        0x1.1ce50bc1dc8eep-2, 0x1.16e9436f1e59ep-2, -0x1.1b247cecb6704p-4,
        0x1.1390e679f0519p+0, -0x1.5dfe47b5fcbfp-1, -0x1.2704f5aedbaa5p-4,
        -0x1.f54ee06bfe1bp-6, -0x1.1866f995a28fep+0, 0x1.26645ddf0bb98p-2,
        -0x1.c8f5782aed737p-4, -0x1.2ec1b651ee33dp-1, 0x1.28a41b810a4f2p-7,
        -0x1.105df95f55cdep-2, 0x1.c5a850382aa2ap-2, -0x1.ea266d3b93b23p-4,
        -0x1.feacc30e10016p-1, -0x1.66376ae2db9cep-1, 0x1.211c05bd52087p-4,
        0x1.87212c90da7dep-3, 0x1.a722318f6df59p-1, -0x1.caa65a167eff5p-3,
        0x1.652cf94668253p-1, -0x1.741dd1658e62cp-1, -0x1.b103163658049p-5,
        0x1.5f40dd8027025p-3, -0x1.be37d3c4a1349p-1, 0x1.f0df34643d025p-3,
        0x1.3f069a43d015bp-1, -0x1.3285a7dacfbecp-1, -0x1.7c93228e5a6e9p-5,
        -0x1.1ae7b7f765332p-2, -0x1.ad6531395c1a7p-2, 0x1.df5e614e94848p-4,
        -0x1.f2f3d4d87f98fp-1, -0x1.45139b3756f87p-1, 0x1.420fbb544870bp-4,
        -0x1.109c28c3cf34fp-4, 0x1.05ea911169424p+0, -0x1.2ed1335c9af37p-2,
        -0x1.e4d3d9bcc24ecp-3, -0x1.812bf19942028p-1, 0x1.215ad80a4f7cdp-6,
        0x1.38c0cc8f233e8p-2, 0x1.6751715e19e45p-4, -0x1.87bac1b5c1a41p-6,
        0x1.090b26b8d790ep+0, -0x1.580ebb5dce9fdp-1, -0x1.7103a1c8eec3p-4,
        -0x1.1f08c2b097decp-7, -0x1.06fef5a3a8994p+0, 0x1.3d1623ac98142p-2,
        -0x1.68d32328ad716p-6, -0x1.259fa12a8e59p-1, 0x1.29bf3251d4931p-8,
        -0x1.3f6989dd42c6fp-2, 0x1.748fd69ab57e9p-4, -0x1.f15acf29bf878p-6,
        -0x1.02f923f4c68a3p+0, -0x1.5b332d756c7d8p-1, 0x1.88d5c88d12163p-4,
        0x1.49a7fe67fe71ap-5, 0x1.fe1673ad658b8p-1, -0x1.423b6de41fe2bp-2,
        0x1.e91ec5fbbc316p-4, -0x1.88099f001f2a2p-1, -0x1.ecd83a5485515p-7,
        0x1.46c3007401113p-2, -0x1.bac228325ce64p-4, 0x1.3589cb99d6d4cp-5,
        0x1.f82c714d23ebep-1, -0x1.4dba0f865050cp-1, -0x1.a5e62cb62d352p-4,
        -0x1.6aa38e8bd0844p-6, -0x1.f38a3ab3ed723p-1, 0x1.4cbefdbca6ec4p-2,
        -0x1.d6399a376dcfbp-5, -0x1.1e1d9f44272abp-1, 0x1.52817447abc7bp-7,
        -0x1.52379aa33d405p-2, -0x1.08b600c36ac3cp-5, 0x1.fc31daf10ce95p-8,
        -0x1.ed0a4b5e7ec22p-1, -0x1.55b469f917c6cp-1, 0x1.cf0194705a6dcp-4,
        -0x1.afc28073abb84p-5, 0x1.df01d7e1f41fap-1, -0x1.53339d484c3a1p-2,
        -0x1.468dfb8b805b9p-3, -0x1.91662ab9d00f8p-1, 0x1.e38a0b1e0726bp-7,
        0x1.497f92ca01e61p-2, 0x1.4675ffd3b25d9p-2, -0x1.cca682e65d075p-4,
        0x1.c16f4cf72fbb8p-1, -0x1.681f0e594642p-1, -0x1.e543fd3a202b8p-4,
        0x1.79683b0571a28p-3, -0x1.8ac195288a6bdp-1, 0x1.2ccff6edadfcfp-2,
        0x1.fe33d46ed5876p-2, -0x1.1b5e045d09d23p-1, -0x1.09e6230b379b7p-4,
        -0x1.e7773026e4abdp-3, -0x1.59935f836551ap-1, 0x1.0b46e6f1901fp-2,
        -0x1.31c05a83b4c27p-1, -0x1.23570d4ce752ep-1, 0x1.8e615fe9dc2abp-4,
        -0x1.510b6eb1815d2p-2, 0x1.623ce99198c5bp-2, -0x1.2c7032d16920bp-3,
        -0x1.a0344501f8029p-1, -0x1.7721361083b8ep-1, 0x1.0b053a3eba48p-3,
        0x1.2355309057e0ap-6, 0x1.ba780ec73ea42p-1, -0x1.78a4170e631bfp-2,
        0x1.9b6d9d03547ep-6, -0x1.a49e08a44b797p-1, -0x1.09121de0d9cd4p-6,
        0x1.672de4d9e1d32p-2, 0x1.4f0ba25cb5a72p-2, -0x1.1b6146e96ced2p-3,
        0x1.8e8bfce7baa41p-1, -0x1.6f8e419dd39c6p-1, -0x1.4514b9f090b81p-3,
        0x1.2b2a1940487e5p-2, -0x1.0bf62c807eea1p-1, 0x1.03f731a8a0b1dp-2,
        0x1.44fd4425ca3d8p-1, -0x1.1402c16bf3797p-1, -0x1.038b40a283e6cp-3,
        -0x1.1fcec060d9f19p-4, -0x1.94cd44c4fb752p-1, 0x1.91a5f98578929p-2,
        -0x1.dde1f4f8dae06p-4, -0x1.e97acc11a045ap-2, 0x1.9fd38ee5c5131p-5,
        -0x1.808bf043b852cp-2, -0x1.5fafa2aad827cp-2, 0x1.59fd2127c817ep-3,
        -0x1.62e0234000ef1p-1, -0x1.32ad1f8e2d5f5p-1, 0x1.a02f2ee6583bap-3,
        -0x1.83e7e4ea6959ap-2, 0x1.42223f628d022p-2, -0x1.9618df2354b9p-3,
        -0x1.59e9b6d47ccdfp-1, -0x1.9a595674770dep-1, 0x1.904426e5ae785p-3,
        -0x1.cc155ec43247dp-4, 0x1.5b9295e8ef584p-1, -0x1.baccf4da71fb5p-2,
        -0x1.c36ba46486bc7p-3, -0x1.dd1f14e14792ap-1, 0x1.ccdf3a11ba782p-6,
        0x1.d1bafc57f31dp-3, 0x1.3c8c724515c8fp-1, -0x1.a632a64d50c9ep-2,
        0x1.1d7c7af0d64e9p-2, -0x1.cdb52af883be6p-1, -0x1.8c62955c9e8f6p-3,
        0x1.db661389897f8p-2, 0x1.3c9b8221ef635p-2, -0x1.88c680544c949p-3,
        0x1.1da621814e0dap-1, -0x1.71d513572e30ap-1, -0x1.66cc25fe073cap-2,
        0x1.1235093d83da5p-1, -0x1.4cf103bcc6624p-7, 0x1.a9f92aac23d81p-4,
        0x1.2f4bdbacdde78p-1, -0x1.dcd9a4065b3e3p-2, -0x1.7df506767e6ccp-2,
        0x1.e72543cd05e5dp-2, -0x1.a1f5921e923fp-3, 0x1.857b2aea4f3fdp-2,
        0x1.0309be63eaa03p-1, -0x1.aba4570ecf514p-3, -0x1.0010737236097p-2,
        0x1.6b8c7962715b8p-2, -0x1.0907f42b70f8bp-2, 0x1.3ad7a9b4a3ea9p-1,
        0x1.cb0c1a680c8a1p-2, 0x0p+0, 0x0p+0, 0x1.da822d743844p-3,
        -0x1.cc9de4b290e91p-3, 0x1.b563ccf3b4098p-1, 0x1.16d2371290beep-1,
        0x1.2ae990fab7623p-3, 0x1.761b4965563bep-2, 0x1.151430bbaf656p-3,
        -0x1.45ef17fce4faep-3, 0x1.3519b674bdc8p+0, 0x1.dd683e1f130cap-1,
        0x1.e3fa58b817d4ep-3, 0x1.bedb97fab2755p-1, 0x1.25e2ccf277dc1p-4,
        -0x1.8ee0710605791p-4, 0x1.e1024f75b1bbbp+0, 0x1.e2dece6be3255p+0,
        0x1.25ab6cff22cd8p-2, 0x1.9fecdea204d23p+0, 0x1.1e1935c04b623p-5,
        -0x1.b2ea9b1bfccdcp-5, 0x1.a627fa1a00f78p+1, 0x1.0671931ff0625p+2,
        0x1.4008963406efdp-2, 0x1.6fcbd7845734cp+1, 0x1.01a74da795df8p-6,
        -0x1.ae182ce295c41p-6, 0x1.9ed3878fdd253p+2, 0x1.2d7c4cc0b72p+3,
        0x1.4c6de7b1d1b02p-2, 0x1.4d615a28d4b15p+2, 0x1.aff4f7fbd1f1bp-8,
        -0x1.865d4aaccf1e1p-7, 0x1.c131cc82cd47p+3, 0x1.6ec1647b07e4p+4,
        0x1.51d6a5a4efcd5p-2, 0x1.41fbedc7f6d0ep+3, 0x1.52b3f78f3be24p-9,
        -0x1.47f82253f7ef5p-8, 0x1.0871ad867e1b7p+5, 0x1.d95086c8e04d8p+5,
        0x1.540a8c6c3f3ebp-2, 0x1.517ea5c870f2ap+4, 0x1.f2e4bcf7c497p-11,
        -0x1.00b915a6c6845p-9, 0x1.4f6366aff2fd4p+6, 0x1.43da7642a41d5p+7,
        0x1.54e1cf440c9d9p-2, 0x1.81c17c3f4288ap+5, 0x1.5a4ae56c7e071p-12,
        -0x1.785e6b71c4ddfp-11, 0x1.c72d190ff68b8p+7, 0x1.d522946d820bfp+8,
        0x1.552f20c03a68dp-2, 0x1.df404fc47d99cp+6, 0x1.c66df1a2952d5p-14,
        -0x1.036ea91e217ep-12, 0x1.48e561b412157p+9, 0x1.66f46bcf6f424p+10,
        0x1.554957921b339p-2, 0x1.417a7315f937ap+8, 0x1.1a92a8107b6ebp-15,
        -0x1.517ce89672d6ap-14, 0x1.f8251f5a78469p+10, 0x1.2188dc1747ae6p+12,
        0x1.5551c122666f5p-2, 0x1.ce8e616b65cccp+9, 0x1.4dca0b3cc0f9dp-17,
        -0x1.9f7db9ccfd7ap-16, 0x1.9887233ecc0f4p+12, 0x1.eb6cd22b725ap+13,
        0x1.555450d7786fp-2, 0x1.62cbd485be12cp+11, 0x1.7741c92b83c35p-19,
        -0x1.e553a2f48a09p-18, 0x1.5d126e4dbb412p+14, 0x1.b5fcfddf12375p+15,
        0x1.55550eaa7d363p-2, 0x1.20c80454b9bddp+13, 0x1.923b08f80599ap-21,
        -0x1.0d878a129feacp-19, 0x1.39c7ca6beee79p+16, 0x1.994855df32c34p+17,
        0x1.55554303a262bp-2, 0x1.f0f9c0f89a0c8p+14, 0x1.9bba4458fb5a6p-23,
        -0x1.1d396279dd5cbp-21, 0x1.281f675e00f59p+18, 0x1.90627abb4260ap+19,
        0x1.555550ca119bdp-2, 0x1.c2b7662db8d9cp+16, 0x1.930ebc96d9dddp-25,
        -0x1.201267c1c127ep-23, 0x1.24de2010e4cf5p+20, 0x1.9977328080357p+21,
        0x1.55555440e5071p-2, 0x1.adc05083e020dp+18, 0x1.79dab884916e4p-27,
        -0x1.161e55dbe1825p-25, 0x1.2f0f1e2a7773fp+22, 0x1.b5343a0fb2effp+23,
        0x1.5555551652f79p-2, 0x1.ade2f65ca9c1cp+20, 0x1.53a28272eaba4p-29,
        -0x1.01086ae331e68p-27, 0x1.47a664e4351b6p+24, 0x1.e6d000e3f4ccep+25,
        0x1.555555478b27ap-2, 0x1.c25004ae9d51cp+22, 0x1.2508cae8391c9p-31,
        -0x1.c75fa3685ed87p-30, 0x1.719d5a65261c5p+26, 0x1.1a521cbde3594p+28,
        0x1.555555526ec88p-2, 0x1.ed2a8e9d48e06p+24, 0x1.e5e028a1f8cdap-34,
        -0x1.831907393566ep-32, 0x1.b2888418c587cp+28, 0x1.54c1a699ee746p+30,
        0x1.55555554bf13cp-2, 0x1.19ecc1636fe03p+27, 0x1.836da085f6affp-36,
        -0x1.3c1e45784646bp-34, 0x1.09e71e9245fcfp+31, 0x1.ab95db5548865p+32,
        0x1.55555555380fp-2, 0x1.50118bcda873dp+29, 0x1.2965d151032eap-38,
        -0x1.f080902602021p-37, 0x1.526dbec13719ep+33, 0x1.16a728e09da9dp+35,
        0x1.555555554fd65p-2, 0x1.a1305a21f88a2p+31, 0x1.b7e7ca3a6ec4ep-41,
        -0x1.774d45718aaap-39, 0x1.bf863163dcac5p+35, 0x1.78ef2fabf3122p+37,
        0x1.555555555456ap-2, 0x1.0d5e791add2dbp+34, 0x1.39b7a11f5a8eep-43,
        -0x1.114c208e15be4p-41, 0x1.33282b8f944bfp+38, 0x1.086185756b5efp+40,
        0x1.555555555528dp-2, 0x1.697e47c8f9d0ap+36, 0x1.afc62c7a4a98ap-46,
        -0x1.7fc46fe0f2fbcp-44, 0x1.b552ec71860d4p+40, 0x1.805321dee512ep+42,
        0x1.55555555554ddp-2, 0x1.f7afda6930189p+38, 0x1.1eeacde5a021bp-48,
        -0x1.03fc396528972p-46, 0x1.42aa66e72a6cfp+43, 0x1.214632c2b5a2cp+45,
        0x1.5555555555542p-2, 0x1.6c05b2db3b514p+41, 0x1.707475301ea21p-51,
        -0x1.5421e416a4613p-49, 0x1.ed1fd356435f4p+45, 0x1.c2a6a485be961p+47,
        0x1.5555555555552p-2, 0x1.10b35f4c331cep+44, 0x1.c97d1d62adb7cp-54,
        -0x1.adf5ce82292bap-52, 0x1.85ff07445ea62p+48, 0x1.6b0bac19d4e8bp+50,
        0x1.5555555555555p-2, 0x1.a7324fca000b2p+46, 0x1.12c56ae2cb3dep-56,
        -0x1.06bee3445e59ap-54, 0x1.3f04fb39d3761p+51, 0x1.2e4e6f4bb4c36p+53,
        0x1.5555555555555p-2, 0x1.53e29d4e7d4a4p+49, 0x1.3f7df8b7f2918p-59,
        -0x1.36aa0407e6a72p-57, 0x1.0dc079d73f075p+54, 0x1.040cbb2f23e66p+56,
        0x1.5555555555555p-2, 0x1.1a5bdbede3bebp+52}};
    /* clang-format on */
    return c[k];
}

/* 1 / ((k + 1) (k + 2)) */
CUPRIC_MATH double
airy_factor(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<22> c = {{
        0x1p-1, 0x1.5555555555555p-3, 0x1.5555555555555p-4, 0x1.999999999999ap-5,
        0x1.1111111111111p-5, 0x1.8618618618618p-6, 0x1.2492492492492p-6,
        0x1.c71c71c71c71cp-7, 0x1.6c16c16c16c17p-7, 0x1.29e4129e4129ep-7,
        0x1.f07c1f07c1f08p-8, 0x1.a41a41a41a41ap-8, 0x1.6816816816817p-8,
        0x1.3813813813814p-8, 0x1.1111111111111p-8, 0x1.e1e1e1e1e1e1ep-9,
        0x1.ac5701ac5701bp-9, 0x1.7f405fd017f4p-9, 0x1.58ed2308158edp-9,
        0x1.3813813813814p-9, 0x1.1bb4a4046ed29p-9, 0x1.03091b51f5e1ap-9}};
    /* clang-format on */
    return c[k];
}

/* 1 / (k + 1) */
CUPRIC_MATH double
airy_inverse(int k)
{
    /* clang-format off */
    CUPRIC_TABLE kept_coefficients<22> c = {{
        0x1p+0, 0x1p-1, 0x1.5555555555555p-2, 0x1p-2, 0x1.999999999999ap-3,
        0x1.5555555555555p-3, 0x1.2492492492492p-3, 0x1p-3, 0x1.c71c71c71c71cp-4,
        0x1.999999999999ap-4, 0x1.745d1745d1746p-4, 0x1.5555555555555p-4,
        0x1.3b13b13b13b14p-4, 0x1.2492492492492p-4, 0x1.1111111111111p-4, 0x1p-4,
        0x1.e1e1e1e1e1e1ep-5, 0x1.c71c71c71c71cp-5, 0x1.af286bca1af28p-5,
        0x1.999999999999ap-5, 0x1.8618618618618p-5, 0x1.745d1745d1746p-5}};
    /* clang-format on */
    return c[k];
}

} /* namespace complex_bessel */
CUPRIC_END

#endif
