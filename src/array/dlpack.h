/* array/dlpack.h: the DLPack exchange format, ABI version 1: arrays handed from one
 * library to another without a copy. Laid out as https://dmlc.github.io/dlpack lays it
 * out; the names are ours.
 */
#ifndef CUPRIC_ARRAY_DLPACK_H
#define CUPRIC_ARRAY_DLPACK_H

#include <stdint.h>

#include "dtype.h"

/* Names of capsules: of an unversioned and a versioned tensor, and once it was taken. */
#define CUPRIC_DL_LEGACY "dltensor"
#define CUPRIC_DL_LEGACY_USED "used_dltensor"
#define CUPRIC_DL_VERSIONED "dltensor_versioned"
#define CUPRIC_DL_VERSIONED_USED "used_dltensor_versioned"

enum { CUPRIC_DLPACK_MAJOR = 1, CUPRIC_DLPACK_MINOR = 0 };

enum { /* device types used here */
       CUPRIC_DL_CPU = 1,
       CUPRIC_DL_CUDA = 2,
       CUPRIC_DL_CUDA_HOST = 3,
       CUPRIC_DL_CUDA_MANAGED = 13
};

enum { /* type codes */
       CUPRIC_DL_INT = 0,
       CUPRIC_DL_UINT = 1,
       CUPRIC_DL_FLOAT = 2,
       CUPRIC_DL_BFLOAT = 4,
       CUPRIC_DL_COMPLEX = 5,
       CUPRIC_DL_BOOL = 6
};

enum { /* flags */
       CUPRIC_DL_READ_ONLY = 1,
       CUPRIC_DL_IS_COPIED = 2
};

typedef struct cu_dl_device {
    int32_t type;
    int32_t id;
} cu_dl_device;

typedef struct cu_dl_dtype {
    uint8_t code, bits;
    uint16_t lanes;
} cu_dl_dtype;

typedef struct cu_dl_tensor {
    void *data;
    cu_dl_device device;
    int32_t ndim;
    cu_dl_dtype dtype;
    int64_t *shape;
    int64_t *strides; /* elements; NULL: C order */
    uint64_t byte_offset;
} cu_dl_tensor;

/* What a capsule "dltensor" holds. */
typedef struct cu_dl_managed {
    cu_dl_tensor tensor;
    void *context;
    void (*deleter)(struct cu_dl_managed *self);
} cu_dl_managed;

/* What a capsule "dltensor_versioned" holds. */
typedef struct cu_dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct cu_dl_versioned *self);
    uint64_t flags;
    cu_dl_tensor tensor;
} cu_dl_versioned;

/* The type code of a dtype; -1: DLPack has none. The dtype of a type, or
 * CUPRIC_NO_DTYPE. */
int cu_dl_code(cu_dtype t);
cu_dtype cu_dl_dtype_find(cu_dl_dtype d);

#endif
