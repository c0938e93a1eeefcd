/* host/sort_short.cpp: see sort_short.h. A tile of rows is transposed, so that neighbours of
 * many rows are exchanged together: of three float32 a row takes 2 ns, where a call of a sort
 * for each takes 30. Neighbours alone are exchanged, and not equal ones: so it is stable.
 */
#include "host/sort_short.h"

#include <string.h>
#include <type_traits>

#include "host/cpu.h"
#include "host/parallel.hpp"
#include "host/word.hpp"

namespace {

constexpr int TILE = 64; /* rows */

/* Column j of `count` rows of n to at[j * TILE], and back. */
template <class W>
__attribute__((noinline)) void
read_columns(W *at, const W *rows, int n, int count)
{
    for (int j = 0; j < n; j++, at += TILE) {
        for (int k = 0; k < count; k++) at[k] = rows[k * n + j];
    }
}

template <class W>
__attribute__((noinline)) void
write_columns(W *rows, const W *at, int n, int count)
{
    for (int j = 0; j < n; j++, at += TILE) {
        for (int k = 0; k < count; k++) rows[k * n + j] = at[k];
    }
}

template <class T>
struct tile {
    static constexpr int LONGEST = CUPRIC_SORT_SHORT_BYTES / sizeof(T);
    alignas(64) T at[LONGEST][TILE];

    static inline void exchange(T *__restrict low, T *__restrict high)
    {
        for (int k = 0; k < TILE; k++) {
            const T a = low[k], b = high[k];
            const bool swap = (b < a) | ((a != a) & (b == b));
            low[k] = swap ? b : a;
            high[k] = swap ? a : b;
        }
    }

    void sort(T *rows, int n, int count)
    {
        typedef typename word<sizeof(T)>::type W;
        if (count < TILE) memset(at, 0, sizeof at);
        read_columns((W *)at, (const W *)rows, n, count);
        for (int i = 1; i < n; i++) {
            for (int j = i; j > 0; j--) exchange(at[j - 1], at[j]);
        }
        write_columns((W *)rows, (const W *)at, n, count);
    }
};

template <class T>
bool
sort_rows(char *rows, int64_t n, int64_t nrows)
{
    tile<T> t;
    for (int64_t k = 0; k < nrows; k += TILE) {
        t.sort((T *)rows + k * n, (int)n, nrows - k < TILE ? (int)(nrows - k) : TILE);
    }
    return true;
}

} // namespace

bool
CUPRIC_HOST_LEVEL(cu_host_sort_short_rows)(cu_dtype t, char *rows, int64_t n,
                                           int64_t nrows)
{
    switch (t) {
    case CUPRIC_INT8: return sort_rows<int8_t>(rows, n, nrows);
    case CUPRIC_BOOL:
    case CUPRIC_UINT8: return sort_rows<uint8_t>(rows, n, nrows);
    case CUPRIC_INT16: return sort_rows<int16_t>(rows, n, nrows);
    case CUPRIC_UINT16: return sort_rows<uint16_t>(rows, n, nrows);
    case CUPRIC_INT32: return sort_rows<int32_t>(rows, n, nrows);
    case CUPRIC_UINT32: return sort_rows<uint32_t>(rows, n, nrows);
    case CUPRIC_INT64: return sort_rows<int64_t>(rows, n, nrows);
    case CUPRIC_UINT64: return sort_rows<uint64_t>(rows, n, nrows);
    case CUPRIC_FLOAT32: return sort_rows<float>(rows, n, nrows);
    case CUPRIC_FLOAT64: return sort_rows<double>(rows, n, nrows);
    default: return false;
    }
}

#if !defined(__AVX2__) || defined(CUPRIC_HOST_NATIVE)

/* The level of this CPU's that is compiled. */
static bool
sort_short_rows(cu_dtype t, char *rows, int64_t n, int64_t nrows)
{
#if defined(CUPRIC_HOST_CHOOSES)
    if (cu_host_cpu_level() >= 3) return cu_host_sort_short_rows_v3(t, rows, n, nrows);
#endif
    return cu_host_sort_short_rows_base(t, rows, n, nrows);
}

bool
cu_host_sort_short(const cu_view *data)
{
    const int64_t n = data->shape[data->ndim - 1],
                  nbytes = n * cu_itemsize(data->dtype);
    int64_t rows = 1;

    for (int d = data->ndim - 2; d >= 0; d--) {
        if (data->shape[d] > 1 && data->strides[d] != rows * nbytes) return false;
        rows *= data->shape[d];
    }
    if (rows < TILE / 4 || nbytes > CUPRIC_SORT_SHORT_BYTES) return false;
    if (!sort_short_rows(data->dtype, data->ptr, n, 0)) return false;
    parallel(rows, (1 << 16) / n, [&](int64_t begin, int64_t end) {
        sort_short_rows(data->dtype, data->ptr + begin * nbytes, n, end - begin);
    });
    return true;
}

#endif
