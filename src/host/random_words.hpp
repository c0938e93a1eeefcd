/* host/random_words.hpp: a chunk of Philox blocks, by vectors where the CPU has them.
 *
 * Compilers turn the 32 x 32 -> 64 bit products into full 64-bit ones, which take three
 * times as long, so the vector versions are written out. A counter word is the low half
 * of a 64-bit lane. The upper half is left as it comes: the multiplication does not look
 * at it. (Measured: 0.9 ns a word as compiled from philox.hpp, 0.5 so.)
 */
#ifndef CUPRIC_HOST_RANDOM_WORDS_HPP
#define CUPRIC_HOST_RANDOM_WORDS_HPP

#include <stdint.h>
#if defined(__AVX2__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* GCC 12 (PR 105593) */
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif
#endif

#include "cupric/philox.hpp"

constexpr int CU_RANDOM_LANES = 32; /* blocks per chunk */

CUPRIC_BEGIN

constexpr int LANES = CU_RANDOM_LANES;

struct lanes {
    alignas(64) unsigned int word[4][LANES];
};

#if defined(__AVX512F__)
struct wide {
    static constexpr int size = 8;
    __m512i v;
    static wide all(long long x) { return {_mm512_set1_epi64(x)}; }
    static wide count(long long from)
    {
        return {_mm512_add_epi64(_mm512_set1_epi64(from),
                                 _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0))};
    }
    wide operator*(wide b) const { return {_mm512_mul_epu32(v, b.v)}; }
    wide operator^(wide b) const { return {_mm512_xor_si512(v, b.v)}; }
    wide high() const { return {_mm512_srli_epi64(v, 32)}; }
    void store(unsigned int *out) const
    {
        _mm256_storeu_si256((__m256i *)out, _mm512_cvtepi64_epi32(v));
    }
};
#elif defined(__AVX2__)
struct wide {
    static constexpr int size = 4;
    __m256i v;
    static wide all(long long x) { return {_mm256_set1_epi64x(x)}; }
    static wide count(long long from)
    {
        return {
            _mm256_add_epi64(_mm256_set1_epi64x(from), _mm256_set_epi64x(3, 2, 1, 0))};
    }
    wide operator*(wide b) const { return {_mm256_mul_epu32(v, b.v)}; }
    wide operator^(wide b) const { return {_mm256_xor_si256(v, b.v)}; }
    wide high() const { return {_mm256_srli_epi64(v, 32)}; }
    void store(unsigned int *out) const
    {
        const __m256i even = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
        const __m256i packed = _mm256_permutevar8x32_epi32(v, even);
        _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(packed));
    }
};
#endif

#if defined(__AVX2__)
/* Two vectors of blocks at a time, to hide the latency of multiplication. */
static inline void
generate(unsigned long long key, unsigned long long counter, unsigned long long first,
         lanes &w)
{
    const wide m0 = wide::all(0xd2511f53), m1 = wide::all(0xcd9e8d57);

    for (int at = 0; at < LANES; at += 2 * wide::size) {
        wide c0[2], c1[2], c2[2], c3[2];
        unsigned int k0 = (unsigned int)key, k1 = (unsigned int)(key >> 32);
        for (int g = 0; g < 2; g++) {
            c0[g] = wide::count((unsigned int)first + at + g * wide::size);
            c1[g] = wide::all((long long)(first >> 32));
            c2[g] = wide::all((unsigned int)counter);
            c3[g] = wide::all((long long)(counter >> 32));
        }
        for (int round = 0; round < 10; round++) {
            const wide r0 = wide::all(k0), r1 = wide::all(k1);
            for (int g = 0; g < 2; g++) {
                const wide p = c0[g] * m0, q = c2[g] * m1;
                c0[g] = q.high() ^ c1[g] ^ r0;
                c1[g] = q;
                c2[g] = p.high() ^ c3[g] ^ r1;
                c3[g] = p;
            }
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        for (int g = 0; g < 2; g++) {
            c0[g].store(&w.word[0][at + g * wide::size]);
            c1[g].store(&w.word[1][at + g * wide::size]);
            c2[g].store(&w.word[2][at + g * wide::size]);
            c3[g].store(&w.word[3][at + g * wide::size]);
        }
    }
}
#else
/* Blocks first … first + LANES of attempt 0; `first` is a multiple of LANES, so that the
 * low counter word does not overflow in between. */
static inline void
generate(unsigned long long key, unsigned long long counter, unsigned long long first,
         lanes &w)
{
    for (int i = 0; i < LANES; i++) {
        const philox_block b = philox4x32_10(
            (unsigned int)first + (unsigned int)i, (unsigned int)(first >> 32),
            (unsigned int)counter, (unsigned int)(counter >> 32), (unsigned int)key,
            (unsigned int)(key >> 32));
        for (int k = 0; k < 4; k++) w.word[k][i] = b.word[k];
    }
}
#endif

CUPRIC_END

#endif
