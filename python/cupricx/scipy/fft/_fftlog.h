/* _fftlog.h: what hankel of _fftlog.cuh takes by value. */

/* `count` terms u[k] = 2^(bias + 2iy) exp(-2iy offset) gamma(plus + iy) / gamma(minus - iy),
 * y from 0 to `last`; of the inverse transform 1 / conj(u). `first`: u[0], which is real;
 * `real_end`: so is the last one. */
struct hankel_terms {
    long long count;
    double last, plus, minus, bias, offset, first;
    bool real_end, inverse;
};
