/* host/radix_sort.hpp: a radix sort from the lowest digit, of what has unsigned numbers that
 * sort as it does: all of their digits, or where these are many the highest few, which tell
 * most elements apart; those that have them in common are neighbours then, and sorted by the
 * others.
 *
 * Elements are of a type P that has its number, `rank`, and is made from it and from a
 * place in the row. They go between two buffers, one pass for each digit, and none for a
 * digit that all numbers share. The first pass reads the row, by rank(place), and the last
 * hands elements out, by put(place, element).
 */
#ifndef CUPRIC_HOST_RADIX_SORT_HPP
#define CUPRIC_HOST_RADIX_SORT_HPP

#include <algorithm>
#include <stdint.h>
#include <string.h>

namespace {

constexpr int64_t FEW_ALIKE = 24; /* elements that share their highest digits */
constexpr int64_t ALIKE = 4096;   /* more are sorted by all digits */
constexpr int64_t MANY_SCATTERED = 1
                                   << 20; /* elements: too many for digits of 11 bits */
constexpr int TOP_NBITS = 32; /* that tell most elements of a long row apart */

/* counts[d][v]: how many ranks have digit d equal to v. */
template <int BITS, int DIGITS, class K, class F>
void
count_digits(const F &rank, int64_t n, int64_t (*counts)[1 << BITS])
{
    memset(counts, 0, sizeof(int64_t[DIGITS][1 << BITS]));
    for (int64_t i = 0; i < n; i++) {
        const K r = rank(i);
        for (int d = 0; d < DIGITS; d++) {
            counts[d][r >> d * BITS & ((1 << BITS) - 1)]++;
        }
    }
}

/* From counts to where each value of the digit begins. False where all have one value. */
template <int BITS>
bool
begin_buckets(int64_t *count, int64_t n)
{
    int64_t at = 0;
    for (int v = 0; v < 1 << BITS; v++) {
        const int64_t here = count[v];
        if (here == n) return false;
        count[v] = at;
        at += here;
    }
    return true;
}

/* Pass over digit `shift`, whose values' elements go to at[value] and on. */
template <class P, int BITS>
void
next_pass(const P *from, int64_t n, int shift, int64_t *at, P *to)
{
    for (int64_t i = 0; i < n; i++) {
        to[at[from[i].rank >> shift & ((1 << BITS) - 1)]++] = from[i];
    }
}

/* Sort neighbours whose ranks agree from bit `shift` on. False where there are more than
 * ALIKE of them. */
template <class P>
bool
sort_alike(P *x, int64_t n, int shift)
{
    for (int64_t i = 0; i < n;) {
        const auto top = x[i].rank >> shift;
        int64_t end = i + 1;
        while (end < n && x[end].rank >> shift == top) end++;
        if (end - i > ALIKE) return false;
        if (end - i > FEW_ALIKE) {
            std::stable_sort(x + i, x + end,
                             [](const P &a, const P &b) { return a.rank < b.rank; });
        } else {
            for (int64_t k = i + 1; k < end; k++) {
                const P y = x[k];
                int64_t at = k;
                for (; at > i && y.rank < x[at - 1].rank; at--) x[at] = x[at - 1];
                x[at] = y;
            }
        }
        i = end;
    }
    return true;
}

/* With `in_place` nothing is put while the row is still read. */
template <class P, int BITS, class K, class F, class Put>
void
radix_sort(const F &rank, int64_t n, P *from, P *to, const Put &put, bool in_place,
           bool by_top)
{
    constexpr int DIGITS = ((int)sizeof(K) * 8 + BITS - 1) / BITS;
    constexpr int MASK = (1 << BITS) - 1;
    constexpr int TOP = (TOP_NBITS + BITS - 1) / BITS;
    int64_t counts[DIGITS][1 << BITS];
    int used[DIGITS], nused = 0;

    count_digits<BITS, DIGITS, K>(rank, n, counts);
    for (int d = 0; d < DIGITS; d++) {
        if (begin_buckets<BITS>(counts[d], n)) used[nused++] = d;
    }
    if (nused == 0) {
        for (int64_t i = 0; i < n; i++) put(i, P(rank(i), i));
        return;
    }
    by_top = by_top && nused > TOP + 1;
    const int begin = by_top ? nused - TOP : 0;
    const bool ends_in_buffer = by_top || (in_place && nused == 1);
    for (int k = begin; k < nused; k++) {
        int64_t *const at = counts[used[k]];
        const int shift = used[k] * BITS;
        const bool last = k == nused - 1 && !ends_in_buffer;
        if (k == begin && last) {
            for (int64_t i = 0; i < n; i++) {
                const K r = rank(i);
                put(at[r >> shift & MASK]++, P(r, i));
            }
        } else if (k == begin) {
            for (int64_t i = 0; i < n; i++) {
                const K r = rank(i);
                to[at[r >> shift & MASK]++] = P(r, i);
            }
        } else if (last) {
            for (int64_t i = 0; i < n; i++) {
                put(at[from[i].rank >> shift & MASK]++, from[i]);
            }
        } else {
            next_pass<P, BITS>(from, n, shift, at, to);
        }
        std::swap(from, to);
    }
    if (!ends_in_buffer) return;
    if (!by_top || sort_alike(from, n, used[begin] * BITS)) {
        for (int64_t i = 0; i < n; i++) put(i, from[i]);
    } else {
        radix_sort<P, BITS, K>(rank, n, from, to, put, in_place, false);
    }
}

} // namespace

#endif
