/* _floyd_warshall.cuh: shortest paths between all nodes, by tiles.
 *
 * d: (n, n), n = side * TILE; before: the same of int, or null. For each tile of nodes that
 * paths may go by, in three launches: the tile in the middle; those in its row and column,
 * which depend on it; the others, which depend on these (Venkataraman, Sahni and
 * Mukhopadhyaya 2003).
 */
#include "_floyd_warshall.h"

/* The tile (row, column) that is number k of a phase. */
__device__ inline void
find_tile(const tile_sizes &s, long long k, long long *row, long long *column)
{
    const long long others = s.side - 1;
    *row = *column = s.middle;
    if (s.phase == PHASE_CROSS) {
        const long long at = k % others;
        const long long tile = at < s.middle ? at : at + 1;
        *(k < others ? row : column) = tile;
    } else if (s.phase == PHASE_OTHERS) {
        const long long i = k / others, j = k % others;
        *row = i < s.middle ? i : i + 1;
        *column = j < s.middle ? j : j + 1;
    }
}

/* Distances and predecessors of an array or its part. */
struct path_array {
    double *d;
    int *before;
    long long n;

    __device__ path_array tile(long long row, long long column) const
    {
        const long long at = row * TILE * n + column * TILE;
        const path_array made = {d + at, before ? before + at : before, n};
        return made;
    }
};

/* Launch: blocks(tiles, TILE_THREADS). */
__global__ void
pass_tiles(double *d, int *before, tile_sizes s, long long tiles)
{
    enum { EACH = TILE * TILE / TILE_THREADS, STEP = TILE_THREADS / TILE };
    __shared__ double to[TILE][TILE + 1],
        from[TILE][TILE + 1]; /* the middle, and from it */
    __shared__ int last[TILE][TILE + 1];
    const path_array all = {d, before, s.side * TILE};
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;

    CUPRIC_EACH_BLOCK (k, tiles) {
        long long row, column;
        find_tile(s, k, &row, &column);
        const path_array own = all.tile(row, column);
        const path_array a = all.tile(row, s.middle), b = all.tile(s.middle, column);
        double length[EACH];
        int node[EACH];

        for (int i = 0; i < EACH; i++) {
            const int r = y + i * STEP;
            to[r][x] = a.d[r * a.n + x];
            from[r][x] = b.d[r * b.n + x];
            if (before) last[r][x] = b.before[r * b.n + x];
            length[i] = own.d[r * own.n + x];
            node[i] = before ? own.before[r * own.n + x] : 0;
        }
        __syncthreads();
        for (int by = 0; by < TILE; by++) {
            for (int i = 0; i < EACH; i++) {
                const int r = y + i * STEP;
                const double sum = to[r][by] + from[by][x];
                if (sum < length[i]) {
                    length[i] = sum;
                    node[i] = last[by][x];
                }
            }
            if (s.phase == PHASE_OTHERS) continue;
            /* The tile is one of those it depends on. */
            __syncthreads();
            for (int i = 0; i < EACH; i++) {
                const int r = y + i * STEP;
                if (column == s.middle) to[r][x] = length[i];
                if (row == s.middle) from[r][x] = length[i];
                if (row == s.middle) last[r][x] = node[i];
            }
            __syncthreads();
        }
        for (int i = 0; i < EACH; i++) {
            const int r = y + i * STEP;
            own.d[r * own.n + x] = length[i];
            if (before) own.before[r * own.n + x] = node[i];
        }
        __syncthreads();
    }
}

/* The distances of edges, infinite where there is none, and 0 from a node to itself; the
 * shorter of both directions where both are taken. graph: (m, m) of edges. Launch:
 * elements(size), of d. */
__global__ void
begin_tiles(const double *graph, double *d, int *before, long long m, long long n,
            bool directed, long long size)
{
    CUPRIC_EACH (at, size) {
        const long long i = at / n, j = at % n;
        double length = __longlong_as_double(0x7ff0000000000000ll); /* infinite */
        if (i < m && j < m) {
            length = graph[i * m + j];
            if (!directed && graph[j * m + i] < length) length = graph[j * m + i];
        }
        const bool is_edge = length <= 1.7976931348623157e308;
        d[at] = i == j ? 0 : length;
        if (before) before[at] = i != j && is_edge ? (int)i : NO_PREDECESSOR;
    }
}
