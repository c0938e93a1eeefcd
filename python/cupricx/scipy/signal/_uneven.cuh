/* _uneven.cuh: spectra of samples at any times, a block of threads a frequency.
 */
#include "_uneven.h"
#include "cupric/block.hpp"

/* Weighted sums over samples of value y and angle a: of the weights, y and its square; of
 * cosines, sines and their products; of y times either. */
struct moments {
    double w, y, yy, c, s, cc, cs, yc, ys;
};

struct sum_of_moments {
    typedef moments state;

    __device__ moments identity() const { return moments{0, 0, 0, 0, 0, 0, 0, 0, 0}; }
    __device__ moments combine(const moments &a, const moments &b) const
    {
        return moments{a.w + b.w,   a.y + b.y,   a.yy + b.yy, a.c + b.c,  a.s + b.s,
                       a.cc + b.cc, a.cs + b.cs, a.yc + b.yc, a.ys + b.ys};
    }
};

__device__ inline void
add_sample(moments &m, double angle, double y, double w)
{
    const double c = cos(angle), s = sin(angle);
    m.w += w;
    m.y += w * y;
    m.yy += w * y * y;
    m.c += w * c;
    m.s += w * s;
    m.cc += w * c * c;
    m.cs += w * c * s;
    m.yc += w * y * c;
    m.ys += w * y * s;
}

/* The fit a cos(angle - tau) + b sin(angle - tau), whose terms are orthogonal. */
struct harmonic {
    double a, b, tau, power, whole;
};

__device__ inline harmonic
fit(moments m, bool has_mean)
{
    const double w = 1 / m.w, least = 1.1102230246251565e-16;
    m.y *= w, m.yy *= w, m.c *= w, m.s *= w, m.cc *= w, m.cs *= w, m.yc *= w, m.ys *= w;
    double ss = 1 - m.cc;
    if (has_mean) {
        m.yy -= m.y * m.y;
        m.yc -= m.y * m.c;
        m.ys -= m.y * m.s;
        m.cc -= m.c * m.c;
        ss -= m.s * m.s;
        m.cs -= m.c * m.s;
    }
    harmonic h;
    h.tau = 0.5 * atan2(2 * m.cs, m.cc - ss);
    /* The sums for angles less tau. */
    const double c = cos(h.tau), s = sin(h.tau), both = 2 * c * s * m.cs;
    const double yc = c * m.yc + s * m.ys, ys = c * m.ys - s * m.yc;
    const double cc = c * c * m.cc + s * s * ss + both;
    ss = c * c * ss + s * s * m.cc - both;
    h.a = yc / (cc < least ? least : cc);
    h.b = ys / (ss < least ? least : ss);
    h.power = 2 * (h.a * yc + h.b * ys);
    h.whole = m.yy;
    return h;
}

/* The generalized Lomb-Scargle periodogram (M. Zechmeister, M. Kuerster, Astronomy and
 * Astrophysics 496, 2009) of n samples, of weights 1 where they are NULL, at angular
 * frequencies: power, or amplitudes, two numbers each. Launch: blocks(frequencies,
 * SUM_THREADS). */
__global__ void
lomb_scargle(View<double, 1> x, View<double, 1> y, const double *weights,
             View<double, 1> omega, double *out, long long frequencies, int result,
             int has_mean)
{
    __shared__ cupric::block_memory<moments> memory;
    const long long n = x.size();
    CUPRIC_EACH_BLOCK (k, frequencies) {
        moments m = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        const double speed = omega[k];
        for (long long i = threadIdx.x; i < n; i += blockDim.x) {
            add_sample(m, speed * x[i], y[i], weights == NULL ? 1.0 : weights[i]);
        }
        m = cupric::block_reduce(m, sum_of_moments(), memory);
        if (threadIdx.x != 0) continue;
        const harmonic h = fit(m, has_mean);
        if (result == AS_POWER) out[k] = h.power * (double)n / 4;
        if (result == AS_SHARE) out[k] = h.power * 0.5 / h.whole;
        if (result == AS_AMPLITUDE) {
            const double c = cos(h.tau), s = sin(h.tau);
            out[2 * k] = h.a * c - h.b * s;
            out[2 * k + 1] = h.a * s + h.b * c;
        }
    }
}

/* The sums of cosines and sines. */
struct vector_sum {
    double c, s;
};

struct sum_of_vectors {
    typedef vector_sum state;

    __device__ vector_sum identity() const { return vector_sum{0, 0}; }
    __device__ vector_sum combine(const vector_sum &a, const vector_sum &b) const
    {
        return vector_sum{a.c + b.c, a.s + b.s};
    }
};

/* The length and the angle of the mean of exp(2 pi i t / period) over n events t. Launch:
 * blocks(count, SUM_THREADS). */
__global__ void
vector_strengths(View<double, 1> events, View<double, 1> periods, double *strength,
                 double *phase, long long count)
{
    __shared__ cupric::block_memory<vector_sum> memory;
    const long long n = events.size();
    CUPRIC_EACH_BLOCK (k, count) {
        const double speed = 2 * 3.14159265358979323846 / periods[k];
        vector_sum sum = {0, 0};
        for (long long i = threadIdx.x; i < n; i += blockDim.x) {
            sum.c += cos(speed * events[i]);
            sum.s += sin(speed * events[i]);
        }
        sum = cupric::block_reduce(sum, sum_of_vectors(), memory);
        if (threadIdx.x != 0) continue;
        strength[k] = hypot(sum.c / (double)n, sum.s / (double)n);
        phase[k] = atan2(sum.s / (double)n, sum.c / (double)n);
    }
}
