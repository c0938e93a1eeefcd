/* _label.cuh: labels of connected elements.
 *
 * T is int or long long: numbers of elements, of runs and of labels.
 *
 * x has s.rows rows of s.n elements: C order, the last axis inside. facts: the shape; then the
 * neighbours that come before an element, as `nlinks` times the step along each of the
 * ndim - 1 axes of rows, and the first and last step along the row (lo, hi). `linked`:
 * neighbours in a row belong together. Where they do not, lo == hi.
 *
 * On the host the members of sets are runs of elements, found row by row: row r has runs
 * r * most + k, from edges[r * width + 2 * k] to edges[r * width + 2 * k + 1], and
 * counts[r] holds twice their number. most = width / 2 - 1. A piece is one of `pieces`
 * equal shares of the rows.
 *
 * On a GPU they are elements; parent is -1 in the background. A piece is a tile of CELLS
 * words of 32 elements of a row: 2^depth by 2^height rows, and as many words as make CELLS.
 * width: the words of a row. edges has the bits of the elements that are not zero, a word
 * each, then those of the roots of tiles: bits are read in place of members wherever they
 * tell enough.
 *
 * 1. label_runs: the members. All neighbours in a piece are joined, on the host while they
 *    are in the cache, on a GPU in shared memory; there, paths have length one.
 * 2. label_merge: joins neighbours of two pieces.
 * 3. label_count: found[piece + 1]: its roots; on a GPU, of each word, and their bits take
 *    the place of those of the elements. Running sums of these: label_sums, where they are
 *    few.
 * 4. label_number: a root's parent becomes -1 - number, in C order; on the host, that of
 *    each member whose root is in the piece, and others' parents are of another piece. On
 *    a GPU, -2 - number, that of each root of a tile.
 * 5. label_write: the numbers.
 *
 * Tiles first, then their borders: Allegretti, Bolelli and Grana 2019; Playne and Hawick
 * 2018.
 */
#include "_label.h"
#include "cupric/union_find.hpp"

/* The row that a link leads to, or -1. */
__device__ inline long long
linked_row(long long row, const long long *link, const long long *shape, int ndim)
{
    long long to = row, stride = 1;
    for (int d = ndim - 2; d >= 0; d--) {
        const long long rest = cupric::quotient(row, shape[d]);
        const long long at = row - rest * shape[d] + link[d];
        if (at < 0 || at >= shape[d]) return -1;
        to += link[d] * stride;
        stride *= shape[d];
        row = rest;
    }
    return to;
}

/* Where tiles lie. A row is one of `height` neighbours, these one of `depth`. */
struct tiling {
    int z, y, w; /* logarithms of a tile's lengths */
    long long depth, height, n, words;

    __device__ tiling(const long long *shape, const label_sizes &s)
        : z(s.depth_log2), y(s.height_log2),
          w(CELLS_LOG2 - s.depth_log2 - s.height_log2),
          depth(s.ndim > 2 ? shape[s.ndim - 3] : 1),
          height(s.ndim > 1 ? shape[s.ndim - 2] : 1), n(s.n), words(s.width)
    {
    }
    /* The first row and word of a tile; further, how many rows and words there are from
     * them on along each axis. */
    __device__ void place(long long tile, long long *row, long long *word, int *deep,
                          int *high, int *wide) const
    {
        const long long across = ((words - 1) >> w) + 1, down = ((height - 1) >> y) + 1;
        const long long layers = ((depth - 1) >> z) + 1;
        const long long line = cupric::quotient(tile, across);
        const long long layer = cupric::quotient(line, down);
        const long long outer = cupric::quotient(layer, layers);
        const long long z0 = (layer - outer * layers) << z;
        const long long y0 = (line - layer * down) << y;
        *word = (tile - line * across) << w;
        *row = (outer * depth + z0) * height + y0;
        *deep = cut(depth - z0, z);
        *high = cut(height - y0, y);
        *wide = cut(words - *word, w);
    }
    /* The place of a cell in its tile. */
    __device__ int deep_in(int cell) const { return cell >> (y + w); }
    __device__ int high_in(int cell) const { return cell >> w & ((1 << y) - 1); }
    __device__ int wide_in(int cell) const { return cell & ((1 << w) - 1); }
    /* The cell's first element, counted from that of the tile. */
    __device__ long long offset(int cell) const
    {
        return (deep_in(cell) * height + high_in(cell)) * n + 32 * wide_in(cell);
    }

