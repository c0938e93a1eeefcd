/* _label.cuh: labels of connected elements, and where they lie.
 *
 * T is int or long long: numbers of elements, of runs and of labels.
 */
#include "_find_objects.cuh"
#include "cupric/union_find.hpp"

/* ---- label ----------------------------------------------------------------------------
 *
 * x has `rows` rows of n elements: C order, the last axis inside. facts: the shape; then the
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
enum { CELLS_LOG2 = 7, CELLS = 1 << CELLS_LOG2 };

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

#if defined(CUPRIC_HOST)

/* The runs of a row. */
template <class U, class T>
inline long long
find_runs(const U *p, U mask, long long n, bool linked, T *edge)
{
    enum { BITS = 64 };
    long long k = 0;
    unsigned long long before = 0;

    for (long long j = 0; j < n; j += BITS) {
        const int count = n - j < BITS ? (int)(n - j) : (int)BITS;
        unsigned char is[BITS] = {0};
        if (count == BITS) {
            for (int c = 0; c < BITS; c++) is[c] = (p[j + c] & mask) != 0;
        } else {
            for (int c = 0; c < count; c++) is[c] = (p[j + c] & mask) != 0;
        }
        unsigned long long bits = 0;
        for (int c = 0; c < BITS; c += 8) {
            unsigned long long v;
            __builtin_memcpy(&v, is + c, 8);
            bits |= (v * 0x0102040810204080ull >> 56) << c; /* bit k: byte k */
        }
        if (linked) {
            unsigned long long ends = bits ^ (bits << 1 | before);
            before = bits >> 63;
            for (; ends; ends &= ends - 1) edge[k++] = (T)(j + __builtin_ctzll(ends));
        } else {
            for (; bits; bits &= bits - 1, k += 2) {
                edge[k] = (T)(j + __builtin_ctzll(bits));
                edge[k + 1] = edge[k] + 1;
            }
        }
    }
    if (before) edge[k++] = (T)n;
    return k;
}

/* Joins the runs of two rows that a link connects, alone or beside others. */
template <bool ALONE, class T>
inline void
merge_rows(T *parent, const T *edges, const T *counts, long long row, long long to,
           long long lo, long long hi, long long width, long long gap)
{
    enum { PAIRS = 512 };
    const long long na = counts[row], nb = counts[to];
    const T *const a = edges + row * width, *const b = edges + to * width;
    const long long own = row * (width / 2 - 1), other = to * (width / 2 - 1);

    T mine[PAIRS], theirs[PAIRS];

    for (long long p = 0, q = 0; p < na && q < nb;) {
        int pairs = 0; /* found first, without branches: any may touch */
        while (p < na && q < nb && pairs < PAIRS) {
            const bool touch = (b[q + 1] > a[p] + lo) & (b[q] < a[p + 1] + hi);
            const bool done = b[q + 1] + gap >= a[p + 1] + hi;
            mine[pairs] = (T)(own + p / 2);
            theirs[pairs] = (T)(other + q / 2);
            pairs += touch;
            p += 2 * (long long)done;
            q += 2 - 2 * (long long)done;
        }
        for (int k = 0; k < pairs; k++) {
            if (ALONE) {
                cupric::join_sets_alone(parent, mine[k], theirs[k]);
            } else {
                cupric::join_sets(parent, mine[k], theirs[k]);
            }
        }
    }
}

#else

/* Where tiles lie. A row is one of `height` neighbours, these one of `depth`. */
struct tiling {
    int z, y, w; /* logarithms of a tile's lengths */
    long long depth, height, n, words;

