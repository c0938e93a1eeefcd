/* types.hpp: the element types by number and by letter, and conversion between them. */
#ifndef CUPRIC_TYPES_HPP
#define CUPRIC_TYPES_HPP

#include "cupric/complex.hpp"
#include "cupric/half.hpp"

CUPRIC_BEGIN

enum type_number {
#define CUPRIC_TYPE(NAME, letter, ...) TYPE_##NAME,
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    N_TYPES
};

/* What stands for an operand that an operation does not have. */
struct nothing {
};

template <char LETTER>
struct type_of_letter {
    typedef nothing type;
};
template <int NUMBER>
struct type_of_number;

/* Of each type: its number and letter; the kind as b bool, i signed, u unsigned, h 16-bit
 * floating, f floating, c complex; `wide`, an unsigned type in which its integer
 * arithmetic wraps (int promotion of short types does not); `real`, of its parts. */
template <class T>
struct type_info;

#define CUPRIC_TYPE(NAME, LETTER, ...)                                                 \
    template <>                                                                        \
    struct type_of_letter<LETTER> {                                                    \
        typedef __VA_ARGS__ type;                                                      \
    };                                                                                 \
    template <>                                                                        \
    struct type_of_number<TYPE_##NAME> {                                               \
        typedef __VA_ARGS__ type;                                                      \
    };                                                                                 \
    template <>                                                                        \
    struct type_info<__VA_ARGS__> {                                                    \
        enum : int { number = TYPE_##NAME };                                           \
        enum : char { letter = LETTER };                                               \
    };
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE

template <class T>
struct is_complex {
    enum : bool { value = false };
};
template <class T>
struct is_complex<complex<T>> {
    enum : bool { value = true };
};
/* half and bfloat16 */
template <class T>
struct is_short_float {
    enum : bool { value = is_same<T, half>::value || is_same<T, bfloat16>::value };
};
template <class T>
struct is_long_float {
    enum : bool { value = is_same<T, float>::value || is_same<T, double>::value };
};
/* every real floating-point type */
template <class T>
struct is_float {
    enum : bool { value = is_short_float<T>::value || is_long_float<T>::value };
};
/* integers, bool included */
template <class T>
struct is_integer {
    enum : bool { value = !is_float<T>::value && !is_complex<T>::value };
};
template <class T>
struct is_signed_integer {
    enum : bool { value = is_integer<T>::value && T(-1) < T(1) };
};
template <>
struct is_signed_integer<half> {
    enum : bool { value = false };
};
template <>
struct is_signed_integer<bfloat16> {
    enum : bool { value = false };
};
template <class T>
struct is_signed_integer<complex<T>> {
    enum : bool { value = false };
};

/* The type in which T is computed: float for 16-bit floats. */
template <class T>
struct compute_type {
    typedef T type;
};
template <>
struct compute_type<half> {
    typedef float type;
};
template <>
struct compute_type<bfloat16> {
    typedef float type;
};

/* An unsigned type in which integer arithmetic on T wraps; short types are promoted to
 * int by the language, where overflow is undefined. */
template <class T>
struct wrapping_type {
    typedef unsigned int type;
};
template <>
struct wrapping_type<long long> {
    typedef unsigned long long type;
};
template <>
struct wrapping_type<unsigned long long> {
    typedef unsigned long long type;
};

template <class T>
struct real_type {
    typedef T type;
};
template <class T>
struct real_type<complex<T>> {
    typedef T type;
};

/* How T lies in memory, where any byte may stand for a bool: a view as bool of other bytes
 * shares them. */
template <class T>
struct stored_type {
    typedef T type;
};
template <>
struct stored_type<bool> {
    typedef unsigned char type;
};

/* The element at p: the one way to read what may be a bool. */
template <class T>
CUPRIC_HD inline T
load(const char *p)
{
    if constexpr (is_same<T, nothing>::value)
        return nothing();
    else if constexpr (is_same<T, bool>::value)
        return *(const unsigned char *)p != 0;
    else
        return *(const T *)p;
}
template <class T>
CUPRIC_HD inline T
load(const T *p)
{
    return load<T>((const char *)p);
}

/* Casts as NumPy's astype: complex to real drops the imaginary part, anything but zero is
 * true, integers wrap, and floating point to a short integer goes by way of int. */
template <class To, class From>
CUPRIC_HD inline To
convert(const From x)
{
    if constexpr (is_same<To, From>::value) {
        return x;
    } else if constexpr (is_complex<From>::value) {
        if constexpr (is_complex<To>::value) {
            return To(x);
        } else if constexpr (is_same<To, bool>::value) {
            return (x.re != 0) | (x.im != 0);
        } else {
            return convert<To>(x.re);
        }
    } else if constexpr (is_complex<To>::value) {
        return To(convert<typename To::value_type>(x), 0);
    } else if constexpr (is_short_float<From>::value) {
        return convert<To>(float(x));
    } else if constexpr (is_same<To, bool>::value) {
        return x != 0;
#if defined(__CUDA_ARCH__)
    } else if constexpr (is_same<From, bool>::value && is_same<To, float>::value) {
        /* Hidden from ptxas 13.0, which makes 0.0 of a choice between -0.0 and -1.0. */
        float r;
        asm("cvt.rn.f32.u32 %0, %1;" : "=f"(r) : "r"((unsigned int)x));
        return r;
#endif
    } else if constexpr (is_same<From, bool>::value && is_float<To>::value) {
        return x ? To(1.0f) : To(0.0f); /* vectorises, unlike the cast */
    } else if constexpr (is_short_float<To>::value) {
        return To(x);
    } else if constexpr (is_integer<To>::value && is_float<From>::value) {
        if constexpr (sizeof(To) <= 2) return To((int)x);
        if constexpr (is_same<To, unsigned int>::value) return To((long long)x);
#if defined(__CUDA_ARCH__)
        /* GPUs clamp where CPUs wrap. */
        if constexpr (is_same<To, unsigned long long>::value) {
            return x < 0 ? To((long long)x) : To(x);
        }
#endif
        return To(x);
    } else {
        return To(x);
    }
}

CUPRIC_END

#endif
