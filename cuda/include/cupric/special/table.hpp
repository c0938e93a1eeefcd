/* special/table.hpp: polynomials in pieces, whose coefficients stand in a table. */
#ifndef CUPRIC_SPECIAL_TABLE_HPP
#define CUPRIC_SPECIAL_TABLE_HPP

#include "cupric/math/special.hpp"

CUPRIC_BEGIN
namespace elementary {

/* The piece of x, of 2**PARTS in each octave from the power of two `first` on, and what x
 * is beyond the piece's middle. Any x is in one of COUNT pieces. */
template <int PARTS, int COUNT>
CUPRIC_MATH place<double>
place_in_table(double x, double first)
{
    typedef format<double>::bits bits;
    constexpr int SHIFT = 52 - PARTS;
    const bits start = bits_of(first) >> SHIFT, at = bits_of(x) >> SHIFT;
    const bits piece = at < start ? 0 : at - start < COUNT ? at - start : COUNT - 1;
    const double middle = from_bits((piece + start) << SHIFT | bits(1) << (SHIFT - 1));
    return {piece, x - middle};
}

} /* namespace elementary */
CUPRIC_END

#endif
