/* cub/warp/warp_scan.cuh: WarpScan. */
#ifndef CUPRIC_HOST_CUB_WARP_SCAN_CUH
#define CUPRIC_HOST_CUB_WARP_SCAN_CUH

#include "warp_reduce.cuh"

namespace cub {

template <class T, int LANES = CUPRIC_WARP_SIZE, int = 0>
class WarpScan : public cupric_collective<cupric_storage<char, 1>>
{
    /* `inclusive` and `exclusive`, and the sum of all lanes. Without `initial` the first
     * lane's exclusive sum is not defined: its own element. */
    template <class OP>
    T run(T x, T &inclusive, T &exclusive, OP op, const T *initial)
    {
        cupric_lanes<T, LANES> lanes(x);
        const int own = lanes.rank();
        T whole = lanes[0], sum = initial ? op(*initial, lanes[0]) : lanes[0];
        T before = initial ? *initial : lanes[0];
        exclusive = before;
        inclusive = sum;
        for (int i = 1; i < lanes.count(); i++) {
            before = sum;
            sum = op(sum, lanes[i]);
            whole = op(whole, lanes[i]);
            if (i == own) {
                exclusive = before;
                inclusive = sum;
            }
        }
        return whole;
    }

  public:
    using cupric_collective<cupric_storage<char, 1>>::cupric_collective;

    template <class OP>
    void InclusiveScan(T x, T &y, OP op)
    {
        T other;
        run(x, y, other, op, nullptr);
    }
    template <class OP>
    void InclusiveScan(T x, T &y, OP op, T &aggregate)
    {
        T other;
        aggregate = run(x, y, other, op, nullptr);
    }
    template <class OP>
    void ExclusiveScan(T x, T &y, OP op)
    {
        T other;
        run(x, other, y, op, nullptr);
    }
    template <class OP>
    void ExclusiveScan(T x, T &y, T first, OP op)
    {
        T other;
        run(x, other, y, op, &first);
    }
    template <class OP>
    void ExclusiveScan(T x, T &y, T first, OP op, T &aggregate)
    {
        T other;
        aggregate = run(x, other, y, op, &first);
    }
    template <class OP>
    void Scan(T x, T &inclusive, T &exclusive, OP op)
    {
        run(x, inclusive, exclusive, op, nullptr);
    }
    template <class OP>
    void Scan(T x, T &inclusive, T &exclusive, T first, OP op)
    {
        run(x, inclusive, exclusive, op, &first);
    }
    void InclusiveSum(T x, T &y) { InclusiveScan(x, y, cub::Sum()); }
    void InclusiveSum(T x, T &y, T &aggregate)
    {
        InclusiveScan(x, y, cub::Sum(), aggregate);
    }
    void ExclusiveSum(T x, T &y) { ExclusiveScan(x, y, T(), cub::Sum()); }
    void ExclusiveSum(T x, T &y, T &aggregate)
    {
        ExclusiveScan(x, y, T(), cub::Sum(), aggregate);
    }
    T Broadcast(T x, unsigned source)
    {
        cupric_lanes<T, LANES> lanes(x);
        return lanes[(int)source];
    }
};

} // namespace cub

#endif
