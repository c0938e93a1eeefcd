/* _dense.cuh: dense arrays of graphs. */

/* A thread has a row, as it may have several edges to a node. touched: all false. Launch:
 * elements(rows). */
template <class P>
__global__ void
shortest_edges(const P *indptr, const int *indices, const double *data, double *out,
               bool *touched, long long n, long long rows)
{
    CUPRIC_EACH (u, rows) {
        for (P e = indptr[u]; e < indptr[u + 1]; e++) {
            const long long at = u * n + indices[e];
            if (!touched[at] || data[e] < out[at]) out[at] = data[e];
            touched[at] = true;
        }
    }
}
