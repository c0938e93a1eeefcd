/* cub/block/block_load.cuh: BlockLoad, and the functions that load without storage. */
#ifndef CUPRIC_HOST_CUB_BLOCK_LOAD_CUH
#define CUPRIC_HOST_CUB_BLOCK_LOAD_CUH

#include "../collective.hpp"

namespace cub {

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int N, class IT>
inline void LoadDirectBlocked(int rank, IT from, T (&x)[N])
{
    for (int i = 0; i < N; i++) x[i] = from[rank * N + i];
}
template <class T, int N, class IT>
inline void LoadDirectBlocked(int rank, IT from, T (&x)[N], int valid)
{
    for (int i = 0; i < N; i++) {
        if (rank * N + i < valid) x[i] = from[rank * N + i];
    }
}
template <class T, int N, class IT, class D>
inline void LoadDirectBlocked(int rank, IT from, T (&x)[N], int valid, D otherwise)
{
    for (int i = 0; i < N; i++) x[i] = otherwise;
    LoadDirectBlocked(rank, from, x, valid);
}
template <int NTHREADS, class T, int N, class IT>
inline void LoadDirectStriped(int rank, IT from, T (&x)[N])
{
    for (int i = 0; i < N; i++) x[i] = from[rank + i * NTHREADS];
}
template <int NTHREADS, class T, int N, class IT>
inline void LoadDirectStriped(int rank, IT from, T (&x)[N], int valid)
{
    for (int i = 0; i < N; i++) {
        if (rank + i * NTHREADS < valid) x[i] = from[rank + i * NTHREADS];
    }
}
template <int NTHREADS, class T, int N, class IT, class D>
inline void LoadDirectStriped(int rank, IT from, T (&x)[N], int valid, D otherwise)
{
    for (int i = 0; i < N; i++) x[i] = otherwise;
    LoadDirectStriped<NTHREADS>(rank, from, x, valid);
}

template <class T, int X, int N, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int Y = 1, int Z = 1, int = 0>
class BlockLoad : public cupric_collective<cupric_storage<char, 1>>
{
  public:
    using cupric_collective<cupric_storage<char, 1>>::cupric_collective;

    /* (from, x), with how many are valid, and with what stands for the others */
    template <class IT, class... MORE>
    void Load(IT from, T (&x)[N], MORE... more)
    {
        if (ALGORITHM == BLOCK_LOAD_STRIPED) {
            LoadDirectStriped<X * Y * Z>(this->rank, from, x, more...);
        } else {
            LoadDirectBlocked(this->rank, from, x, more...);
        }
    }
};

} // namespace cub

#endif
