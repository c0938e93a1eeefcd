/* _rank_filters.cuh: the element of a rank among those that a footprint covers.
 *
 * What is compared are keys, integers in the order of the elements. On a GPU they are tiles
 * in shared memory. On the host, and of large windows, the array is first written with what
 * lies outside about it, as keys. Either way each place of the footprint is one number to add
 * to where an output's window begins, and nothing asks for bounds or for dtypes any more.
 */
#include "_window.cuh"

/* ---- keys -------------------------------------------------------------------------------
 *
 * Of integers themselves. Of floats the bits, all but the sign flipped where it is set: the
 * order of IEEE 754's totalOrder. Of unsigned long long less 2^63. Twice is back.
 */
__device__ inline unsigned char
key_of(unsigned char x)
{
    return x;
}
__device__ inline short
key_of(short x)
{
    return x;
}
__device__ inline unsigned short
key_of(unsigned short x)
{
    return x;
}
__device__ inline int
key_of(int x)
{
    return x;
}
__device__ inline long long
key_of(long long x)
{
    return x;
}
__device__ inline long long
key_of(unsigned long long x)
{
    return (long long)(x ^ 0x8000000000000000ULL);
}
template <class K>
__device__ inline K
flipped(K k)
{
    const K sign = (K)((K)1 << (8 * sizeof(K) - 1));
    return k & sign ? (K)(k ^ (K)~sign) : k;
}
__device__ inline int
key_of(float x)
{
    int k;
    memcpy(&k, &x, sizeof k);
    return flipped(k);
}
__device__ inline long long
key_of(double x)
{
    long long k;
    memcpy(&k, &x, sizeof k);
    return flipped(k);
}

/* What the keys were made of; kind: 0 integers, 1 floats, 2 unsigned long long. */
template <class K>
__device__ inline K
unkeyed(K k, int kind)
{
    if (kind == 1) return flipped(k);
    if (kind == 2) return (K)(k ^ (K)((K)1 << (8 * sizeof(K) - 1)));
    return k;
}

/* Elements that come as integers of their size to keys, and back, without a branch. */
template <class K>
struct key_change {
    K flip, toggle; /* of those below zero; of all */

    __device__ key_change(int kind)
        : flip(kind == 1 ? (K)~sign() : (K)0), toggle(kind == 2 ? sign() : (K)0)
    {
    }
    __device__ static K sign() { return (K)((K)1 << (8 * sizeof(K) - 1)); }
    __device__ K operator()(K k) const
    {
        if (sizeof(K) < 4) return k; /* of which none are floats */
        return (K)(k ^ (k >> (8 * sizeof(K) - 1) & flip) ^ toggle);
    }
};

/* The key of the constant, which is of the elements' dtype. */
template <class K>
__device__ inline K
key_of_fill(double fill, int kind)
{
    if (sizeof(K) == 4 && kind == 1) return (K)key_of((float)fill);
    if (sizeof(K) == 8 && kind == 1) return (K)key_of(fill);
    if (sizeof(K) == 8 && kind == 2)
        return (K)key_of(element<unsigned long long>::of(fill));
    return key_of(element<K>::of(fill));
}

/* ---- what lies outside ------------------------------------------------------------------
 *
 * x: contiguous, of `shape`; y: contiguous, of `padded`; sizes: shape, padded, before and
 * modes, ndim numbers each. A piece is a row of y. Launch: blocks(rows of y, 128).
 */
template <class X, class K>
__global__ void
pad_keys(const X *x, K *y, const long long *sizes, int ndim, long long rows,
         double fill)
{
    const long long *shape = sizes, *padded = shape + ndim, *before = padded + ndim,
                    *modes = before + ndim;
    const long long n = shape[ndim - 1], width = padded[ndim - 1];
    const long long left = before[ndim - 1];
    const int mode = (int)modes[ndim - 1];
    const K outside = key_of(element<X>::of(fill));

    CUPRIC_EACH_BLOCK (row, rows) {
        long long from = 0, stride = 1, rest = row;
        for (int d = ndim - 2; d >= 0; d--) {
            const long long i =
                boundary(rest % padded[d] - before[d], shape[d], (int)modes[d]);
            from = i < 0 || from < 0 ? -1 : from + i * stride;
            stride *= shape[d];
            rest /= padded[d];
        }
        K *out = y + row * width;
        const X *in = x + (from < 0 ? 0 : from) * n;
        for (long long j = threadIdx.x; j < width; j += blockDim.x) {
#if defined(CUPRIC_HOST)
            if (j == left && from >= 0) { /* a plain loop */
                K *o = out + left;
                for (long long i = 0; i < n; i++) o[i] = key_of(in[i]);
                j += n;
                if (j == width) break;
            }
#endif
            const long long i = from < 0 ? -1 : boundary(j - left, n, mode);
            out[j] = i < 0 ? outside : key_of(in[i]);
        }
    }
}

