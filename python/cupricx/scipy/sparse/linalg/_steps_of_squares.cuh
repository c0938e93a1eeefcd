/* Phases of lsqr and lsmr: the bidiagonalization of Golub and Kahan that both are made of,
 * and their own updates. u has as many elements as b, alone in its array; the others have
 * those of x. */
#include "_steps.h"

/* A rotation that turns (a, b) into (r, 0). */
struct rotation {
    double c, s, r;
};
__device__ inline double
sign_of(double a)
{
    return a > 0 ? 1.0 : a < 0 ? -1.0 : a;
}
__device__ inline rotation
rotate(double a, double b)
{
    if (b == 0) return {sign_of(a), 0, fabs(a)};
    if (a == 0) return {0, sign_of(b), fabs(b)};
    if (fabs(b) > fabs(a)) {
        const double ratio = a / b, s = sign_of(b) / sqrt(1 + ratio * ratio);
        return {s * ratio, s, b / s};
    }
    const double ratio = b / a, c = sign_of(a) / sqrt(1 + ratio * ratio);
    return {c, c * ratio, a / c};
}

/* y = A v, of u alone. */
template <class T>
struct phase<LS_NEXT_U, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double alpha;

    __device__ void load(numbers<W> s) { alpha = s.real(LS_ALPHA); }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W u = v.y(i) - W(alpha) * v.get(0, i);
        v.set(0, i, u);
        sums[0] += W(square(u));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        s.set(LS_BETA, sqrt(real_of(sums[0])));
    }
};

template <class T>
struct phase<LS_SCALE_U, T> : phase_base<T, 0> {
    typedef wide<T> W;
    double scale;

    __device__ void load(numbers<W> s)
    {
        scale = s.is(LS_BETA) ? 1 / s.real(LS_BETA) : 1;
    }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        v.set(0, i, W(scale) * v.get(0, i));
    }
};

/* y = A^H u: v before it is scaled. Where beta is 0, v and alpha stay. */
template <class T>
struct next_v : phase_base<T, 1> {
    typedef wide<T> W;
    double beta;

    __device__ void load(numbers<W> s) { beta = s.real(LS_BETA); }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        if (beta == 0) return;
        const W next = v.y(i) - W(beta) * v.get(LS_V, i);
        v.set(LS_V, i, next);
        sums[0] += W(square(next));
    }
};

/* What v is to be multiplied by. */
template <class W>
__device__ inline double
scale_of_v(numbers<W> s)
{
    return s.is(LS_BETA) && s.is(LS_ALPHA) ? 1 / s.real(LS_ALPHA) : 1;
}

/* Why the iterations end, by the tests that both have; 0: they do not. */
template <class W>
__device__ inline int
squares_verdict(numbers<W> s)
{
    const double test1 = s.real(LS_TEST1), test2 = s.real(LS_TEST2);
    const double test3 = s.real(LS_TEST3), atol = s.real(LS_ATOL);
    const double size = s.real(LS_A_NORM) * s.real(LS_X_NORM) / s.real(LS_B_NORM);
    if (test1 <= s.real(LS_BTOL) + atol * size) return 1;
    if (test2 <= atol) return 2;
    if (test3 <= s.real(LS_CTOL)) return 3;
    if (1 + test1 / (1 + size) <= 1) return 4;
    if (1 + test2 <= 1) return 5;
    if (1 + test3 <= 1) return 6;
    return s.real(ITERATIONS) >= s.real(MAXITER) ? 7 : 0;
}
template <class W>
__device__ inline void
squares_judge(numbers<W> s)
{
    s.set(ITERATIONS, s.real(ITERATIONS) + 1);
    s.set(RESIDUAL, s.real(LS_R_NORM));
    const int verdict = squares_verdict(s);
    if (verdict != 0) s.stop(verdict);
}

/* ---- lsqr ---------------------------------------------------------------------------- */

template <class T>
struct phase<LSQR_NEXT_V, T> : next_v<T> {
    typedef wide<T> W;

    __device__ void end(numbers<W> s, const W *sums)
    {
        const double damp = s.real(LS_DAMP), beta = s.real(LS_BETA);
        if (beta > 0) {
            const double norm = s.real(LS_A_NORM), alpha = s.real(LS_ALPHA);
            s.set(LS_A_NORM,
                  sqrt(norm * norm + alpha * alpha + beta * beta + damp * damp));
            s.set(LS_ALPHA, sqrt(real_of(sums[0])));
        }
        double rhobar = s.real(LSQR_RHOBAR), phibar = s.real(LSQR_PHIBAR), psi = 0;
        if (damp > 0) {
            const double damped = sqrt(rhobar * rhobar + damp * damp);
            psi = damp / damped * phibar;
            phibar = rhobar / damped * phibar;
            rhobar = damped;
        }
        const double alpha = s.real(LS_ALPHA);
        const rotation by = rotate(rhobar, beta);
        const double theta = by.s * alpha, phi = by.c * phibar;
        s.set(LSQR_RHOBAR, -by.c * alpha);
        s.set(LSQR_PHIBAR, by.s * phibar);
        s.set(LSQR_RHO, by.r);
        s.set(LSQR_PHI, phi);
        s.set(LSQR_THETA, theta);
        s.set(LSQR_TAU, by.s * phi);
        s.set(LSQR_RES2, s.real(LSQR_RES2) + psi * psi);
        s.set(LS_TO_X, phi / by.r);
        s.set(LS_TO_W, -theta / by.r);
    }
};

