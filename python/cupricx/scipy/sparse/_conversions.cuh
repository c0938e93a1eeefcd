/* _conversions.cuh: conversions between formats, on their arrays.
 *
 * On a GPU work is shared by elements, not by rows, so that it does not matter how many
 * elements a row has: a tile finds the rows that begin in it by a search in indptr. On the
 * host a tile is a run of rows with about as many elements as others.
 *
 * Values that are only moved are words of their size.
 */
#include "_conversions.h"
#include "cupric/block.hpp"
#include "cupric/keys.hpp"
#include "cupric/scan.hpp"

/* Whether a value is another than zero, of either sign. */
template <class V>
__device__ inline bool
is_nonzero(const V &x, unsigned long long mask)
{
    return (x & mask) != 0;
}
__device__ inline bool
is_nonzero(const complex<double> &x, unsigned long long)
{
    return !(x == complex<double>(0));
}

/* How many of n ascending numbers are at most x: by one thread. */
template <class I>
__device__ inline long long
upper_bound(const I *numbers, long long n, long long x)
{
    long long begin = 0, end = n;
    while (begin < end) {
        const long long middle = (begin + end) / 2;
        if ((long long)numbers[middle] <= x)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* The same by a warp, in five times fewer steps. */
template <class I>
__device__ inline long long
warp_upper_bound(const I *numbers, long long n, long long x)
{
    const int lane = threadIdx.x & 31;
    long long begin = 0, end = n; /* the result is from begin to end */
    while (begin < end) {
        const long long step = (end - begin + 31) / 32;
        const long long at = begin + (lane + 1) * step - 1;
        const bool is_passed = at < end && (long long)numbers[at] <= x;
        const int passed = __popc(__ballot_sync(~0u, is_passed));
        begin += passed * step;
        if (passed == 32 || begin + step - 1 > end) continue;
        end = begin + step - 1;
    }
    return begin < end ? begin : end;
}

/* ---- rows of elements ---------------------------------------------------------------- */

/* What a block knows of the rows that begin in its tile: first to last - 1. */
struct tile_rows {
    long long first, last;
};

/* Of those with begin <= indptr[row] < end. A warp each searches. */
template <class I>
__device__ inline void
find_rows(const I *indptr, long long n_major, long long begin, long long end,
          tile_rows &shared)
{
    if (threadIdx.x < 64) {
        const bool is_last = threadIdx.x >= 32;
        const long long found =
            warp_upper_bound(indptr, n_major + 1, (is_last ? end : begin) - 1);
        if (threadIdx.x == 0) shared.first = found;
        if (threadIdx.x == 32) shared.last = found;
    }
    __syncthreads();
}

/* major = the row of each element. Launch: blocks(p.tiles, TILE_THREADS). */
template <class I>
__global__ void
expand_rows(const I *indptr, I *major, element_tiles p)
{
    enum { EACH = TILE / TILE_THREADS };
    __shared__ tile_rows rows;
    __shared__ int mark[TILE];
    __shared__ cupric::block_memory<int> memory;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE, left = p.n - begin;
        const int length = (int)(left < TILE ? left : TILE);
        for (int j = threadIdx.x; j < TILE; j += TILE_THREADS) mark[j] = 0;
        find_rows(indptr, p.n_major, begin + 1, begin + length, rows);
        const long long row = rows.first - 1;    /* of the first element */
        if (rows.last - rows.first > 8 * TILE) { /* most are empty */
            for (int j = threadIdx.x; j < length; j += TILE_THREADS)
                major[begin + j] =
                    (I)(row - 1 +
                        upper_bound(indptr + row, rows.last - row, begin + j));
            __syncthreads();
            continue;
        }
        for (long long r = rows.first + threadIdx.x; r < rows.last; r += TILE_THREADS)
            atomicMax(mark + (int)(indptr[r] - begin), (int)(r - row));
        __syncthreads();
        int *const own = mark + threadIdx.x * EACH, last = 0;
#pragma unroll
        for (int k = 0; k < EACH; k++) last = own[k] > last ? own[k] : last;
        int before =
            cupric::block_exclusive_scan(last, cupric::maximum_of<int>(), memory);
        if (before < 0) before = 0; /* the identity */
#pragma unroll
        for (int k = 0; k < EACH; k++)
            own[k] = before = own[k] > before ? own[k] : before;
        __syncthreads();
        for (int j = threadIdx.x; j < length; j += TILE_THREADS)
            major[begin + j] = (I)(row + mark[j]);
        __syncthreads(); /* before the next tile's marks */
    }
}

/* indptr = where each row begins among n ascending ones. Launch: elements(starts),
 * n_major + 1. */
template <class I>
__global__ void
begin_rows(const I *major, I *indptr, long long n, long long starts)
{
    CUPRIC_EACH (r, starts) {
        indptr[r] = (I)upper_bound(major, n, r - 1);
    }
}

/* ---- the order of elements ----------------------------------------------------------- */

/* counts[0] = the elements with an index below that of the one before in its row, [1] = those
 * with the same. On the host, a pair of them for each tile.
 * Launch: blocks(p.tiles, TILE_THREADS). */
template <class I>
__global__ void
count_order(const I *indptr, const I *indices, unsigned long long *counts,
            element_tiles p)
{
    typedef cupric::pair_of<cupric::sum_of<int>, cupric::sum_of<int>> both;
    __shared__ cupric::block_memory<typename both::state> memory;
    __shared__ tile_rows rows;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE;
        const long long end = begin + TILE < p.n ? begin + TILE : p.n;
        int below = 0, same = 0;
        find_rows(indptr, p.n_major, begin > 0 ? begin : 1, end, rows);
        for (long long i = begin + threadIdx.x; i < end; i += TILE_THREADS) {
            if (i == 0) continue;
            below += indices[i] < indices[i - 1];
            same += indices[i] == indices[i - 1];
        }
        /* The first of a row has none before it. */
        for (long long r = rows.first + threadIdx.x; r < rows.last; r += TILE_THREADS) {
            const long long i = indptr[r];
            if (indptr[r + 1] == i) continue;
            below -= indices[i] < indices[i - 1];
            same -= indices[i] == indices[i - 1];
        }
        const auto all = cupric::block_reduce({below, same}, both(), memory);
        if (threadIdx.x == 0 && all.first) atomicAdd(counts, all.first);
        if (threadIdx.x == 0 && all.second) atomicAdd(counts + 1, all.second);
        __syncthreads();
    }
}

