/* _floyd_warshall.h: what the kernels of _floyd_warshall.cuh and Python share. */

/* A tile is of TILE x TILE distances; a thread of a GPU has TILE * TILE / TILE_THREADS. */
enum { TILE = 32, TILE_THREADS = 256 };
enum { NO_PREDECESSOR = -9999 };
/* Tiles of a phase: the middle one; those of its row and of its column; all others. */
enum { PHASE_MIDDLE = 0, PHASE_CROSS = 1, PHASE_OTHERS = 2 };

/* side: tiles along an axis; middle: the tile of the nodes that paths may go by now. */
struct tile_sizes {
    long long side, middle;
    int phase;
};
