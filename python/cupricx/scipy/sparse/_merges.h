/* _merges.h: how two matrices are cut into tiles, and what elements are combined by. */
enum {
    MERGE_THREADS = 256,
    MERGE_EACH = 8,    /* elements of a thread */
    MERGE_TILE = 2047, /* items of a tile; an element more, if it ends with a pair */
    MERGE_HOST_TILE = 1 << 15
};

enum operation {
    OP_PLUS,
    OP_MINUS,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MAXIMUM,
    OP_MINIMUM,
    OP_NE, /* the first of those that give bools */
    OP_LT,
    OP_GT
};

/* Items are the elements of each row of both, and one for its end. */
struct merge_sizes {
    long long rows, items, tile, tiles;
    int op;
};
