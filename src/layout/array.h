/* layout/array.h: what an array is: a dtype, a shape and strides over a storage.
 *
 * A cu_array is a value that can live on a stack or inside a Python object. `{0}` is the
 * empty state that releases safely. An array shares its storage with its views; the
 * functions here that make views never copy elements and never touch device memory.
 */
#ifndef CUPRIC_LAYOUT_ARRAY_H
#define CUPRIC_LAYOUT_ARRAY_H

#include "device/backend.h"
#include "memory/storage.h"

enum {
    CUPRIC_C_CONTIGUOUS = 1,
    CUPRIC_F_CONTIGUOUS = 2,
    CUPRIC_WRITEABLE = 4,
    CUPRIC_OWNDATA = 8 /* made together with its storage, not a view */
};

typedef struct cu_array {
    cu_storage *storage; /* owned */
    int64_t offset;      /* bytes from the storage's start to element 0…0 */
    int64_t size;        /* elements */
    cu_dtype dtype;
    int ndim;
    unsigned flags; /* CUPRIC_C_CONTIGUOUS | … */
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t strides[CUPRIC_MAXDIMS]; /* bytes */
} cu_array;

/* A new array of undefined contents on `device`. `order` is 'C' or 'F'.
 * CUPRIC_ERR_VALUE for negative or overflowing sizes, CUPRIC_ERR_MEMORY. */
cu_status cu_array_init(cu_array *out, cu_device *device, cu_dtype dtype, int ndim,
                        const int64_t *shape, char order);
/* The same with the axes laid out in memory as in `like` (order 'K'), of the same ndim. */
cu_status cu_array_init_like(cu_array *out, cu_device *device, cu_dtype dtype,
                             const cu_array *like);
/* Whether the strides of `like` say how its axes lie: not those of a broadcast array, for
 * which NumPy's operations make results in C order. */
bool cu_array_has_order(const cu_array *like);
/* The same with given strides, over new memory from the lowest element to the highest. */
cu_status cu_array_init_strided(cu_array *out, cu_device *device, cu_dtype dtype,
                                int ndim, const int64_t *shape, const int64_t *strides);
/* A view of `storage` (a reference is taken), flags computed; writeable. */
void cu_array_init_view(cu_array *out, cu_storage *storage, int64_t offset,
                        cu_dtype dtype, int ndim, const int64_t *shape,
                        const int64_t *strides);
/* Let it hold nothing, so that it can be released. The rest stays as it is: to set all of
 * an array that has room for 64 axes takes longer than a short call has. */
static inline void
cu_array_clear(cu_array *a)
{
    a->storage = NULL;
}
/* One that holds nothing, to begin with what is to be released or moved. Unlike {0}, for
 * the same reason, of undefined dtype, size and shape. */
static inline cu_array
cu_array_none(void)
{
    cu_array a;
    a.storage = NULL;
    a.ndim = 0;
    return a;
}
/* *out = *a, which holds nothing afterwards. No axes are copied that are not there: an array
 * has room for 64. */
void cu_array_move(cu_array *out, cu_array *a);
/* A second array over the same memory: *out = *a with a new reference. */
void cu_array_alias(cu_array *out, const cu_array *a);
void cu_array_release(cu_array *a); /* {0} is fine; leaves {0} */

/* Recompute size and the contiguity flags after shape or strides were set. */
void cu_array_update_flags(cu_array *a);

static inline cu_device *
cu_array_device(const cu_array *a)
{
    return a->storage->device;
}

/* The device address of element 0…0, for the stated use (storage.h). */
static inline char *
cu_array_access(const cu_array *a, int access)
{
    return cu_storage_access(a->storage, access) + a->offset;
}

static inline bool
cu_array_is_contiguous(const cu_array *a)
{
    return (a->flags & CUPRIC_C_CONTIGUOUS) != 0;
}

