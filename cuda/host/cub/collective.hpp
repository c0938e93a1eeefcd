/* cub/collective.hpp: what CUB's collectives of a block and a warp are made of here: storage
 * that all threads of a block see, operators, and the block's barrier.
 *
 * The interface is the documented one of CUB. As the threads of a block are fibers of one
 * thread of the system, an algorithm is this: each puts its elements into the storage, one
 * thread does the work, and each takes its own. So the template parameters that choose among
 * CUB's algorithms make no difference.
 */
#ifndef CUPRIC_HOST_CUB_COLLECTIVE_HPP
#define CUPRIC_HOST_CUB_COLLECTIVE_HPP

#include "cupric/device_types.hpp"

namespace cub {

struct NullType {
};

/* ---- operators ------------------------------------------------------------------------ */

#define CUPRIC_OPERATOR(name, R, expression)                                           \
    struct name {                                                                      \
        template <class A, class B>                                                    \
        auto operator()(const A &a, const B &b) const -> R                             \
        {                                                                              \
            return expression;                                                         \
        }                                                                              \
    };
CUPRIC_OPERATOR(Sum, decltype(a + b), a + b)
CUPRIC_OPERATOR(Difference, decltype(a - b), a - b)
CUPRIC_OPERATOR(Division, decltype(a / b), a / b)
CUPRIC_OPERATOR(Equality, bool, a == b)
CUPRIC_OPERATOR(Inequality, bool, !(a == b))
CUPRIC_OPERATOR(Max, decltype(true ? a : b), a < b ? b : a)
CUPRIC_OPERATOR(Min, decltype(true ? a : b), b < a ? b : a)
#undef CUPRIC_OPERATOR

template <class Key, class Value>
struct KeyValuePair {
    typedef Key Key_t;
    Key key;
    Value value;
    bool operator!=(const KeyValuePair &b) const
    {
        return key != b.key || value != b.value;
    }
};

/* The pair with the greater (smaller) value; of equal ones that with the lower key. */
struct ArgMax {
    template <class P>
    P operator()(const P &a, const P &b) const
    {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class P>
    P operator()(const P &a, const P &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

/* ---- threads --------------------------------------------------------------------------- */

inline unsigned LaneId() { return cupric_host::lane(); }
inline unsigned WarpId() { return cupric_host::thread_rank() / CUPRIC_WARP_SIZE; }
inline int RowMajorTid(int, int, int) { return (int)cupric_host::thread_rank(); }
inline void CTA_SYNC() { __syncthreads(); }
inline int CTA_SYNC_AND(int predicate) { return __syncthreads_and(predicate); }
inline int CTA_SYNC_OR(int predicate) { return __syncthreads_or(predicate); }
inline void WARP_SYNC(unsigned mask) { __syncwarp(mask); }

/* ---- storage ---------------------------------------------------------------------------- */

/* N elements without constructors, so that it may be shared memory and part of a union. */
template <class T, int N>
struct cupric_storage {
    alignas(T) char bytes[sizeof(T) * (N > 0 ? N : 1)];

    T &operator[](int i) { return ((T *)bytes)[i]; }
    T *data() { return (T *)bytes; }
};

/* What each collective has: the storage that it was given, or one of its own. */
template <class STORAGE>
class cupric_collective
{
  public:
    struct TempStorage : STORAGE {
    };
    cupric_collective() : storage(own()), rank((int)cupric_host::thread_rank()) {}
    explicit cupric_collective(TempStorage &given)
        : storage(given), rank((int)cupric_host::thread_rank())
    {
    }

  protected:
    STORAGE &storage;
    const int rank;

  private:
    static TempStorage &own()
    {
        static thread_local TempStorage shared;
        return shared;
    }
};

} // namespace cub

#define CubDebug(e) (e)
#define CUB_MIN(a, b) ((b) < (a) ? (b) : (a))
#define CUB_MAX(a, b) ((a) < (b) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))

#endif
