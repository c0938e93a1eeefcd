/* warp.hpp: barriers and the operations of a warp. Threads are fibers here: a thread that
 * waits gives way to the others of its block (src/host/block.c). */
#ifndef CUPRIC_HOST_WARP_HPP
#define CUPRIC_HOST_WARP_HPP

static inline void __syncthreads()
{
    cupric_host::runtime->barrier(CUPRIC_BARRIER_OR, 0);
}
static inline int __syncthreads_count(int predicate)
{
    return cupric_host::runtime->barrier(CUPRIC_BARRIER_COUNT, predicate);
}
static inline int __syncthreads_and(int predicate)
{
    return cupric_host::runtime->barrier(CUPRIC_BARRIER_AND, predicate);
}
static inline int __syncthreads_or(int predicate)
{
    return cupric_host::runtime->barrier(CUPRIC_BARRIER_OR, predicate);
}

namespace cupric_host {

inline unsigned ballot(unsigned mask, int predicate, unsigned *members)
{
    cupric_warp_op op = {CUPRIC_WARP_BALLOT, 0, 0, 0, predicate != 0, 0, 0};
    runtime->warp(mask, &op);
    if (members) *members = op.members;
    return op.result;
}

template <class T>
inline T shuffle(unsigned mask, T value, int source)
{
    T out = value;
    cupric_warp_op op = {CUPRIC_WARP_SHUFFLE, sizeof(T), &value, &out, source, 0, 0};
    runtime->warp(mask, &op);
    return out;
}

/* Combine the values of the lanes in `mask`. */
template <class T, class F>
inline T reduce(unsigned mask, T value, F f)
{
    T all[CUPRIC_WARP_SIZE];
    cupric_warp_op op = {CUPRIC_WARP_GATHER, sizeof(T), &value, all, 0, 0, 0};
    runtime->warp(mask, &op);
    T sum = value;
    const unsigned me = lane();
    for (unsigned i = 0; i < CUPRIC_WARP_SIZE; i++) {
        if (i != me && op.members >> i & 1) sum = f(sum, all[i]);
    }
    return sum;
}

template <class T>
inline unsigned match(unsigned mask, T value, unsigned *members)
{
    T all[CUPRIC_WARP_SIZE];
    cupric_warp_op op = {CUPRIC_WARP_GATHER, sizeof(T), &value, all, 0, 0, 0};
    runtime->warp(mask, &op);
    unsigned equal = 0;
    for (unsigned i = 0; i < CUPRIC_WARP_SIZE; i++) {
        if (op.members >> i & 1 && !__builtin_memcmp(&all[i], &value, sizeof value)) {
            equal |= 1u << i;
        }
    }
    *members = op.members;
    return equal;
}

} // namespace cupric_host

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    cupric_warp_op op = {CUPRIC_WARP_SYNC, 0, 0, 0, 0, 0, 0};
    cupric_host::runtime->warp(mask, &op);
}
static inline unsigned __activemask() { return cupric_host::runtime->active(); }
static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return cupric_host::ballot(mask, predicate, 0);
}
static inline int __any_sync(unsigned mask, int predicate)
{
    return cupric_host::ballot(mask, predicate, 0) != 0;
}
static inline int __all_sync(unsigned mask, int predicate)
{
    unsigned members;
    return cupric_host::ballot(mask, predicate, &members) == members;
}
static inline int __uni_sync(unsigned mask, int predicate)
{
    unsigned members;
    const unsigned yes = cupric_host::ballot(mask, predicate, &members);
    return yes == 0 || yes == members;
}
/* As in CUDA a function for each type, not a template: programs have their own for others.
 * Headers of further types define theirs by the same macro. */
#define CUPRIC_SHUFFLES(T)                                                             \
    static inline T __shfl_sync(unsigned mask, T value, int source,                    \
                                int width = CUPRIC_WARP_SIZE)                          \
    {                                                                                  \
        const int me = (int)cupric_host::lane(), first = me & -width;                  \
        return cupric_host::shuffle(mask, value, first + (source & (width - 1)));      \
    }                                                                                  \
    static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta,             \
                                   int width = CUPRIC_WARP_SIZE)                       \
    {                                                                                  \
        const int me = (int)cupric_host::lane(), from = me - (int)delta;               \
        return cupric_host::shuffle(mask, value, from < (me & -width) ? me : from);    \
    }                                                                                  \
    static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta,           \
                                     int width = CUPRIC_WARP_SIZE)                     \
    {                                                                                  \
        const int me = (int)cupric_host::lane(), from = me + (int)delta;               \
        const int end = (me & -width) + width;                                         \
        return cupric_host::shuffle(mask, value, from >= end ? me : from);             \
    }                                                                                  \
    static inline T __shfl_xor_sync(unsigned mask, T value, int lanes,                 \
                                    int width = CUPRIC_WARP_SIZE)                      \
    {                                                                                  \
        const int me = (int)cupric_host::lane(), from = me ^ lanes;                    \
        const int end = (me & -width) + width;                                         \
        return cupric_host::shuffle(mask, value, from >= end ? me : from);             \
    }
#define CUPRIC_MATCHES(T)                                                              \
    static inline unsigned __match_any_sync(unsigned mask, T value)                    \
    {                                                                                  \
        unsigned members;                                                              \
        return cupric_host::match(mask, value, &members);                              \
    }                                                                                  \
    static inline unsigned __match_all_sync(unsigned mask, T value, int *all)          \
    {                                                                                  \
        unsigned members;                                                              \
        *all = cupric_host::match(mask, value, &members) == members;                   \
        return *all ? members : 0;                                                     \
    }
#define X(T)                                                                           \
    CUPRIC_SHUFFLES(T)                                                                 \
    CUPRIC_MATCHES(T)
X(int)
X(unsigned int)
X(long)
X(unsigned long)
X(long long)
X(unsigned long long)
X(float)
X(double)
#undef X
#undef CUPRIC_MATCHES
#define X(T, name, expression)                                                         \
    static inline T name(unsigned mask, T value)                                       \
    {                                                                                  \
        return cupric_host::reduce(mask, value,                                        \
                                   [](T a, T b) { return (T)(expression); });          \
    }
X(int, __reduce_add_sync, (unsigned)a + (unsigned)b)
X(int, __reduce_min_sync, b < a ? b : a)
X(int, __reduce_max_sync, a < b ? b : a)
X(unsigned int, __reduce_add_sync, a + b)
X(unsigned int, __reduce_min_sync, b < a ? b : a)
X(unsigned int, __reduce_max_sync, a < b ? b : a)
X(unsigned int, __reduce_and_sync, a &b)
X(unsigned int, __reduce_or_sync, a | b)
X(unsigned int, __reduce_xor_sync, a ^ b)
#undef X
static inline void __nanosleep(unsigned) { cupric_host::runtime->yield(); }

#endif
