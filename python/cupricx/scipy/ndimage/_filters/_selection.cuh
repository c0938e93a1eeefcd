/* _selection.cuh: the element of a rank among a few.
 *
 * Forgetful selection: of more elements than half of all, neither the least nor the
 * greatest can be the median; both are forgotten for one of those not yet seen, until one
 * is left. For other ranks likewise, while there are ones to forget at both ends. It takes
 * O(taps^2) minima and maxima. Where that is more than a count of all for each bit: the
 * result's bits, from the highest in which keys differ. On the host windows that are a row
 * of keys slide over them.
 */
#include "_keys.cuh"
#include "_selection.h"

template <class K>
struct limits {
    static const bool is_signed = (K)-1 < (K)0;
    static const int bits = 8 * (int)sizeof(K);
    static const K least = is_signed ? (K)((K)1 << (bits - 1)) : (K)0;
    static const K most = (K)~least;
};

template <class K>
__device__ inline void
exchange(K &a, K &b)
{
    const K low = a < b ? a : b, high = a < b ? b : a;
    a = low;
    b = high;
}

/* Of the first SIZE of v the least comes first, the greatest last, and what take() gives
 * stands in the first one's place; then of one fewer, until END are left. */
template <int SIZE, int END, class K, class TAKE>
__device__ inline void
forget(K *v, const TAKE &take)
{
#pragma unroll
    for (int i = 0; i < SIZE / 2; i++) exchange(v[i], v[SIZE - 1 - i]);
#pragma unroll
    for (int i = 1; i <= (SIZE - 1) / 2; i++) exchange(v[0], v[i]);
#pragma unroll
    for (int i = SIZE / 2; i < SIZE - 1; i++) exchange(v[i], v[SIZE - 1]);
    if (SIZE > 3) v[0] = take();
    if constexpr (SIZE - 1 > END) forget<SIZE - 1, END>(v, take);
}

template <int SIZE, class K, class TAKE>
__device__ inline void
fill(K *v, const TAKE &take)
{
#pragma unroll
    for (int i = 0; i < SIZE; i++) v[i] = take();
}

/* The key of a rank as the median of 2 S - 3 keys: those of the window, some that are least
 * and some that are greatest. S are kept, and forgetting goes on alike once as many are left
 * as of a smaller window, so that the code of it is there once. */
template <class K, class I>
__device__ inline K
select_forgetful(const K *p, const I *offsets, int taps, int rank, int most)
{
    const int size = most <= FEW_KEPT - 2    ? FEW_KEPT
                     : most <= SOME_KEPT - 2 ? SOME_KEPT
                                             : MANY_KEPT;
    const int ends = 2 * size - 3 - taps, low = size - 2 - rank;
    K v[MANY_KEPT];
    int next = -ends;
    const auto take = [&]() {
        const int i = next++;
        if (i >= 0) return p[offsets[i]];
        return i + ends < low ? (K)limits<K>::least : (K)limits<K>::most; /* values */
    };
    if (size == FEW_KEPT) {
        fill<FEW_KEPT>(v, take);
    } else {
        if (size == SOME_KEPT) {
            fill<SOME_KEPT>(v, take);
        } else {
            fill<MANY_KEPT>(v, take);
            forget<MANY_KEPT, SOME_KEPT>(v, take);
        }
        forget<SOME_KEPT, FEW_KEPT>(v, take);
    }
    forget<FEW_KEPT, 2>(v, take);
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
    if (most > MANY_KEPT - 2) return select_bits(p, offsets, taps, rank);
    return select_forgetful(p, offsets, taps, rank, most);
}
