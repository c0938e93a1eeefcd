/* curand/distributions.hpp: uniform, normal, log-normal and Poisson numbers of each generator.
 * Uniform numbers are cuRAND's to the bit. Normal ones are made of the same numbers by the
 * same formula, Box's and Muller's, so that they differ in the last digits of sine, cosine
 * and logarithm. Poisson numbers have the distribution, but are other ones.
 */
#ifndef CUPRIC_HOST_CURAND_DISTRIBUTIONS_HPP
#define CUPRIC_HOST_CURAND_DISTRIBUTIONS_HPP

#include "mrg32k3a.hpp"
#include "philox.hpp"
#include "xorwow.hpp"

namespace cupric_host {

/* (0, 1] */
inline float uniform_of(unsigned x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2; }
inline double uniform_of(unsigned x, unsigned y)
{
    const unsigned long long z = x ^ (unsigned long long)y << 21;
    return (double)z * 0x1p-53 + 0x1p-54;
}

/* Two normal numbers of two uniform ones, `angle` in radians. */
inline float2 box_muller(float u, float angle)
{
    float sine, cosine;
    const float length = ::sqrtf(-2 * ::logf(u));
    ::sincosf(angle, &sine, &cosine);
    return float2{sine * length, cosine * length};
}
inline float2 normals_of(unsigned x, unsigned y)
{
    const float turn = 2.3283064e-10f * 6.2831855f;
    return box_muller(uniform_of(x), y * turn + turn / 2);
}
inline double2 normals_of(unsigned x, unsigned y, unsigned z, unsigned w)
{
    double sine, cosine;
    const unsigned long long second = z ^ (unsigned long long)w << 21;
    const double length = ::sqrt(-2 * ::log(uniform_of(x, y)));
    cupric_math::sincospi((double)second * 0x1p-52 + 0x1p-53, &sine, &cosine);
    return double2{sine * length, cosine * length};
}

/* By the generator: a state of XORWOW, or of Philox. */
template <class S>
inline float2 normal_pair(S *state)
{
    const unsigned x = curand(state), y = curand(state);
    return normals_of(x, y);
}
template <class S>
inline double2 normal_pair_double(S *state)
{
    const unsigned x = curand(state), y = curand(state), z = curand(state),
                   w = curand(state);
    return normals_of(x, y, z, w);
}
inline float2 normal_pair(curandStateMRG32k3a *state)
{
    const float x = (float)(curand_MRG32k3a(state) * 2.3283065498378288e-10);
    const float y = (float)(curand_MRG32k3a(state) * 2.3283065498378288e-10);
    return box_muller(x, y * 6.2831855f);
}
inline double2 normal_pair_double(curandStateMRG32k3a *state)
{
    double sine, cosine;
    const double x = curand_MRG32k3a(state) * 2.3283065498378288e-10;
    const double y = curand_MRG32k3a(state) * 2.3283065498378288e-10;
    const double length = ::sqrt(-2 * ::log(x));
    cupric_math::sincospi(2 * y, &sine, &cosine);
    return double2{sine * length, cosine * length};
}

/* The pair's second number is kept for the next call of the same kind. */
enum kept_number { KEPT_NONE, KEPT_NORMAL, KEPT_LOG_NORMAL };
template <class S>
inline float next_normal(S *state)
{
    if (state->boxmuller_flag == KEPT_NORMAL) {
        state->boxmuller_flag = KEPT_NONE;
        return state->boxmuller_extra;
    }
    const float2 v = normal_pair(state);
    state->boxmuller_extra = v.y;
    state->boxmuller_flag = KEPT_NORMAL;
    return v.x;
}
template <class S>
inline double next_normal_double(S *state)
{
    if (state->boxmuller_flag_double == KEPT_NORMAL) {
        state->boxmuller_flag_double = KEPT_NONE;
        return state->boxmuller_extra_double;
    }
    const double2 v = normal_pair_double(state);
    state->boxmuller_extra_double = v.y;
    state->boxmuller_flag_double = KEPT_NORMAL;
    return v.x;
}

template <class S>
inline float next_log_normal(S *state, float mean, float stddev)
{
    if (state->boxmuller_flag == KEPT_LOG_NORMAL) {
        state->boxmuller_flag = KEPT_NONE;
        return state->boxmuller_extra;
    }
    const float2 v = normal_pair(state);
    state->boxmuller_extra = ::expf(mean + stddev * v.y);
    state->boxmuller_flag = KEPT_LOG_NORMAL;
    return ::expf(mean + stddev * v.x);
}
template <class S>
inline double next_log_normal_double(S *state, double mean, double stddev)
{
    if (state->boxmuller_flag_double == KEPT_LOG_NORMAL) {
        state->boxmuller_flag_double = KEPT_NONE;
        return state->boxmuller_extra_double;
    }
    const double2 v = normal_pair_double(state);
    state->boxmuller_extra_double = ::exp(mean + stddev * v.y);
    state->boxmuller_flag_double = KEPT_LOG_NORMAL;
    return ::exp(mean + stddev * v.x);
}

/* Small means by multiplication, of logarithms; large ones by W. Hörmann's transformed
 * rejection, PTRS (1993), which takes few pairs of uniform numbers whatever the mean. */
template <class UNIFORM>
inline unsigned poisson_of(double mean, UNIFORM uniform)
{
    if (!(mean > 0)) return 0;
    if (mean < 10) {
        unsigned k = 0;
        for (double sum = -::log(uniform()); sum < mean; sum -= ::log(uniform())) k++;
        return k;
    }
    const double b = 0.931 + 2.53 * ::sqrt(mean), a = -0.059 + 0.02483 * b;
    const double inverse = 1.1239 + 1.1328 / (b - 3.4),
                 limit = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = uniform() - 0.5, v = uniform(), distance = 0.5 - ::fabs(u);
        const double k = ::floor((2 * a / distance + b) * u + mean + 0.43);
        if (distance >= 0.07 && v <= limit) return (unsigned)k;
        if (k < 0 || (distance < 0.013 && v > distance)) continue;
        if (::log(v * inverse / (a / (distance * distance) + b)) <=
            k * ::log(mean) - mean - ::lgamma(k + 1)) {
            return (unsigned)k;
        }
    }
}

} // namespace cupric_host

