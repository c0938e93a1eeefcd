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

/* 2**k (1 + …): the rest of x / log 2 is at most 1/2, and the power series of its
 * exponential, to the 13th power, as exact as a double. */
__device__ inline double
exp_of(double x)
{
    if (!(x > -745.2)) return x != x ? x : 0;
    if (x > 709.8) return INFINITE;
    const double k = floor(x * 1.44269504088896340736 + 0.5);
    const double r =
        (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    double p = 1.6059043836821614599e-10;
    p = p * r + 2.0876756987868098979e-09;
    p = p * r + 2.5052108385441718775e-08;
    p = p * r + 2.7557319223985890653e-07;
    p = p * r + 2.7557319223985890653e-06;
    p = p * r + 2.4801587301587301587e-05;
    p = p * r + 1.9841269841269841270e-04;
    p = p * r + 1.3888888888888888889e-03;
    p = p * r + 8.3333333333333333333e-03;
    p = p * r + 4.1666666666666666667e-02;
    p = p * r + 1.6666666666666666667e-01;
    p = p * r + 0.5;
    p = p * (r * r) + r + 1.0;
    /* By two factors, as the power itself may lie outside of the exponents. */
    const int whole = (int)k, half = whole / 2;
    return p * cupric::double_of((unsigned long long)(1023 + half) << 52) *
           cupric::double_of((unsigned long long)(1023 + whole - half) << 52);
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

/* exp(x) - 1, in the same way. */
__device__ inline double
expm1_of(double x)
{
    const double u = exp_of(x);
    if (u == 1.0) return x;
    if (u == INFINITE || u - 1.0 == -1.0) return u - 1.0;
    return (u - 1.0) * (x / log_of_any(u));
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

/* log(k!) less Stirling's (k + 1/2) log k - k + log(2 pi) / 2, k >= 1. */
__device__ inline double
stirling_error(double k)
{
    if (k < 10) {
        double factorial = 1;
        for (double i = 2; i <= k; i += 1) factorial *= i;
        return cupric::log_of(factorial) - (k + 0.5) * cupric::log_of(k) + k -
               0.91893853320467274178;
    }
    const double z = 1.0 / (k * k);
    return (8.3333333333333333333e-02 -
            (2.7777777777777777778e-03 -
             (7.9365079365079365079e-04 -
              (5.9523809523809523810e-04 - 8.4175084175084175084e-04 * z) * z) *
                 z) *
                z) /
           k;
}

/* x log(x / m) + m - x, x and m > 0: without cancellation near x = m (C. Loader, "Fast and
 * accurate computation of binomial probabilities", 2000). */
__device__ inline double
deviance(double x, double m)
{
    if (fabs(x - m) >= 0.1 * (x + m)) return x * log_of_any(x / m) + m - x;
    const double v = (x - m) / (x + m), z = v * v;
    double sum = (x - m) * v, power = 2.0 * x * v;
    for (int j = 1; j < 12; j++) {
        power *= z;
        sum += power / (2 * j + 1);
    }
    return sum;
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
