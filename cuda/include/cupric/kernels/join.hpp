/* kernels/join.hpp: row r of `out` is row r of from[0], then that of from[1], …
 *
 * In units of type T. Rows are dense and start[k + 1] - start[k] units long in from[k];
 * those of `out` begin `pitch` units apart. A thread moves 4 units, 256 apart. Launch:
 * size / 1024 blocks of 256. I fits every count of units.
 */
#ifndef CUPRIC_KERNELS_JOIN_HPP
#define CUPRIC_KERNELS_JOIN_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

constexpr int JOIN_MOST = 16;

struct join_params {
    char *out;
    long long pitch, n, size; /* size: of all rows */
    const char *from[JOIN_MOST];
    long long start[JOIN_MOST + 1];
    space<1, 1> row; /* its axis: the units of a row */
};

template <class T, class I>
__device__ inline void
join(const join_params &p)
{
    constexpr int U = 4;
    const long long first = (long long)blockIdx.x * (U * 256) + threadIdx.x;
    T x[U];
    I to[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * 256;
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
        if (first + u * 256 < p.size) ((T *)p.out)[to[u]] = x[u];
    }
}

CUPRIC_END

#endif
