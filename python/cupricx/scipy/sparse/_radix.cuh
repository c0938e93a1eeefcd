/* _radix.cuh: elements with two indices and a value, sorted by one of the indices.
 *
 * On a GPU a pass sorts by a digit, from the least significant one on: the digits of each
 * tile are counted, the counts are scanned (digit by digit, and for a digit tile by tile),
 * and each tile moves its elements to their places. A tile sorts them in shared memory
 * first, so that neighbours are written by neighbours. Passes are stable.
 *
 * On the host there is one such pass, by the most significant digit, whose buckets fit the
 * cache; each is sorted by counting then (order_buckets), which leaves the first element of
 * each row as well.
 */
#include "_radix.h"
#include "cupric/block.hpp"

template <class I>
__device__ inline int
digit_of(I key, const radix_pass &p)
{
    return (int)((unsigned long long)key >> p.shift) & ((1 << p.bits) - 1);
}

/* counts[d * tiles + t] = the elements of tile t with digit d.
 * Launch: blocks(p.tiles, RADIX_THREADS). */
template <class I>
__global__ void
radix_count(const I *key, long long *counts, radix_pass p)
{
    __shared__ int count[1 << RADIX_BITS];
    const int digits = 1 << p.bits;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * p.tile, left = p.n - begin;
        const int length = (int)(left < p.tile ? left : p.tile);
        for (int d = threadIdx.x; d < digits; d += RADIX_THREADS) count[d] = 0;
        __syncthreads();
        for (int j = threadIdx.x; j < length; j += RADIX_THREADS)
            atomicAdd(count + digit_of(key[begin + j], p), 1);
        __syncthreads();
        for (int d = threadIdx.x; d < digits; d += RADIX_THREADS)
            counts[d * p.tiles + t] = count[d];
        __syncthreads(); /* before the next tile is counted */
    }
}

/* What moves at once by way of shared memory: some bytes that hold an index or a value. */
template <bool LONG>
struct radix_bytes {
    typedef unsigned int type;
};
template <>
struct radix_bytes<true> {
    typedef unsigned long long type;
};
template <class I, class V>
struct radix_word : radix_bytes<(sizeof(I) > 4 || sizeof(V) > 4)> {
};

template <class W>
struct radix_memory {
    enum { digits = 1 << RADIX_BITS, warps = RADIX_THREADS / 32 };
    W item[RADIX_TILE];
    int count[warps][digits]; /* then: where a warp's elements of a digit begin */
    long long place[digits];  /* in the result, less the place in the tile */
    cupric::block_memory<int> scan;
};

/* Where the elements of a thread stand in the order of their tile: rank. Element k of a
 * lane is the k * 32 + lane-th of its warp's. */
template <class I, class W>
__device__ inline void
rank_in_tile(const I *key, int length, const radix_pass &p, radix_memory<W> &r,
             int *rank)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    const int first = warp * 32 * RADIX_EACH + lane;

    for (int d = lane; d < radix_memory<W>::digits; d += 32) r.count[warp][d] = 0;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < RADIX_EACH; k++) {
        const bool is_there = first + k * 32 < length;
        const int digit = is_there ? digit_of(key[first + k * 32], p) : 0;
        unsigned int alike = __ballot_sync(~0u, is_there);
        for (int b = 0; b < p.bits; b++) {
            const bool bit = digit >> b & 1;
            const unsigned int set = __ballot_sync(~0u, bit);
            alike &= bit ? set : ~set;
        }
        const int before = __popc(alike & ((1u << lane) - 1));
        const int counted = r.count[warp][digit];
        __syncwarp();
        if (is_there && before == 0) r.count[warp][digit] = counted + __popc(alike);
        __syncwarp();
        rank[k] = counted + before;
    }
}

/* From counts of warps to places, in the tile and in the result. */
template <class W>
__device__ inline void
place_digits(const long long *places, const radix_pass &p, long long t,
             radix_memory<W> &r)
{
    const int d = threadIdx.x;
    int sum = 0;

    static_assert(RADIX_THREADS == radix_memory<W>::digits, "a thread has a digit");
    __syncthreads();
    for (int w = 0; w < radix_memory<W>::warps; w++) sum += r.count[w][d];
    int begin = cupric::block_exclusive_scan(sum, cupric::sum_of<int>(), r.scan);
    if (d < 1 << p.bits) r.place[d] = places[d * p.tiles + t] - begin;
    for (int w = 0; w < radix_memory<W>::warps; w++) {
        const int count = r.count[w][d];
        r.count[w][d] = begin;
        begin += count;
    }
    __syncthreads();
}

/* Move word `part` of each item, of `parts`, to the item's place; `digit` has those of the
 * elements that this thread writes. */