/* ---- selection --------------------------------------------------------------------------
 *
 * Forgetful selection: of more elements than half of all, neither the least nor the
 * greatest can be the median; both are forgotten for one of those not yet seen, until one
 * is left. For other ranks likewise, while there are ones to forget at both ends. It takes
 * O(taps^2) minima and maxima. Where that is more than a count of all for each bit: the
 * result's bits, from the highest in which keys differ. On the host windows that are a row
 * of keys slide over them.
 */
template <class K>
struct limits {
    static const bool is_signed = (K)-1 < (K)0;
    static const int bits = 8 * (int)sizeof(K);
    static const K least = is_signed ? (K)((K)1 << (bits - 1)) : (K)0;
    static const K most = (K)~least;
};

#if defined(CUPRIC_HOST)
#if defined(__AVX2__)
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif
enum { LANES = 64, MOST_TAPS = 128 };
enum { LEAST_SLIDING = 40, MOST_SLIDING = 20000, MOST_KEYS = 38912 };

/* Keys side by side: of neighbouring outputs. */
template <class K>
struct vector {
    typedef K type __attribute__((vector_size(VECTOR)));
    static const int lanes = VECTOR / (int)sizeof(K);
};

template <class V, class K>
inline V
load(const K *p)
{
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}
template <class V>
inline void
exchange(V &a, V &b)
{
    const V low = a < b ? a : b, high = a < b ? b : a;
    a = low;
    b = high;
}

template <class K>
inline typename vector<K>::type
select_forgetful(const K *p, const long long *offsets, int taps, int rank)
{
    typedef typename vector<K>::type V;
    V set[MOST_TAPS];
    int low = rank, high = taps - 1 - rank;
    int size = (low < high ? high : low) + 2, seen = 0;
    if (size > taps) size = taps;
    for (; seen < size; seen++) set[seen] = load<V>(p + offsets[seen]);
    V *s = set;
    while (low > 0 && high > 0) {
        for (int i = 0; i < size / 2; i++) exchange(s[i], s[size - 1 - i]);
        V first = s[0], last = s[size - 1];
        const int a = size / 2, b = (size - 1) / 2;
        for (int i = 1; i < a; i++) {
            exchange(first, s[i]);
            exchange(s[size - 1 - i], last);
        }
        if (a == b) { /* that in the middle can be either */
            exchange(first, s[a]);
            exchange(s[a], last);
        }
        low--;
        high--;
        if (low > 0 && high > 0) {
            s[0] = load<V>(p + offsets[seen++]);
            size--;
        } else { /* all have been seen */
            s++;
            size -= 2;
        }
    }
    V found = s[0];
    for (int i = 1; i < size; i++) {
        if (low > 0)
            found = found < s[i] ? s[i] : found;
        else
            found = s[i] < found ? s[i] : found;
    }
    return found;
}

template <class K>
inline typename vector<K>::type
select_extreme(const K *p, const long long *offsets, int taps, int rank)
{
    typedef typename vector<K>::type V;
    V found = load<V>(p + offsets[0]);
    for (int i = 1; i < taps; i++) {
        const V v = load<V>(p + offsets[i]);
        if (rank == 0)
            found = v < found ? v : found;
        else
            found = found < v ? v : found;
    }
    return found;
}

