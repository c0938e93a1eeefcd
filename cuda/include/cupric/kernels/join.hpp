/* kernels/join.hpp: row r of `out` is row r of from[0], then that of from[1], …
 *
 * In units of type T. Rows are dense and start[k + 1] - start[k] units long in from[k];
 * those of `out` begin `pitch` units apart. A thread moves CUPRIC_JOIN_ITEMS units,
 * 256 apart. Launch: blocks of 256. I fits every count of units.
 */
#ifndef CUPRIC_KERNELS_JOIN_HPP
#define CUPRIC_KERNELS_JOIN_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

struct join_params : cu_join_head {
    space<1, 1> row; /* its axis: the units of a row */
};

template <class T, class I>
__device__ inline void
join(const join_params &p)
{
    constexpr int U = CUPRIC_JOIN_ITEMS(sizeof(T));
    const long long first = (long long)blockIdx.x * (U * CUPRIC_BLOCK) + threadIdx.x;
    T x[U];
    I to[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * CUPRIC_BLOCK;
        if (i >= p.size) continue;
        I at;
        const I row = divide_by(p.row.axes[0], (I)i, &at);
        int k = 0;
        while (k + 1 < p.n && at >= (I)p.start[k + 1]) k++;
        const I length = (I)(p.start[k + 1] - p.start[k]);
        x[u] = ((const T *)p.from[k])[row * length + at - (I)p.start[k]];
        to[u] = row * (I)p.pitch + at;
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (first + u * CUPRIC_BLOCK < p.size) ((T *)p.out)[to[u]] = x[u];
    }
}

CUPRIC_END

#endif
