/* kernels/elementwise.hpp: r[i], s[i] = op(a[i], b[i], c[i], d[i]), i < n.
 *
 * The generated source describes an operation in a struct `Op`: A … D, R, S are the types
 * it computes in, SA … SS those that are stored, IA … ID say which inputs are values in
 * the parameters, `masked` that a bool operand after the outputs says where to write.
 *
 *   elementwise_dense    every operand one after the other in memory. A thread takes U
 *                        packs of V elements, V such that the widest operand's pack has 16
 *                        bytes (V = 1 where an address is not a multiple of its pack).
 *                        Launch: n / (256 U V) blocks of 256.
 *   elementwise_strided  anything. A thread takes 4 elements, 256 apart, so that a
 *                        fastest dimension that is dense is read in whole lines.
 *                        Launch: n / 1024 blocks of 256.
 *
 *   elementwise_tiled    one input that is dense along another dimension, `row`, than the
 *                        output, which is along `col`. Tiles of 32 x 32 turn over in
 *                        shared memory. Launch: a block of 256 for each tile.
 *
 * An output may be an input's memory, element by element. n < 2**31 * 1024.
 */
#ifndef CUPRIC_KERNELS_ELEMENTWISE_HPP
#define CUPRIC_KERNELS_ELEMENTWISE_HPP

#include "cupric/kernels/group.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int K>
struct dense_params {
    slot op[K];
    long long n;
};

template <int K, int N>
struct strided_params {
    slot op[K];
    space<K, N> all;
};

template <int N>
struct tiled_params {
    slot op[2];
    long long rows, cols, row_tiles, col_tiles;
    long long in_row, in_col, out_row, out_col; /* bytes */
    space<2, N> outer;
};

template <class T>
struct stored_type {
    typedef T type;
};
template <>
struct stored_type<bool> {
    typedef unsigned char type;
};

template <class T, int V>
struct alignas(V * sizeof(T) < 16 ? V * sizeof(T) : 16) pack {
    T at[V];
};
template <int V> /* not a power of two: as its parts are */
struct alignas(4) pack<nothing, V> {
};

/* V elements of type S from p + first, as T. */
template <class T, class S, bool IMMEDIATE, int V>
__device__ inline void
fetch(T (&x)[V], const slot &from, long long first)
{
    if constexpr (is_same<T, nothing>::value) {
        return;
    } else if constexpr (IMMEDIATE) {
        const T value = convert<T>(value_of<S>(from));
#pragma unroll
        for (int v = 0; v < V; v++) x[v] = value;
    } else {
        typedef typename stored_type<S>::type M;
        const pack<M, V> all = *(const pack<M, V> *)(address(from) + first * sizeof(S));
#pragma unroll
        for (int v = 0; v < V; v++) {
            if constexpr (is_same<S, bool>::value)
                x[v] = convert<T>(all.at[v] != 0);
            else
                x[v] = convert<T>(all.at[v]);
        }
    }
}

template <class T, class S, int V>
__device__ inline void
put(const T (&x)[V], const slot &to, long long first, const bool (&keep)[V],
    bool masked)
{
    if constexpr (is_same<T, nothing>::value) {
        return;
    } else {
        S *const p = (S *)address(to) + first;
        if (masked) {
#pragma unroll
            for (int v = 0; v < V; v++) {
                if (keep[v]) p[v] = convert<S>(x[v]);
            }
            return;
        }
        pack<S, V> all;
#pragma unroll
        for (int v = 0; v < V; v++) all.at[v] = convert<S>(x[v]);
        *(pack<S, V> *)p = all;
    }
}

/* U packs from `first` on, `step` elements apart. */
template <class Op, int U, int V>
__device__ inline void
dense_packs(const slot *op, long long first, int step)
{
    constexpr int r = Op::nin, s = Op::nin + 1, m = Op::nin + Op::nout;
    typename Op::A a[U][V];
    typename Op::B b[U][V];
    typename Op::C c[U][V];
    typename Op::D d[U][V];
    typename Op::R x[U][V];
    typename Op::S y[U][V];
    bool keep[U][V];
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * step;
        fetch<typename Op::A, typename Op::SA, Op::IA, V>(a[u], op[0], i);
        fetch<typename Op::B, typename Op::SB, Op::IB, V>(b[u], op[1], i);
        fetch<typename Op::C, typename Op::SC, Op::IC, V>(c[u], op[2], i);
        fetch<typename Op::D, typename Op::SD, Op::ID, V>(d[u], op[3], i);
        if (Op::masked) fetch<bool, bool, false, V>(keep[u], op[m], i);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int v = 0; v < V; v++) {
            Op::run(a[u][v], b[u][v], c[u][v], d[u][v], x[u][v], y[u][v]);
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * step;
        put<typename Op::R, typename Op::SR, V>(x[u], op[r], i, keep[u], Op::masked);
        put<typename Op::S, typename Op::SS, V>(y[u], op[s], i, keep[u], Op::masked);
    }
}

