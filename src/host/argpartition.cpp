/* host/argpartition.cpp: the order that partitions rows.
 *
 * NumPy's vectors partition a copy of the elements, which gives the k-th; by it the places
 * of all elements are put at the front, at the back or between. That is half of the work of
 * partitioning places, whose elements lie anywhere.
 */
#include <string.h>
#include <type_traits>

#include "host/argsort.h"
#include "host/entries.h"
#include "host/numpy.h"
#include "host/rank.hpp"
#include "host/rows.hpp"

namespace {

constexpr int BLOCK = 256; /* elements whose keys are found by vectors */

/* What elements are compared by: themselves, where NumPy sorts them as they are, else their
 * ranks. */
template <class T, bool ITSELF = std::is_arithmetic<T>::value>
struct key_of : rank_of<T> {
};
template <class T>
struct key_of<T, true> {
    typedef T type;
    static inline T at(const char *p)
    {
        T x;
        memcpy(&x, p, sizeof x);
        return x;
    }
};

/* Call visit(place of the first, keys, how many) for the blocks of a row, while it is true. */
template <class T, class F>
void
each_block(const char *row, int64_t n, const F &visit)
{
    if constexpr (std::is_arithmetic<T>::value) {
        visit((int64_t)0, (const T *)row, n);
    } else {
        typename key_of<T>::type key[BLOCK];
        bool goes_on = true;
        for (int64_t i = 0; i < n && goes_on; i += BLOCK, row += BLOCK * sizeof(T)) {
            const int64_t count = n - i < BLOCK ? n - i : BLOCK;
            for (int k = 0; k < count; k++) {
                key[k] = key_of<T>::at(row + k * sizeof(T));
            }
            goes_on = visit(i, key, count);
        }
    }
}

/* Where the next places go, and the sum of those of equal elements. */
struct cursors {
    int64_t front, back, equal;
};

/* Places of lesser elements from the front on and of greater ones from the back, without a
 * branch: each place is written to both sides, and stays where the cursor moves. */
template <class K, class Less, class Greater>
inline void
place_others(const K *key, int64_t first, int64_t n, const Less &less,
             const Greater &greater, int64_t *order, cursors *c)
{
    int64_t front = c->front, back = c->back, equal = c->equal;

    for (int64_t k = 0; k < n; k++) {
        const int64_t before = less(key[k]), behind = greater(key[k]);
        order[front] = first + k;
        order[back] = first + k;
        front += before;
        back -= behind;
        equal += (first + k) & ((before | behind) - 1);
    }
    *c = {front, back, equal};
}

/* Equal elements have what is left: most often one alone has, whose place is the sum. */
template <class T, class Less, class Greater>
void
order_around(const char *row, int64_t n, const Less &less, const Greater &greater,
             int64_t *order)
{
    typedef typename key_of<T>::type K;
    cursors c = {0, n - 1, 0};

    each_block<T>(row, n, [&](int64_t first, const K *key, int64_t count) {
        place_others(key, first, count, less, greater, order, &c);
        return true;
    });
    if (c.front == c.back) {
        order[c.front] = c.equal;
        return;
    }
    each_block<T>(row, n, [&](int64_t first, const K *key, int64_t count) {
        for (int64_t k = 0; k < count && c.front <= c.back; k++) {
            if (!less(key[k]) && !greater(key[k])) order[c.front++] = first + k;
        }
        return c.front <= c.back;
    });
}

/* The same for a key that has the row's k-th place; NaN is behind all others. */
template <class T, class K>
void
order_around(const char *row, int64_t n, K middle, int64_t *order)
{
    if (middle != middle) {
        order_around<T>(
            row, n, [](K x) { return x == x; }, [](K) { return false; }, order);
    } else {
        order_around<T>(
            row, n, [middle](K x) { return x < middle; },
            [middle](K x) { return !(x <= middle); }, order);
    }
}

template <class T>
cu_status
argpartition_of(const cu_view &data, cu_dtype key_dtype, int64_t kth, int64_t *order)
{
    typedef typename key_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1], size = size_of(data);
    const size_t nbytes = size * sizeof(K);
    K *const keys = (K *)cu_host_scratch_new(nbytes); /* owned */
    cu_view table = {};
    cu_status st;

    if (keys == nullptr)
        return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: argpartition");
    table.ptr = (char *)keys;
    table.dtype = key_dtype;
    table.ndim = 2;
    table.shape[0] = size / n;
    table.shape[1] = n;
    table.strides[0] = n * (int64_t)sizeof *keys;
    table.strides[1] = sizeof *keys;
    each_row(data, [&](int64_t r, const char *row) {
        K *const key = keys + r * n;
        for (int64_t i = 0; i < n; i++) key[i] = key_of<T>::at(row + i * sizeof(T));
    });
    st = cu_numpy_sort(&table, false, kth);
    if (!st) {
        each_row(data, [&](int64_t r, const char *row) {
            order_around<T>(row, n, keys[r * n + kth], order + r * n);
        });
    }
    cu_host_scratch_free(keys, nbytes);
    return st;
}

} // namespace

cu_status
cu_host_argpartition(const cu_view *data, int64_t kth, int64_t *order)
{
    switch (data->dtype) {
    case CUPRIC_BOOL: return argpartition_of<uint8_t>(*data, CUPRIC_BOOL, kth, order);
    case CUPRIC_INT8: return argpartition_of<int8_t>(*data, CUPRIC_INT8, kth, order);
    case CUPRIC_UINT8: return argpartition_of<uint8_t>(*data, CUPRIC_UINT8, kth, order);
    case CUPRIC_INT16: return argpartition_of<int16_t>(*data, CUPRIC_INT16, kth, order);
    case CUPRIC_UINT16:
        return argpartition_of<uint16_t>(*data, CUPRIC_UINT16, kth, order);
    case CUPRIC_INT32: return argpartition_of<int32_t>(*data, CUPRIC_INT32, kth, order);
    case CUPRIC_UINT32:
        return argpartition_of<uint32_t>(*data, CUPRIC_UINT32, kth, order);
    case CUPRIC_INT64: return argpartition_of<int64_t>(*data, CUPRIC_INT64, kth, order);
    case CUPRIC_UINT64:
        return argpartition_of<uint64_t>(*data, CUPRIC_UINT64, kth, order);
    case CUPRIC_FLOAT16:
        return argpartition_of<cupric::half>(*data, CUPRIC_UINT16, kth, order);
    case CUPRIC_BFLOAT16:
        return argpartition_of<cupric::bfloat16>(*data, CUPRIC_UINT16, kth, order);
    case CUPRIC_FLOAT32:
        return argpartition_of<float>(*data, CUPRIC_FLOAT32, kth, order);
    case CUPRIC_FLOAT64:
        return argpartition_of<double>(*data, CUPRIC_FLOAT64, kth, order);
    default: return cu_fail(CUPRIC_ERR_TYPE, "argpartition: no such dtype");
    }
}
