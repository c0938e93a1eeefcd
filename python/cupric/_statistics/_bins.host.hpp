/* _bins.host.hpp: rows are loops of vectors. */

template <class T>
__global__ void
densities(const T *counts, const double *widths, const T *total, double *out,
          densities_sizes p)
{
    const long long ny = p.n[1], nz = p.n[2];
    const double *const y_widths = widths + p.n[0], *const z_widths = y_widths + ny;
    const double all = cupric::convert<double>(total[0]);

    CUPRIC_EACH (row, p.pieces) {
        const double x_width = widths[row / ny], y_width = y_widths[row % ny];
        const T *const from = counts + row * nz;
        double *const to = out + row * nz;
        for (long long z = 0; z < nz; z++)
            to[z] = double(from[z]) / x_width / y_width / z_widths[z] / all;
    }
}
