/* _find_objects.cuh: the slices that hold each label.
 *
 * bounds[label - 1][d]: the smallest index along axis d, and ndim further the complement
 * of the largest, so that both are minima; the largest number at first. Only the ends of a
 * run of equal labels in a row can be either. There are `tables` of these, to be joined: a
 * piece of the host has one of its own, a GPU has one for all. Launch: blocks over the
 * tables on the host, over pieces of blockDim.x elements on a GPU.
 */
enum { MOST_AXES = 64 };

#if defined(CUPRIC_HOST)
/* Widens the bounds of the labels of a row, run by run. */
template <class L>
struct row_bounds {
    enum { GROUP = 16 }; /* elements that are looked at together: mostly one label */
    long long *table, most;
    int ndim;
    long long ends[2 * MOST_AXES]; /* of a run, as in the table */
    int edge[GROUP];

    void place(long long row, const long long *shape)
    {
        for (int d = ndim - 2; d >= 0; d--) {
            const long long rest = cupric::quotient(row, shape[d]);
            ends[d] = row - rest * shape[d];
            ends[ndim + d] = ~ends[d];
            row = rest;
        }
    }

    void widen(L label, long long first, long long last)
    {
        if (label <= 0 || (unsigned long long)label > (unsigned long long)most) return;
        long long *const bound = table + ((long long)label - 1) * 2 * ndim;
        ends[ndim - 1] = first;
        ends[2 * ndim - 1] = ~last;
        for (int d = 0; d < 2 * ndim; d++)
            bound[d] = ends[d] < bound[d] ? ends[d] : bound[d];
    }

    void add(const L *p, long long n)
    {
        long long first = 0; /* of the run under way */
        for (long long j = 0; j < n; j += GROUP) {
            const int count = n - j < GROUP ? (int)(n - j) : (int)GROUP;
            const L *const q = p + j;
            const L label = p[first];
            bool differs = false;
            if (count == GROUP) {
                for (int c = 0; c < GROUP; c++) differs |= q[c] != label;
                if (!differs) continue;
            }
            int edges = 0; /* without branches: a run may end anywhere */
            for (int c = j == 0; c < count; c++) {
                edge[edges] = c;
                edges += q[c] != q[c - 1];
            }
            for (int e = 0; e < edges; e++) {
                widen(p[first], first, j + edge[e] - 1);
                first = j + edge[e];
            }
        }
        if (n > 0) widen(p[first], first, n - 1);
    }
};
#endif

template <class L>
__global__ void
label_bounds(const L *labels, long long *bounds, long long most, const long long *shape,
             int ndim, long long rows, long long n, long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        row_bounds<L> own;
        own.table = bounds + piece * most * 2 * ndim;
        own.most = most;
        own.ndim = ndim;
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)tables);
        for (long long row = cupric::share_of(rows, (unsigned)piece, (unsigned)tables);
             row < end; row++) {
            own.place(row, shape);
            own.add(labels + row * n, n);
        }
    }
#else
    CUPRIC_EACH_BLOCK (piece, (rows * n + blockDim.x - 1) / blockDim.x) {
        const long long i = piece * blockDim.x + threadIdx.x;
        if (i >= rows * n) continue;
        const L label = labels[i];
        if (label <= 0 || (unsigned long long)label > (unsigned long long)most)
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
#endif
}