/* The norms of x and of the residuals, from the squared norm of w / rho. */
template <class W>
__device__ inline void
lsqr_norms(numbers<W> s, double squares)
{
    const double rho = s.real(LSQR_RHO), theta = s.real(LSQR_THETA);
    const double gambar = -s.real(LSQR_COS2) * rho;
    const double rhs = s.real(LSQR_PHI) - s.real(LSQR_SIN2) * rho * s.real(LSQR_Z);
    const double zbar = rhs / gambar, gamma = sqrt(gambar * gambar + theta * theta);
    const double phibar = s.real(LSQR_PHIBAR), damp = s.real(LS_DAMP);
    const double r_norm = sqrt(phibar * phibar + s.real(LSQR_RES2));
    s.set(LSQR_D_NORM, s.real(LSQR_D_NORM) + squares);
    s.set(LS_X_NORM, sqrt(s.real(LSQR_XX_NORM) + zbar * zbar));
    s.set(LSQR_COS2, gambar / gamma);
    s.set(LSQR_SIN2, theta / gamma);
    s.set(LSQR_Z, rhs / gamma);
    s.set(LSQR_XX_NORM, s.real(LSQR_XX_NORM) + rhs / gamma * (rhs / gamma));
    s.set(LS_A_COND, s.real(LS_A_NORM) * sqrt(s.real(LSQR_D_NORM)));
    s.set(LS_R_NORM, r_norm);
    s.set(LS_AR_NORM, s.real(LS_ALPHA) * fabs(s.real(LSQR_TAU)));
    double r1 = r_norm;
    if (damp > 0) {
        const double rest = r_norm * r_norm - damp * damp * s.real(LSQR_XX_NORM);
        r1 = rest < 0 ? -sqrt(-rest) : sqrt(rest);
    }
    s.set(LSQR_R1_NORM, r1);
}

template <class T>
struct phase<LSQR_X, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double scale, to_x, to_w, of_d;
    bool with_variances;

    __device__ void load(numbers<W> s)
    {
        scale = scale_of_v(s);
        to_x = s.real(LS_TO_X);
        to_w = s.real(LS_TO_W);
        of_d = 1 / s.real(LSQR_RHO);
        with_variances = s.is(LSQR_VAR);
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W w = v.get(LS_W, i), d = W(of_d) * w, next = W(scale) * v.get(LS_V, i);
        v.set(LS_V, i, next);
        v.set(X, i, v.get(X, i) + W(to_x) * w);
        v.set(LS_W, i, next + W(to_w) * w);
        if (with_variances) v.set(LS_VAR, i, v.get(LS_VAR, i) + d * d);
        sums[0] += W(square(d));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const double eps = 2.220446049250313e-16;
        lsqr_norms(s, real_of(sums[0]));
        s.set(LS_TEST1, s.real(LS_R_NORM) / s.real(LS_B_NORM));
        s.set(LS_TEST2,
              s.real(LS_AR_NORM) / (s.real(LS_A_NORM) * s.real(LS_R_NORM) + eps));
        s.set(LS_TEST3, 1 / (s.real(LS_A_COND) + eps));
        squares_judge(s);
    }
};

/* ---- lsmr ---------------------------------------------------------------------------- */

/* The estimate of the residual's norm, of the rotation that eliminates the damping, the
 * one that eliminates beta, and thetabar. */
template <class W>
__device__ inline void
lsmr_residual(numbers<W> s, const rotation &hat, const rotation &by, double thetabar,
              double last_zeta)
{
    const double acute = hat.c * s.real(LSMR_BETADD);
    const double check = -hat.s * s.real(LSMR_BETADD);
    const rotation tilde = rotate(s.real(LSMR_RHOD), thetabar);
    const double thetatilde = tilde.s * s.real(LSMR_RHOBAR);
    const double rhod = tilde.c * s.real(LSMR_RHOBAR);
    const double betad = -tilde.s * s.real(LSMR_BETAD) + tilde.c * (by.c * acute);
    const double tautilde =
        (last_zeta - s.real(LSMR_THETATILDE) * s.real(LSMR_TAUTILDE)) / tilde.r;
    const double taud = (s.real(LSMR_ZETA) - thetatilde * tautilde) / rhod;
    const double betadd = -by.s * acute, d = s.real(LSMR_D) + check * check;
    s.set(LSMR_BETADD, betadd);
    s.set(LSMR_BETAD, betad);
    s.set(LSMR_RHOD, rhod);
    s.set(LSMR_THETATILDE, thetatilde);
    s.set(LSMR_TAUTILDE, tautilde);
    s.set(LSMR_D, d);
    s.set(LS_R_NORM, sqrt(d + (betad - taud) * (betad - taud) + betadd * betadd));
}