template <class M, class T>
__device__ inline void
move_items(const T *from, T *to, int length, const int *rank,
           const unsigned char *digit, radix_memory<M> &r, int parts = 1, int part = 0)
{
    const int first = (int)(threadIdx.x / 32 * 32) * RADIX_EACH + (threadIdx.x & 31);
    T *const item = (T *)r.item;

    static_assert(sizeof(T) <= sizeof(M), "items fit");
    if (!to) return;
#pragma unroll
    for (int k = 0; k < RADIX_EACH; k++) {
        const int i = first + k * 32;
        if (i < length) item[rank[k]] = from[(long long)i * parts + part];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < RADIX_EACH; k++) {
        const int i = k * RADIX_THREADS + threadIdx.x;
        if (i < length) to[(r.place[digit[k]] + i) * parts + part] = item[i];
    }
    __syncthreads();
}

/* Stable, by a digit of `key`. places = the exclusive scan of what radix_count counted. What
 * is not wanted is null. Launch: blocks(p.tiles, RADIX_THREADS). */
template <class I, class V>
__global__ void
__launch_bounds__(RADIX_THREADS, 3)
    radix_move(const I *key, const I *other, const V *value, I *key_to, I *other_to,
               V *value_to, const long long *places, radix_pass p)
{
    typedef typename radix_word<I, V>::type word;
    __shared__ radix_memory<word> r;
    int rank[RADIX_EACH];
    unsigned char digit[RADIX_EACH];

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * p.tile, left = p.n - begin;
        const int length = (int)(left < p.tile ? left : p.tile);
        const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
        const int first = warp * 32 * RADIX_EACH + lane;
        I *const item = (I *)r.item;
        rank_in_tile(key + begin, length, p, r, rank);
        place_digits(places, p, t, r);
#pragma unroll
        for (int k = 0; k < RADIX_EACH; k++) {
            const int i = first + k * 32;
            if (i >= length) continue;
            const I x = key[begin + i];
            rank[k] += r.count[warp][digit_of(x, p)];
            item[rank[k]] = x;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < RADIX_EACH; k++) {
            const int i = k * RADIX_THREADS + threadIdx.x;
            if (i >= length) continue;
            digit[k] = (unsigned char)digit_of(item[i], p);
            if (key_to) key_to[r.place[digit[k]] + i] = item[i];
        }
        __syncthreads();
        move_items(other + begin, other_to, length, rank, digit, r);
        if constexpr (sizeof(V) > 8) {
            const auto *from = (const unsigned long long *)(value + begin);
            auto *to = (unsigned long long *)value_to;
            for (int part = 0; part < 2; part++)
                move_items(from, to, length, rank, digit, r, 2, part);
        } else {
            move_items(value + begin, value_to, length, rank, digit, r);
        }
    }
}

/* descents[t] = 1 where a key of share t of the elements is below the one before, else 0.
 * For the host. Launch: blocks(pieces, 1). */
template <class I>
__global__ void
find_descents(const I *key, int *descents, long long n, long long pieces)
{
    CUPRIC_EACH_BLOCK (t, pieces) {
        const long long begin = n / pieces * t;
        const long long end = t + 1 < pieces ? n / pieces * (t + 1) : n;
        long long i = begin > 0 ? begin : 1;
        while (i < end && key[i - 1] <= key[i]) i++;
        descents[t] = i < end;
    }
}

/* Sort each bucket by its rows, stable. starts[b * apart]: where bucket b begins; indptr
 * becomes where rows do, of (rows + 1). For the host. Launch: blocks(s.buckets, 1). */
template <class I, class V>
__global__ void
order_buckets(const I *key, const I *other, const V *value, const long long *starts,
              I *indptr, I *other_to, V *value_to, bucket_sizes s)
{
    CUPRIC_EACH_BLOCK (b, s.buckets) {
        const long long begin = s.apart ? starts[b * s.apart] : 0;
        const long long end = b + 1 < s.buckets ? starts[(b + 1) * s.apart] : s.n;
        const long long row = s.apart ? b << s.shift : 0;
        const long long next = s.apart ? (b + 1) << s.shift : s.rows;
        const long long rows_end = next < s.rows ? next : s.rows;
        I *const place = indptr + 1;
        if (b == 0) indptr[0] = 0;
        for (long long r = row; r < rows_end; r++) place[r] = 0;
        for (long long i = begin; i < end; i++) place[key[i]]++;
        I sum = (I)begin;
        for (long long r = row; r < rows_end; r++) {
            const I count = place[r];
            place[r] = sum;
            sum += count;
        }
        for (long long i = begin; i < end; i++) {
            const I to = place[key[i]]++;
            other_to[to] = other[i];
            value_to[to] = value[i];
        }
    }
}
