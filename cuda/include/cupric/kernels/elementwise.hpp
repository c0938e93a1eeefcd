/* kernels/elementwise.hpp: r[i], s[i], … = op(a[i], b[i], …), i < n.
 *
 * The generated source describes an operation in a struct `Op`: A … F, R … U are the types
 * of its operands, SA … SU those that are stored, IA … IF say which inputs are values in
 * the parameters, `masked` that a bool operand after the outputs says where to write.
 * `has_many`: there are more than four inputs or two outputs, and `run` takes all ten.
 *
 *   elementwise_dense    every operand contiguous in memory. A thread takes U vectors of
 *                        V elements, V such that the widest operand's vector has 16 bytes
 *                        (V = 1 where an address is not a multiple of its vector).
 *                        Launch: n / (BLOCK U V) blocks of BLOCK.
 *   elementwise_strided  anything. A thread takes U elements, BLOCK apart, so that a
 *                        fastest dimension that is dense is read in whole lines.
 *                        Launch: n / (BLOCK U) blocks of BLOCK.
 *
 *   elementwise_rows     every operand dense or constant along the fastest dimension,
 *                        which the space counts in vectors of V; addresses and strides are
 *                        multiples of vectors. A thread takes U vectors, 256 apart.
 *                        Launch: vectors / (256 U) blocks of 256.
 *
 * Inputs that are dense along another dimension, `row`, than the output, which is dense along
 * `col`, are turned over; blocks of 256:
 *
 *   elementwise_tiled    tiles of CUPRIC_TILED_SIDE squared are transposed in shared
 *                        memory, where row i is rotated by i places, so that its rows and its
 *                        columns are in different banks. The others are read as they lie.
 *                        Launch: a block for each tile. Not where Op has_many.
 *   transposed_words     a plain copy of elements of 4 / V bytes: words of V of them are
 *                        read and written; tiles of 32 V squared. Addresses and strides
 *                        are multiples of 4.
 *   transposed_short     one input, few rows: a thread takes one column of all of them.
 *                        Launch: a block for 256 columns.
 *
 * An output may be an input's memory, element by element. n < 2**31 * 1024.
 */
#ifndef CUPRIC_KERNELS_ELEMENTWISE_HPP
#define CUPRIC_KERNELS_ELEMENTWISE_HPP

#include "cupric/kernels/group.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int K>
struct dense_params : cu_dense_head {
    slot op[K];
};

template <int K, int N>
struct strided_params {
    slot op[K];
    space<K, N> all;
};

template <int K, int N>
struct tiled_params : cu_tiled_head {
    slot op[K];
    long long row[K], col[K]; /* bytes from one to the next */
    space<K, N> outer;
};

template <class T, int V>
struct alignas(V * sizeof(T) < 16 ? V * sizeof(T) : 16) vector {
    T at[V];
};
template <int V> /* not a power of two: as its parts are */
struct alignas(4) vector<nothing, V> {
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
        const vector<M, V> all =
            *(const vector<M, V> *)(address(from) + first * sizeof(S));
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
        vector<S, V> all;
#pragma unroll
        for (int v = 0; v < V; v++) all.at[v] = convert<S>(x[v]);
        *(vector<S, V> *)p = all;
    }
}

/* The operation on one element of each operand. */
template <class Op>
__device__ inline void
evaluate(const typename Op::A a, const typename Op::B b, const typename Op::C c,
         const typename Op::D d, const typename Op::E e, const typename Op::F f,
         typename Op::R &r, typename Op::S &s, typename Op::T &t, typename Op::U &u)
{
    if constexpr (Op::has_many)
        Op::run(a, b, c, d, e, f, r, s, t, u);
    else
        Op::run(a, b, c, d, r, s);
}

/* Whether inputs are read where the mask says so alone: large elements share a sector of
 * memory with few others, so that this saves much of the traffic, and costs small arrays the
 * time that the mask takes to come. */
template <class Op>
__device__ constexpr bool
reads_by_mask()
{
    return Op::masked && (sizeof(typename Op::SA) >= 8 || sizeof(typename Op::SB) >= 8);
}

/* U vectors from `first` on, `step` elements apart. Where ORDINARY, it returns false and
 * writes nothing if the operation sets an element apart for a rare argument: branches for
 * each would keep the arithmetic of one element from that of the next. */
