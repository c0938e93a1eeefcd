/* _shortest_paths.host.hpp: a search at a time, to its end in one sweep. */

/* memory: (rows, 2, n) ints. */
__device__ inline void
mark_start(int *memory, const path_sizes &s, long long place)
{
    memory[place / s.n * 2 * s.n + place % s.n] = 1;
}

/* Nodes by distance: a heap of four branches. place[v]: 1 + that of v; 0 where it is not
 * in the heap. */
struct node_heap {
    const key_type *keys;
    int *place, *heap;
    long long count;

    void put(long long at, int v)
    {
        heap[at] = v;
        place[v] = (int)at + 1;
    }
    /* v belongs at `at` or above. */
    void rise(long long at, int v)
    {
        while (at > 0) {
            const long long above = (at - 1) / 4;
            if (keys[heap[above]] <= keys[v]) break;
            put(at, heap[above]);
            at = above;
        }
        put(at, v);
    }
    void add(int v)
    {
        if (place[v])
            rise(place[v] - 1, v);
        else
            rise(count++, v);
    }
    int take()
    {
        const int first = heap[0], last = heap[--count];
        place[first] = 0;
        long long at = 0;
        for (long long below; (below = 4 * at + 1) < count; at = below) {
            const long long end = below + 4 < count ? below + 4 : count;
            for (long long b = below + 1; b < end; b++)
                if (keys[heap[b]] < keys[heap[below]]) below = b;
            if (keys[heap[below]] >= keys[last]) break;
            put(at, heap[below]);
        }
        if (count) put(at, last);
        return first;
    }
};

/* One search: the graph and its row of keys. */
template <class P>
struct path_search {
    const P *indptr;
    const int *indices;
    const double *data;
    key_type *keys;
    double limit;

    /* Calls queue.add(v) for neighbours that are nearer now. */
    template <class Q>
    void relax(int node, Q &queue) const
    {
        const double distance = length_of(keys[node]);
        for (P e = indptr[node]; e < indptr[node + 1]; e++) {
            const double length = distance + data[e];
            const int to = indices[e];
            if (!(length <= limit) || key_of(length) >= keys[to]) continue;
            keys[to] = key_of(length);
            queue.add(to);
        }
    }
};

/* Nodes in the order in which they are added; once, while they wait. */
struct node_queue {
    int *waits, *nodes;
    long long n, begin, count;

    void add(int v)
    {
        if (waits[v]) return;
        waits[v] = 1;
        const long long at = begin + count++;
        nodes[at < n ? at : at - n] = v;
    }
    int take()
    {
        const int v = nodes[begin];
        begin = begin + 1 < n ? begin + 1 : 0;
        count--;
        waits[v] = 0;
        return v;
    }
};

template <class P>
inline void
search_by_heap(const path_search<P> &search, int *memory, long long n)
{
    node_heap heap = {search.keys, memory, memory + n, 0};

    for (int v = 0; v < n; v++) {
        if (!memory[v]) continue;
        memory[v] = 0;
        heap.add(v);
    }
    while (heap.count) search.relax(heap.take(), heap);
}

/* Whether nodes still wait after n rounds: there is a cycle of negative length. */
template <class P>
inline bool
search_by_queue(const path_search<P> &search, int *memory, long long n)
{
    node_queue queue = {memory, memory + n, n, 0, 0};

    for (int v = 0; v < n; v++) {
        if (!memory[v]) continue;
        memory[v] = 0;
        queue.add(v);
    }
    for (long long round = 0; round <= n && queue.count; round++)
        for (long long k = queue.count; k > 0; k--) search.relax(queue.take(), queue);
    return queue.count > 0;
}

template <class P>
__global__ void
relax_edges(const P *indptr, const int *indices, const double *data, key_type *keys,
            int *memory, int *flags, path_sizes s)
{
    CUPRIC_EACH_BLOCK (row, s.pieces) {
        const path_search<P> search = {indptr, indices, data, keys + row * s.n,
                                       s.limit};
        int *const own = memory + row * 2 * s.n;
        if (!s.negative)
            search_by_heap(search, own, s.n);
        else if (search_by_queue(search, own, s.n))
            *(volatile int *)(flags + 1) = 1;
    }
}

template <class P>
__global__ void
trace_edges(const P *indptr, const int *indices, const double *data,
            const double *distances, int *found, int *memory, int *flags, path_sizes s)
{
    CUPRIC_EACH_BLOCK (row, s.pieces) {
        const double *const d = distances + row * s.n;
        int *const hops = found + row * s.n, *const before = hops + s.size;
        int *const own = memory + row * 2 * s.n, *const nodes = own + s.n;
        long long count = 0;
        for (int v = 0; v < s.n; v++)
            if (own[v]) nodes[count++] = v;
        for (long long i = 0; i < count; i++) {
            const int node = nodes[i];
            for (P e = indptr[node]; e < indptr[node + 1]; e++) {
                const int to = indices[e], step = hops[node] + 1;
                if (d[node] + data[e] != d[to] || hops[to] < step) continue;
                if (hops[to] > step) {
                    hops[to] = step;
                    nodes[count++] = to;
                }
                if (node < before[to]) before[to] = node;
            }
        }
    }
}
