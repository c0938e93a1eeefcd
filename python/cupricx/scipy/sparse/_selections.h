/* _selections.h: what kernels and Python share. */

/* Threads of a block, and stored elements that it takes: whole words of a mask. */
enum { THREADS = 256, TILE = 4096 };

/* Elements that are looked through rather than searched. */
enum { SHORT = 16 };

/* Which elements are kept: those whose minor index is in a range of some step, or has a
 * place; those with minor - major <= shift, or >= shift. */
enum { KEEP_RANGE, KEEP_PLACES, KEEP_BELOW, KEEP_ABOVE };

struct take_sizes {
    long long n, n_major; /* rows taken, and those there are */
    long long nnz, tiles; /* of the result */
};

struct keep_rule {
    long long nnz, words, tiles, n_major;
    long long low, high, step; /* a range, ascending; step > 0 */
    long long start, sign;     /* its first, and whether it goes up or down, as asked */
    long long shift;           /* of a diagonal */
    int kind;
};

struct point_sizes {
    long long n, n_major, n_minor;
    long long first_major, first_minor; /* of a diagonal */
    long long nnz;
    long long work;   /* n, or as many threads as share in them */
    long long x_step; /* 0: one value for all points */
};

/* Where the search for a point ends without an element to be set: the point is to be
 * inserted, or another one that comes later sets the same element. */
enum { POINT_MISSING = -1, POINT_IGNORED = -2 };

/* What a wait brings: how many elements there are; whether an index is out of bounds;
 * whether an index or a stored element occurs twice. */
enum { INFO_COUNT, INFO_OUT_OF_BOUNDS, INFO_REPEATED, INFO_SIZE };
