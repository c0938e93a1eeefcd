/* _waveforms.cuh: waveforms of the time. */
#include "_waveforms.h"

#define TWO_PI 6.283185307179586476925286766559

/* The integral of the frequency, in radians. */
__device__ inline double
sweep_phase(double t, const sweep &s)
{
    const double rise = s.f1 - s.f0;
    if (s.method == LINEAR) return TWO_PI * (s.f0 * t + 0.5 * (rise / s.t1) * t * t);
    if (s.method == QUADRATIC) {
        const double beta = rise / (s.t1 * s.t1);
        if (s.vertex_zero) return TWO_PI * (s.f0 * t + beta * t * t * t / 3);
        const double back = s.t1 - t;
        return TWO_PI *
               (s.f1 * t + beta * (back * back * back - s.t1 * s.t1 * s.t1) / 3);
    }
    if (rise == 0) return TWO_PI * s.f0 * t;
    if (s.method == LOGARITHMIC) {
        const double beta = s.t1 / s.growth;
        return TWO_PI * beta * s.f0 * (cupric::exp(t / s.t1 * s.growth) - 1);
    }
    const double singular = -s.f1 * s.t1 / (s.f0 - s.f1);
    return TWO_PI * (-singular * s.f0) * cupric::log(fabs(1 - t / singular));
}

/* y = cos(phase + phi), or that and its sine as a complex number. Launch: elements(n). */
__global__ void
chirps(const double *t, double *y, sweep s, long long n)
{
    CUPRIC_EACH (i, n) y[i] = cupric::cos(sweep_phase(t[i], s) + s.phi);
}
__global__ void
complex_chirps(const double *t, complex<double> *y, sweep s, long long n)
{
    CUPRIC_EACH (i, n) {
        const double phase = sweep_phase(t[i], s) + s.phi;
        y[i] = complex<double>(cupric::cos(phase), cupric::sin(phase));
    }
}

/* y = cos(2 pi the integral of a polynomial + phi); p has its `count` coefficients, those of
 * the highest power first. Launch: elements(n). */
__global__ void
polynomial_sweeps(const double *t, double *y, const double *p, int count, double phi,
                  long long n)
{
    CUPRIC_EACH (i, n) {
        double sum = 0;
        for (int k = 0; k < count; k++) sum = sum * t[i] + p[k] / (count - k);
        y[i] = cupric::cos(TWO_PI * (sum * t[i]) + phi);
    }
}

/* In phase, and of which are wanted, in quadrature and the envelope. Launch: elements(n). */
template <int QUADRATURE, int ENVELOPE>
__global__ void
pulses(const double *t, double *in_phase, double *quadrature, double *envelope, pulse p,
       long long n)
{
    CUPRIC_EACH (i, n) {
        const double size = cupric::exp(-p.a * t[i] * t[i]), at = TWO_PI * p.fc * t[i];
        in_phase[i] = size * cupric::cos(at);
        if constexpr (QUADRATURE) quadrature[i] = size * cupric::sin(at);
        if constexpr (ENVELOPE) envelope[i] = size;
    }
}

/* t modulo 2 pi, from 0 on. */
__device__ inline double
in_period(double t)
{
    const double rest = fmod(t, TWO_PI);
    return rest < 0 ? rest + TWO_PI : rest;
}

__device__ inline double
sawtooth_at(double t, double width)
{
    const double at = in_period(t), pi = TWO_PI / 2;
    if (width > 1 || width < 0) return NAN;
    if (at < width * TWO_PI) return at / (pi * width) - 1;
    return (pi * (width + 1) - at) / (pi * (1 - width));
}

__device__ inline double
square_at(double t, double duty)
{
    if (duty > 1 || duty < 0) return NAN;
    return in_period(t) < duty * TWO_PI ? 1 : -1;
}

/* ---- maximum length sequences ------------------------------------------------------------
 *
 * The register holds the next `bits` elements of the sequence, the first in its lowest bit. A
 * step is linear over the integers modulo 2: it is a matrix, whose powers take the register
 * to where a thread begins.
 */

__device__ inline unsigned long long
parity(unsigned long long x)
{
    x ^= x >> 32;
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return 0x6996 >> (x & 15) & 1; /* of four bits, by a table */
}

/* The matrix, as columns, times the register. */
__device__ inline unsigned long long
times_register(const unsigned long long *columns, unsigned long long state, int bits)
{
    unsigned long long product = 0;
    for (int k = 0; k < bits; k++) {
        if (state >> k & 1) product ^= columns[k];
    }
    return product;
}

/* y, of s.length elements: each thread makes MLS_RUN. powers, (s.powers, s.bits), has the
 * columns of the matrices for MLS_RUN * 2**k steps. `last`, of s.bits elements, becomes what
 * follows. Launch: elements(runs), of which the last may be empty. */
__global__ void
maximum_length(signed char *y, signed char *last, const unsigned long long *powers,
               shift_register s, long long runs)
{
    CUPRIC_EACH (run, runs) {
        unsigned long long state = s.state;
        for (int k = 0; run >> k != 0; k++) {
            if (run >> k & 1)
                state = times_register(powers + k * s.bits, state, s.bits);
        }
        const long long from = run * MLS_RUN;
        const long long end = s.length - from;
        int i = 0;
        for (; i < MLS_RUN && i < end; i++) {
            y[from + i] = (signed char)(state & 1);
            state = state >> 1 | parity(state & s.taps) << (s.bits - 1);
        }
        if (i == end && i < MLS_RUN) {
            for (int k = 0; k < s.bits; k++) last[k] = (signed char)(state >> k & 1);
        }
    }
}
