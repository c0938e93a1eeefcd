/* kernels/convolve.hpp: out[i] = sum over t of in[i + base + t] * weight(t).
 *
 * With base = start and weight(t) = conj(kernel[t]) for a correlation; a convolution has
 * base = start - (length of kernel - 1) and the kernel reversed. Elements outside `in`
 * come by the boundary rule. C-contiguous.
 *
 *   convolve_any    a thread for each output, N dimensions; blocks of 256
 *   convolve_tile   one or two dimensions; blocks of 128. The part of `in` that a block
 *                   sees and the weights are in dynamic shared memory, which is read 16
 *                   bytes at a time: V elements of the type of computation.
 *                   Two: 8 x 16 threads, each with 8 rows of V outputs; the rows of
 *                   inputs pass through registers, so that with V columns of weights at a
 *                   time two packs of inputs and one of weights serve 8 V V products.
 *                   One: a thread has 4 V outputs side by side.
 *                   A kernel passes in pieces of `piece` at most, so that any fits.
 */
#ifndef CUPRIC_KERNELS_CONVOLVE_HPP
#define CUPRIC_KERNELS_CONVOLVE_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct convolve_params {
    const char *in, *kernel;
    char *out;
    slot fill;
    long long correlate, boundary; /* 0 fill, 1 wrap, 2 symmetric */
    long long nkernel, nout;
    long long in_length[N], kernel_length[N], out_length[N], base[N];
    long long piece[N]; /* of convolve_tile */
};

/* 16-bit floats are computed in float, short integers in 32 bits, which wrap. */
template <class T>
struct convolved {
    typedef unsigned int type;
};
template <>
struct convolved<long long> {
    typedef unsigned long long type;
};
template <>
struct convolved<unsigned long long> {
    typedef unsigned long long type;
};
template <>
struct convolved<half> {
    typedef float type;
};
template <>
struct convolved<bfloat16> {
    typedef float type;
};
template <>
struct convolved<float> {
    typedef float type;
};
template <>
struct convolved<double> {
    typedef double type;
};
template <class R>
struct convolved<complex<R>> {
    typedef complex<R> type;
};

template <class T>
__device__ inline typename convolved<T>::type
widened(T x)
{
    return (typename convolved<T>::type)x;
}

template <class T>
__device__ inline T
narrowed(typename convolved<T>::type x)
{
    if constexpr (is_same<T, bool>::value)
        return x != 0;
    else
        return T(x);
}

template <class C>
__device__ inline void
multiply_add(C &acc, const C x, const C w)
{
    if constexpr (is_complex<C>::value) {
        acc.re += x.re * w.re;
        acc.re -= x.im * w.im;
        acc.im += x.re * w.im;
        acc.im += x.im * w.re;
    } else {
        acc += x * w;
    }
}