/* Byte range [lo, hi) of the storage that the elements occupy. */
void cu_array_extent(const cu_array *a, int64_t *lo, int64_t *hi);
/* Whether the two can share a byte (by ranges: may say yes for interleaved views). */
bool cu_arrays_overlap(const cu_array *a, const cu_array *b);
/* Same memory, dtype size, shape and strides: elementwise work in place is safe. */
bool cu_arrays_same_view(const cu_array *a, const cu_array *b);
/* Whether two different indices reach one byte (a broadcast or otherwise folded view). */
bool cu_array_overlaps_itself(const cu_array *a);

/* The plain description that backends take. */
void cu_array_view_of(const cu_array *a, int access, cu_view *out);

/* Write "(2, 3)" for messages; returns buf. */
const char *cu_shape_text(int ndim, const int64_t *shape, char *buf, size_t nbuf);
enum { CUPRIC_SHAPE_TEXT = 256 };

/* ---- shapes ------------------------------------------------------------------------ */

/* C- or F-order strides for a shape. */
void cu_strides_fill(cu_dtype dtype, int ndim, const int64_t *shape, char order,
                     int64_t *strides);
/* The product of a shape; CUPRIC_ERR_VALUE when negative or when size * itemsize leaves
 * the range of int64. */
cu_status cu_shape_size(cu_dtype dtype, int ndim, const int64_t *shape, int64_t *size);

/* Join `shape` into the broadcast shape kept in (*ndim, out). False when they clash. */
bool cu_shape_broadcast(int *ndim, int64_t *out, int ndim2, const int64_t *shape2);
/* Strides of `a` seen as `shape` (which it broadcasts to); 0 on new or stretched axes. */
void cu_array_broadcast_strides(const cu_array *a, int ndim, int64_t *strides);

/* Bring an axis into [0, ndim); CUPRIC_ERR_AXIS with NumPy's words. */
cu_status cu_axis_normalize(int64_t axis, int ndim, int *out);

/* ---- views (views.c): *out shares `a`'s memory and writeability --------------------- */

cu_status cu_array_broadcast_to(const cu_array *a, int ndim, const int64_t *shape,
                                cu_array *out); /* read-only */
/* A view of the new shape (one length may be -1), or *copied = true and *out untouched
 * when no strides can express it. `order` 'C', 'F' or 'A'. */
cu_status cu_array_reshape(const cu_array *a, int ndim, const int64_t *shape,
                           char order, cu_array *out, bool *needs_copy);
/* The lengths with -1 resolved; CUPRIC_ERR_VALUE when the sizes do not match. */
cu_status cu_shape_resolve(int64_t size, int ndim, const int64_t *given,
                           int64_t *shape);
/* axes: a permutation, or NULL to reverse. */
cu_status cu_array_transpose(const cu_array *a, const int *axes, cu_array *out);
cu_status cu_array_squeeze(const cu_array *a, const bool *drop, cu_array *out);
cu_status cu_array_diagonal(const cu_array *a, int64_t offset, int axis1, int axis2,
                            cu_array *out);
/* Elements start, start + step, … (`length` of them) along `axis`. */
void cu_array_slice(const cu_array *a, int axis, int64_t start, int64_t step,
                    int64_t length, cu_array *out);
/* The same bytes as another dtype (NumPy's rules for the last axis). */
cu_status cu_array_reinterpret(const cu_array *a, cu_dtype dtype, cu_array *out);

/* *out = *a without a reference of its own: the description, and no more of its axes than
 * there are (copying all 64 would be most of the cost of a small access). */
static inline void
cu_array_borrow(cu_array *out, const cu_array *a)
{
    out->storage = a->storage;
    out->offset = a->offset;
    out->size = a->size;
    out->dtype = a->dtype;
    out->ndim = a->ndim;
    out->flags = a->flags;
    for (int i = 0; i < a->ndim; i++) {
        out->shape[i] = a->shape[i];
        out->strides[i] = a->strides[i];
    }
}

#endif
