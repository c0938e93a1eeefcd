/* host/fft_lines.h: Fourier transforms along one axis, of rows at even distances. */
#ifndef CUPRIC_HOST_FFT_LINES_H
#define CUPRIC_HOST_FFT_LINES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/cpu.h"

typedef enum cu_fft_lines_kind {
    CU_FFT_COMPLEX,   /* n to n */
    CU_FFT_FROM_REAL, /* n real numbers to n / 2 + 1 complex ones; n is even */
    CU_FFT_TO_REAL,   /* the other way, inverse */
    CU_FFT_COSINE,    /* n real numbers to n, of `type` */
    CU_FFT_SINE
} cu_fft_lines_kind;

/* `in` and `out` may be the same memory, in the same order. */
typedef struct cu_fft_lines {
    cu_fft_lines_kind kind;
    bool single; /* float32, complex64; else float64, complex128 */
    bool inverse;
    int type;        /* 1 to 4, of cosines and sines */
    bool orthogonal; /* the terms at the ends are scaled for it */
    int64_t n;       /* points of the longer side */
    int64_t rows;    /* transforms */
    const char *in;
    char *out;
    int64_t in_step, out_step; /* bytes from point to point */
    int64_t in_row, out_row;   /* bytes from row to row */
    double scale;
} cu_fft_lines;

#ifdef __cplusplus
extern "C" {
#endif

extern pthread_mutex_t cu_fft_plans_lock; /* guards the plans that are kept */

void cu_fft_init(void); /* once, before the rest */

/* False where memory lacks; what is written then is no result. Any thread. */
typedef bool cu_fft_engine(const cu_fft_lines *lines);
cu_fft_engine cu_fft_engine_base, cu_fft_engine_v3;

#ifdef __cplusplus
}
#endif

#endif