template <class K>
inline typename vector<K>::type
select_bits(const K *p, const long long *offsets, int taps, int rank)
{
    typedef typename vector<K>::type V;
    enum { N = vector<K>::lanes };
    const V first = load<V>(p + offsets[0]);
    V differ = first ^ first;
    for (int i = 1; i < taps; i++) differ |= load<V>(p + offsets[i]) ^ first;
    K all = 0;
    for (int j = 0; j < N; j++) all |= differ[j];
    int bits = limits<K>::bits;
    while (bits > 0 && !(all >> (bits - 1) & 1)) bits--;
    const bool whole = bits == limits<K>::bits;
    const K kept = whole ? (K)0 : (K) ~(((K)1 << bits) - 1);
    V found = first & kept;
    if (whole) found ^= limits<K>::least;
    for (int bit = bits - 1; bit >= 0; bit--) {
        /* The highest bit of signed keys is set where they are less. */
        const V edge = found ^ (K)((K)1 << bit);
        int count[N] = {0};
        for (int i = 0; i < taps;) {
            const int end = taps - i < 120 ? taps : i + 120; /* what 8 bits count */
            auto part = edge < edge;
            for (; i < end; i++) part -= load<V>(p + offsets[i]) < edge;
            for (int j = 0; j < N; j++) count[j] += (int)part[j];
        }
        for (int j = 0; j < N; j++) found[j] = count[j] <= rank ? edge[j] : found[j];
    }
    return found;
}

/* Windows that are `taps` keys in a row, for outputs that follow each other. All keys are
 * sorted once, and each is known by its place in that order from then on: a window is a set
 * of bits, of which one more enters as one leaves, and the output moves by one bit at most. */
template <class K>
struct sliding {
    unsigned short order[2][MOST_KEYS], place[MOST_KEYS];
    unsigned long long bits[MOST_KEYS / 64];

    /* The numbers of n keys in their order, by their bytes from the last on. */
    const unsigned short *sort(const K *p, int n)
    {
        enum { BYTES = sizeof(K) };
        int count[BYTES][256] = {{0}}, now = 0;
        const auto byte = [&](int i, int b) {
            const unsigned long long key =
                (unsigned long long)(K)(p[i] ^ limits<K>::least);
            return (int)(key >> 8 * b & 255);
        };
        for (int i = 0; i < n; i++) {
            for (int b = 0; b < BYTES; b++) count[b][byte(i, b)]++;
        }
        for (int i = 0; i < n; i++) order[now][i] = (unsigned short)i;
        for (int b = 0; b < BYTES; b++) {
            int *const c = count[b];
            if (c[byte(0, b)] == n) continue; /* all alike */
            for (int v = 0, sum = 0; v < 256; v++) {
                const int these = c[v];
                c[v] = sum;
                sum += these;
            }
            const unsigned short *from = order[now];
            unsigned short *to = order[now ^= 1];
            for (int i = 0; i < n; i++) to[c[byte(from[i], b)]++] = from[i];
        }
        return order[now];
    }

    int next(int at) const
    {
        int word = at >> 6;
        unsigned long long w = bits[word] & (-2ull << (at & 63));
        while (w == 0) w = bits[++word];
        return word * 64 + __builtin_ctzll(w);
    }
    int last(int at) const
    {
        int word = at >> 6;
        unsigned long long w = bits[word] & ((1ull << (at & 63)) - 1);
        while (w == 0) w = bits[--word];
        return word * 64 + 63 - __builtin_clzll(w);
    }

    void make(const K *p, K *out, int count, int taps, int rank, int kind)
    {
        const int n = count + taps - 1;
        const unsigned short *sorted = sort(p, n);
        for (int i = 0; i < n; i++) place[sorted[i]] = (unsigned short)i;
        for (int i = 0; i <= n / 64; i++) bits[i] = 0;
        for (int i = 0; i < taps; i++) bits[place[i] >> 6] |= 1ull << (place[i] & 63);
        int at = bits[0] & 1 ? 0 : next(0);
        for (int i = 0; i < rank; i++) at = next(at);
        for (int j = 0;; j++) {
            out[j] = unkeyed(p[sorted[at]], kind);
            if (j + 1 == count) return;
            const int leaves = place[j], enters = place[j + taps];
            bits[leaves >> 6] &= ~(1ull << (leaves & 63));
            bits[enters >> 6] |= 1ull << (enters & 63);
            const int more = (enters < at) - (leaves < at); /* that are less */
            if (more > 0)
                at = last(at);
            else if (more < 0 || leaves == at)
                at = next(at);
        }
    }
};
#else

