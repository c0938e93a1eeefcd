/* _kernels.cuh: numbers of the distributions that are made by rejection, by search or
 * of several others.
 *
 * Element j has a stream of its own: block (stage, attempt) of it is block j of the fill's
 * attempt stage << 12 | attempt (cupric/philox.hpp). What is one number of another
 * distribution takes a stage, and what is rejected the next attempt of its stage. So an
 * element depends on key, counter, its number and its parameters alone. Arithmetic is that of
 * _functions.cuh, in double whatever the result is stored as, so that devices agree to the
 * bit.
 *
 * A distribution is a sampler, made of its parameters, and called with an element's
 * stream:
 *
 *   BLOCKS    of how many stages the first block is wanted by every element
 *   NORMALS   of how many of these the first normal number is
 *
 * On the CPU these are computed for a run of elements at once, by loops that vectorise.
 * What is left is a few multiplications for most elements. Parameters that cannot be give
 * NaN. No loop is endless.
 */
#include "_functions.cuh"

enum { RUN = 128, ATTEMPTS = 4096, FIRST_OF_BOOSTS = 8 };

typedef unsigned long long word64;

/* ---- an element's stream --------------------------------------------------------------- */

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

/* ---- of what samplers are made ----------------------------------------------------------- */

/* The gamma distribution (G. Marsaglia, W. W. Tsang, "A simple method for generating gamma
 * variables", 2000). Shapes below 1 are boosted: shape a is a + 1 times u**(1 / a). */
struct gamma_part {
    double shape, d, c;

    __device__ explicit gamma_part(double a) : shape(a)
    {
        d = (a < 1 ? a + 1.0 : a) - 1.0 / 3.0;
        c = 1.0 / (3.0 * sqrt(d));
    }

    /* One of the boosted shape. Beyond d = 1e12 the last test holds but for one in 1e12. */
    template <class S>
    __device__ double boosted(const S &s, int stage) const
    {
        for (int attempt = 0; attempt < ATTEMPTS && shape > 0; attempt++) {
            const cupric::philox_block b = s.block(stage, attempt);
            const double x = s.normal(stage, attempt, b), t = 1.0 + c * x;
            const double v = t * t * t, z = x * x;
            const double u = ((double)b.word[3] + 0.5) * 0x1p-32;
            if (!(t > 0)) continue;
            if (u < 1.0 - 0.0331 * (z * z) || d > 1e12) return d * v;
            if (cupric::log_of(u) < 0.5 * z + d * (1.0 - v + cupric::log_of(v)))
                return d * v;
        }
        return NOT_A_NUMBER;
    }

    /* The logarithm of the boost, which may be far below that of the least double. */
    template <class S>
    __device__ double log_boost(const S &s, int stage) const
    {
        if (!(shape < 1)) return 0;
        const cupric::philox_block b = s.another(stage + FIRST_OF_BOOSTS, 0);
        return -cupric::log_uniform(b.word[1], b.word[0]) / shape;
    }

    template <class S>
    __device__ double operator()(const S &s, int stage) const
    {
        if (shape == 0) return 0;
        const double x = boosted(s, stage);
        return shape < 1 ? x * exp_of(log_boost(s, stage)) : x;
    }
};

/* The Poisson distribution: below 10 by search through the probabilities, else PTRS
 * (W. Hörmann, "The transformed rejection method for generating Poisson random variables",
 * 1993). */
struct poisson_part {
    double mean, a, b, limit; /* for a search b is the probability of 0 */

    __device__ explicit poisson_part(double lam) : mean(lam)
    {
        if (lam < 10) {
            a = limit = 0;
            b = exp_of(-lam);
        } else {
            b = 0.931 + 2.53 * sqrt(lam);
            a = -0.059 + 0.02483 * b;
            limit = 0.9277 - 3.6224 / (b - 2.0);
        }
    }

