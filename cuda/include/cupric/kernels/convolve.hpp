/* kernels/convolve.hpp: out[i] = sum over t of in[i + base + t] * weight(t).
 *
 * With base = start and weight(t) = conj(kernel[t]) for a correlation; a convolution has
 * base = start - (length of kernel - 1) and the kernel reversed. Elements outside `in`
 * come by the boundary rule. C-contiguous.
 *
 *   convolve_any    a thread for each output, N dimensions; blocks of 256
 *   convolve_tile   one or two dimensions; blocks of 128. The part of `in` that a block
 *                   sees and the weights are in dynamic shared memory, which is read 16
 *                   bytes at a time: V elements of the type of computation. A thread
 *                   asks for several elements of `in` before it waits for one.
 *                   Two: 8 rows of 16 threads, each with Y rows of V outputs, where Y is
 *                   4 or 8 (convolve_shape). V columns of weights at a time, the rows of
 *                   inputs pass through registers: two vectors of inputs and one of
 *                   weights, read one step ahead, serve Y V V products.
 *                   One: a thread has 4 V outputs side by side.
 *                   A kernel passes in pieces of `piece` at most, so that any fits.
 */
#ifndef CUPRIC_KERNELS_CONVOLVE_HPP
#define CUPRIC_KERNELS_CONVOLVE_HPP

#include "cupric/kernels/space.hpp"
#include "cupric/math/arithmetic.hpp"

CUPRIC_BEGIN

template <int N>
struct convolve_params : cu_convolve_head {
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

/* The element of [0, n) at index i of the extended array, or -1 for the fill value. */
__device__ inline long long
source_index(long long rule, long long i, long long n)
{
    if (i >= 0 && i < n) return i;
    if (rule == CUPRIC_OUTSIDE_FILL || rule == CUPRIC_OUTSIDE_NOTHING || n == 0)
        return -1;
    const long long period = rule == CUPRIC_OUTSIDE_WRAP ? n : 2 * n;
    i %= period;
    if (i < 0) i += period;
    return i < n ? i : period - 1 - i;
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
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
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
        if (!outside || p.boundary != CUPRIC_OUTSIDE_NOTHING) {
            const T x = outside ? value_of<T>(p.fill) : load<T>(p.in + at * sizeof(T));
            multiply_add(acc, widened(x), weight<T>(p, k));
        }
        for (int d = N - 1; d >= 0; d--) {
            if (++t[d] < p.kernel_length[d]) break;
            t[d] = 0;
        }
    }
    ((T *)p.out)[i] = narrowed<T>(acc);
}

/* What one 16-byte access to shared memory moves. */
template <class C>
struct alignas(16) convolve_vector {
    enum { V = CUPRIC_CONVOLVE_NBYTES / sizeof(C) };
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

/* The index of vector q with padding: one is left out after every four, so that threads
 * that are four vectors apart read from different banks. */
__device__ inline int
spread(int q)
{
    return q + q / CUPRIC_CONVOLVE_VECTORS;
}

/* The `seen` inputs of a block from `from` on. A kernel of up to 128 leaves a thread with
 * one element more than it has outputs at most: it asks for all of them at once. */
template <class T>
__device__ inline void
fill_tile_1(const convolve_params<1> &p,
            convolve_vector<typename convolved<T>::type> *tile, long long from,
            int seen)
{
    typedef typename convolved<T>::type C;
    constexpr int V = convolve_vector<C>::V, LOADS = CUPRIC_CONVOLVE_VECTORS * V + 1;
    const bool inside = from >= 0 && from + seen <= p.in_length[0];
    for (int i = threadIdx.x; i < seen; i += CUPRIC_CONVOLVE_BLOCK * LOADS) {
        C x[LOADS];
        if (inside) {
            const T *const in = (const T *)p.in + from + i;
#pragma unroll
            for (int u = 0; u < LOADS; u++) {
                if (i + u * CUPRIC_CONVOLVE_BLOCK < seen)
                    x[u] = widened(
                        load<T>((const char *)(in + u * CUPRIC_CONVOLVE_BLOCK)));
            }
        } else {
#pragma unroll
            for (int u = 0; u < LOADS; u++) {
                const int k = i + u * CUPRIC_CONVOLVE_BLOCK;
                if (k >= seen) continue;
                x[u] = source_element<T>(
                    p.in, source_index(p.boundary, from + k, p.in_length[0]), p.fill);
            }
        }
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            const int k = i + u * CUPRIC_CONVOLVE_BLOCK;
            if (k < seen) tile[spread(k / V)].at[k % V] = x[u];
        }
    }
}

/* The products with nk weights. Vector q of the thread's window is in
 * in[q % (U + 1)]. */
