/* _small_common.h: what kernels of small matrices share with Python. */

enum { MOST_ROWS = 32 }; /* and columns, but of Hermitian matrices */