/* The same of elements that have two indices, in the order of major, then of minor.
 * Launch: blocks(p.tiles, TILE_THREADS). */
template <class I>
__global__ void
count_coo_order(const I *major, const I *minor, unsigned long long *counts,
                element_tiles p)
{
    typedef cupric::pair_of<cupric::sum_of<int>, cupric::sum_of<int>> both;
    __shared__ cupric::block_memory<typename both::state> memory;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE;
        const long long end = begin + TILE < p.n ? begin + TILE : p.n;
        int below = 0, same = 0;
        for (long long i = begin + threadIdx.x; i < end; i += TILE_THREADS) {
            if (i == 0) continue;
            const bool is_row = major[i] == major[i - 1];
            below += major[i] < major[i - 1] || (is_row && minor[i] < minor[i - 1]);
            same += is_row && minor[i] == minor[i - 1];
        }
        const auto all = cupric::block_reduce({below, same}, both(), memory);
        if (threadIdx.x == 0 && all.first) atomicAdd(counts, all.first);
        if (threadIdx.x == 0 && all.second) atomicAdd(counts + 1, all.second);
        __syncthreads();
    }
}

/* ---- elements that are kept ---------------------------------------------------------- */

/* A bit for each element of a tile that is kept, and how many are before each word. */
struct kept_tile {
    unsigned int word[TILE / 32];
    int before[TILE / 32];
    int total;
    cupric::block_memory<int> memory;

