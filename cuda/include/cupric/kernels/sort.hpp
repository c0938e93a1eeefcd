/* kernels/sort.hpp: stable merge sort of rows of n keys, or of their positions.
 *
 *   sort_rows    tiles of 4096 keys, or several short rows at once: a thread sorts eight
 *                keys in registers, then runs are merged in shared memory. A block for
 *                each tile of each row; for rows of at most a tile's half, threads / group
 *                rows to a block, `group` threads to a row.
 *   sort_merge   pairs of sorted runs of `width` to runs of twice that. A block for each
 *                tile of each row finds its keys on the merge path.
 *
 * Keys move from the rows or a dense buffer to the rows or a dense buffer. Positions
 * (ORDER) move with them through buffers of P, and in the last pass alone into `order`.
 * Blocks of 512 threads; of 256, and tiles of 2048, for keys of 16 bytes.
 *
 * Keys of complex<float>, and floating ones for ORDER, are compared as their codes
 * (sort_code), which take the place of the elements from the first pass to the last.
 */
#ifndef CUPRIC_KERNELS_SORT_HPP
#define CUPRIC_KERNELS_SORT_HPP

#include "cupric/complex_code.hpp"
#include "cupric/kernels/group.hpp"
#include "cupric/kernels/order.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct sort_params : cu_sort_head {
    space<1, N> rows;
};

template <class T>
struct sort_shape {
    enum { threads = CUPRIC_SORT_THREADS(sizeof(T)) };
    enum { tile = threads * CUPRIC_SORT_ITEMS };
    enum { slots = tile + tile / 32 }; /* of sort_slot */
};

/* Where item i of a tile is in shared memory: threads that read eight items each meet
 * different banks. */
__device__ inline int
sort_slot(int i)
{
    return i + i / 32;
}

/* What elements are compared as, which lies in their place between two passes. */
template <class T, bool ORDER>
struct sort_code {
    typedef T type;
    __device__ static T of(T x) { return x; }
    __device__ static T element(T code) { return code; }
};

/* Where places are wanted, the bits of a float as a number, in which both zeros are one
 * and all NaNs, behind inf. Keys that are wanted themselves are had back bit for bit, and
 * zeros in their order, which no such number tells. */
template <class U, U INFINITE>
struct float_code {
    typedef U type;
    enum : U { sign = U(U(1) << (8 * sizeof(U) - 1)) };

    __device__ static U of_bits(U bits)
    {
        const U size = U(bits & U(~sign));
        if (size > INFINITE) return U(~U(0));
        return bits & sign ? U(sign - size) : U(sign + size);
    }
};

#define CUPRIC_SORT_CODE(T, U, INFINITE, bits)                                         \
    template <>                                                                        \
    struct sort_code<T, true> : float_code<U, INFINITE> {                              \
        __device__ static U of(T x) { return of_bits(bits); }                          \
    }

CUPRIC_SORT_CODE(half, unsigned short, 0x7c00, x.bits);
CUPRIC_SORT_CODE(bfloat16, unsigned short, 0x7f80, x.bits);
CUPRIC_SORT_CODE(float, unsigned int, 0x7f800000u, bits_of(x));
CUPRIC_SORT_CODE(double, unsigned long long, 0x7ff0000000000000ull, bits_of(x));
#undef CUPRIC_SORT_CODE

template <bool ORDER>
struct sort_code<complex<float>, ORDER> {
    typedef unsigned long long type;
    __device__ static type of(complex<float> z)
    {
        const complex_bits bits = {bits_of(z.re), bits_of(z.im)};
        return ORDER ? complex_rank_code(bits) : complex_code(bits);
    }
    __device__ static complex<float> element(type code)
    {
        const complex_bits bits = complex_at_code(code);
        return {float_of(bits.re), float_of(bits.im)};
    }
};

template <class T, bool ORDER>
using sort_key = typename sort_code<T, ORDER>::type;

template <class T, bool ORDER>
struct sort_tile {
    uninitialized<sort_key<T, ORDER>, sort_shape<T>::slots> key;
    unsigned short place[ORDER ? sort_shape<T>::slots : 1];
};

/* A thread's items, in order; `count` of them are there. */
template <class K>
struct sort_items {
    K key[CUPRIC_SORT_ITEMS];
    int place[CUPRIC_SORT_ITEMS];
    int count;
};

