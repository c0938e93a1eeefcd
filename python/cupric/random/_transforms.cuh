/* _transforms.cuh: distributions that are functions of one uniform, exponential or normal
 * number.
 *
 * Two elements share a block: of element j the words are those of numbers that take 64 bits
 * (cupric/philox.hpp). A transform is made of its parameters p[0], p[1], p[2]; it has
 *
 *   standard(block, z)   two numbers, before parameters come in
 *   operator()(z)        an element
 *
 * (L. Devroye, "Non-Uniform Random Variate Generation", 1986, chapter II for the inversions).
 * Parameters are looked at by who calls.
 */
#include "_fill.cuh"

/* Each of the two by a function of its 64 bits. */
template <class Transform>
struct of_halves {
    __device__ static void standard(const cupric::philox_block &b, double *z)
    {
        for (int k = 0; k < 2; k++)
            z[k] = Transform::half(b.word[2 * k + 1], b.word[2 * k]);
    }
};

struct located {
    double loc, scale;
    __device__ explicit located(const double *p) : loc(p[0]), scale(p[1]) {}
    __device__ double operator()(double z) const { return loc + scale * z; }
};

struct exponential_half {
    __device__ static double half(unsigned int high, unsigned int low)
    {
        return cupric::log_uniform(high, low);
    }
};

/* 2**-54 where there is none: so logarithms are finite. */
__device__ inline double
not_zero(double x)
{
    return x > 0x1p-54 ? x : 0x1p-54;
}

/* An exponential number, with a sign by a bit that it does not take. */
struct laplace_transform : located, of_halves<laplace_transform> {
    using located::located;
    __device__ static double half(unsigned int high, unsigned int low)
    {
        const word64 sign = (word64)(low & 1) << 63;
        return cupric::double_of(cupric::bits_of(cupric::log_uniform(high, low)) |
                                 sign);
    }
};

struct gumbel_transform : located, of_halves<gumbel_transform> {
    using located::located;
    __device__ static double half(unsigned int high, unsigned int low)
    {
        return -cupric::log_of(not_zero(cupric::log_uniform(high, low)));
    }
};

struct logistic_transform : located, of_halves<logistic_transform> {
    using located::located;
    __device__ static double half(unsigned int high, unsigned int low)
    {
        const double u = cupric::fraction(high, low) + 0x1p-53;
        return cupric::log_of(u / not_zero(1.0 - u));
    }
};

struct rayleigh_transform : of_halves<rayleigh_transform> {
    double scale;
    __device__ explicit rayleigh_transform(const double *p) : scale(p[0]) {}
    __device__ static double half(unsigned int high, unsigned int low)
    {
        return cupric::root(2.0 * cupric::log_uniform(high, low));
    }
    __device__ double operator()(double z) const { return scale * z; }
};

/* An exponential number's power, of which the logarithm is standard. */
struct weibull_transform : of_halves<weibull_transform> {
    double power;
    __device__ explicit weibull_transform(const double *p) : power(1.0 / p[0]) {}
    __device__ static double half(unsigned int high, unsigned int low)
    {
        return cupric::log_of(not_zero(cupric::log_uniform(high, low)));
    }
    __device__ double operator()(double z) const
    {
        return power == INFINITE ? 0 : exp_of(power * z);
    }
};

struct pareto_transform : of_halves<exponential_half> {
    double power;
    __device__ explicit pareto_transform(const double *p) : power(1.0 / p[0]) {}
    __device__ double operator()(double z) const { return expm1_of(power * z); }
};

/* A uniform number's power. */
struct power_transform : of_halves<exponential_half> {
    double power;
    __device__ explicit power_transform(const double *p) : power(1.0 / p[0]) {}
    __device__ double operator()(double z) const { return exp_of(-power * z); }
};

/* The cotangent of a uniform angle, which is not 0. */
struct standard_cauchy_transform : of_halves<standard_cauchy_transform> {
    __device__ explicit standard_cauchy_transform(const double *) {}
    __device__ static double half(unsigned int high, unsigned int low)
    {
        double cosine, sine;
        cupric::circle(high, low | 2u, &cosine, &sine);
        return cosine / sine;
    }
    __device__ double operator()(double z) const { return z; }
};

struct triangular_transform : of_halves<triangular_transform> {
    double left, right, below, rise, fall;
    __device__ explicit triangular_transform(const double *p) : left(p[0]), right(p[2])
    {
        const double width = right - left;
        below = (p[1] - left) / width;
        rise = width * (p[1] - left);
        fall = width * (right - p[1]);
    }
    __device__ static double half(unsigned int high, unsigned int low)
    {
        return cupric::fraction(high, low);
    }
    __device__ double operator()(double u) const
    {
        const bool rises = u < below;
        const double x = sqrt(rises ? u * rise : (1.0 - u) * fall);
        return rises ? left + x : right - x;
    }
};

struct lognormal_transform {
    double mean, sigma;
    __device__ explicit lognormal_transform(const double *p) : mean(p[0]), sigma(p[1])
    {
    }
    __device__ static void standard(const cupric::philox_block &b, double *z)
    {
        cupric::normal_pair(b.word[0], b.word[1], b.word[2], b.word[3], &z[0], &z[1]);
    }
    __device__ double operator()(double z) const { return exp_of(mean + sigma * z); }
};

/* Launch: blocks(ceil(n / (RUN * each)), RUN), each even. */
template <class Y, class Transform>
__device__ inline void
fill_pairs(void *out, const sampler_of<Transform> &given, const fill_plan &p)
{
    const results<Y> to = {out, p.narrow};
    const long long length = (long long)RUN * p.each;
    const bool one = given.same();
    const Transform same = given[0];

    CUPRIC_EACH_BLOCK (run, (p.n + length - 1) / length) {
        const long long begin = run * length;
        const long long end = begin + length < p.n ? begin + length : p.n;
        for (long long i = begin + 2 * threadIdx.x; i < end; i += 2 * RUN) {
            double z[2], x[2];
            Transform::standard(
                cupric::random_block(p.key, p.counter, (word64)i / 2, 0), z);
            const bool both = i + 1 < end;
            if (one) {
                for (int k = 0; k < 2; k++) x[k] = same(z[k]);
            } else {
                x[0] = given[i](z[0]);
                x[1] = given[both ? i + 1 : i](z[1]);
            }
            to.put_pair(i, x, both);
        }
    }
}