template <class K>
__device__ inline void
exchange(K &a, K &b)
{
    const K low = a < b ? a : b, high = a < b ? b : a;
    a = low;
    b = high;
}

/* v[1] becomes the median of the first SIZE of v and of those that take() gives: each time
 * the least comes first and the greatest last, and another stands in their place. */
template <int SIZE, class K, class TAKE>
__device__ inline void
forget(K *v, const TAKE &take)
{
#pragma unroll
    for (int i = 0; i < SIZE / 2; i++) exchange(v[i], v[SIZE - 1 - i]);
#pragma unroll
    for (int i = 1; i <= (SIZE - 1) / 2; i++) exchange(v[0], v[i]);
#pragma unroll
    for (int i = SIZE / 2; i < SIZE - 1; i++) exchange(v[i], v[SIZE - 1]);
    if constexpr (SIZE > 3) {
        v[0] = take();
        forget<SIZE - 1>(v, take);
    }
}

/* The median of 2 S - 3 keys: those of the window, `low` that are least and others that are
 * greatest, as many as make the rank wanted the median. All of the S kept in registers. */
template <int S, class K, class I>
__device__ inline K
select_forgetful(const K *p, const I *offsets, int taps, int low)
{
    const int ends = 2 * S - 3 - taps;
    K v[S];
    int next = -ends;
    const auto take = [&]() {
        const int i = next++;
        if (i >= 0) return p[offsets[i]];
        return i + ends < low ? (K)limits<K>::least : (K)limits<K>::most; /* values */
    };
#pragma unroll
    for (int i = 0; i < S; i++) v[i] = take();
    forget<S>(v, take);
    return v[1];
}

template <class K, class I>
__device__ inline K
select_bits(const K *p, const I *offsets, int taps, int rank)
{
    const K first = p[offsets[0]];
    K all = 0;
    for (int i = 1; i < taps; i++) all |= (K)(p[offsets[i]] ^ first);
    int bits = limits<K>::bits;
    while (bits > 0 && !(all >> (bits - 1) & 1)) bits--;
    K found;
    if (bits == limits<K>::bits)
        found = (K)limits<K>::least;
    else
        found = (K)(first & (K) ~(((K)1 << bits) - 1));
    for (int bit = bits - 1; bit >= 0; bit--) {
        const K edge = (K)(found ^ (K)((K)1 << bit));
        int count = 0;
        for (int i = 0; i < taps; i++) count += p[offsets[i]] < edge;
        if (count <= rank) found = edge;
    }
    return found;
}

template <class K, class I>
__device__ inline K
select_extreme(const K *p, const I *offsets, int taps, int rank)
{
    K found = p[offsets[0]];
    for (int i = 1; i < taps; i++) {
        const K k = p[offsets[i]];
        if (rank == 0 ? k < found : found < k) found = k;
    }
    return found;
}

/* The key of a rank among those at p[offsets[i]]. */
template <class K, class I>
__device__ inline K
select_key(const K *p, const I *offsets, int taps, int rank)
{
    const int most = rank < taps - 1 - rank ? taps - 1 - rank : rank;
    if (rank == 0 || rank == taps - 1) return select_extreme(p, offsets, taps, rank);
    if (most <= 4) return select_forgetful<6>(p, offsets, taps, 4 - rank);
    if (most <= 13) return select_forgetful<15>(p, offsets, taps, 13 - rank);
    if (most <= 24) return select_forgetful<26>(p, offsets, taps, 24 - rank);
    return select_bits(p, offsets, taps, rank);
}
#endif

/* ---- tiles -------------------------------------------------------------------------------
 *
 * x, y: contiguous, of shape s; `many` or `few`: the numbers in the window of those elements
 * that count. For GPUs. Launch: blocks(tiles, TILE_THREADS, shared_mem=).
 */
enum { FEW = 64 };

struct few_numbers {
    int number[FEW];
};