template <class K>
__device__ inline bool
comes_before(const K a, const K b, bool descending)
{
    return descending ? sorts_before(b, a) : sorts_before(a, b);
}

template <int N>
__device__ inline char *
sort_row(const sort_params<N> &p, long long row)
{
    long long at[1];
    locate<long long>(p.rows, row, at);
    return address(p.op[0]) + at[0];
}

template <class K>
__device__ inline void
sort_own(sort_items<K> &x, bool descending)
{
#pragma unroll
    for (int round = 0; round < CUPRIC_SORT_ITEMS; round++) {
#pragma unroll
        for (int k = round & 1; k + 1 < CUPRIC_SORT_ITEMS; k += 2) {
            if (k + 1 < x.count && comes_before(x.key[k + 1], x.key[k], descending)) {
                const K key = x.key[k];
                const int place = x.place[k];
                x.key[k] = x.key[k + 1];
                x.place[k] = x.place[k + 1];
                x.key[k + 1] = key;
                x.place[k + 1] = place;
            }
        }
    }
}

template <class T, bool ORDER>
__device__ inline void
put_items(sort_tile<T, ORDER> &tile, int first, const sort_items<sort_key<T, ORDER>> &x)
{
#pragma unroll
    for (int k = 0; k < CUPRIC_SORT_ITEMS; k++) {
        if (k < x.count) {
            tile.key.at[sort_slot(first + k)] = x.key[k];
            if constexpr (ORDER)
                tile.place[sort_slot(first + k)] = (unsigned short)x.place[k];
        }
    }
}

/* Items d… of the merged runs [a, a + na) and [b, b + nb) of the tile; with FRESH the
 * place of an item is where it was found. */
template <class T, bool ORDER, bool FRESH>
__device__ inline void
merge_items(const sort_tile<T, ORDER> &tile, int a, int na, int b, int nb, int d,
            bool descending, sort_items<sort_key<T, ORDER>> &x)
{
    typedef sort_key<T, ORDER> K;
    int low = d > nb ? d - nb : 0, high = d < na ? d : na;
    while (low < high) {
        const int mid = (low + high) / 2;
        const K here = tile.key.at[sort_slot(a + mid)];
        const K there = tile.key.at[sort_slot(b + d - 1 - mid)];
        if (comes_before(there, here, descending))
            high = mid;
        else
            low = mid + 1;
    }
    /* What comes next of either run; the next load is one for both, without a branch. */
    const int end_a = a + na, end_b = b + nb;
    int i = a + low, j = b + d - low;
    K of_a, of_b;
    if (i < end_a) of_a = tile.key.at[sort_slot(i)];
    if (j < end_b) of_b = tile.key.at[sort_slot(j)];
#pragma unroll
    for (int k = 0; k < CUPRIC_SORT_ITEMS; k++) {
        if (k >= x.count) break;
        const bool from_b =
            i >= end_a || (j < end_b && comes_before(of_b, of_a, descending));
        const int at = from_b ? j : i, end = from_b ? end_b : end_a;
        x.key[k] = from_b ? of_b : of_a;
        if constexpr (FRESH)
            x.place[k] = at;
        else if constexpr (ORDER)
            x.place[k] = tile.place[sort_slot(at)];
        i += !from_b;
        j += from_b;
        if (at + 1 < end) {
            const K next = tile.key.at[sort_slot(at + 1)];
            of_a = from_b ? of_a : next;
            of_b = from_b ? next : of_b;
        }
    }
}

__device__ inline int
clamp_to(long long x, int limit)
{
    return x < 0 ? 0 : x > limit ? limit : (int)x;
}

/* Sort the m keys from `base` on of the tile, by `group` threads of which this one is
 * `rank`; every thread of the block takes part. */
