/* cub/sort8.cu: keys of 8 bits. */
#include "radix.cuh"

namespace cupric {

int
sort8(const cu_cub_sort &args, size_t *temp_nbytes)
{
    return args.order ? sort_places<uint8_t>(args, temp_nbytes)
                      : sort_keys<uint8_t>(args, temp_nbytes);
}

} // namespace cupric
