/* _wavelets.h: what kernels of wavelets share with Python. */

/* Wavelets of many widths, each a row of `length` elements that begins at `first`, of which
 * at most `most` points are not zero. */
struct wavelet_bank {
    long long length, most, first;
    double w;
};
