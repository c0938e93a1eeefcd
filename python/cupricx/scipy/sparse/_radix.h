/* _radix.h: how a sort by indices is cut into passes and tiles. */
#ifndef CUPRIC_SPARSE_RADIX_H
#define CUPRIC_SPARSE_RADIX_H

/* On a GPU: threads of a block, elements of a thread, bits of a digit. */
enum { RADIX_THREADS = 256, RADIX_EACH = 16, RADIX_TILE = 4096, RADIX_BITS = 8 };

/* On the host: bits of the digit by which elements are put into buckets, and of one that is
 * all that there is to sort by. */
enum { RADIX_BUCKET_BITS = 8, RADIX_MOST_BITS = 11 };

struct radix_pass {
    long long n, tile, tiles; /* elements, those of a tile, tiles */
    int shift, bits;          /* the digit: of the key */
};

/* Buckets of neighbouring rows, each of 2**shift. */
struct bucket_sizes {
    long long rows, n, buckets;
    long long apart; /* of the places of neighbouring buckets; 0: there is one bucket */
    int shift;
};

#endif
