/* _places.cuh: flat indices and coordinates of an array's elements. */
#include "_places.h"

/* Where element i of n is, in an array of three axes: of one row mostly. */
struct Place {
    cupric::extent at[3];

    template <class I>
    __device__ Place(const View<I, 3> &x, long long i, long long n)
    {
        const long long m1 = x.shape()[1], m2 = x.shape()[2];
        const long long row = m2 == n ? 0 : cupric::quotient(i, m2);
        const long long one = m2 == n ? 0 : cupric::quotient(row, m1);
        at[0] = one;
        at[1] = row - one * m1;
        at[2] = i - row * m2;
    }
};

/* out, (ndim, n): the coordinates of flat indices, the last axis the fastest. *is_outside =
 * 1 where an index is none of the elements. Launch: elements(p.n). */
template <class I>
__global__ void
unravel(View<I, 3> indices, long long *out, int *is_outside, unravel_sizes p)
{
    CUPRIC_EACH (i, p.n) {
        const Place place(indices, i, p.n);
        long long rest = (long long)indices[place.at];
        if (rest < 0 || rest >= p.total) {
            *is_outside = 1;
            continue;
        }
        int left = p.ndim;
#pragma unroll
        for (int k = MOST - 1; k >= 0; k--) {
            if (left == 0) continue;
            left--;
            const long long outer = left ? cupric::quotient(rest, p.lengths[k]) : 0;
            out[(p.reversed ? p.ndim - 1 - left : left) * p.n + i] =
                rest - outer * p.lengths[k];
            rest = outer;
        }
    }
}

/* A coordinate of an axis of n elements; -1 where it is outside. */
__device__ inline long long
placed(long long x, long long n, int mode)
{
    if (x >= 0 && x < n) return x;
    if (mode == PLACE_RAISE) return -1;
    if (mode == PLACE_CLIP) return x < 0 ? 0 : n - 1;
    const long long rest = x % n;
    return rest < 0 ? rest + n : rest;
}

/* out += the flat indices of coordinates. *is_outside = 1 where one is outside and may not
 * be. Launch: elements(p.n). */
template <class I>
__global__ void
ravel(long long *out, int *is_outside, ravel_sizes p, Views<I, 3, CASES> x)
{
    CUPRIC_EACH (i, p.n) {
        const Place place(x[0], i, p.n);
        long long flat = p.begins ? 0 : out[i];
        bool outside = false;
#pragma unroll
        for (int k = 0; k < CASES; k++) {
            if (k >= p.count) continue;
            const int mode = p.modes >> 2 * k & 3;
            const long long at = placed((long long)x[k][place.at], p.lengths[k], mode);
            outside |= at < 0;
            flat += at * p.steps[k];
        }
        if (outside) *is_outside = 1;
        out[i] = flat;
    }
}
