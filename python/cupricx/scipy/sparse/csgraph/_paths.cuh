/* _paths.cuh: what is made of predecessors. */

/* lengths[v]: of the shortest edge to v from the node before it. Launch: elements(n). */
template <class P>
__global__ void
tree_edges(const P *indptr, const int *indices, const double *data, const int *before,
           double *lengths, long long n)
{
    CUPRIC_EACH (v, n) {
        const int from = before[v];
        if (from < 0 || from >= n) continue;
        bool found = false;
        for (P e = indptr[from]; e < indptr[from + 1]; e++) {
            if (indices[e] != v || (found && !(data[e] < lengths[v]))) continue;
            lengths[v] = data[e];
            found = true;
        }
    }
}

/* Backwards along the path from i to j. A path of more than n edges is in a cycle, which
 * has no length. Launch: elements(size). */
__global__ void
path_lengths(const double *lengths, const int *before, double *distances,
             double null_value, long long n, long long size)
{
    CUPRIC_EACH (k, size) {
        const long long i = k / n;
        long long j = k - i * n, edges = 0;
        double sum = 0;
        while (j != i && edges <= n) {
            const int from = before[i * n + j];
            if (from < 0 || from >= n) break;
            sum += lengths[from * n + j];
            j = from;
            edges++;
        }
        distances[k] = j == i ? sum : null_value;
    }
}
