/* _squared_distances.h: what kernels of _squared_distances.cuh take by value. */

enum { BLOCK = 32 };                              /* rows that have a minimum */
enum { COLUMNS = 32, ROWS_EACH = 4, REACH = 32 }; /* of a GPU's tile of BLOCK rows */
enum { SQUARES_THREADS = COLUMNS * BLOCK / ROWS_EACH };
enum { HOST_COLUMNS = 64, HOST_REACH = 128 };
enum { ENVELOPE = 4096 }; /* rows whose lower envelope the host has room for */

/* An array (outer, n, inner), n along the axis of a weight; inner is (n1, n2, n3), of
 * weights w1, w2 and w3. */
struct squares_sizes {
    long long outer, n, inner, n1, n2, n3;
    double weight, w1, w2, w3;
    bool last; /* pass: what is found is the result */
};