    __device__ tiling(const long long *shape, int ndim, long long length,
                      long long width, int depth_log2, int height_log2)
        : z(depth_log2), y(height_log2), w(CELLS_LOG2 - depth_log2 - height_log2),
          depth(ndim > 2 ? shape[ndim - 3] : 1), height(ndim > 1 ? shape[ndim - 2] : 1),
          n(length), words(width)
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

#endif

template <class U, class T>
__global__ void
__launch_bounds__(CELLS, 10)
    label_runs(const U *x, T *parent, T *edges, T *counts, const long long *facts,
               int ndim, int nlinks, long long rows, long long n, long long width,
               bool linked, int depth_log2, int height_log2, long long pieces,
               long long bits)
{
    const U mask = (U)bits; /* not the sign of a zero */

#if defined(CUPRIC_HOST)
    const long long most = width / 2 - 1;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first =
            cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        for (long long row = first; row < end; row++) {
            T *const own = parent + row * most;
            const long long k =
                find_runs(x + row * n, mask, n, linked, edges + row * width);
            counts[row] = (T)k;
            for (long long r = 0; r < k / 2; r++) own[r] = (T)(row * most + r);
            for (int l = 0; l < nlinks && k > 0; l++) {
                const long long *link = facts + ndim + (long long)l * (ndim + 1);
                const long long to = linked_row(row, link, facts, ndim);
                if (to < first) continue;
                merge_rows<true>(parent, edges, counts, row, to, link[ndim - 1],
                                 link[ndim], width, linked);
            }
        }
    }
#else
    __shared__ __align__(
        16) int local[32 * CELLS]; /* the parents of starts of runs, in the tile */
    __shared__ unsigned word_of[CELLS];
    const tiling tiles(facts, ndim, n, width, depth_log2, height_log2);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = threadIdx.x;
    const bool by_words =
        sizeof(U) == 1 && n % 32 == 0 && (unsigned long long)x % 16 == 0;
    unsigned *const words = (unsigned *)edges, *const roots = words + rows * width;

    CUPRIC_EACH_BLOCK (tile, pieces) {
        long long first_row, first_word;
        int deep, high, wide;
        tiles.place(tile, &first_row, &first_word, &deep, &high, &wide);
        const long long base = first_row * n + 32 * first_word;
        auto is_there = [&](int cell) {
            return tiles.deep_in(cell) < deep && tiles.high_in(cell) < high &&
                   tiles.wide_in(cell) < wide;
        };
        /* How many elements there are from the cell's first one to the row's end. */
        auto left_in_row = [&](int cell) {
            return n - 32 * (first_word + tiles.wide_in(cell));
        };

        for (int k = threadIdx.x; k < 8 * CELLS; k += CELLS)
            ((int4 *)local)[k] = make_int4(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3);
        if (by_words) {
            word_of[own] = is_there(own) ? bytes_set(x + base + tiles.offset(own)) : 0;
        } else {
#pragma unroll 4
            for (int cell = warp; cell < CELLS; cell += CELLS / 32) {
                bool is = is_there(cell) && lane < left_in_row(cell);
                is = is && (x[base + tiles.offset(cell) + lane] & mask) != 0;
                const unsigned word = __ballot_sync(~0u, is);
                if (lane == 0) word_of[cell] = word;
            }
        }
        __syncthreads();

        const unsigned word = word_of[own];
        auto word_at = [&](int cell, int by) { /* 0 beyond the tile */
                                               const int at = tiles.wide_in(cell) + by;
                                               return at >= 0 && at < 1 << tiles.w
                                                          ? word_of[cell + by]
                                                          : 0u;
        };
        auto extended_at = [&](int cell) {
            return extended(word_at(cell, -1), word_of[cell], word_at(cell, 1));
        };
        auto start_at =
            [&](int cell,
                int at) { /* at: -1 to 32 */
                          const int to = cell + (at < 0 ? -1 : at / 32), bit = at & 31;
                          return 32 * to + run_start(word_of[to], bit, linked);
            };
        if (word) {
            if (linked && (word & 1) && word_at(own, -1) >> 31)
                cupric::join_sets<true>(local, 32 * own, start_at(own, -1));
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
                const unsigned long long a = extended_at(own), b = extended_at(to);
                for (int d = lo; d <= hi; d++) {
                    unsigned found = pairs(a, b, d, lo, hi, linked);
                    for (; found; found &= found - 1) {
                        const int at = __ffs(found) - 1;
                        cupric::join_sets<true>(local, start_at(own, at),
                                                start_at(to, at + d));
                    }
                }
            }
        }
        __syncthreads();