template <class C, int U, int V>
__device__ inline void
accumulate_1(C (&acc)[U][V], const convolve_vector<C> *tile, const C *weights, int nk)
{
    typedef convolve_vector<C> vector;
    C in[U + 1][V];
    int q = threadIdx.x * U;
#pragma unroll
    for (int u = 0; u < U; u++, q++) {
        const vector x = tile[spread(q)];
#pragma unroll
        for (int v = 0; v < V; v++) in[u][v] = x.at[v];
    }
    for (int k = 0; k < nk; k += (U + 1) * V) {
#pragma unroll
        for (int s = 0; s < U + 1; s++) {
            const int left = nk - k - s * V;
            if (left <= 0) break;
            const vector w = *(const vector *)(weights + k + s * V);
            const vector x = tile[spread(q++)];
#pragma unroll
            for (int v = 0; v < V; v++) in[(s + U) % (U + 1)][v] = x.at[v];
#pragma unroll
            for (int j = 0; j < V; j++) {
                if (j >= left) break;
#pragma unroll
                for (int i = 0; i < U * V; i++) {
                    multiply_add(acc[i / V][i % V],
                                 in[(s + (i + j) / V) % (U + 1)][(i + j) % V], w.at[j]);
                }
            }
        }
    }
}

/* Output i without the products outside. */
template <class T>
__device__ inline typename convolved<T>::type
sum_inside(const convolve_params<1> &p, long long i)
{
    typedef typename convolved<T>::type C;
    const long long first = i + p.base[0], left = p.in_length[0] - first;
    const long long end = left < p.nkernel ? left : p.nkernel;
    C acc = C(0);
#pragma unroll 1
    for (long long k = first < 0 ? -first : 0; k < end; k++) {
        const T x = load<T>(p.in + (first + k) * sizeof(T));
        multiply_add(acc, widened(x), weight<T>(p, k));
    }
    return acc;
}

/* The outputs from `first` on, of a block that has seen zeros for what is outside. That is
 * the same as leaving it out as long as the weights are finite; where one is not, what
 * has seen the outside is summed again. Here, at the end, the weights are read once more:
 * the blocks inside the signal neither look at them nor keep a register for them. */
template <class T>
__device__ inline void
leave_out_outside(const convolve_params<1> &p, long long first, int noutputs)
{
    bool odd = false;
#pragma unroll 1
    for (long long k = threadIdx.x; k < p.nkernel; k += CUPRIC_CONVOLVE_BLOCK)
        odd |= !is_finite(weight<T>(p, k));
    if (!__syncthreads_or(odd)) return;
#pragma unroll 1
    for (int k = threadIdx.x; k < noutputs && first + k < p.nout;
         k += CUPRIC_CONVOLVE_BLOCK) {
        const long long from = first + k + p.base[0];
        if (from >= 0 && from + p.nkernel <= p.in_length[0]) continue;
        ((T *)p.out)[first + k] = narrowed<T>(sum_inside<T>(p, first + k));
    }
}

template <class T>
__device__ inline void
tile_1(const convolve_params<1> &p)
{
    typedef typename convolved<T>::type C;
    typedef convolve_vector<C> vector;
    extern __shared__ double2 convolve_memory[];
    constexpr int V = vector::V, U = CUPRIC_CONVOLVE_VECTORS,
                  OUTPUTS = CUPRIC_CONVOLVE_BLOCK * U * V;
    const int kernel = (int)p.kernel_length[0], piece = (int)p.piece[0];
    const int thread = threadIdx.x;
    const long long first = (long long)blockIdx.x * OUTPUTS;
    C *const weights = (C *)convolve_memory;
    vector *const tile = (vector *)(weights + rounded_up(piece, V));
    C acc[U][V];
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int v = 0; v < V; v++) acc[u][v] = C(0);
    }
    for (int k0 = 0; k0 < kernel; k0 += piece) {
        const int nk = kernel - k0 < piece ? kernel - k0 : piece;
        if (k0 > 0) __syncthreads();
        /* The first weight of a thread is on its way together with the inputs. */
        C early = C(0);
        if (thread < nk) early = weight<T>(p, k0 + thread);
        fill_tile_1<T>(p, tile, first + k0 + p.base[0], OUTPUTS + nk - 1);
        if (thread < nk) weights[thread] = early;
        for (int k = thread + CUPRIC_CONVOLVE_BLOCK; k < nk; k += CUPRIC_CONVOLVE_BLOCK)
            weights[k] = weight<T>(p, k0 + k);
        __syncthreads();
        accumulate_1(acc, tile, weights, nk);
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < U; u++) { /* through shared memory, to write whole lines */
        vector x;
#pragma unroll
        for (int v = 0; v < V; v++) x.at[v] = acc[u][v];
        tile[spread(thread * U + u)] = x;
    }
    __syncthreads();
    for (int i = thread; i < OUTPUTS && first + i < p.nout; i += CUPRIC_CONVOLVE_BLOCK)
        ((T *)p.out)[first + i] = narrowed<T>(tile[spread(i / V)].at[i % V]);
    const long long begin = first + p.base[0];
    if (p.boundary == CUPRIC_OUTSIDE_NOTHING &&
        (begin < 0 || begin + OUTPUTS + kernel - 1 > p.in_length[0]))
        leave_out_outside<T>(p, first, OUTPUTS);
}

