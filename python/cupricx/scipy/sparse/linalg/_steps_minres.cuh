/* Phases of minres. */
#include "_steps.h"

/* y = M r2: the next vector of Lanczos's process, of norm 1. */
template <class T>
struct phase<MR_VECTOR, T> : phase_base<T, 0> {
    typedef wide<T> W;
    double scale;

    __device__ void load(numbers<W> s) { scale = 1 / s.real(BETA); }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        v.set(MR_V, i, W(scale) * v.y(i));
    }
};

/* y = A v */
template <class T>
struct phase<MR_ALPHA, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double shift, of_r1;

    __device__ void load(numbers<W> s)
    {
        shift = s.real(MR_SHIFT);
        of_r1 = s.is(ITERATIONS) ? s.real(BETA) / s.real(MR_OLD_BETA) : 0;
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W direction = v.get(MR_V, i);
        const W y = v.y(i) - W(shift) * direction - W(of_r1) * v.get(MR_R1, i);
        v.set(MR_Y, i, y);
        sums[0] += dot(direction, y);
    }
    __device__ void end(numbers<W> s, const W *sums) { s.set(ALPHA, real_of(sums[0])); }
};

/* The rotation of an iteration, from the product of r2 and M r2. */
template <class W>
__device__ inline void
minres_rotate(numbers<W> s, double product)
{
    const double alpha = s.real(ALPHA), before = s.real(BETA), eps = s.real(MR_EPS);
    if (product < 0) {
        s.stop(-1);
        return;
    }
    const double beta = sqrt(product);
    const double cosine = s.real(MR_COS), sine = s.real(MR_SIN), dbar = s.real(MR_DBAR);
    const double gbar = sine * dbar - cosine * alpha, next_dbar = -cosine * beta;
    const double gamma =
        sqrt(gbar * gbar + beta * beta) > eps ? sqrt(gbar * gbar + beta * beta) : eps;
    s.set(MR_OLD_BETA, before);
    s.set(BETA, beta);
    s.set(MR_SQUARES,
          s.real(MR_SQUARES) + alpha * alpha + before * before + beta * beta);
    s.set(MR_OLD_EPSLN, s.real(MR_EPSLN));
    s.set(MR_DELTA, cosine * dbar + sine * alpha);
    s.set(MR_GBAR, gbar);
    s.set(MR_EPSLN, sine * beta);
    s.set(MR_DBAR, next_dbar);
    s.set(MR_ROOT, sqrt(gbar * gbar + next_dbar * next_dbar));
    s.set(MR_COS, gbar / gamma);
    s.set(MR_SIN, beta / gamma);
    s.set(MR_PHI, gbar / gamma * s.real(MR_PHIBAR));
    s.set(MR_PHIBAR, beta / gamma * s.real(MR_PHIBAR));
    s.set(MR_DENOM, 1 / gamma);
    if (gamma > s.real(MR_LARGEST)) s.set(MR_LARGEST, gamma);
    if (gamma < s.real(MR_SMALLEST)) s.set(MR_SMALLEST, gamma);
}

template <class T>
struct phase<MR_RESIDUAL, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double of_r2;

    __device__ void load(numbers<W> s) { of_r2 = s.real(ALPHA) / s.real(BETA); }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W last = v.get(MR_R2, i), r = v.get(MR_Y, i) - W(of_r2) * last;
        v.set(MR_R1, i, last);
        v.set(MR_R2, i, r);
        sums[0] += W(square(r));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        if (s.is(DIRECT)) minres_rotate(s, real_of(sums[0]));
    }
};

/* y = M r2 */
template <class T>
struct phase<MR_BETA, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(MR_R2, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        minres_rotate(s, real_of(sums[0]));
    }
};

/* Why the iterations end; 0: they do not. */
template <class W>
__device__ inline int
minres_verdict(numbers<W> s)
{
    const double test1 = s.real(MR_TEST1), test2 = s.real(MR_TEST2);
    const double rtol = s.real(MR_RTOL), eps = s.real(MR_EPS);
    if (test1 <= rtol) return 1;
    if (test2 <= rtol) return 2;
    if (s.real(MR_NORM) * s.real(MR_X_NORM) * eps >= s.real(MR_FIRST_BETA)) return 3;
    if (s.real(MR_COND) >= 0.1 / eps) return 4;
    if (s.real(ITERATIONS) >= s.real(MAXITER)) return 6;
    if (1 + test1 <= 1) return 1;
    return 1 + test2 <= 1 ? 2 : 0;
}

template <class T>
struct phase<MR_X, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double of_w1, of_w2, denom, phi;

    __device__ void load(numbers<W> s)
    {
        of_w1 = s.real(MR_OLD_EPSLN);
        of_w2 = s.real(MR_DELTA);
        denom = s.real(MR_DENOM);
        phi = s.real(MR_PHI);
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W w1 = v.get(MR_W2, i), w2 = v.get(MR_W, i);
        const W w = (v.get(MR_V, i) - W(of_w1) * w1 - W(of_w2) * w2) * W(denom);
        const W x = v.get(X, i) + W(phi) * w;
        v.set(MR_W2, i, w2);
        v.set(MR_W, i, w);
        v.set(X, i, x);
        sums[0] += W(square(x));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const double infinity = cupric::greatest_of<double>();
        const double norm = sqrt(s.real(MR_SQUARES)), x_norm = sqrt(real_of(sums[0]));
        const double before = s.real(ITERATIONS), phibar = s.real(MR_PHIBAR);
        s.set(ITERATIONS, before + 1);
        s.set(RESIDUAL, phibar);
        s.set(MR_X_NORM, x_norm);
        s.set(MR_NORM, norm);
        s.set(MR_COND, s.real(MR_LARGEST) / s.real(MR_SMALLEST));
        s.set(MR_TEST1, norm * x_norm == 0 ? infinity : phibar / (norm * x_norm));
        s.set(MR_TEST2, norm == 0 ? infinity : s.real(MR_ROOT) / norm);
        /* Where M is the identity, b and x are eigenvectors. */
        const bool is_eigenvector =
            before == 0 && s.real(BETA) / s.real(MR_FIRST_BETA) <= 10 * s.real(MR_EPS);
        const int verdict = is_eigenvector ? -1 : minres_verdict(s);
        s.set(MR_ISTOP, (double)verdict);
        if (verdict != 0) s.stop(verdict == 6 ? s.real(MAXITER) : 0);
    }
};
