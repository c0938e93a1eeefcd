/* Flat indices and coordinates of an array's elements. */

enum { RAISE, WRAP, CLIP }; /* of _places.py */

/* out, (ndim, n): the coordinates, in an array of `ndim` axes of d0, ..., d7 elements, the last
 * one fastest, of flat indices; rows are in the order of
 * axes, or `reversed`. *is_outside = 1 where an index is not
 * of the `total` elements. */
template <class I>
__global__ void
unravel(View<I, 3> indices, long long *out, int *is_outside, long long n,
        long long total, int ndim, bool reversed, long long d0, long long d1,
        long long d2, long long d3, long long d4, long long d5, long long d6,
        long long d7)
{
    const long long m1 = indices.shape()[1], m2 = indices.shape()[2];
    CUPRIC_EACH (i, n) {
        const long long row = m2 == n ? 0 : cupric::quotient(i, m2);
        const long long one = m2 == n ? 0 : cupric::quotient(row, m1);
        const cupric::extent at[] = {one, row - one * m1, i - row * m2};
        long long rest = (long long)indices[at];
        if (rest < 0 || rest >= total) {
            *is_outside = 1;
            continue;
        }
        int left = ndim;
        const auto divide = [&](long long length) {
            if (left == 0) return;
            left--;
            const long long outer = left ? cupric::quotient(rest, length) : 0;
            out[(reversed ? ndim - 1 - left : left) * n + i] = rest - outer * length;
            rest = outer;
        };
        divide(d7);
        divide(d6);
        divide(d5);
        divide(d4);
        divide(d3);
        divide(d2);
        divide(d1);
        divide(d0);
    }
}

/* A coordinate of an axis of n elements; -1 where it is outside. */
__device__ inline long long
placed(long long x, long long n, int mode)
{
    if (x >= 0 && x < n) return x;
    if (mode == RAISE) return -1;
    if (mode == CLIP) return x < 0 ? 0 : n - 1;
    const long long rest = x % n;
    return rest < 0 ? rest + n : rest;
}

/* out += the flat indices of coordinates: those of `count` axes, of d_k elements that lie
 * s_k elements apart; out = where `begins`. Two bits of `modes` are those of an axis.
 * *is_outside = 1 where a coordinate is outside and may not be. */
template <class I>
__global__ void
ravel(long long *out, int *is_outside, long long n, int count, int modes, bool begins,
      long long d0, long long d1, long long d2, long long d3, long long s0,
      long long s1, long long s2, long long s3, View<I, 3> x0, View<I, 3> x1,
      View<I, 3> x2, View<I, 3> x3)
{
    const long long m1 = x0.shape()[1], m2 = x0.shape()[2];
    CUPRIC_EACH (i, n) {
        const long long row = m2 == n ? 0 : cupric::quotient(i, m2);
        const long long one = m2 == n ? 0 : cupric::quotient(row, m1);
        const cupric::extent at[] = {one, row - one * m1, i - row * m2};
        long long flat = begins ? 0 : out[i];
        bool outside = false;
        const auto add = [&](int k, const View<I, 3> &x, long long d, long long s) {
            if (k >= count) return;
            const long long place = placed((long long)x[at], d, modes >> 2 * k & 3);
            outside |= place < 0;
            flat += place * s;
        };
        add(0, x0, d0, s0);
        add(1, x1, d1, s1);
        add(2, x2, d2, s2);
        add(3, x3, d3, s3);
        if (outside) *is_outside = 1;
        out[i] = flat;
    }
}