/* The element of [0, n) that stands at index i, or -1 for the fill value. */
__device__ inline long long
source_index(long long rule, long long i, long long n)
{
    if (i >= 0 && i < n) return i;
    if (rule == 0 || n == 0) return -1;
    if (rule == 1) return (i % n + n) % n;
    i = (i % (2 * n) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

template <class T, int N>
__device__ inline typename convolved<T>::type
weight(const convolve_params<N> &p, long long t)
{
    const T x = load<T>(p.kernel + (p.correlate ? t : p.nkernel - 1 - t) * sizeof(T));
    if constexpr (is_complex<T>::value)
        return p.correlate ? T(x.re, -x.im) : x;
    else
        return widened(x);
}

template <class T, int N>
__device__ inline void
convolve_any(const convolve_params<N> &p)
{
    typedef typename convolved<T>::type C;
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    long long first[N], t[N];
    C acc = C(0);
    if (i >= p.nout) return;
    long long rest = i;
    for (int d = N - 1; d >= 0; d--) {
        first[d] = rest % p.out_length[d] + p.base[d];
        rest /= p.out_length[d];
        t[d] = 0;
    }
    for (long long k = 0; k < p.nkernel; k++) {
        long long at = 0;
        bool outside = false;
        for (int d = 0; d < N; d++) {
            const long long s =
                source_index(p.boundary, first[d] + t[d], p.in_length[d]);
            outside |= s < 0;
            at = at * p.in_length[d] + s;
        }
        const T x = outside ? value_of<T>(p.fill) : load<T>(p.in + at * sizeof(T));
        multiply_add(acc, widened(x), weight<T>(p, k));
        for (int d = N - 1; d >= 0; d--) {
            if (++t[d] < p.kernel_length[d]) break;
            t[d] = 0;
        }
    }
    ((T *)p.out)[i] = narrowed<T>(acc);
}

/* What one 16-byte access to shared memory moves. */
template <class C>
struct alignas(16) convolve_pack {
    static constexpr int V = 16 / sizeof(C);
    C at[V];
};

__device__ inline int
rounded_up(int n, int by)
{
    return (n + by - 1) / by * by;
}

template <class T>
__device__ inline typename convolved<T>::type
source_element(const char *in, long long at, const slot &fill)
{
    return widened(at < 0 ? value_of<T>(fill) : load<T>(in + at * sizeof(T)));
}

constexpr int CONVOLVE_OUTPUTS = 4;           /* packs of a thread, one dimension */
constexpr int CONVOLVE_Y = 8;                 /* rows of a thread, two dimensions */
constexpr int CONVOLVE_ROWS = 8 * CONVOLVE_Y; /* of a block */

/* Where pack q stands: one place is left free after every four, so that threads that are
 * four packs apart read from different banks. */
__device__ inline int
spread(int q)
{
    return q + q / CONVOLVE_OUTPUTS;
}

template <class T>
__device__ inline void
tile_1(const convolve_params<1> &p)
{
    typedef typename convolved<T>::type C;
    typedef convolve_pack<C> pack;
    extern __shared__ double2 convolve_memory[];
    constexpr int V = pack::V, U = CONVOLVE_OUTPUTS, OUTPUTS = 128 * U * V;
    constexpr int LOADS = 9; /* in flight */
    const int kernel = (int)p.kernel_length[0], piece = (int)p.piece[0];
    const long long first = (long long)blockIdx.x * OUTPUTS;
    C *const weights = (C *)convolve_memory;
    pack *const tile = (pack *)(weights + rounded_up(piece, V));
    C acc[U][V];
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int v = 0; v < V; v++) acc[u][v] = C(0);
    }
    for (int k0 = 0; k0 < kernel; k0 += piece) {
        const int nk = kernel - k0 < piece ? kernel - k0 : piece;
        const long long from = first + k0 + p.base[0];
        const int seen = OUTPUTS + nk - 1;
        const bool inside = from >= 0 && from + seen <= p.in_length[0];
        if (k0 > 0) __syncthreads();
        for (int k = threadIdx.x; k < nk; k += 128) weights[k] = weight<T>(p, k0 + k);
        for (int i = threadIdx.x; i < seen; i += 128 * LOADS) {
            C x[LOADS];
#pragma unroll
            for (int u = 0; u < LOADS; u++) {
                const long long k = from + i + u * 128;
                if (i + u * 128 >= seen) continue;
                x[u] = source_element<T>(
                    p.in, inside ? k : source_index(p.boundary, k, p.in_length[0]),
                    p.fill);
            }
#pragma unroll
            for (int u = 0; u < LOADS; u++) {
                const int k = i + u * 128;
                if (k < seen) tile[spread(k / V)].at[k % V] = x[u];
            }
        }
        __syncthreads();
        C in[U + 1][V]; /* pack q of what the thread sees in in[q % (U + 1)] */
        int q = threadIdx.x * U;
#pragma unroll
        for (int u = 0; u < U; u++, q++) {
            const pack x = tile[spread(q)];
#pragma unroll
            for (int v = 0; v < V; v++) in[u][v] = x.at[v];
        }
        for (int k = 0; k < nk; k += (U + 1) * V) {
#pragma unroll
            for (int s = 0; s < U + 1; s++) {
                const int left = nk - k - s * V;
                if (left <= 0) break;
                const pack w = *(const pack *)(weights + k + s * V);
                const pack x = tile[spread(q++)];
#pragma unroll
                for (int v = 0; v < V; v++) in[(s + U) % (U + 1)][v] = x.at[v];
#pragma unroll
                for (int j = 0; j < V; j++) {
                    if (j >= left) break;
#pragma unroll
                    for (int i = 0; i < U * V; i++) {
                        multiply_add(acc[i / V][i % V],
                                     in[(s + (i + j) / V) % (U + 1)][(i + j) % V],
                                     w.at[j]);
                    }
                }
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < U; u++) { /* through shared memory, to write whole lines */
        pack x;
#pragma unroll
        for (int v = 0; v < V; v++) x.at[v] = acc[u][v];
        tile[spread(threadIdx.x * U + u)] = x;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < OUTPUTS && first + i < p.nout; i += 128) {
        ((T *)p.out)[first + i] = narrowed<T>(tile[spread(i / V)].at[i % V]);
    }
}

/* The inputs that a block sees of rows from `row` and columns from `col` on: U rows at a
 * time, so that many loads are in flight. */
template <class T>
__device__ inline void
fill_tile_2(const convolve_params<2> &p, typename convolved<T>::type *tile, int pitch,
            long long row, long long col, int rows, int cols)
{
    constexpr int U = 10;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long length = p.in_length[1];
    const bool inside =
        row >= 0 && row + rows <= p.in_length[0] && col >= 0 && col + cols <= length;
    for (int c = lane; c < cols; c += 32) {
        const long long sc =
            inside ? col + c : source_index(p.boundary, col + c, length);
        for (int first = warp; first < rows; first += 4 * U) {
            typename convolved<T>::type x[U];
            const T *from = (const T *)p.in + (row + first) * length + sc;
#pragma unroll
            for (int u = 0; u < U; u++, from += 4 * length) {
                const int r = first + u * 4;
                if (r >= rows) continue;
                if (inside) {
                    x[u] = widened(load<T>((const char *)from));
                    continue;
                }
                const long long sr = source_index(p.boundary, row + r, p.in_length[0]);
                const long long at = sr < 0 || sc < 0 ? -1 : sr * length + sc;
                x[u] = source_element<T>(p.in, at, p.fill);
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (first + u * 4 < rows) tile[(first + u * 4) * pitch + c] = x[u];
            }
        }
    }
}

/* The products of a piece of nr x nc weights. Row u + s of what a thread sees, two packs
 * wide, stands in seen[(u + s) % Y]. */
template <class C, int Y, int V>
__device__ inline void
accumulate_2(C (&acc)[Y][V], const C *tile, int pitch, const C *weights, int width,
             int nr, int nc)
{
    typedef convolve_pack<C> pack;
    constexpr int PACKS = V == 1 ? 1 : 2;
    for (int c = 0; c < nc; c += V) {
        const C *from = tile + c, *w = weights + c;
        C seen[Y][PACKS * V];
        const auto see = [&](C(&row)[PACKS * V]) {
#pragma unroll
            for (int k = 0; k < PACKS; k++) {
                const pack x = ((const pack *)from)[k];
#pragma unroll
                for (int v = 0; v < V; v++) row[k * V + v] = x.at[v];
            }
            from += pitch;
        };
#pragma unroll
        for (int u = 0; u < Y; u++) see(seen[u]);
        for (int k = 0; k < nr; k += Y) {
#pragma unroll
            for (int s = 0; s < Y; s++) {
                if (k + s >= nr) break;
                const pack by = *(const pack *)w;
                w += width;
#pragma unroll
                for (int j = 0; j < V; j++) {
                    if (c + j >= nc) break;
#pragma unroll
                    for (int u = 0; u < Y; u++) {
#pragma unroll
                        for (int v = 0; v < V; v++) {
                            multiply_add(acc[u][v], seen[(u + s) % Y][v + j], by.at[j]);
                        }
                    }
                }
                if (k + s + 1 < nr) see(seen[s]);
            }
        }
    }
}

template <class T>
__device__ inline void
tile_2(const convolve_params<2> &p)
{
    typedef typename convolved<T>::type C;
    extern __shared__ double2 convolve_memory[];
    constexpr int V = convolve_pack<C>::V, Y = CONVOLVE_Y, COLS = 16 * V;
    const int kr = (int)p.kernel_length[0], kc = (int)p.kernel_length[1];
    const int pr = (int)p.piece[0], pc = (int)p.piece[1];
    const int width = rounded_up(pc, V), pitch = COLS + width;
    /* Eight threads of a row of packs and four rows to a warp, two by two warps. */
    const int x = threadIdx.x % 8 + threadIdx.x / 32 % 2 * 8;
    const int y = threadIdx.x / 8 % 4 + threadIdx.x / 64 * 4;
    const long long across = (p.out_length[1] + COLS - 1) / COLS;
    const long long col = blockIdx.x % across * COLS;
    const long long row = blockIdx.x / across * CONVOLVE_ROWS;
    C *const weights = (C *)convolve_memory, *const tile = weights + pr * width;
    C acc[Y][V];
#pragma unroll
    for (int u = 0; u < Y; u++) {
#pragma unroll
        for (int v = 0; v < V; v++) acc[u][v] = C(0);
    }
    for (int r0 = 0; r0 < kr; r0 += pr) {
        for (int c0 = 0; c0 < kc; c0 += pc) {
            const int nr = kr - r0 < pr ? kr - r0 : pr,
                      nc = kc - c0 < pc ? kc - c0 : pc;
            if (r0 + c0 > 0) __syncthreads();
            for (int k = threadIdx.x; k < nr * nc; k += 128) {
                const int r = k / nc, c = k % nc;
                weights[r * width + c] =
                    weight<T>(p, (long long)(r0 + r) * kc + c0 + c);
            }
            fill_tile_2<T>(p, tile, pitch, row + r0 + p.base[0], col + c0 + p.base[1],
                           CONVOLVE_ROWS + nr - 1, COLS + nc - 1);
            __syncthreads();
            accumulate_2<C, Y, V>(acc, tile + y * Y * pitch + x * V, pitch, weights,
                                  width, nr, nc);
        }
    }
#pragma unroll
    for (int u = 0; u < Y; u++) {
        const long long r = row + y * Y + u;
        if (r >= p.out_length[0]) break;
        T *const out = (T *)p.out + r * p.out_length[1] + col + x * V;
        struct alignas(V * sizeof(T)) outputs {
            T at[V];
        } all;
        if (col + x * V + V <= p.out_length[1] &&
            (unsigned long long)out % sizeof all == 0) {
#pragma unroll
            for (int v = 0; v < V; v++) all.at[v] = narrowed<T>(acc[u][v]);
            *(outputs *)out = all;
            continue;
        }
#pragma unroll
        for (int v = 0; v < V; v++) {
            if (col + x * V + v < p.out_length[1]) out[v] = narrowed<T>(acc[u][v]);
        }
    }
}

template <class T, int N>
__device__ inline void
convolve_tile(const convolve_params<N> &p)
{
    if constexpr (N == 1)
        tile_1<T>(p);
    else if constexpr (N == 2)
        tile_2<T>(p);
}

CUPRIC_END

#endif
