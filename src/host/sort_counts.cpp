/* host/sort_counts.cpp: see sort_counts.h. Two passes read a row, for its least and greatest
 * element and for how often each value comes; one writes it. 4e6 int32 of a hundred values
 * take an eighth of the time of a sort that compares. Rows of other values are recognised by
 * a few of their elements.
 */
#include "host/sort_counts.h"

#include <algorithm>
#include <limits>
#include <stdlib.h>
#include <string.h>

#include "host/argsort_counts.h"
#include "host/rows.hpp"
#include "host/threads.h"

namespace {

constexpr int64_t SHORTEST = 256; /* elements of a row */
constexpr int64_t MOST = 1 << 17; /* values: their counts are to stay in the cache */
constexpr int64_t FEW = 1 << 12;  /* values, that are counted by four */
constexpr int64_t SAMPLES = 64, BLOCK = 1 << 12;

template <class T>
struct bounds {
    typedef typename std::make_unsigned<T>::type U;
    T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::min();

    void add(const T *x, int64_t n, int64_t step)
    {
        T least = low, most = high;
        for (int64_t i = 0; i < n; i += step) {
            least = x[i] < least ? x[i] : least;
            most = x[i] > most ? x[i] : most;
        }
        low = least;
        high = most;
    }
    /* Of at least one element: how many values are between. */
    uint64_t distance() const { return (U)((U)high - (U)low); }
};

/* Whether the values of a row are fewer than `limit`, and their bounds if so. */
template <class T>
bool
find_bounds(const T *x, int64_t n, uint64_t limit, bounds<T> *b)
{
    b->add(x, n, (n + SAMPLES - 1) / SAMPLES);
    for (int64_t i = 0; i < n && b->distance() < limit; i += BLOCK) {
        b->add(x + i, std::min(n - i, BLOCK), 1);
    }
    return b->distance() < limit;
}

/* count[x - low]++ for all x. Where values are few, equal ones are neighbours so often that
 * increments would wait for each other: there are four tables then. */
template <class T>
void
count_values(const T *x, int64_t n, T low, uint32_t *count, int64_t size, bool by_four)
{
    typedef typename bounds<T>::U U;
    uint32_t *const table[4] = {count, count + by_four * size,
                                count + by_four * 2 * size, count + by_four * 3 * size};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) table[k][(U)((U)x[i + k] - (U)low)]++;
    }
    for (; i < n; i++) count[(U)((U)x[i] - (U)low)]++;
    for (int64_t v = 0; by_four && v < size; v++) {
        count[v] += table[1][v] + table[2][v] + table[3][v];
    }
}

template <class T>
bool
sort_row(const T *x, int64_t n, T *sorted)
{
    bounds<T> b;
    if (!find_bounds(x, n, std::min(n / 4, MOST), &b)) return false;
    const int64_t size = (int64_t)b.distance() + 1;
    const bool by_four = size <= FEW;
    uint32_t *const count =
        (uint32_t *)calloc(by_four ? 4 * size : size, sizeof *count); /* owned */
    if (count == nullptr) return false;
    count_values(x, n, b.low, count, size, by_four);
    for (int64_t v = 0; v < size; sorted += count[v], v++) {
        std::fill_n(sorted, count[v], (T)(b.low + (T)v));
    }
    free(count);
    return true;
}

constexpr int64_t TILED = 16; /* bytes of a row that host/sort_short.cpp sorts faster */
constexpr int64_t PLACED = 64; /* bytes of a row, that are sorted by their places */
constexpr int64_t LONGEST_BYTES = 1024; /* … of more than that sort_row is as fast */

/* By the place of each, without a branch that depends on them. */
template <class T>
void
place_bytes(const T *x, int64_t n, T *sorted)
{
    alignas(64) int32_t value[PLACED] = {};
    int64_t order[PLACED];

    for (int64_t i = 0; i < n; i++) value[i] = x[i];
    cu_host_count_before(value, (int)n, order);
    for (int64_t i = 0; i < n; i++) sorted[i] = (T)value[order[i]];
}

