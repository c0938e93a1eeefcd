/* host/constant_divisor.hpp: integers divided by one number, by multiplication.
 *
 * A quotient of an unsigned x of N bits by d takes the high half of a product and shifts:
 *
 *     t = high(m * x)        q = (t + ((x - t) >> s1)) >> s2
 *
 * with m = floor(2^N (2^l - d) / d) + 1, l = ceil(log2 d), s1 = min(l, 1), s2 = l - s1.
 * It is exact for every x and every d but 0 (Granlund and Montgomery, Division by
 * Invariant Integers using Multiplication, 1994, figure 4.1). Quotients rounded down of
 * negative numbers are complements of such ones.
 *
 * Vectors of 16 bits have no shifts by a number that is known at run time alone, but the
 * high half of a product, which does the same. In 16 bits a quotient of 8 is
 * high(x * (floor(2^16 / d) + 1)): the factor exceeds 2^16 / d by no more than 1, and x
 * times that is below 2^16 / d, by which the next quotient is further.
 */
#ifndef CUPRIC_HOST_CONSTANT_DIVISOR_HPP
#define CUPRIC_HOST_CONSTANT_DIVISOR_HPP

#include <type_traits>

#include "host/loops.hpp"

CUPRIC_BEGIN

template <class U>
struct wider;
template <>
struct wider<unsigned char> {
    typedef unsigned short type;
};
template <>
struct wider<unsigned short> {
    typedef unsigned int type;
};
template <>
struct wider<unsigned int> {
    typedef unsigned long long type;
};
template <>
struct wider<unsigned long long> {
    __extension__ typedef unsigned __int128 type;
};

template <class U>
inline __attribute__((always_inline)) U
high_half(U a, U b)
{
    typedef typename wider<U>::type W;
    return U(W(W(a) * b) >> 8 * sizeof(U));
}

#ifdef __AVX2__
/* By products of 32 bits, of which there are vectors that are wide enough to win. */
inline __attribute__((always_inline)) unsigned long long
high_half(unsigned long long a, unsigned long long b)
{
    constexpr unsigned long long LOW = 0xffffffff;
    const unsigned long long a0 = a & LOW, a1 = a >> 32, b0 = b & LOW, b1 = b >> 32;
    const unsigned long long middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & LOW)) >> 32);
}
#endif

template <class U>
struct reciprocal_of {
    typedef typename wider<U>::type W;
    static constexpr int BITS = 8 * sizeof(U);
    U factor;
    int first, second; /* shifts */

    explicit reciprocal_of(U d)
    {
        int log = 0;
        while (log < BITS && (W(1) << log) < d) log++;
        const W above = (W(1) << log) - d; /* below d, so that the quotient fits */
        factor = U((above << BITS) / d + 1);
        first = log > 0;
        second = log - first;
        __asm__("" : "+r"(factor)); /* as below */
    }

    inline __attribute__((always_inline)) U quotient(U x) const
    {
        const U t = high_half(x, factor);
        return U(U(t + U(U(x - t) >> first)) >> second);
    }
};

template <>
struct reciprocal_of<unsigned char> {
    unsigned short factor, same; /* all bits where the quotient is x itself */

    explicit reciprocal_of(unsigned char d)
        : factor((unsigned short)(d > 1 ? 0x10000 / d + 1 : 0)),
          same((unsigned short)(d > 1 ? 0 : 0xffff))
    {
        __asm__("" : "+r"(factor), "+r"(same)); /* as below */
    }

    inline __attribute__((always_inline)) unsigned char quotient(unsigned char x) const
    {
        return (unsigned char)(high_half<unsigned short>(x, factor) | (x & same));
    }
};

template <>
struct reciprocal_of<unsigned short> {
    unsigned short factor, last; /* 2^(16 - s2) */
    unsigned short kept, same;   /* all bits where s2 is 0; where the quotient is x */

    explicit reciprocal_of(unsigned short d) : last(0), kept(0), same(0)
    {
        int log = 0;
        while ((1 << log) < d) log++;
        factor = (unsigned short)((((1u << log) - d) << 16) / d + 1);
        if (log > 1) last = (unsigned short)(0x20000 >> log);
        if (log == 1) kept = 0xffff;
        if (log == 0) same = 0xffff;
        /* Else GCC 12 sees how it was made, and takes it for a number of 32 bits. */
        __asm__("" : "+r"(last));
    }

    inline __attribute__((always_inline)) unsigned short
    quotient(unsigned short x) const
    {
        const unsigned short t = high_half(x, factor);
        const unsigned short u =
            (unsigned short)(t + (unsigned short)((unsigned short)(x - t) >> 1));
        return (unsigned short)(high_half(u, last) | (u & kept) | (x & same));
    }
};

/* Of one divisor, not 0, of type T. */
template <class T>
struct constant_divisor {
    typedef typename std::make_unsigned<T>::type U;
    static constexpr bool is_signed = std::is_signed<T>::value;
    T divisor;
    U size;
    reciprocal_of<U> inverse;

    static U size_of(T x) { return is_signed && x < 0 ? U(-U(x)) : U(x); }

    explicit constant_divisor(T d) : divisor(d), size(size_of(d)), inverse(size) {}

