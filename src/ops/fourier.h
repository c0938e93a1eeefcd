/* ops/fourier.h: Fourier transforms of arrays: from operands to calls of a backend. */
#ifndef CUPRIC_OPS_FOURIER_H
#define CUPRIC_OPS_FOURIER_H

#include "layout/array.h"

/* A new array for what cu_fourier() writes: in `order`, 'C' or 'K' (as a), or in that which
 * the device writes without a copy. */
cu_status cu_fourier_output(const cu_array *a, cu_dtype dtype, const int64_t *shape,
                            char order, cu_fft *call, cu_array *out);

/* Transform `a` into `out`, on its device, as `call` says, whose views are filled in here.
 * The complex transform takes real numbers, too, whatever their dtype; of complex ones,
 * both may be the same array. */
cu_status cu_fourier(const cu_array *a, cu_array *out, cu_fft *call);

#endif
