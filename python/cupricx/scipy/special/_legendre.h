/* _legendre.h: what kernels of Legendre functions and Python share. */
#ifndef CUPRICX_SPECIAL_LEGENDRE_H
#define CUPRICX_SPECIAL_LEGENDRE_H

enum { POLYNOMIAL, ASSOCIATED, NORMALIZED, SPHERICAL };

/* `count` points; of n, m, z and cut an element each, or the same one where its step is 0. */
struct legendre_points {
    long long count, n_step, m_step, z_step, cut_step;
    int kind;
};

/* Degrees from 0 to n of orders 0 ... m, -m ... -1 at each of `count` points. */
struct legendre_orders {
    long long count, n, m, z_step, cut_step;
    int kind;
};

/* The points of spherical harmonics, and the same steps. */
struct harmonic_points {
    long long count, n_step, m_step, theta_step, phi_step;
};
struct harmonic_orders {
    long long count, n, m, theta_step, phi_step;
};

#endif
