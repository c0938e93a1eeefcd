/* _stream.cuh: the random words of an element.
 *
 * Element j has a stream of its own: block (stage, attempt) of it is block j of the fill's
 * attempt stage << 12 | attempt (cupric/philox.hpp). What is one number of another
 * distribution takes a stage, and what is rejected the next attempt of its stage. So an
 * element depends on key, counter, its number and its parameters alone.
 */
#include "_functions.cuh"

enum { ATTEMPTS = 4096, FIRST_OF_BOOSTS = 8 };

typedef unsigned long long word64;

/* Two normal numbers of a block, of words 0 to 2: the angle takes 32 bits, as the mean over
 * so many directions is that over all. Word 3 is left. */
__device__ inline void
block_normals(unsigned int w0, unsigned int w1, unsigned int w2, double *x, double *y)
{
    double cosine, sine;
    cupric::circle(w2, 0u, &cosine, &sine);
    const double radius = cupric::root(2.0 * cupric::log_uniform(w1, w0));
    *x = radius * cosine;
    *y = radius * sine;
}

/* Words 0 and 1, or 2 and 3, as a number on [0, 1); on (0, 1]. */
__device__ inline double
uniform(const cupric::philox_block &b, int k)
{
    return cupric::fraction(b.word[2 * k + 1], b.word[2 * k]);
}

__device__ inline double
positive_uniform(const cupric::philox_block &b, int k)
{
    return uniform(b, k) + 0x1p-53;
}

/* What is known of it beforehand: the first blocks of BLOCKS stages, and of NORMALS stages
 * the first normal number and the boost, where the sampler wants one. */
template <int BLOCKS, int NORMALS>
struct stream {
    word64 key, counter, element;
    cupric::philox_block first[BLOCKS ? BLOCKS : 1];
    double first_normal[NORMALS ? NORMALS : 1], first_boost[NORMALS ? NORMALS : 1];

    __device__ stream(word64 k, word64 c, word64 e) : key(k), counter(c), element(e) {}

    __device__ cupric::philox_block another(int stage, int attempt) const
    {
        return cupric::random_block(key, counter, element,
                                    (unsigned)stage << 12 | (unsigned)attempt);
    }
    __device__ cupric::philox_block block(int stage, int attempt) const
    {
        if (stage < BLOCKS && attempt == 0) return first[stage < BLOCKS ? stage : 0];
        return another(stage, attempt);
    }
    /* ... of that block; but the first of stage 1 is the second of stage 0's block. */
    __device__ double normal(int stage, int attempt,
                             const cupric::philox_block &b) const
    {
        if (stage < NORMALS && attempt == 0)
            return first_normal[stage < NORMALS ? stage : 0];
        const bool second = stage == 1 && attempt == 0;
        const cupric::philox_block from = second ? block(0, 0) : b;
        double x, y;
        block_normals(from.word[0], from.word[1], from.word[2], &x, &y);
        return second ? y : x;
    }
    /* An exponential number, for the boost of a stage. */
    __device__ double boost(int stage) const
    {
        if (stage < NORMALS) return first_boost[stage < NORMALS ? stage : 0];
        const cupric::philox_block b = another(stage + FIRST_OF_BOOSTS, 0);
        return cupric::log_uniform(b.word[1], b.word[0]);
    }
};
