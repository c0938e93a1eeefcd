/* short_floats.hpp: rounding to 16-bit floating-point numbers, for short_floats.inc. */
#ifndef CUPRIC_HOST_SHORT_FLOATS_HPP
#define CUPRIC_HOST_SHORT_FLOATS_HPP

#include "cupric/device_types.hpp"

namespace cupric_host {

/* A number as a double, whose last bit is set where digits are left out: rounded once more
 * it is as if it had all of them. */
inline double exact_or_odd(float x) { return x; }
template <class T>
inline double exact_or_odd(T x)
{
    unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    int shift = 0;
    if (size >> 53) {
        shift = 11 - __builtin_clzll(size);
        const bool lost = size & ((1ull << shift) - 1);
        size = size >> shift | lost;
    }
    const double y = (double)size * (double)(1 << shift);
    return x < 0 ? -y : y;
}

/* a + b, likewise */
inline double odd_sum(double a, double b)
{
    const double sum = a + b, more = sum - a, lost = (a - (sum - more)) + (b - more);
    if (!(lost != 0) || sum - sum != 0) return sum;
    const long long word = bits<long long>(sum);
    if (word & 1) return sum;
    return bits<double>(word + ((lost > 0) == (sum > 0) ? 1 : -1));
}

/* x rounded down (-1), up (1) or towards zero (0). The numbers of a sign are in the order
 * of their bits. */
template <class H>
inline H directed(double x, int way)
{
    const H near(x);
    const double y = (double)float(near);
    const bool too_large = y > x, too_small = y < x;
    int step = 0; /* away from zero */

    if (way == 0) way = x < 0 ? 1 : -1;
    if (way < 0 && too_large) step = near.bits >> 15 ? 1 : -1;
    if (way > 0 && too_small) step = near.bits >> 15 ? -1 : 1;
    if (step && !(near.bits & 0x7fff)) { /* past zero */
        return H::from_bits((unsigned short)(way < 0 ? 0x8001 : 0x0001));
    }
    return H::from_bits((unsigned short)(near.bits + step));
}

template <class H>
inline H saturated_to_one(H x)
{
    return H(float(x) > 0 ? float(x) < 1 ? float(x) : 1.0f : 0.0f);
}

/* 0.0 is greater than -0.0. A NaN counts, if `nan`, else the other number does. */
template <class H>
inline H greater_of(H a, H b, bool nan)
{
    const float x = a, y = b;
    if (x != x || y != y) {
        if (nan || (x != x && y != y)) return H::from_bits(0x7fff);
        return x != x ? b : a;
    }
    return x > y || (x == y && !(a.bits >> 15)) ? a : b;
}
template <class H>
inline H lesser_of(H a, H b, bool nan)
{
    const float x = a, y = b;
    if (x != x || y != y) {
        if (nan || (x != x && y != y)) return H::from_bits(0x7fff);
        return x != x ? b : a;
    }
    return x < y || (x == y && a.bits >> 15) ? a : b;
}

} // namespace cupric_host

#endif