    template <class S>
    __device__ double operator()(const S &s, int stage) const
    {
        if (!(mean >= 0 && mean < 0x1p63)) return NOT_A_NUMBER;
        if (mean < 10) {
            double u = uniform(s.block(stage, 0), 0), p = b, k = 0;
            while (u > p && p > 0x1p-70) {
                u -= p;
                k += 1;
                p *= mean / k;
            }
            return k;
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            const cupric::philox_block w = s.block(stage, attempt);
            const double u = uniform(w, 0) - 0.5, v = positive_uniform(w, 1);
            const double near = 0.5 - fabs(u);
            const double k = floor((2.0 * a / near + b) * u + mean + 0.43);
            if (near >= 0.07 && v <= limit) return k;
            if (k < 0 || (near < 0.013 && v > near)) continue;
            const double scale =
                (1.1239 + 1.1328 / (b - 3.4)) / (a / (near * near) + b);
            if (cupric::log_of(v * scale) <= log_poisson(k, mean)) return k;
        }
        return NOT_A_NUMBER;
    }
};

/* The binomial distribution, at p <= 1/2: by search where n p < 10, else BTRS (W. Hörmann,
 * "The generation of binomial random variates", 1993). */
struct binomial_part {
    double n, p, q, a, b, limit; /* for a search: a = p / q, b the probability of 0 */
    double at_mode;              /* its logarithm there */
    bool flipped;

    __device__ binomial_part(double count, double probability) : n(count)
    {
        flipped = probability > 0.5;
        p = flipped ? 1.0 - probability : probability;
        q = 1.0 - p;
        if (n * p < 10) {
            limit = at_mode = 0;
            a = p / q;
            b = exp_of(n * log1p_of(-p));
        } else {
            b = 1.15 + 2.53 * sqrt(n * p * q);
            a = -0.0873 + 0.0248 * b + 0.01 * p;
            limit = 0.92 - 4.2 / b;
            at_mode = log_binomial(floor((n + 1.0) * p), n, p, q);
        }
    }

    template <class S>
    __device__ double search(const S &s, int stage) const
    {
        double u = uniform(s.block(stage, 0), 0), f = b, k = 0;
        while (u > f && k < n && f > 0x1p-70) {
            u -= f;
            k += 1;
            f *= a * ((n - k + 1.0) / k);
        }
        return k;
    }

    template <class S>
    __device__ double rejection(const S &s, int stage) const
    {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            const cupric::philox_block w = s.block(stage, attempt);
            const double u = uniform(w, 0) - 0.5, v = positive_uniform(w, 1);
            const double near = 0.5 - fabs(u);
            const double k = floor((2.0 * a / near + b) * u + n * p + 0.5);
            if (near >= 0.07 && v <= limit) return k;
            if (!(k >= 0 && k <= n)) continue;
            const double scale =
                (2.83 + 5.1 / b) * sqrt(n * p * q) / (a / (near * near) + b);
            if (cupric::log_of(v * scale) <= log_binomial(k, n, p, q) - at_mode)
                return k;
        }
        return NOT_A_NUMBER;
    }

    template <class S>
    __device__ double operator()(const S &s, int stage) const
    {
        if (!(n >= 0 && n < 0x1p63 && p >= 0)) return NOT_A_NUMBER;
        const double k = n * p < 10 ? search(s, stage) : rejection(s, stage);
        return flipped ? n - k : k;
    }
};

/* ---- the samplers: parameters p[0], p[1], p[2] --------------------------------------------- */

struct gamma_sampler {
    enum { BLOCKS = 1, NORMALS = 1 };
    gamma_part part;
    double scale;
    __device__ explicit gamma_sampler(const double *p) : part(p[0]), scale(p[1]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return scale >= 0 ? scale * part(s, 0) : NOT_A_NUMBER;
    }
};

struct chisquare_sampler {
    enum { BLOCKS = 1, NORMALS = 1 };
    gamma_part part;
    __device__ explicit chisquare_sampler(const double *p) : part(0.5 * p[0]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part.shape > 0 ? 2.0 * part(s, 0) : NOT_A_NUMBER;
    }
};

/* x / (x + y) of two gamma numbers, by the ratio of their boosts: either alone may be 0. */
struct beta_sampler {
    enum { BLOCKS = 2, NORMALS = 2 };
    gamma_part a, b;
    __device__ explicit beta_sampler(const double *p) : a(p[0]), b(p[1]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const double x = a.boosted(s, 0), y = b.boosted(s, 1);
        if (a.shape >= 1 && b.shape >= 1) return x / (x + y);
        return x / (x + y * exp_of(b.log_boost(s, 1) - a.log_boost(s, 0)));
    }
};