template <class X, class K>
__global__ void __launch_bounds__(256, sizeof(K) <= 4 ? 3 : 2)
    rank_tile(const X *x, K *y, const __grid_constant__ window_sizes s, const int *many,
              const __grid_constant__ few_numbers few, long long pieces, int taps,
              int rank, int kind, double fill)
{
#if !defined(CUPRIC_HOST)
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<K> tile(tile_memory, s);
    int *const offsets = (int *)tile.rest;
    const K outside = key_of(element<X>::of(fill));
    const int across = s.window[s.ndim - 1];

    tile.start(s);
    __syncthreads(); /* the rows of the window are known */
    for (int i = threadIdx.x; i < taps; i += TILE_THREADS) {
        const int number = many ? many[i] : few.number[i], row = number / across;
        offsets[i] = tile.offset[row] + (number - row * across) * s.step;
    }
    CUPRIC_EACH_BLOCK (piece, pieces) {
        tile.read(x, s, piece, outside, [](const X &v) { return key_of(v); });
        tile.each(s, false, [&](const K *from, long long to, int count) {
            const int apart = tile.apart(s);
#pragma unroll 1
            for (int r = 0; r < count; r++, from += apart, to += apart)
                y[to] = unkeyed(select_key(from, offsets, taps, rank), kind);
        });
    }
#endif
}

/* ---- boxes ------------------------------------------------------------------------------
 *
 * Windows that are whole: WIDE elements of HIGH rows. A thread makes QUAD neighbours. It
 * sorts each column, which lies in WIDE windows, once, and merges the columns that two
 * neighbours share; then each of them is an element of a rank of two sorted runs. All
 * networks are Batcher's odd-even merges. x: elements as keys' type. For GPUs. Launch as
 * rank_tile.
 */
#if !defined(CUPRIC_HOST)

/* What elements are compared as: in registers. */
template <class K, bool SMALL = (sizeof(K) < 4)>
struct in_register {
    typedef int type;
};
template <class K>
struct in_register<K, false> {
    typedef K type;
};

/* c = a and b, sorted runs of M and N, merged. */
template <int M, int N, class V>
__device__ inline void
merge(const V (&a)[M], const V (&b)[N], V (&c)[M + N])
{
    if constexpr (M == 1 && N == 1) {
        c[0] = a[0] < b[0] ? a[0] : b[0];
        c[1] = a[0] < b[0] ? b[0] : a[0];
    } else {
        /* Every other element from the first on, and those between. */
        constexpr int M0 = (M + 1) / 2, N0 = (N + 1) / 2, M1 = M / 2, N1 = N / 2;
        V a0[M0], b0[N0], first[M0 + N0], second[M1 + N1];
#pragma unroll
        for (int i = 0; i < M0; i++) a0[i] = a[2 * i];
#pragma unroll
        for (int i = 0; i < N0; i++) b0[i] = b[2 * i];
        merge<M0, N0>(a0, b0, first);
        if constexpr (M1 == 0 || N1 == 0) {
#pragma unroll
            for (int i = 0; i < M1; i++) second[i] = a[2 * i + 1];
#pragma unroll
            for (int i = 0; i < N1; i++) second[i] = b[2 * i + 1];
        } else {
            V a1[M1], b1[N1];
#pragma unroll
            for (int i = 0; i < M1; i++) a1[i] = a[2 * i + 1];
#pragma unroll
            for (int i = 0; i < N1; i++) b1[i] = b[2 * i + 1];
            merge<M1, N1>(a1, b1, second);
        }
        c[0] = first[0];
#pragma unroll
        for (int i = 1; i < M + N; i += 2) {
            const int k = i / 2;
            if (k == M1 + N1) {
                c[i] = first[k + 1]; /* of odd M and N */
            } else if (i == M + N - 1) {
                c[i] = second[k];
            } else {
                c[i] = second[k];
                c[i + 1] = first[k + 1];
                exchange(c[i], c[i + 1]);
            }
        }
    }
}

template <int N, class V>
__device__ inline void
sort_run(V (&v)[N])
{
    if constexpr (N > 1) {
        constexpr int M = N / 2;
        V a[M], b[N - M];
#pragma unroll
        for (int i = 0; i < M; i++) a[i] = v[i];
#pragma unroll
        for (int i = M; i < N; i++) b[i - M] = v[i];
        sort_run<M>(a);
        sort_run<N - M>(b);
        merge<M, N - M>(a, b, v);
    }
}

