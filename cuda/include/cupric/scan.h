/* scan.h: how the scans of scan.hpp are cut into tiles, for the kernels and for Python
 * (cupric._lib.algorithms.plan_scan). */
#ifndef CUPRIC_SCAN_H
#define CUPRIC_SCAN_H

/* Threads of a block, and elements of a thread. */
enum { SCAN_THREADS = 256, SCAN_EACH = 8 };

/* Tiles whose aggregates make one of the next level. */
enum { SCAN_FAN = 32 };

/* Words of the workspace before the flags; the first counts tickets. */
enum { SCAN_HEAD = 4 };

/* A tile has `together` rows, or a part of one row where rows have several tiles. */
struct scan_layout {
    long long rows, n; /* elements of a row */
    long long length;  /* of a tile: elements of each of its rows */
    long long together, per_row;
    long long tiles;  /* of all rows: what is launched over */
    long long nodes;  /* of a row: aggregates that its tiles publish */
    long long states; /* words of the workspace before the aggregates */
    int pieces;       /* threads of a row of a tile */
};

#endif