        unsigned found = 0; /* the roots */
        for (unsigned starts = linked ? word & ~(word << 1) : word; starts;
             starts &= starts - 1) {
            const int at = __ffs(starts) - 1, start = 32 * own + at;
            const int above = local[start], root = cupric::root_of(local, above);
            if (root == start) {
                found |= 1u << at;
            } else if (root != above) {
                cupric::set_parent<true>(local, start, root);
            }
        }
        if (is_there(own)) {
            const long long at =
                (first_row + tiles.deep_in(own) * tiles.height + tiles.high_in(own)) *
                    width +
                first_word + tiles.wide_in(own);
            words[at] = word;
            roots[at] = found;
        }
        __syncthreads();

#pragma unroll 4
        for (int cell = warp; cell < CELLS; cell += CELLS / 32) {
            if (!is_there(cell) || lane >= left_in_row(cell)) continue;
            T root = -1;
            if (word_of[cell] >> lane & 1) {
                const int to = local[start_at(cell, lane)];
                root = (T)(base + tiles.offset(to / 32) + to % 32);
            }
            parent[base + tiles.offset(cell) + lane] = root;
        }
        __syncthreads(); /* before the memory is used for the next tile */
    }
#endif
}

template <class T>
__global__ void
label_merge(T *parent, const T *edges, const T *counts, const long long *facts,
            int ndim, int nlinks, long long rows, long long n, long long width,
            bool linked, int depth_log2, int height_log2, long long pieces)
{
    const long long *shape = facts, *links = facts + ndim;

#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long first =
            cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        for (int l = 0; l < nlinks; l++) {
            const long long *link = links + (long long)l * (ndim + 1);
            long long behind = 0, stride = 1; /* rows that lie between the two */
            for (int d = ndim - 2; d >= 0; d--) {
                behind -= link[d] * stride;
                stride *= shape[d];
            }
            for (long long row = first; row < end && row < first + behind; row++) {
                const long long to = linked_row(row, link, shape, ndim);
                if (to < 0 || counts[row] == 0) continue;
                merge_rows<false>(parent, edges, counts, row, to, link[ndim - 1],
                                  link[ndim], width, linked);
            }
        }
    }
#else
    const tiling tiles(facts, ndim, n, width, depth_log2, height_log2);
    const unsigned *const words = (const unsigned *)edges;

    CUPRIC_EACH (cell, rows * width) {
        const unsigned word = words[cell];
        if (!word) continue;
        const long long row = cupric::quotient(cell, width), at = cell - row * width;
        const long long layer = cupric::quotient(row, tiles.height);
        const long long y = row - layer * tiles.height;
        const long long z = layer - cupric::quotient(layer, tiles.depth) * tiles.depth;
        const long long first = row * n + 32 * at;
        const bool begins = (at & ((1 << tiles.w) - 1)) == 0;
        const bool ends = (~at & ((1 << tiles.w) - 1)) == 0; /* the tile's row */
        auto extended_at = [&](long long of) {
            const unsigned before = at > 0 ? words[of - 1] : 0;
            return extended(before, words[of], at + 1 < width ? words[of + 1] : 0);
        };
        const unsigned long long a = extended_at(cell);

        if (linked && begins && (a & 3) == 3)
            cupric::join_sets(parent, (T)first, (T)(first - 1));
        for (int l = 0; l < nlinks; l++) {
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
            const unsigned long long b = extended_at(to * width + at);
            for (int d = lo; d <= hi; d++) {
                unsigned found = pairs(a, b, d, lo, hi, linked);
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
#endif
}

/* found[piece + 1]: how many roots it has; found[0] = 0. */
template <class T>
__global__ void
label_count(T *parent, T *edges, const T *counts, T *found, long long rows, long long n,
            long long width, long long pieces)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        T roots = 0;
        for (long long row = cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
             row < end; row++) {
            const T first = (T)(row * (width / 2 - 1)), count = counts[row] / 2;
            const T *const own = parent + first;
            for (T r = 0; r < count; r++) roots += own[r] == first + r;
        }
        found[piece + 1] = roots;
        if (piece == 0) found[0] = 0;
    }
#else
    unsigned *const roots = (unsigned *)edges;

    CUPRIC_EACH (cell, rows * width) {
        unsigned word = roots[rows * width + cell]; /* of the tiles */
        if (word) {
            const long long row = cupric::quotient(cell, width);
            const long long first = row * n + 32 * (cell - row * width);
            for (unsigned left = word; left; left &= left - 1) {
                const int bit = __ffs(left) - 1;
                if (parent[first + bit] != first + bit) word ^= 1u << bit;
            }
        }
        roots[cell] = word;
        found[cell + 1] = (T)__popc(word);
        if (cell == 0) found[0] = 0;
    }
#endif
}

