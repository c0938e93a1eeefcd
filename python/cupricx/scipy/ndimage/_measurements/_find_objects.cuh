/* _find_objects.cuh: the slices that hold each label.
 *
 * bounds[label - 1][d]: the smallest index along axis d, and ndim further the complement
 * of the largest, so that both are minima; the largest number at first. Only the ends of a
 * run of equal labels in a row can be either. Each piece of the host has such a table, to
 * be joined; a GPU's pieces, of BOUNDS_THREADS elements, share one.
 * Launch: blocks(p.pieces, BOUNDS_THREADS).
 */
#include "_find_objects.h"

template <class L>
__global__ void
label_bounds(const L *labels, long long *bounds, const long long *shape, object_sizes p)
{
    const int ndim = p.ndim;
    const long long n = p.n, size = p.rows * n;

    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        const long long i = piece * BOUNDS_THREADS + threadIdx.x;
        if (i >= size) continue;
        const L label = labels[i];
        if (label <= 0 || (unsigned long long)label > (unsigned long long)p.most)
            continue;
        long long row = cupric::quotient(i, n), at = i - row * n;
        if (at > 0 && at + 1 < n && labels[i - 1] == label && labels[i + 1] == label)
            continue;
        long long *const low = bounds + ((long long)label - 1) * 2 * ndim;
        long long *const high = low + ndim;
        for (int d = ndim - 1; d >= 0; d--) {
            if (d < ndim - 1) {
                const long long rest = cupric::quotient(row, shape[d]);
                at = row - rest * shape[d];
                row = rest;
            }
            /* Looked at first: few elements change anything. */
            if (at < *(volatile long long *)(low + d)) atomicMin(low + d, at);
            if (~at < *(volatile long long *)(high + d)) atomicMin(high + d, ~at);
        }
    }
}
