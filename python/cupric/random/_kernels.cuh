/* _kernels.cuh: kernels of the distributions that the core has none of.
 *
 * Arithmetic is that of _functions.cuh, in double whatever the result is stored as, so that
 * devices agree to the bit.
 *
 *   _stream.cuh                      an element's random words
 *   _parts.cuh                       gamma, Poisson and binomial numbers
 *   _continuous.cuh, _discrete.cuh   the samplers
 *   _fill.cuh                        arrays of their numbers
 *   _transforms.cuh                  functions of one number
 *
 * Each takes its parameters a, b and c as numbers of fill_plan or as arrays, NULL where they
 * are numbers, and stores its numbers as Y or as the narrower type of its kind.
 */
#include "_continuous.cuh"
#include "_discrete.cuh"
#include "_fill.cuh"
#include "_kernels.h"
#include "_transforms.cuh"

/* ---- numbers of one distribution --------------------------------------------------------- */

/* What makes the numbers of a distribution, and whether `fill_pairs` does, or `fill`. */
template <int D>
struct distribution_of;

#define BY_SAMPLER(NAME, name)                                                         \
    template <>                                                                        \
    struct distribution_of<DISTRIBUTION_##NAME> {                                      \
        typedef name##_sampler sampler;                                                \
        enum { IN_PAIRS = 0 };                                                         \
    };
#define BY_TRANSFORM(NAME, name)                                                       \
    template <>                                                                        \
    struct distribution_of<DISTRIBUTION_##NAME> {                                      \
        typedef name##_transform sampler;                                              \
        enum { IN_PAIRS = 1 };                                                         \
    };
BY_SAMPLER(BETA, beta)
BY_SAMPLER(BINOMIAL, binomial)
BY_SAMPLER(CHISQUARE, chisquare)
BY_SAMPLER(F, f)
BY_SAMPLER(GAMMA, gamma)
BY_SAMPLER(GEOMETRIC, geometric)
BY_SAMPLER(HYPERGEOMETRIC, hypergeometric)
BY_SAMPLER(LOGSERIES, logseries)
BY_SAMPLER(NEGATIVE_BINOMIAL, negative_binomial)
BY_SAMPLER(NONCENTRAL_CHISQUARE, noncentral_chisquare)
BY_SAMPLER(NONCENTRAL_F, noncentral_f)
BY_SAMPLER(POISSON, poisson)
BY_SAMPLER(STANDARD_T, standard_t)
BY_SAMPLER(VONMISES, vonmises)
BY_SAMPLER(WALD, wald)
BY_SAMPLER(ZIPF, zipf)
BY_TRANSFORM(GUMBEL, gumbel)
BY_TRANSFORM(LAPLACE, laplace)
BY_TRANSFORM(LOGISTIC, logistic)
BY_TRANSFORM(LOGNORMAL, lognormal)
BY_TRANSFORM(PARETO, pareto)
BY_TRANSFORM(POWER, power)
BY_TRANSFORM(RAYLEIGH, rayleigh)
BY_TRANSFORM(STANDARD_CAUCHY, standard_cauchy)
BY_TRANSFORM(TRIANGULAR, triangular)
BY_TRANSFORM(WEIBULL, weibull)

/* Launched as `fill` and `fill_pairs` are. */
template <class Y, int D>
__global__ void
distribution_fill(void *out, const double *a, const double *b, const double *c,
                  const __grid_constant__ fill_plan p,
                  const __grid_constant__ fill_spread s)
{
    typedef distribution_of<D> of;
    if constexpr (of::IN_PAIRS) {
        fill_pairs<Y>(out, sampler_of<typename of::sampler>(a, b, c, p, s), p);
    } else {
        fill<Y>(out, sampler_of<typename of::sampler>(a, b, c, p, s), p);
    }
}

/* ---- several numbers that depend on each other -------------------------------------------
 * Templates, for all that each is of one type: so they are compiled where they are asked for.
 */

/* A gamma number, or its logarithm. */
struct dirichlet_sampler {
    enum { BLOCKS = 1, NORMALS = 1, BOOSTS = 1, TRIALS = 0 };
    gamma_part part;
    bool logarithm;
    __device__ bool boosts() const { return part.shape < 1; }
    __device__ dirichlet_sampler(double a, bool l) : part(a), logarithm(l) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!logarithm) return part.boosted(s, 0);
        if (part.shape == 0) return -INFINITE;
        return log_of_any(part.boosted(s, 0)) + part.log_boost(s, 0);
    }
};

