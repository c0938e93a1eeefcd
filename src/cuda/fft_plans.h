/* cuda/fft_plans.h: cuFFT's plans, kept for a device, and transforms by them. */
#ifndef CUPRIC_CUDA_FFT_PLANS_H
#define CUPRIC_CUDA_FFT_PLANS_H

#include "device/backend.h"

#define MAX_RANK 3 /* axes that cuFFT transforms at once */

/* How the elements of one side lie, in elements: as cufftMakePlanMany64 is told. */
typedef struct cu_fft_layout {
    long long embed[MAX_RANK]; /* rows of axis i begin embed[i] elements of it apart */
    long long step, row;       /* along the last axis; from one transform to the next */
} cu_fft_layout;

/* One plan's transforms, executed for several pieces of memory. Without padding: a plan is
 * found by these bytes, where what is behind `rank` is zero. */
typedef struct cu_fft_work {
    int kind; /* cu_fft_kind */
    int wide; /* float64 */
    long long rank, n[MAX_RANK], batch;
    cu_fft_layout in, out;
    int64_t pieces, in_piece, out_piece; /* and bytes from one to the next */
} cu_fft_work;

/* The transform back to real numbers may overwrite its input. */
cu_status cu_cuda_fft_run(const cu_fft_work *w, char *in, char *out, bool inverse,
                          cu_stream *s);

/* Free the plans that are kept for a device. */
void cu_cuda_fft_drop_plans(int ordinal);

#endif
