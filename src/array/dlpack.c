/* array/dlpack.c: see dlpack.h. */
#include "array/dlpack.h"

#include <stddef.h>

static const struct {
    char kind; /* of cu_dtypes; 'E' is bfloat16 */
    uint8_t code;
} codes[] = {
    {'b', CUPRIC_DL_BOOL},   {'i', CUPRIC_DL_INT},   {'u', CUPRIC_DL_UINT},
    {'E', CUPRIC_DL_BFLOAT}, {'f', CUPRIC_DL_FLOAT}, {'c', CUPRIC_DL_COMPLEX},
};

int
cu_dl_code(cu_dtype t)
{
    const char kind = t == CUPRIC_BFLOAT16 ? 'E' : cu_dtypes[t].kind;

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].kind == kind) return codes[i].code;
    }
    return -1;
}

cu_dtype
cu_dl_dtype_find(cu_dl_dtype d)
{
    for (int t = 0; t < CUPRIC_N_DTYPES && d.lanes == 1; t++) {
        if (cu_itemsize((cu_dtype)t) * 8 == d.bits &&
            cu_dl_code((cu_dtype)t) == d.code) {
            return (cu_dtype)t;
        }
    }
    return CUPRIC_NO_DTYPE;
}
