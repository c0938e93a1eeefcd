/* host/rank.hpp: elements as unsigned numbers of the same order, NaN last. */
#ifndef CUPRIC_HOST_RANK_HPP
#define CUPRIC_HOST_RANK_HPP

#include <stdint.h>
#include <string.h>
#include <type_traits>

#include "cupric/complex.hpp"
#include "cupric/half.hpp"

namespace {

template <class T>
struct float_layout; /* the bits of a float, and those of its infinity */
template <>
struct float_layout<cupric::half> {
    typedef uint16_t type;
    static constexpr uint16_t infinity = 0x7c00;
};
template <>
struct float_layout<cupric::bfloat16> {
    typedef uint16_t type;
    static constexpr uint16_t infinity = 0x7f80;
};
template <>
struct float_layout<float> {
    typedef uint32_t type;
    static constexpr uint32_t infinity = 0x7f800000;
};
template <>
struct float_layout<double> {
    typedef uint64_t type;
    static constexpr uint64_t infinity = 0x7ff0000000000000;
};

/* A number for each float, in the order -inf … -0, 0 … inf, nan …, -nan …, and back. */
template <class T>
struct number_of {
    typedef typename float_layout<T>::type bits;
    static constexpr bits magnitude = (bits)-1 >> 1, sign = magnitude + 1;
    static constexpr bits infinity = float_layout<T>::infinity;
    static constexpr bits before = magnitude - infinity;

    /* What differs between a float and its number: all bits of negative ones, without a
     * branch, which signs at random would mislead. */
    static inline bits turned(bits x)
    {
        typedef typename std::make_signed<bits>::type S;
        return (bits)((S)x >> (sizeof x * 8 - 1)) | sign;
    }
    static inline bits from(bits x) { return (bits)((x ^ turned(x)) - before); }
    static inline bits back(bits number)
    {
        const bits x = (bits)(number + before);
        return x ^ turned((bits)~x);
    }
};

/* The bits of a float, those of 0.0 for zeros of both signs. */
template <class T>
inline typename float_layout<T>::type
bits_of_value(const char *p)
{
    typename float_layout<T>::type bits;
    memcpy(&bits, p, sizeof bits);
    if constexpr (std::is_floating_point<T>::value) {
        T x;
        memcpy(&x, p, sizeof x);
        x += T(0); /* -0.0 + 0.0 is 0.0 */
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }
    return bits & number_of<T>::magnitude ? bits : 0;
}

/* The same number for what sorts as equal: zeros of both signs, all NaNs. */
template <class T, bool INTEGER = std::is_integral<T>::value>
struct rank_of {
    typedef typename float_layout<T>::type type;
    static inline type at(const char *p)
    {
        constexpr type last =
            number_of<T>::sign + number_of<T>::infinity - number_of<T>::before;
        const type number = number_of<T>::from(bits_of_value<T>(p));
        return number > last ? (type)-1 : number;
    }
};
template <class T>
struct rank_of<T, true> {
    typedef typename std::make_unsigned<T>::type type;
    static inline type at(const char *p)
    {
        type x;
        memcpy(&x, p, sizeof x);
        return (type)(std::is_signed<T>::value ? x ^ (type)1 << (sizeof x * 8 - 1) : x);
    }
};
template <>
struct rank_of<bool, true> {
    typedef uint8_t type;
    static inline type at(const char *p) { return *p != 0; }
};

typedef cupric::complex<float> complex64;
typedef cupric::complex<double> complex128;

/* Complex numbers by their real parts, then by their imaginary ones. Behind all of them come
 * those with NaN in the imaginary part, by the real one, and then in the real part. */
template <class T, class BITS>
struct complex_rank {
    typedef BITS type;
    static inline type at(const char *p)
    {
        typedef typename rank_of<T>::type half;
        constexpr half nan = (half)-1;
        const half real = rank_of<T>::at(p), imag = rank_of<T>::at(p + sizeof(T));
        const bool apart = imag == nan && real != nan;

        return (type)(apart ? nan - 1 : real) << sizeof(T) * 8 | (apart ? real : imag);
    }
};
__extension__ typedef unsigned __int128 uint128;
template <>
struct rank_of<complex64, false> : complex_rank<float, uint64_t> {
};
template <>
struct rank_of<complex128, false> : complex_rank<double, uint128> {
};

} // namespace

#endif
