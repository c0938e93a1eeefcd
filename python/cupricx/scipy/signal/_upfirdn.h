/* _upfirdn.h: what the kernels of a filter between two sampling rates take by value. */

enum {
    UPFIRDN_THREADS = 256,
    UPFIRDN_OUTPUTS = 1024, /* of a tile at most */
    UPFIRDN_BYTES =
        40960, /* of shared memory, for a tile's inputs and the coefficients */
};

/* What lies outside a signal. */
enum {
    UPFIRDN_CONSTANT,
    UPFIRDN_SYMMETRIC,
    UPFIRDN_REFLECT,
    UPFIRDN_EDGE,
    UPFIRDN_WRAP,
    UPFIRDN_SMOOTH,
    UPFIRDN_LINE,
    UPFIRDN_ANTISYMMETRIC,
    UPFIRDN_ANTIREFLECT,
};

/* Rows of `n` elements become rows of `outputs`. Output m is at m * down + start of the
 * signal that has up - 1 zeros behind each element. */
struct upfirdn_sizes {
    long long n, outputs, start, up, down;
    long long tiles; /* of a row */
    long long tile;  /* outputs of one */
    long long span;  /* elements that a tile reads; 0 where it has no shared memory */
    long long taps;  /* coefficients */
    int staged;      /* whether shared memory has the coefficients, too */
    int mode;
    double fill;
};