/* A row over its sum, where it has logarithms by way of the largest. */
template <class Y>
__device__ inline void
divide_by_sum(Y *x, long long k, bool logs, double most)
{
    double sum = 0;

    for (long long c = 0; c < k; c++) {
        if (logs) x[c] = exp_of(x[c] - most);
        sum += x[c];
    }
    for (long long c = 0; c < k; c++) x[c] /= sum;
}

/* Rows of k numbers whose sum is 1: gamma numbers over their sum. Number c of a row is
 * element row * k + c. Where a shape is below 1 logarithms are kept, as all of a row may be
 * below the least double. Launch: elements(rows). */
template <class Y>
__global__ void
dirichlet_fill(Y *out, long long rows, word64 key, word64 counter, const double *alpha,
               long long k)
{
    bool logs = false;

    for (long long c = 0; c < k; c++) logs = logs || alpha[c] < 1;
    CUPRIC_EACH (row, rows) {
        Y *const x = out + row * k;
        double most = -INFINITE;
        for (long long c = 0; c < k; c++) {
            const stream<0, 0> s(key, counter, (word64)(row * k + c));
            x[c] = dirichlet_sampler(alpha[c], logs)(s);
            most = x[c] > most ? x[c] : most;
        }
        divide_by_sum(x, k, logs, most);
    }
}

/* Rows of k counts whose sum is n: each a binomial number of what those before it left, the
 * last the rest. Count c of a row is element row * k + c. Launch: elements(rows). */
template <class Y>
__global__ void
multinomial_fill(Y *out, const double *n, const double *p,
                 const __grid_constant__ multinomial_plan m)
{
    const parameter counts = {n, m.n, m.n_repeat, m.n_period};

    CUPRIC_EACH (row, m.rows) {
        const double *const at = p + row % m.p_rows * m.k;
        Y *const x = out + row * m.k;
        double left = counts[row] >= 0 ? floor(counts[row]) : NOT_A_NUMBER, share = 1;
        for (long long c = 0; c < m.k - 1; c++) {
            double drawn = left;
            if (left > 0 && !(at[c] >= share)) {
                const stream<0, 0> s(m.key, m.counter, (word64)(row * m.k + c));
                drawn = binomial_part(left, at[c] / share)(s, 0);
            }
            x[c] = stored<Y>::of(drawn);
            left -= drawn;
            share -= at[c];
        }
        if (m.k > 0) x[m.k - 1] = stored<Y>::of(left);
    }
}

/* A word that depends on all bits of x and the key (the finalizer of splitmix64: G. L. Steele,
 * D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014). */
__device__ inline word64
mixed(word64 x, word64 key)
{
    x += key;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Element i of a random order of [0, population): a Feistel network (M. Luby, C. Rackoff, "How
 * to construct pseudorandom permutations from pseudorandom functions", 1988) on the least
 * power of two that is large enough, again from where it leads until that is below
 * (J. Black, P. Rogaway, "Ciphers with arbitrary finite domains", 2002). The halves differ
 * by a bit where the power is odd. Launch: elements(n). */
template <class Y>
__global__ void
order_fill(Y *out, long long n, word64 key, word64 counter, long long population)
{
    enum { ROUNDS = 12 };
    word64 keys[ROUNDS];
    int bits = 1;

    for (int r = 0; r < ROUNDS; r += 2) {
        const cupric::philox_block b = cupric::random_block(key, counter, (word64)r, 0);
        keys[r] = (word64)b.word[1] << 32 | b.word[0];
        keys[r + 1] = (word64)b.word[3] << 32 | b.word[2];
    }
    while (bits < 62 && (population - 1) >> bits) bits++;
    const int low_bits = bits / 2, high_bits = bits - low_bits;
    CUPRIC_EACH (i, n) {
        word64 x = (word64)i;
        do {
            word64 low = x & ((1ull << low_bits) - 1), high = x >> low_bits;
            for (int r = 0; r < ROUNDS; r += 2) {
                high ^= mixed(low, keys[r]) >> (64 - high_bits);
                low ^= low_bits ? mixed(high, keys[r + 1]) >> (64 - low_bits) : 0;
            }
            x = high << low_bits | low;
        } while (x >= (word64)population);
        out[i] = (Y)x;
    }
}
