/* cub/launch.cuh: kernels of a thread for EACH elements, `THREADS` apart. */
#ifndef CUPRIC_CUB_LAUNCH_CUH
#define CUPRIC_CUB_LAUNCH_CUH

#include <cuda_runtime.h>
#include <stdint.h>

namespace cupric {

constexpr int THREADS = 256, EACH = 8;

template <class F>
__global__ void
each_element(uint64_t n, F f)
{
    const uint64_t first = (uint64_t)blockIdx.x * (THREADS * EACH) + threadIdx.x;
    for (int k = 0; k < EACH; k++) {
        const uint64_t i = first + k * THREADS;
        if (i < n) f(i);
    }
}

/* f(i) for all i below n; the runtime's error. */
template <class F>
int
for_each(int64_t n, void *stream, const F &f)
{
    const unsigned blocks = (unsigned)((n + THREADS * EACH - 1) / (THREADS * EACH));
    each_element<<<blocks, THREADS, 0, (cudaStream_t)stream>>>((uint64_t)n, f);
    return (int)cudaGetLastError();
}

} // namespace cupric

#endif
