/* _graphs.cuh: edges of graphs in compressed form.
 *
 * Row u of indptr (n + 1 of them) and indices has the nodes that edges lead to from u. P is
 * int or long long, the dtype of indptr; nodes are of int.
 */
#ifndef GRAPHS_CUH
#define GRAPHS_CUH

/* The row that element e is in; nonempty, while others may be empty. */
template <class P>
__device__ inline int
row_of(const P *indptr, long long low, long long high, long long e)
{
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        if (indptr[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return (int)low;
}

/* A run of `each` edges, number `run` of them:
 *
 *     for (edge_run<P> edge(indptr, n, run, each); edge.is_there(); edge.next())
 *
 * edge.e is the element, edge.from its row. */
template <class P>
struct edge_run {
    const P *indptr;
    long long n, e, end, stop;
    int from;

    __device__ edge_run(const P *p, long long rows, long long run, long long each)
        : indptr(p), n(rows), e(run * each), end(e + each), stop(0), from(0)
    {
        if (end > indptr[n]) end = indptr[n];
        if (e < end) find(0);
    }
    __device__ bool is_there() const { return e < end; }
    __device__ void next()
    {
        e++;
        if (e == stop && e < end) find(from + 1);
    }

  private:
    __device__ void find(long long low)
    {
        from = indptr[low + 1] > e ? (int)low : row_of(indptr, low, n, e);
        stop = indptr[from + 1];
    }
};

#endif
