/* cuda/index.c: gather, scatter and scatter with an operation.
 *
 * Of repeated indices the last one's value stays: a table has the number of the last one for
 * each element of the array, or, where the array is much larger than what is assigned, for
 * each place in a hash. Any one's stays where that would take gigabytes: of more than MANY
 * elements in an array more than DENSE times as large. An operation whose order does
 * not matter is applied by all threads at once, any other by one thread in index order.
 */
#include <stddef.h>
#include <string.h>

#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "device/units.h"

#define LARGE 16384    /* elements for which it pays to look at the rows */
#define MANY (1 << 24) /* elements whose places are noted in a hash */
#define DENSE 4        /* elements of an array for one assigned: each has an entry */

enum { ARRAY, VALUES, INDICES }; /* operands */
enum {
    SCATTER_ONE_BLOCK = 1,
    SCATTER_NOTE,
    SCATTER_NOTED,
    SCATTER_MARK,
    SCATTER_MARKED
};

static void
put_params(cu_params *p, const cu_index *args, void *found, int64_t which)
{
    const cu_iter *it = args->it;
    const int nindex = args->nindex;
    const size_t nbytes = (size_t)(nindex ? nindex : 1) * sizeof(int64_t);
    const cu_index_head head = {
        .immediate = it->op[VALUES].ptr == NULL,
        .found = found,
        .which = which,
    };

    cu_params_start(p, &head, sizeof head);
    cu_params_slots(p, it, 0, INDICES + nindex);
    cu_params_add(p, args->length, nbytes);
    cu_params_add(p, args->stride, nbytes);
    cu_params_iter(p, it, 0, it->ndim, INDICES + nindex);
}

static cu_kernel_key
key_of(cu_family family, const cu_index *args)
{
    cu_kernel_key key = cu_key(family);
    key.rank[0] = (uint8_t)cu_cuda_rank(args->it->ndim);
    key.rank[1] = (uint8_t)args->nindex;
    key.type[0] = (uint8_t)cu_unit_dtype(cu_itemsize(args->it->op[ARRAY].dtype));
    if (args->it->index64) key.flags |= CUPRIC_KEY_WIDE;
    return key;
}

/* The index at C-order position i of the iteration, in words. */
static cu_status
fail_at(const cu_index *args, int k, int64_t i, cu_stream *s)
{
    const cu_iter *it = args->it;
    const cu_operand *op = &it->op[INDICES + k];
    const char *p = op->ptr;
    int64_t bad;
    cu_status st;

    for (int d = it->ndim - 1; d >= 0; d--) {
        p += i % it->shape[d] * op->strides[d];
        i /= it->shape[d];
    }
    st = cu_cuda_copy(&bad, p, sizeof bad, CUPRIC_COPY_TO_HOST, s);
    if (st) return st;
    return cu_fail(CUPRIC_ERR_INDEX,
                   "index %lld is out of bounds for axis %d with size %lld",
                   (long long)bad, args->axis[k], (long long)args->length[k]);
}

static cu_status
check_index(const cu_index *args, const cu_kernels *kernels, int k, void *found,
            cu_stream *s)
{
    uint64_t first;
    cu_params p;
    cu_status st = cu_cuda_fill(found, 0xff, sizeof first, s);

    put_params(&p, args, found, k);
    if (!st) {
        st = cu_kernels_launch(kernels, 0, cu_blocks_of(args->it->size, CUPRIC_BLOCK),
                               1, &p, s);
    }
    if (!st) st = cu_cuda_copy(&first, found, sizeof first, CUPRIC_COPY_TO_HOST, s);
    if (st || first == UINT64_MAX) return st;
    return fail_at(args, k, (int64_t)first, s);
}

/* Where asked for, and where there is no place to wrap to, all indices are looked at
 * before anything is written: this waits for the device. */
static cu_status
check_indices(const cu_index *args, cu_stream *s)
{
    const cu_kernel_key key = key_of(CUPRIC_KERNEL_CHECK_INDEX, args);
    const cu_kernels *kernels = NULL;
    void *found = NULL; /* owned */
    cu_status st = CUPRIC_OK;

    for (int k = 0; !st && k < args->nindex; k++) {
        if (!args->check && args->length[k] > 0) continue;
        if (kernels == NULL) st = cu_kernels_get(&key, s, &kernels);
        if (!st && found == NULL) st = cu_cuda_scratch_get(sizeof(uint64_t), &found, s);
        if (!st) st = check_index(args, kernels, k, found, s);
    }
    if (found) cu_cuda_scratch_put(found, sizeof(uint64_t), s);
    return st;
}

