/* _small_orthogonal.h: what kernels of _small_orthogonal.cuh take by value. */

/* What svd_small makes, and of which of its matrices it takes or leaves conjugates. */
struct svd_options {
    bool vectors, conjugates, left_conjugates, right_conjugates;
};
