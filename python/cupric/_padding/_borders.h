/* _borders.h: what _borders.cuh and _borders.py share. */

enum { NDIM = 4 };
enum border_mode { CONSTANT, EDGE, WRAP, SYMMETRIC, REFLECT };

/* The result has axes of m elements, of which b stand before those of x. Of `pieces`: on a
 * GPU neighbours, on the host up to `run` elements of rows, for each of which there are
 * `each` in memory, side by side. `is_short`: 32 bits have room for all places. */
struct border_sizes {
    long long pieces, run, each, m[NDIM], b[NDIM];
    int mode;
    bool is_short;
};
