/* _reductions.h: how a matrix is cut into tiles, and what its rows are reduced to. */
enum {
    ROWS_THREADS = 256,
    ROWS_TILE = 2048, /* items of a tile: elements, and ends of rows */
    ROWS_HOST_TILE = 1 << 14,
    ROWS_FINISH_THREADS = 32, /* one warp */
    ROWS_STATE = 32           /* bytes with room for any state */
};

enum reduction {
    REDUCE_SUM,
    REDUCE_MAXIMUM,
    REDUCE_MINIMUM,
    REDUCE_NANMAX,
    REDUCE_NANMIN,
    REDUCE_ARGMAX,
    REDUCE_ARGMIN
};

struct row_sizes {
    long long rows, columns;
    long long items, tile, tiles;
    bool is_explicit; /* what is not stored is left out, else it is zero */
};