  private:
    __device__ static int cut(long long there, int log2)
    {
        return there < 1 << log2 ? (int)there : 1 << log2;
    }
};

/* The first element of the run in a word that an element belongs to. */
__device__ inline int
run_start(unsigned word, int at, bool linked)
{
    return linked ? 32 - __clz(~word & ((1u << at) - 1)) : at;
}

/* A word with its neighbours' bits on either side: element j is bit 1 + j. */
__device__ inline unsigned long long
extended(unsigned before, unsigned word, unsigned behind)
{
    return (unsigned long long)(behind & 1) << 33 | (unsigned long long)word << 1 |
           before >> 31;
}

/* Which elements of word a are to be joined with those d further in word b, both extended,
 * of a link from lo to hi. Pairs that neighbours in the rows join already are left out. */
__device__ inline unsigned
pairs(unsigned long long a, unsigned long long b, int d, int lo, int hi, bool linked)
{
    unsigned long long both = a & (d < 0 ? b << 1 : d > 0 ? b >> 1 : b);
    if (linked && d != 0 && lo == -hi) {
        both &= ~b & ~(d < 0 ? a << 1 : a >> 1);
    } else if (linked) {
        both &= ~(both << 1);
    }
    return (unsigned)(both >> 1);
}

/* 32 bytes from p on, a bit each: whether one is not zero. p is a multiple of 16. */
__device__ inline unsigned
bytes_set(const void *p)
{
    unsigned found = 0;
    for (int half = 0; half < 2; half++) {
        const uint4 v = ((const uint4 *)p)[half];
        const unsigned four[4] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4; k++) {
            const unsigned low = (four[k] & 0x7f7f7f7fu) + 0x7f7f7f7fu;
            const unsigned set = (low | four[k]) >> 7 & 0x01010101u;
            /* bit k of the topmost byte: byte k */
            found |= (set * 0x01020408u >> 24 & 15) << (16 * half + 4 * k);
        }
    }
    return found;
}

/* ---- label_runs -----------------------------------------------------------------------
 *
 * A tile, and what there is of it in the array. */
struct label_tile {
    const tiling &tiles;
    long long first_row, first_word, base; /* base: its first element */
    int deep, high, wide;

    __device__ label_tile(const tiling &t, long long tile) : tiles(t)
    {
        t.place(tile, &first_row, &first_word, &deep, &high, &wide);
        base = first_row * t.n + 32 * first_word;
    }
    __device__ bool is_there(int cell) const
    {
        return tiles.deep_in(cell) < deep && tiles.high_in(cell) < high &&
               tiles.wide_in(cell) < wide;
    }
    /* How many elements there are from the cell's first one to the row's end. */
    __device__ long long left_in_row(int cell) const
    {
        return tiles.n - 32 * (first_word + tiles.wide_in(cell));
    }
    /* Where the cell's word is among those of the array. */
    __device__ long long word(int cell) const
    {
        const long long row =
            first_row + tiles.deep_in(cell) * tiles.height + tiles.high_in(cell);
        return row * tiles.words + first_word + tiles.wide_in(cell);
    }
};

/* What of a tile is in shared memory: of each cell the bits of its elements, and the
 * parents of those that begin a run, numbered in the tile. */
struct tile_sets {
    const tiling &tiles;
    int *parent;
    const unsigned *word_of;
    bool linked;

    /* The word beside a cell, 0 beyond the tile. */
    __device__ unsigned word_at(int cell, int by) const
    {
        const int at = tiles.wide_in(cell) + by;
        return at >= 0 && at < 1 << tiles.w ? word_of[cell + by] : 0u;
    }
    __device__ unsigned long long extended_at(int cell) const
    {
        return extended(word_at(cell, -1), word_of[cell], word_at(cell, 1));
    }
    /* Where the run of an element begins; at: -1 to 32. */
    __device__ int start_at(int cell, int at) const
    {
        const int to = cell + (at < 0 ? -1 : at / 32), bit = at & 31;
        return 32 * to + run_start(word_of[to], bit, linked);
    }
};