struct f_sampler {
    enum { BLOCKS = 2, NORMALS = 2 };
    gamma_part above, below;
    __device__ explicit f_sampler(const double *p)
        : above(0.5 * p[0]), below(0.5 * p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(above.shape > 0 && below.shape > 0)) return NOT_A_NUMBER;
        return above(s, 0) * below.shape / (below(s, 1) * above.shape);
    }
};

struct standard_t_sampler {
    enum { BLOCKS = 2, NORMALS = 2 };
    gamma_part part;
    __device__ explicit standard_t_sampler(const double *p) : part(0.5 * p[0]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(part.shape > 0)) return NOT_A_NUMBER;
        return s.normal(1, 0, s.block(1, 0)) * sqrt(part.shape / part(s, 0));
    }
};

/* Above one degree of freedom: one is that of the shifted normal number. Else a Poisson
 * mixture. Stages 0 and 1. */
struct noncentral_part {
    gamma_part part;
    double df, nonc, shift;
    __device__ noncentral_part(double d, double c)
        : part(0.5 * (d > 1 ? d - 1.0 : d)), df(d), nonc(c), shift(sqrt(c))
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(df > 0 && nonc >= 0)) return NOT_A_NUMBER;
        if (df > 1) {
            const double z = s.normal(1, 0, s.block(1, 0)) + shift;
            return 2.0 * part(s, 0) + z * z;
        }
        const double more = poisson_part(0.5 * nonc)(s, 1);
        return more == 0 ? 2.0 * part(s, 0) : 2.0 * gamma_part(part.shape + more)(s, 0);
    }
};

struct noncentral_chisquare_sampler {
    enum { BLOCKS = 2, NORMALS = 2 };
    noncentral_part part;
    __device__ explicit noncentral_chisquare_sampler(const double *p) : part(p[0], p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part(s);
    }
};

struct noncentral_f_sampler {
    enum { BLOCKS = 3, NORMALS = 3 };
    noncentral_part above;
    gamma_part below;
    __device__ explicit noncentral_f_sampler(const double *p)
        : above(p[0], p[2]), below(0.5 * p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(below.shape > 0)) return NOT_A_NUMBER;
        return above(s) * below.shape / (below(s, 2) * above.df);
    }
};

/* D. J. Best, N. I. Fisher, "Efficient simulation of the von Mises distribution", 1979, with
 * their s as r / (2 kappa), r = 1 + sqrt(1 + 4 kappa**2): then no digits cancel, also where
 * kappa is 0 or large, and the arcus cosine becomes an arcus tangent of half the angle. */
struct vonmises_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    double mu, kappa, r, narrow;
    __device__ explicit vonmises_sampler(const double *p) : mu(p[0]), kappa(p[1])
    {
        /* Beyond, the distribution is the normal one, whose width goes by the root. */
        const double most = 1e8, k = kappa > most ? most : kappa;
        const double root = sqrt(1.0 + 4.0 * k * k);
        r = 1.0 + root;
        narrow = sqrt((1.0 + 1.0 / (root + 2.0 * k)) / (r + 2.0 * k));
        if (kappa > most) narrow *= sqrt(most / kappa);
        kappa = kappa > most ? most : kappa;
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const double pi = 3.14159265358979323846;
        if (!(kappa >= 0)) return NOT_A_NUMBER;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            const cupric::philox_block b = s.block(0, attempt);
            double cosine, sine;
            cupric::circle(b.word[1], b.word[0], &cosine, &sine);
            const double y = r / (r + 2.0 * kappa * cosine), v = positive_uniform(b, 1);
            if (y * (2.0 - y) < v && log_of_any(y / v) + 1.0 - y < 0) continue;
            const double angle =
                mu + 2.0 * atan_of(narrow * sine / (1.0 + cosine + 0x1p-60));
            return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
        }
        return NOT_A_NUMBER;
    }
};

/* J. R. Michael, W. R. Schucany, R. W. Haas, "Generating random variates using
 * transformations with multiple roots", 1976. The smaller root times the larger is
 * mean**2, so that neither needs a difference. */
struct wald_sampler {
    enum { BLOCKS = 2, NORMALS = 1 };
    double mean, ratio;
    __device__ explicit wald_sampler(const double *p)
        : mean(p[0] > 0 && p[1] > 0 ? p[0] : NOT_A_NUMBER), ratio(0.5 * p[0] / p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const double z = s.normal(0, 0, s.block(0, 0)), w = ratio * (z * z);
        const double larger = 1.0 + w + sqrt(w * (2.0 + w));
        const double u = uniform(s.block(1, 0), 0);
        return u * (1.0 + larger) < larger ? mean / larger : mean * larger;
    }
};

