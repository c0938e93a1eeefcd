/* kernels/reduce_dense.hpp: reductions of one input whose elements are neighbours in
 * memory. For Op, scratch and parts see kernels/reduce.hpp.
 *
 *   reduce_dense_rows     reduced elements are neighbours: `lanes` threads, a power of two
 *                         up to the block's size, for each result. They read packs of 16
 *                         bytes; what stands before the first whole pack of a row, and
 *                         after the last one, is read element by element.
 *   reduce_dense_narrow   short rows that follow each other: a block brings `rows` of them
 *                         to shared memory, at most 16 KiB, whatever their length; then
 *                         `lanes` threads, a power of two up to 32, make each result.
 *                         With `fold`, rows of that many elements whose packs are whole
 *                         stay in registers, two packs to a thread.
 *   reduce_dense_columns  kept elements are neighbours: `lanes` threads side by side, each
 *                         with P columns, and `ways` such rows of threads in a block.
 *
 * In the last, narrow matrices that have no gaps are seen as wider ones of whole packs:
 *
 *      a b c | a b c | a b c | a b c | a b        width 3, packs of 4, 14 elements:
 *      \_______________________________/ rest     one row of `wide` 12, then a tail of 2
 *
 * A thread's columns stay what they are from row to row, and those of a block are joined
 * at the end, `fold` of them.
 *
 *   reduce_dense_few      columns of few elements: a thread makes U packs of results, that
 *                         stand `fold` (then a pack is stored at once) or not one after
 *                         the other.
 *
 * Launch: x over results, tiles of results; y over parts of the reduced packs (rows) or
 * rows (columns). At most 512 threads; 256 for narrow rows and columns of few elements.
 */
#ifndef CUPRIC_KERNELS_REDUCE_DENSE_HPP
#define CUPRIC_KERNELS_REDUCE_DENSE_HPP

#include "cupric/kernels/reduce.hpp"

CUPRIC_BEGIN

template <int NK>
struct dense_reduce_params {
    slot op[2];
    slot initial; /* in the signature's result type */
    double count, param;
    long long has_initial;
    long long n;           /* reduced elements of a row; rows of columns, as seen */
    long long lanes, ways; /* narrow: ways is the rows of a block */
    long long part, parts;
    char *scratch;
    unsigned int *arrived;
    long long step;        /* columns: bytes from row to row, as seen */
    long long width, wide; /* columns: results side by side, and as seen */
    long long tiles, fold, tail, aligned;
    space<2, NK> kept;
};

/* What is in memory: any byte may stand where a bool is due. */
template <class T>
struct held {
    typedef T type;
};
template <>
struct held<bool> {
    typedef unsigned char type;
};

template <class T, int V>
struct alignas(V * sizeof(T) < 16 ? V * sizeof(T) : 16) elements {
    typename held<T>::type at[V];
};

/* M accumulators in the order of their elements, combined into the first. */
template <class Op, int M>
__device__ inline void fold_in_order(typename Op::S (&x)[M])
{
    if constexpr (Op::is_moments) {
        fold_moments(x);
    } else {
#pragma unroll
        for (int by = 1; by < M; by *= 2) {
#pragma unroll
            for (int k = 0; k + by < M; k += 2 * by) {
                x[k] = Op::append(x[k], x[k + by]);
            }
        }
    }
}

template <class Op>
__device__ inline void
append_to(partial<Op> &acc, const typename Op::S &x)
{
    acc.s = acc.n == 0 ? x : Op::append(acc.s, x);
    acc.n = 1;
}

template <class Op>
__device__ inline typename Op::A
as_input(const typename held<typename Op::SA>::type x)
{
    if constexpr (is_same<typename Op::SA, bool>::value)
        return convert<typename Op::A>(x != 0);
    else
        return convert<typename Op::A>(x);
}

/* Sums of sums: rounding errors grow with the length of neither. */
constexpr int inner_length = 32;

/* ---- rows ---------------------------------------------------------------------------- */