/* Fills word_of for the tile: a thread for a word, or a warp. */
template <class U>
__device__ inline void
read_words(const U *x, U mask, const label_tile &tile, unsigned *word_of)
{
    const tiling &tiles = tile.tiles;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = threadIdx.x;
    const bool by_words =
        sizeof(U) == 1 && tiles.n % 32 == 0 && (unsigned long long)x % 16 == 0;

    if (by_words) {
        word_of[own] =
            tile.is_there(own) ? bytes_set(x + tile.base + tiles.offset(own)) : 0;
    } else {
#pragma unroll 4
        for (int cell = warp; cell < CELLS; cell += CELLS / 32) {
            bool is = tile.is_there(cell) && lane < tile.left_in_row(cell);
            is = is && (x[tile.base + tiles.offset(cell) + lane] & mask) != 0;
            const unsigned word = __ballot_sync(~0u, is);
            if (lane == 0) word_of[cell] = word;
        }
    }
}

/* Joins the runs of the thread's word with what each link leads to in the tile. */
__device__ inline void
join_links(const tile_sets &sets, int own, const long long *facts, int ndim, int nlinks)
{
    const tiling &tiles = sets.tiles;

    for (int l = 0; l < nlinks; l++) {
        const long long *link = facts + ndim + (long long)l * (ndim + 1);
        const int by_y = (int)link[ndim - 2];
        const int by_z = ndim > 2 ? (int)link[ndim - 3] : 0;
        const int y = tiles.high_in(own) + by_y, z = tiles.deep_in(own) + by_z;
        bool outside = y < 0 || y >= 1 << tiles.y || z < 0 || z >= 1 << tiles.z;
        for (int d = 0; d < ndim - 3; d++) outside |= link[d] != 0;
        if (outside) continue;
        const int to = own + (by_z << (tiles.y + tiles.w)) + (by_y << tiles.w);
        const int lo = (int)link[ndim - 1], hi = (int)link[ndim];
        const unsigned long long a = sets.extended_at(own), b = sets.extended_at(to);
        for (int d = lo; d <= hi; d++) {
            unsigned found = pairs(a, b, d, lo, hi, sets.linked);
            for (; found; found &= found - 1) {
                const int at = __ffs(found) - 1;
                cupric::join_sets<true>(sets.parent, sets.start_at(own, at),
                                        sets.start_at(to, at + d));
            }
        }
    }
}

/* The bits of the thread's word that are roots in the tile; of others, the parents become
 * the roots. */
__device__ inline unsigned
find_roots(const tile_sets &sets, int own, unsigned word)
{
    unsigned found = 0;
    for (unsigned starts = sets.linked ? word & ~(word << 1) : word; starts;
         starts &= starts - 1) {
        const int at = __ffs(starts) - 1, start = 32 * own + at;
        const int above = sets.parent[start];
        const int root = cupric::root_of(sets.parent, above);
        if (root == start) {
            found |= 1u << at;
        } else if (root != above) {
            cupric::set_parent<true>(sets.parent, start, root);
        }
    }
    return found;
}

/* The parents of the tile's elements: their roots, numbered in the array. */
template <class T>
__device__ inline void
write_parents(const tile_sets &sets, const label_tile &tile, T *parent)
{
    const tiling &tiles = sets.tiles;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

#pragma unroll 4
    for (int cell = warp; cell < CELLS; cell += CELLS / 32) {
        if (!tile.is_there(cell) || lane >= tile.left_in_row(cell)) continue;
        T root = -1;
        if (sets.word_of[cell] >> lane & 1) {
            const int to = sets.parent[sets.start_at(cell, lane)];
            root = (T)(tile.base + tiles.offset(to / 32) + to % 32);
        }
        parent[tile.base + tiles.offset(cell) + lane] = root;
    }
}

