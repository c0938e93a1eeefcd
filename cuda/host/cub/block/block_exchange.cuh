/* cub/block/block_exchange.cuh: BlockExchange, which rearranges the block's elements. */
#ifndef CUPRIC_HOST_CUB_BLOCK_EXCHANGE_CUH
#define CUPRIC_HOST_CUB_BLOCK_EXCHANGE_CUH

#include "../collective.hpp"

namespace cub {

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange : public cupric_collective<cupric_storage<T, X * Y * Z * N>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_storage<T, NTHREADS * N>> base;

    int blocked(int i) const { return this->rank * N + i; }
    int striped(int i) const { return this->rank + i * NTHREADS; }
    int warp_striped(int i) const
    {
        const int warp = this->rank / CUPRIC_WARP_SIZE, first = warp * CUPRIC_WARP_SIZE;
        const int rest = NTHREADS - first;
        const int lanes = rest < CUPRIC_WARP_SIZE ? rest : CUPRIC_WARP_SIZE;
        return first * N + this->rank - first + i * lanes;
    }

    template <class U, class FROM, class TO>
    void move(const T (&x)[N], U (&y)[N], FROM from, TO to)
    {
        for (int i = 0; i < N; i++) this->storage[from(i)] = x[i];
        __syncthreads();
        for (int i = 0; i < N; i++) y[i] = this->storage[to(i)];
    }

  public:
    using base::base;

#define CUPRIC_MOVE(name, from, to)                                                    \
    template <class U>                                                                 \
    void name(const T(&x)[N], U(&y)[N])                                                \
    {                                                                                  \
        move(                                                                          \
            x, y, [this](int i) { return from(i); }, [this](int i) { return to(i); }); \
    }                                                                                  \
    void name(T(&x)[N]) { name(x, x); }
    CUPRIC_MOVE(BlockedToStriped, blocked, striped)
    CUPRIC_MOVE(StripedToBlocked, striped, blocked)
    CUPRIC_MOVE(BlockedToWarpStriped, blocked, warp_striped)
    CUPRIC_MOVE(WarpStripedToBlocked, warp_striped, blocked)
#undef CUPRIC_MOVE
#define CUPRIC_SCATTER(name, to)                                                       \
    template <class U, class RANK>                                                     \
    void name(const T(&x)[N], U(&y)[N], const RANK(&ranks)[N])                         \
    {                                                                                  \
        move(                                                                          \
            x, y, [&ranks](int i) { return (int)ranks[i]; },                           \
            [this](int i) { return to(i); });                                          \
    }                                                                                  \
    template <class RANK>                                                              \
    void name(T(&x)[N], const RANK(&ranks)[N])                                         \
    {                                                                                  \
        name(x, x, ranks);                                                             \
    }
    CUPRIC_SCATTER(ScatterToBlocked, blocked)
    CUPRIC_SCATTER(ScatterToStriped, striped)
#undef CUPRIC_SCATTER
    /* Those with a negative rank, or a false flag, are left out. */
    template <class U, class RANK>
    void ScatterToStripedGuarded(const T (&x)[N], U (&y)[N], const RANK (&ranks)[N])
    {
        for (int i = 0; i < N; i++) {
            if (ranks[i] >= 0) this->storage[(int)ranks[i]] = x[i];
        }
        __syncthreads();
        for (int i = 0; i < N; i++) y[i] = this->storage[striped(i)];
    }
    template <class U, class RANK, class FLAG>
    void ScatterToStripedFlagged(const T (&x)[N], U (&y)[N], const RANK (&ranks)[N],
                                 const FLAG (&valid)[N])
    {
        for (int i = 0; i < N; i++) {
            if (valid[i]) this->storage[(int)ranks[i]] = x[i];
        }
        __syncthreads();
        for (int i = 0; i < N; i++) y[i] = this->storage[striped(i)];
    }
};

} // namespace cub

#endif
