/* _continuous.cuh: samplers of continuous distributions.
 *
 * A distribution is a sampler, made of its parameters p[0], p[1], p[2], and called with an
 * element's stream:
 *
 *   BLOCKS    of how many stages the first block is wanted by every element
 *   NORMALS   of how many of these the first normal number is
 *
 * Parameters that cannot be give NaN. No loop is endless.
 */
#include "_parts.cuh"

struct gamma_sampler {
    enum { BLOCKS = 1, NORMALS = 1, BOOSTS = 1, TRIALS = 1 };
    gamma_part part;
    double scale;
    __device__ explicit gamma_sampler(const double *p) : part(p[0]), scale(p[1]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return scale >= 0 ? scale * part(s, 0) : NOT_A_NUMBER;
    }
    __device__ bool boosts() const { return part.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        const bool done = part.trial(s, 0, x);
        *x *= scale;
        return done & (scale >= 0);
    }
};

struct chisquare_sampler {
    enum { BLOCKS = 1, NORMALS = 1, BOOSTS = 1, TRIALS = 1 };
    gamma_part part;
    __device__ explicit chisquare_sampler(const double *p) : part(0.5 * p[0]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part.shape > 0 ? 2.0 * part(s, 0) : NOT_A_NUMBER;
    }
    __device__ bool boosts() const { return part.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        const bool done = part.trial(s, 0, x);
        *x *= 2.0;
        return done;
    }
};

/* x / (x + y) of two gamma numbers, by the ratio of their boosts: either alone may be 0. */
struct beta_sampler {
    enum { BLOCKS = 2, NORMALS = 2, BOOSTS = 2, TRIALS = 1 };
    gamma_part a, b;
    __device__ explicit beta_sampler(const double *p) : a(p[0]), b(p[1]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const double x = a.boosted(s, 0), y = b.boosted(s, 1);
        if (a.shape >= 1 && b.shape >= 1) return x / (x + y);
        return x / (x + y * exp_of(b.log_boost(s, 1) - a.log_boost(s, 0)));
    }
    __device__ bool boosts() const { return a.shape < 1 || b.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        double y, z;
        const bool done = a.quickly_boosted(s, 0, &y) & b.quickly_boosted(s, 1, &z);
        if (boosts()) z *= exp_of(b.log_boost(s, 1) - a.log_boost(s, 0));
        *x = y / (y + z);
        return done;
    }
};

struct f_sampler {
    enum { BLOCKS = 2, NORMALS = 2, BOOSTS = 2, TRIALS = 1 };
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
    __device__ bool boosts() const { return above.shape < 1 || below.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        double y, z;
        const bool done = above.trial(s, 0, &y) & below.trial(s, 1, &z);
        *x = y * below.shape / (z * above.shape);
        return done;
    }
};

struct standard_t_sampler {
    enum { BLOCKS = 2, NORMALS = 2, BOOSTS = 1, TRIALS = 1 };
    gamma_part part;
    __device__ explicit standard_t_sampler(const double *p) : part(0.5 * p[0]) {}
    template <class S>
    __device__ double operator()(const S &s) const
    {
        if (!(part.shape > 0)) return NOT_A_NUMBER;
        return s.normal(1, 0, s.block(1, 0)) * sqrt(part.shape / part(s, 0));
    }
    __device__ bool boosts() const { return part.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        double y;
        const bool done = part.trial(s, 0, &y);
        *x = s.normal(1, 0, s.block(1, 0)) * sqrt(part.shape / y);
        return done;
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
        /* Beyond, the degrees of freedom are less than what a double resolves. */
        if (nonc >= 0x1p60) {
            const double z = s.normal(1, 0, s.block(1, 0)) + shift;
            return z * z;
        }
        const double more = poisson_part(0.5 * nonc)(s, 1);
        return more == 0 ? 2.0 * part(s, 0) : 2.0 * gamma_part(part.shape + more)(s, 0);
    }
    template <class S>
    __device__ bool trial(const S &s, double *x) const
    {
        const double z = s.normal(1, 0, s.block(1, 0)) + shift;
        const bool done = part.trial(s, 0, x);
        *x = 2.0 * *x + z * z;
        return done & (df > 1) & (nonc >= 0);
    }
};

struct noncentral_chisquare_sampler {
    enum { BLOCKS = 2, NORMALS = 2, BOOSTS = 1, TRIALS = 1 };
    noncentral_part part;
    __device__ explicit noncentral_chisquare_sampler(const double *p) : part(p[0], p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        return part(s);
    }
    __device__ bool boosts() const { return part.part.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        return part.trial(s, x);
    }
};

struct noncentral_f_sampler {
    enum { BLOCKS = 3, NORMALS = 3, BOOSTS = 3, TRIALS = 1 };
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
    __device__ bool boosts() const { return above.part.shape < 1 || below.shape < 1; }
    template <class S>
    __device__ bool trial(const S &s, int, double *x) const
    {
        double y, z;
        const bool done = above.trial(s, &y) & below.trial(s, 2, &z);
        *x = y * below.shape / (z * above.df);
        return done;
    }
};

/* D. J. Best, N. I. Fisher, "Efficient simulation of the von Mises distribution", 1979, with
 * their s as r / (2 kappa), r = 1 + sqrt(1 + 4 kappa**2): then no digits cancel, also where
 * kappa is 0 or large, and the arcus cosine becomes an arcus tangent of half the angle. */
struct vonmises_sampler {
    enum { BLOCKS = 1, NORMALS = 0, BOOSTS = 0, TRIALS = 3 };
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
        double x;
        for (int attempt = 0; attempt < ATTEMPTS && kappa >= 0; attempt++) {
            if (trial(s, attempt, &x)) return x;
        }
        return NOT_A_NUMBER;
    }
    template <class S>
    __device__ bool trial(const S &s, int attempt, double *x) const
    {
        const double pi = 3.14159265358979323846;
        const cupric::philox_block b = s.block(0, attempt);
        double cosine, sine;
        cupric::circle(b.word[1], b.word[0], &cosine, &sine);
        const double y = r / (r + 2.0 * kappa * cosine), v = positive_uniform(b, 1);
        if (y * (2.0 - y) < v && cupric::log_of(y / v) + 1.0 - y < 0) return false;
        const double angle =
            mu + 2.0 * atan_of(narrow * sine / (1.0 + cosine + 0x1p-60));
        *x = angle - 2.0 * pi * floor((angle + pi) * (0.5 / pi));
        return kappa >= 0;
    }
};

/* J. R. Michael, W. R. Schucany, R. W. Haas, "Generating random variates using
 * transformations with multiple roots", 1976. The smaller root times the larger is
 * mean**2, so that neither needs a difference. */
struct wald_sampler {
    enum { BLOCKS = 2, NORMALS = 1, BOOSTS = 0, TRIALS = 0 };
    double mean, scale, ratio;
    __device__ explicit wald_sampler(const double *p)
        : mean(p[0] > 0 && p[1] > 0 ? p[0] : NOT_A_NUMBER), scale(p[1]),
          ratio(0.5 * p[0] / p[1])
    {
    }
    template <class S>
    __device__ double operator()(const S &s) const
    {
        const double z = s.normal(0, 0, s.block(0, 0)), w = ratio * (z * z);
        /* The limit for a large mean: the roots of its numbers overflow. */
        if (ratio > 1e100) return mean > 0 ? scale / (z * z) : mean;
        const double larger = 1.0 + w + sqrt(w * (2.0 + w));
        const double u = uniform(s.block(1, 0), 0);
        return u * (1.0 + larger) < larger ? mean / larger : mean * larger;
    }
};
