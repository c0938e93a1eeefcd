/* _fourier.cuh: spectra times the spectrum of a Gaussian, a box or an ellipsoid, or moved.
 *
 * x, y: (rows, n), rows = (outer, n0, n1), n = n2: three axes of an array. What is known of
 * an axis is `waves[d]`: the frequency of index i is i or, from the middle on, i - length,
 * times `unit`. All is computed in double, in one launch: a piece is ROWS x COLUMNS elements,
 * whose factors are products (or sums) of one of their row and one of their column.
 * Launch: blocks(any, 256).
 */

enum { ROWS = 32, COLUMNS = 512 };
enum { GAUSSIAN, UNIFORM, ELLIPSOID, SHIFT };

/* An axis. `half`: of a real transform, which has no negative frequencies. */
struct axis_waves {
    long long length;
    double unit;
    bool half, passed; /* passed: it has no part in the filter */

    __device__ double of(long long i, int kind) const
    {
        if (passed) return kind == ELLIPSOID || kind == SHIFT ? 0 : 1;
        const long long k = half || i < (length + 1) / 2 ? i : i - length;
        const double t = unit * (double)k;
        if (kind == GAUSSIAN) {
            const double power = -2 * t * t;
            return power < -50 ? 0 : exp(power);
        }
        if (kind == UNIFORM) return k == 0 ? 1 : unit > 0 ? sin(t) / t : 0;
        return kind == ELLIPSOID ? t * t : t;
    }
};

/* The spectrum of a ball of `ndim` dimensions, by the square of the frequency. */
__device__ inline double
ball_spectrum(double square, int ndim)
{
    const double r = sqrt(square);
    if (r == 0) return 1;
    if (ndim == 1) return sin(r) / r;
    if (ndim == 2) return 2 * j1(r) / r;
    if (r < 0.25) { /* the difference below would be of rounding errors */
        return 1 -
               square / 10 * (1 - square / 28 * (1 - square / 54 * (1 - square / 88)));
    }
    return 3 * (sin(r) - r * cos(r)) / (square * r);
}

template <class E>
struct part {
    typedef E type;
};
template <class R>
struct part<complex<R>> {
    typedef R type;
};

/* The factors of a piece: of its rows, then of its columns. */
__device__ inline void
make_factors(double *factors, int i, long long row0, long long column0,
             const axis_waves *waves, int kind)
{
    if (i < ROWS) {
        const long long r = row0 + i;
        const double a = waves[0].of(r / waves[1].length % waves[0].length, kind);
        const double b = waves[1].of(r % waves[1].length, kind);
        factors[i] = kind == ELLIPSOID || kind == SHIFT ? a + b : a * b;
    } else {
        factors[i] = waves[2].of(column0 + i - ROWS, kind);
    }
}

template <class E>
__global__ void
fourier_filter(const E *x, E *y, long long rows, long long n0, long long n1,
               long long n, double unit0, double unit1, double unit2, int half,
               int passed, int kind, int ndim)
{
    typedef typename part<E>::type R;
    const axis_waves waves[3] = {{n0, unit0, half == 0, (passed & 1) != 0},
                                 {n1, unit1, half == 1, (passed & 2) != 0},
                                 {n, unit2, half == 2, (passed & 4) != 0}};
    const long long across = (n + COLUMNS - 1) / COLUMNS;
    __shared__ double factors[ROWS + COLUMNS];

    CUPRIC_EACH_BLOCK(piece, (rows + ROWS - 1) / ROWS * across)
    {
        const long long row0 = piece / across * ROWS, c0 = piece % across * COLUMNS;
        const int high = (int)(rows - row0 < ROWS ? rows - row0 : ROWS);
        const int wide = (int)(n - c0 < COLUMNS ? n - c0 : COLUMNS);
        __syncthreads(); /* the factors of the piece before have been used */
        for (int i = threadIdx.x; i < ROWS + wide; i += blockDim.x)
            make_factors(factors, i, row0, c0, waves, kind);
        __syncthreads();
        const double *column = factors + ROWS;
        for (int i = 0; i < high; i++) {
            const E *from = x + (row0 + i) * n + c0;
            E *to = y + (row0 + i) * n + c0;
            const double row = factors[i];
            const int step = blockDim.x;
            if (kind == ELLIPSOID) {
                for (int j = threadIdx.x; j < wide; j += step)
                    to[j] = from[j] * R(ball_spectrum(row + column[j], ndim));
            } else {
                for (int j = threadIdx.x; j < wide; j += step)
                    to[j] = from[j] * R(row * column[j]);
            }
        }
    }
}

/* The same of a shift, whose factors are exp(i (row + column)); E complex. */
template <class E>
__global__ void
fourier_move(const E *x, E *y, long long rows, long long n0, long long n1, long long n,
             double unit0, double unit1, double unit2, int half, int passed)
{
    typedef typename part<E>::type R;
    const axis_waves waves[3] = {{n0, unit0, half == 0, (passed & 1) != 0},
                                 {n1, unit1, half == 1, (passed & 2) != 0},
                                 {n, unit2, half == 2, (passed & 4) != 0}};
    const long long across = (n + COLUMNS - 1) / COLUMNS;
    __shared__ double cosines[ROWS + COLUMNS], sines[ROWS + COLUMNS];

    CUPRIC_EACH_BLOCK(piece, (rows + ROWS - 1) / ROWS * across)
    {
        const long long row0 = piece / across * ROWS, c0 = piece % across * COLUMNS;
        const int high = (int)(rows - row0 < ROWS ? rows - row0 : ROWS);
        const int wide = (int)(n - c0 < COLUMNS ? n - c0 : COLUMNS);
        __syncthreads(); /* the factors of the piece before have been used */
        for (int i = threadIdx.x; i < ROWS + wide; i += blockDim.x) {
            make_factors(cosines, i, row0, c0, waves, SHIFT);
            const double phase = cosines[i];
            cosines[i] = cos(phase);
            sines[i] = sin(phase);
        }
        __syncthreads();
        for (int i = 0; i < high; i++) {
            const E *from = x + (row0 + i) * n + c0;
            E *to = y + (row0 + i) * n + c0;
            const double c = cosines[i], s = sines[i];
            const int step = blockDim.x;
            for (int j = threadIdx.x; j < wide; j += step) {
                const double a = cosines[ROWS + j], b = sines[ROWS + j];
                const R re = R(c * a - s * b), im = R(c * b + s * a);
                const R xr = from[j].real(), xi = from[j].imag();
                to[j] = E(xr * re - xi * im, xr * im + xi * re);
            }
        }
    }
}
