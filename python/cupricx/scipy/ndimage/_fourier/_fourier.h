/* _fourier.h: what kernels of _fourier.cuh take by value. */

enum { ROWS = 32, COLUMNS = 512 }; /* a block's piece */
enum { THREADS = 256 };
enum fourier_kind { GAUSSIAN, UNIFORM, ELLIPSOID, SHIFT };

/* A spectrum of three axes, the rest in front of them: (rows, lengths[2]), rows = (...,
 * lengths[0], lengths[1]), in `blocks` pieces. The frequency of index i of an axis is i or,
 * from the middle on, i - length, times its unit, which for a box leaves out pi. Axis `half`
 * (-1: none) is that of a real transform, which has no negative frequencies; those whose bits
 * of `passed` are set have no part in the filter. `ndim` is the number of all axes. */
struct spectrum {
    long long rows, blocks, lengths[3];
    double units[3];
    int half, passed, kind, ndim;
};