template <class Op, int U, int V, bool ORDINARY = false>
__device__ inline bool
dense_vectors(const slot *op, long long first, int step)
{
    constexpr int r = Op::nin, m = Op::nin + Op::nout;
    typename Op::A a[U][V];
    typename Op::B b[U][V];
    typename Op::C c[U][V];
    typename Op::D d[U][V];
    typename Op::E e[U][V];
    typename Op::F f[U][V];
    typename Op::R x[U][V];
    typename Op::S y[U][V];
    typename Op::T z[U][V];
    typename Op::U w[U][V];
    bool keep[U][V];
    unsigned int rare = 0;
    constexpr bool by_mask = V == 1 && reads_by_mask<Op>();
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (Op::masked) fetch<bool, bool, false, V>(keep[u], op[m], first + u * step);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * step;
        if (by_mask && !keep[u][0]) continue;
        fetch<typename Op::A, typename Op::SA, Op::IA, V>(a[u], op[0], i);
        if constexpr (!Op::second_at_zero || Op::IB)
            fetch<typename Op::B, typename Op::SB, Op::IB, V>(b[u], op[1], i);
        fetch<typename Op::C, typename Op::SC, Op::IC, V>(c[u], op[2], i);
        fetch<typename Op::D, typename Op::SD, Op::ID, V>(d[u], op[3], i);
        fetch<typename Op::E, typename Op::SE, Op::IE, V>(e[u], op[4], i);
        fetch<typename Op::F, typename Op::SF, Op::IF, V>(f[u], op[5], i);
    }
    if constexpr (Op::second_at_zero && !Op::IB) { /* mostly, memory is not read */
#pragma unroll
        for (int u = 0; u < U; u++) {
            bool any = false;
#pragma unroll
            for (int v = 0; v < V; v++) {
                b[u][v] = typename Op::B(0.0f);
                any |= a[u][v] == 0;
            }
            if (any)
                fetch<typename Op::B, typename Op::SB, Op::IB, V>(b[u], op[1],
                                                                  first + u * step);
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (by_mask && !keep[u][0]) continue;
#pragma unroll
        for (int v = 0; v < V; v++) {
            if constexpr (ORDINARY) {
                const auto result = Op::ordinary(a[u][v]);
                x[u][v] = result;
                rare |= result.rare;
            } else {
                evaluate<Op>(a[u][v], b[u][v], c[u][v], d[u][v], e[u][v], f[u][v],
                             x[u][v], y[u][v], z[u][v], w[u][v]);
            }
        }
    }
    if (ORDINARY && rare) return false;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const long long i = first + u * step;
        put<typename Op::R, typename Op::SR, V>(x[u], op[r], i, keep[u], Op::masked);
        put<typename Op::S, typename Op::SS, V>(y[u], op[r + 1], i, keep[u],
                                                Op::masked);
        put<typename Op::T, typename Op::ST, V>(z[u], op[r + 2], i, keep[u],
                                                Op::masked);
        put<typename Op::U, typename Op::SU, V>(w[u], op[r + 3], i, keep[u],
                                                Op::masked);
    }
    return true;
}

/* The same of any elements, one by one. */
template <class Op, int U, int V>
__device__ __attribute__((noinline)) void
dense_elements(const slot *op, long long first, int step)
{
#pragma unroll 1
    for (int k = 0; k < U * V; k++)
        dense_vectors<Op, 1, 1>(op, first + k / V * step + k % V, 0);
}

