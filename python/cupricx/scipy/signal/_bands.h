/* _bands.h: what kernels that select frequencies take by value. */

/* Rows of the spectrum of n samples become rows of the spectrum of `samples`, in which bins
 * of frequencies from `low` up to `high` are the band. Frequencies are in units of a bin,
 * from -n // 2 on. */
struct band_sizes {
    long long n, samples, low, high;
    double scale;
};
