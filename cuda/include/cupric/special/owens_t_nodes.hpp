/* special/owens_t_nodes.hpp: the Gauss-Legendre rules of owens_t.hpp. Written by
 * tools/gauss_legendre.py: change that.
 */
#ifndef CUPRIC_SPECIAL_OWENS_T_NODES_HPP
#define CUPRIC_SPECIAL_OWENS_T_NODES_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

struct quadrature_node {
    double x, weight;
};

CUPRIC_MATH quadrature_node
legendre_12(int i)
{
    static constexpr quadrature_node nodes[] = {
        {0x1.2e1c4e37a2fdep-7, 0x1.8275d9dea6d8fp-6},
        {0x1.88bc58023ba64p-5, 0x1.b60602bce6181p-5},
        {0x1.d73d4449dc328p-4, 0x1.47d7258f22d8fp-4},
        {0x1.a6961f47f100fp-3, 0x1.a0163e6b1ab72p-4},
        {0x1.43ab96faba731p-2, 0x1.de3155c256ab5p-4},
        {0x1.bfe1681c273c7p-2, 0x1.fe40ce6d4f025p-4},
        {0x1.200f4bf1ec61dp-1, 0x1.fe40ce6d4f025p-4},
        {0x1.5e2a3482a2c67p-1, 0x1.de3155c256ab5p-4},
        {0x1.965a782e03bfcp-1, 0x1.a0163e6b1ab72p-4},
        {0x1.c5185776c479bp-1, 0x1.47d7258f22d8fp-4},
        {0x1.e7743a7fdc45ap-1, 0x1.b60602bce6181p-5},
        {0x1.fb478ec721741p-1, 0x1.8275d9dea6d8fp-6}};
    return nodes[i];
}

CUPRIC_MATH quadrature_node
legendre_18(int i)
{
    static constexpr quadrature_node nodes[] = {
        {0x1.14647ee3c2624p-8, 0x1.622821caa2076p-7},
        {0x1.69e3e47b6ef2ap-6, 0x1.9742f734750c9p-6},
        {0x1.b7e679e106665p-5, 0x1.390a2fc0485c6p-5},
        {0x1.9203226ca3d29p-4, 0x1.9d7567a3a5731p-5},
        {0x1.3bb6644bf4924p-3, 0x1.f5fc72cc7c308p-5},
        {0x1.c2cb6f6d21704p-3, 0x1.2009647765816p-4},
        {0x1.2d2ef3a6daa9ap-2, 0x1.3ccb51a6e0a73p-4},
        {0x1.7f08c4c4af28ep-2, 0x1.507030698595dp-4},
        {0x1.d4985e96ef800p-2, 0x1.5a6752598dbdap-4},
        {0x1.15b3d0b488400p-1, 0x1.5a6752598dbdap-4},
        {0x1.407b9d9da86b9p-1, 0x1.507030698595dp-4},
        {0x1.6968862c92ab3p-1, 0x1.3ccb51a6e0a73p-4},
        {0x1.8f4d2424b7a3fp-1, 0x1.2009647765816p-4},
        {0x1.b11266ed02db7p-1, 0x1.f5fc72cc7c308p-5},
        {0x1.cdbf9bb26b85bp-1, 0x1.9d7567a3a5731p-5},
        {0x1.e4819861ef99ap-1, 0x1.390a2fc0485c6p-5},
        {0x1.f4b0e0dc24887p-1, 0x1.9742f734750c9p-6},
        {0x1.fdd73702387b4p-1, 0x1.622821caa2076p-7}};
    return nodes[i];
}

CUPRIC_MATH quadrature_node
legendre_26(int i)
{
    static constexpr quadrature_node nodes[] = {
        {0x1.0da27b068a275p-9, 0x1.59bf5428e209cp-8},
        {0x1.622202af0362cp-7, 0x1.900fe3f869b55p-7},
        {0x1.b0df78127f69ep-6, 0x1.36fce35747b83p-6},
        {0x1.8ecb99ea562d7p-5, 0x1.a1980dd13624cp-6},
        {0x1.3c86d66980075p-4, 0x1.032ba57abce0cp-5},
        {0x1.c9f629e5ee16ep-4, 0x1.31e801cc5e839p-5},
        {0x1.36dbc5b1d04a4p-3, 0x1.5c59156bc492bp-5},
        {0x1.92bf416b042dep-3, 0x1.81e65475c4b54p-5},
        {0x1.f75b51377edbep-3, 0x1.a208c9728627cp-5},
        {0x1.31a3334a4c675p-2, 0x1.bc4cf7f9b6f16p-5},
        {0x1.6a7e577844a6ep-2, 0x1.d0547aeae7cfcp-5},
        {0x1.a572c2bd1db48p-2, 0x1.ddd75758196a8p-5},
        {0x1.e1ac97db906c3p-2, 0x1.e4a4ff10a7635p-5},
        {0x1.0f29b41237c9fp-1, 0x1.e4a4ff10a7635p-5},
        {0x1.2d469ea17125cp-1, 0x1.ddd75758196a8p-5},
        {0x1.4ac0d443ddac9p-1, 0x1.d0547aeae7cfcp-5},
        {0x1.672e665ad9cc5p-1, 0x1.bc4cf7f9b6f16p-5},
        {0x1.82292bb220491p-1, 0x1.a208c9728627cp-5},
        {0x1.9b502fa53ef48p-1, 0x1.81e65475c4b54p-5},
        {0x1.b2490e938bed7p-1, 0x1.5c59156bc492bp-5},
        {0x1.c6c13ac3423d2p-1, 0x1.31e801cc5e839p-5},
        {0x1.d86f2532cfff1p-1, 0x1.032ba57abce0cp-5},
        {0x1.e71346615a9d3p-1, 0x1.a1980dd13624cp-6},
        {0x1.f279043f6c04bp-1, 0x1.36fce35747b83p-6},
        {0x1.fa7777f543f27p-1, 0x1.900fe3f869b55p-7},
        {0x1.fef25d84f975ep-1, 0x1.59bf5428e209cp-8}};
    return nodes[i];
}

} /* namespace elementary */
CUPRIC_END

#endif
