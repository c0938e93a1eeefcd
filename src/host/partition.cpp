/* host/partition.cpp: partitions of rows of complex numbers, and the orders that partition
 * any rows.
 *
 * The k-th element is found first, and by it all elements, or their places, are put at the
 * front, at the back or between. That is half of the work of partitioning places, whose
 * elements lie anywhere. Of real numbers NumPy's vectors partition a copy. Complex ones,
 * which it compares one by one, are selected by their ranks.
 */
#include <algorithm>
#include <math.h>
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

/* Where the next elements go, and the sum of the places of those that are equal. */
struct cursors {
    int64_t front, back, equal;
};

/* Lesser elements from the front on and greater ones from the back, without a branch: each
 * is put at both sides, and stays where the cursor moves. */
template <class K, class Less, class Greater, class Put>
inline void
put_others(const K *key, int64_t first, int64_t n, const Less &less,
           const Greater &greater, const Put &put, cursors *c)
{
    int64_t front = c->front, back = c->back, equal = c->equal;

    for (int64_t k = 0; k < n; k++) {
        const int64_t before = less(key[k]), behind = greater(key[k]);
        put(front, first + k);
        put(back, first + k);
        front += before;
        back -= behind;
        equal += (first + k) & ((before | behind) - 1);
    }
    *c = {front, back, equal};
}

/* Equal elements have what is left: most often one alone has, whose place is the sum. */
template <class T, class Less, class Greater, class Put>
void
put_around(const char *row, int64_t n, const Less &less, const Greater &greater,
           const Put &put)
{
    typedef typename key_of<T>::type K;
    cursors c = {0, n - 1, 0};

    each_block<T>(row, n, [&](int64_t first, const K *key, int64_t count) {
        put_others(key, first, count, less, greater, put, &c);
        return true;
    });
    if (c.front == c.back) {
        put(c.front, c.equal);
        return;
    }
    each_block<T>(row, n, [&](int64_t first, const K *key, int64_t count) {
        for (int64_t k = 0; k < count && c.front <= c.back; k++) {
            if (!less(key[k]) && !greater(key[k])) put(c.front++, first + k);
        }
        return c.front <= c.back;
    });
}

/* The same for a key that has the row's k-th place; NaN is behind all others. */
template <class T, class K, class Put>
void
put_around(const char *row, int64_t n, K middle, const Put &put)
{
    if (middle != middle) {
        put_around<T>(
            row, n, [](K x) { return x == x; }, [](K) { return false; }, put);
    } else {
        put_around<T>(
            row, n, [middle](K x) { return x < middle; },
            [middle](K x) { return !(x <= middle); }, put);
    }
}

/* ---- complex numbers ----------------------------------------------------------------- */

constexpr int64_t SAMPLE = 4096; /* keys */

/* Two keys of a row between which its k-th lies most likely: at four standard deviations
 * of its place in a sample (Floyd and Rivest, CACM 18:3, 1975). `sample` has room. */
template <class T, class K>
void
guess_bounds(const char *row, int64_t n, int64_t kth, K *sample, K *low, K *high)
{
    const double part = ((double)kth + 0.5) / (double)n;
    const double at = part * SAMPLE, apart = 4 * sqrt(at * (1 - part)) + 2;
    const int64_t before = (int64_t)floor(at - apart), behind = (int64_t)(at + apart);

    for (int64_t i = 0; i < SAMPLE; i++) { /* anywhere: rows may be periodic */
        const uint64_t draw = (uint64_t)i * 0x9e3779b97f4a7c15u;
        sample[i] = key_of<T>::at(row + (int64_t)((uint128)draw * n >> 64) * sizeof(T));
    }
    std::sort(sample, sample + SAMPLE);
    *low = before < 0 ? 0 : sample[before];
    *high = behind < SAMPLE ? sample[behind] : (K)-1;
}

/* The k-th of keys, which are moved about: lesser ones than one of them to the front,
 * without a branch, then the same with those on the k-th's side. */