struct poisson_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    poisson_part part;
    __device__ explicit poisson_sampler(const double *p) : part(p[0]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part(s, 0);
    }
};

struct binomial_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    binomial_part part;
    __device__ explicit binomial_sampler(const double *p) : part(floor(p[0]), p[1]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part(s, 0);
    }
};

/* A Poisson number whose mean is a gamma number. */
struct negative_binomial_sampler {
    enum { BLOCKS = 2, NORMALS = 1 };
    gamma_part part;
    double odds;
    __device__ explicit negative_binomial_sampler(const double *p)
        : part(p[0]), odds((1.0 - p[1]) / p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(odds >= 0 && part.shape > 0)) return NOT_A_NUMBER;
        return poisson_part(odds == 0 ? 0 : odds * part(s, 0))(s, 1);
    }
};

/* An exponential number in steps of -log(1 - p), rounded up. */
struct geometric_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    double step;
    __device__ explicit geometric_sampler(const double *p)
        : step(p[0] > 0 ? -log1p_of(-p[0]) : NOT_A_NUMBER)
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const cupric::philox_block b = s.block(0, 0);
        const double x = cupric::log_uniform(b.word[1], b.word[0]) / step;
        return x <= 1 ? 1 : -floor(-x);
    }
};

/* A. W. Kemp, "Efficient generation of logarithmically distributed pseudo-random
 * variables", 1981, algorithm LK. */
struct logseries_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    double p, r;
    __device__ explicit logseries_sampler(const double *given)
        : p(given[0]), r(log1p_of(-given[0]))
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const cupric::philox_block b = s.block(0, 0);
        const double v = positive_uniform(b, 0);
        if (!(p >= 0 && p < 1)) return NOT_A_NUMBER;
        if (v >= p) return 1;
        const double q = -expm1_of(r * positive_uniform(b, 1));
        if (v > q) return 1;
        if (v > q * q) return 2;
        return floor(1.0 + cupric::log_of(v) / log_of_any(q));
    }
};

/* L. Devroye, "Non-uniform random variate generation", 1986, chapter X.6, among the numbers
 * below 2**63. */
struct zipf_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    double above, least, b_less_1; /* a - 1; the least u; 2**(a - 1) - 1 */
    __device__ explicit zipf_sampler(const double *p) : above(p[0] - 1.0)
    {
        least = exp_of(-above * 43.66827237527655449);
        b_less_1 = expm1_of(above * 0.69314718055994530942);
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(above > 0)) return NOT_A_NUMBER;
        if (above > 1000) return 1;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            const cupric::philox_block w = s.block(0, attempt);
            const double u = least + (1.0 - least) * positive_uniform(w, 0);
            const double x = floor(exp_of(-log_of_any(u) / above));
            if (!(x >= 1 && x < 0x1p63)) continue;
            const double t = expm1_of(above * log1p_of(1.0 / x));
            if (uniform(w, 1) * x * t * (b_less_1 + 1.0) <= (t + 1.0) * b_less_1)
                return x;
        }
        return NOT_A_NUMBER;
    }
};

/* Of the rarer kind, in the smaller of sample and rest: by search from the mode to both
 * sides where that takes few steps, else HRUA (E. Stadlober, "The ratio of uniforms approach
 * for generating discrete random variates", 1990). */
struct hypergeometric_sampler {
    enum { BLOCKS = 1, NORMALS = 0 };
    double good, rare, common, sample, drawn;
    double mode, at_mode; /* its logarithm, for a search its probability */
    double a, b, h;       /* h = 0: a search */
    bool good_is_rare;

    __device__ explicit hypergeometric_sampler(const double *p)
    {
        const double bad = floor(p[1]);
        good = floor(p[0]);
        sample = floor(p[2]);
        const double all = good + bad;
        good_is_rare = good <= bad;
        rare = good_is_rare ? good : bad;
        common = good_is_rare ? bad : good;
        drawn = sample < all - sample ? sample : all - sample;
        const double f = drawn / all;
        const double variance = (all - drawn) * f * rare * (common / all) / (all - 1.0);
        mode = floor((drawn + 1.0) * (rare + 1.0) / (all + 2.0));
        at_mode = log_probability(mode, f);
        if (!(variance >= 100)) {
            a = b = h = 0;
            at_mode = exp_of(at_mode - log_binomial(drawn, all, f, 1.0 - f));
        } else {
            const double c = sqrt(variance + 0.5);
            const double most = drawn < rare ? drawn : rare;
            a = f * rare + 0.5;
            h = 1.7155277699214135 * c + 0.8989161620588988;
            b = floor(a + 16.0 * c);
            b = b < most + 1.0 ? b : most + 1.0;
        }
    }

