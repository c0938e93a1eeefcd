/* Loops of the host: over tiles that stay in the cache, vector after vector, so that
 * compilers make vectors of them. */
#include "_arnoldi.h"

/* row[i] -= factor * v[i] */
template <class T, class W>
inline void
subtract_row(W *row, const T *v, W factor, int n)
{
    for (int i = 0; i < n; i++) row[i] -= factor * W(v[i]);
}

template <class T, class W>
__device__ inline double
subtract_part(T *to, const T *from, const T *v, long long ld, const W *products,
              int count, long long begin, long long end)
{
    W tile[TILE];
    double sums[4] = {0, 0, 0, 0};
    for (long long at = begin; at < end; at += TILE) {
        const int n = end - at < TILE ? (int)(end - at) : TILE;
        for (int i = 0; i < n; i++) tile[i] = W(from[at + i]);
        for (int k = 0; k < count; k++) {
            subtract_row(tile, v + k * ld + at, products[k], n);
        }
        for (int i = 0; i < n; i++) {
            to[at + i] = T(tile[i]);
            sums[i % 4] += square(tile[i]);
        }
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T, class W>
__device__ inline void
add_part(T *x, const T *v, long long ld, const W *y, int count, long long begin,
         long long end)
{
    W tile[TILE];
    for (long long at = begin; at < end; at += TILE) {
        const int n = end - at < TILE ? (int)(end - at) : TILE;
        for (int i = 0; i < n; i++) tile[i] = W(x[at + i]);
        for (int k = 0; k < count; k++) {
            subtract_row(tile, v + k * ld + at, W(-1) * y[k], n);
        }
        for (int i = 0; i < n; i++) x[at + i] = T(tile[i]);
    }
}