/* The estimates of the matrix's norm and condition. */
template <class W>
__device__ inline void
lsmr_norms(numbers<W> s, double rhobar, double rhotemp)
{
    const double alpha = s.real(LS_ALPHA), beta = s.real(LS_BETA);
    const double squares = s.real(LSMR_SQUARES) + beta * beta;
    s.set(LS_A_NORM, sqrt(squares));
    s.set(LSMR_SQUARES, squares + alpha * alpha);
    if (rhobar > s.real(LSMR_LARGEST)) s.set(LSMR_LARGEST, rhobar);
    if (s.real(ITERATIONS) > 0 && rhobar < s.real(LSMR_SMALLEST))
        s.set(LSMR_SMALLEST, rhobar);
    const double largest = s.real(LSMR_LARGEST), smallest = s.real(LSMR_SMALLEST);
    s.set(LS_A_COND, (rhotemp > largest ? rhotemp : largest) /
                         (rhotemp < smallest ? rhotemp : smallest));
    s.set(LS_AR_NORM, fabs(s.real(LSMR_ZETABAR)));
}

template <class T>
struct phase<LSMR_NEXT_V, T> : next_v<T> {
    typedef wide<T> W;

    __device__ void end(numbers<W> s, const W *sums)
    {
        if (s.real(LS_BETA) > 0) s.set(LS_ALPHA, sqrt(real_of(sums[0])));
        const double alpha = s.real(LS_ALPHA), last_zeta = s.real(LSMR_ZETA);
        const rotation hat = rotate(s.real(LSMR_ALPHABAR), s.real(LS_DAMP));
        const rotation by = rotate(hat.r, s.real(LS_BETA));
        const double theta = by.s * alpha, last_rho = s.real(LSMR_RHO);
        const double last_rhobar = s.real(LSMR_RHOBAR);
        const double thetabar = s.real(LSMR_SBAR) * by.r;
        const double rhotemp = s.real(LSMR_CBAR) * by.r;
        const rotation bar = rotate(rhotemp, theta);
        const double zeta = bar.c * s.real(LSMR_ZETABAR);
        s.set(LSMR_ALPHABAR, by.c * alpha);
        s.set(LSMR_RHO, by.r);
        s.set(LSMR_CBAR, bar.c);
        s.set(LSMR_SBAR, bar.s);
        s.set(LSMR_RHOBAR, bar.r);
        s.set(LSMR_ZETA, zeta);
        s.set(LSMR_ZETABAR, -bar.s * s.real(LSMR_ZETABAR));
        s.set(LSMR_TO_HBAR, -(thetabar * by.r / (last_rho * last_rhobar)));
        s.set(LS_TO_X, zeta / (by.r * bar.r));
        s.set(LS_TO_W, -(theta / by.r));
        lsmr_residual(s, hat, by, thetabar, last_zeta);
        lsmr_norms(s, last_rhobar, rhotemp);
    }
};

template <class T>
struct phase<LSMR_X, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double scale, to_hbar, to_x, to_h;

    __device__ void load(numbers<W> s)
    {
        scale = scale_of_v(s);
        to_hbar = s.real(LSMR_TO_HBAR);
        to_x = s.real(LS_TO_X);
        to_h = s.real(LS_TO_W);
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W next = W(scale) * v.get(LS_V, i), h = v.get(LSMR_H, i);
        const W hbar = h + W(to_hbar) * v.get(LSMR_HBAR, i);
        const W x = v.get(X, i) + W(to_x) * hbar;
        v.set(LS_V, i, next);
        v.set(LSMR_HBAR, i, hbar);
        v.set(X, i, x);
        v.set(LSMR_H, i, next + W(to_h) * h);
        sums[0] += W(square(x));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const double product = s.real(LS_A_NORM) * s.real(LS_R_NORM);
        s.set(LS_X_NORM, sqrt(real_of(sums[0])));
        s.set(LS_TEST1, s.real(LS_R_NORM) / s.real(LS_B_NORM));
        s.set(LS_TEST2, product != 0 ? s.real(LS_AR_NORM) / product
                                     : cupric::greatest_of<double>());
        s.set(LS_TEST3, 1 / s.real(LS_A_COND));
        squares_judge(s);
    }
};
