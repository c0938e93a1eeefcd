/* _segments.h: what the kernels of _segments.cuh take by value. */

/* What lies outside of a signal. */
enum { ZEROS, EDGE, EVEN, ODD };

/* What is taken from each segment. */
enum { NO_TREND, CONSTANT, LINEAR };

/* By what a window is divided: nothing, its sum, or the root of the sum of squares. */
enum { AS_IT_IS, BY_SUM, BY_SQUARES };

/* Which products of spectra x and y are averaged: abs(x)^2; conj(x) y; both, and abs(y)^2. */
enum { POWER, CROSS, COHERENCE };

enum { NORM_THREADS = 1024, TILE = 128, OVERLAP = 1024, OVERLAP_THREADS = 256 };

/* Segments of rows of n elements: segment s begins at first + s step and has `points`
 * elements, which become `length` by zeros behind them; element k of that goes to
 * k - shift, modulo the length. What is `limit` or beyond is 0. A segment is cut into
 * `parts` of `part` results, one a block. */
struct segment_sizes {
    long long rows, n, segments, first, step, points, length, shift, limit, parts, part;
    int boundary, trend;
};

/* Rows of `segments` spectra of m points. A block has TILE points and a chunk of `chunk`
 * spectra. Sums are divided by `count`; points from 1 below `doubled` are doubled. */
struct average_sizes {
    long long rows, segments, m, chunks, chunk, tiles, doubled;
    double count;
    int products;
};

/* Rows of n elements, in tiles, of segments that begin at first + s step: what is above is
 * undone. Sums of squares up to `least` are not divided by. */
struct overlap_sizes {
    long long rows, n, tiles, segments, first, step, points, length, shift;
    double least;
};
