/* _fourier.cuh: spectra times the spectrum of a Gaussian, a box or an ellipsoid, or moved.
 *
 * All is computed in double, in one launch: a block's piece is ROWS x COLUMNS elements, whose
 * factors are products (or sums) of one of their row and one of their column.
 */
#include "_fourier.h"

/* The factor of index i of an axis. */
__device__ inline double
wave_at(const spectrum &p, int axis, long long i, int kind)
{
    if (p.passed >> axis & 1) return kind == ELLIPSOID || kind == SHIFT ? 0 : 1;
    const long long n = p.lengths[axis];
    const long long k = p.half == axis || i < (n + 1) / 2 ? i : i - n;
    const double t = p.units[axis] * (double)k;
    if (kind == GAUSSIAN) {
        const double power = -2 * t * t;
        return power < -50 ? 0 : exp(power);
    }
    if (kind == UNIFORM) return k == 0 ? 1 : p.units[axis] > 0 ? cupric::sinc(t) : 0;
    return kind == ELLIPSOID ? t * t : t;
}

/* c[0] + c[1] x + ... */
template <int N>
__device__ inline double
polynomial(const double (&c)[N], double x)
{
    double y = c[N - 1];
#pragma unroll
    for (int i = N - 2; i >= 0; i--) y = c[i] + x * y;
    return y;
}

/* Sine and cosine of x in [0, 2^17), by their series around the nearest multiple of pi / 2,
 * without a branch: a loop of them is vectorised. To 1 ulp of 1. */
__device__ inline void
sine_cosine(double x, double *sine, double *cosine)
{
    const int quarter = (int)(x * 0.63661977236758134 + 0.5);
    const double q =
        (double)quarter; /* pi / 2 in three parts: q times the first is exact */
    const double y = ((x - q * 1.5707963267341256) - q * 6.077100506303966e-11) -
                     q * 2.0222662487959506e-21;
    const double odd[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    const double even[] = {1.0 / 24,
                           -1.0 / 720,
                           1.0 / 40320,
                           -1.0 / 3628800,
                           1.0 / 479001600,
                           -1.0 / 87178291200,
                           1.0 / 20922789888000,
                           -1.0 / 6402373705728000};
    const double z = y * y;
    const double s = y + y * z * polynomial(odd, z);
    const double c = 1 - z / 2 + z * z * polynomial(even, z);
    const double swapped = (double)(quarter & 1);
    const double s_sign = (double)(1 - (quarter & 2));
    const double c_sign = (double)(1 - ((quarter + 1) & 2));
    *sine = (swapped != 0 ? c : s) * s_sign;
    *cosine = (swapped != 0 ? s : c) * c_sign;
}

enum { FAR = 1 << 16 };

/* 2 J1(r) / r for r in [0, FAR), by its square: below 8 a polynomial, beyond by amplitude and
 * phase (Hankel), whose parts are polynomials of (8 / r)^2. All of them are least squares
 * over Chebyshev nodes; to 2e-15. */
__device__ inline double
disc_spectrum(double square)
{
    const double below[] = {
        -0.11628765591198226,   0.16211732077179311,     0.30303330287612923,
        -0.5191897305717883,    0.31716752865454761,     -0.10949163642629495,
        0.024913628783733328,   -0.0040580789867427592,  0.0004989891651674544,
        -4.809150257983901e-05, 3.7369014535176251e-06,  -2.3933517339906267e-07,
        1.2865196444037992e-08, -5.9276213780190654e-10, 2.2494076909511529e-11,
        2.8750320340019479e-13};
    const double in_phase[] = {1.0009070262780815,      0.00089880494167169538,
                               -7.9596946636534224e-06, 2.4536763990763905e-07,
                               -1.4708787162485435e-08, 1.3604277905043995e-09,
                               -1.7056378545149067e-10, 2.6935408772526448e-11,
                               -5.9961361198248456e-12, 1.3950604654809321e-12};
    const double behind[] = {0.3742149922195967,     -0.00076971670577181354,
                             1.456961456503327e-05,  -6.6335670563291217e-07,
                             5.1362998540948805e-08, -5.7217397911969525e-09,
                             8.2629492448818847e-10, -1.4624573604633267e-10,
                             3.6797027092225211e-11, -9.2767894023705823e-12};
    const double t = square < 64 ? square : 64, x = sqrt(square < 64 ? 64 : square);
    const double inverse = 1 / x, u = 128 * inverse * inverse - 1;
    double s, c;
    sine_cosine(x, &s, &c);
    const double wave =
        polynomial(in_phase, u) * (s - c) + polynomial(behind, u) * inverse * (s + c);
    const double far = 1.1283791670955126 * wave * inverse * sqrt(inverse);
    return square < 64 ? polynomial(below, t / 32 - 1) : far;
}

/* The spectrum of a ball of D dimensions, by the square of the frequency r < FAR. */
template <int D>
__device__ inline double
ball_spectrum(double square)
{
    if (D == 2) return disc_spectrum(square);
    const double r = sqrt(square < 1e-300 ? 1e-300 : square);
    double s, c;
    sine_cosine(r, &s, &c);
    if (D == 1) return square < 1e-300 ? 1 : s / r;
    /* below, the difference would be one of rounding errors */
    const double small =
        1 - square / 10 * (1 - square / 28 * (1 - square / 54 * (1 - square / 88)));
    return square < 0.0625 ? small : 3 * (s - r * c) / (square * r);
}

/* The same of any frequency. */
__device__ inline double
far_spectrum(double square, int ndim)
{
    const double r = sqrt(square);
    if (r < FAR) {
        return ndim == 1   ? ball_spectrum<1>(square)
               : ndim == 2 ? ball_spectrum<2>(square)
                           : ball_spectrum<3>(square);
    }
    if (ndim == 1) return sin(r) / r;
    return ndim == 2 ? 2 * j1(r) / r : 3 * (sin(r) - r * cos(r)) / (square * r);
}

template <class E>
struct part {
    typedef E type;
    __device__ static E scaled(E x, E f) { return x * f; }
};
template <class R>
struct part<complex<R>> {
    typedef R type;
    __device__ static complex<R> scaled(complex<R> x, R f)
    {
        return complex<R>(x.real() * f, x.imag() * f);
    }
};

/* A factor in the type of the result. Those that float has no normal number for are 0: CPUs
 * take a hundred times as long for others, and far from the origin all are such. */
template <class R>
__device__ inline R
factor_of(double f)
{
    return sizeof(R) == 4 && fabs(f) < 1.1754943508222875e-38 ? R(0) : R(f);
}

/* Where a block's piece begins, and its size. */
struct Piece {
    long long row, column;
    int height, width;
};

__device__ inline Piece
piece_of(const spectrum &p, long long block)
{
    const long long n = p.lengths[2], across = (n + COLUMNS - 1) / COLUMNS;
    const long long row = block / across * ROWS, column = block % across * COLUMNS;
    return {row, column, (int)(p.rows - row < ROWS ? p.rows - row : ROWS),
            (int)(n - column < COLUMNS ? n - column : COLUMNS)};
}

/* The factors of a piece: of its rows, then of its columns. */
__device__ inline double
factor_at(int i, const Piece &piece, const spectrum &p, int kind)
{
    if (i >= ROWS) return wave_at(p, 2, piece.column + i - ROWS, kind);
    const long long r = piece.row + i, n0 = p.lengths[0], n1 = p.lengths[1];
    const double a = wave_at(p, 0, r / n1 % n0, kind);
    const double b = wave_at(p, 1, r % n1, kind);
    return kind == ELLIPSOID || kind == SHIFT ? a + b : a * b;
}

/* A row of a piece times the factors of its row and of its columns. */
template <class E>
__device__ inline void
filter_row(const E *from, E *to, double row, const double *column, int n,
           const spectrum &p)
{
    typedef typename part<E>::type R;

    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        const double f = p.kind == ELLIPSOID ? far_spectrum(row + column[j], p.ndim)
                                             : row * column[j];
        to[j] = part<E>::scaled(from[j], factor_of<R>(f));
    }
}