    /* Elements of this tile before the j-th that are kept. */
    __device__ int rank(int j) const
    {
        if (j == TILE) return total;
        return before[j / 32] + __popc(word[j / 32] & ((1u << (j & 31)) - 1));
    }
};

/* From each thread's elements, `each` of them TILE_THREADS apart: keeps(j). */
template <class F>
__device__ inline void
mark_kept(const F &keeps, int length, kept_tile &tile)
{
    const int w = threadIdx.x;
    for (int j = threadIdx.x; j < TILE; j += TILE_THREADS) {
        const unsigned int kept = __ballot_sync(~0u, j < length && keeps(j));
        if ((threadIdx.x & 31) == 0) tile.word[j / 32] = kept;
    }
    __syncthreads();
    const int own = w < TILE / 32 ? __popc(tile.word[w]) : 0;
    int total;
    const int before =
        cupric::block_exclusive_scan(own, cupric::sum_of<int>(), tile.memory, &total);
    if (w < TILE / 32) tile.before[w] = before;
    if (w == 0) tile.total = total;
    __syncthreads();
}

/* counts = the elements of each tile that are not zero. `indptr` is the host's.
 * Launch: blocks(p.tiles, TILE_THREADS). */
template <class I, class V>
__global__ void
count_nonzero(const I *indptr, const V *data, long long *counts, element_tiles p)
{
    __shared__ cupric::block_memory<int> memory;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE;
        const long long end = begin + TILE < p.n ? begin + TILE : p.n;
        int count = 0;
        for (long long i = begin + threadIdx.x; i < end; i += TILE_THREADS)
            count += is_nonzero(data[i], p.mask);
        count = cupric::block_reduce(count, cupric::sum_of<int>(), memory);
        if (threadIdx.x == 0) counts[t] = count;
        __syncthreads();
    }
}

/* Without zeros; places = the exclusive scan of the counts.
 * Launch: blocks(p.tiles, TILE_THREADS). */
template <class I, class V>
__global__ void
keep_nonzero(const I *indptr, const I *indices, const V *data, const long long *places,
             I *indptr_to, I *indices_to, V *data_to, element_tiles p)
{
    __shared__ kept_tile tile;
    __shared__ tile_rows rows;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE, left = p.n - begin;
        const int length = (int)(left < TILE ? left : TILE);
        const long long end = t + 1 < p.tiles ? begin + TILE : p.n + 1;
        const long long place = places[t];
        auto keeps = [&](int j) { return is_nonzero(data[begin + j], p.mask); };
        mark_kept(keeps, length, tile);
        find_rows(indptr, p.n_major, begin, end, rows);
        for (int j = threadIdx.x; j < length; j += TILE_THREADS) {
            if (!(tile.word[j / 32] >> (j & 31) & 1)) continue;
            const long long to = place + tile.rank(j);
            indices_to[to] = indices[begin + j];
            data_to[to] = data[begin + j];
        }
        for (long long r = rows.first + threadIdx.x; r < rows.last; r += TILE_THREADS)
            indptr_to[r] = (I)(place + tile.rank((int)(indptr[r] - begin)));
        __syncthreads(); /* before the next tile is marked */
    }
}

/* The same of an array (rows, columns). Launch: blocks(p.tiles, TILE_THREADS). */
template <class V>
__global__ void
count_dense(const V *x, long long *counts, dense_tiles p)
{
    __shared__ cupric::block_memory<int> memory;
    const long long n = p.rows * p.columns;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE, end = begin + TILE < n ? begin + TILE : n;
        int count = 0;
        for (long long i = begin + threadIdx.x; i < end; i += TILE_THREADS)
            count += is_nonzero(x[i], p.mask);
        count = cupric::block_reduce(count, cupric::sum_of<int>(), memory);
        if (threadIdx.x == 0) counts[t] = count;
        __syncthreads();
    }
}