template <class T, bool ORDER>
__device__ inline void
sort_together(sort_tile<T, ORDER> &tile, int base, int m, int group, int rank,
              bool descending)
{
    sort_items<sort_key<T, ORDER>> x;
    x.count = clamp_to(m - rank * CUPRIC_SORT_ITEMS, CUPRIC_SORT_ITEMS);
#pragma unroll
    for (int k = 0; k < CUPRIC_SORT_ITEMS; k++) {
        x.place[k] = rank * CUPRIC_SORT_ITEMS + k;
        if (k < x.count) x.key[k] = tile.key.at[sort_slot(base + x.place[k])];
    }
    sort_own(x, descending);
    for (int w = 1; w < group; w *= 2) {
        const int run = w * CUPRIC_SORT_ITEMS, first = rank / (2 * w) * 2 * run;
        const int na = clamp_to(m - first, run), nb = clamp_to(m - first - run, run);
        const int d = rank % (2 * w) * CUPRIC_SORT_ITEMS;
        __syncthreads();
        put_items(tile, base + rank * CUPRIC_SORT_ITEMS, x);
        __syncthreads();
        if (x.count) {
            merge_items<T, ORDER, false>(tile, base + first, na, base + first + run, nb,
                                         d, descending, x);
        }
    }
    __syncthreads();
    put_items(tile, base + rank * CUPRIC_SORT_ITEMS, x);
    __syncthreads();
}

template <class T, bool ORDER>
__device__ inline void
put_key(T *at, sort_key<T, ORDER> key, bool last)
{
    if constexpr (!ORDER) {
        if (last) {
            *at = sort_code<T, ORDER>::element(key);
            return;
        }
    }
    *(sort_key<T, ORDER> *)at = key;
}

/* Stores the sorted part of a row. */
template <class T, class P, bool ORDER, int N>
__device__ inline void
put_sorted(const sort_params<N> &p, const sort_tile<T, ORDER> &tile, int slot,
           long long row, long long i, long long first, T *row_keys)
{
    if (!ORDER || !p.last) {
        T *const to = p.keys[1] ? (T *)p.keys[1] + row * p.n : row_keys;
        put_key<T, ORDER>(to + i, tile.key.at[sort_slot(slot)], p.last);
    }
    if (ORDER) {
        const long long place = first + tile.place[sort_slot(slot)];
        if (p.last)
            p.order[row * p.n + i] = place;
        else
            ((P *)p.places[1])[row * p.n + i] = (P)place;
    }
}

/* Several rows to a block. */
template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_short_rows(const sort_params<N> &p, sort_tile<T, ORDER> &tile)
{
    typedef sort_code<T, ORDER> code;
    constexpr int threads = sort_shape<T>::threads;
    const int n = (int)p.n, group = (int)p.group, many = threads / group;
    const long long first_row = (long long)blockIdx.x * many;
    const int here = clamp_to(p.rows.size - first_row, many);
    const int local = threadIdx.x / group, rank = threadIdx.x % group;
    const long long row = first_row + local;
    T *const mine = local < here ? (T *)sort_row(p, row) : nullptr;
    T *const block = p.dense ? (T *)sort_row(p, first_row) : nullptr;
    const T *const from = p.source ? (const T *)p.source + first_row * n : block;
    if (p.dense) {
        for (int i = threadIdx.x; i < here * n; i += threads) {
            tile.key.at[sort_slot(i)] = code::of(load(from + i));
        }
    } else if (mine) {
        for (int i = rank; i < n; i += group) {
            tile.key.at[sort_slot(local * n + i)] = code::of(load(mine + i));
        }
    }
    __syncthreads();
    sort_together(tile, local * n, mine ? n : 0, group, rank, p.descending != 0);
    if (p.dense) {
        for (int i = threadIdx.x; i < here * n; i += threads) {
            if constexpr (ORDER)
                p.order[first_row * n + i] = tile.place[sort_slot(i)];
            else
                block[i] = code::element(tile.key.at[sort_slot(i)]);
        }
    } else if (mine) {
        for (int i = rank; i < n; i += group) {
            put_sorted<T, P, ORDER>(p, tile, local * n + i, row, i, 0, mine);
        }
    }
}

template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_rows(const sort_params<N> &p)
{
    constexpr int threads = sort_shape<T>::threads, size = sort_shape<T>::tile;
    __shared__ sort_tile<T, ORDER> tile;
    if (p.group < threads) {
        sort_short_rows<T, P>(p, tile);
        return;
    }
    const long long row = blockIdx.x / p.tiles;
    const long long first = blockIdx.x % p.tiles * size;
    const int m = clamp_to(p.n - first, size);
    T *const keys = (T *)sort_row(p, row);
    const T *const from = p.source ? (const T *)p.source + row * p.n : keys;
    for (int i = threadIdx.x; i < m; i += threads) {
        tile.key.at[sort_slot(i)] = sort_code<T, ORDER>::of(load(from + first + i));
    }
    __syncthreads();
    sort_together(tile, 0, m, threads, (int)threadIdx.x, p.descending != 0);
    for (int i = threadIdx.x; i < m; i += threads) {
        put_sorted<T, P, ORDER>(p, tile, i, row, first + i, first, keys);
    }
}

