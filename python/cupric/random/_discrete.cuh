/* _discrete.cuh: samplers of discrete distributions, as _continuous.cuh describes them. A
 * number is a whole double, or NaN.
 */
#include "_parts.cuh"

struct poisson_sampler {
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 1 };
    poisson_part part;
    __device__ explicit poisson_sampler(const double *p) : part(p[0]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part(s, 0);
    }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        return part.trial(s, 0, x);
    }
};

struct binomial_sampler {
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 1 };
    binomial_part part;
    __device__ explicit binomial_sampler(const double *p) : part(floor(p[0]), p[1]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part(s, 0);
    }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        return part.trial(s, 0, x);
    }
};

/* A Poisson number whose mean is a gamma number. */
struct negative_binomial_sampler {
    enum { BLOCKS = 2, NORMALS = 1, BOOSTS = 1, TRIALS = 0 };
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
    __device__ bool boosts() const { return part.shape < 1; }
};

/* An exponential number in steps of -log(1 - p), rounded up. */
struct geometric_sampler {
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 0 };
    double rate; /* 1 over a step */
    __device__ explicit geometric_sampler(const double *p)
        : rate(p[0] > 0 ? -1.0 / log1p_of(-p[0]) : NOT_A_NUMBER)
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const cupric::philox_block b = s.block(0, 0);
        const double x = cupric::log_uniform(b.word[1], b.word[0]) * rate;
        return x <= 1 ? 1 : -floor(-x);
    }
};

/* A. W. Kemp, "Efficient generation of logarithmically distributed pseudo-random
 * variables", 1981, algorithm LK. */
struct logseries_sampler {
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 0 };
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
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 3 };
    /* a - 1; the least u; 2**(a - 1) - 1, or NaN where no trial is to succeed: a condition
     * that all elements share would keep the loop of make_trials from vectorising. */
    double above, least, b_less_1;
    __device__ explicit zipf_sampler(const double *p) : above(p[0] - 1.0)
    {
        least = exp_of(-above * 43.66827237527655449);
        b_less_1 = above > 0 && above <= 1000 ? expm1_of(above * 0.69314718055994530942)
                                              : NOT_A_NUMBER;
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (above > 1000) return 1;
        double x;
        for (int attempt = 0; attempt < ATTEMPTS && above > 0; attempt++) {
            if (trial(s, attempt, &x)) return x;
        }
        return NOT_A_NUMBER;
    }
    template <class S>
    __device__ bool trial(const S &s, int attempt, double *number) const
    {
        const cupric::philox_block w = s.block(0, attempt);
        const double u = least + (1.0 - least) * positive_uniform(w, 0);
        const double x = floor(exp_of(-cupric::log_of(u) / above));
        /* log1p_of(1 / x): where the sum is 1 it is 1 / x. All is computed before anything
         * is chosen, as else the loop of make_trials would not vectorise. */
        const double part = 1.0 / x, sum = 1.0 + part, less_1 = sum - 1.0;
        const double quotient = part / (sum > 1.0 ? less_1 : part);
        const double product = cupric::log_of(sum) * quotient;
        const double log1p = sum > 1.0 ? product : part;
        const double t = expm1_of(above * log1p);
        /* One comparison, as GCC would make control flow of conditions on x alone. */
        const double most = (t + 1.0) * b_less_1, bound = x >= 1 ? most : -1.0;
        const double limit = x < 0x1p63 ? bound : -1.0;
        *number = x;
        return uniform(w, 1) * x * t * (b_less_1 + 1.0) <= limit;
    }
};

/* Of the rarer kind, in the smaller of sample and rest: by search from the mode to both
 * sides where that takes few steps, else HRUA (E. Stadlober, "The ratio of uniforms approach
 * for generating discrete random variates", 1990). */
struct hypergeometric_sampler {
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 0 };
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
        if (!(rare >= 0 && drawn >= 0 && common <= 0x1p63)) return NOT_A_NUMBER;
        double k = h == 0 ? search(s) : rejection(s);
        if (!good_is_rare) k = drawn - k;
        return drawn < sample ? good - k : k;
    }
};
