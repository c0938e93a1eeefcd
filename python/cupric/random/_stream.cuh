/* _stream.cuh: the random words of an element.
 *
 * Element j has a stream of its own: block (stage, attempt) of it is block j of the fill's
 * attempt stage << 12 | attempt (cupric/philox.hpp). What is one number of another
 * distribution takes a stage, and what is rejected the next attempt of its stage. So an
 * element depends on key, counter, its number and its parameters alone.
 */
#include "_functions.cuh"

enum { RUN = 128, ATTEMPTS = 4096, FIRST_OF_BOOSTS = 8 };

typedef unsigned long long word64;

/* A normal number of a block, of words 0 to 2: the angle takes 32 bits, as the mean over so
 * many directions is that over all. Word 3 is left. */
__device__ inline double
block_normal(unsigned int w0, unsigned int w1, unsigned int w2)
{
    double cosine, sine;
    cupric::circle(w2, 0u, &cosine, &sine);
    return cupric::root(2.0 * cupric::log_uniform(w1, w0)) * cosine;
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

template <int BLOCKS, int NORMALS>
struct stream {
    word64 key, counter, element;
    cupric::philox_block first[BLOCKS];
    double first_normal[NORMALS ? NORMALS : 1];

    __device__ stream(word64 k, word64 c, word64 e) : key(k), counter(c), element(e) {}

    __device__ void begin()
    {
        for (int g = 0; g < BLOCKS; g++) first[g] = another(g, 0);
        for (int g = 0; g < NORMALS; g++) {
            const unsigned int *w = first[g].word;
            first_normal[g] = block_normal(w[0], w[1], w[2]);
        }
    }
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
    /* … of that block. */
    __device__ double normal(int stage, int attempt,
                             const cupric::philox_block &b) const
    {
        if (stage < NORMALS && attempt == 0)
            return first_normal[stage < NORMALS ? stage : 0];
        return block_normal(b.word[0], b.word[1], b.word[2]);
    }
};

/* The stream of a sampler's element. */
template <class Sampler>
struct stream_of : stream<Sampler::BLOCKS, Sampler::NORMALS> {
    __device__ stream_of(word64 key, word64 counter, word64 element)
        : stream<Sampler::BLOCKS, Sampler::NORMALS>(key, counter, element)
    {
        this->begin();
    }
};