template <class Op, int BLOCK, int U, int V, int K>
__device__ inline void
elementwise_dense(const dense_params<K> &p)
{
    constexpr int step = BLOCK * V;
    const long long begin = (long long)blockIdx.x * (U * step);
    const long long first = begin + threadIdx.x * V;
    if (begin + U * step <= p.n) {
        constexpr bool apart = Op::sets_rare_apart;
        if (!dense_vectors<Op, U, V, apart>(p.op, first, step))
            dense_elements<Op, U, V>(p.op, first, step);
        return;
    }
    for (int u = 0; u < U; u++) {
        const long long i = first + u * step;
        if (i + V <= p.n) {
            dense_vectors<Op, 1, V>(p.op, i, 0);
        } else {
            for (int v = 0; v < V; v++) {
                if (i + v < p.n) dense_vectors<Op, 1, 1>(p.op, i + v, 0);
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

template <class Op, int BLOCK, int U, class I, int K, int N>
__device__ inline void
elementwise_strided(const strided_params<K, N> &p)
{
    constexpr int r = Op::nin, m = Op::nin + Op::nout;
    const long long first = (long long)blockIdx.x * (U * BLOCK) + threadIdx.x;
    typename Op::A a[U];
    typename Op::B b[U];
    typename Op::C c[U];
    typename Op::D d[U];
    typename Op::E e[U];
    typename Op::F f[U];
    I at[U][K];
    bool keep[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        keep[u] = first + u * BLOCK < p.all.size;
        if (!keep[u]) continue;
        locate<I>(p.all, (I)(first + u * BLOCK), at[u]);
        if constexpr (Op::masked) keep[u] = load<bool>(address(p.op[m]) + at[u][m]);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const bool there = first + u * BLOCK < p.all.size;
        if (!(reads_by_mask<Op>() ? keep[u] : there)) continue;
        a[u] = fetch_one<typename Op::A, typename Op::SA, Op::IA>(p.op[0], at[u][0]);
        if constexpr (Op::nin > 1 && !Op::second_at_zero)
            b[u] =
                fetch_one<typename Op::B, typename Op::SB, Op::IB>(p.op[1], at[u][1]);
        if constexpr (Op::nin > 2)
            c[u] =
                fetch_one<typename Op::C, typename Op::SC, Op::IC>(p.op[2], at[u][2]);
        if constexpr (Op::nin > 3)
            d[u] =
                fetch_one<typename Op::D, typename Op::SD, Op::ID>(p.op[3], at[u][3]);
        if constexpr (Op::nin > 4)
            e[u] =
                fetch_one<typename Op::E, typename Op::SE, Op::IE>(p.op[4], at[u][4]);
        if constexpr (Op::nin > 5)
            f[u] =
                fetch_one<typename Op::F, typename Op::SF, Op::IF>(p.op[5], at[u][5]);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        typename Op::R x;
        typename Op::S y;
        typename Op::T z;
        typename Op::U w;
        if (!keep[u]) continue;
        if constexpr (Op::second_at_zero) {
            b[u] = typename Op::B(0.0f);
            if (a[u] == 0)
                b[u] = fetch_one<typename Op::B, typename Op::SB, Op::IB>(p.op[1],
                                                                          at[u][1]);
        }
        evaluate<Op>(a[u], b[u], c[u], d[u], e[u], f[u], x, y, z, w);
        store(address(p.op[r]) + at[u][r], convert<typename Op::SR>(x));
        if constexpr (Op::nout > 1)
            store(address(p.op[r + 1]) + at[u][r + 1], convert<typename Op::SS>(y));
        if constexpr (Op::nout > 2)
            store(address(p.op[r + 2]) + at[u][r + 2], convert<typename Op::ST>(z));
        if constexpr (Op::nout > 3)
            store(address(p.op[r + 3]) + at[u][r + 3], convert<typename Op::SU>(w));
    }
}

/* V elements at `offset`, or V times the one there. */
template <class T, class S, bool IMMEDIATE, int V, class I>
__device__ inline void
fetch_row(T (&x)[V], const slot &from, I offset, bool constant)
{
    if constexpr (is_same<T, nothing>::value) {
        return;
    } else if constexpr (IMMEDIATE) {
        fetch<T, S, true, V>(x, from, 0);
    } else if (constant) {
        const T value = convert<T>(load<S>(address(from) + offset));
#pragma unroll
        for (int v = 0; v < V; v++) x[v] = value;
    } else {
        const slot place = {{(unsigned long long)(address(from) + offset), 0}};
        fetch<T, S, false, V>(x, place, 0);
    }
}

/* V results to where output K lies. */
template <class T, class S, int V>
__device__ inline void
put_row(const T (&x)[V], char *to)
{
    const slot place = {{(unsigned long long)to, 0}};
    const bool keep[V] = {};
    put<T, S, V>(x, place, 0, keep, false);
}

template <class Op, int U, int V, class I, int K, int N>
__device__ inline void
elementwise_rows(const strided_params<K, N> &p)
{
    constexpr int r = Op::nin;
    const long long first = (long long)blockIdx.x * (U * CUPRIC_BLOCK) + threadIdx.x;
    typename Op::A a[U][V];
    typename Op::B b[U][V];
    typename Op::C c[U][V];
    typename Op::D d[U][V];
    typename Op::E e[U][V];
    typename Op::F f[U][V];
    I at[U][K];
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (first + u * CUPRIC_BLOCK >= p.all.size) continue;
        locate<I>(p.all, (I)(first + u * CUPRIC_BLOCK), at[u]);
        const long long *const step = p.all.stride[N - 1];
        fetch_row<typename Op::A, typename Op::SA, Op::IA>(a[u], p.op[0], at[u][0],
                                                           step[0] == 0);
        if constexpr (Op::nin > 1)
            fetch_row<typename Op::B, typename Op::SB, Op::IB>(b[u], p.op[1], at[u][1],
                                                               step[1] == 0);
        if constexpr (Op::nin > 2)
            fetch_row<typename Op::C, typename Op::SC, Op::IC>(c[u], p.op[2], at[u][2],
                                                               step[2] == 0);
        if constexpr (Op::nin > 3)
            fetch_row<typename Op::D, typename Op::SD, Op::ID>(d[u], p.op[3], at[u][3],
                                                               step[3] == 0);
        if constexpr (Op::nin > 4)
            fetch_row<typename Op::E, typename Op::SE, Op::IE>(e[u], p.op[4], at[u][4],
                                                               step[4] == 0);
        if constexpr (Op::nin > 5)
            fetch_row<typename Op::F, typename Op::SF, Op::IF>(f[u], p.op[5], at[u][5],
                                                               step[5] == 0);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        typename Op::R x[V];
        typename Op::S y[V];
        typename Op::T z[V];
        typename Op::U w[V];
        if (first + u * CUPRIC_BLOCK >= p.all.size) continue;
#pragma unroll
        for (int v = 0; v < V; v++)
            evaluate<Op>(a[u][v], b[u][v], c[u][v], d[u][v], e[u][v], f[u][v], x[v],
                         y[v], z[v], w[v]);
        auto place = [&](int k) { return address(p.op[k]) + at[u][k]; };
        put_row<typename Op::R, typename Op::SR, V>(x, place(r));
        if constexpr (Op::nout > 1)
            put_row<typename Op::S, typename Op::SS, V>(y, place(r + 1));
        if constexpr (Op::nout > 2)
            put_row<typename Op::T, typename Op::ST, V>(z, place(r + 2));
        if constexpr (Op::nout > 3)
            put_row<typename Op::U, typename Op::SU, V>(w, place(r + 3));
    }
}

/* A block's tile of SIDE x SIDE, or what there is of it. */
template <int K>
struct tile_of_block {
    int rows, cols;
    long long at[K]; /* each operand's offset of the first element */
};

template <int SIDE, int K, int N>
__device__ inline tile_of_block<K>
find_tile(const tiled_params<K, N> &p)
{
    const long long rest = blockIdx.x / p.col_tiles;
    const long long col = blockIdx.x % p.col_tiles * SIDE;
    const long long row = rest % p.row_tiles * SIDE;
    tile_of_block<K> t;
    locate<long long>(p.outer, rest / p.row_tiles, t.at);
#pragma unroll
    for (int k = 0; k < K; k++) t.at[k] += row * p.row[k] + col * p.col[k];
    t.rows = p.rows - row < SIDE ? (int)(p.rows - row) : SIDE;
    t.cols = p.cols - col < SIDE ? (int)(p.cols - col) : SIDE;
    return t;
}

/* Element k of a thread in a tile, which it has with neighbours along the columns. */
template <int SIDE>
struct place_in_tile {
    int along, across;
    __device__ place_in_tile(int k)
        : along(threadIdx.x % 32 + k % (SIDE / 32) * 32),
          across(threadIdx.x / 32 + k / (SIDE / 32) * 8)
    {
    }
};

/* An operand's tile in shared memory; of one that is read as it lies, nothing. */
template <class S, bool TURNED, int SIDE>
struct turned_tile {
    __device__ void read(const slot &, long long, long long, long long, int, int) {}
    __device__ S get(int, int) const { return S(); }
};
template <class S, int SIDE>
struct turned_tile<S, true, SIDE> {
    uninitialized<S, SIDE * SIDE> all;

    __device__ void read(const slot &from, long long first, long long row,
                         long long col, int rows, int cols)
    {
        constexpr int U = SIDE * SIDE / CUPRIC_BLOCK;
        const char *const in = address(from) + first;
        uninitialized<S, U> x;
#pragma unroll
        for (int k = 0; k < U; k++) {
            const place_in_tile<SIDE> at(k);
            if (at.along < rows && at.across < cols)
                x.at[k] = load<S>(in + at.along * row + at.across * col);
        }
#pragma unroll
        for (int k = 0; k < U; k++) {
            const place_in_tile<SIDE> at(k);
            all.at[at.across * SIDE + (at.along + at.across) % SIDE] = x.at[k];
        }
    }

    __device__ S get(int row, int col) const
    {
        return all.at[col * SIDE + (row + col) % SIDE];
    }
};

/* The bits of TURNED say which inputs, and then whether the mask, lie along the rows. */
template <class Op, int TURNED, int SIDE, int K, int N>
__device__ inline void
elementwise_tiled(const tiled_params<K, N> &p)
{
    constexpr int r = Op::nin, s = Op::nin + 1, m = Op::nin + Op::nout;
    constexpr int U = SIDE * SIDE / CUPRIC_BLOCK, G = U < 8 ? U : 8;
    __shared__ turned_tile<typename Op::SA, (TURNED & 1) != 0, SIDE> tile_a;
    __shared__ turned_tile<typename Op::SB, (TURNED & 2) != 0, SIDE> tile_b;
    __shared__ turned_tile<typename Op::SC, (TURNED & 4) != 0, SIDE> tile_c;
    __shared__ turned_tile<typename Op::SD, (TURNED & 8) != 0, SIDE> tile_d;
    __shared__ turned_tile<bool, (TURNED & 16) != 0, SIDE> tile_m;
    const tile_of_block<K> t = find_tile<SIDE>(p);

    tile_a.read(p.op[0], t.at[0], p.row[0], p.col[0], t.rows, t.cols);
    if constexpr (Op::nin > 1)
        tile_b.read(p.op[1], t.at[1], p.row[1], p.col[1], t.rows, t.cols);
    if constexpr (Op::nin > 2)
        tile_c.read(p.op[2], t.at[2], p.row[2], p.col[2], t.rows, t.cols);
    if constexpr (Op::nin > 3)
        tile_d.read(p.op[3], t.at[3], p.row[3], p.col[3], t.rows, t.cols);
    if constexpr (Op::masked)
        tile_m.read(p.op[m], t.at[m], p.row[m], p.col[m], t.rows, t.cols);
    __syncthreads();
#pragma unroll
    for (int first = 0; first < U; first += G) {
        typename Op::A a[G];
        typename Op::B b[G];
        typename Op::C c[G];
        typename Op::D d[G];
        bool keep[G];
#pragma unroll
        for (int g = 0; g < G; g++) {
            const place_in_tile<SIDE> at(first + g);
            const int row = at.across, col = at.along;
            keep[g] = row < t.rows && col < t.cols;
            if (!keep[g]) continue;
            auto place = [&](int k) {
                return t.at[k] + row * p.row[k] + col * p.col[k];
            };
            if constexpr (TURNED & 1)
                a[g] = convert<typename Op::A>(tile_a.get(row, col));
            else
                a[g] = fetch_one<typename Op::A, typename Op::SA, Op::IA>(p.op[0],
                                                                          place(0));
            if constexpr (TURNED & 2)
                b[g] = convert<typename Op::B>(tile_b.get(row, col));
            else if constexpr (Op::nin > 1)
                b[g] = fetch_one<typename Op::B, typename Op::SB, Op::IB>(p.op[1],
                                                                          place(1));
            if constexpr (TURNED & 4)
                c[g] = convert<typename Op::C>(tile_c.get(row, col));
            else if constexpr (Op::nin > 2)
                c[g] = fetch_one<typename Op::C, typename Op::SC, Op::IC>(p.op[2],
                                                                          place(2));
            if constexpr (TURNED & 8)
                d[g] = convert<typename Op::D>(tile_d.get(row, col));
            else if constexpr (Op::nin > 3)
                d[g] = fetch_one<typename Op::D, typename Op::SD, Op::ID>(p.op[3],
                                                                          place(3));
            if constexpr (TURNED & 16)
                keep[g] = tile_m.get(row, col);
            else if constexpr (Op::masked)
                keep[g] = load<bool>(address(p.op[m]) + place(m));
        }
#pragma unroll
        for (int g = 0; g < G; g++) {
            const place_in_tile<SIDE> at(first + g);
            typename Op::R x;
            typename Op::S y;
            if (!keep[g]) continue;
            auto place = [&](int k) {
                return address(p.op[k]) + t.at[k] + at.across * p.row[k] +
                       at.along * p.col[k];
            };
            Op::run(a[g], b[g], c[g], d[g], x, y);
            store(place(r), convert<typename Op::SR>(x));
            if constexpr (Op::nout > 1) store(place(s), convert<typename Op::SS>(y));
        }
    }
}

/* Of 4 or 2 words, y[i] becomes the i-th byte or half of each. */
__device__ inline void
transpose_in_words(const unsigned int (&x)[4], unsigned int (&y)[4])
{
    const unsigned int a = __byte_perm(x[0], x[1], 0x5140),
                       b = __byte_perm(x[2], x[3], 0x5140),
                       c = __byte_perm(x[0], x[1], 0x7362),
                       d = __byte_perm(x[2], x[3], 0x7362);
    y[0] = __byte_perm(a, b, 0x5410);
    y[1] = __byte_perm(a, b, 0x7632);
    y[2] = __byte_perm(c, d, 0x5410);
    y[3] = __byte_perm(c, d, 0x7632);
}

__device__ inline void
transpose_in_words(const unsigned int (&x)[2], unsigned int (&y)[2])
{
    y[0] = __byte_perm(x[0], x[1], 0x5410);
    y[1] = __byte_perm(x[0], x[1], 0x7632);
}

/* A word's elements of SIZE bytes, of which the first n are there, from p on or, if they
 * lie backwards, up to it. */
template <int SIZE>
__device__ inline unsigned int
load_word(const char *p, int n, bool backwards)
{
    constexpr unsigned int turned = SIZE == 1 ? 0x0123 : 0x1032;
    unsigned int word = 0;

    if (n * SIZE >= 4) {
        if (!backwards) return *(const unsigned int *)p;
        return __byte_perm(*(const unsigned int *)(p + SIZE - 4), 0, turned);
    }
    for (int k = 0; k < n; k++) {
        const unsigned char *const from =
            (const unsigned char *)p + (backwards ? -k : k) * SIZE;
        for (int b = 0; b < SIZE; b++)
            word |= (unsigned int)from[b] << 8 * (k * SIZE + b);
    }
    return word;
}

template <int V, int N>
__device__ inline void
transposed_words(const tiled_params<2, N> &p)
{
    constexpr int size = 4 / V, side = CUPRIC_WORDS_SIDE(size), U = 4 * V;
    __shared__ unsigned int tile[side * 32];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const tile_of_block<2> t = find_tile<side>(p);
    const bool backwards = p.row[0] < 0;
    const char *const in = address(p.op[0]) + t.at[0] + (backwards ? -4 : 4) * x;
    char *const out = address(p.op[1]) + t.at[1] + x * 4;
    unsigned int word[U];
#pragma unroll
    for (int k = 0; k < U; k++) {
        const int c = y + k * 8, n = t.rows - x * V;
        word[k] = 0;
        if (c < t.cols) word[k] = load_word<size>(in + c * p.col[0], n, backwards);
    }
#pragma unroll
    for (int k = 0; k < U; k++) {
        const int c = y + k * 8;
        tile[c * 32 + (x + c / V) % 32] = word[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int w = y + k * 8, n = t.cols - x * V;
        unsigned int from[V], to[V];
#pragma unroll
        for (int j = 0; j < V; j++) from[j] = tile[(x * V + j) * 32 + (w + x) % 32];
        transpose_in_words(from, to);
#pragma unroll
        for (int i = 0; i < V; i++) {
            const int r = w * V + i;
            if (r >= t.rows || n <= 0) continue;
            char *const place = out + r * p.row[1];
            if (n >= V) {
                *(unsigned int *)place = to[i];
                continue;
            }
            for (int b = 0; b < n * size; b++) place[b] = (char)(to[i] >> 8 * b);
        }
    }
}

template <class Op, int N>
__device__ inline void
transposed_short(const tiled_params<2, N> &p)
{
    constexpr int U = 4;
    const long long col = blockIdx.x % p.col_tiles * CUPRIC_BLOCK + threadIdx.x;
    long long at[2];
    if (col >= p.cols) return;
    locate<long long>(p.outer, blockIdx.x / p.col_tiles, at);
    const char *in = address(p.op[0]) + at[0] + col * p.col[0];
    char *out = address(p.op[1]) + at[1] + col * p.col[1];
    const int rows = (int)p.rows;
    for (int r = 0; r < rows; r += U) {
        typename Op::A a[U];
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (r + u >= rows) break;
            a[u] = convert<typename Op::A>(load<typename Op::SA>(in + u * p.row[0]));
        }
#pragma unroll
        for (int u = 0; u < U; u++) {
            typename Op::R result;
            nothing s;
            if (r + u >= rows) break;
            Op::run(a[u], nothing(), nothing(), nothing(), result, s);
            store(out + u * p.row[1], convert<typename Op::SR>(result));
        }
        in += U * p.row[0];
        out += U * p.row[1];
    }
}

CUPRIC_END

#endif
