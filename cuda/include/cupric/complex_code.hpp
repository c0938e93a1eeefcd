/* complex_code.hpp: complex<float> as a number of 64 bits that sorts as it does, and back.
 *
 * NumPy's order: by real part, then by imaginary part; behind all of them those with NaN
 * in the imaginary part alone, by the real one; then those with NaN in the real part
 * alone, by the imaginary one; then NaN in both.
 *
 * The real part's place among all floats is the code's high word and the imaginary part's
 * the low one. Real zeros of either sign are equal, so the two places that they have hold
 * twice as many codes: which of them it was is the lowest bit there. The places that are
 * left for NaNs are too few for two words, so that a NaN beside a number comes back quiet,
 * with its sign and all of its payload but the last bit. All else comes back bit for bit.
 */
#ifndef CUPRIC_COMPLEX_CODE_HPP
#define CUPRIC_COMPLEX_CODE_HPP

#include "cupric/target.hpp"

CUPRIC_BEGIN

/* The bits of a complex<float>'s parts. */
struct complex_bits {
    unsigned int re, im;
};

namespace code_parts {

enum : unsigned int {
    SIGN = 0x80000000u,
    INFINITE = 0x7f800000u,
    PAYLOAD = 0x007fffffu,
    QUIET_NAN = 0x7fc00000u,
    MINUS_ZERO = 0x7f800000u, /* its place; 0.0 has the next */
    PLACES = 0xff000002u      /* of what is not NaN */
};
/* Codes of numbers beside a NaN take 54 bits. */
enum : int { NUMBER_SHIFT = 22, KIND_SHIFT = 54, BOTH_SHIFT = 24 };

CUPRIC_HD inline bool
is_nan(unsigned int x)
{
    return (x & ~SIGN) > INFINITE;
}

/* 0 for -inf, and on to infinity. */
CUPRIC_HD inline unsigned int
place_of(unsigned int x)
{
    const unsigned int turned = (unsigned int)((int)x >> 31) | SIGN;
    return (x ^ turned) - PAYLOAD;
}

CUPRIC_HD inline unsigned int
at_place(unsigned int place)
{
    const unsigned int x = place + PAYLOAD;
    return x ^ ((unsigned int)((int)~x >> 31) | SIGN);
}

/* NaNs by 22 bits, quiet ones, and by 24. */
CUPRIC_HD inline unsigned int
quiet_nan(unsigned int x)
{
    return x >> 31 << 21 | (x >> 1 & 0x1fffffu);
}

CUPRIC_HD inline unsigned int
at_quiet_nan(unsigned int nan)
{
    return nan >> 21 << 31 | QUIET_NAN | (nan & 0x1fffffu) << 1;
}

CUPRIC_HD inline unsigned int
any_nan(unsigned int x)
{
    return x >> 31 << 23 | (x & PAYLOAD);
}

CUPRIC_HD inline unsigned int
at_any_nan(unsigned int nan)
{
    return nan >> 23 << 31 | INFINITE | (nan & PAYLOAD);
}

CUPRIC_HD inline unsigned long long
code_of_nan(complex_bits z)
{
    const unsigned long long begin = (unsigned long long)PLACES << 32;
    unsigned long long kind = 0, number, nan;

    if (!is_nan(z.re)) {
        number = (unsigned long long)place_of(z.re) << NUMBER_SHIFT;
        nan = quiet_nan(z.im);
    } else if (!is_nan(z.im)) {
        kind = 1;
        number = (unsigned long long)place_of(z.im) << NUMBER_SHIFT;
        nan = quiet_nan(z.re);
    } else {
        kind = 2;
        number = (unsigned long long)any_nan(z.re) << BOTH_SHIFT;
        nan = any_nan(z.im);
    }
    return begin + (kind << KIND_SHIFT) + number + nan;
}

CUPRIC_HD inline complex_bits
nan_at_code(unsigned long long code)
{
    const unsigned long long nans = code - ((unsigned long long)PLACES << 32);
    const unsigned int number = at_place((unsigned int)(nans >> NUMBER_SHIFT));
    const unsigned int nan = at_quiet_nan((unsigned int)nans & 0x3fffffu);

    switch (nans >> KIND_SHIFT) {
    case 0: return {number, nan};
    case 1: return {nan, number};
    default:
        return {at_any_nan((unsigned int)(nans >> BOTH_SHIFT) & 0xffffffu),
                at_any_nan((unsigned int)nans & 0xffffffu)};
    }
}

} // namespace code_parts

CUPRIC_HD inline unsigned long long
complex_code(complex_bits z)
{
    using namespace code_parts;
    const unsigned int re = place_of(z.re), im = place_of(z.im);

    if (is_nan(z.re) | is_nan(z.im)) return code_of_nan(z);
    if (z.re << 1) return (unsigned long long)re << 32 | im;
    return ((unsigned long long)MINUS_ZERO << 32) + 2ull * im + (re - MINUS_ZERO);
}

/* Undoes complex_code(). */
CUPRIC_HD inline complex_bits
complex_at_code(unsigned long long code)
{
    using namespace code_parts;
    const unsigned int high = (unsigned int)(code >> 32);

    if (high >= PLACES) return nan_at_code(code);
    if (high - MINUS_ZERO > 1) return {at_place(high), at_place((unsigned int)code)};
    const unsigned long long zeros = code - ((unsigned long long)MINUS_ZERO << 32);
    return {zeros & 1 ? 0u : 0u + SIGN, at_place((unsigned int)(zeros >> 1))};
}

/* The same code for what sorts as equal: zeros of both signs, all NaNs. */
CUPRIC_HD inline unsigned long long
complex_rank_code(complex_bits z)
{
    using namespace code_parts;
    const unsigned int re = z.re << 1 ? z.re : 0, im = z.im << 1 ? z.im : 0;

    return complex_code({is_nan(re) ? QUIET_NAN : re, is_nan(im) ? QUIET_NAN : im});
}

CUPRIC_END

#endif
