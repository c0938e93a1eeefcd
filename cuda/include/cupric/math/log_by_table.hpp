/* math/log_by_table.hpp: the logarithm of which logit, gamma and gammaln are made, in double:
 * a number is one of 16 parts of an octave, whose reciprocal and its logarithm are in a
 * table; of what is left, at most 0.0335, it is a short polynomial. More parts would take
 * fewer terms, but a GPU's cache longer.
 *
 * P. T. P. Tang, "Table-driven implementation of the logarithm function in IEEE
 * floating-point arithmetic" (1990).
 */
#ifndef CUPRIC_MATH_LOG_BY_TABLE_HPP
#define CUPRIC_MATH_LOG_BY_TABLE_HPP

#include "cupric/math/log_pieces.hpp"
#include "cupric/math/polynomials.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* A positive, normal number q = 2**k m, m in [0.766, 1.532), for its logarithm: that of
 * m place.scale, which is nearly 1, is to be added to place.log and to k log(2). */
struct log_parts {
    double k, scale; /* place.scale 2**-k */
    log_places place;
};

CUPRIC_MATH log_parts
log_parts_of(double q)
{
    typedef format<double> T;
#if defined(__CUDA_ARCH__)
    /* the upper half has all that counts; scales have no more, either */
    const int high = int(unsigned(bits_of(q) >> 32) + (15u << 15) - 0x3ff00000u);
    const int k = high >> 20;
    const log_places p = log_places_of((high >> 16) & 15);
    const unsigned int down = unsigned(bits_of(p.scale) >> 32) - (unsigned(k) << 20);
    return {double(k), from_bits(T::bits(down) << 32), p};
#else
    const T::bits u = bits_of(q) + (15ull << (T::FRACTION() - 5));
    const T::bits biased = u >> T::FRACTION();
    const log_places p = log_places_of((u >> (T::FRACTION() - 4)) & 15);
    const double k =
        from_bits(biased | bits_of(T::INTEGERS())) - (T::INTEGERS() + T::BIAS());
    const T::bits down = (T::BIAS() - biased) << T::FRACTION();
    return {k, from_bits(bits_of(p.scale) + down), p};
#endif
}

/* log(q), for floats. */
CUPRIC_MATH double
single_log_by_table(log_parts a, double q)
{
    const double r = fused(q, a.scale, -1.0);
    const double whole = fused(a.k, constants<double>::LN2(), a.place.log);
    return fused(r, single_small_log(r), whole);
}

} /* namespace elementary */
CUPRIC_END

#endif
