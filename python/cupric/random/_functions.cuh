/* _functions.cuh: functions of double that give the same bits on every device.
 *
 * Made as those of cupric/distributions.hpp are: additions, multiplications, divisions and
 * roots, each correctly rounded, compiled without contraction to fused operations. Within
 * an ulp or two, unless it says otherwise.
 */
#include "cupric/distributions.hpp"

#define NOT_A_NUMBER (cupric::double_of(0x7ff8000000000000ull))
#define INFINITE (cupric::double_of(0x7ff0000000000000ull))

/* ---- logarithm and exponential ------------------------------------------------------- */

__device__ inline double
log_of_any(double x)
{
    if (!(x > 0)) return x == 0 ? -INFINITE : NOT_A_NUMBER;
    if (x == INFINITE) return x;
    if (x < 0x1p-1022) return cupric::log_of(x * 0x1p54) - 54 * 0.69314718055994530942;
    return cupric::log_of(x);
}

/* exp(x) - 1 by its power series, to the 13th power, |x| <= log(2) / 2. */
__device__ inline double
short_expm1(double x)
{
    double p = 1.6059043836821614599e-10;
    p = p * x + 2.0876756987868098979e-09;
    p = p * x + 2.5052108385441718775e-08;
    p = p * x + 2.7557319223985890653e-07;
    p = p * x + 2.7557319223985890653e-06;
    p = p * x + 2.4801587301587301587e-05;
    p = p * x + 1.9841269841269841270e-04;
    p = p * x + 1.3888888888888888889e-03;
    p = p * x + 8.3333333333333333333e-03;
    p = p * x + 4.1666666666666666667e-02;
    p = p * x + 1.6666666666666666667e-01;
    p = p * x + 0.5;
    return p * (x * x) + x;
}

/* 2**k times the exponential of what is left of x. No branches, and no conversion to an
 * integer, so that loops vectorise: k stands in the low bits of a sum with 1.5 * 2**52. */
__device__ inline double
exp_of(double x)
{
    double y = x < -746.0 ? -746.0 : x;
    y = y > 710.0 ? 710.0 : y;
    const double shifted = y * 1.44269504088896340736 + 0x1.8p52;
    const double k = shifted - 0x1.8p52;
    const double r =
        (y - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    /* By two factors, as the power itself may lie outside of the exponents. Exponents are
     * k + 1536 halved, down and up, less 768: 255 with the bias of 1023. */
    const unsigned long long whole = (cupric::bits_of(shifted) + 1536) & 0xfff;
    const unsigned long long half = whole >> 1;
    return (1.0 + short_expm1(r)) * cupric::double_of((half + 255) << 52) *
           cupric::double_of((whole - half + 255) << 52);
}

__device__ inline double
expm1_of(double x)
{
    const double most = fabs(x) < 0.34 ? x : 0.34; /* NaN comes by the other */
    const double near = short_expm1(most), far = exp_of(x) - 1.0;
    return fabs(x) < 0.34 ? near : far;
}

/* log(1 + x), x >= -1; W. Kahan's: what 1 + x loses of x is put back as a factor. */
__device__ inline double
log1p_of(double x)
{
    const double u = 1.0 + x;
    if (u == 1.0) return x;
    if (!(u > 0) || u == INFINITE) return log_of_any(u);
    return cupric::log_of(u) * (x / (u - 1.0));
}

/* ---- arcus tangent -------------------------------------------------------------------- */

/* Differences of angles from pi/4 and pi/2, then half the angle, leave at most tan(pi/16),
 * about 0.2, to the power series. */
__device__ inline double
atan_of(double x)
{
    const double y = fabs(x);
    double base = 0, t = y;
    if (y > 2.414213562373095) {
        base = 1.57079632679489661923;
        t = -1.0 / y;
    } else if (y > 0.41421356237309505) {
        base = 0.78539816339744830962;
        t = (y - 1.0) / (y + 1.0);
    }
    const double h = t / (1.0 + sqrt(1.0 + t * t)), z = h * h;
    double p = 1.0 / 21;
    p = p * z - 1.0 / 19;
    p = p * z + 1.0 / 17;
    p = p * z - 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z - 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z - 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z - 1.0 / 3;
    const double angle = base + 2.0 * (h + h * (p * z));
    return x < 0 ? -angle : angle;
}

/* ---- factorials, and the probabilities made of them ----------------------------------- */

/* log(k!) less Stirling's (k + 1/2) log k - k + log(2 pi) / 2, of a whole number k >= 1. */
__device__ inline double
stirling_error(double k)
{
    static const double first[] = {
        0.08106146679532726,  0.0413406959554093,   0.02767792568499834,
        0.020790672103765093, 0.016644691189821193, 0.013876128823070748,
        0.01189670994589177,  0.010411265261972096, 0.009255462182712733};
    if (k < 10) return first[(int)k - 1];
    const double r = 1.0 / k, z = r * r;
    return r * (8.3333333333333333333e-02 -
                z * (2.7777777777777777778e-03 -
                     z * (7.9365079365079365079e-04 -
                          z * (5.9523809523809523810e-04 -
                               z * 8.4175084175084175084e-04))));
}

/* x log(x / m) + m - x, x and m > 0: without cancellation near x = m (C. Loader, "Fast and
 * accurate computation of binomial probabilities", 2000), where with v = (x - m) / (x + m)
 * it is (x - m) v + 2 x v (v**2 / 3 + v**4 / 5 + ...). */
__device__ inline double
deviance(double x, double m)
{
    const double v = (x - m) / (x + m), z = v * v;
    if (z >= 0.01) return x * log_of_any(x / m) + m - x;
    double p = 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    return (x - m) * v + 2.0 * x * v * (p * z);
}

/* Logarithms of probabilities: of k of a Poisson distribution, and of k of n at p, q = 1 - p.
 * Exact to some 1e-15 of themselves plus 1e-15, however large k is. */
__device__ inline double
log_poisson(double k, double mean)
{
    if (k == 0) return -mean;
    return -stirling_error(k) - deviance(k, mean) -
           0.5 * cupric::log_of(6.28318530717958647692 * k);
}

__device__ inline double
log_binomial(double k, double n, double p, double q)
{
    if (k == 0) return n == 0 ? 0 : n * log1p_of(-p);
    if (k == n) return n * log_of_any(p);
    return stirling_error(n) - stirling_error(k) - stirling_error(n - k) -
           deviance(k, n * p) - deviance(n - k, n * q) +
           0.5 * log_of_any(n / (6.28318530717958647692 * k) / (n - k));
}
