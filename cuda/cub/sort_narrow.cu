/* cub/sort_narrow.cu: keys of 8 and of 16 bits. */
#include "radix.cuh"

namespace cupric {

int
sort_narrow(const cu_cub_sort &args, size_t *temp_nbytes)
{
    return args.nbytes == 1 ? sort<uint8_t>(args, temp_nbytes)
                            : sort<uint16_t>(args, temp_nbytes);
}

} // namespace cupric
