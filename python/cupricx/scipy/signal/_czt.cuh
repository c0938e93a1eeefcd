/* _czt.cuh: the sequences of which the chirp z-transform is made. */
#include "_czt.h"

/* w^(sign k^2 / 2) */
__device__ inline complex<double>
chirp(long long k, double sign, const chirp_sizes &p)
{
    if (p.is_fourier) { /* k^2 modulo whole turns, so that angles are exact */
        const long long turns = 2 * p.m, r = k % turns;
        const long long left = (long long)((unsigned long long)r * r % turns);
        const double angle =
            -sign * 3.14159265358979323846 * (double)left / (double)p.m;
        return complex<double>(cos(angle), sin(angle));
    }
    const double half = 0.5 * sign * (double)k * (double)k;
    const double size = p.log_w == 0 ? 1 : exp(half * p.log_w),
                 angle = half * p.angle_w;
    return complex<double>(size * cos(angle), size * sin(angle));
}

/* The chirp by which results are multiplied, `after`, (m,); times a^-k, that by which
 * elements are, `before`, (n,); and the inverse of the chirp, from -(n - 1) to m - 1, with
 * zeros up to the length, `filter` (L. Rabiner, R. Schafer, C. Rader, Bell Syst. Tech. J.
 * 48, 1969). Launch: elements(p.length). */
__global__ void
chirps(complex<double> *before, complex<double> *filter, complex<double> *after,
       const __grid_constant__ chirp_sizes p)
{
    CUPRIC_EACH (i, p.length) {
        const long long k = i < p.n ? p.n - 1 - i : i - p.n + 1;
        const bool is_inside = i < p.n + p.m - 1;
        filter[i] = is_inside ? chirp(k, -1, p) : complex<double>(0, 0);
        if (i < p.m) after[i] = chirp(i, 1, p);
        if (i >= p.n) continue;
        const double j = -(double)i, size = p.log_a == 0 ? 1 : exp(j * p.log_a);
        const double angle = j * p.angle_a;
        before[i] =
            chirp(i, 1, p) * complex<double>(size * cos(angle), size * sin(angle));
    }
}