/* Packs v, v + lanes, …, U of them; `first` is the index of pack 0's first element. */
template <class Op, class I, int P, int U>
__device__ inline typename Op::S
packs_of_row(const elements<typename Op::SA, P> *packs, I v, I lanes, I first,
             const typename Op::B b, const typename Op::N param)
{
    typedef elements<typename Op::SA, P> E;
    E x[U];
    typename Op::S s[U * P];
#pragma unroll
    for (int u = 0; u < U; u++) x[u] = packs[v + u * lanes];
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            s[u * P + k] = Op::map(as_input<Op>(x[u].at[k]), b, param,
                                   (I)(first + (v + u * lanes) * P + k));
        }
    }
    fold_in_order<Op>(s);
    return s[0];
}

/* Packs begin + lane, begin + lane + lanes, … below end. */
template <class Op, class I, int P, int U>
__device__ inline partial<Op>
run_of_row(const elements<typename Op::SA, P> *packs, I begin, I end, I lane, I lanes,
           I first, const typename Op::B b, const typename Op::N param)
{
    typedef elements<typename Op::SA, P> E;
    typedef typename Op::S S;
    const I whole = (I)(U - 1) * lanes;
    partial<Op> acc;
    I v = begin + lane;
    acc.n = 0;
    while (end - v > whole) {
        S s = packs_of_row<Op, I, P, U>(packs, v, lanes, first, b, param);
        v += U * lanes;
        for (int k = 1; k < inner_length && end - v > whole; k++) {
            s = Op::append(s,
                           packs_of_row<Op, I, P, U>(packs, v, lanes, first, b, param));
            v += U * lanes;
        }
        append_to<Op>(acc, s);
    }
    if (U > 1 && v < end) {
        E x[U - 1];
#pragma unroll
        for (int u = 0; u < U - 1; u++) {
            if (v + u * lanes < end) x[u] = packs[v + u * lanes];
        }
#pragma unroll
        for (int u = 0; u < U - 1; u++) {
            S s[P];
            if (v + u * lanes >= end) continue;
#pragma unroll
            for (int k = 0; k < P; k++) {
                s[k] = Op::map(as_input<Op>(x[u].at[k]), b, param,
                               (I)(first + (v + u * lanes) * P + k));
            }
            fold_in_order<Op>(s);
            append_to<Op>(acc, s[0]);
        }
    }
    return acc;
}

template <class Op, class I>
__device__ inline void
run_of_singles(partial<Op> &acc, const char *row, I begin, I end, I lane, I lanes,
               const typename Op::B b, const typename Op::N param)
{
    for (I j = begin + lane; j < end; j += lanes) {
        partial<Op> x;
        x.n = 1;
        x.s = Op::map(input<Op>(row + j * (I)sizeof(typename Op::SA)), b, param, j);
        accumulate<Op>(acc, x);
    }
}

template <class Op, class I, int NK>
__device__ inline void
reduce_dense_rows(const dense_reduce_params<NK> &p)
{
    typedef typename Op::SA SA;
    constexpr int size = sizeof(SA), P = 16 / size, U = 4;
    const int lanes = (int)p.lanes, lane = threadIdx.x & (lanes - 1);
    const I result =
        (I)(blockIdx.x * (long long)(blockDim.x / lanes) + threadIdx.x / lanes);
    const bool there = result < (I)p.kept.size;
    const typename Op::N param = (typename Op::N)p.param;
    partial<Op> acc;
    acc.n = 0;
    if (there) {
        I at[2];
        locate<I>(p.kept, result, at);
        const char *const row = address(p.op[0]) + at[0];
        const typename Op::B b = origin<Op>(row);
        const I n = (I)p.n;
        I head = (I)((16 - (unsigned int)(unsigned long long)row % 16) % 16 / size);
        if (head > n) head = n;
        const I packs = (n - head) / P, begin = (I)(blockIdx.y * p.part);
        I end = begin + (I)p.part;
        if (end > packs || blockIdx.y + 1 == p.parts) end = packs;
        acc = run_of_row<Op, I, P, U>(
            (const elements<SA, P> *)(row + (long long)head * size), begin, end,
            (I)lane, (I)lanes, head, b, param);
        if (blockIdx.y == 0) {
            run_of_singles(acc, row, (I)0, head, (I)lane, (I)lanes, b, param);
        }
        if (blockIdx.y + 1 == p.parts) {
            run_of_singles(acc, row, (I)(head + packs * P), n, (I)lane, (I)lanes, b,
                           param);
        }
    }
    acc = combine_lanes(acc, lanes);
    if (lanes == blockDim.x)
        finish_result<Op>(p, acc, result);
    else if (there && lane == 0)
        emit<Op>(p, acc, result);
}