/* Launch: blocks(p.blocks, THREADS). */
template <class E>
__global__ void
fourier_filter(const E *x, E *y, const __grid_constant__ spectrum p)
{
    __shared__ double factors[ROWS + COLUMNS];

    CUPRIC_EACH_BLOCK (block, p.blocks) {
        const Piece piece = piece_of(p, block);
        __syncthreads(); /* the factors of the piece before have been used */
        for (int i = threadIdx.x; i < ROWS + piece.width; i += blockDim.x)
            factors[i] = factor_at(i, piece, p, p.kind);
        __syncthreads();
        for (int i = 0; i < piece.height; i++) {
            const long long at = (piece.row + i) * p.lengths[2] + piece.column;
            filter_row(x + at, y + at, factors[i], factors + ROWS, piece.width, p);
        }
    }
}

/* The same of a shift, whose factors are exp(i (row + column)); E complex.
 * Launch: blocks(p.blocks, THREADS). */
template <class E>
__global__ void
fourier_move(const E *x, E *y, const __grid_constant__ spectrum p)
{
    typedef typename part<E>::type R;
    __shared__ double cosines[ROWS + COLUMNS], sines[ROWS + COLUMNS];

    CUPRIC_EACH_BLOCK (block, p.blocks) {
        const Piece piece = piece_of(p, block);
        __syncthreads(); /* the factors of the piece before have been used */
        for (int i = threadIdx.x; i < ROWS + piece.width; i += blockDim.x) {
            const double phase = factor_at(i, piece, p, SHIFT);
            cosines[i] = cos(phase);
            sines[i] = sin(phase);
        }
        __syncthreads();
        for (int i = 0; i < piece.height; i++) {
            const long long at = (piece.row + i) * p.lengths[2] + piece.column;
            const E *from = x + at;
            E *to = y + at;
            const double c = cosines[i], s = sines[i];
            const int step = blockDim.x;
            for (int j = threadIdx.x; j < piece.width; j += step) {
                const double a = cosines[ROWS + j], b = sines[ROWS + j];
                const R re = R(c * a - s * b), im = R(c * b + s * a);
                const R xr = from[j].real(), xi = from[j].imag();
                to[j] = E(xr * re - xi * im, xr * im + xi * re);
            }
        }
    }
}