/* The element RANK of sorted runs a and b together: the least of the greatest of i of one
 * and of RANK + 1 - i of the other. */
template <int RANK, int M, int N, class V>
__device__ inline V
rank_of_two(const V (&a)[M], const V (&b)[N])
{
    constexpr int start = RANK + 1 > M ? RANK + 1 - M : 0;
    constexpr int end = RANK + 1 < N ? RANK + 1 : N;
    V found = V(0);
#pragma unroll
    for (int j = start; j <= end; j++) {
        const int i = RANK + 1 - j;
        V v;
        if (i == 0)
            v = b[j - 1];
        else if (j == 0)
            v = a[i - 1];
        else
            v = a[i - 1] < b[j - 1] ? b[j - 1] : a[i - 1];
        found = j == start || v < found ? v : found;
    }
    return found;
}

/* That of `rank`, which all threads have alike, from LOW to HIGH - 1: of a and each of b0
 * and b1. */
template <int LOW, int HIGH, int M, int N, class V>
__device__ inline void
ranks_of_two(const V (&a)[M], const V (&b0)[N], const V (&b1)[N], int rank, V &found0,
             V &found1)
{
    if constexpr (HIGH - LOW == 1) {
        found0 = rank_of_two<LOW>(a, b0);
        found1 = rank_of_two<LOW>(a, b1);
    } else {
        constexpr int MIDDLE = (LOW + HIGH) / 2;
        if (rank < MIDDLE)
            ranks_of_two<LOW, MIDDLE>(a, b0, b1, rank, found0, found1);
        else
            ranks_of_two<MIDDLE, HIGH>(a, b0, b1, rank, found0, found1);
    }
}

template <int WIDE, int HIGH, int LOW_RANK, int HIGH_RANK, class V>
__device__ inline void
box_ranks(const V (&c)[WIDE + QUAD - 1][HIGH], int rank, V *found)
{
#pragma unroll
    for (int r = 0; r < QUAD; r += 2) {
        V two[2 * HIGH];
        merge<HIGH, HIGH>(c[r + 1], c[r + 2], two);
        if constexpr (WIDE == 3) {
            ranks_of_two<LOW_RANK, HIGH_RANK>(two, c[r], c[r + 3], rank, found[r],
                                              found[r + 1]);
        } else { /* 5 */
            V more[2 * HIGH], four[4 * HIGH];
            merge<HIGH, HIGH>(c[r + 3], c[r + 4], more);
            merge<2 * HIGH, 2 * HIGH>(two, more, four);
            ranks_of_two<LOW_RANK, HIGH_RANK>(four, c[r], c[r + 5], rank, found[r],
                                              found[r + 1]);
        }
    }
}
#endif

template <class K, int WIDE, int HIGH>
__global__ void __launch_bounds__(256, sizeof(K) > 4 ? 1
                                       : HIGH > 3    ? 2
                                                     : 4)
    rank_box(const K *x, K *y, const __grid_constant__ window_sizes s, long long pieces,
             int rank, int kind, double fill)
{
#if !defined(CUPRIC_HOST)
    extern __shared__ __align__(16) char tile_memory[];
    typedef typename in_register<K>::type V;
    window_tile<K> tile(tile_memory, s);
    const K outside = key_of_fill<K>(fill, kind);
    const key_change<K> change(kind);
    constexpr int COLUMNS = WIDE + QUAD - 1, MEDIAN = WIDE * HIGH / 2;

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        tile.read(x, s, piece, outside, change);
        tile.each(s, true, [&](const K *from, long long to, int count) {
            V c[COLUMNS][HIGH], found[QUAD];
#pragma unroll
            for (int h = 0; h < HIGH; h++) {
                const quad<K> *p = (const quad<K> *)(from + tile.offset[h]);
                const quad<K> a = p[0], b = p[1];
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    c[j][h] = j < QUAD ? a.v[j % QUAD] : b.v[j % QUAD];
            }
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) sort_run<HIGH>(c[j]);
            if (rank == MEDIAN) /* of whose merges not all is needed */
                box_ranks<WIDE, HIGH, MEDIAN, MEDIAN + 1>(c, rank, found);
            else
                box_ranks<WIDE, HIGH, 0, WIDE * HIGH>(c, rank, found);
            quad<K> made;
#pragma unroll
            for (int r = 0; r < QUAD; r++) made.v[r] = change((K)found[r]);
            write_quad(y + to, made, count);
        });
    }
