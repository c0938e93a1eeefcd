/* cuda/services.h: what the core lent when it loaded this library. */
#ifndef CUPRIC_CUDA_SERVICES_H
#define CUPRIC_CUDA_SERVICES_H

#include "device/backend.h"

extern const cu_services *cu_cuda_services; /* static, set before anything else */

#endif
