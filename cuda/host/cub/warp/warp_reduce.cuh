/* cub/warp/warp_reduce.cuh: WarpReduce. The result is the first lane's. */
#ifndef CUPRIC_HOST_CUB_WARP_REDUCE_CUH
#define CUPRIC_HOST_CUB_WARP_REDUCE_CUH

#include "../collective.hpp"

namespace cub {

/* The elements of the lanes of this thread's part of a warp, of LANES lanes. */
template <class T, int LANES>
struct cupric_lanes {
    T all[CUPRIC_WARP_SIZE];
    unsigned members;
    int first, own; /* lanes */

    explicit cupric_lanes(const T &x)
    {
        own = (int)cupric_host::lane();
        first = own / LANES * LANES;
        const unsigned part = LANES == 32 ? ~0u : (1u << (LANES & 31)) - 1;
        cupric_warp_op op = {CUPRIC_WARP_GATHER, sizeof(T), &x, all, 0, 0, 0};
        cupric_host::runtime->warp(part << first, &op);
        members = op.members >> first & part;
    }
    int count() const { return __builtin_popcount(members); }
    T &operator[](int i) { return all[first + i]; }
    int rank() const { return own - first; }
};

template <class T, int LANES = CUPRIC_WARP_SIZE, int = 0>
class WarpReduce : public cupric_collective<cupric_storage<char, 1>>
{
    template <class FLAG, class OP>
    T segment(T x, FLAG flag, OP op, bool heads)
    {
        cupric_lanes<T, LANES> lanes(x);
        cupric_lanes<int, LANES> flags((int)(flag != 0));
        for (int i = lanes.rank(); i + 1 < lanes.count(); i++) {
            if (heads ? flags[i + 1] : flags[i]) break;
            x = op(x, lanes[i + 1]);
        }
        return x;
    }

  public:
    using cupric_collective<cupric_storage<char, 1>>::cupric_collective;

    template <class OP>
    T Reduce(T x, OP op, int valid = LANES)
    {
        cupric_lanes<T, LANES> lanes(x);
        const int n = valid < lanes.count() ? valid : lanes.count();
        T sum = lanes[0];
        for (int i = 1; i < n; i++) sum = op(sum, lanes[i]);
        return sum;
    }
    T Sum(T x) { return Reduce(x, cub::Sum()); }
    T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
    T Max(T x) { return Reduce(x, cub::Max()); }
    T Min(T x) { return Reduce(x, cub::Min()); }
    template <class FLAG, class OP>
    T HeadSegmentedReduce(T x, FLAG head, OP op)
    {
        return segment(x, head, op, true);
    }
    template <class FLAG, class OP>
    T TailSegmentedReduce(T x, FLAG tail, OP op)
    {
        return segment(x, tail, op, false);
    }
    template <class FLAG>
    T HeadSegmentedSum(T x, FLAG head)
    {
        return segment(x, head, cub::Sum(), true);
    }
    template <class FLAG>
    T TailSegmentedSum(T x, FLAG tail)
    {
        return segment(x, tail, cub::Sum(), false);
    }
};

} // namespace cub

#endif
