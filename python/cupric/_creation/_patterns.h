/* _patterns.h: what _patterns.cuh and _patterns.py share. */

enum {
    TOGETHER = 3, /* grids that a launch makes */
    NDIM = 8      /* axes of coordinates, at most */
};

/* Powers of `base`, times `sign`; where `given`, the first is sign * first and the last, if
 * it `ends` them, sign * last. */
struct powers_of {
    double base, sign, first, last;
    bool ends, given;
};

/* Coordinates along so many `axes`, the last of these lengths. Of `pieces`: rows of all axes
 * on the host, elements of one on a GPU. */
struct coordinates_sizes {
    long long pieces, axes, lengths[NDIM];
};

/* Grids of `count` vectors, with `inner` places between their elements. Of `pieces`: rows of
 * `last` elements on the host, elements on a GPU. */
struct grids_sizes {
    long long pieces, last, inner[TOGETHER];
    int count;
};