template <class I, class V>
__global__ void
keep_dense(const V *x, const long long *places, I *indptr, I *indices, V *data,
           dense_tiles p)
{
    __shared__ kept_tile tile;
    const long long n = p.rows * p.columns;

    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const long long begin = t * TILE, left = n - begin;
        const int length = (int)(left < TILE ? left : TILE);
        const long long place = places[t];
        auto keeps = [&](int j) { return is_nonzero(x[begin + j], p.mask); };
        mark_kept(keeps, length, tile);
        for (int j = threadIdx.x; j < length; j += TILE_THREADS) {
            if (!(tile.word[j / 32] >> (j & 31) & 1)) continue;
            const long long to = place + tile.rank(j);
            indices[to] = (I)((begin + j) % p.columns);
            data[to] = x[begin + j];
        }
        const long long first = (begin + p.columns - 1) / p.columns;
        const long long end = t + 1 < p.tiles ? begin + TILE : n + 1;
        for (long long r = first + threadIdx.x; r * p.columns < end; r += TILE_THREADS)
            indptr[r] = (I)(place + tile.rank((int)(r * p.columns - begin)));
        __syncthreads();
    }
}

/* ---- sums of elements with the same indices ------------------------------------------ */

template <class V>
struct sum_type {
    typedef V type;
};
template <>
struct sum_type<half> {
    typedef float type;
};

template <class I, class V>
struct duplicate_runs {
    typedef typename sum_type<V>::type sum;
    const I *major, *minor;
    const V *values;
    I *major_to, *minor_to;
    V *sums;

    __device__ bool begins(long long i) const
    {
        return minor[i] != minor[i - 1] || (major && major[i] != major[i - 1]);
    }
    __device__ sum value(long long i) const { return (sum)values[i]; }
    __device__ void element(long long, long long) const {}
    __device__ void begin(long long run, long long i) const
    {
        if (minor_to) minor_to[run] = minor[i];
        if (minor_to && major) major_to[run] = major[i];
    }
    __device__ void end(long long run, const sum &all) const { sums[run] = (V)all; }
    __device__ void count(long long) const {}
};

/* One element for each run of the same indices; major may be null, and minor_to, where
 * these are there. Launch: blocks(s.tiles, SCAN_THREADS). */
template <class I, class V>
__global__ void
sum_runs(const I *major, const I *minor, const V *values, I *major_to, I *minor_to,
         V *sums, scan_layout s, unsigned int *workspace)
{
    typedef typename sum_type<V>::type sum;
    const duplicate_runs<I, V> source = {major,    minor,    values,
                                         major_to, minor_to, sums};
    cupric::reduce_runs<cupric::sum_of<sum>>(s, workspace, source);
}

/* The rows of a tile of the host: from `row` to `end`. */
template <class I>
struct row_share {
    long long row, end;

    __device__ row_share(const I *indptr, const element_tiles &p, long long t)
        : row(row_at(indptr, p, t)), end(row_at(indptr, p, t + 1))
    {
    }

  private:
    __device__ static long long row_at(const I *indptr, const element_tiles &p,
                                       long long t)
    {
        if (t == 0) return 0;
        if (t == p.tiles) return p.n_major;
        return upper_bound(indptr, p.n_major, p.n / p.tiles * t - 1);
    }
};

/* The same, of rows in order, row by row; counts are those of count_order. For the host.
 * Launch: blocks(p.tiles, 1). */
template <class I, class V>
__global__ void
sum_rows(const I *indptr, const I *indices, const V *data,
         const unsigned long long *counts, I *indptr_to, I *indices_to, V *data_to,
         element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const row_share<I> own(indptr, p, t);
        long long to = indptr[own.row];
        for (long long k = 0; k < t; k++) to -= (long long)counts[2 * k + 1];
        if (t == 0) indptr_to[0] = 0;
        for (long long r = own.row; r < own.end; r++) {
            const long long end = indptr[r + 1];
            for (long long i = indptr[r]; i < end;) {
                const I index = indices[i];
                typename sum_type<V>::type sum = data[i];
                const cupric::sum_of<typename sum_type<V>::type> add;
                for (i++; i < end && indices[i] == index; i++)
                    sum = add.combine(sum, data[i]);
                indices_to[to] = index;
                data_to[to++] = (V)sum;
            }
            indptr_to[r + 1] = (I)to;
        }
    }
}

