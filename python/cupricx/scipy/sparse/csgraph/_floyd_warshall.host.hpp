/* _floyd_warshall.host.hpp: tiles where they lie, row by row. */

/* Whether node `by` leads to a shorter path, along a row of a tile. */
inline void
pass_row(double to, const double *from, const int *last, double *length, int *node)
{
    for (int x = 0; x < TILE; x++) {
        const double sum = to + from[x];
        const bool shorter = sum < length[x];
        if (node) node[x] = shorter ? last[x] : node[x];
        length[x] = shorter ? sum : length[x];
    }
}

__global__ void
pass_tiles(double *d, int *before, tile_sizes s, long long tiles)
{
    const path_array all = {d, before, s.side * TILE};

    CUPRIC_EACH_BLOCK (k, tiles) {
        long long row, column;
        find_tile(s, k, &row, &column);
        const path_array own = all.tile(row, column);
        const path_array a = all.tile(row, s.middle), b = all.tile(s.middle, column);
        for (int by = 0; by < TILE; by++)
            for (int r = 0; r < TILE; r++)
                pass_row(a.d[r * a.n + by], b.d + by * b.n,
                         before ? b.before + by * b.n : before, own.d + r * own.n,
                         before ? own.before + r * own.n : before);
    }
}
