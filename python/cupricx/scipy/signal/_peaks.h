/* _peaks.h: what kernels of peaks take by value. */

/* Elements that have one of the next level of a pyramid; 16**16 is every length. */
enum { PYRAMID_FAN = 16, PYRAMID_BITS = 4, PYRAMID_LEVELS = 16 };

/* A pyramid of n elements. Level 0 is the array itself. Another begins at element
 * begin[level] of the pyramid's memory, with the minima, behind which are the maxima.
 * And what is looked for there: `count` peaks, up to `reach` elements away. */
struct peak_search {
    long long n, begin[PYRAMID_LEVELS], counts[PYRAMID_LEVELS];
    long long count, reach;
    double rel_height;
    int levels;
};

/* Elements of a tile of the host, in which maxima are listed before it is known how many
 * come before them. */
enum { MAXIMA_TILE = 4096 };

/* Conditions of find_peaks. */
enum { PEAK_PLATEAU, PEAK_HEIGHT, PEAK_THRESHOLD, PEAK_PROMINENCE, PEAK_WIDTH };
enum { PEAK_CONDITIONS = 5 };

/* Where a bound stands: nowhere, in the structure, or, from 0 on, in this row of the array
 * of bounds, which have one for each element of x. */
enum { BOUND_NONE = -2, BOUND_NUMBER = -1 };

struct peak_bounds {
    double least[PEAK_CONDITIONS], most[PEAK_CONDITIONS];
    long long least_row[PEAK_CONDITIONS], most_row[PEAK_CONDITIONS], n;
    int has[PEAK_CONDITIONS]; /* whether there is any */
};

/* What marks begin with, behind which each peak has one: it is 1 for those that are kept.
 * MARK_BAD is the number of the first peak that is no index, or has no valid bases;
 * MARK_FLAT and MARK_NARROW are 1 where a prominence or a width is 0. */
enum { MARK_BAD, MARK_FLAT, MARK_NARROW, MARK_HEAD };