    __device__ double log_probability(double k, double p) const
    {
        return log_binomial(k, rare, p, 1.0 - p) +
               log_binomial(drawn - k, common, p, 1.0 - p);
    }

    /* The probability of k over that of k - 1: 0 or less, or infinite, at the ends. */
    __device__ double step(double k) const
    {
        return (rare - k + 1.0) * (drawn - k + 1.0) / (k * (common - drawn + k));
    }

    template <class S>
    __device__ double search(const S &s) const
    {
        double u = uniform(s.block(0, 0), 0) - at_mode;
        double down = mode, up = mode, f = at_mode, g = at_mode;
        while (u >= 0 && (f > 0x1p-70 || g > 0x1p-70)) {
            f = down > 0 ? f / step(down) : 0;
            down -= 1;
            u -= f;
            if (u < 0) return down;
            up += 1;
            g = g > 0 ? g * step(up) : 0;
            u -= g;
            if (u < 0) return up;
        }
        return mode;
    }

    template <class S>
    __device__ double rejection(const S &s) const
    {
        const double p = drawn / (rare + common);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            const cupric::philox_block w = s.block(0, attempt);
            const double u = positive_uniform(w, 0);
            const double x = a + h * (uniform(w, 1) - 0.5) / u, k = floor(x);
            if (!(x >= 0 && x < b)) continue;
            const double t = log_probability(k, p) - at_mode;
            if (u * (4.0 - u) - 3.0 <= t) return k;
            if (u * (u - t) >= 1) continue;
            if (2.0 * cupric::log_of(u) <= t) return k;
        }
        return NOT_A_NUMBER;
    }

    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(rare >= 0 && drawn >= 0 && common < 0x1p62)) return NOT_A_NUMBER;
        double k = h == 0 ? search(s) : rejection(s);
        if (!good_is_rare) k = drawn - k;
        return drawn < sample ? good - k : k;
    }
};

/* ---- fills ------------------------------------------------------------------------------- */

/* How a number is stored: integers saturate; NaN is -1, the largest of unsigned ones. */
template <class Y>
struct stored {
    __device__ static Y of(double x) { return (Y)x; }
};
template <>
struct stored<long long> {
    __device__ static long long of(double x)
    {
        if (x != x) return -1;
        return fabs(x) < 0x1p63 ? (long long)x : 0x7fffffffffffffffll;
    }
};
template <>
struct stored<int> {
    __device__ static int of(double x) { return (int)stored<long long>::of(x); }
};

/* A parameter for each element: a number, or an array that is broadcast. */
struct parameter {
    const double *at; /* NULL: the number */
    double number;
    long long repeat, period; /* element i has at[i / repeat % period] */

    __device__ double operator[](long long i) const
    {
        if (!at) return number;
        if (repeat != 1) i /= repeat;
        return at[i < period ? i : i % period];
    }
};

#define PARAMETER(x)                                                                   \
    const double *x, double x##_number, long long x##_repeat, long long x##_period
#define GIVEN(x)                                                                       \
    parameter                                                                          \
    {                                                                                  \
        x, x##_number, x##_repeat, x##_period                                          \
    }

template <class Sampler>
struct sampler_of {
    parameter p[3];
    __device__ Sampler operator[](long long i) const
    {
        const double at[] = {p[0][i], p[1][i], p[2][i]};
        return Sampler(at);
    }
};

#if defined(CUPRIC_HOST)
/* Functions that compilers take by themselves: of those that it looks through, GCC 12 leaves
 * out stores that they read (-fipa-modref). WHOLE ones take in all that they call, which
 * compilers cease to do within what is as large as all samplers together: without it
 * loops do not vectorise. */
#define ALONE __attribute__((noipa, noinline))
#define WHOLE __attribute__((noipa, noinline, flatten))

/* What a run of elements begins with, of one stage. */
struct beginnings {
    unsigned int word[4][RUN];
    double normal[RUN];
};

