/* cub/block/block_merge_sort.cuh: BlockMergeSort: stable, by a comparison. */
#ifndef CUPRIC_HOST_CUB_BLOCK_MERGE_SORT_CUH
#define CUPRIC_HOST_CUB_BLOCK_MERGE_SORT_CUH

#include "../collective.hpp"

namespace cub {

/* Keys and values, and the order in which they are taken. */
template <class K, class V, int N>
struct cupric_sort_storage {
    cupric_storage<K, N> keys;
    cupric_storage<V, N> values;
    int order[N], other[N];
};

/* Merge neighbouring runs of `order`, until there is one. */
template <class STORAGE, class LESS>
inline void cupric_merge_runs(STORAGE &s, int n, LESS less)
{
    int *from = s.order, *to = s.other;
    for (int i = 0; i < n; i++) from[i] = i;
    for (int run = 1; run < n; run *= 2) {
        for (int first = 0; first < n; first += 2 * run) {
            const int middle = first + run < n ? first + run : n;
            const int last = first + 2 * run < n ? first + 2 * run : n;
            int a = first, b = middle;
            for (int k = first; k < last; k++) {
                const bool second =
                    a == middle || (b < last && less(s.keys[from[b]], s.keys[from[a]]));
                to[k] = from[second ? b++ : a++];
            }
        }
        int *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != s.order) __builtin_memcpy(s.order, from, n * sizeof *from);
}

/* The first `valid` elements of the block in order; the others stay behind them. */
template <int NTHREADS, class STORAGE, class K, class V, int N, class LESS>
inline void cupric_sort_block(STORAGE &s, int rank, K (&keys)[N], V (&values)[N],
                              int valid, bool striped, LESS less)
{
    for (int i = 0; i < N; i++) {
        s.keys[rank * N + i] = keys[i];
        if constexpr (!cupric::is_same<V, NullType>::value)
            s.values[rank * N + i] = values[i];
    }
    __syncthreads();
    if (rank == 0) {
        cupric_merge_runs(s, valid, less);
        for (int i = valid; i < NTHREADS * N; i++) s.order[i] = i;
    }
    __syncthreads();
    for (int i = 0; i < N; i++) {
        const int at = s.order[striped ? rank + i * NTHREADS : rank * N + i];
        keys[i] = s.keys[at];
        if constexpr (!cupric::is_same<V, NullType>::value) values[i] = s.values[at];
    }
}

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort
    : public cupric_collective<cupric_sort_storage<K, V, X * Y * Z * N>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_sort_storage<K, V, NTHREADS * N>> base;

  public:
    using base::base;

#define CUPRIC_SORT(name)                                                              \
    template <class LESS>                                                              \
    void name(K(&keys)[N], LESS less)                                                  \
    {                                                                                  \
        NullType none[N];                                                              \
        cupric_sort_block<NTHREADS>(this->storage, this->rank, keys, none,             \
                                    NTHREADS * N, false, less);                        \
    }                                                                                  \
    template <class LESS>                                                              \
    void name(K(&keys)[N], LESS less, int valid, K)                                    \
    {                                                                                  \
        NullType none[N];                                                              \
        cupric_sort_block<NTHREADS>(this->storage, this->rank, keys, none, valid,      \
                                    false, less);                                      \
    }                                                                                  \
    template <class LESS>                                                              \
    void name(K(&keys)[N], V(&values)[N], LESS less)                                   \
    {                                                                                  \
        cupric_sort_block<NTHREADS>(this->storage, this->rank, keys, values,           \
                                    NTHREADS * N, false, less);                        \
    }                                                                                  \
    template <class LESS>                                                              \
    void name(K(&keys)[N], V(&values)[N], LESS less, int valid, K)                     \
    {                                                                                  \
        cupric_sort_block<NTHREADS>(this->storage, this->rank, keys, values, valid,    \
                                    false, less);                                      \
    }
    CUPRIC_SORT(Sort)
    CUPRIC_SORT(StableSort)
#undef CUPRIC_SORT
};

} // namespace cub

#endif
