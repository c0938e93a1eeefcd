/* _window.h: windows over several axes, as kernels of filters take them. */

enum { RANKS = 64 };

/* What a piece of a filter along one axis has: elements of a row where those of a window lie
 * side by side, or near, reaching no further than MOST_REACH; else neighbouring columns. */
enum { SEGMENT = 2048, MOST_REACH = 1024, WIDTH = 256 };

/* A GPU's tile is made by TILE_THREADS, each of QUAD outputs at a time, a column by threads
 * of DOWN outputs each. */
enum { TILE_THREADS = 256, QUAD = 4, DOWN = 8 };

/* What a kernel is told by value. The last axis is of shape[] * step
 * elements: those of a window lie `step` apart there. From `tile` on: for GPUs. */
struct window_sizes {
    long long shape[RANKS];
    int window[RANKS], before[RANKS], mode[RANKS];
    int tile[RANKS]; /* outputs of a tile along each axis, as powers of two */
    int ndim, step;
    int tile_rows,
        pitch;       /* rows that a tile's windows reach, elements of one in memory */
    int out_rows;    /* rows of outputs in a tile, as a power of two */
    int window_rows; /* rows of a window */
    int lanes;       /* threads that read a row together, as a power of two */
    int alone;       /* windows go along the last axis alone, a row for each warp */
};
