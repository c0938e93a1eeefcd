/* cub/sort32.cu: keys of 32 bits. */
#include "radix.cuh"

namespace cupric {

int
sort32(const cu_cub_sort &args, size_t *temp_nbytes)
{
    return args.order ? sort_places<uint32_t>(args, temp_nbytes)
                      : sort_keys<uint32_t>(args, temp_nbytes);
}

} // namespace cupric
