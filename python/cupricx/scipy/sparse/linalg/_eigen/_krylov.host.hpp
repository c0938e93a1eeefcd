/* _krylov.host.hpp: bodies of the host device: vectors of a tile stay in the cache. */
#include "cupric/lanes.hpp"

/* <x, y> of n elements, in four sums. */
template <class T>
inline T
inner_product(const T *x, const T *y, long long n)
{
    if constexpr (cupric::is_complex<T>::value) {
        T sum[4] = {T(0), T(0), T(0), T(0)};
        long long j = 0;
        for (; j + 4 <= n; j += 4) {
            for (int k = 0; k < 4; k++) sum[k] += cupric::conj(x[j + k]) * y[j + k];
        }
        for (; j < n; j++) sum[0] += cupric::conj(x[j]) * y[j];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    } else {
        typedef cupric::lanes<T> L;
        L sum[4] = {L(T(0)), L(T(0)), L(T(0)), L(T(0))};
        long long j = 0;
        for (; j + 4 * L::size <= n; j += 4 * L::size) {
            for (int k = 0; k < 4; k++)
                sum[k] += L::load(x + j + k * L::size) * L::load(y + j + k * L::size);
        }
        for (; j < n; j += L::size) {
            const int rest = n - j < L::size ? (int)(n - j) : (int)L::size;
            sum[0] += L::load(x + j, rest, T(0)) * L::load(y + j, rest, T(0));
        }
        return cupric::sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
}

template <class T>
__device__ inline void
project_tile(const T *dual, const T *w, T *partial, long long tile,
             const krylov_sizes &s)
{
    const long long begin = tile * s.tile;
    const long long end = begin + s.tile < s.n ? begin + s.tile : s.n;
    for (int i = 0; i < s.rows; i++) {
        partial[(long long)i * s.tiles + tile] =
            inner_product(dual + i * s.n + begin, w + begin, end - begin);
    }
}

template <class T>
__device__ inline void
add_tiles(const T *partial, T *h, const krylov_sizes &s)
{
    for (int i = 0; i < s.rows; i++) {
        T sum = T(0);
        for (int k = 0; k < s.tiles; k++) sum += partial[(long long)i * s.tiles + k];
        h[i] = sum;
    }
}

template <class T, bool LAST>
__global__ void
subtract(const T *basis, const T *dual, const T *x, T *y, T *scratch, double *norms,
         T *column, krylov_sizes s)
{
    const long long size = (long long)s.rows * s.tiles;
    T *const h = scratch + 2 * size + (long long)s.rows * blockIdx.x;

    add_tiles(LAST ? scratch + size : scratch, h, s);
    if (blockIdx.x == 0) {
        for (int i = 0; i < s.rows; i++) column[i] = LAST ? column[i] + h[i] : h[i];
    }
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * s.tile;
        const long long end = begin + s.tile < s.n ? begin + s.tile : s.n;
        double norm = 0;
        if (x != y) {
            for (long long j = begin; j < end; j++) y[j] = x[j];
        }
        for (int i = 0; i < s.rows; i++) {
            const T *const row = basis + i * s.n;
            const T factor = h[i];
            for (long long j = begin; j < end; j++) y[j] -= factor * row[j];
        }
        if (LAST) {
            for (long long j = begin; j < end; j++) norm += square_of(y[j]);
            norms[tile] = norm;
        } else
            project_tile(dual, y, scratch + size, tile, s);
    }
}