/* Two dimensions: the outputs of a thread, Y rows of V, and of a block. */
template <class C>
struct convolve_shape {
    enum { V = convolve_vector<C>::V, Y = CUPRIC_CONVOLVE_ROWS(V) };
    enum { ROWS = CUPRIC_CONVOLVE_DOWN * Y, COLS = CUPRIC_CONVOLVE_ACROSS * V };
};

/* The inputs that a block sees: rows x cols from (row, col) on. */
template <class C>
struct convolve_view {
    C *tile;
    long long *sources; /* of rows and then of columns, where some are outside */
    long long row, col;
    int rows, cols, pitch;
};

/* Neighbouring threads have neighbouring elements of the view, row after row, so that no
 * lane idles whatever `cols` is. */
template <bool INSIDE, class T, class C>
__device__ inline void
copy_view(const convolve_params<2> &p, const convolve_view<C> &view)
{
    constexpr int LOADS = 12; /* in flight */
    const int cols = view.cols, n = view.rows * cols, dr = CUPRIC_CONVOLVE_BLOCK / cols,
              dc = CUPRIC_CONVOLVE_BLOCK % cols;
    const long long length = p.in_length[1], step = dr * length + dc;
    int r = threadIdx.x / cols, c = threadIdx.x % cols;
    const T *from = (const T *)p.in + (view.row + r) * length + view.col + c;
    for (int i = threadIdx.x; i < n; i += CUPRIC_CONVOLVE_BLOCK * LOADS) {
        C x[LOADS];
        int to[LOADS];
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            to[u] = r * view.pitch + c;
            if (i + u * CUPRIC_CONVOLVE_BLOCK < n) {
                if constexpr (INSIDE) {
                    x[u] = widened(load<T>((const char *)from));
                } else {
                    const long long sr = view.sources[r];
                    const long long sc = view.sources[view.rows + c];
                    const long long at = sr < 0 || sc < 0 ? -1 : sr * length + sc;
                    x[u] = source_element<T>(p.in, at, p.fill);
                }
            }
            r += dr;
            c += dc;
            from += step;
            if (c >= cols) {
                r++;
                c -= cols;
                from += length - cols;
            }
        }
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            if (i + u * CUPRIC_CONVOLVE_BLOCK < n) view.tile[to[u]] = x[u];
        }
    }
}

/* At an edge the boundary rule, which divides, is evaluated once for each row and column. */
template <class T, class C>
__device__ inline void
fill_tile_2(const convolve_params<2> &p, const convolve_view<C> &view)
{
    const bool inside = view.row >= 0 && view.row + view.rows <= p.in_length[0] &&
                        view.col >= 0 && view.col + view.cols <= p.in_length[1];
    if (inside) {
        copy_view<true, T>(p, view);
        return;
    }
    for (int i = threadIdx.x; i < view.rows + view.cols; i += CUPRIC_CONVOLVE_BLOCK) {
        const bool is_row = i < view.rows;
        const long long at = is_row ? view.row + i : view.col + i - view.rows;
        view.sources[i] = source_index(p.boundary, at, p.in_length[is_row ? 0 : 1]);
    }
    __syncthreads();
    copy_view<false, T>(p, view);
}

template <class C, int WIDTH>
__device__ inline void
read_row(C (&row)[WIDTH], const C *from)
{
    constexpr int V = convolve_vector<C>::V;
#pragma unroll
    for (int k = 0; k < WIDTH / V; k++) {
        const convolve_vector<C> x = ((const convolve_vector<C> *)from)[k];
#pragma unroll
        for (int v = 0; v < V; v++) row[k * V + v] = x.at[v];
    }
}

/* The products of a row of inputs with column j of a row of weights. */
template <class C, int V, int WIDTH>
__device__ inline void
multiply_column(C (&acc)[V], const C (&seen)[WIDTH], const convolve_vector<C> &by,
                int j)
{
#pragma unroll
    for (int v = 0; v < V; v++) multiply_add(acc[v], seen[v + j], by.at[j]);
}

