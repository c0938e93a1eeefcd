/* _bit_images.h: what kernels of _bit_images.cuh take by value. */

enum { PACK_THREADS = 256, PACK_WARPS = PACK_THREADS / 32 };
enum { DILATE_THREADS = 256, WORDS = 256 }; /* WORDS: of a piece of the host */

/* `rows` rows of n elements. facts: shape[ndim], then `ngroups` groups of taps. flip: words
 * are read as those of the complement. border: what lies outside. */
struct dilation {
    long long rows, n;
    int ndim, ngroups;
    bool flip, border;
};

/* Sets of label_runs, of rows of n elements; `width` as there. */
struct reached_sets {
    long long rows, n, width;
    bool flip; /* what is written */
};
