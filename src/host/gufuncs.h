/* host/gufuncs.h: NumPy's BLAS, LAPACK and FFT by the inner loops of its generalized
 * ufuncs, which are public members of PyUFuncObject.
 *
 * A loop takes addresses, sizes and strides: it needs no array of Python's and no GIL,
 * and several threads may run it. A call costs a fifth of a microsecond, where the
 * functions of numpy.linalg and numpy.fft take five to ten.
 */
#ifndef CUPRIC_HOST_GUFUNCS_H
#define CUPRIC_HOST_GUFUNCS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cu_gufunc {
    CU_GUFUNC_MATMUL,
    CU_GUFUNC_VECDOT, /* the first conjugated */
    CU_GUFUNC_SOLVE,
    CU_GUFUNC_INV,
    CU_GUFUNC_DET,
    CU_GUFUNC_SLOGDET,
    CU_GUFUNC_CHOLESKY,
    CU_GUFUNC_SVD_REDUCED,
    CU_GUFUNC_SVD_COMPLETE,
    CU_GUFUNC_SVDVALS,
    CU_GUFUNC_EIGH_LOWER,
    CU_GUFUNC_EIGH_UPPER,
    CU_GUFUNC_EIGVALSH_LOWER,
    CU_GUFUNC_EIGVALSH_UPPER,
    CU_GUFUNC_QR, /* reflectors in place of the matrix, and their scales */
    CU_GUFUNC_QR_REDUCED,
    CU_GUFUNC_QR_COMPLETE,
    CU_GUFUNC_LSTSQ, /* also takes rcond, and gives the residuals */
    CU_GUFUNC_FFT,   /* of these the second operand is a real factor */
    CU_GUFUNC_IFFT,
    CU_GUFUNC_RFFT_EVEN,
    CU_GUFUNC_RFFT_ODD,
    CU_GUFUNC_IRFFT,
    CU_N_GUFUNCS
} cu_gufunc;

/* Run it over its operands, inputs first: views of `batch` leading axes, in which an input
 * may have strides of 0, and then the axes of one matrix or vector. False, with nothing
 * done, where this NumPy has no such loop for the dtype of the first, or where there is
 * nothing to do, or elements are not aligned. LAPACK's loops set FE_INVALID where they fail
 * and clear it where not. */
bool cu_gufunc_run(cu_gufunc which, int batch, const cu_view *const *operands);

#ifdef __cplusplus
}
#endif
#endif