static cu_status
run(const cu_kernel_key *key, const cu_index *args, int64_t blocks, cu_stream *s)
{
    const cu_kernels *kernels;
    cu_params p;
    cu_status st = check_indices(args, s);

    if (!st) st = cu_kernels_get(key, s, &kernels);
    if (st) return st;
    put_params(&p, args, NULL, 0);
    return cu_kernels_launch(kernels, 0, blocks, 1, &p, s);
}

/* The bytes, up to 16, that rows can be moved by where the last dimension is dense in
 * array and values and the indices do not vary along it; else those of an element. */
static int64_t
unit_of_rows(const cu_index *args)
{
    const cu_iter *it = args->it;
    const int last = it->ndim - 1;
    const int64_t size = cu_itemsize(it->op[ARRAY].dtype);
    uint64_t all = (uint64_t)(it->shape[last] * size);

    for (int k = 0; k < args->nindex; k++) {
        if (it->op[INDICES + k].strides[last]) return size;
        all |= (uint64_t)args->stride[k];
    }
    for (int k = ARRAY; k <= VALUES; k++) {
        if (it->op[k].ptr == NULL || it->op[k].strides[last] != size) return size;
        all |= (uint64_t)(uintptr_t)it->op[k].ptr;
        for (int d = 0; d < last; d++) all |= (uint64_t)it->op[k].strides[d];
    }
    return cu_unit_dividing(all);
}

/* As a gather of elements of `unit` bytes. */
static cu_status
gather_rows(const cu_index *args, int64_t unit, cu_stream *s)
{
    const int last = args->it->ndim - 1;
    const int64_t size = cu_itemsize(args->it->op[ARRAY].dtype);
    cu_index wide = *args;
    cu_iter it;

    memcpy(&it, args->it,
           offsetof(cu_iter, op) + (size_t)args->it->nops * sizeof *it.op);
    it.size = it.size / (unit / size);
    it.shape[last] = it.shape[last] / (unit / size);
    for (int k = ARRAY; k <= VALUES; k++) {
        it.op[k].dtype = cu_unit_dtype(unit);
        it.op[k].strides[last] = unit;
    }
    wide.it = &it;
    const cu_kernel_key key = key_of(CUPRIC_KERNEL_GATHER, &wide);
    return run(&key, &wide, cu_blocks_of(it.size, CUPRIC_BLOCK), s);
}

cu_status
cu_cuda_gather(const cu_index *args, cu_stream *s)
{
    const cu_kernel_key key = key_of(CUPRIC_KERNEL_GATHER, args);
    if (args->it->size >= LARGE) {
        const int64_t unit = unit_of_rows(args);
        if (unit > cu_itemsize(args->it->op[ARRAY].dtype)) {
            return gather_rows(args, unit, s);
        }
    }
    return run(&key, args, cu_blocks_of(args->it->size, CUPRIC_BLOCK), s);
}

static bool
varies(const cu_iter *it, const cu_operand *op)
{
    if (op->ptr == NULL) return false;
    for (int d = 0; d < it->ndim; d++) {
        if (op->strides[d] && it->shape[d] > 1) return true;
    }
    return false;
}

/* Whether it can show which of several elements with one place stays. */
static bool
order_shows(const cu_index *args)
{
    const cu_iter *it = args->it;
    if (!varies(it, &it->op[VALUES])) return false;
    for (int k = 0; k < args->nindex; k++) {
        if (varies(it, &it->op[INDICES + k])) return true;
    }
    return false;
}

static cu_status
scatter_many(const cu_index *args, const cu_kernels *kernels, cu_stream *s)
{
    const int64_t blocks = cu_blocks_of(args->it->size, CUPRIC_BLOCK);
    int64_t entries = 4096;
    void *table = NULL; /* owned */
    cu_params p;
    cu_status st;

    while (entries < 2 * args->it->size) entries *= 2;
    const size_t nbytes = (size_t)entries * sizeof(cu_scatter_entry);
    st = cu_cuda_scratch_get(nbytes, &table, s);
    if (st) return st;
    put_params(&p, args, table, entries - 1);
    st = cu_cuda_fill(table, 0xff, nbytes, s);
    if (!st) st = cu_kernels_launch(kernels, SCATTER_NOTE, blocks, 1, &p, s);
    if (!st) st = cu_kernels_launch(kernels, SCATTER_NOTED, blocks, 1, &p, s);
    cu_cuda_scratch_put(table, nbytes, s);
    return st;
}

static void
widen(int64_t *low, int64_t *high, int64_t length, int64_t stride)
{
    if (length > 1) *(stride < 0 ? low : high) += (length - 1) * stride;
}

