/* cub/sort_wide.cu: keys of 32 and of 64 bits. */
#include "radix.cuh"

namespace cupric {

int
sort_wide(const cu_cub_sort &args, size_t *temp_nbytes)
{
    return args.nbytes == 4 ? sort<uint32_t>(args, temp_nbytes)
                            : sort<uint64_t>(args, temp_nbytes);
}

} // namespace cupric
