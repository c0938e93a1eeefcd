/* host/matmul.cpp: matrix products. float32, float64 and complex go to NumPy's BLAS. */
#include "host/entries.h"
#include "host/numpy.h"

cu_status
cu_host_matmul(const cu_matmul *args, cu_stream *)
{
    return cu_numpy_matmul(&args->a, &args->b, &args->c);
}
