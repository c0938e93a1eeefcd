/* math/pieces.hpp: functions by pieces: a table has, for each of many short intervals, a
 * polynomial of low degree in the distance from its middle. That is fewer operations than
 * one polynomial for all, or than a formula whose parts take several, where a table of some
 * kilobytes stays in the nearest cache, of a processor and of a GPU's multiprocessor.
 *
 * The tables are written by tools/pieces.py. 32 lanes of a GPU load from 32 numbers of 4
 * bytes, or 16 of 8, at once, from longer rows in several steps: most have so many pieces.
 */
#ifndef CUPRIC_MATH_PIECES_HPP
#define CUPRIC_MATH_PIECES_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN

namespace elementary {

/* The multiple of 1 / PER_UNIT that is nearest to x, as a piece's number from 0 on, and what
 * x is beyond it. */
template <class F>
struct place {
    typename format<F>::bits piece;
    F rest;
};

/* For 0 <= x below 2**20 / PER_UNIT, a power of two. */
template <int PER_UNIT, class F>
CUPRIC_MATH place<F>
place_of(F x)
{
    typedef format<F> T;
    constexpr F ROUNDER = T::ROUNDER() / PER_UNIT; /* whose last bit is worth that */
    const F rounder = x + ROUNDER;
    return {bits_of(rounder) - bits_of(ROUNDER), x - (rounder - ROUNDER)};
}

/* Pieces whose length grows with x >= 0: 2**BITS for each exponent of x + `least`, which
 * has no digits below theirs but where it is to make 0 the first one's middle. */
template <int BITS, class F>
CUPRIC_MATH place<F>
place_of_octave(F x, F least)
{
    typedef format<F> T;
    typedef typename T::bits bits;
    constexpr int SHIFT = T::FRACTION() - BITS;
    const bits number = bits_of(x + least) >> SHIFT;
    const F middle = from_bits(number << SHIFT | bits(1) << (SHIFT - 1)) - least;
    return {number - (bits_of(least) >> SHIFT), x - middle};
}

/* sum rest**N and the terms of the N rows of `at`, which has the coefficients of each power
 * together, from row FIRST on, the highest's first. */
template <int FIRST, int N, class F, class C, int ROWS, int PIECES>
CUPRIC_MATH F
with_rows(F sum, const C (&at)[ROWS][PIECES], place<F> p)
{
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 20
#endif
    for (int k = FIRST; k < FIRST + N; k++) sum = fused(sum, p.rest, F(at[k][p.piece]));
    return sum;
}

/* A constant term, that of row LAST, and what is to be added to it, of which the row after it
 * has what the term's rounding left. */
template <int LAST, class F, int ROWS, int PIECES>
CUPRIC_MATH words<F>
with_constant(F sum, const F (&at)[ROWS][PIECES], place<F> p)
{
    return {at[LAST][p.piece], fused(sum, p.rest, at[LAST + 1][p.piece])};
}

/* A piece's polynomial in two words: the last row is what the constant term, that before it,
 * lacks. */
template <int ROWS, int PIECES, class F>
CUPRIC_MATH words<F>
piecewise_words(const F (&at)[ROWS][PIECES], place<F> p)
{
    const F sum = with_rows<1, ROWS - 3>(at[0][p.piece], at, p);
    return with_constant<ROWS - 2>(sum, at, p);
}

/* Coefficients that are floats, as a GPU's cache takes half the time for these; on the host
 * they would take a loop longer. */
#if defined(__CUDA_ARCH__)
typedef float short_number;
#else
typedef double short_number;
#endif

/* The same with such for the highest powers. */
template <int HIGH, int ROWS, int PIECES>
CUPRIC_MATH words<double>
piecewise_words(const short_number (&high)[HIGH][PIECES],
                const double (&at)[ROWS][PIECES], place<double> p)
{
    const double most = with_rows<1, HIGH - 1>(double(high[0][p.piece]), high, p);
    return with_constant<ROWS - 2>(with_rows<0, ROWS - 2>(most, at, p), at, p);
}

/* Halves of doubles, the lower ones of a row and the upper ones after them: 32 lanes of a GPU
 * load these at once from 32 pieces. */
typedef unsigned int half_number;

template <int ROWS, int PIECES>
CUPRIC_MATH double
number_of(const half_number (&at)[ROWS][PIECES], int k, place<double> p)
{
    typedef format<double>::bits bits;
    return from_bits(bits(at[2 * k + 1][p.piece]) << 32 | at[2 * k][p.piece]);
}

template <int ROWS, int PIECES>
CUPRIC_MATH double
number_of(const double (&at)[ROWS][PIECES], int k, place<double> p)
{
    return at[k][p.piece];
}

/* The same with such, and with what the constant term lacks apart. */
template <int HIGH, int ROWS, int PIECES, class W>
CUPRIC_MATH words<double>
piecewise_words(const short_number (&high)[HIGH][PIECES], const W (&at)[ROWS][PIECES],
                const short_number (&low)[1][PIECES], place<double> p)
{
    constexpr int LAST = ROWS / (8 / int(sizeof(W))) - 1;
    double sum = with_rows<1, HIGH - 1>(double(high[0][p.piece]), high, p);
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 20
#endif
    for (int k = 0; k < LAST; k++) sum = fused(sum, p.rest, number_of(at, k, p));
    return {number_of(at, LAST, p), fused(sum, p.rest, double(low[0][p.piece]))};
}

/* sum x**N + the N terms, the highest power's first, with what the sums lost. A term has to
 * be a multiple of the last place of the sum that it is added to, all positive, so that it
 * less that is exact. */
template <class... Rest>
CUPRIC_MATH words<double>
with_terms(double x, double sum, double highest, Rest... rest)
{
    const double term[] = {highest, rest...};
    double low = 0;
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 10
#endif
    for (int k = 0; k < 1 + int(sizeof...(Rest)); k++) {
        const double next = fused(sum, x, term[k]);
        const double lost = fused(sum, x, term[k] - next);
        low = k ? fused(low, x, lost) : lost;
        sum = next;
    }
    return {sum, low};
}

/* Two words of 64 bits, which a GPU loads at once. */
template <class W>
struct table_row {
    W first, second;
};

} /* namespace elementary */
CUPRIC_END

#endif
