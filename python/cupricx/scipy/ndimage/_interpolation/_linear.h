/* _linear.h: what kernels of _linear.cuh take by value. */

enum { THREADS = 256, WARP = 32 };
enum {
    AT_ONCE = 4,
    PIECE_POINTS = THREADS * AT_ONCE
};                             /* points of a thread, a block */
enum { LINES = 128 };          /* rows of a block */
enum { MOST_EXACT = 1 << 21 }; /* length whose coordinates are found by float sums */

/* Of an image (n...), 2 to MOST_EXACT each, in `pieces` of PIECE_POINTS; outside of the first
 * and the last sample is the constant `fill`. */
struct linear_image {
    long long n[3], points, pieces;
    double fill;
};

/* x: (outer, n...), y: (outer, m...), `rows` of m's last, in `pieces` of LINES x WARP. Output
 * k lies at (k + shift) zoom, or (k + 1/2) zoom - 1/2 if `grid`, along each axis by itself. */
struct linear_axes {
    long long rows, pieces, n[3], m[3];
    double shift[3], zoom[3], fill;
    int grid, mode, around;
};
