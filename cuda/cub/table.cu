/* cub/table.cu: the table that the library exports, and the positions that keys carry. */
#include "launch.cuh"
#include "sorts.h"

namespace cupric {

namespace {

struct number { /* places[i] = i */
    uint32_t *places;
    __device__ void operator()(uint64_t i) const { places[i] = (uint32_t)i; }
};

struct widen { /* order[i] = places[i] */
    const uint32_t *places;
    int64_t *order;
    __device__ void operator()(uint64_t i) const { order[i] = places[i]; }
};

int
sort(const cu_cub_sort *args, size_t *temp_nbytes)
{
    if (args->kind == CUPRIC_CUB_COMPLEX) return sort_complex(*args, temp_nbytes);
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
    const bool yes = cudaFuncGetAttributes(&found, each_element<widen>) == cudaSuccess;
    cudaGetLastError(); /* forgotten */
    return yes;
}

const cu_cub table = {CUPRIC_CUB_ABI, sort, error_name, works};

} // namespace

int
places_begin(const cu_cub_sort &args)
{
    return for_each(args.n, args.stream, number{args.places[0]});
}

int
places_end(const cu_cub_sort &args)
{
    return for_each(args.n, args.stream, widen{args.places[1], args.order});
}

} // namespace cupric

extern "C" __attribute__((visibility("default"))) cu_cub_entry cupric_cub;

const cu_cub *
cupric_cub(void)
{
    return &cupric::table;
}