/* How many of the first `d` results come from a; a's element comes first where equal. A
 * warp looks at 32 places at a time. */
template <class K>
__device__ inline long long
merge_path(const K *a, long long na, const K *b, long long nb, long long d,
           bool descending)
{
    long long low = d > nb ? d - nb : 0, high = d < na ? d : na;
    while (low < high) {
        const long long step = (high - low) / 32 + 1;
        const long long probe = low + (long long)(threadIdx.x % 32) * step;
        bool stop = true;
        if (probe < high) {
            const K of_a = load(a + probe);
            const K of_b = load(b + d - 1 - probe);
            stop = comes_before(of_b, of_a, descending);
        }
        const unsigned int stops = __ballot_sync(0xffffffffu, stop);
        const int before = stops ? __ffs((int)stops) - 1 : 32;
        const long long reached = low + before * step;
        if (before < 32 && reached < high) high = reached;
        if (before > 0) low = reached - step + 1;
    }
    return low;
}

template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_merge(const sort_params<N> &p)
{
    typedef sort_key<T, ORDER> K;
    constexpr int threads = sort_shape<T>::threads, size = sort_shape<T>::tile;
    __shared__ sort_tile<T, ORDER> tile;
    __shared__ long long bound[2];
    const long long row = blockIdx.x / p.tiles;
    const long long first = blockIdx.x % p.tiles * size;
    const long long base = first / (2 * p.width) * (2 * p.width);
    const bool descending = p.descending != 0;
    const long long na = p.n - base < p.width ? p.n - base : p.width;
    const long long rest = p.n - base - na, nb = rest < p.width ? rest : p.width;
    T *const keys = ORDER ? nullptr : (T *)sort_row(p, row);
    const K *const from = p.keys[0] ? (const K *)p.keys[0] + row * p.n : (K *)keys;
    const K *const a = from + base, *const b = a + na;
    const long long begin = first - base, limit = begin + size;
    const long long end = limit < na + nb ? limit : na + nb;
    const int warp = threadIdx.x / 32;
    if (warp < 2) {
        const long long at = merge_path(a, na, b, nb, warp ? end : begin, descending);
        if (threadIdx.x % 32 == 0) bound[warp] = at;
    }
    __syncthreads();
    const long long a0 = bound[0], b0 = begin - a0;
    const int ma = (int)(bound[1] - a0), m = (int)(end - begin), mb = m - ma;
    for (int i = threadIdx.x; i < m; i += threads) {
        const K *const at = i < ma ? a + a0 + i : b + b0 + (i - ma);
        tile.key.at[sort_slot(i)] = load(at);
    }
    __syncthreads();
    sort_items<sort_key<T, ORDER>> x;
    const int mine = (int)threadIdx.x * CUPRIC_SORT_ITEMS;
    x.count = clamp_to(m - mine, CUPRIC_SORT_ITEMS);
    if (x.count) {
        merge_items<T, ORDER, ORDER>(tile, 0, ma, ma, mb, mine, descending, x);
    }
    __syncthreads();
    put_items(tile, mine, x);
    __syncthreads();
    T *const to = p.keys[1] ? (T *)p.keys[1] + row * p.n : keys;
    const P *const places = (const P *)p.places[0] + row * p.n + base;
    for (int i = threadIdx.x; i < m; i += threads) {
        if (!ORDER || !p.last) {
            put_key<T, ORDER>(to + first + i, tile.key.at[sort_slot(i)], p.last);
        }
        if (ORDER) {
            const int found = tile.place[sort_slot(i)];
            const P place = places[found < ma ? a0 + found : na + b0 + (found - ma)];
            if (p.last)
                p.order[row * p.n + first + i] = (long long)place;
            else
                ((P *)p.places[1])[row * p.n + first + i] = place;
        }
    }
}

CUPRIC_END

#endif
