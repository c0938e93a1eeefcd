/* _extrema.h: what kernels of relative extrema take by value. */

/* An element against one beside it. */
enum { BELOW, ABOVE, NOT_ABOVE, NOT_BELOW };

/* An array of (rows, n, step), compared along its second axis with `order` elements on
 * either side: those behind an end are the last there, or those from the other end. */
struct extrema_sizes {
    long long n, step, order;
    int comparison, wraps;
};
