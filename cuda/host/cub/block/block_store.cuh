/* cub/block/block_store.cuh: BlockStore, and the functions that store without storage. */
#ifndef CUPRIC_HOST_CUB_BLOCK_STORE_CUH
#define CUPRIC_HOST_CUB_BLOCK_STORE_CUH

#include "../collective.hpp"

namespace cub {

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int N, class IT>
inline void StoreDirectBlocked(int rank, IT to, T (&x)[N], int valid = 0x7fffffff)
{
    for (int i = 0; i < N; i++) {
        if (rank * N + i < valid) to[rank * N + i] = x[i];
    }
}
template <int NTHREADS, class T, int N, class IT>
inline void StoreDirectStriped(int rank, IT to, T (&x)[N], int valid = 0x7fffffff)
{
    for (int i = 0; i < N; i++) {
        if (rank + i * NTHREADS < valid) to[rank + i * NTHREADS] = x[i];
    }
}

template <class T, int X, int N, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT,
          int Y = 1, int Z = 1, int = 0>
class BlockStore : public cupric_collective<cupric_storage<char, 1>>
{
  public:
    using cupric_collective<cupric_storage<char, 1>>::cupric_collective;

    template <class IT>
    void Store(IT to, T (&x)[N], int valid = 0x7fffffff)
    {
        if (ALGORITHM == BLOCK_STORE_STRIPED) {
            StoreDirectStriped<X * Y * Z>(this->rank, to, x, valid);
        } else {
            StoreDirectBlocked(this->rank, to, x, valid);
        }
    }
};

} // namespace cub

#endif
