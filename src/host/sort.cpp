/* host/sort.cpp: sort, argsort and partition, by NumPy's vectorised sorts.
 *
 * NumPy sorts ascending. Descending is the ascending order reversed; for equal elements
 * to keep their order all the same, a stable argsort sorts the reversed rows.
 *
 * Floats of 16 bits are sorted as integers of the same order: NumPy does not know
 * bfloat16, and its sort of float16 loses values where the CPU has AVX512-VBMI2 but no
 * arithmetic of float16. Only its stable sort of float16, which compares, is used.
 */
#include <stdlib.h>
#include <string.h>
#include <type_traits>

#include "cupric/half.hpp"
#include "host/entries.h"
#include "host/numpy.h"
#include "host/parallel.hpp"

namespace {

using cupric::bfloat16;
using cupric::half;

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

/* ---- floats of 16 bits as integers --------------------------------------------------- */

template <class T>
constexpr uint16_t INFINITY_BITS = std::is_same<T, half>::value ? 0x7c00 : 0x7f80;

/* Each float's number in the order -inf … -0, 0 … inf, nan …, -nan …: none is lost. */
template <class T>
struct number_of {
    uint16_t operator()(uint16_t bits) const
    {
        const uint16_t ascending =
            bits & 0x8000 ? 0x7fff - (bits & 0x7fff) : bits | 0x8000;
        return ascending - (0x7fff - INFINITY_BITS<T>);
    }
};

template <class T>
struct float_of {
    uint16_t operator()(uint16_t number) const
    {
        const uint16_t ascending = number + (0x7fff - INFINITY_BITS<T>);
        return ascending & 0x8000 ? ascending & 0x7fff : 0xffff - ascending;
    }
};

/* The same number for floats that sort as equals: zeros of both signs, all NaNs. */
template <class T>
struct rank_of {
    uint16_t operator()(uint16_t bits) const
    {
        const uint16_t size = bits & 0x7fff;
        if (size == 0) return number_of<T>()(0);
        return size > INFINITY_BITS<T> ? 0xffff : number_of<T>()(bits);
    }
};

/* dst[i] = change(src[i]) for 16-bit elements; the last axes are contiguous. */
template <class F>
void
change_rows(const cu_view &dst, const cu_view &src, bool reverse, const F &change)
{
    const int64_t n = src.shape[src.ndim - 1];

    each_row(src, [&](int64_t r, const char *row) {
        const uint16_t *from = (const uint16_t *)row;
        uint16_t *to = (uint16_t *)row_of(dst, r);
        if (reverse) {
            for (int64_t i = 0; i < n; i++) to[i] = change(from[n - 1 - i]);
        } else {
            for (int64_t i = 0; i < n; i++) to[i] = change(from[i]);
        }
    });
}

bool
is_short_float(cu_dtype t)
{
    return t == CUPRIC_FLOAT16 || t == CUPRIC_BFLOAT16;
}

/* In place, and whatever NumPy says the rows are floats again. */
template <class T>
cu_status
sort_short_floats(const cu_sort *args, int64_t n)
{
    cu_view numbers = args->data;

    numbers.dtype = CUPRIC_UINT16;
    change_rows(numbers, args->data, false, number_of<T>());
    /* NumPy's stable sort of 16 bits is a radix sort. */
    const cu_status st = cu_numpy_sort(&numbers, true, kth_ascending(args, n));
    change_rows(args->data, numbers, false, float_of<T>());
    return st;
}

/* ---- sorts --------------------------------------------------------------------------- */

/* Of bfloat16, stable: zeros of either sign and NaNs stay in the order that they have. */
cu_status
sort_widened(const cu_sort *args, int64_t n)
{
    cu_view wide = {}; /* owned memory */
    cu_status st = scratch_like(args->data, CUPRIC_FLOAT32, &wide);

    if (st) return st;
    copy_rows<float, bfloat16>(wide, args->data, false);
    st = cu_numpy_sort(&wide, true, kth_ascending(args, n));
    if (!st) copy_rows<bfloat16, float>(args->data, wide, false);
    free(wide.ptr);
    return st;
}

cu_status
sort_ascending(const cu_sort *args, int64_t n)
{
    const cu_dtype t = args->data.dtype;

    if (is_short_float(t) && !args->stable) {
        return t == CUPRIC_FLOAT16 ? sort_short_floats<half>(args, n)
                                   : sort_short_floats<bfloat16>(args, n);
    }
    if (t == CUPRIC_BFLOAT16) return sort_widened(args, n);
    return cu_numpy_sort(&args->data, args->stable, kth_ascending(args, n));
}

cu_status
sort_values(const cu_sort *args, int64_t n)
{
    const cu_status st = sort_ascending(args, n);

    if (!st && args->descending) reverse_rows(args->data);
    return st;
}

cu_status
sort_order(const cu_sort *args, int64_t n)
{
    const cu_view &data = args->data;
    cu_view copy = {}; /* owned memory */
    const bool ranked = is_short_float(data.dtype);
    const bool copied = ranked || args->descending;
    cu_status st = CUPRIC_OK;

    if (copied) {
        st = scratch_like(data, ranked ? CUPRIC_UINT16 : data.dtype, &copy);
        if (st) return st;
    }
    if (data.dtype == CUPRIC_FLOAT16) {
        change_rows(copy, data, args->descending, rank_of<half>());
    } else if (data.dtype == CUPRIC_BFLOAT16) {
        change_rows(copy, data, args->descending, rank_of<bfloat16>());
    } else if (copied) {
        copy_rows_of_size(copy, data, true);
    }
    st = cu_numpy_argsort(copied ? &copy : &data, args->stable || ranked,
                          kth_ascending(args, n), args->order);
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
