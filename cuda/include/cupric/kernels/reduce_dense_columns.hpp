/* kernels/reduce_dense_columns.hpp: see reduce_dense.hpp. */
#ifndef CUPRIC_KERNELS_REDUCE_DENSE_COLUMNS_HPP
#define CUPRIC_KERNELS_REDUCE_DENSE_COLUMNS_HPP

#include "cupric/kernels/reduce_dense.hpp"

CUPRIC_BEGIN

/* ---- columns ------------------------------------------------------------------------- */

/* The first `n` < 4 bytes of a word, and none beyond: memory may end there. */
__device__ inline unsigned int
load_begin_of_word(const unsigned int *at, unsigned int n)
{
    unsigned int x = n & 2 ? *(const unsigned short *)at : 0;

    if (n & 1) x |= (unsigned int)((const unsigned char *)at)[n - 1] << (n - 1) * 8;
    return x;
}

/* Elements at any address, by the words that they lie in. */
template <class E>
__device__ inline void
load_shifted(E &x, const char *at)
{
    constexpr int N = sizeof(E) / 4;
    const unsigned int shift = (unsigned int)((unsigned long long)at % 4);
    const unsigned int *const from = (const unsigned int *)(at - shift);
    union {
        unsigned int word[N];
        E all;
    } to;
    unsigned int word[N + 1];

#pragma unroll
    for (int i = 0; i < N; i++) word[i] = from[i];
    word[N] = load_begin_of_word(from + N, shift);
#pragma unroll
    for (int i = 0; i < N; i++)
        to.word[i] = __funnelshift_r(word[i], word[i + 1], shift * 8);
    x = to.all;
}

/* The P columns of a thread, `stride` columns apart: 1 where vectors are read. */
template <class Op, class I, int P>
struct columns {
    typedef typename Op::SA SA;
    typedef typename Op::S S;
    typedef elements<SA, P> E;
    /* Whether vectors are read that lie across words. */
    enum : bool { shifts = sizeof(SA) < 4 && sizeof(E) % 4 == 0 };
    const char *from; /* row 0, the first column */
    typename Op::B b[P];
    I index[P];        /* of row 0's element */
    I step, per_row;   /* bytes; elements of a column in a row as seen */
    int stride, limit; /* columns from the first one on */
    bool vectorized, aligned;
    typename Op::N param;

    __device__ void read(E &x, I row) const
    {
        const char *const at = from + row * (long long)step;
        if (vectorized) {
            if constexpr (shifts) {
                if (!aligned) {
                    load_shifted(x, at);
                    return;
                }
            }
            x = *(const E *)at;
            return;
        }
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k * stride < limit)
                x.at[k] = ((const typename stored_type<SA>::type *)at)[k * stride];
        }
    }

    __device__ S mapped(const E &x, int k, I row) const
    {
        return Op::map(as_input<Op>(x.at[k]), b[k], param,
                       (I)(index[k] + row * per_row));
    }

    template <int U>
    __device__ void rows(S (&s)[P], I row, I ways) const
    {
        E x[U];
#pragma unroll
        for (int u = 0; u < U; u++) read(x[u], row + u * ways);
#pragma unroll
        for (int k = 0; k < P; k++) {
            S v[U];
#pragma unroll
            for (int u = 0; u < U; u++) v[u] = mapped(x[u], k, row + u * ways);
            fold_in_order<Op>(v);
            s[k] = v[0];
        }
    }

    /* The same, appended one by one: for what is exact in any grouping, and larger than
     * its elements. */
    template <int U>
    __device__ void append_rows(S (&s)[P], bool any, I row, I ways) const
    {
        E x[U];
#pragma unroll
        for (int u = 0; u < U; u++) read(x[u], row + u * ways);
#pragma unroll
        for (int k = 0; k < P; k++) {
            const S first = mapped(x[0], k, row);
            s[k] = any ? Op::append(s[k], first) : first;
#pragma unroll
            for (int u = 1; u < U; u++) {
                s[k] = Op::append(s[k], mapped(x[u], k, row + u * ways));
            }
        }
    }
};