/* Launch: blocks(s.pieces, CELLS). */
template <class U, class T>
__global__ void
__launch_bounds__(CELLS, 10)
    label_runs(const U *x, T *parent, T *edges, T *counts, const long long *facts,
               const __grid_constant__ label_sizes s)
{
    __shared__ __align__(16) int local[32 * CELLS];
    __shared__ unsigned word_of[CELLS];
    const tiling tiles(facts, s);
    const tile_sets sets = {tiles, local, word_of, s.linked};
    const int own = threadIdx.x;
    unsigned *const words = (unsigned *)edges, *const roots = words + s.rows * s.width;

    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        const label_tile tile(tiles, piece);

        for (int k = own; k < 8 * CELLS; k += CELLS)
            ((int4 *)local)[k] = make_int4(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3);
        read_words(x, (U)s.mask, tile, word_of);
        __syncthreads();

        const unsigned word = word_of[own];
        if (word) {
            if (sets.linked && (word & 1) && sets.word_at(own, -1) >> 31)
                cupric::join_sets<true>(local, 32 * own, sets.start_at(own, -1));
            join_links(sets, own, facts, s.ndim, s.nlinks);
        }
        __syncthreads();

        const unsigned found = find_roots(sets, own, word);
        if (tile.is_there(own)) {
            const long long at = tile.word(own);
            words[at] = word;
            roots[at] = found;
        }
        __syncthreads();

        write_parents(sets, tile, parent);
        __syncthreads(); /* before the memory is used for the next tile */
    }
}

/* ---- label_merge ----------------------------------------------------------------------
 *
 * The words of the array, beyond tiles. */
struct array_words {
    const unsigned *words;
    long long width;

    /* Word `of`, which is word `at` of its row. */
    __device__ unsigned long long extended_at(long long of, long long at) const
    {
        const unsigned before = at > 0 ? words[of - 1] : 0;
        return extended(before, words[of], at + 1 < width ? words[of + 1] : 0);
    }
};

/* Launch: blocks(work, LABEL_THREADS), over words, on the host over pieces. */
template <class T>
__global__ void
label_merge(T *parent, const T *edges, const T *counts, const long long *facts,
            label_sizes s)
{
    const tiling tiles(facts, s);
    const array_words words = {(const unsigned *)edges, s.width};
    const long long *shape = facts, *links = facts + s.ndim, width = s.width, n = s.n;
    const int ndim = s.ndim;

    CUPRIC_EACH (cell, s.rows * width) {
        const unsigned word = words.words[cell];
        if (!word) continue;
        const long long row = cupric::quotient(cell, width), at = cell - row * width;
        const long long layer = cupric::quotient(row, tiles.height);
        const long long y = row - layer * tiles.height;
        const long long z = layer - cupric::quotient(layer, tiles.depth) * tiles.depth;
        const long long first = row * n + 32 * at;
        const bool begins = (at & ((1 << tiles.w) - 1)) == 0;
        const bool ends = (~at & ((1 << tiles.w) - 1)) == 0; /* the tile's row */
        const unsigned long long a = words.extended_at(cell, at);

        if (s.linked && begins && (a & 3) == 3)
            cupric::join_sets(parent, (T)first, (T)(first - 1));
        for (int l = 0; l < s.nlinks; l++) {
            const long long *link = links + (long long)l * (ndim + 1);
            const int lo = (int)link[ndim - 1], hi = (int)link[ndim];
            const long long y1 = y + link[ndim - 2];
            const long long z1 = z + (ndim > 2 ? link[ndim - 3] : 0);
            bool inside =
                y >> tiles.y == y1 >> tiles.y && z >> tiles.z == z1 >> tiles.z;
            for (int d = 0; d < ndim - 3; d++) inside &= link[d] == 0;
            if (inside && !(begins && lo < 0) && !(ends && hi > 0)) continue;
            const long long to = linked_row(row, link, shape, ndim);
            if (to < 0) continue;
            const unsigned long long b = words.extended_at(to * width + at, at);
            for (int d = lo; d <= hi; d++) {
                unsigned found = pairs(a, b, d, lo, hi, s.linked);
                if (inside) /* the tile's ends alone lead out of it */
                    found &=
                        (d < 0 && begins ? 1u : 0u) | (d > 0 && ends ? 1u << 31 : 0u);
                for (; found; found &= found - 1) {
                    const int bit = __ffs(found) - 1;
                    cupric::join_sets(parent, (T)(first + bit),
                                      (T)(to * n + 32 * at + bit + d));
                }
            }
        }
    }
}

