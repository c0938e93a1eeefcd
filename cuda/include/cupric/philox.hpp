/* philox.hpp: Philox 4x32-10, the counter-based generator of all random numbers here.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: "Parallel random numbers: as easy as
 * 1, 2, 3", SC'11. Ten rounds turn a counter of four 32-bit words, under a key of two,
 * into four random words: a block. No state: any block can be computed at any time.
 *
 * The stream, which is promised to stay as it is. A fill is given a 64-bit key, a 64-bit
 * counter (each fill of a generator has its own) and the number of elements. Block b of
 * the fill's attempt a (0, unless an element of it was rejected before) is the block of
 *
 *   counter words  lo(b),  hi(b) | a << 16,  lo(counter),  hi(counter)     b < 2**48
 *   key words      lo(key),  hi(key)
 *
 * An element that takes one 32-bit word, element j, has word j % 4 of block j / 4; one
 * that takes 64 bits has words 2 (j % 2), the low half, and 2 (j % 2) + 1 of block j / 2.
 * distributions.hpp says what is made of them. So element j depends on key, counter and j
 * alone, whatever the device, the launch and the number of threads.
 */
#ifndef CUPRIC_PHILOX_HPP
#define CUPRIC_PHILOX_HPP

#include "cupric/target.hpp"

CUPRIC_BEGIN

struct philox_block {
    unsigned int word[4];
};

CUPRIC_HD inline philox_block
philox4x32_10(unsigned int c0, unsigned int c1, unsigned int c2, unsigned int c3,
              unsigned int k0, unsigned int k1)
{
#if defined(__CUDACC__) || defined(__clang__)
#pragma unroll
#elif defined(__GNUC__)
#pragma GCC unroll 10
#endif
    for (int round = 0; round < 10; round++) {
        const unsigned long long p = c0 * 0xd2511f53ull;
        const unsigned long long q = c2 * 0xcd9e8d57ull;
        c0 = (unsigned int)(q >> 32) ^ c1 ^ k0;
        c1 = (unsigned int)q;
        c2 = (unsigned int)(p >> 32) ^ c3 ^ k1;
        c3 = (unsigned int)p;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return philox_block{{c0, c1, c2, c3}};
}

/* Block `index` of a fill. */
CUPRIC_HD inline philox_block
random_block(unsigned long long key, unsigned long long counter,
             unsigned long long index, unsigned int attempt)
{
    return philox4x32_10((unsigned int)index,
                         (unsigned int)(index >> 32) | attempt << 16,
                         (unsigned int)counter, (unsigned int)(counter >> 32),
                         (unsigned int)key, (unsigned int)(key >> 32));
}

CUPRIC_END

#endif
