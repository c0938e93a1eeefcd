/* _slots.h: how kernels go through elements by their labels. */

/* A warp of a GPU takes SPAN neighbouring elements, 32 at a time; where one tile has them
 * all, its warps take turns, as there may be few. */
enum { SPAN = 512, SPAN_THREADS = 256, SPAN_TILE = SPAN * SPAN_THREADS / 32 };
enum { FEW = 512 }; /* slots that a block has shared memory for */

/* Elements, slots, and `tables` of what is found of each slot, `stride` slots apart (more
 * than there are, so that threads of the host share no cache line). A piece is a tile of
 * SPAN_TILE elements of a GPU, or a share of the host's, of which each has a table. */
struct slot_sizes {
    long long size, slots, stride, tables, pieces;
};
