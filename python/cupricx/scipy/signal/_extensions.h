/* _extensions.h: what lies before and behind a signal. */

enum {
    EXTEND_ZEROS,
    EXTEND_CONSTANT,  /* the element at the end */
    EXTEND_EVEN,      /* reflected about the element at the end */
    EXTEND_ODD,       /* ... and about its value */
    EXTEND_PERIODIC,  /* the signal again */
    EXTEND_SYMMETRIC, /* reflected about what lies between two elements */
    EXTEND_ANTISYMMETRIC,
    EXTEND_LINE /* the line through both ends */
};

/* y, of shape (outer, m, inner) or (outer, inner, m), is contiguous; the axis of m
 * elements, `axis`, is that of x, n elements, and `before` more in front. */
struct extension {
    long long shape[3], n, before;
    int axis, kind;
};