/* ---- narrow rows --------------------------------------------------------------------- */

/* Where element i stands: a word is left out after every 32, so that rows whose length is
 * a power of two begin in different banks. */
template <int SIZE>
__device__ inline int
apart(int i)
{
    constexpr int line = 128 / SIZE, gap = SIZE < 4 ? 4 / SIZE : 1;
    return i + i / line * gap;
}

/* Rows of M elements, of which a pack has a whole number: none passes through shared
 * memory. Results follow each other. */
template <class Op, class I, int P, int M, int NK>
__device__ inline void
rows_of_packs(const dense_reduce_params<NK> &p)
{
    typedef typename Op::OUT OUT;
    typedef elements<typename Op::SA, P> E;
    constexpr int R = P / M, U = 2;
    const E *const packs = (const E *)address(p.op[0]);
    elements<OUT, R> *const out = (elements<OUT, R> *)address(p.op[1]);
    const I whole = (I)(p.kept.size / R);
    const I first = (I)(blockIdx.x * (long long)(U * blockDim.x) + threadIdx.x);
    E x[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (first + u * (I)blockDim.x < whole) x[u] = packs[first + u * (I)blockDim.x];
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        elements<OUT, R> y;
        if (first + u * (I)blockDim.x >= whole) continue;
#pragma unroll
        for (int r = 0; r < R; r++) {
            partial<Op> acc;
            typename Op::S s[M];
            typename Op::B b = typename Op::B();
            if constexpr (Op::is_moments)
                b = finite_or_zero(as_input<Op>(x[u].at[r * M]));
#pragma unroll
            for (int k = 0; k < M; k++) {
                s[k] = Op::map(as_input<Op>(x[u].at[r * M + k]), b,
                               (typename Op::N)p.param, (I)k);
            }
            fold_in_order<Op>(s);
            acc.s = s[0];
            acc.n = 1;
            y.at[r] = result_of<Op>(p, acc);
        }
        out[first + u * (I)blockDim.x] = y;
    }
}

template <class Op, class I, int NK>
__device__ inline void
reduce_dense_narrow(const dense_reduce_params<NK> &p)
{
    typedef typename Op::SA SA;
    if constexpr (sizeof(SA) == 4 || sizeof(SA) == 8) {
        constexpr int whole = 16 / sizeof(SA);
        if (p.fold == 2) return rows_of_packs<Op, I, whole, 2>(p);
        if constexpr (whole == 4) {
            if (p.fold == 4) return rows_of_packs<Op, I, whole, 4>(p);
        }
    }
    typedef elements<SA, 1> single;
    constexpr int size = sizeof(SA), P = 16 / size, U = 4, most = 16384 / size;
    __shared__ room<single, most + most / 8> tile;
    const int n = (int)p.n, lanes = (int)p.lanes;
    const long long first = blockIdx.x * p.ways;
    const long long left = p.kept.size - first;
    const int rows = (int)(left < p.ways ? left : p.ways), all = rows * n;
    const char *const from = address(p.op[0]) + first * n * size;
    const typename Op::N param = (typename Op::N)p.param;
    int done = 0;

    if (p.aligned) {
        typedef elements<SA, P> E;
        const int packs = all / P;
        for (int v = threadIdx.x; v < packs; v += U * blockDim.x) {
            E x[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * blockDim.x < packs)
                    x[u] = ((const E *)from)[v + u * blockDim.x];
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int i = (v + u * blockDim.x) * P;
                if (i >= packs * P) continue;
#pragma unroll
                for (int k = 0; k < P; k++) {
                    tile.at[apart<size>(i + k)].at[0] = x[u].at[k];
                }
            }
        }
        done = packs * P;
    }
