/* atomics.hpp: atomic operations and fences. Blocks run on several threads at once, so
 * these are real; relaxed, as CUDA's are. */
#ifndef CUPRIC_HOST_ATOMICS_HPP
#define CUPRIC_HOST_ATOMICS_HPP

namespace cupric_host {

template <int NBYTES>
struct word;
template <>
struct word<2> {
    typedef unsigned short type;
};
template <>
struct word<4> {
    typedef unsigned int type;
};
template <>
struct word<8> {
    typedef unsigned long long type;
};

/* *p = f(*p); returns what was there before. */
template <class T, class F>
inline T atomic_update(T *p, F f)
{
    typedef typename word<sizeof(T)>::type bits_type;
    bits_type *const q = (bits_type *)p;
    bits_type old = __atomic_load_n(q, __ATOMIC_RELAXED);
    for (;;) {
        const T before = bits<T>(old);
        const bits_type next = bits<bits_type>((T)f(before));
        if (__atomic_compare_exchange_n(q, &old, next, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            return before;
        }
    }
}

/* Keeps a function's second parameter out of the deduction of T: atomicAdd(&x, 1). */
template <class T>
struct same {
    typedef T type;
};

} // namespace cupric_host

#define CUPRIC_ATOMIC(name, expression)                                                \
    template <class T>                                                                 \
    static inline T name(T *p, typename cupric_host::same<T>::type value)              \
    {                                                                                  \
        return cupric_host::atomic_update(p, [value](T old) { return expression; });   \
    }                                                                                  \
    template <class T>                                                                 \
    static inline T name##_block(T *p, typename cupric_host::same<T>::type value)      \
    {                                                                                  \
        return name(p, value);                                                         \
    }                                                                                  \
    template <class T>                                                                 \
    static inline T name##_system(T *p, typename cupric_host::same<T>::type value)     \
    {                                                                                  \
        return name(p, value);                                                         \
    }
#define CUPRIC_ATOMIC_INTEGER(name, builtin)                                           \
    template <>                                                                        \
    inline int name(int *p, int value)                                                 \
    {                                                                                  \
        return builtin(p, value, __ATOMIC_RELAXED);                                    \
    }                                                                                  \
    template <>                                                                        \
    inline unsigned name(unsigned *p, unsigned value)                                  \
    {                                                                                  \
        return builtin(p, value, __ATOMIC_RELAXED);                                    \
    }                                                                                  \
    template <>                                                                        \
    inline long long name(long long *p, long long value)                               \
    {                                                                                  \
        return builtin(p, value, __ATOMIC_RELAXED);                                    \
    }                                                                                  \
    template <>                                                                        \
    inline unsigned long long name(unsigned long long *p, unsigned long long value)    \
    {                                                                                  \
        return builtin(p, value, __ATOMIC_RELAXED);                                    \
    }

CUPRIC_ATOMIC(atomicAdd, old + value)
CUPRIC_ATOMIC(atomicSub, old - value)
CUPRIC_ATOMIC(atomicAnd, old &value)
CUPRIC_ATOMIC(atomicOr, old | value)
CUPRIC_ATOMIC(atomicXor, old ^ value)
CUPRIC_ATOMIC(atomicMin, value < old ? value : old)
CUPRIC_ATOMIC(atomicMax, old < value ? value : old)
CUPRIC_ATOMIC(atomicExch, (old, value))
CUPRIC_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
CUPRIC_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
CUPRIC_ATOMIC_INTEGER(atomicAdd, __atomic_fetch_add)
CUPRIC_ATOMIC_INTEGER(atomicSub, __atomic_fetch_sub)
CUPRIC_ATOMIC_INTEGER(atomicAnd, __atomic_fetch_and)
CUPRIC_ATOMIC_INTEGER(atomicOr, __atomic_fetch_or)
CUPRIC_ATOMIC_INTEGER(atomicXor, __atomic_fetch_xor)
CUPRIC_ATOMIC_INTEGER(atomicExch, __atomic_exchange_n)
#undef CUPRIC_ATOMIC
#undef CUPRIC_ATOMIC_INTEGER

template <class T>
static inline T atomicCAS(T *p, typename cupric_host::same<T>::type expected,
                          typename cupric_host::same<T>::type value)
{
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    return expected;
}
template <class T>
static inline T atomicCAS_block(T *p, typename cupric_host::same<T>::type expected,
                                typename cupric_host::same<T>::type value)
{
    return atomicCAS(p, expected, value);
}
template <class T>
static inline T atomicCAS_system(T *p, typename cupric_host::same<T>::type expected,
                                 typename cupric_host::same<T>::type value)
{
    return atomicCAS(p, expected, value);
}

static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