#endif
}

/* ---- large boxes --------------------------------------------------------------------------
 *
 * Whole windows of WIDE >= QUAD elements of `rows` rows: the bits of QUAD neighbours' results
 * at a time, of which each element is read once. Once all elements but those of a range are
 * known to be less or greater, and the result to be its first or its last, that is looked
 * for. Otherwise as rank_box.
 */
#if !defined(CUPRIC_HOST)

/* Calls use(element, r, s) for all elements of QUAD windows side by side: r to s have it. */
template <class K, class USE>
__device__ inline void
each_of_box(const K *from, const int *offset, int rows, int wide, const USE &use)
{
#pragma unroll 1
    for (int h = 0; h < rows; h++) {
        const K *p = from + offset[h];
        const quad<K> head = *(const quad<K> *)p;
#pragma unroll
        for (int j = 0; j < QUAD; j++) use(head.v[j], 0, j);
#pragma unroll 1
        for (int j = QUAD; j < wide; j++) use(p[j], 0, QUAD - 1);
#pragma unroll
        for (int j = 1; j < QUAD; j++) use(p[wide + j - 1], j, QUAD - 1);
    }
}

template <class K>
__device__ inline void
select_of_box(const K *from, const int *offset, int rows, int wide, int rank, K *found)
{
    const K first = from[offset[0]];
    const int taps = rows * wide;
    K all = 0;
    each_of_box(from, offset, rows, wide,
                [&](const K &k, int, int) { all |= (K)(k ^ first); });
    int bits = limits<K>::bits;
    while (bits > 0 && !(all >> (bits - 1) & 1)) bits--;

    /* Of each window: the least that its result can be, and how many are less than that
     * and than the range's end. */
    K low[QUAD];
    int less[QUAD], end[QUAD];
#pragma unroll
    for (int r = 0; r < QUAD; r++) {
        low[r] = bits == limits<K>::bits ? (K)limits<K>::least
                                         : (K)(first & (K) ~(((K)1 << bits) - 1));
        less[r] = 0;
        end[r] = taps;
    }
    bool wanted = true;
#pragma unroll 1
    while (bits > 0 && wanted) {
        K edge[QUAD];
        int count[QUAD];
        bits--;
#pragma unroll
        for (int r = 0; r < QUAD; r++)
            edge[r] = (K)(low[r] ^ (K)((K)1 << bits)), count[r] = 0;
        each_of_box(from, offset, rows, wide, [&](const K &k, int r0, int r1) {
#pragma unroll
            for (int r = 0; r < QUAD; r++) {
                if (r0 <= r && r <= r1) count[r] += k < edge[r];
            }
        });
        wanted = false;
#pragma unroll
        for (int r = 0; r < QUAD; r++) {
            if (count[r] <= rank)
                low[r] = edge[r], less[r] = count[r];
            else
                end[r] = count[r];
            wanted = wanted || (less[r] != rank && end[r] != rank + 1);
        }
    }
    K high[QUAD], least[QUAD], most[QUAD];
#pragma unroll
    for (int r = 0; r < QUAD; r++) {
        high[r] = (K)(low[r] | (K)(((K)1 << bits) - 1));
        least[r] = high[r];
        most[r] = low[r];
    }
    each_of_box(from, offset, rows, wide, [&](const K &k, int r0, int r1) {
#pragma unroll
        for (int r = 0; r < QUAD; r++) {
            if (r < r0 || r > r1) continue;
            if (k >= low[r] && k < least[r]) least[r] = k;
            if (k <= high[r] && k > most[r]) most[r] = k;
        }
    });
#pragma unroll
    for (int r = 0; r < QUAD; r++) found[r] = less[r] == rank ? least[r] : most[r];
}
#endif

