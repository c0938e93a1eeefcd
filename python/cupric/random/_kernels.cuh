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

/* ---- numbers by samplers: launched as `fill` is ------------------------------------------ */

template <class Y>
__global__ void
beta_fill(void *out, const double *a, const double *b, const double *c,
          const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<beta_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
binomial_fill(void *out, const double *a, const double *b, const double *c,
              const __grid_constant__ fill_plan p,
              const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<binomial_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
chisquare_fill(void *out, const double *a, const double *b, const double *c,
               const __grid_constant__ fill_plan p,
               const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<chisquare_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
f_fill(void *out, const double *a, const double *b, const double *c,
       const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<f_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
gamma_fill(void *out, const double *a, const double *b, const double *c,
           const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<gamma_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
geometric_fill(void *out, const double *a, const double *b, const double *c,
               const __grid_constant__ fill_plan p,
               const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<geometric_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
hypergeometric_fill(void *out, const double *a, const double *b, const double *c,
                    const __grid_constant__ fill_plan p,
                    const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<hypergeometric_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
logseries_fill(void *out, const double *a, const double *b, const double *c,
               const __grid_constant__ fill_plan p,
               const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<logseries_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
negative_binomial_fill(void *out, const double *a, const double *b, const double *c,
                       const __grid_constant__ fill_plan p,
                       const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<negative_binomial_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
noncentral_chisquare_fill(void *out, const double *a, const double *b, const double *c,
                          const __grid_constant__ fill_plan p,
                          const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<noncentral_chisquare_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
noncentral_f_fill(void *out, const double *a, const double *b, const double *c,
                  const __grid_constant__ fill_plan p,
                  const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<noncentral_f_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
poisson_fill(void *out, const double *a, const double *b, const double *c,
             const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<poisson_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
standard_t_fill(void *out, const double *a, const double *b, const double *c,
                const __grid_constant__ fill_plan p,
                const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<standard_t_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
vonmises_fill(void *out, const double *a, const double *b, const double *c,
              const __grid_constant__ fill_plan p,
              const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<vonmises_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
wald_fill(void *out, const double *a, const double *b, const double *c,
          const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<wald_sampler>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
zipf_fill(void *out, const double *a, const double *b, const double *c,
          const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill<Y>(out, sampler_of<zipf_sampler>(a, b, c, p, s), p);
}

/* ---- and by transforms, as `fill_pairs` is ----------------------------------------------- */

template <class Y>
__global__ void
gumbel_fill(void *out, const double *a, const double *b, const double *c,
            const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<gumbel_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
laplace_fill(void *out, const double *a, const double *b, const double *c,
             const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<laplace_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
logistic_fill(void *out, const double *a, const double *b, const double *c,
              const __grid_constant__ fill_plan p,
              const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<logistic_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
lognormal_fill(void *out, const double *a, const double *b, const double *c,
               const __grid_constant__ fill_plan p,
               const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<lognormal_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
pareto_fill(void *out, const double *a, const double *b, const double *c,
            const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<pareto_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
power_fill(void *out, const double *a, const double *b, const double *c,
           const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<power_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
rayleigh_fill(void *out, const double *a, const double *b, const double *c,
              const __grid_constant__ fill_plan p,
              const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<rayleigh_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
standard_cauchy_fill(void *out, const double *a, const double *b, const double *c,
                     const __grid_constant__ fill_plan p,
                     const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<standard_cauchy_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
triangular_fill(void *out, const double *a, const double *b, const double *c,
                const __grid_constant__ fill_plan p,
                const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<triangular_transform>(a, b, c, p, s), p);
}

template <class Y>
__global__ void
weibull_fill(void *out, const double *a, const double *b, const double *c,
             const __grid_constant__ fill_plan p, const __grid_constant__ fill_spread s)
{
    fill_pairs<Y>(out, sampler_of<weibull_transform>(a, b, c, p, s), p);
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
