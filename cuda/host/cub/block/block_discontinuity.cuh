/* cub/block/block_discontinuity.cuh: BlockDiscontinuity, flags where neighbours differ. */
#ifndef CUPRIC_HOST_CUB_BLOCK_DISCONTINUITY_CUH
#define CUPRIC_HOST_CUB_BLOCK_DISCONTINUITY_CUH

#include "../collective.hpp"

namespace cub {

/* The first and the last element of each thread. */
template <class T, int N>
struct cupric_ends {
    cupric_storage<T, N> first, last;
};

/* op(a, b), or op(a, b, i) with the second's index where it takes one. */
template <class OP, class T>
inline auto cupric_differ(OP op, const T &a, const T &b, int i, int)
    -> decltype(bool(op(a, b, i)))
{
    return op(a, b, i);
}
template <class OP, class T>
inline bool cupric_differ(OP op, const T &a, const T &b, int, long)
{
    return op(a, b);
}

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity : public cupric_collective<cupric_ends<T, X * Y * Z>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_ends<T, NTHREADS>> base;

    template <int N>
    void put(T (&x)[N])
    {
        this->storage.first[this->rank] = x[0];
        this->storage.last[this->rank] = x[N - 1];
        __syncthreads();
    }
    /* The block's first element is flagged where there is none before it. */
    template <int N, class FLAG, class OP>
    void heads(FLAG (&flags)[N], T (&x)[N], OP op, const T *before)
    {
        for (int i = 0; i < N; i++) {
            const T *const left = i            ? &x[i - 1]
                                  : this->rank ? &this->storage.last[this->rank - 1]
                                               : before;
            flags[i] = left ? cupric_differ(op, *left, x[i], this->rank * N + i, 0) : 1;
        }
    }
    template <int N, class FLAG, class OP>
    void tails(FLAG (&flags)[N], T (&x)[N], OP op, const T *after)
    {
        for (int i = 0; i < N; i++) {
            const T *const right = i < N - 1 ? &x[i + 1]
                                   : this->rank < NTHREADS - 1
                                       ? &this->storage.first[this->rank + 1]
                                       : after;
            flags[i] =
                right ? cupric_differ(op, x[i], *right, this->rank * N + i + 1, 0) : 1;
        }
    }

  public:
    using base::base;

    template <int N, class FLAG, class OP>
    void FlagHeads(FLAG (&flags)[N], T (&x)[N], OP op)
    {
        put(x);
        heads(flags, x, op, nullptr);
    }
    template <int N, class FLAG, class OP>
    void FlagHeads(FLAG (&flags)[N], T (&x)[N], OP op, T before)
    {
        put(x);
        heads(flags, x, op, &before);
    }
    template <int N, class FLAG, class OP>
    void FlagTails(FLAG (&flags)[N], T (&x)[N], OP op)
    {
        put(x);
        tails(flags, x, op, nullptr);
    }
    template <int N, class FLAG, class OP>
    void FlagTails(FLAG (&flags)[N], T (&x)[N], OP op, T after)
    {
        put(x);
        tails(flags, x, op, &after);
    }
    template <int N, class FLAG, class OP>
    void FlagHeadsAndTails(FLAG (&first)[N], FLAG (&last)[N], T (&x)[N], OP op)
    {
        put(x);
        heads(first, x, op, nullptr);
        tails(last, x, op, nullptr);
    }
};

} // namespace cub

#endif
