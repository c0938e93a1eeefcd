/* cub/table.cu: the table that the library exports, and the positions that keys carry. */
#include <cuda_runtime.h>

#include "cub.h"

namespace cupric {

int sort_narrow(const cu_cub_sort &args, size_t *temp_nbytes);
int sort_wide(const cu_cub_sort &args, size_t *temp_nbytes);
int places_begin(const cu_cub_sort &args);
int places_end(const cu_cub_sort &args);

namespace {

constexpr int THREADS = 256, EACH = 8;

/* places[i] = i. A thread for eight places, `THREADS` apart. */
__global__ void
number(uint32_t *places, uint32_t n)
{
    const uint32_t first = blockIdx.x * (THREADS * EACH) + threadIdx.x;
    for (int k = 0; k < EACH; k++) {
        const uint32_t i = first + k * THREADS;
        if (i < n && i >= first) places[i] = i;
    }
}

/* order[i] = places[i]. The same launch. */
__global__ void
widen(const uint32_t *places, int64_t *order, uint32_t n)
{
    const uint32_t first = blockIdx.x * (THREADS * EACH) + threadIdx.x;
    for (int k = 0; k < EACH; k++) {
        const uint32_t i = first + k * THREADS;
        if (i < n && i >= first) order[i] = places[i];
    }
}

unsigned
blocks_of(int64_t n)
{
    return (unsigned)((n + THREADS * EACH - 1) / (THREADS * EACH));
}

int
sort(const cu_cub_sort *args, size_t *temp_nbytes)
{
    return args->nbytes < 4 ? sort_narrow(*args, temp_nbytes)
                            : sort_wide(*args, temp_nbytes);
}

const char *
error_name(int error)
{
    return cudaGetErrorName((cudaError_t)error);
}

int
works(void)
{
    cudaFuncAttributes found;
    const bool yes = cudaFuncGetAttributes(&found, widen) == cudaSuccess;
    cudaGetLastError(); /* forgotten */
    return yes;
}

const cu_cub table = {CUPRIC_CUB_ABI, sort, error_name, works};

} // namespace

int
places_begin(const cu_cub_sort &args)
{
    number<<<blocks_of(args.n), THREADS, 0, (cudaStream_t)args.stream>>>(
        args.places[0], (uint32_t)args.n);
    return (int)cudaGetLastError();
}

int
places_end(const cu_cub_sort &args)
{
    widen<<<blocks_of(args.n), THREADS, 0, (cudaStream_t)args.stream>>>(
        args.places[1], args.order, (uint32_t)args.n);
    return (int)cudaGetLastError();
}

} // namespace cupric

extern "C" __attribute__((visibility("default"))) cu_cub_entry cupric_cub;

const cu_cub *
cupric_cub(void)
{
    return &cupric::table;
}