/* ---- of every generator ---------------------------------------------------------------- */

static inline float curand_uniform(curandStateXORWOW *state)
{
    return cupric_host::uniform_of(curand(state));
}
static inline float curand_uniform(curandStatePhilox4_32_10 *state)
{
    return cupric_host::uniform_of(curand(state));
}
static inline float curand_uniform(curandStateMRG32k3a *state)
{
    return (float)(curand_MRG32k3a(state) * 2.3283065498378288e-10);
}
static inline double curand_uniform_double(curandStateXORWOW *state)
{
    const unsigned x = curand(state), y = curand(state);
    return cupric_host::uniform_of(x, y);
}
static inline double curand_uniform_double(curandStatePhilox4_32_10 *state)
{
    return curand(state) * 0x1p-32 + 0x1p-32; /* of 32 bits, as cuRAND's */
}
static inline double curand_uniform_double(curandStateMRG32k3a *state)
{
    return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}

#define X(S)                                                                           \
    static inline float curand_normal(S *state)                                        \
    {                                                                                  \
        return cupric_host::next_normal(state);                                        \
    }                                                                                  \
    static inline double curand_normal_double(S *state)                                \
    {                                                                                  \
        return cupric_host::next_normal_double(state);                                 \
    }                                                                                  \
    static inline float2 curand_normal2(S *state)                                      \
    {                                                                                  \
        return cupric_host::normal_pair(state);                                        \
    }                                                                                  \
    static inline double2 curand_normal2_double(S *state)                              \
    {                                                                                  \
        return cupric_host::normal_pair_double(state);                                 \
    }                                                                                  \
    static inline float curand_log_normal(S *state, float mean, float stddev)          \
    {                                                                                  \
        return cupric_host::next_log_normal(state, mean, stddev);                      \
    }                                                                                  \
    static inline double curand_log_normal_double(S *state, double mean,               \
                                                  double stddev)                       \
    {                                                                                  \
        return cupric_host::next_log_normal_double(state, mean, stddev);               \
    }                                                                                  \
    static inline float2 curand_log_normal2(S *state, float mean, float stddev)        \
    {                                                                                  \
        const float2 v = curand_normal2(state);                                        \
        return float2{::expf(mean + stddev * v.x), ::expf(mean + stddev * v.y)};       \
    }                                                                                  \
    static inline double2 curand_log_normal2_double(S *state, double mean,             \
                                                    double stddev)                     \
    {                                                                                  \
        const double2 v = curand_normal2_double(state);                                \
        return double2{::exp(mean + stddev * v.x), ::exp(mean + stddev * v.y)};        \
    }                                                                                  \
    static inline unsigned curand_poisson(S *state, double lambda)                     \
    {                                                                                  \
        return cupric_host::poisson_of(                                                \
            lambda, [state] { return curand_uniform_double(state); });                 \
    }
X(curandStateXORWOW)
X(curandStatePhilox4_32_10)
X(curandStateMRG32k3a)
#undef X

/* ---- four at once, of Philox -------------------------------------------------------------- */

static inline float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
    using cupric_host::uniform_of;
    const uint4 x = curand4(state);
    return float4{uniform_of(x.x), uniform_of(x.y), uniform_of(x.z), uniform_of(x.w)};
}
static inline double2 curand_uniform2_double(curandStatePhilox4_32_10 *state)
{
    const uint4 x = curand4(state);
    return double2{cupric_host::uniform_of(x.x, x.y),
                   cupric_host::uniform_of(x.z, x.w)};
}
static inline double4 curand_uniform4_double(curandStatePhilox4_32_10 *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return double4{a.x, a.y, b.x, b.y};
}
static inline double4 curand_normal4_double(curandStatePhilox4_32_10 *state)
{
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return double4{a.x, a.y, b.x, b.y};
}
static inline float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
    const uint4 x = curand4(state);
    const float2 a = cupric_host::normals_of(x.x, x.y),
                 b = cupric_host::normals_of(x.z, x.w);
    return float4{a.x, a.y, b.x, b.y};
}
static inline float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean,
                                        float stddev)
{
    const float4 v = curand_normal4(state);
    return float4{::expf(mean + stddev * v.x), ::expf(mean + stddev * v.y),
                  ::expf(mean + stddev * v.z), ::expf(mean + stddev * v.w)};
}
static inline uint4 curand_poisson4(curandStatePhilox4_32_10 *state, double lambda)
{
    uint4 k;
    k.x = curand_poisson(state, lambda);
    k.y = curand_poisson(state, lambda);
    k.z = curand_poisson(state, lambda);
    k.w = curand_poisson(state, lambda);
    return k;
}

#endif
