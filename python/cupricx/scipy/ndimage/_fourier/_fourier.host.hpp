/* _fourier.host.hpp: the factors of a row are found by loops without a branch, which are
 * vectorised.
 */

/* Of a row and n columns, whose squares are added. */
template <int D>
__device__ inline void
ball_row(double row, const double *column, double *factors, int n)
{
    for (int j = 0; j < n; j++) factors[j] = ball_spectrum<D>(row + column[j]);
}

/* The factors of an ellipsoid: what it calls for each of them is inlined. */
__attribute__((flatten)) inline void
ellipsoid_row(double row, const double *column, double *f, int n, int ndim)
{
    double most = 0;

    for (int j = 0; j < n; j++) most = most < column[j] ? column[j] : most;
    if (row + most >= (double)FAR * FAR) {
        for (int j = 0; j < n; j++) f[j] = far_spectrum(row + column[j], ndim);
    } else if (ndim == 1) {
        ball_row<1>(row, column, f, n);
    } else if (ndim == 2) {
        ball_row<2>(row, column, f, n);
    } else {
        ball_row<3>(row, column, f, n);
    }
}

template <class E>
__device__ inline void
filter_row(const E *from, E *to, double row, const double *column, int n,
           const spectrum &p)
{
    typedef typename part<E>::type R;
    double f[COLUMNS];
    R factor[COLUMNS];

    if (p.kind == ELLIPSOID) {
        ellipsoid_row(row, column, f, n, p.ndim);
    } else {
        for (int j = 0; j < n; j++) f[j] = row * column[j];
    }
    for (int j = 0; j < n; j++) factor[j] = factor_of<R>(f[j]);
    for (int j = 0; j < n; j++) to[j] = part<E>::scaled(from[j], factor[j]);
}
