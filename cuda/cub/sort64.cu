/* cub/sort64.cu: keys of 64 bits. */
#include "radix.cuh"

namespace cupric {

int
sort64(const cu_cub_sort &args, size_t *temp_nbytes)
{
    return args.order ? sort_places<uint64_t>(args, temp_nbytes)
                      : sort_keys<uint64_t>(args, temp_nbytes);
}

} // namespace cupric
