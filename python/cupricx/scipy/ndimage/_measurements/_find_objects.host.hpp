/* _find_objects.host.hpp: a piece is a share of the rows, with a table of its own. */

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
template <class L>
__global__ void
label_bounds(const L *labels, long long *bounds, const long long *shape, object_sizes p)
{
    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        row_bounds<L> own;
        own.table = bounds + piece * p.most * 2 * p.ndim;
        own.most = p.most;
        own.ndim = p.ndim;
        const long long end =
            cupric::share_of(p.rows, (unsigned)piece + 1, (unsigned)p.pieces);
        for (long long row =
                 cupric::share_of(p.rows, (unsigned)piece, (unsigned)p.pieces);
             row < end; row++) {
            own.place(row, shape);
            own.add(labels + row * p.n, p.n);
        }
    }
}
