/* ops/fourier.h: Fourier transforms of arrays: from operands to calls of a backend. */
#ifndef CUPRIC_OPS_FOURIER_H
#define CUPRIC_OPS_FOURIER_H

#include "layout/array.h"

/* Transform `a` into `out`, on its device, as `call` says, whose views are filled in here.
 * The complex transform takes real numbers of its precision, too. */
cu_status cu_fourier(const cu_array *a, cu_array *out, cu_fft *call);

#endif
