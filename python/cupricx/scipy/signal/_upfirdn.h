/* _upfirdn.h: what the kernels of a filter between two sampling rates take by value. */

/* A GPU's tile has at most UPFIRDN_OUTPUTS outputs, and UPFIRDN_BYTES of shared memory for
 * its elements and the coefficients. The host has room for UPFIRDN_ROOM elements, and
 * computes UPFIRDN_LANES outputs of a phase at a time. */
enum { UPFIRDN_THREADS = 256, UPFIRDN_OUTPUTS = 1024, UPFIRDN_BYTES = 40960 };
enum { UPFIRDN_BANKS = 32 };
enum { UPFIRDN_ROOM = 4096, UPFIRDN_LANES = 16 };

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
 * signal that has up - 1 zeros behind each element. A row has `tiles` of `tile` outputs,
 * each of which reads `span` elements into shared memory, or on the host into each of its
 * columns; 0 where it does not. There are `taps` coefficients, on the host of a phase;
 * `staged`: whether shared memory has them, too; `skewed`: whether a word of it is left out
 * behind each UPFIRDN_BANKS elements. */
struct upfirdn_sizes {
    long long n, outputs, start, up, down;
    long long tiles, tile, span, taps;
    int staged, skewed, mode;
    double fill;
};
