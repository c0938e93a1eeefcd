/* cub/sort16.cu: keys of 16 bits. */
#include "radix.cuh"

namespace cupric {

int
sort16(const cu_cub_sort &args, size_t *temp_nbytes)
{
    return args.order ? sort_places<uint16_t>(args, temp_nbytes)
                      : sort_keys<uint16_t>(args, temp_nbytes);
}

} // namespace cupric
