/* _traversal.h: what the kernels of _traversal.cuh and Python share. */

enum { SEARCH_THREADS = 512 };
/* Edges of a level that one block still takes. */
enum { NARROW = 1 << 15 };

/* Where a breadth-first search is: the level is order[level] to order[found - 1]; `edges` of
 * the levels before; `wide`: whether the level has more than one block takes. */
struct search_state {
    long long level, found, edges;
    long long wide;
};

/* A node where there is none, as in SciPy. */
enum { NO_NODE = -9999 };

/* Nodes of a wide level, and the edges of those before it. */
struct level_size {
    long long nodes, edges;
};
