/* _small.h: what kernels of _small.cuh share with Python. */

enum { THREADS = 128 }; /* of a block, at most */
