/* _krylov.h: what kernels of _krylov.cuh share with Python. */

enum {
    KRYLOV_THREADS = 256,
    KRYLOV_ROWS = 4,         /* that a warp takes at once, as it waits for memory */
    KRYLOV_LEAST_TILE = 256, /* elements; a thread's one */
    KRYLOV_MOST_TILES = 512, /* each block adds up what all of them found */
};

/* One vector among `rows` others of n elements. A block has a tile of its elements. */
struct krylov_sizes {
    long long n;
    long long tile; /* elements */
    int tiles;
    int rows;
};
