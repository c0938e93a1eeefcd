/* Phases of qmr. X and R are the solution and its residual. */
#include "_steps.h"

/* y = M1 vt, z = M2^H wt */
template <class T>
struct phase<QMR_SCALE, T> : phase_base<T, 1> {
    typedef wide<T> W;
    double of_v, of_w;

    __device__ void load(numbers<W> s)
    {
        of_v = 1 / s.real(RHO);
        of_w = 1 / s.real(QMR_XI);
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W y = W(of_v) * v.y(i), z = W(of_w) * v.z(i);
        v.set(QMR_V, i, W(of_v) * v.get(QMR_VT, i));
        v.set(QMR_W, i, W(of_w) * v.get(QMR_WT, i));
        v.set(QMR_Y, i, y);
        v.set(QMR_Z, i, z);
        sums[0] += dot(z, y);
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const W delta = sums[0];
        if (magnitude(delta) < s.real(TINY)) {
            s.stop(-13);
            return;
        }
        s.set(QMR_DELTA, delta);
        /* p and q are 0 before the first iteration. */
        const bool first = s.real(ITERATIONS) == 0;
        const W ratio = first ? W(0) : delta / s.get(QMR_EPSILON);
        s.set(QMR_OF_P, W(-s.real(QMR_XI)) * ratio);
        s.set(QMR_OF_Q, W(-s.real(RHO)) * conjugate(ratio));
    }
};

/* y = M2 y, z = M1^H z */
template <class T>
struct phase<QMR_DIRECTION, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W of_p, of_q;

    __device__ void load(numbers<W> s)
    {
        of_p = s.get(QMR_OF_P);
        of_q = s.get(QMR_OF_Q);
    }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W p = v.y(i) + of_p * v.get(QMR_P, i);
        const W q = v.z(i) + of_q * v.get(QMR_Q, i);
        v.set(QMR_P, i, p);
        v.set(QMR_Q, i, q);
    }
};

/* y = A p */
template <class T>
struct phase<QMR_BETA, T> : phase_base<T, 1> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += dot(v.get(QMR_Q, i), v.y(i));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const W beta = sums[0] / s.get(QMR_DELTA);
        s.set(QMR_EPSILON, sums[0]);
        s.set(BETA, beta);
        if (magnitude(sums[0]) < s.real(TINY)) {
            s.stop(-14);
        } else if (magnitude(beta) < s.real(TINY)) {
            s.stop(-11);
        }
    }
};

/* y = A p, z = A^H q */
template <class T>
struct phase<QMR_VECTORS, T> : phase_base<T, 0> {
    typedef wide<T> W;
    W beta;

    __device__ void load(numbers<W> s) { beta = s.get(BETA); }
    __device__ void element(const vectors<T> &v, long long i, W *)
    {
        const W vt = v.y(i) - beta * v.get(QMR_V, i);
        const W wt = v.z(i) - conjugate(beta) * v.get(QMR_W, i);
        v.set(QMR_VT, i, vt);
        v.set(QMR_WT, i, wt);
    }
};

/* y = M1 vt, z = M2^H wt */
template <class T>
struct phase<QMR_NORMS, T> : phase_base<T, 2> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        sums[0] += W(square(v.y(i)));
        sums[1] += W(square(v.z(i)));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        const W beta = s.get(BETA);
        const double before = s.real(RHO), rho = sqrt(real_of(sums[0]));
        const double old_gamma = s.real(QMR_GAMMA), old_theta = s.real(QMR_THETA);
        const double theta = rho / (old_gamma * magnitude(beta));
        const double gamma = 1 / sqrt(1 + theta * theta), turn = gamma / old_gamma;
        s.set(RHO, rho);
        s.set(QMR_XI, sqrt(real_of(sums[1])));
        s.set(QMR_THETA, theta);
        s.set(QMR_GAMMA, gamma);
        s.set(QMR_ETA, s.get(QMR_ETA) * (W(-before) / beta) * W(turn * turn));
        s.set(QMR_OF_D, old_theta * gamma * (old_theta * gamma));
        if (gamma < s.real(TINY)) s.stop(-12);
    }
};

/* y = A p */
template <class T>
struct phase<QMR_X, T> : phase_base<T, 1> {
    typedef wide<T> W;
    W eta, of_d;

    __device__ void load(numbers<W> s)
    {
        eta = s.get(QMR_ETA);
        of_d = s.get(QMR_OF_D);
    }
    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W d = of_d * v.get(QMR_D, i) + eta * v.get(QMR_P, i);
        const W along = of_d * v.get(QMR_S, i) + eta * v.y(i);
        const W r = v.get(R, i) - along;
        v.set(QMR_D, i, d);
        v.set(QMR_S, i, along);
        v.set(X, i, v.get(X, i) + d);
        v.set(R, i, r);
        sums[0] += W(square(r));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        if (!count_iteration(s, sums[0])) return;
        if (s.real(RHO) < s.real(TINY)) {
            s.stop(-10);
        } else if (s.real(QMR_XI) < s.real(TINY)) {
            s.stop(-15);
        }
    }
};