template <class Op, int P>
__device__ inline void
append_all(typename Op::S (&s)[P], const typename Op::S (&x)[P], bool any)
{
#pragma unroll
    for (int k = 0; k < P; k++) s[k] = any ? Op::append(s[k], x[k]) : x[k];
}

/* Rows j, j + ways, … below end; false where there is none. */
template <class Op, class I, int P, int U>
__device__ inline bool
run_of_columns(const columns<Op, I, P> &c, I j, I end, I ways,
               typename Op::S (&total)[P])
{
    const I whole = (I)(U - 1) * ways;
    bool any = false;
    while (end - j > whole) {
        if constexpr (is_placed<typename Op::S>::value) {
            c.template append_rows<U>(total, any, j, ways);
            j += U * ways;
        } else {
            typename Op::S s[P], x[P];
            c.template rows<U>(s, j, ways);
            j += U * ways;
            for (int k = 1; k < inner_length && end - j > whole; k++) {
                c.template rows<U>(x, j, ways);
                append_all<Op>(s, x, true);
                j += U * ways;
            }
            append_all<Op>(total, s, any);
        }
        any = true;
    }
    if (j >= end) return any;
    elements<typename Op::SA, P> x[U - 1];
#pragma unroll
    for (int u = 0; u < U - 1; u++) {
        if (j + u * ways < end) c.read(x[u], j + u * ways);
    }
#pragma unroll
    for (int u = 0; u < U - 1; u++) {
        typename Op::S s[P];
        if (j + u * ways >= end) continue;
#pragma unroll
        for (int k = 0; k < P; k++) s[k] = c.mapped(x[u], k, j + u * ways);
        append_all<Op>(total, s, any);
        any = true;
    }
    return any;
}

/* What remains after the last whole row, as seen, is added to the first row of the tile. */
template <class Op, class I, class P>
__device__ inline void
add_tail(const P &p, const char *base, partial<Op> *tile)
{
    __syncthreads();
    for (int e = threadIdx.x; e < p.tail; e += blockDim.x) {
        const long long i = p.n * p.wide + e;
        const I j = (I)(i / p.width), column = (I)(i - j * p.width);
        constexpr int size = sizeof(typename Op::SA);
        partial<Op> x;
        x.n = 1;
        x.s = Op::map(input<Op>(base + i * size), origin<Op>(base + column * size),
                      (typename Op::N)p.param, j);
        accumulate<Op>(tile[e], x);
    }
}

template <class Op, class I, int P, int NK>
__device__ inline void
reduce_dense_columns(const dense_reduce_params<NK> &p)
{
    constexpr int size = sizeof(typename Op::SA), U = P * size > 8 ? 4 : 8;
    __shared__ uninitialized<partial<Op>, CUPRIC_REDUCE_DENSE_BLOCK * P> tile;
    const int lanes = (int)p.lanes, ways = (int)p.ways;
    const int y = threadIdx.x / lanes, x = threadIdx.x - y * lanes;
    const int outer = (int)(blockIdx.x / p.tiles);
    const I origin_column = (I)(blockIdx.x - outer * p.tiles) * (I)(lanes * P);
    const bool beside = p.aligned || columns<Op, I, P>::shifts;
    const I column = origin_column + (beside ? x * P : x);
    const I wide = (I)p.wide, width = (I)p.width;
    I at[2];
    locate<I>(p.kept, (I)(outer * p.width), at);
    const char *const base = address(p.op[0]) + at[0];
    if (y < ways) {
        columns<Op, I, P> c;
        typename Op::S total[P];
        c.from = base + column * (I)size;
        c.step = (I)p.step;
        c.per_row = wide / width;
        c.stride = beside ? 1 : lanes;
        c.limit = column < wide
                      ? (int)(wide - column < 1 << 20 ? wide - column : 1 << 20)
                      : 0;
        c.vectorized = beside && c.limit >= P;
        c.aligned = p.aligned;
        c.param = (typename Op::N)p.param;
#pragma unroll
        for (int k = 0; k < P; k++) {
            const I here = column + k * c.stride;
            c.index[k] = here / width;
            if (k * c.stride < c.limit)
                c.b[k] = origin<Op>(base + (here - c.index[k] * width) * (I)size);
        }
        const I begin = (I)(blockIdx.y * p.part), limit = begin + (I)p.part;
        const I end = limit < (I)p.n ? limit : (I)p.n;
        bool any = false;
        if (c.limit > 0) {
            any = run_of_columns<Op, I, P, U>(c, begin + y, end, (I)ways, total);
        }
#pragma unroll
        for (int k = 0; k < P; k++) {
            partial<Op> mine;
            mine.n = any && k * c.stride < c.limit;
            mine.s = total[k];
            tile.at[y * lanes * P + (beside ? x * P + k : x + k * lanes)] = mine;
        }
    }
    if (p.tail && blockIdx.y + 1 == p.parts) add_tail<Op, I>(p, base, tile.at);
    const int fold = (int)p.fold;
    combine_rows<Op>(tile.at, ways * lanes * P / fold, fold);
    finish_results<Op>(p, tile.at, CUPRIC_REDUCE_DENSE_BLOCK * P, fold,
                       (I)(outer * p.width) + origin_column,
                       (I)((outer + 1) * p.width));
}

