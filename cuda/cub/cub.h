/* cub/cub.h: what _cub.so does: device-wide sorts by CUB, the toolkit's library of
 * headers, which nvcc alone compiles.
 *
 * The library is opened by the CUDA device (src/cuda/cub.c) at the first sort that it is
 * good for. It shares the device's primary context and streams, and allocates nothing.
 */
#ifndef CUPRIC_CUB_CUB_H
#define CUPRIC_CUB_CUB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUPRIC_CUB_ABI 3

typedef enum cu_cub_kind {
    CUPRIC_CUB_UNSIGNED,
    CUPRIC_CUB_SIGNED,
    CUPRIC_CUB_FLOAT,
    CUPRIC_CUB_BOOL,   /* any byte but 0 is True; sorted for themselves, 0 and 1 */
    CUPRIC_CUB_COMPLEX /* of two floats, aligned to their size */
} cu_cub_kind;

/* A radix sort of n keys in NumPy's order, NaN after all else whatever its sign. Keys come
 * back bit for bit: -0.0 before 0.0, NaNs by their bits; but of a complex number's one NaN
 * see cupric/complex_code.hpp. With `order` it is stable, all
 * zeros equal and all NaNs. */
typedef struct cu_cub_sort {
    cu_cub_kind kind;
    int nbytes;         /* of a key: 1, 2, 4 or 8 */
    int exponent_nbits; /* CUPRIC_CUB_FLOAT */
    int descending;     /* the opposite order, equal keys as they were */
    int64_t n;
    void *keys;          /* sorted in place, or with `order` left as they are */
    const void *source;  /* NULL, or where the keys come from, which stay as they are */
    void *other;         /* room for n keys, unless there is a source */
    uint32_t *places[2]; /* with `order`: room for n places each; [0] may lie in it */
    int64_t *order;      /* NULL, or receives what position each key had: n < 2**31 */
    void *temp;          /* room for *temp_nbytes */
    void *stream;        /* the driver's, of the current context */
} cu_cub_sort;

typedef struct cu_cub {
    int abi; /* CUPRIC_CUB_ABI */
    /* Queue a sort; with temp NULL only say how much room it needs. Returns the
     * runtime's error, 0 for none. */
    int (*sort)(const cu_cub_sort *args, size_t *temp_nbytes);
    const char *(*error_name)(int error);
    /* Whether there is code for the device of the current context. */
    int (*works)(void);
} cu_cub;

/* The one symbol that the library exports. */
typedef const cu_cub *cu_cub_entry(void);

#ifdef __cplusplus
}
#endif

#endif
