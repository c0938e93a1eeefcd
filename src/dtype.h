/* dtype.h: element types, as small integers with tables of their properties. */
#ifndef CUPRIC_DTYPE_H
#define CUPRIC_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cu_dtype {
#define DTYPE(NAME, name, ch, ctype, size, kind) CUPRIC_##NAME,
#include "dtypes.def"
#undef DTYPE
    CUPRIC_N_DTYPES,
    CUPRIC_NO_DTYPE = -1
} cu_dtype;

typedef struct cu_dtype_info {
    const char *name;  /* NumPy's */
    const char *ctype; /* in device code */
    char letter;       /* in signatures */
    char kind;         /* b i u f c; opaque: M m V */
    int size;          /* bytes, also the alignment of the real part's type and below */
} cu_dtype_info;

/* Opaque dtypes (times, structures, plain bytes) are numbered from CUPRIC_OPAQUE on as
 * programs come to use them, and stay. Their elements are moved, by width, and never
 * computed with: no signature has one and no backend meets one (ops/iter.c shows them as
 * integers). What they mean is Python's to know, layout/py_object.c. */
enum { CUPRIC_OPAQUE = 32, CUPRIC_MAX_DTYPES = 4096 };

/* Filled as dtypes come up. A backend has the ordinary dtypes' entries. */
extern cu_dtype_info cu_dtypes[];

static inline int
cu_itemsize(cu_dtype t)
{
    return cu_dtypes[t].size;
}

static inline bool
cu_is_opaque(cu_dtype t)
{
    return (int)t >= CUPRIC_OPAQUE;
}

/* The number of one more opaque dtype, or CUPRIC_NO_DTYPE when all are given out. `name`
 * is borrowed for ever. Callers take turns (they hold the GIL). */
cu_dtype cu_dtype_register(const char *name, char kind, int size);

/* One element of any dtype, as a kernel takes it by value. */
typedef union cu_scalar {
    bool b;
    int64_t i; /* integers are stored in their own width: see cu_scalar_set_* */
    uint64_t u;
    float f;
    double d;
    unsigned char bytes[16];
} cu_scalar;

/* The dtype of a letter, or CUPRIC_NO_DTYPE. */
cu_dtype cu_dtype_from_letter(char letter);

/* Whether every value of `from` survives a cast to `to` (NumPy's "safe"). */
bool cu_can_cast_safely(cu_dtype from, cu_dtype to);
/* Safe, or within one kind, or to a higher kind (NumPy's "same_kind"). */
bool cu_can_cast_same_kind(cu_dtype from, cu_dtype to);
/* The smallest dtype both cast to safely (NumPy's promote_types). Two dtypes of which one
 * is opaque have none: CUPRIC_NO_DTYPE. */
cu_dtype cu_promote(cu_dtype a, cu_dtype b);

/* Which of two dtypes, neither opaque, has the higher kind, or is wider. Of many the leading
 * one is promoted with each of the others, as NumPy does: int8, uint16 and float32 have
 * float32 in common, although int8 and uint16 have int32. */
cu_dtype cu_leading(cu_dtype a, cu_dtype b);

/* Write a value into *out in the representation of `t`. Integers wrap, floats round. */
void cu_scalar_set_int(cu_scalar *out, cu_dtype t, int64_t value);
void cu_scalar_set_uint(cu_scalar *out, cu_dtype t, uint64_t value);
void cu_scalar_set_complex(cu_scalar *out, cu_dtype t, double re, double im);
/* Read back; imaginary parts through `im` when it is not NULL. */
double cu_scalar_get_double(const cu_scalar *s, cu_dtype t, double *im);
int64_t cu_scalar_get_int(const cu_scalar *s, cu_dtype t);

/* IEEE binary16 and bfloat16 from and to double, round to nearest even. */
uint16_t cu_half_from_double(double x);
double cu_half_to_double(uint16_t h);
uint16_t cu_bfloat16_from_double(double x);
double cu_bfloat16_to_double(uint16_t h);

#ifdef __cplusplus
}
#endif

#endif
