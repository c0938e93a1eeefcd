/* cub/block/block_radix_sort.cuh: BlockRadixSort: stable, by bits [begin, end) of the keys,
 * which are ordered as numbers: signed integers and floats have their bits changed so. */
#ifndef CUPRIC_HOST_CUB_BLOCK_RADIX_SORT_CUH
#define CUPRIC_HOST_CUB_BLOCK_RADIX_SORT_CUH

#include "block_merge_sort.cuh"
#include "block_scan.cuh"

namespace cub {

template <int NBYTES>
struct cupric_key_bits;
template <>
struct cupric_key_bits<1> {
    typedef unsigned char type;
};
template <>
struct cupric_key_bits<2> {
    typedef unsigned short type;
};
template <>
struct cupric_key_bits<4> {
    typedef unsigned type;
};
template <>
struct cupric_key_bits<8> {
    typedef unsigned long long type;
};

/* Bits that are in the order of the numbers; -0.0 counts as 0.0. */
template <class K>
inline typename cupric_key_bits<sizeof(K)>::type cupric_ordered_bits(K key)
{
    typedef typename cupric_key_bits<sizeof(K)>::type bits;
    const bits b = cupric_host::bits<bits>(key),
               top = bits(bits(1) << (8 * sizeof(K) - 1));
    constexpr bool is_float = cupric::is_float<K>::value;
    if constexpr (is_float) {
        if (b == top) return top;
        return b & top ? bits(~b) : bits(b | top);
    } else {
        return K(-1) < K(0) ? bits(b ^ top) : b;
    }
}

template <class K, int X, int N, class V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1,
          int = 0>
class BlockRadixSort
    : public cupric_collective<cupric_sort_storage<K, V, X * Y * Z * N>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_sort_storage<K, V, NTHREADS * N>> base;

    template <class VALUES>
    void sort(K (&keys)[N], VALUES &values, int begin, int end, bool descending,
              bool striped)
    {
        typedef typename cupric_key_bits<sizeof(K)>::type bits;
        const int nbits = end - begin;
        const bits mask =
            nbits >= int(8 * sizeof(K)) ? bits(~bits(0)) : bits((bits(1) << nbits) - 1);
        auto digits = [begin, mask](const K &k) {
            return bits((bits)(cupric_ordered_bits(k) >> begin) & mask);
        };
        cupric_sort_block<NTHREADS>(this->storage, this->rank, keys, values,
                                    NTHREADS * N, striped, [&](const K &a, const K &b) {
                                        return descending ? digits(b) < digits(a)
                                                          : digits(a) < digits(b);
                                    });
    }

  public:
    using base::base;

#define CUPRIC_SORT(name, descending, striped)                                         \
    void name(K(&keys)[N], int begin = 0, int end = 8 * sizeof(K))                     \
    {                                                                                  \
        NullType none[N];                                                              \
        sort(keys, none, begin, end, descending, striped);                             \
    }                                                                                  \
    void name(K(&keys)[N], V(&values)[N], int begin = 0, int end = 8 * sizeof(K))      \
    {                                                                                  \
        sort(keys, values, begin, end, descending, striped);                           \
    }
    CUPRIC_SORT(Sort, false, false)
    CUPRIC_SORT(SortDescending, true, false)
    CUPRIC_SORT(SortBlockedToStriped, false, true)
    CUPRIC_SORT(SortDescendingBlockedToStriped, true, true)
#undef CUPRIC_SORT
};

} // namespace cub

#endif
