/* cub/block/block_scan.cuh: BlockScan. */
#ifndef CUPRIC_HOST_CUB_BLOCK_SCAN_CUH
#define CUPRIC_HOST_CUB_BLOCK_SCAN_CUH

#include "../collective.hpp"

namespace cub {

enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS
};

/* The prefix of each thread, then the sum of all. */
template <class T, int N>
struct cupric_scan_storage {
    cupric_storage<T, N + 1> prefix;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int = 0>
class BlockScan : public cupric_collective<cupric_scan_storage<T, X * Y * Z>>
{
    static constexpr int NTHREADS = X * Y * Z;
    typedef cupric_collective<cupric_scan_storage<T, NTHREADS>> base;

    struct no_prefix {
    };

    /* The sum of what the threads before this one gave, which the first has only where it is
     * given one: `initial`, or what `prefix` makes of the whole sum. */
    template <class OP, class PREFIX>
    T before(T own, OP op, const T *initial, PREFIX *prefix, T &aggregate)
    {
        auto &all = this->storage.prefix;
        all[this->rank] = own;
        __syncthreads();
        if (this->rank == 0) {
            T sum = all[0];
            for (int i = 1; i < NTHREADS; i++) sum = op(sum, all[i]);
            scan(op, initial, prefix, sum);
            all[NTHREADS] = sum;
        }
        __syncthreads();
        aggregate = all[NTHREADS];
        return all[this->rank];
    }
    template <class OP, class PREFIX>
    void scan(OP op, const T *initial, PREFIX *prefix, const T &whole)
    {
        auto &all = this->storage.prefix;
        bool any = initial != nullptr;
        T sum = any ? *initial : whole;
        if constexpr (!cupric::is_same<PREFIX, no_prefix>::value) {
            sum = (*prefix)(whole);
            any = true;
        }
        for (int i = 0; i < NTHREADS; i++) {
            const T next = any ? op(sum, all[i]) : all[i];
            all[i] = sum;
            sum = next;
            any = true;
        }
    }

    template <bool INCLUSIVE, class OP, class PREFIX, int N>
    void run(T (&x)[N], T (&y)[N], OP op, const T *initial, PREFIX *prefix,
             T &aggregate)
    {
        T own = x[0];
        for (int i = 1; i < N; i++) own = op(own, x[i]);
        T sum = before(own, op, initial, prefix, aggregate);
        bool any =
            this->rank > 0 || initial || !cupric::is_same<PREFIX, no_prefix>::value;
        for (int i = 0; i < N; i++) {
            const T next = any ? op(sum, x[i]) : x[i];
            y[i] = INCLUSIVE ? next : sum;
            sum = next;
            any = true;
        }
    }
    /* Where PREFIX is what makes a prefix, not a sum to be written. */
    template <class P, bool = cupric::is_same<P, T>::value>
    struct unless_value {
        typedef void type;
    };
    template <class P>
    struct unless_value<P, true> {
    };
    template <class P>
    using only_prefix = typename unless_value<P>::type;
    /* (x, y, op, prefix), not (x, y, first, op) */
    template <class OP, class P>
    using only_operator = typename unless_value<P, cupric::is_same<P, T>::value ||
                                                       cupric::is_same<OP, T>::value ||
                                                       !__is_class(OP)>::type;
    static no_prefix *none() { return nullptr; }

  public:
    using base::base;

    /* ---- of arrays ---- */

    template <int N>
    void ExclusiveSum(T (&x)[N], T (&y)[N])
    {
        T all;
        ExclusiveSum(x, y, all);
    }
    template <int N>
    void ExclusiveSum(T (&x)[N], T (&y)[N], T &aggregate)
    {
        const T zero = T();
        run<false>(x, y, cub::Sum(), &zero, none(), aggregate);
    }
    template <int N, class PREFIX>
    only_prefix<PREFIX> ExclusiveSum(T (&x)[N], T (&y)[N], PREFIX &prefix)
    {
        T all;
        run<false>(x, y, cub::Sum(), nullptr, &prefix, all);
    }
    template <int N>
    void InclusiveSum(T (&x)[N], T (&y)[N])
    {
        T all;
        run<true>(x, y, cub::Sum(), nullptr, none(), all);
    }
    template <int N>
    void InclusiveSum(T (&x)[N], T (&y)[N], T &aggregate)
    {
        run<true>(x, y, cub::Sum(), nullptr, none(), aggregate);
    }
    template <int N, class PREFIX>
    only_prefix<PREFIX> InclusiveSum(T (&x)[N], T (&y)[N], PREFIX &prefix)
    {
        T all;
        run<true>(x, y, cub::Sum(), nullptr, &prefix, all);
    }
    template <int N, class OP>
    void ExclusiveScan(T (&x)[N], T (&y)[N], OP op)
    {
        T all;
        run<false>(x, y, op, nullptr, none(), all);
    }
    template <int N, class OP>
    void ExclusiveScan(T (&x)[N], T (&y)[N], T first, OP op)
    {
        T all;
        run<false>(x, y, op, &first, none(), all);
    }
    template <int N, class OP>
    void ExclusiveScan(T (&x)[N], T (&y)[N], T first, OP op, T &aggregate)
    {
        run<false>(x, y, op, &first, none(), aggregate);
    }
    template <int N, class OP, class PREFIX>
    only_operator<OP, PREFIX> ExclusiveScan(T (&x)[N], T (&y)[N], OP op, PREFIX &prefix)
    {
        T all;
        run<false>(x, y, op, nullptr, &prefix, all);
    }
    template <int N, class OP>
    void InclusiveScan(T (&x)[N], T (&y)[N], OP op)
    {
        T all;
        run<true>(x, y, op, nullptr, none(), all);
    }
    template <int N, class OP>
    void InclusiveScan(T (&x)[N], T (&y)[N], OP op, T &aggregate)
    {
        run<true>(x, y, op, nullptr, none(), aggregate);
    }
    template <int N, class OP, class PREFIX>
    only_prefix<PREFIX> InclusiveScan(T (&x)[N], T (&y)[N], OP op, PREFIX &prefix)
    {
        T all;
        run<true>(x, y, op, nullptr, &prefix, all);
    }

    /* ---- of one element a thread ---- */

#define CUPRIC_OF_ONE(name)                                                            \
    template <class... MORE>                                                           \
    void name(T x, T &y, MORE &&...more)                                               \
    {                                                                                  \
        T in[1] = {x}, out[1];                                                         \
        name(in, out, more...);                                                        \
        y = out[0];                                                                    \
    }
    CUPRIC_OF_ONE(ExclusiveSum)
    CUPRIC_OF_ONE(InclusiveSum)
    CUPRIC_OF_ONE(ExclusiveScan)
    CUPRIC_OF_ONE(InclusiveScan)
#undef CUPRIC_OF_ONE
};

} // namespace cub

#endif
