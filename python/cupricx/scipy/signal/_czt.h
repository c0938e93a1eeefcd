/* _czt.h: what chirps of _czt.cuh takes by value. */

/* A transform of n elements to m points, by convolution of a length: the logarithms and
 * angles of w and a, which are of the modulus 1 and of whole turns if `is_fourier`. */
struct chirp_sizes {
    long long n, m, length;
    double log_w, angle_w, log_a, angle_a;
    bool is_fourier;
};