/* The products of nr rows of V columns of weights, or of the nc < V LAST columns. Row
 * u + s of a thread's window, two vectors wide, is in seen[(u + s) % Y]. Weights and
 * inputs are loaded a step before they are needed, the last time in vain. */
template <bool LAST, class C, int Y, int V>
__device__ inline void
accumulate_2(C (&acc)[Y][V], const C *from, int pitch, const C *w, int width, int nr,
             int nc)
{
    typedef convolve_vector<C> vector;
    C seen[Y][V == 1 ? 1 : 2 * V];
    vector by[2];
    static_assert(Y % 2 == 0, "the window's loop ends with the weights in by[0]");
    by[0] = *(const vector *)w;
#pragma unroll
    for (int u = 0; u < Y; u++, from += pitch) read_row(seen[u], from);
#pragma unroll 1
    for (int k = 0;; k += Y) {
#pragma unroll
        for (int s = 0; s < Y; s++, from += pitch) {
            w += width;
            by[(s + 1) % 2] = *(const vector *)w;
            if constexpr (LAST) { /* by columns: one test serves all rows */
#pragma unroll
                for (int j = 0; j < V - 1; j++) {
                    if (j >= nc) break;
#pragma unroll
                    for (int u = 0; u < Y; u++)
                        multiply_column(acc[u], seen[(u + s) % Y], by[s % 2], j);
                }
                read_row(seen[s], from);
            } else {
#pragma unroll
                for (int u = 0; u < Y; u++) {
#pragma unroll
                    for (int j = 0; j < V; j++)
                        multiply_column(acc[u], seen[(u + s) % Y], by[s % 2], j);
                    if (u == 0) read_row(seen[s], from); /* its last use was here */
                }
            }
            if (k + s + 1 >= nr) return;
        }
    }
}

/* V outputs side by side, with one store where that is possible. */
template <class T, int V>
__device__ inline void
write_row(T *out, const typename convolved<T>::type (&acc)[V], long long left)
{
    struct alignas(V * sizeof(T)) outputs {
        T at[V];
    } all;
    if (left >= V && (unsigned long long)out % sizeof all == 0) {
#pragma unroll
        for (int v = 0; v < V; v++) all.at[v] = narrowed<T>(acc[v]);
        *(outputs *)out = all;
        return;
    }
#pragma unroll
    for (int v = 0; v < V; v++) {
        if (v < left) out[v] = narrowed<T>(acc[v]);
    }
}

template <class T>
__device__ inline void
tile_2(const convolve_params<2> &p)
{
    typedef typename convolved<T>::type C;
    typedef convolve_shape<C> shape;
    extern __shared__ double2 convolve_memory[];
    constexpr int V = shape::V, Y = shape::Y, ROWS = shape::ROWS, COLS = shape::COLS;
    const int kr = (int)p.kernel_length[0], kc = (int)p.kernel_length[1];
    const int pr = (int)p.piece[0], pc = (int)p.piece[1];
    const int width = rounded_up(pc, V), pitch = COLS + width;
    /* Eight threads of a row of vectors and four rows to a warp, two by two warps. */
    const int x = threadIdx.x % 8 + threadIdx.x / 32 % 2 * 8;
    const int y = threadIdx.x / 8 % 4 + threadIdx.x / 64 * 4;
    const long long across = (p.out_length[1] + COLS - 1) / COLS;
    const long long col = blockIdx.x % across * COLS, row = blockIdx.x / across * ROWS;
    long long *const sources = (long long *)convolve_memory;
    C *const weights = (C *)(sources + rounded_up(ROWS + pr + COLS + pc, 2));
    C *const tile = weights + pr * width;
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
            for (int k = threadIdx.x; k < nr * nc; k += CUPRIC_CONVOLVE_BLOCK) {
                const int r = k / nc, c = k % nc;
                weights[r * width + c] =
                    weight<T>(p, (long long)(r0 + r) * kc + c0 + c);
            }
            fill_tile_2<T>(p, convolve_view<C>{tile, sources, row + r0 + p.base[0],
                                               col + c0 + p.base[1], ROWS + nr - 1,
                                               COLS + nc - 1, pitch});
            __syncthreads();
            const C *const from = tile + y * Y * pitch + x * V;
            int c = 0;
            for (; c + V <= nc; c += V)
                accumulate_2<false>(acc, from + c, pitch, weights + c, width, nr, V);
            if (c < nc)
                accumulate_2<true>(acc, from + c, pitch, weights + c, width, nr,
                                   nc - c);
        }
    }
#pragma unroll
    for (int u = 0; u < Y; u++) {
        const long long r = row + y * Y + u, c = col + x * V;
        if (r >= p.out_length[0]) break;
        write_row((T *)p.out + r * p.out_length[1] + c, acc[u], p.out_length[1] - c);
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
