/* host/rows.hpp: the rows of a view, which lie along its last axis, one by one. */
#ifndef CUPRIC_HOST_ROWS_HPP
#define CUPRIC_HOST_ROWS_HPP

#include "device/backend.h"
#include "host/parallel.hpp"

namespace {

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
    for (int d = v.ndim - 2; d > 0; d--) {
        p += r % v.shape[d] * v.strides[d];
        r /= v.shape[d];
    }
    return v.ndim > 1 ? p + r * v.strides[0] : p;
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

} // namespace

#endif
