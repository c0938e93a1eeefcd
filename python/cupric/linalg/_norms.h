/* _norms.h: what kernels of _norms.cuh share with Python. */

enum { THREADS = 256 }; /* of a block, at most */
