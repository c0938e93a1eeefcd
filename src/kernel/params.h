/* kernel/params.h: the parameter lists of user kernels: "T x, raw float32 y, Z z". */
#ifndef CUPRIC_KERNEL_PARAMS_H
#define CUPRIC_KERNEL_PARAMS_H

#include <stdbool.h>

#include "dtype.h"
#include "status.h"

enum { CUPRIC_MAXPARAMS = 32, CUPRIC_PARAM_NAME = 64 };

typedef struct cu_param {
    char name[CUPRIC_PARAM_NAME];
    char type[CUPRIC_PARAM_NAME]; /* as written */
    cu_dtype dtype;               /* CUPRIC_NO_DTYPE: `type` is a placeholder */
    bool raw;                     /* indexed by the operation */
    bool is_const;
    bool viewed; /* the texts mention `_raw_` and its name */
} cu_param;

/* Inputs, then outputs. */
typedef struct cu_params {
    int nin, nout;
    cu_param at[CUPRIC_MAXPARAMS];
} cu_params;

/* Append the parameters of `text` to *p, as inputs (const) or outputs. CUPRIC_ERR_VALUE
 * or CUPRIC_ERR_TYPE with what is wrong. */
cu_status cu_params_parse(const char *text, bool outputs, cu_params *p);

/* Names are C identifiers, all different, and not those that the loop uses. */
cu_status cu_params_check(const cu_params *p);

#endif
