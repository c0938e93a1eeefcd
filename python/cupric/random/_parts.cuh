/* _parts.cuh: the gamma, Poisson and binomial distributions, of which others are made.
 *
 * Each is made of its parameters, and gives a number of an element's stream, at a stage.
 */
#include "_stream.cuh"

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

    /* The first attempt, without logarithms: whether x is one of the boosted shape. */
    template <class S>
    __device__ bool quickly_boosted(const S &s, int stage, double *x) const
    {
        const cupric::philox_block b = s.block(stage, 0);
        const double y = s.normal(stage, 0, b), t = 1.0 + c * y;
        const double v = t * t * t, z = y * y;
        const double u = ((double)b.word[3] + 0.5) * 0x1p-32;
        *x = d * v;
        return (t > 0) & (shape > 0) & ((u < 1.0 - 0.0331 * (z * z)) | (d > 1e12));
    }

    /* The logarithm of the boost, which may be far below that of the least double. */
    template <class S>
    __device__ double log_boost(const S &s, int stage) const
    {
        if (!(shape < 1)) return 0;
        return -s.boost(stage) / shape;
    }

    template <class S>
    __device__ double operator()(const S &s, int stage) const
    {
        if (shape == 0) return 0;
        const double x = boosted(s, stage);
        return shape < 1 ? x * exp_of(log_boost(s, stage)) : x;
    }

    template <class S>
    __device__ bool trial(const S &s, int stage, double *x) const
    {
        const bool done = quickly_boosted(s, stage, x);
        if (shape < 1) *x *= exp_of(log_boost(s, stage));
        return done;
    }
};

/* 1 / k of k >= 1: dividing takes long where a search does little else. */
__device__ inline double
reciprocal(int k)
{
    static const double of[] = {
        0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
        1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
        1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
        1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31};
    return k < 32 ? of[k] : 1.0 / k;
}

/* The Poisson distribution: below 10 by search through the probabilities, else PTRS
 * (W. Hoermann, "The transformed rejection method for generating Poisson random variables",
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
            double u = uniform(s.block(stage, 0), 0), p = b;
            int k = 0;
            while (u > p && p > 0x1p-70) {
                u -= p;
                k += 1;
                p *= mean * reciprocal(k);
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

    /* The first attempt, without logarithms. */
    template <class S>
    __device__ bool trial(const S &s, int stage, double *x) const
    {
        if (!(mean >= 10 && mean < 0x1p63)) {
            *x = (*this)(s, stage);
            return true;
        }
        const cupric::philox_block w = s.block(stage, 0);
        const double u = uniform(w, 0) - 0.5, v = positive_uniform(w, 1);
        const double near = 0.5 - fabs(u);
        *x = floor((2.0 * a / near + b) * u + mean + 0.43);
        return (near >= 0.07) & (v <= limit);
    }
};

/* The binomial distribution, at p <= 1/2: by search where n p < 10, else BTRS (W. Hoermann,
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
        double u = uniform(s.block(stage, 0), 0), f = b;
        int k = 0;
        while (u > f && k < n && f > 0x1p-70) {
            u -= f;
            k += 1;
            f *= a * ((n - k + 1.0) * reciprocal(k));
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
        if (!(n >= 0 && n <= 0x1p63 && p >= 0)) return NOT_A_NUMBER;
        const double k = n * p < 10 ? search(s, stage) : rejection(s, stage);
        return flipped ? n - k : k;
    }

    /* The first attempt, without logarithms. */
    template <class S>
    __device__ bool trial(const S &s, int stage, double *x) const
    {
        if (!(n * p >= 10 && n <= 0x1p63)) {
            *x = (*this)(s, stage);
            return true;
        }
        const cupric::philox_block w = s.block(stage, 0);
        const double u = uniform(w, 0) - 0.5, v = positive_uniform(w, 1);
        const double near = 0.5 - fabs(u);
        const double k = floor((2.0 * a / near + b) * u + n * p + 0.5);
        *x = flipped ? n - k : k;
        return (near >= 0.07) & (v <= limit);
    }
};