template <class K>
__global__ void
rank_large_box(const K *x, K *y, const __grid_constant__ window_sizes s,
               long long pieces, int rank, int kind, double fill)
{
#if !defined(CUPRIC_HOST)
    extern __shared__ __align__(16) char tile_memory[];
    window_tile<K> tile(tile_memory, s);
    const K outside = key_of_fill<K>(fill, kind);
    const key_change<K> change(kind);
    const int wide = s.window[s.ndim - 1];

    tile.start(s);
    CUPRIC_EACH_BLOCK (piece, pieces) {
        tile.read(x, s, piece, outside, change);
        tile.each(s, true, [&](const K *from, long long to, int count) {
            quad<K> made;
            select_of_box(from, tile.offset, s.window_rows, wide, rank, made.v);
#pragma unroll
            for (int r = 0; r < QUAD; r++) made.v[r] = change(made.v[r]);
            write_quad(y + to, made, count);
        });
    }
#endif
}

/* Where in the keys the first window of a row begins. */
__device__ inline long long
window_of(long long row, const long long *sizes, int ndim)
{
    const long long *shape = sizes, *padded = shape + ndim;
    long long at = 0, stride = padded[ndim - 1];
    for (int d = ndim - 2; d >= 0; d--) {
        at += row % shape[d] * stride;
        stride *= padded[d];
        row /= shape[d];
    }
    return at;
}

/* x: keys, of `padded`, and LANES more; y: of `shape`; offsets: of taps, in x; sizes: shape
 * and padded. On a GPU a piece is a tile of `across` elements of 128 / across rows.
 * Launch: blocks(pieces, 128).
 */
template <class K>
__global__ void
rank_window(const K *x, K *y, const long long *sizes, const long long *offsets,
            int ndim, long long rows, int taps, int rank, int kind, int across)
{
    const long long n = sizes[ndim - 1];

#if defined(CUPRIC_HOST)
    const bool extreme = rank == 0 || rank == taps - 1;
    typedef typename vector<K>::type V;
    enum { N = vector<K>::lanes };
    const bool forget = taps <= MOST_TAPS && taps <= 6 * limits<K>::bits;
    bool slides = taps >= LEAST_SLIDING && taps <= MOST_SLIDING;
    for (int i = 1; i < taps && slides; i++) slides = offsets[i] == offsets[0] + i;
    const long long longest = 4 * taps < 4096 ? 4096 : 4 * taps,
                    fits = MOST_KEYS - taps;
    const long long chunk = !slides ? LANES : longest < fits ? longest : fits;
    const long long chunks = (n + chunk - 1) / chunk;
    sliding<K> window;

    CUPRIC_EACH_BLOCK (piece, rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * chunk;
        const K *p = x + window_of(row, sizes, ndim) + c;
        K *out = y + row * n + c;
        const long long count = n - c < chunk ? n - c : chunk;
        if (slides) {
            window.make(p + offsets[0], out, (int)count, taps, rank, kind);
            continue;
        }
        for (int j = 0; j < count; j += N) {
            V found;
            if (extreme)
                found = select_extreme(p + j, offsets, taps, rank);
            else if (forget)
                found = select_forgetful(p + j, offsets, taps, rank);
            else
                found = select_bits(p + j, offsets, taps, rank);
            K made[N];
            for (int i = 0; i < N; i++) made[i] = unkeyed((K)found[i], kind);
            if (count - j >= N)
                memcpy(out + j, made, sizeof made);
            else
                memcpy(out + j, made, (count - j) * sizeof(K));
        }
    }
#else
    const int above = 128 / across;
    const long long chunks = (n + across - 1) / across;
    const long long tiles = (rows + above - 1) / above;

    CUPRIC_EACH_BLOCK (piece, tiles * chunks) {
        const long long row = piece / chunks * above + threadIdx.x / across;
        const long long c = piece % chunks * across + threadIdx.x % across;
        if (row >= rows || c >= n) continue;
        const K *p = x + window_of(row, sizes, ndim) + c;
        const K found = select_key(p, offsets, taps, rank);
        y[row * n + c] = unkeyed(found, kind);
    }
#endif
}
