/* math/log_pieces.hpp: the tables of log_by_table.hpp. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_LOG_PIECES_HPP
#define CUPRIC_MATH_LOG_PIECES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* About the reciprocal of the numbers of an octave's 16th, where 1 is
 * in the 7th, and its logarithm's negative in two words, the first
 * of 42 bits after the point. */
struct log_places {
    double scale, log, log_low;
};
CUPRIC_MATH log_places
log_places_of(format<double>::bits piece)
{
    static constexpr double at[3][16] = {
        {0x1.48p+0, 0x1.3cp+0, 0x1.3p+0, 0x1.24p+0, 0x1.1cp+0, 0x1.1p+0, 0x1.08p+0,
         0x1p+0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.78p-1,
         0x1.68p-1, 0x1.58p-1},
        {-0x1.fb9186d5e4p-3, -0x1.af3c94e80cp-3, -0x1.5ff3070a7ap-3, -0x1.0d77e7cd08p-3,
         -0x1.a926d3a4acp-4, -0x1.f0a30c0118p-5, -0x1.f829b0e78p-6, 0x0p+0,
         0x1.08598b59e4p-4, 0x1.da72763844p-4, 0x1.5bf406b544p-3, 0x1.d1037f2656p-3,
         0x1.1178e8227ep-2, 0x1.3c25277333p-2, 0x1.68ac83e9c7p-2, 0x1.973a343135p-2},
        {0x1.d572aab993c87p-47, 0x1.a4e633fcd9066p-52, 0x1.8586f183bebf2p-44,
         -0x1.cb2cd2ee2f482p-44, -0x1.563650bd22a9cp-44, 0x1.d599e83368e91p-45,
         -0x1.980267c7e09e4p-45, 0x0p+0, -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46,
         -0x1.27023eb68981cp-46, -0x1.84a7e75b6f6e4p-47, 0x1.1ef78ce2d07f2p-44,
         0x1.83b54b606bd5cp-46, -0x1.7af966c548a3p-44, 0x1.ab73b16bf4984p-44}};
    return {at[0][piece], at[1][piece], at[2][piece]};
}

} /* namespace elementary */
CUPRIC_END

#endif