/* Running sums of `found`, in place. Launch: blocks(1, 32). */
template <class T>
__global__ void
label_sums(T *found, long long n)
{
    CUPRIC_EACH_BLOCK (one, 1) {
        T sum = 0;
#if defined(CUPRIC_HOST)
        for (long long k = 0; k < n; k++) found[k] = sum = (T)(sum + found[k]);
#else
        for (long long first = 0; first < n; first += 32) {
            const long long k = first + threadIdx.x;
            T own = k < n ? found[k] : 0;
#pragma unroll
            for (int by = 1; by < 32; by *= 2) {
                const T other = __shfl_up_sync(~0u, own, by);
                if ((int)threadIdx.x >= by) own += other;
            }
            if (k < n) found[k] = sum + own;
            sum += __shfl_sync(~0u, own, 31);
        }
#endif
    }
}

template <class T>
__global__ void
label_number(T *parent, const T *edges, const T *counts, const T *found, long long rows,
             long long n, long long width, long long pieces)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long begin =
            cupric::share_of(rows, (unsigned)piece, (unsigned)pieces);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)pieces);
        const T start = (T)(begin * (width / 2 - 1));
        T number = found[piece];
        for (long long row = begin; row < end; row++) {
            const T first = (T)(row * (width / 2 - 1)), count = counts[row] / 2;
            for (T r = first; r < first + count; r++) {
                /* Parents come before: one in the piece has its number. Without
                 * branches, as any may be a root. */
                const T p = parent[r], known = parent[p < start ? r : p];
                const T root = p == r;
                number += root;
                parent[r] = known ^ ((known ^ (-1 - number)) & -root);
            }
        }
    }
#else
    const unsigned *const roots = (const unsigned *)edges;

    CUPRIC_EACH (cell, rows * width) {
        unsigned left = roots[rows * width + cell]; /* of the tile */
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
#endif
}

#if defined(CUPRIC_HOST)
/* out[at] ... out[end - 1], and what follows in the row of n, which is written later: most
 * runs take one step. */
template <class T>
inline void
fill_to(T *out, long long at, long long end, long long n, T value)
{
    enum { STEP = 8 };
    for (; at < end && at + STEP <= n; at += STEP) {
        for (int c = 0; c < STEP; c++) out[at + c] = value;
    }
    for (; at < end; at++) out[at] = value;
}
#endif

template <class T>
__global__ void
label_write(const T *parent, const T *edges, const T *counts, T *y, long long rows,
            long long n, long long width)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (row, rows) {
        const T *const edge = edges + row * width, *const own =
                                                       parent + row * (width / 2 - 1);
        T *const out = y + row * n;
        long long at = 0;
        for (long long k = 0; k < counts[row]; k += 2) {
            T p = own[k / 2];
            while (p >= 0) p = parent[p];
            fill_to(out, at, (long long)edge[k], n, (T)0);
            fill_to(out, (long long)edge[k], (long long)edge[k + 1], n, -1 - p);
            at = edge[k + 1];
        }
        fill_to(out, at, n, n, (T)0);
    }
#else
    enum { PACK = 16 / sizeof(T) };
    struct alignas(16) pack {
        T v[PACK];
    };
    const bool aligned = ((size_t)parent | (size_t)y) % 16 == 0;
    const long long packs = aligned ? rows * n / PACK : 0, rest = packs * PACK;

    CUPRIC_EACH (k, packs) {
        pack p = ((const pack *)parent)[k];
#pragma unroll
        for (int m = 0; m < PACK; m++)
            if (p.v[m] >= 0) p.v[m] = parent[p.v[m]];
#pragma unroll
        for (int m = 0; m < PACK; m++) p.v[m] = -1 - p.v[m];
        ((pack *)y)[k] = p;
    }
    CUPRIC_EACH (k, rows * n - rest) {
        T p = parent[rest + k];
        if (p >= 0) p = parent[p];
        y[rest + k] = -1 - p;
    }
#endif
}
