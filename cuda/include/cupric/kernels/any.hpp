/* kernels/any.hpp: r[i] = a[i], first <= i < first + n, from whatever dtype the parameters
 * say, between any layouts: one kernel for each dtype of r. It serves operations for whose
 * dtypes and layout there is no kernel yet (src/cuda/general.c), and is no match for one.
 *
 *   elementwise_any  a thread takes 4 elements, 256 apart.
 *                    Launch: n / 1024 blocks of 256.
 */
#ifndef CUPRIC_KERNELS_ANY_HPP
#define CUPRIC_KERNELS_ANY_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct any_params : cu_any_head {
    space<3, N> all; /* a, r, mask */
};

/* The numbers of src/dtypes.def. */
enum any_dtype {
#define CUPRIC_TYPE(NAME, letter, T) ANY_##NAME,
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
};

template <class R>
__device__ inline R
load_any(long long dtype, const char *p)
{
    switch (dtype) {
#define CUPRIC_TYPE(NAME, letter, T)                                                   \
    case ANY_##NAME:                                                                   \
        return convert<R>(load<T>(p));
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    }
    return R();
}

template <class R, int N>
__device__ inline void
elementwise_any(const any_params<N> &p)
{
    const long long begin = (long long)blockIdx.x * (4 * CUPRIC_BLOCK) + threadIdx.x;
    const slot value = p.op[0];
#pragma unroll 1
    for (int u = 0; u < 4; u++) {
        const long long i = begin + u * CUPRIC_BLOCK;
        long long at[3];
        if (i >= p.n) return;
        locate<long long>(p.all, p.first + i, at);
        if (p.masked && !load<bool>(address(p.op[2]) + at[2])) continue;
        const char *const from =
            p.immediate ? (const char *)&value : address(p.op[0]) + at[0];
        store(address(p.op[1]) + at[1], load_any<R>(p.dtype, from));
    }
}

CUPRIC_END

#endif
