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

/* An axis of a signal, of n elements, `before` more in front. */
struct extension {
    long long n, before;
    int axis, kind;
};