/* Each row by its indices, stable. The second arrays are for what is under way. For the
 * host. Launch: blocks(p.tiles, 1). */
template <class I, class V>
__device__ inline void
sort_row(I *index, V *value, I *other_index, V *other_value, long long n)
{
    enum { RUN = 24 };
    for (long long begin = 0; begin < n; begin += RUN) { /* by insertion */
        const long long end = begin + RUN < n ? begin + RUN : n;
        for (long long i = begin + 1; i < end; i++) {
            const I x = index[i];
            const V v = value[i];
            long long to = i;
            for (; to > begin && x < index[to - 1]; to--) {
                index[to] = index[to - 1];
                value[to] = value[to - 1];
            }
            index[to] = x;
            value[to] = v;
        }
    }
    I *from = index, *to = other_index;
    V *from_value = value, *to_value = other_value;
    for (long long width = RUN; width < n; width *= 2) {
        for (long long begin = 0; begin < n; begin += 2 * width) {
            const long long middle = begin + width < n ? begin + width : n;
            const long long end = middle + width < n ? middle + width : n;
            long long a = begin, b = middle;
            for (long long k = begin; k < end; k++) {
                const bool second = a == middle || (b < end && from[b] < from[a]);
                const long long at = second ? b++ : a++;
                to[k] = from[at];
                to_value[k] = from_value[at];
            }
        }
        I *const swapped = from;
        V *const swapped_value = from_value;
        from = to, from_value = to_value;
        to = swapped, to_value = swapped_value;
    }
    for (long long i = 0; from != index && i < n; i++) {
        index[i] = from[i];
        value[i] = from_value[i];
    }
}
template <class I, class V>
__global__ void
sort_rows(const I *indptr, const I *indices, const V *data, I *indices_to, V *data_to,
          I *index, V *value, element_tiles p)
{
    CUPRIC_EACH_BLOCK (t, p.tiles) {
        const row_share<I> own(indptr, p, t);
        for (long long r = own.row; r < own.end; r++) {
            const long long begin = indptr[r], n = indptr[r + 1] - begin;
            for (long long i = begin; i < begin + n; i++) {
                indices_to[i] = indices[i];
                data_to[i] = data[i];
            }
            sort_row(indices_to + begin, data_to + begin, index + begin, value + begin,
                     n);
        }
    }
}

/* ---- dense arrays -------------------------------------------------------------------- */

/* Put elements into an array that is zero; no two have the same place. Major is the GPU's,
 * indptr the host's. Launch: elements(pieces): elements, on the host rows. */
template <class I, class V>
__global__ void
put_elements(const I *indptr, const I *major, const I *indices, const V *data, V *out,
             dense_places p, long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        out[major[i] * p.major_stride + indices[i] * p.minor_stride] = data[i];
    }
}

/* Add them, where some may have the same place, in their order. For the host, where a piece
 * of the work is a run of rows. Launch: blocks(pieces, 1). */
template <class I, class V>
__global__ void
add_elements(const I *major, const I *minor, const V *data, V *out, dense_places p,
             long long pieces)
{
    const cupric::sum_of<V> add;
    CUPRIC_EACH_BLOCK (t, pieces) {
        const long long begin = p.n_major * t / pieces;
        const long long end = p.n_major * (t + 1) / pieces;
        for (long long i = 0; i < p.n; i++) {
            if (major[i] < begin || major[i] >= end) continue;
            V &to = out[major[i] * p.major_stride + minor[i] * p.minor_stride];
            to = add.combine(to, data[i]);
        }
    }
}
