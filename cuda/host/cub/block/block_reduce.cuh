/* cub/block/block_reduce.cuh: BlockReduce. The result is the first thread's. */
#ifndef CUPRIC_HOST_CUB_BLOCK_REDUCE_CUH
#define CUPRIC_HOST_CUB_BLOCK_REDUCE_CUH

#include "../collective.hpp"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y = 1, int Z = 1, int = 0>
class BlockReduce : public cupric_collective<cupric_storage<T, X * Y * Z>>
{
    typedef cupric_collective<cupric_storage<T, X * Y * Z>> base;

  public:
    using base::base;

    template <class OP>
    T Reduce(T x, OP op, int valid = X * Y * Z)
    {
        this->storage[this->rank] = x;
        __syncthreads();
        if (this->rank == 0) {
            for (int i = 1; i < valid; i++) x = op(x, this->storage[i]);
        }
        return x;
    }
    template <int N, class OP>
    T Reduce(T (&x)[N], OP op)
    {
        T sum = x[0];
        for (int i = 1; i < N; i++) sum = op(sum, x[i]);
        return Reduce(sum, op);
    }
    T Sum(T x) { return Reduce(x, cub::Sum()); }
    T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
    template <int N>
    T Sum(T (&x)[N])
    {
        return Reduce(x, cub::Sum());
    }
};

} // namespace cub

#endif