/* By the counts of all values, of type C. Those that are there are found eight bytes of
 * counts at a time. `flip` makes signed bytes unsigned ones of the same order. */
template <class C>
void
count_bytes(const uint8_t *x, int64_t n, uint8_t flip, uint8_t *sorted)
{
    constexpr int NBITS = 8 * sizeof(C), LANES = 64 / NBITS;
    C count[256] = {};
    uint8_t made[LONGEST_BYTES + 8], *to = made;

    for (int64_t i = 0; i < n; i++) count[x[i] ^ flip]++;
    for (int v = 0; v < 256; v += LANES) {
        uint64_t word;
        memcpy(&word, count + v, sizeof word);
        while (word) {
            const int k = __builtin_ctzll(word) / NBITS;
            const uint8_t byte = (uint8_t)((v + k) ^ flip);
            const uint64_t copies = 0x0101010101010101 * (uint64_t)byte;
            const int64_t c = count[v + k];
            memcpy(to, &copies, sizeof copies); /* into what is still to come */
            if (c > 8) memset(to + 8, byte, c - 8);
            to += c;
            word &= ~((uint64_t)(C)-1 << k * NBITS);
        }
    }
    memcpy(sorted, made, n);
}

template <class T>
void
sort_bytes(const cu_view &data, const char *source)
{
    const int64_t n = data.shape[data.ndim - 1];
    const uint8_t flip = std::is_signed<T>::value ? 0x80 : 0;

    each_row(data, [=](int64_t r, char *row) {
        const char *const from = source ? source + r * n : row;
        if (n <= PLACED)
            place_bytes((const T *)from, n, (T *)row);
        else if (n <= UINT8_MAX)
            count_bytes<uint8_t>((const uint8_t *)from, n, flip, (uint8_t *)row);
        else
            count_bytes<uint16_t>((const uint8_t *)from, n, flip, (uint8_t *)row);
    });
}

template <class T>
bool
sort_rows(const cu_view &data, const char *source)
{
    const int64_t n = data.shape[data.ndim - 1];
    bool failed = false;

    each_row(data, [&](int64_t r, char *row) {
        const T *const from = source ? (const T *)source + r * n : (const T *)row;
        if (__atomic_load_n(&failed, __ATOMIC_RELAXED)) return;
        if (!sort_row(from, n, (T *)row))
            __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
    });
    return !failed;
}

} // namespace

bool
cu_host_sort_counts(const cu_view *data, const char *source)
{
    const int64_t n = data->shape[data->ndim - 1];

    if (n < cu_host_threshold(SHORTEST, 8) || n > UINT32_MAX) return false;
    switch (data->dtype) {
    case CUPRIC_INT8: return sort_rows<int8_t>(*data, source);
    case CUPRIC_UINT8: return sort_rows<uint8_t>(*data, source);
    case CUPRIC_INT16: return sort_rows<int16_t>(*data, source);
    case CUPRIC_UINT16: return sort_rows<uint16_t>(*data, source);
    case CUPRIC_INT32: return sort_rows<int32_t>(*data, source);
    case CUPRIC_UINT32: return sort_rows<uint32_t>(*data, source);
    case CUPRIC_INT64: return sort_rows<int64_t>(*data, source);
    case CUPRIC_UINT64: return sort_rows<uint64_t>(*data, source);
    default: return false;
    }
}

bool
cu_host_sort_bytes(const cu_view *data, const char *source)
{
    const int64_t n = data->shape[data->ndim - 1];

    if (n <= TILED || n > LONGEST_BYTES) return false;
    if (data->dtype == CUPRIC_INT8)
        sort_bytes<int8_t>(*data, source);
    else if (data->dtype == CUPRIC_UINT8)
        sort_bytes<uint8_t>(*data, source);
    else
        return false;
    return true;
}
