/* host/argpartition.cpp: the order that partitions rows.
 *
 * NumPy's vectors partition the ranks of the elements, which gives the k-th; by it the places
 * of all elements are put at the front, at the back or between. That is half of the work of
 * partitioning places, whose elements lie anywhere.
 */
#include <stdlib.h>

#include "host/argsort.h"
#include "host/numpy.h"
#include "host/rank.hpp"
#include "host/rows.hpp"

namespace {

constexpr int BLOCK = 256; /* elements whose ranks are found by vectors */

/* Call visit(place of the first, ranks, how many) for the blocks of a row, while it is true. */
template <class T, class F>
void
each_block(const char *row, int64_t n, const F &visit)
{
    typename rank_of<T>::type rank[BLOCK];
    bool goes_on = true;
    for (int64_t i = 0; i < n && goes_on; i += BLOCK, row += BLOCK * sizeof(T)) {
        const int count = n - i < BLOCK ? (int)(n - i) : BLOCK;
        for (int k = 0; k < count; k++) rank[k] = rank_of<T>::at(row + k * sizeof(T));
        goes_on = visit(i, rank, count);
    }
}

/* Places of lesser elements from the front on and of greater ones from the back, without a
 * branch: each place is written to both sides, and stays where the cursor moves. Equal ones
 * have what is left. */
template <class T, class K>
void
order_around(const char *row, int64_t n, K middle, int64_t *order)
{
    int64_t front = 0, back = n - 1;
    each_block<T>(row, n, [&](int64_t first, const K *rank, int count) {
        for (int k = 0; k < count; k++) {
            order[front] = first + k;
            order[back] = first + k;
            front += (int64_t)(rank[k] < middle);
            back -= (int64_t)(rank[k] > middle);
        }
        return true;
    });
    each_block<T>(row, n, [&](int64_t first, const K *rank, int count) {
        int equal = 0;
        for (int k = 0; k < count; k++) equal += rank[k] == middle;
        for (int k = 0; equal > 0; k++) {
            if (rank[k] != middle) continue;
            order[front++] = first + k;
            equal--;
        }
        return front <= back;
    });
}

/* The dtype of ranks of so many bytes. */
cu_dtype
unsigned_of(size_t size)
{
    return size == 1   ? CUPRIC_UINT8
           : size == 2 ? CUPRIC_UINT16
           : size == 4 ? CUPRIC_UINT32
                       : CUPRIC_UINT64;
}

template <class T>
cu_status
argpartition_of(const cu_view &data, int64_t kth, int64_t *order)
{
    typedef typename rank_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1], size = size_of(data);
    K *const ranks = (K *)malloc(size * sizeof *ranks); /* owned */
    cu_view table = {};
    cu_status st;

    if (ranks == nullptr)
        return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: argpartition");
    table.ptr = (char *)ranks;
    table.dtype = unsigned_of(sizeof *ranks);
    table.ndim = 2;
    table.shape[0] = size / n;
    table.shape[1] = n;
    table.strides[0] = n * (int64_t)sizeof *ranks;
    table.strides[1] = sizeof *ranks;
    each_row(data, [&](int64_t r, const char *row) {
        K *const rank = ranks + r * n;
        for (int64_t i = 0; i < n; i++) rank[i] = rank_of<T>::at(row + i * sizeof(T));
    });
    st = cu_numpy_sort(&table, false, kth);
    if (!st) {
        each_row(data, [&](int64_t r, const char *row) {
            order_around<T>(row, n, ranks[r * n + kth], order + r * n);
        });
    }
    free(ranks);
    return st;
}

} // namespace

cu_status
cu_host_argpartition(const cu_view *data, int64_t kth, int64_t *order)
{
    switch (data->dtype) {
    case CUPRIC_BOOL: return argpartition_of<bool>(*data, kth, order);
    case CUPRIC_INT8: return argpartition_of<int8_t>(*data, kth, order);
    case CUPRIC_UINT8: return argpartition_of<uint8_t>(*data, kth, order);
    case CUPRIC_INT16: return argpartition_of<int16_t>(*data, kth, order);
    case CUPRIC_UINT16: return argpartition_of<uint16_t>(*data, kth, order);
    case CUPRIC_INT32: return argpartition_of<int32_t>(*data, kth, order);
    case CUPRIC_UINT32: return argpartition_of<uint32_t>(*data, kth, order);
    case CUPRIC_INT64: return argpartition_of<int64_t>(*data, kth, order);
    case CUPRIC_UINT64: return argpartition_of<uint64_t>(*data, kth, order);
    case CUPRIC_FLOAT16: return argpartition_of<cupric::half>(*data, kth, order);
    case CUPRIC_BFLOAT16: return argpartition_of<cupric::bfloat16>(*data, kth, order);
    case CUPRIC_FLOAT32: return argpartition_of<float>(*data, kth, order);
    case CUPRIC_FLOAT64: return argpartition_of<double>(*data, kth, order);
    default: return cu_fail(CUPRIC_ERR_TYPE, "argpartition: no such dtype");
    }
}
