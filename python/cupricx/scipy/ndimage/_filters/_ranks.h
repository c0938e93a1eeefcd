/* _ranks.h: what kernels of _ranks.cuh take by value. */

enum { LINE_THREADS = 256, PER_THREAD = 12 }; /* elements of a line */
enum { SCAN = 256 };
enum { COLUMNS = 64, COLUMN_THREADS = 256, SHORT = 24 }; /* SHORT: a window */
enum { CHUNK = 512, TAPS = 512, WINDOW_THREADS = 128 };
enum { MOST_DIRECT = 32 }; /* sizes of windows that are folded each */
enum extremum_structure { FLAT, STRUCTURED, BYTES };

/* An array (rows, n, inner), and windows of `size` along n that begin `before` elements
 * before their outputs. */
struct extremum_axis {
    long long rows, n, inner, size, before;
    int mode;
};

/* The constant of a mode, a double or the bits of an integer; and what is flipped. */
struct extremum_numbers {
    double fill;
    long long bits, flip;
};