/* The lowest place of a scatter, and how many elements lie from it to the highest; 0 where
 * they do not lie whole elements apart. */
static int64_t
elements_between(const cu_index *args, int64_t *lowest)
{
    const cu_operand *op = &args->it->op[ARRAY];
    const int64_t size = cu_itemsize(op->dtype);
    int64_t low = 0, high = 0;

    for (int d = 0; d < args->it->ndim; d++) {
        if (op->strides[d] % size) return 0;
        widen(&low, &high, args->it->shape[d], op->strides[d]);
    }
    for (int k = 0; k < args->nindex; k++) {
        if (args->stride[k] % size) return 0;
        widen(&low, &high, args->length[k], args->stride[k]);
    }
    *lowest = (int64_t)(intptr_t)op->ptr + low;
    return (high - low) / size + 1;
}

static cu_status
scatter_dense(const cu_index *args, const cu_kernels *kernels, int64_t lowest,
              int64_t entries, cu_stream *s)
{
    const int64_t blocks = cu_blocks_of(entries, CUPRIC_BLOCK);
    const size_t nbytes = (size_t)blocks * CUPRIC_BLOCK * sizeof(uint32_t);
    void *table = NULL; /* owned */
    cu_params p;
    cu_status st = cu_cuda_scratch_get(nbytes, &table, s);

    if (st) return st;
    put_params(&p, args, table, lowest);
    st = cu_cuda_fill(table, 0, nbytes, s);
    if (!st) {
        st = cu_kernels_launch(kernels, SCATTER_MARK,
                               cu_blocks_of(args->it->size, CUPRIC_BLOCK), 1, &p, s);
    }
    if (!st) st = cu_kernels_launch(kernels, SCATTER_MARKED, blocks, 1, &p, s);
    cu_cuda_scratch_put(table, nbytes, s);
    return st;
}

cu_status
cu_cuda_scatter(const cu_index *args, cu_stream *s)
{
    static const cu_shape one_block = {.blocks = 1, .threads = CUPRIC_SCATTER_FEW};
    const cu_kernel_key key = key_of(CUPRIC_KERNEL_SCATTER, args);
    const int64_t n = args->it->size;
    const cu_kernels *kernels;
    cu_params p;
    cu_status st;

    if (args->distinct || !order_shows(args)) {
        return run(&key, args, cu_blocks_of(n, CUPRIC_BLOCK), s);
    }
    int64_t lowest = 0;
    const int64_t entries =
        n > CUPRIC_SCATTER_FEW ? elements_between(args, &lowest) : 0;
    const bool dense = entries > 0 && entries / DENSE <= n && n < UINT32_MAX;
    if (!dense && n > MANY) {
        return run(&key, args, cu_blocks_of(n, CUPRIC_BLOCK), s);
    }
    st = check_indices(args, s);
    if (!st) st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    if (dense) return scatter_dense(args, kernels, lowest, entries, s);
    if (n > CUPRIC_SCATTER_FEW) return scatter_many(args, kernels, s);
    put_params(&p, args, NULL, 0);
    return cu_kernels_launch_shaped(kernels, SCATTER_ONE_BLOCK, &one_block, &p, s);
}

/* Whether applying values one after the other gives the same in any order. */
static bool
order_is_free(const cu_cuda_row *row)
{
    return row->nin == 1 || row->identity != CUPRIC_ID_NONE || row->traits & ANY_ORDER;
}

cu_status
cu_cuda_scatter_op(const cu_index *args, cu_stream *s)
{
    const cu_cuda_row *row = cu_cuda_row_get(args->op);
    const cu_operand *op = args->it->op;
    cu_kernel_key key = key_of(CUPRIC_KERNEL_SCATTER_OP, args);

    if (row == NULL || row->nin > 2 || row->nout != 1) {
        return cu_fail(CUPRIC_ERR_TYPE, "%s cannot be applied at indices",
                       row ? row->name : "this operation");
    }
    const bool serial = !order_is_free(row) || cu_itemsize(op[ARRAY].dtype) > 8;
    key.op = (uint16_t)args->op;
    key.sig = (uint8_t)args->sig;
    key.layout = serial ? CUPRIC_SCATTER_SERIAL : CUPRIC_SCATTER_ATOMIC;
    key.type[0] = (uint8_t)op[ARRAY].dtype;
    key.type[1] = (uint8_t)(row->nin == 1 ? op[ARRAY].dtype : op[VALUES].dtype);
    return run(&key, args, serial ? 1 : cu_blocks_of(args->it->size, CUPRIC_BLOCK), s);
}
