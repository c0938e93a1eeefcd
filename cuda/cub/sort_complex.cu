/* cub/sort_complex.cu: complex numbers of 64 bits, sorted by their codes. */
#include "cupric/complex_code.hpp"
#include "launch.cuh"
#include "sorts.h"

namespace cupric {

namespace {

struct encode {
    const complex_bits *z;
    uint64_t *code;
    __device__ void operator()(uint64_t i) const { code[i] = complex_code(z[i]); }
};

struct encode_rank {
    const complex_bits *z;
    uint64_t *code;
    __device__ void operator()(uint64_t i) const { code[i] = complex_rank_code(z[i]); }
};

struct decode { /* in place */
    uint64_t *code;
    __device__ void operator()(uint64_t i) const
    {
        const complex_bits z = complex_at_code(code[i]);
        code[i] = (uint64_t)z.im << 32 | z.re;
    }
};

} // namespace

/* Codes lie where the keys are to be, or, where these come from elsewhere or stay, one of
 * two buffers is taken off the room. */
int
sort_complex(const cu_cub_sort &args, size_t *temp_nbytes)
{
    const bool needs_room = args.order || args.source;
    const size_t room = needs_room ? ((size_t)args.n * 8 + 255) / 256 * 256 : 0;
    const auto *const z = (const complex_bits *)(args.source ? args.source : args.keys);
    cu_cub_sort codes = args;
    size_t nbytes = *temp_nbytes - room;

    codes.kind = CUPRIC_CUB_UNSIGNED;
    codes.source = nullptr;
    if (args.temp) {
        codes.temp = (char *)args.temp + room;
        if (args.order) codes.keys = args.temp;
        if (args.source && !args.order) codes.other = args.temp;
        auto *const code = (uint64_t *)codes.keys;
        const int r = args.order ? for_each(args.n, args.stream, encode_rank{z, code})
                                 : for_each(args.n, args.stream, encode{z, code});
        if (r) return r;
    }
    const int r = sort_wide(codes, &nbytes);
    if (!args.temp) *temp_nbytes = nbytes + room;
    if (r || !args.temp || args.order) return r;
    return for_each(args.n, args.stream, decode{(uint64_t *)args.keys});
}

} // namespace cupric