/* ---- columns of few elements --------------------------------------------------------- */

/* Vectors of columns, 256 apart, from top to bottom. */
template <class Op, class I, int P, int U, int NK>
__device__ inline void
reduce_dense_few(const dense_reduce_params<NK> &p)
{
    typedef typename Op::OUT OUT;
    typedef typename Op::S S;
    typedef elements<typename Op::SA, P> E;
    const long long outer = blockIdx.x / p.tiles, tile = blockIdx.x - outer * p.tiles;
    const I width = (I)p.width;
    const I first = (I)((tile * U * blockDim.x + threadIdx.x) * P);
    I at[2];
    columns<Op, I, P> c[U];
    S total[U][P];
    locate<I>(p.kept, (I)(outer * p.width), at);
    const char *const base = address(p.op[0]) + at[0];
#pragma unroll
    for (int u = 0; u < U; u++) {
        const I column = first + u * (I)(blockDim.x * P);
        c[u].from = base + column * (long long)sizeof(typename Op::SA);
        c[u].step = (I)p.step;
        c[u].per_row = 1;
        c[u].stride = 1;
        c[u].limit = column + P <= width ? P
                     : column < width    ? (int)(width - column)
                                         : 0;
        c[u].vectorized = (p.aligned || c[u].shifts) && c[u].limit == P;
        c[u].aligned = p.aligned;
        c[u].param = (typename Op::N)p.param;
#pragma unroll
        for (int k = 0; k < P; k++) {
            c[u].index[k] = 0;
        }
    }
    for (I row = 0; row < (I)p.n; row++) {
        E x[U];
#pragma unroll
        for (int u = 0; u < U; u++) c[u].read(x[u], row);
#pragma unroll
        for (int u = 0; u < U; u++) {
#pragma unroll
            for (int k = 0; k < P; k++) {
                if constexpr (Op::is_moments) {
                    if (row == 0) c[u].b[k] = finite_or_zero(as_input<Op>(x[u].at[k]));
                }
                const S s = c[u].mapped(x[u], k, row);
                total[u][k] = row == 0 ? s : Op::append(total[u][k], s);
            }
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const I result = (I)(outer * p.width) + first + u * (I)(blockDim.x * P);
        elements<OUT, P> y;
#pragma unroll
        for (int k = 0; k < P; k++) {
            partial<Op> acc;
            acc.s = total[u][k];
            acc.n = 1;
            if (k >= c[u].limit) continue;
            y.at[k] = result_of<Op>(p, acc);
            if (!p.fold || c[u].limit < P) {
                I to[2];
                locate<I>(p.kept, result + k, to);
                store<OUT>(address(p.op[1]) + to[1], y.at[k]);
            }
        }
        if (p.fold && c[u].limit == P) {
            I to[2];
            locate<I>(p.kept, result, to);
            *(elements<OUT, P> *)(address(p.op[1]) + to[1]) = y;
        }
    }
}

CUPRIC_END

#endif
