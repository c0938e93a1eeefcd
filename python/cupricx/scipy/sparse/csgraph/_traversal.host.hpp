/* _traversal.host.hpp: one thread takes one node after the other. */

template <class P>
__global__ void
search_breadth(const P *indptr, const int *indices, int *order, int *before,
               count_type *claims, search_state *state)
{
    long long found = state->found;

    for (long long i = state->level; i < found; i++) {
        const int from = order[i];
        for (P e = indptr[from]; e < indptr[from + 1]; e++) {
            const int to = indices[e];
            if (claims[to] < (count_type)(~0ull >> 1)) continue;
            claims[to] = 0;
            before[to] = from;
            order[found++] = to;
        }
    }
    state->level = state->found = found;
    state->wide = 0;
}
