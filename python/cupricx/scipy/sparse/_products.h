/* _products.h: how products with dense vectors and matrices are cut into pieces. */
enum {
    PATH_THREADS = 256,
    PATH_EACH = 7,     /* items of a thread: odd, so that banks differ */
    PATH_TILE = 1792,  /* items of a block */
    BATCH = 8,         /* stored elements whose loads are in flight together */
    CARRY_THREADS = 32 /* one warp */
};

/* The merge path of a compressed matrix: its stored elements in their order, and behind
 * those of each row an item for the row's end. Pieces of as many items are as much work,
 * whatever the lengths of rows, empty ones too. */
struct path_sizes {
    long long rows, stored;
    long long length, pieces; /* items of a piece; pieces */
    long long columns;        /* of the dense matrix */
    long long lanes;          /* threads of a piece, one per column; some have none */
    long long sums;           /* bytes of the workspace before the pieces' sums */
};