#if defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__)
/* Four counter words, each the lower half of a lane: GCC by itself takes products of 64 bits,
 * and twice as long. What stands in upper halves is not looked at. */
typedef word64 lanes __attribute__((vector_size(32)));
typedef int half_lanes __attribute__((vector_size(32)));

static inline lanes
product(lanes a, word64 b)
{
    return (lanes)__builtin_ia32_pmuludq256((half_lanes)a, (half_lanes)(lanes{} + b));
}

/* Two vectors at a time, to hide the latency of multiplication; the last may go beyond n. */
WHOLE static void
make_blocks(beginnings &all, int n, word64 key, word64 counter, word64 begin, int stage)
{
    for (int at = 0; at < n; at += 8) {
        unsigned int k0 = (unsigned int)key, k1 = (unsigned int)(key >> 32);
        lanes c[2][4];
        for (int g = 0; g < 2; g++) {
            c[g][0] = lanes{0, 1, 2, 3} + (begin + (word64)(at + 4 * g));
            c[g][1] = c[g][0] >> 32 | (word64)stage << 28;
            c[g][2] = lanes{} + counter;
            c[g][3] = lanes{} + (counter >> 32);
        }
        for (int round = 0; round < 10; round++) {
            for (int g = 0; g < 2; g++) {
                const lanes p = product(c[g][0], 0xd2511f53u);
                const lanes q = product(c[g][2], 0xcd9e8d57u);
                c[g][0] = q >> 32 ^ c[g][1] ^ (word64)k0;
                c[g][1] = q;
                c[g][2] = p >> 32 ^ c[g][3] ^ (word64)k1;
                c[g][3] = p;
            }
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        for (int g = 0; g < 2; g++) {
            for (int k = 0; k < 4; k++) {
                for (int i = 0; i < 4; i++)
                    all.word[k][at + 4 * g + i] = (unsigned int)c[g][k][i];
            }
        }
    }
}
#else
WHOLE static void
make_blocks(beginnings &all, int n, word64 key, word64 counter, word64 begin, int stage)
{
    for (int i = 0; i < n; i++) {
        const cupric::philox_block b = cupric::random_block(
            key, counter, begin + (word64)i, (unsigned int)stage << 12);
        for (int k = 0; k < 4; k++) all.word[k][i] = b.word[k];
    }
}
#endif

WHOLE static void
make_normals(beginnings &all, int n)
{
    for (int i = 0; i < n; i++)
        all.normal[i] = block_normal(all.word[0][i], all.word[1][i], all.word[2][i]);
}

/* Elements [begin, begin + n), n <= RUN. */
template <class Sampler, class Y, class Pick>
ALONE static void
fill_run(Y *out, long long begin, int n, word64 key, word64 counter, const Pick &pick)
{
    constexpr int B = Sampler::BLOCKS, N = Sampler::NORMALS;
    beginnings all[B];

    for (int g = 0; g < B; g++) make_blocks(all[g], n, key, counter, (word64)begin, g);
    for (int g = 0; g < N; g++) make_normals(all[g], n);
    for (int i = 0; i < n; i++) {
        stream<B, N> s(key, counter, (word64)(begin + i));
        for (int g = 0; g < B; g++) {
            for (int k = 0; k < 4; k++) s.first[g].word[k] = all[g].word[k][i];
        }
        for (int g = 0; g < N; g++) s.first_normal[g] = all[g].normal[i];
        out[begin + i] = stored<Y>::of(pick(begin + i)(s));
    }
}
#endif

/* Launch: blocks(ceil(n / RUN), RUN). */
template <class Sampler, class Y>
__device__ inline void
fill(Y *out, long long n, word64 key, word64 counter, const sampler_of<Sampler> &given)
{
    const long long runs = (n + RUN - 1) / RUN;
    const bool one = !given.p[0].at && !given.p[1].at && !given.p[2].at;
    const Sampler same = given[0];

    CUPRIC_EACH_BLOCK (run, runs) {
        const long long begin = run * RUN;
#if defined(CUPRIC_HOST)
        const int count = (int)(n - begin < RUN ? n - begin : RUN);
        if (one) {
            fill_run<Sampler>(out, begin, count, key, counter,
                              [&](long long) -> const Sampler & { return same; });
        } else {
            fill_run<Sampler>(out, begin, count, key, counter,
                              [&](long long i) { return given[i]; });
        }
#else
        const long long i = begin + threadIdx.x;
        if (i < n) {
            const stream_of<Sampler> s(key, counter, (word64)i);
            const Sampler own = one ? same : given[i];
            out[i] = stored<Y>::of(own(s));
        }
#endif
    }
}

#define DISTRIBUTION(name)                                                             \
    template <class Y>                                                                 \
    __global__ void name##_fill(Y *out, long long n, word64 key, word64 counter,       \
                                PARAMETER(a), PARAMETER(b), PARAMETER(c))              \
    {                                                                                  \
        fill<name##_sampler>(                                                          \
            out, n, key, counter,                                                      \
            sampler_of<name##_sampler>{{GIVEN(a), GIVEN(b), GIVEN(c)}});               \
    }

