/* _selections.h: what kernels and Python share. */

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
