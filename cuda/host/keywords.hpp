/* keywords.hpp: the keywords of device code as C++ says them.
 *
 * A text that is only preprocessed keeps them, as macros that stand for themselves: it is
 * read for them before it is compiled (src/host/cuda_source.h).
 */
#ifndef CUPRIC_HOST_KEYWORDS_HPP
#define CUPRIC_HOST_KEYWORDS_HPP

#if defined(CUPRIC_KEEP_KEYWORDS)

#define __global__ __global__
#define __device__ __device__
#define __host__ __host__
#define __constant__ __constant__
#define __managed__ __managed__
#define __grid_constant__ __grid_constant__
#define __shared__ __shared__
#define __launch_bounds__ __launch_bounds__
#define __cluster_dims__ __cluster_dims__
#define __block_size__ __block_size__
#define __maxnreg__ __maxnreg__
#define __forceinline__ __forceinline__
#define __inline_hint__ __inline_hint__
#define __noinline__ __noinline__
#define __align__ __align__
#define __builtin_align__ __builtin_align__
#define __pragma_unroll__ __pragma_unroll__

#else

/* Kernels are inline so that each is compiled once, inside the loop over its threads. */
#define __global__ inline __attribute__((always_inline))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
/* A block runs on one thread of the operating system from beginning to end. */
#define __shared__ thread_local
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __pragma_unroll__

#endif

#endif
