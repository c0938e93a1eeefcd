/* _uneven.h: what the kernels of _uneven.cuh take by value. */

enum { SUM_THREADS = 256 };

/* What a periodogram returns: a power, the share of the signal's power, or amplitudes. */
enum { AS_POWER, AS_SHARE, AS_AMPLITUDE };
