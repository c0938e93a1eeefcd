/* _realtransforms.h: what _realtransforms.cuh and _realtransforms.py share. */

/* What the real FFT transforms: extensions of type 1, x with its even elements first of type
 * 2, and of type 4 what an odd length leaves. */
enum folding { EXTENSION_EVEN, EXTENSION_ODD, EVENS_FIRST, ODD_LENGTH };

/* x is (outer, m, inner), dense, as if padded with zeros or cut to (outer, n, inner); what
 * the FFT makes of it has `length` elements along the axis, where that is not n or half of
 * it. `sine`: of a sine transform. */
struct transform_sizes {
    long long m, n, length, inner;
    int how;
    bool sine;
};
