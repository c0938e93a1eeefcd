/* host/matmul_vector.h: matrices by vectors. */
#ifndef CUPRIC_HOST_MATMUL_VECTOR_H
#define CUPRIC_HOST_MATMUL_VECTOR_H

#include "device/backend.h"

/* Multiply, where nothing is empty; false, with nothing done, for what is better left to
 * BLAS, or to blocks. */
bool cu_matmul_by_vector(const cu_matmul *args);

#endif
