/* atomics.hpp: atomic operations and fences. Blocks run on several threads at once, so
 * these are real; relaxed, as CUDA's are.
 *
 * As in CUDA each is a plain function for each type that it takes, so that a program may
 * add its own: for other types, as templates, and as specialisations of these.
 */
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

/* The 64-bit type of CUDA that stands for the C library's int64_t and uint64_t, which are
 * long here and long long to a GPU's compiler. A user's own function for long wins. */
template <class T>
struct as_long_long {
};
template <>
struct as_long_long<long> {
    typedef long long type;
    typedef long self;
};
template <>
struct as_long_long<unsigned long> {
    typedef unsigned long long type;
    typedef unsigned long self;
};

} // namespace cupric_host

/* name(p, value), and with the scopes of a block and of the system */
#define CUPRIC_ATOMIC(T, name, call)                                                   \
    static inline T name(T *p, T value) { return call; }                               \
    static inline T name##_block(T *p, T value) { return call; }                       \
    static inline T name##_system(T *p, T value) { return call; }
#define CUPRIC_ATOMIC_UPDATE(T, name, expression)                                      \
    CUPRIC_ATOMIC(T, name, cupric_host::atomic_update(p, [value](T old) -> T {         \
                      return expression;                                               \
                  }))
#define CUPRIC_ATOMIC_BUILTIN(T, name, builtin)                                        \
    CUPRIC_ATOMIC(T, name, builtin(p, value, __ATOMIC_RELAXED))
#define CUPRIC_ATOMIC_LONG(name)                                                       \
    template <class T>                                                                 \
    static inline typename cupric_host::as_long_long<T>::self name(                    \
        T *p, typename cupric_host::as_long_long<T>::self value)                       \
    {                                                                                  \
        typedef typename cupric_host::as_long_long<T>::type wide;                      \
        return (T)name((wide *)p, (wide)value);                                        \
    }

#define X(T)                                                                           \
    CUPRIC_ATOMIC_BUILTIN(T, atomicAdd, __atomic_fetch_add)                            \
    CUPRIC_ATOMIC_BUILTIN(T, atomicExch, __atomic_exchange_n)
X(int)
X(unsigned int)
X(unsigned long long)
#undef X
CUPRIC_ATOMIC_UPDATE(float, atomicAdd, old + value)
CUPRIC_ATOMIC_UPDATE(double, atomicAdd, old + value)
CUPRIC_ATOMIC_UPDATE(float, atomicExch, ((void)old, value))
CUPRIC_ATOMIC_BUILTIN(int, atomicSub, __atomic_fetch_sub)
CUPRIC_ATOMIC_BUILTIN(unsigned int, atomicSub, __atomic_fetch_sub)
#define X(T)                                                                           \
    CUPRIC_ATOMIC_BUILTIN(T, atomicAnd, __atomic_fetch_and)                            \
    CUPRIC_ATOMIC_BUILTIN(T, atomicOr, __atomic_fetch_or)                              \
    CUPRIC_ATOMIC_BUILTIN(T, atomicXor, __atomic_fetch_xor)                            \
    CUPRIC_ATOMIC_UPDATE(T, atomicMin, value < old ? value : old)                      \
    CUPRIC_ATOMIC_UPDATE(T, atomicMax, old < value ? value : old)
X(int)
X(unsigned int)
X(long long)
X(unsigned long long)
#undef X
CUPRIC_ATOMIC_UPDATE(unsigned int, atomicInc, old >= value ? 0 : old + 1)
CUPRIC_ATOMIC_UPDATE(unsigned int, atomicDec, old == 0 || old > value ? value : old - 1)
#define X(suffix)                                                                      \
    CUPRIC_ATOMIC_LONG(atomicAdd##suffix)                                              \
    CUPRIC_ATOMIC_LONG(atomicExch##suffix)                                             \
    CUPRIC_ATOMIC_LONG(atomicAnd##suffix)                                              \
    CUPRIC_ATOMIC_LONG(atomicOr##suffix)                                               \
    CUPRIC_ATOMIC_LONG(atomicXor##suffix)                                              \
    CUPRIC_ATOMIC_LONG(atomicMin##suffix)                                              \
    CUPRIC_ATOMIC_LONG(atomicMax##suffix)
X()
X(_block)
X(_system)
#undef X

#define CUPRIC_ATOMIC_CAS(T, name)                                                     \
    static inline T name(T *p, T expected, T value)                                    \
    {                                                                                  \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST,      \
                                    __ATOMIC_SEQ_CST);                                 \
        return expected;                                                               \
    }
#define X(name)                                                                        \
    CUPRIC_ATOMIC_CAS(unsigned short, name)                                            \
    CUPRIC_ATOMIC_CAS(int, name)                                                       \
    CUPRIC_ATOMIC_CAS(unsigned int, name)                                              \
    CUPRIC_ATOMIC_CAS(unsigned long long, name)                                        \
    template <class T>                                                                 \
    static inline typename cupric_host::as_long_long<T>::self name(                    \
        T *p, typename cupric_host::as_long_long<T>::self expected,                    \
        typename cupric_host::as_long_long<T>::self value)                             \
    {                                                                                  \
        typedef typename cupric_host::as_long_long<T>::type wide;                      \
        return (T)name((unsigned long long *)p, (unsigned long long)(wide)expected,    \
                       (unsigned long long)(wide)value);                               \
    }
X(atomicCAS)
X(atomicCAS_block)
X(atomicCAS_system)
#undef X
#undef CUPRIC_ATOMIC_CAS
#undef CUPRIC_ATOMIC_LONG
#undef CUPRIC_ATOMIC_BUILTIN
#undef CUPRIC_ATOMIC_UPDATE
#undef CUPRIC_ATOMIC

static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