    /* Rounded down. NEGATIVE: the divisor is. */
    template <bool NEGATIVE>
    inline __attribute__((always_inline)) T floor(T a) const
    {
        if constexpr (!is_signed) {
            return inverse.quotient(a);
        } else if constexpr (NEGATIVE) {
            /* -a / |d|, rounded up, of a positive a: the complement of (a - 1) / |d| */
            const U positive = U(-U(a > 0)),
                    size_of_a = U((U(a) ^ ~positive) - ~positive);
            return T(inverse.quotient(U(size_of_a + positive)) ^ positive);
        } else {
            const T sign = T(a < 0 ? -1 : 0);
            return T(T(inverse.quotient(U(a ^ sign))) ^ sign);
        }
    }

    /* What is left of it, with the divisor's sign. */
    inline __attribute__((always_inline)) T rest(T a, T quotient) const
    {
        return T(U(a) - U(U(quotient) * U(divisor)));
    }

    /* The remainder of the quotient towards zero, with the sign of a. */
    inline __attribute__((always_inline)) T truncated_rest(T a) const
    {
        const U sign = U(-U(is_signed && a < 0)), x = U((U(a) ^ sign) - sign);
        const U r = U(x - U(inverse.quotient(x) * size));
        return T(U((r ^ sign) - sign));
    }
};

/* What a row gives of a and a divisor. */
struct floor_quotient {
    template <bool NEGATIVE, class T>
    static inline __attribute__((always_inline)) void run(const constant_divisor<T> &by,
                                                          T a, T &r, nothing &)
    {
        r = by.template floor<NEGATIVE>(a);
    }
};
struct floor_rest {
    template <bool NEGATIVE, class T>
    static inline __attribute__((always_inline)) void run(const constant_divisor<T> &by,
                                                          T a, T &r, nothing &)
    {
        r = by.rest(a, by.template floor<NEGATIVE>(a));
    }
};
struct truncated_rest {
    template <bool NEGATIVE, class T>
    static inline __attribute__((always_inline)) void run(const constant_divisor<T> &by,
                                                          T a, T &r, nothing &)
    {
        r = by.truncated_rest(a);
    }
};
struct quotient_and_rest {
    template <bool NEGATIVE, class T>
    static inline __attribute__((always_inline)) void run(const constant_divisor<T> &by,
                                                          T a, T &r, T &s)
    {
        r = by.template floor<NEGATIVE>(a);
        s = by.rest(a, r);
    }
};

template <int OP, int SIG, class WHAT>
struct division_loop {
    typedef loop<OP, SIG> L;
    typedef typename L::A T;
    typedef typename L::S S;
    static constexpr int64_t FEW = 16; /* divisions cost as much as the inverse */

    template <bool NEGATIVE, reach HOW>
    static void sweep(char *const *ptr, const int64_t *stride, int64_t n)
    {
        const constant_divisor<T> by(load<T>(ptr[1]));
        const input<T, HOW> a(ptr, stride, 0);
        const output<T, HOW> out(ptr, stride, 2);
        const output<S, reach_of<S, HOW>> second(ptr, stride, 3);
        CUPRIC_IVDEP
        for (int64_t i = 0; i < n; i++) {
            T r;
            S s;
            WHAT::template run<NEGATIVE>(by, a[i], r, s);
            out.put(i, r);
            second.put(i, s);
        }
    }

    template <bool NEGATIVE>
    static void reached(char *const *ptr, const int64_t *stride, int64_t n)
    {
        const int64_t size = sizeof(T);
        const bool dense = stride[0] == size && stride[2] == size &&
                           (L::nout == 1 || stride[3] == size);
        if (dense) return sweep<NEGATIVE, DENSE>(ptr, stride, n);
        sweep<NEGATIVE, STRIDED>(ptr, stride, n);
    }

    static void run(char *const *ptr, const int64_t *stride, int64_t n)
    {
        if (stride[1] != 0 || n < FEW || load<T>(ptr[1]) == 0) {
            return L::template run<true>(ptr, stride, n);
        }
        if (load<T>(ptr[1]) < 0)
            return reached<std::is_signed<T>::value>(ptr, stride, n);
        reached<false>(ptr, stride, n);
    }
};

template <class WHAT, int OP, int SIG>
inline void
fill_division(cu_loops *row)
{
    if constexpr (is_integer<typename loop<OP, SIG>::A>::value) {
        row[SIG].any = division_loop<OP, SIG, WHAT>::run;
    }
}

template <class WHAT, int OP, int... SIG>
inline void
fill_divisions(cu_loop_row *table, std::integer_sequence<int, SIG...>)
{
    (fill_division<WHAT, OP, SIG>(table[OP]), ...);
}

/* The loops of integers of row OP, by which WHAT follows from a quotient. */
template <class WHAT, int OP>
inline void
fill_divisions(cu_loop_row *table)
{
    fill_divisions<WHAT, OP>(
        table, std::make_integer_sequence<int, ufunc_signature_count(OP)>());
}

inline void
fill_integer_divisions(cu_loop_row *table)
{
    fill_divisions<floor_quotient, UFUNC_floor_divide>(table);
    fill_divisions<floor_rest, UFUNC_remainder>(table);
    fill_divisions<truncated_rest, UFUNC_fmod>(table);
    fill_divisions<quotient_and_rest, UFUNC_divmod>(table);
}

CUPRIC_END

#endif
