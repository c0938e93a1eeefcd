/* cuda/cub.h: _cub.so, opened when it is first wanted. */
#ifndef CUPRIC_CUDA_CUB_H
#define CUPRIC_CUDA_CUB_H

#include <stdbool.h>

#include "cub/cub.h"
#include "status.h"

/* Whether the library is there and has code for the device. The answer is looked up once
 * for each device, and makes its context current. */
bool cu_cuda_has_cub(int ordinal);

/* As cu_cub.sort, of the library that is there. */
cu_status cu_cuda_cub_sort(const cu_cub_sort *args, size_t *temp_nbytes);

#endif
