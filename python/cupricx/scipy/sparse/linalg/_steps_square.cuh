/* Phases of cg, bicg, bicgstab and cgs. X and R are the solution and its residual. */
#include "_steps.h"

/* ---- cg ------------------------------------------------------------------------------ */

/* y = A p. The last update of x belongs to the step that found the residual small, so that
 * this phase, the next step's first, is the one that stops. */
template <class T>
struct phase<CG_ALPHA, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(CG_P, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        s.set(STOPPED, s.real(PENDING));
        s.set(ALPHA, s.get(RHO) / sums[0]);
    }
};

/* y = A p */
template <class T>
struct phase<CG_RESIDUAL, T> : phase_base<T, 1> {
    typedef wide<T> W;
    W alpha;

    __device__ void load(numbers<W> s) { alpha = s.get(ALPHA); }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W r = v.get(R, i) - alpha * v.y(i);
        v.set(R, i, r);
        sums[0] += W(square(r));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        count_iteration(s, sums[0], PENDING);
        if (s.is(DIRECT)) next_rho(s, sums[0]);
    }
};

/* y = M r */
template <class T>
struct phase<CG_RHO, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(R, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums) { next_rho(s, sums[0]); }
};

/* y = M r */
template <class T>
struct phase<CG_DIRECTION, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W alpha, beta;

    __device__ void load(numbers<W> s)
    {
        alpha = s.get(ALPHA);
        beta = s.get(BETA);
    }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W p = v.get(CG_P, i), x = v.get(X, i);
        v.set(CG_P, i, v.y(i) + beta * p);
        v.set(X, i, x + alpha * p);
    }
};

/* ---- bicg ---------------------------------------------------------------------------- */

/* y = A p */
template <class T>
struct phase<BICG_ALPHA, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(BICG_PT, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums) { next_alpha(s, sums[0]); }
};

/* y = A p, z = A^H pt */
template <class T>
struct phase<BICG_UPDATE, T> : phase_base<T, 2> {
    typedef wide<T> W;
    W alpha;

    __device__ void load(numbers<W> s) { alpha = s.get(ALPHA); }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W r = v.get(R, i) - alpha * v.y(i);
        const W rt = v.get(BICG_RT, i) - conjugate(alpha) * v.z(i);
        v.set(X, i, v.get(X, i) + alpha * v.get(BICG_P, i));
        v.set(R, i, r);
        v.set(BICG_RT, i, rt);
        sums[0] += W(square(r));
        sums[1] += dot(rt, r);
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        if (count_iteration(s, sums[0]) && s.is(DIRECT)) next_rho(s, sums[1]);
    }
};

/* y = M r */
template <class T>
struct phase<BICG_RHO, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(BICG_RT, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums) { next_rho(s, sums[0]); }
};

/* y = M r, z = M^H rt */
template <class T>
struct phase<BICG_DIRECTION, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W beta;

    __device__ void load(numbers<W> s) { beta = s.get(BETA); }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W p = v.y(i) + beta * v.get(BICG_P, i);
        const W pt = v.z(i) + conjugate(beta) * v.get(BICG_PT, i);
        v.set(BICG_P, i, p);
        v.set(BICG_PT, i, pt);
    }
};

/* ---- bicgstab ------------------------------------------------------------------------ */

/* y = A M p */
template <class T>
struct phase<BS_ALPHA, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(BS_RT, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums) { next_alpha(s, sums[0]); }
};

/* y = A M p */
template <class T>
struct phase<BS_HALF, T> : phase_base<T, 1> {
    typedef wide<T> W;
    W alpha;

    __device__ void load(numbers<W> s) { alpha = s.get(ALPHA); }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W y = v.y(i), r = v.get(R, i) - alpha * y;
        v.set(BS_V, i, y);
        v.set(R, i, r);
        sums[0] += W(square(r));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const double residual = sqrt(real_of(sums[0]));
        s.set(HALF, residual < s.real(TOLERANCE) ? 1.0 : 0.0);
        s.set(RESIDUAL, residual);
    }
};

/* y = A M r */
template <class T>
struct phase<BS_OMEGA, T> : phase_base<T, 2> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W y = v.y(i);
        sums[0] += dot(y, v.get(R, i));
        sums[1] += W(square(y));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        s.set(OMEGA, s.is(HALF) ? W(0) : sums[0] / sums[1]);
    }
};

/* y = A M r, z = M p, u = M r */
template <class T>
struct phase<BS_UPDATE, T> : phase_base<T, 2> {
    typedef wide<T> W;
    W alpha, omega;

    __device__ void load(numbers<W> s)
    {
        alpha = s.get(ALPHA);
        omega = s.get(OMEGA);
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W x = v.get(X, i) + alpha * v.z(i) + omega * v.u(i);
        const W r = v.get(R, i) - omega * v.y(i);
        v.set(X, i, x);
        v.set(R, i, r);
        sums[0] += W(square(r));
        sums[1] += dot(v.get(BS_RT, i), r);
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        if (s.is(HALF)) {
            s.stop(0);
            return;
        }
        if (!count_iteration(s, sums[0])) return;
        next_rho(s, sums[1]);
        if (s.is(STOPPED)) return;
        const W omega = s.get(OMEGA);
        if (magnitude(omega) < s.real(TINY)) s.stop(-11);
        s.set(BETA, s.get(BETA) * (s.get(ALPHA) / omega));
    }
};

template <class T>
struct phase<BS_DIRECTION, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W beta, omega;

    __device__ void load(numbers<W> s)
    {
        beta = s.get(BETA);
        omega = s.get(OMEGA);
    }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W p = v.get(BS_P, i) - omega * v.get(BS_V, i);
        v.set(BS_P, i, v.get(R, i) + beta * p);
    }
};

/* ---- cgs ----------------------------------------------------------------------------- */

/* y = A M p */
template <class T>
struct phase<CGS_ALPHA, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(CGS_RT, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums) { next_alpha(s, sums[0]); }
};

/* y = A M p */
template <class T>
struct phase<CGS_VECTORS, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W alpha;

    __device__ void load(numbers<W> s) { alpha = s.get(ALPHA); }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W u = v.get(CGS_U, i), q = u - alpha * v.y(i);
        v.set(CGS_Q, i, q);
        v.set(CGS_T, i, u + q);
    }
};

/* y = M (u + q) */
template <class T>
struct phase<CGS_X, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W alpha;

    __device__ void load(numbers<W> s) { alpha = s.get(ALPHA); }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        v.set(X, i, v.get(X, i) + alpha * v.y(i));
    }
};

/* y = A x: the residual is the true one. */
template <class T>
struct phase<CGS_RESIDUAL, T> : phase_base<T, 2> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W r = v.get(CGS_B, i) - v.y(i);
        v.set(R, i, r);
        sums[0] += W(square(r));
        sums[1] += dot(v.get(CGS_RT, i), r);
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        if (count_iteration(s, sums[0])) next_rho(s, sums[1]);
    }
};

template <class T>
struct phase<CGS_DIRECTION, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W beta;

    __device__ void load(numbers<W> s) { beta = s.get(BETA); }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W q = v.get(CGS_Q, i), u = v.get(R, i) + beta * q;
        v.set(CGS_P, i, u + beta * (q + beta * v.get(CGS_P, i)));
        v.set(CGS_U, i, u);
    }
};