#pragma unroll 4
    for (int i = done + threadIdx.x; i < all; i += blockDim.x) {
        tile.at[apart<size>(i)] = ((const single *)from)[i];
    }
    __syncthreads();
    const int groups = blockDim.x / lanes, lane = threadIdx.x & (lanes - 1);
    for (int turn = 0; turn < rows; turn += groups) {
        const int r = turn + threadIdx.x / lanes;
        partial<Op> acc;
        acc.n = 0;
        if (r < rows) {
            const typename Op::B b =
                origin<Op>((const char *)&tile.at[apart<size>(r * n)]);
            const auto mapped = [&](int j) {
                return Op::map(
                    input<Op>((const char *)&tile.at[apart<size>(r * n + j)]), b, param,
                    (I)j);
            };
            int j = lane;
            for (; j + 3 * lanes < n; j += 4 * lanes) {
                typename Op::S s[4];
#pragma unroll
                for (int u = 0; u < 4; u++) s[u] = mapped(j + u * lanes);
                fold_in_order<Op>(s);
                append_to<Op>(acc, s[0]);
            }
            for (; j < n; j += lanes) append_to<Op>(acc, mapped(j));
        }
        for (int by = lanes / 2; by > 0; by /= 2) {
            accumulate<Op>(acc, from_lane_below(acc, by));
        }
        if (r < rows && lane == 0) emit<Op>(p, acc, (I)(first + r));
    }
}

/* ---- columns ------------------------------------------------------------------------- */

/* The P columns of a thread, `apart` each other: 1 where packs are read. */
template <class Op, class I, int P>
struct columns {
    typedef typename Op::SA SA;
    typedef typename Op::S S;
    typedef elements<SA, P> E;
    const char *from; /* row 0, the first column */
    typename Op::B b[P];
    I index[P];       /* of row 0's element */
    I step, per_row;  /* bytes; elements of a column in a row as seen */
    int apart, limit; /* columns from the first one on */
    bool packed;
    typename Op::N param;

    __device__ void read(E &x, I row) const
    {
        const char *const at = from + row * (long long)step;
        if (packed) {
            x = *(const E *)at;
            return;
        }
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k * apart < limit)
                x.at[k] = ((const typename held<SA>::type *)at)[k * apart];
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

/* What is left after the last whole row, as seen, goes to the first row of the tile. */
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
    __shared__ room<partial<Op>, 512 * P> tile;
    const int lanes = (int)p.lanes, ways = (int)p.ways;
    const int y = threadIdx.x / lanes, x = threadIdx.x - y * lanes;
    const int outer = (int)(blockIdx.x / p.tiles);
    const I origin_column = (I)(blockIdx.x - outer * p.tiles) * (I)(lanes * P);
    const I column = origin_column + (p.aligned ? x * P : x);
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
        c.apart = p.aligned ? 1 : lanes;
        c.limit = column < wide
                      ? (int)(wide - column < 1 << 20 ? wide - column : 1 << 20)
                      : 0;
        c.packed = p.aligned && c.limit >= P;
        c.param = (typename Op::N)p.param;
#pragma unroll
        for (int k = 0; k < P; k++) {
            const I here = column + k * c.apart;
            c.index[k] = here / width;
            if (k * c.apart < c.limit)
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
            mine.n = any && k * c.apart < c.limit;
            mine.s = total[k];
            tile.at[y * lanes * P + (p.aligned ? x * P + k : x + k * lanes)] = mine;
        }
    }
    if (p.tail && blockIdx.y + 1 == p.parts) add_tail<Op, I>(p, base, tile.at);
    const int fold = (int)p.fold;
    combine_rows<Op>(tile.at, ways * lanes * P / fold, fold);
    finish_results<Op>(p, tile.at, 512 * P, fold, (I)(outer * p.width) + origin_column,
                       (I)((outer + 1) * p.width));
}

/* ---- columns of few elements --------------------------------------------------------- */

/* Packs of columns, 256 apart, from top to bottom. */
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
        c[u].apart = 1;
        c[u].limit = column + P <= width ? P
                     : column < width    ? (int)(width - column)
                                         : 0;
        c[u].packed = p.aligned && c[u].limit == P;
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