/* found[piece + 1]: how many roots it has; found[0] = 0. Launch as of label_merge. */
template <class T>
__global__ void
label_count(T *parent, T *edges, const T *counts, T *found, label_sizes s)
{
    unsigned *const roots = (unsigned *)edges;

    CUPRIC_EACH (cell, s.rows * s.width) {
        unsigned word = roots[s.rows * s.width + cell]; /* of the tiles */
        if (word) {
            const long long row = cupric::quotient(cell, s.width);
            const long long first = row * s.n + 32 * (cell - row * s.width);
            for (unsigned left = word; left; left &= left - 1) {
                const int bit = __ffs(left) - 1;
                if (parent[first + bit] != first + bit) word ^= 1u << bit;
            }
        }
        roots[cell] = word;
        found[cell + 1] = (T)__popc(word);
        if (cell == 0) found[0] = 0;
    }
}

/* Running sums of `found`, in place. Launch: blocks(1, SCANNED). */
template <class T>
__global__ void
label_sums(T *found, long long n)
{
    CUPRIC_EACH_BLOCK (one, 1) {
        T sum = 0;
        for (long long first = 0; first < n; first += SCANNED) {
            const long long k = first + threadIdx.x;
            T own = k < n ? found[k] : 0;
#pragma unroll
            for (int by = 1; by < SCANNED; by *= 2) {
                const T other = __shfl_up_sync(~0u, own, by);
                if ((int)threadIdx.x >= by) own += other;
            }
            if (k < n) found[k] = sum + own;
            sum += __shfl_sync(~0u, own, SCANNED - 1);
        }
    }
}

/* Launch as of label_merge. */
template <class T>
__global__ void
label_number(T *parent, const T *edges, const T *counts, const T *found, label_sizes s)
{
    const unsigned *const roots = (const unsigned *)edges;
    const long long n = s.n, width = s.width;

    CUPRIC_EACH (cell, s.rows * width) {
        unsigned left = roots[s.rows * width + cell]; /* of the tile */
        if (!left) continue;
        const long long row = cupric::quotient(cell, width);
        const long long first = row * n + 32 * (cell - row * width);
        for (; left; left &= left - 1) {
            const long long i = first + __ffs(left) - 1;
            T root = (T)i, p = parent[i]; /* a number, once another thread has put it */
            while (p >= 0 && p != root) {
                root = p;
                p = parent[root];
            }
            if (p >= 0) {
                const long long of = cupric::quotient(root, n), column = root - of * n;
                const long long at = of * width + column / 32;
                const unsigned before = roots[at] & ((1u << column % 32) - 1);
                p = (T)(-2 - (found[at] + __popc(before)));
            }
            parent[i] = p;
        }
    }
}

/* Launch: blocks(work, LABEL_THREADS), over packs of y, on the host over
 * rows. */
template <class T>
__global__ void
label_write(const T *parent, const T *edges, const T *counts, T *y, label_sizes s)
{
    enum { PACK = PACK_BYTES / sizeof(T) };
    struct alignas(PACK_BYTES) pack {
        T v[PACK];
    };
    const bool aligned = ((size_t)parent | (size_t)y) % PACK_BYTES == 0;
    const long long packs = aligned ? s.rows * s.n / PACK : 0, rest = packs * PACK;

    CUPRIC_EACH (k, packs) {
        pack p = ((const pack *)parent)[k];
#pragma unroll
        for (int m = 0; m < PACK; m++)
            if (p.v[m] >= 0) p.v[m] = parent[p.v[m]];
#pragma unroll
        for (int m = 0; m < PACK; m++) p.v[m] = -1 - p.v[m];
        ((pack *)y)[k] = p;
    }
    CUPRIC_EACH (k, s.rows * s.n - rest) {
        T p = parent[rest + k];
        if (p >= 0) p = parent[p];
        y[rest + k] = -1 - p;
    }
}
