/* host/sort.cpp: sort by counting, by a radix sort, many short rows at once or by NumPy's
 * vectorised sorts, which partition, too; argsort by host/argsort.cpp.
 *
 * NumPy sorts ascending. Descending is the ascending order reversed. An argsort is always
 * stable.
 *
 * Floats of 16 bits are sorted as integers of the same order: NumPy does not know
 * bfloat16, and its sort of float16 loses values where the CPU has AVX512-VBMI2 but no
 * arithmetic of float16. Only its stable sort of float16, which compares, is used.
 *
 * NumPy compares complex numbers and, where a sort is to be stable, floats. Long rows are
 * put in the order that host/argsort.cpp finds.
 */
#include <stdlib.h>
#include <string.h>

#include "host/argsort.h"
#include "host/entries.h"
#include "host/numpy.h"
#include "host/rank.hpp"
#include "host/rows.hpp"
#include "host/sort_counts.h"
#include "host/sort_radix.h"
#include "host/sort_short.h"
#include "host/threads.h"

namespace {

using cupric::bfloat16;
using cupric::half;

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

/* Of what NumPy knows as it is: short rows here, others there, as are those of which it has
 * networks of vectors. */
cu_status
sort_numbers(const cu_view &data, bool stable, int64_t kth)
{
    const bool vectors = !stable && cu_itemsize(data.dtype) > 1;
    const bool here = !vectors || data.shape[data.ndim - 1] <= 16;

    if (here && cu_host_sort_short(&data)) return CUPRIC_OK;
    return cu_numpy_sort(&data, stable, kth);
}

/* ---- floats of 16 bits as integers --------------------------------------------------- */

/* x = change(x) for the 16-bit elements of rows: of a lambda, as a function would be called
 * for each. */
template <class F>
void
change_rows(const cu_view &rows, const F &change)
{
    const int64_t n = rows.shape[rows.ndim - 1];

    each_row(rows, [&](int64_t, char *row) {
        uint16_t *x = (uint16_t *)row;
        for (int64_t i = 0; i < n; i++) x[i] = change(x[i]);
    });
}

bool
is_short_float(cu_dtype t)
{
    return t == CUPRIC_FLOAT16 || t == CUPRIC_BFLOAT16;
}

constexpr int64_t LONG_ROW = 900;

/* Whether NumPy's stable sort, a radix sort, is the faster one for rows of 16 bits; for short
 * ones it has networks of vectors, on some CPUs. Equal integers are the same. */
bool
radix_is_faster(int64_t n)
{
#if defined(__x86_64__)
    return n >= cu_host_threshold(LONG_ROW, 8) ||
           !__builtin_cpu_supports("avx512vbmi2");
#else
    return true;
#endif
}

/* In place, and whatever NumPy says the rows are floats again. */
template <class T>
cu_status
sort_short_floats(const cu_sort *args, int64_t n)
{
    cu_view numbers = args->data;

    numbers.dtype = CUPRIC_UINT16;
    change_rows(numbers, [](uint16_t x) { return number_of<T>::from(x); });
    const cu_status st =
        sort_numbers(numbers, radix_is_faster(n), kth_ascending(args, n));
    change_rows(numbers, [](uint16_t x) { return number_of<T>::back(x); });
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
    st = sort_numbers(wide, true, kth_ascending(args, n));
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
    const bool by_radix = (t == CUPRIC_INT16 || t == CUPRIC_UINT16) && args->kth < 0 &&
                          radix_is_faster(n);
    return sort_numbers(args->data, args->stable || by_radix, kth_ascending(args, n));
}

/* ---- by places ------------------------------------------------------------------------ */

/* data[i] = from[order[i]] for the elements of each row of dense rows `from`. */
template <class U>
void
take_rows(const cu_view &data, const char *from, const int64_t *order)
{
    const int64_t n = data.shape[data.ndim - 1];

    each_row(data, [&](int64_t r, char *row) {
        const U *const elements = (const U *)from + r * n;
        const int64_t *const places = order + r * n;
        parallel(n, GRAIN, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; i++) ((U *)row)[i] = elements[places[i]];
        });
    });
}

