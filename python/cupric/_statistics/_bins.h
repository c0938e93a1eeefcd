/* _bins.h: what _bins.cuh and _bins.py share. */

enum {
    TOGETHER = 3,          /* dimensions that a launch takes */
    AT_ONCE = 4,           /* elements that a thread digitizes at once */
    EXTREMES_THREADS = 256 /* of a block, at most */
};
enum edges_word { ASCEND = 1, DO_NOT = 2 }; /* what a word says of edges */

/* n points of so many `columns`, and how many bins each has. A bit of `even` says of each whether its edges are evenly
 * spaced. Where `more`, there are bins of columns before these. */
struct points_sizes {
    long long n, bins[TOGETHER];
    int columns, even;
    bool more;
};

/* Pieces of `run` elements of so many `columns`, the first of which is number `first` of
 * `all`. */
struct extremes_sizes {
    long long pieces, run, first, all;
    int columns;
};

/* Bins along each axis. Of `pieces`: rows along the last axis on the host, elements on a
 * GPU. */
struct densities_sizes {
    long long pieces, n[TOGETHER];
};