template <class Op, int U, int V, int K>
__device__ inline void
elementwise_dense(const dense_params<K> &p)
{
    const int step = 256 * V;
    const long long begin = (long long)blockIdx.x * (U * step);
    const long long first = begin + threadIdx.x * V;
    if (begin + U * step <= p.n) {
        dense_packs<Op, U, V>(p.op, first, step);
        return;
    }
    for (int u = 0; u < U; u++) {
        const long long i = first + u * step;
        if (i + V <= p.n) {
            dense_packs<Op, 1, V>(p.op, i, 0);
        } else {
            for (int v = 0; v < V; v++) {
                if (i + v < p.n) dense_packs<Op, 1, 1>(p.op, i + v, 0);
            }
        }
    }
}

template <class T, class S, bool IMMEDIATE, class I>
__device__ inline T
fetch_one(const slot &from, I offset)
{
    if constexpr (is_same<T, nothing>::value)
        return nothing();
    else if constexpr (IMMEDIATE)
        return convert<T>(value_of<S>(from));
    else
        return convert<T>(load<S>(address(from) + offset));
}

template <class Op, class I, int K, int N>
__device__ inline void
elementwise_strided(const strided_params<K, N> &p)
{
    constexpr int U = 4, r = Op::nin, s = Op::nin + 1, m = Op::nin + Op::nout;
    const long long first = (long long)blockIdx.x * (U * 256) + threadIdx.x;
    typename Op::A a[U];
    typename Op::B b[U];
    typename Op::C c[U];
    typename Op::D d[U];
    I at[U][K];
    bool keep[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        keep[u] = first + u * 256 < p.all.size;
        if (!keep[u]) continue;
        locate<I>(p.all, (I)(first + u * 256), at[u]);
        a[u] = fetch_one<typename Op::A, typename Op::SA, Op::IA>(p.op[0], at[u][0]);
        if constexpr (Op::nin > 1)
            b[u] =
                fetch_one<typename Op::B, typename Op::SB, Op::IB>(p.op[1], at[u][1]);
        if constexpr (Op::nin > 2)
            c[u] =
                fetch_one<typename Op::C, typename Op::SC, Op::IC>(p.op[2], at[u][2]);
        if constexpr (Op::nin > 3)
            d[u] =
                fetch_one<typename Op::D, typename Op::SD, Op::ID>(p.op[3], at[u][3]);
        if constexpr (Op::masked) keep[u] = load<bool>(address(p.op[m]) + at[u][m]);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        typename Op::R x;
        typename Op::S y;
        if (!keep[u]) continue;
        Op::run(a[u], b[u], c[u], d[u], x, y);
        store(address(p.op[r]) + at[u][r], convert<typename Op::SR>(x));
        if constexpr (Op::nout > 1) {
            store(address(p.op[s]) + at[u][s], convert<typename Op::SS>(y));
        }
    }
}

template <class Op, int N>
__device__ inline void
elementwise_tiled(const tiled_params<N> &p)
{
    typedef typename Op::SR T;
    __shared__ room<T, 32 * 33> tile;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const long long col = blockIdx.x % p.col_tiles * 32,
                    rest = blockIdx.x / p.col_tiles;
    const long long row = rest % p.row_tiles * 32;
    long long at[2];
    locate<long long>(p.outer, rest / p.row_tiles, at);
    const char *const in = address(p.op[0]) + at[0] + row * p.in_row + col * p.in_col;
    char *const out = address(p.op[1]) + at[1] + row * p.out_row + col * p.out_col;
    typename Op::A a[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int c = y + 8 * k;
        if (row + x < p.rows && col + c < p.cols) {
            a[k] = convert<typename Op::A>(
                load<typename Op::SA>(in + x * p.in_row + c * p.in_col));
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        typename Op::R r;
        nothing s;
        Op::run(a[k], nothing(), nothing(), nothing(), r, s);
        tile.at[(y + 8 * k) * 33 + x] = convert<T>(r);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int r = y + 8 * k;
        if (row + r < p.rows && col + x < p.cols) {
            store(out + r * p.out_row + x * p.out_col, tile.at[x * 33 + r]);
        }
    }
}

CUPRIC_END

#endif