/* By the order that sorts, of elements of at least four bytes: a stable sort. */
cu_status
sort_by_order(const cu_sort *args, int64_t n)
{
    const cu_view &data = args->data;
    const size_t nbytes = size_of(data) * sizeof(int64_t);
    int64_t *const order = (int64_t *)cu_host_scratch_new(nbytes); /* owned */
    const int64_t row_nbytes = n * cu_itemsize(data.dtype);
    cu_view from = data, copy = {}; /* owned memory */
    cu_status st = CUPRIC_OK;

    if (order == nullptr) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: sort");
    if (args->source) {
        from.ptr = (char *)args->source;
    } else {
        st = scratch_like(data, data.dtype, &copy);
        if (st) goto done;
        each_row(data, [&](int64_t r, const char *row) {
            memcpy(copy.ptr + r * row_nbytes, row, row_nbytes);
        });
        from = copy;
    }
    st = cu_host_argsort(&from, args->descending, order);
    if (st) goto done;
    switch (cu_itemsize(data.dtype)) {
    case 4: take_rows<uint32_t>(data, from.ptr, order); break;
    case 8: take_rows<uint64_t>(data, from.ptr, order); break;
    default: take_rows<bytes16>(data, from.ptr, order); break;
    }
done:
    free(copy.ptr);
    cu_host_scratch_free(order, nbytes);
    return st;
}

/* Whether that is faster than NumPy, which compares complex numbers and, for a stable sort,
 * floats; or that these are so short that it does not matter. */
bool
sorts_by_order(const cu_sort *args, int64_t n)
{
    switch (args->data.dtype) {
    case CUPRIC_FLOAT32:
    case CUPRIC_FLOAT64: return args->stable && n >= 512;
    case CUPRIC_COMPLEX64: return n >= 512;
    case CUPRIC_COMPLEX128: return n >= 2048;
    default: return false;
    }
}

/* Whether a row's k-th complex number is found faster by its rank than by NumPy. */
bool
selects_by_rank(const cu_sort *args, int64_t n)
{
    return cu_dtypes[args->data.dtype].kind == 'c' && n >= 4096;
}

/* ---- sorts and partitions ------------------------------------------------------------- */

/* Whether rows of bytes were sorted where NumPy would partition them, which finds the least
 * elements of longer rows faster. */
bool
sorts_bytes(const cu_sort *args, int64_t n)
{
    return (n <= 32 || kth_ascending(args, n) >= 3) &&
           cu_host_sort_bytes(&args->data, args->source);
}

cu_status
partition_values(const cu_sort *args, int64_t n)
{
    cu_status st;

    if (sorts_bytes(args, n)) {
        st = CUPRIC_OK;
    } else if (selects_by_rank(args, n)) {
        st = cu_host_partition(&args->data, args->source, kth_ascending(args, n));
    } else {
        if (args->source) fetch_source(args);
        st = sort_ascending(args, n);
    }
    if (!st && args->descending) reverse_rows(args->data);
    return st;
}

cu_status
sort_values(const cu_sort *args, int64_t n)
{
    cu_status st = CUPRIC_OK;

    if (!cu_host_sort_bytes(&args->data, args->source) &&
        !cu_host_sort_counts(&args->data, args->source) &&
        !cu_host_sort_radix(&args->data, args->source, args->stable)) {
        if (sorts_by_order(args, n)) return sort_by_order(args, n);
        if (args->source) fetch_source(args);
        st = sort_ascending(args, n);
    }
    if (!st && args->descending) reverse_rows(args->data);
    return st;
}

/* Whether the whole order takes less time to find than where the k-th element belongs. */
bool
orders_all(const cu_sort *args, int64_t n)
{
    const int size = cu_itemsize(args->data.dtype);

    return args->kth < 0 || args->descending || size == 1 || (size == 2 && n > 192) ||
           (size <= 4 && n <= 64);
}

cu_status
sort_order(const cu_sort *args, int64_t n)
{
    if (orders_all(args, n)) {
        return cu_host_argsort(&args->data, args->descending, args->order);
    }
    return cu_dtypes[args->data.dtype].kind == 'c' && !selects_by_rank(args, n)
               ? cu_numpy_argpartition(&args->data, args->kth, args->order)
               : cu_host_argpartition(&args->data, args->kth, args->order);
}

} // namespace

cu_status
cu_host_sort(const cu_sort *args, cu_stream *)
{
    const cu_view &data = args->data;

    if (size_of(data) == 0) return CUPRIC_OK;
    const int64_t n = data.shape[data.ndim - 1];
    if (args->order) return sort_order(args, n);
    return args->kth < 0 ? sort_values(args, n) : partition_values(args, n);
}
