/* cupy/float16.cuh: float16, which computes as float and is rounded where it is stored.
 *
 * CuPy's header includes <cuda_fp16.h>, so that kernels that include this one use __half,
 * too; both are 16 bits of the same meaning.
 */
#ifndef CUPRIC_CUPY_FLOAT16_CUH
#define CUPRIC_CUPY_FLOAT16_CUH

#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#include "cupric/device_types.hpp"
typedef cupric::half float16;

#endif
