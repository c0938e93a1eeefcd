/* _fftlog.cuh: what the fast Hankel transform multiplies by (A. J. S. Hamilton, MNRAS 312,
 * 2000, equation 174).
 */
#include "_fftlog.h"

__device__ inline double
term_of_stirling(int i) /* B(2k) / (2k (2k - 1)) */
{
    const double terms[] = {1.0 / 12,          -1.0 / 360,       1.0 / 1260,
                            -1.0 / 1680,       1.0 / 1188,       -691.0 / 360360,
                            1.0 / 156,         -3617.0 / 122400, 43867.0 / 244188,
                            -174611.0 / 125400};
    return terms[i];
}

/* log(gamma(z)) up to a multiple of 2 pi i: Stirling's series, where ten terms of it are
 * exact to the last digits, after steps to the right (gamma(z) = gamma(z + 1) / z). */
__device__ inline complex<double>
log_gamma(double x, double y)
{
    const double far = 10, large = 1e140;
    complex<double> steps(1, 0);
    double lost = 0;
    bool stepped = false;
    for (; x < far && (fabs(y) < far || x < 0); x += 1) {
        steps = complex<double>(steps.real() * x - steps.imag() * y,
                                steps.real() * y + steps.imag() * x);
        const double size = fabs(steps.real()) + fabs(steps.imag());
        if (size > large) {
            lost += log(size);
            steps = complex<double>(steps.real() / size, steps.imag() / size);
        }
        stepped = true;
    }
    const double square = x * x + y * y, re = x / square, im = -y / square; /* 1 / z */
    const double wr = re * re - im * im, wi = 2 * re * im;
    double sr = 0, si = 0;
    for (int i = 9; i >= 0; i--) {
        const double next = sr * wr - si * wi + term_of_stirling(i);
        si = sr * wi + si * wr;
        sr = next;
    }
    const double log_size = 0.5 * log(square), angle = atan2(y, x);
    const double half_log_tau = 0.91893853320467274178;
    double size =
        (x - 0.5) * log_size - y * angle - x + half_log_tau + sr * re - si * im;
    double phase = (x - 0.5) * angle + y * log_size - y + sr * im + si * re;
    if (stepped) {
        size -= log(hypot(steps.real(), steps.imag())) + lost;
        phase -= atan2(steps.imag(), steps.real());
    }
    return complex<double>(size, phase);
}

/* The terms u. Launch: elements(p.count). */
template <class T>
__global__ void
hankel(complex<T> *u, hankel_terms p)
{
    const double log_2 = 0.69314718055994530942;
    CUPRIC_EACH (k, p.count) {
        const bool is_last = k == p.count - 1;
        const double y = is_last ? p.last : p.last / (double)(p.count - 1) * (double)k;
        if (k == 0) {
            u[k] = complex<T>((T)p.first, 0);
            continue;
        }
        const complex<double> above = log_gamma(p.plus, y);
        const complex<double> below = p.plus == p.minus ? above : log_gamma(p.minus, y);
        const double size = above.real() - below.real() + p.bias * log_2;
        const double phase = above.imag() + below.imag() + 2 * (log_2 - p.offset) * y;
        const double r = exp(p.inverse ? -size : size);
        if (p.real_end && is_last) {
            u[k] = complex<T>((T)(p.inverse ? r / cos(phase) : r * cos(phase)), 0);
        } else { /* 1 / conj(r exp(i a)) = exp(i a) / r */
            u[k] = complex<T>((T)(r * cos(phase)), (T)(r * sin(phase)));
        }
    }
}

/* y, rows of n, is x or, `backwards`, each row of x backwards, times exp(bias (s + shift))
 * of s, the logarithm of place i, dln (i - (n - 1) / 2). Launch: elements(total). */
template <class T>
__global__ void
weigh(const T *x, T *y, long long total, long long n, double dln, double bias,
      double shift, bool backwards)
{
    CUPRIC_EACH (e, total) {
        const long long i = e - cupric::quotient(e, n) * n;
        const T value = x[backwards ? e + n - 1 - 2 * i : e];
        const double s = ((double)i - 0.5 * (double)(n - 1)) * dln;
        y[e] = bias == 0 ? value : value * (T)exp(bias * (s + shift));
    }
}