template <class K>
K
select_among(K *keys, int64_t n, int64_t kth)
{
    for (int round = 0; n > 32 && round < 64; round++) {
        const K a = keys[n / 4], b = keys[n / 2], c = keys[n - n / 4];
        const K pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
        int64_t before = 0;
        for (int64_t i = 0; i < n; i++) {
            const K key = keys[i];
            keys[i] = keys[before];
            keys[before] = key;
            before += key < pivot;
        }
        if (before == 0) { /* none is less */
            for (int64_t i = 0; i < n; i++) {
                const K key = keys[i];
                keys[i] = keys[before];
                keys[before] = key;
                before += key == pivot;
            }
            if (kth < before) return pivot;
        }
        if (kth < before) {
            n = before;
        } else {
            keys += before;
            kth -= before;
            n -= before;
        }
    }
    std::nth_element(keys, keys + kth, keys + n);
    return keys[kth];
}

/* The k-th key of a row; `keys` has room for all. */
template <class T, class K>
K
kth_key(const char *row, int64_t n, int64_t kth, K *keys)
{
    K low = 0, high = (K)-1;
    int64_t below, between;
    bool found;

    if (n > 4 * SAMPLE) guess_bounds<T>(row, n, kth, keys, &low, &high);
    do {
        below = between = 0;
        each_block<T>(row, n, [&](int64_t, const K *key, int64_t count) {
            for (int64_t k = 0; k < count; k++) {
                keys[between] = key[k];
                below += key[k] < low;
                between += (key[k] >= low) & (key[k] <= high);
            }
            return true;
        });
        found = below <= kth && kth < below + between;
        low = 0;
        high = (K)-1;
    } while (!found);
    return select_among(keys, between, kth - below);
}

/* Call visit(row number, its address, room for twice its bytes) for all rows. */
template <class F>
cu_status
each_row_with_room(const cu_view &data, const char *what, const F &visit)
{
    const int64_t n = data.shape[data.ndim - 1];
    const size_t nbytes = 2 * (size_t)n * cu_itemsize(data.dtype);
    bool failed = false;

    parallel(size_of(data) / n, n < GRAIN ? GRAIN / n : 1,
             [&](int64_t begin, int64_t end) {
                 char *const room = (char *)cu_host_scratch_new(nbytes); /* owned */
                 if (room == nullptr) {
                     __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
                     return;
                 }
                 for (int64_t r = begin; r < end; r++) visit(r, row_of(data, r), room);
                 cu_host_scratch_free(room, nbytes);
             });
    return failed ? cu_fail(CUPRIC_ERR_MEMORY, "out of memory: %s", what) : CUPRIC_OK;
}

template <class T>
cu_status
partition_of(const cu_view &data, const char *source, int64_t kth)
{
    typedef typename key_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1];
    const size_t nbytes = (size_t)n * sizeof(T);

    return each_row_with_room(data, "partition", [&](int64_t r, char *row, char *room) {
        const char *from = source + r * nbytes;
        if (!source) from = (char *)memcpy(room + nbytes, row, nbytes);
        put_around<T>(from, n, kth_key<T>(from, n, kth, (K *)room),
                      [row, from](int64_t to, int64_t i) {
                          memcpy(row + to * sizeof(T), from + i * sizeof(T), sizeof(T));
                      });
    });
}

template <class T>
cu_status
complex_argpartition_of(const cu_view &data, int64_t kth, int64_t *order)
{
    typedef typename key_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1];

    return each_row_with_room(
        data, "argpartition", [&](int64_t r, const char *row, char *room) {
            int64_t *const places = order + r * n;
            put_around<T>(row, n, kth_key<T>(row, n, kth, (K *)room),
                          [places](int64_t to, int64_t i) { places[to] = i; });
        });
}

/* ---- real numbers -------------------------------------------------------------------- */

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
            int64_t *const places = order + r * n;
            put_around<T>(row, n, keys[r * n + kth],
                          [places](int64_t to, int64_t i) { places[to] = i; });
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
    case CUPRIC_COMPLEX64: return complex_argpartition_of<complex64>(*data, kth, order);
    case CUPRIC_COMPLEX128:
        return complex_argpartition_of<complex128>(*data, kth, order);
    default: return cu_fail(CUPRIC_ERR_TYPE, "argpartition: no such dtype");
    }
}

cu_status
cu_host_partition(const cu_view *data, const char *source, int64_t kth)
{
    return data->dtype == CUPRIC_COMPLEX64
               ? partition_of<complex64>(*data, source, kth)
               : partition_of<complex128>(*data, source, kth);
}