DISTRIBUTION(beta)
DISTRIBUTION(binomial)
DISTRIBUTION(chisquare)
DISTRIBUTION(f)
DISTRIBUTION(gamma)
DISTRIBUTION(geometric)
DISTRIBUTION(hypergeometric)
DISTRIBUTION(logseries)
DISTRIBUTION(negative_binomial)
DISTRIBUTION(noncentral_chisquare)
DISTRIBUTION(noncentral_f)
DISTRIBUTION(poisson)
DISTRIBUTION(standard_t)
DISTRIBUTION(vonmises)
DISTRIBUTION(wald)
DISTRIBUTION(zipf)

/* ---- several numbers that depend on each other ------------------------------------------
 * Templates, for all that each is of one type: so they are compiled where they are asked for.
 */

/* A gamma number, or its logarithm. */
struct dirichlet_sampler {
    enum { BLOCKS = 1, NORMALS = 1 };
    gamma_part part;
    bool logarithm;
    __device__ dirichlet_sampler(double a, bool l) : part(a), logarithm(l) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!logarithm) return part.boosted(s, 0);
        if (part.shape == 0) return -INFINITE;
        return log_of_any(part.boosted(s, 0)) + part.log_boost(s, 0);
    }
};

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
#if defined(CUPRIC_HOST)
    const long long end = k * cupric::share_of(rows, blockIdx.x + 1, gridDim.x);
    long long at = k * cupric::share_of(rows, blockIdx.x, gridDim.x);
    for (; at < end; at += RUN) {
        fill_run<dirichlet_sampler>(
            out, at, (int)(end - at < RUN ? end - at : RUN), key, counter,
            [&](long long i) { return dirichlet_sampler(alpha[i % k], logs); });
    }
#endif
    CUPRIC_EACH (row, rows) {
        Y *const x = out + row * k;
        double most = -INFINITE, sum = 0;
        for (long long c = 0; c < k; c++) {
#if !defined(CUPRIC_HOST)
            const stream_of<dirichlet_sampler> s(key, counter, (word64)(row * k + c));
            x[c] = dirichlet_sampler(alpha[c], logs)(s);
#endif
            most = x[c] > most ? x[c] : most;
        }
        for (long long c = 0; c < k; c++) {
            if (logs) x[c] = exp_of(x[c] - most);
            sum += x[c];
        }
        for (long long c = 0; c < k; c++) x[c] /= sum;
    }
}

/* Rows of k counts whose sum is n: each a binomial number of what those before it left, the
 * last the rest. Count c of a row is element row * k + c. Launch: elements(rows). */
template <class Y>
__global__ void
multinomial_fill(Y *out, long long rows, word64 key, word64 counter, PARAMETER(n),
                 const double *p, long long p_rows, long long k)
{
    const parameter counts = GIVEN(n);

    CUPRIC_EACH (row, rows) {
        const double *const at = p + row % p_rows * k;
        Y *const x = out + row * k;
        double left = counts[row] >= 0 ? floor(counts[row]) : NOT_A_NUMBER, share = 1;
        for (long long c = 0; c < k - 1; c++) {
            double drawn = left;
            if (left > 0 && !(at[c] >= share)) {
                const stream_of<binomial_sampler> s(key, counter,
                                                    (word64)(row * k + c));
                drawn = binomial_part(left, at[c] / share)(s, 0);
            }
            x[c] = stored<Y>::of(drawn);
            left -= drawn;
            share -= at[c];
        }
        if (k > 0) x[k - 1] = stored<Y>::of(left);
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
