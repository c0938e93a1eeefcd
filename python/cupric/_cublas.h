/* _cublas.h: what _cublas.cuh and _cublas.py share. */

enum { THREADS = 512 }; /* of a block, at most */
