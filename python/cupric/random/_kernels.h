/* _kernels.h: what kernels of _kernels.cuh take by value. */

/* Rows of k counts, whose sums are as parameter n says (_fill.h); the probabilities have
 * p_rows rows, which are repeated. */
struct multinomial_plan {
    unsigned long long key, counter;
    long long rows, k;
    double n;
    long long n_repeat, n_period, p_rows;
};
