/* cub/block/block_shuffle.cuh: BlockShuffle, elements of other threads of the block. */
#ifndef CUPRIC_HOST_CUB_BLOCK_SHUFFLE_CUH
#define CUPRIC_HOST_CUB_BLOCK_SHUFFLE_CUH

#include "../collective.hpp"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockShuffle : public cupric_collective<cupric_storage<T, X * Y * Z>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_storage<T, NTHREADS>> base;

    void put(const T &x)
    {
        this->storage[this->rank] = x;
        __syncthreads();
    }

  public:
    using base::base;

    void Offset(T x, T &y, int distance = 1)
    {
        const int from = this->rank + distance;
        put(x);
        if (from >= 0 && from < NTHREADS) y = this->storage[from];
    }
    void Rotate(T x, T &y, unsigned distance = 1)
    {
        put(x);
        y = this->storage[(int)((this->rank + distance) % NTHREADS)];
    }
    template <int N>
    void Up(T (&x)[N], T (&y)[N])
    {
        put(x[N - 1]);
        for (int i = N - 1; i > 0; i--) y[i] = x[i - 1];
        if (this->rank > 0) y[0] = this->storage[this->rank - 1];
    }
    template <int N>
    void Up(T (&x)[N], T (&y)[N], T &last)
    {
        Up(x, y);
        last = this->storage[NTHREADS - 1];
    }
    template <int N>
    void Down(T (&x)[N], T (&y)[N])
    {
        put(x[0]);
        for (int i = 0; i < N - 1; i++) y[i] = x[i + 1];
        if (this->rank < NTHREADS - 1) y[N - 1] = this->storage[this->rank + 1];
    }
};

} // namespace cub

#endif
