/* _direct.h: what kernels of filters of high orders take by value. */

enum { DIRECT_CHUNK = 512 }; /* elements of a chunk, or more */

/* Rows of n elements, in chunks of `length`; b and a coefficients,
 * `order` numbers of a state of zi and zf. `is_final`: results are stored; else chunks
 * begin at rest, and what they end in is kept. */
struct direct_sizes {
    long long rows, n, length, chunks;
    int b, a, order, is_final;
};
