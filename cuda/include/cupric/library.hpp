/* library.hpp: what the code of a kernel library begins with, by itself.
 *
 * A kernel that is launched over work (kernel[T].elements(n, args), kernel[T].blocks(n,
 * threads, args)) takes its share of the n pieces by a loop of these. On a GPU neighbouring
 * threads take neighbouring elements, and the whole block a piece. On the host device a
 * block is one thread that takes a run of elements, or of pieces, in their order.
 */
#ifndef CUPRIC_LIBRARY_HPP
#define CUPRIC_LIBRARY_HPP

#include "cupric/kernel.hpp"

/* An array with its shape and strides (bytes): what view(x) passes. x[i] is an element by
 * its number in C order, x[index] by an array of N indices; x.shape(), x.strides(). */
template <class T, int N>
using View = cupric::raw_array<T, N, false>;

/* Up to COUNT arrays by value: those behind the last that was passed have no elements. */
template <class T, int N, int COUNT>
struct Views {
    View<T, N> at[COUNT];

    __device__ const View<T, N> &operator[](int k) const { return at[k]; }
};

#if defined(CUPRIC_HOST)

/* The collectives of block.hpp are those of one thread. */
#define CUPRIC_ONE_THREAD

namespace cupric {

/* The first piece of block b of `blocks`. */
inline long long
share_of(long long n, unsigned b, unsigned blocks)
{
    const long long each = n / blocks, rest = n % blocks;
    return b * each + (b < rest ? b : rest);
}

} // namespace cupric

#define CUPRIC_EACH(i, n)                                                              \
    for (long long i = ::cupric::share_of(n, blockIdx.x, gridDim.x),                   \
                   i##_end = ::cupric::share_of(n, blockIdx.x + 1, gridDim.x);         \
         i < i##_end; ++i)
#define CUPRIC_EACH_BLOCK(b, n) CUPRIC_EACH (b, n)

#else

#define CUPRIC_EACH(i, n)                                                              \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (n);      \
         i += (long long)gridDim.x * blockDim.x)
#define CUPRIC_EACH_BLOCK(b, n) for (long long b = blockIdx.x; b < (n); b += gridDim.x)

#endif

#endif
