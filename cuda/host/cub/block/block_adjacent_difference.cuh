/* cub/block/block_adjacent_difference.cuh: BlockAdjacentDifference. */
#ifndef CUPRIC_HOST_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#define CUPRIC_HOST_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH

#include "block_discontinuity.cuh"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockAdjacentDifference : public cupric_collective<cupric_ends<T, X * Y * Z>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_ends<T, NTHREADS>> base;

    /* Of the first `valid` elements; one without a neighbour is copied. */
    template <int N, class U, class OP>
    void left(T (&x)[N], U (&y)[N], OP op, const T *before, int valid)
    {
        this->storage.last[this->rank] = x[N - 1];
        __syncthreads();
        const T *const first =
            this->rank ? &this->storage.last[this->rank - 1] : before;
        T previous = first ? *first : x[0];
        for (int i = 0; i < N; i++) {
            const T own = x[i];
            const bool both = (i || first) && this->rank * N + i < valid;
            y[i] = both ? U(op(own, previous)) : U(own);
            previous = own;
        }
    }
    template <int N, class U, class OP>
    void right(T (&x)[N], U (&y)[N], OP op, const T *after, int valid)
    {
        this->storage.first[this->rank] = x[0];
        __syncthreads();
        for (int i = 0; i < N; i++) {
            const T *const next = i < N - 1 ? &x[i + 1]
                                  : this->rank < NTHREADS - 1
                                      ? &this->storage.first[this->rank + 1]
                                      : after;
            const bool both = next && this->rank * N + i + (after == nullptr) < valid;
            y[i] = both ? U(op(x[i], *next)) : U(x[i]);
        }
    }

  public:
    using base::base;

    template <int N, class U, class OP>
    void SubtractLeft(T (&x)[N], U (&y)[N], OP op)
    {
        left(x, y, op, nullptr, NTHREADS * N);
    }
    template <int N, class U, class OP>
    void SubtractLeft(T (&x)[N], U (&y)[N], OP op, T before)
    {
        left(x, y, op, &before, NTHREADS * N);
    }
    template <int N, class U, class OP>
    void SubtractLeftPartialTile(T (&x)[N], U (&y)[N], OP op, int valid)
    {
        left(x, y, op, nullptr, valid);
    }
    template <int N, class U, class OP>
    void SubtractRight(T (&x)[N], U (&y)[N], OP op)
    {
        right(x, y, op, nullptr, NTHREADS * N);
    }
    template <int N, class U, class OP>
    void SubtractRight(T (&x)[N], U (&y)[N], OP op, T after)
    {
        right(x, y, op, &after, NTHREADS * N);
    }
    template <int N, class U, class OP>
    void SubtractRightPartialTile(T (&x)[N], U (&y)[N], OP op, int valid)
    {
        right(x, y, op, nullptr, valid);
    }
};

} // namespace cub

#endif
