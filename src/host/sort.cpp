/* host/sort.cpp: sort, argsort and partition, by NumPy's vectorised sorts.
 *
 * NumPy sorts ascending. Descending is the ascending order reversed; for equal elements
 * to keep their order all the same, a stable argsort sorts the reversed rows. bfloat16,
 * which NumPy does not know, sorts as float32, which keeps every value.
 */
#include <stdlib.h>
#include <string.h>

#include "cupric/half.hpp"
#include "host/entries.h"
#include "host/numpy.h"
#include "host/parallel.hpp"

namespace {

using cupric::bfloat16;

constexpr int64_t GRAIN = 1 << 16; /* elements */

int64_t
size_of(const cu_view &v)
{
    int64_t size = 1;
    for (int d = 0; d < v.ndim; d++) size *= v.shape[d];
    return size;
}

/* The address of row `r` (all axes but the last, C order). */
char *
row_of(const cu_view &v, int64_t r)
{
    char *p = v.ptr;
    for (int d = v.ndim - 2; d >= 0; d--) {
        p += r % v.shape[d] * v.strides[d];
        r /= v.shape[d];
    }
    return p;
}

/* Call fn(row number, its address) for every row, in parallel. */
template <class F>
void
each_row(const cu_view &v, const F &fn)
{
    const int64_t n = v.shape[v.ndim - 1];
    const int64_t rows = n ? size_of(v) / n : 0;

    parallel(rows, n < GRAIN ? GRAIN / n : 1, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; r++) fn(r, row_of(v, r));
    });
}

/* A view of fresh memory in C order, of the shape of `like`. The caller frees its ptr. */
cu_status
scratch_like(const cu_view &like, cu_dtype t, cu_view *out)
{
    int64_t stride = cu_itemsize(t);

    *out = like;
    out->dtype = t;
    for (int d = like.ndim - 1; d >= 0; d--) {
        out->strides[d] = stride;
        stride *= like.shape[d];
    }
    out->ptr = (char *)malloc(stride ? stride : 1);
    if (out->ptr == nullptr) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: sort");
    return CUPRIC_OK;
}

/* Copy rows, reversed if asked: dst and src in C order of rows, of any layout. */
template <class To, class From>
void
copy_rows(const cu_view &dst, const cu_view &src, bool reverse)
{
    const int64_t n = src.shape[src.ndim - 1];
    const int64_t dst_step = dst.strides[dst.ndim - 1];
    const int64_t src_step = src.strides[src.ndim - 1];

    each_row(src, [&](int64_t r, const char *from) {
        char *to = row_of(dst, r);
        for (int64_t i = 0; i < n; i++) {
            From x;
            memcpy(&x, from + (reverse ? n - 1 - i : i) * src_step, sizeof x);
            const To y = To(x);
            memcpy(to + i * dst_step, &y, sizeof y);
        }
    });
}

struct bytes16 {
    uint64_t part[2];
};

void
copy_rows_of_size(const cu_view &dst, const cu_view &src, bool reverse)
{
    switch (cu_itemsize(src.dtype)) {
    case 1: copy_rows<uint8_t, uint8_t>(dst, src, reverse); break;
    case 2: copy_rows<uint16_t, uint16_t>(dst, src, reverse); break;
    case 4: copy_rows<uint32_t, uint32_t>(dst, src, reverse); break;
    case 8: copy_rows<uint64_t, uint64_t>(dst, src, reverse); break;
    default: copy_rows<bytes16, bytes16>(dst, src, reverse); break;
    }
}

template <class T>
void
reverse_row(char *row, int64_t n)
{
    T *p = (T *)row;
    for (int64_t i = 0, j = n - 1; i < j; i++, j--) {
        const T x = p[i];
        p[i] = p[j];
        p[j] = x;
    }
}

void
reverse_rows(const cu_view &v)
{
    const int64_t n = v.shape[v.ndim - 1];

    each_row(v, [&](int64_t, char *row) {
        switch (cu_itemsize(v.dtype)) {
        case 1: reverse_row<uint8_t>(row, n); break;
        case 2: reverse_row<uint16_t>(row, n); break;
        case 4: reverse_row<uint32_t>(row, n); break;
        case 8: reverse_row<uint64_t>(row, n); break;
        default: reverse_row<bytes16>(row, n); break;
        }
    });
}

/* Where ascending order has to put its k-th element for descending order's. */
int64_t
kth_ascending(const cu_sort *args, int64_t n)
{
    if (args->kth < 0 || !args->descending) return args->kth;
    return n - 1 - args->kth;
}

/* Fill the rows, which are dense, with what they come from. */
void
fetch_source(const cu_sort *args)
{
    const int64_t nbytes = size_of(args->data) * cu_itemsize(args->data.dtype);

    parallel(nbytes, GRAIN * 8, [&](int64_t begin, int64_t end) {
        memcpy(args->data.ptr + begin, args->source + begin, end - begin);
    });
}

cu_status
sort_values(const cu_sort *args, int64_t n)
{
    const cu_view &data = args->data;
    cu_view wide = {};
    const bool widen = data.dtype == CUPRIC_BFLOAT16;
    cu_status st = CUPRIC_OK;

    if (widen) {
        st = scratch_like(data, CUPRIC_FLOAT32, &wide);
        if (st) return st;
        copy_rows<float, bfloat16>(wide, data, false);
    }
    st = cu_numpy_sort(widen ? &wide : &data, args->stable, kth_ascending(args, n));
    if (!st && widen) copy_rows<bfloat16, float>(data, wide, false);
    if (!st && args->descending) reverse_rows(data);
    free(wide.ptr);
    return st;
}

cu_status
sort_order(const cu_sort *args, int64_t n)
{
    const cu_view &data = args->data;
    cu_view copy = {}; /* owned memory */
    const bool widen = data.dtype == CUPRIC_BFLOAT16;
    const bool copied = widen || args->descending;
    cu_status st = CUPRIC_OK;

    if (copied) {
        st = scratch_like(data, widen ? CUPRIC_FLOAT32 : data.dtype, &copy);
        if (st) return st;
    }
    if (widen) {
        copy_rows<float, bfloat16>(copy, data, args->descending);
    } else if (copied) {
        copy_rows_of_size(copy, data, true);
    }
    st = cu_numpy_argsort(copied ? &copy : &data, args->stable, kth_ascending(args, n),
                          args->order);
    if (!st && args->descending) {
        cu_view order = copy;
        order.ptr = (char *)args->order;
        order.dtype = CUPRIC_INT64;
        for (int d = 0; d < order.ndim; d++) {
            order.strides[d] = copy.strides[d] / cu_itemsize(copy.dtype) * 8;
        }
        each_row(order, [&](int64_t, char *row) {
            int64_t *p = (int64_t *)row;
            for (int64_t i = 0; i < n; i++) p[i] = n - 1 - p[i];
        });
        reverse_rows(order);
    }
    free(copy.ptr);
    return st;
}

} // namespace

cu_status
cu_host_sort(const cu_sort *args, cu_stream *)
{
    const cu_view &data = args->data;

    if (size_of(data) == 0) return CUPRIC_OK;
    const int64_t n = data.shape[data.ndim - 1];
    if (args->source) fetch_source(args);
    return args->order ? sort_order(args, n) : sort_values(args, n);
}
