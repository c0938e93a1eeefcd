/* _linear.cuh: linear interpolation of one number an element, for GPUs.
 *
 * What most calls ask for, in fewer instructions than `interpolate` of _interpolation.cuh
 * takes for any order and mode. Results are the same to the bit. X is float or double; images have less than 2^31
 * elements.
 */
#include "_spline_taps.cuh"

#if !defined(CUPRIC_HOST)

/* The sum over both samples along each axis, the last one's side by side: those of axis d
 * are `apart[d]` apart, of weights w[d]. */
template <class X, int N, int D>
struct two_taps {
    __device__ static X sum(const X *x, const X (&w)[N][2], const int (&apart)[N])
    {
        const X a = two_taps<X, N, D + 1>::sum(x, w, apart);
        const X b =
            two_taps<X, N, D + 1>::sum(x + (D == N - 1 ? 1 : apart[D]), w, apart);
        return add_product(w[D][0] * a, w[D][1], b);
    }
};
template <class X, int N>
struct two_taps<X, N, N> {
    __device__ static X sum(const X *x, const X (&)[N][2], const int (&)[N])
    {
        return *x;
    }
};

#endif

/* ---- at coordinates in float ---------------------------------------------------------------
 *
 * x: (n...), coordinates: (N, points), y: (points,). Lengths are 2 to 2^21, so that a
 * coordinate plus `shift` has its integer in the low bits; outside of the first and last
 * sample is the constant. A thread makes AT_ONCE points, which lie WARP apart.
 * Launch: blocks(pieces of PIECE_POINTS, 256).
 */
enum { WARP = 32, AT_ONCE = 4, PIECE_POINTS = 256 * AT_ONCE };

template <class X, int N>
__global__ void __launch_bounds__(256, 4)
    linear_at(const X *__restrict__ x, X *__restrict__ y,
              const float *__restrict__ coordinates, long long n0, long long n1,
              long long n2, long long points, double fill)
{
#if !defined(CUPRIC_HOST)
    const float shift = 12582912; /* 1.5 * 2^23 */
    const long long some_n[3] = {n0, n1, n2};
    const X constant = X(fill);
    float last[N];
    int apart[N], size = 1;
#pragma unroll
    for (int d = N - 1; d >= 0; d--) {
        last[d] = (float)((int)some_n[d] - 1);
        apart[d] = size;
        size *= (int)some_n[d];
    }

    CUPRIC_EACH_BLOCK (piece, (points + PIECE_POINTS - 1) / PIECE_POINTS) {
        const long long first = piece * PIECE_POINTS +
                                threadIdx.x / WARP * (WARP * AT_ONCE) +
                                threadIdx.x % WARP;
        const long long behind = points - first;
        const int left = behind < WARP * AT_ONCE ? (int)behind : WARP * AT_ONCE;
        if (left <= 0) continue;
        float c[AT_ONCE][N];
        X found[AT_ONCE];
#pragma unroll
        for (int d = 0; d < N; d++) {
            const float *const from = coordinates + d * points + first;
#pragma unroll
            for (int r = 0; r < AT_ONCE; r++)
                c[r][d] = __ldcs(from + (r * WARP < left ? r * WARP : 0));
        }
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++) {
            X w[N][2];
            int at = 0;
            bool inside = true;
#pragma unroll
            for (int d = 0; d < N; d++) {
                const float most = shift + (last[d] - 1);
                const float sum = fminf(fmaxf(__fadd_rd(c[r][d], shift), shift), most);
                const float below = sum - shift, over = c[r][d] - below; /* exact */
                inside = inside && c[r][d] >= 0 && c[r][d] <= last[d];
                at += (__float_as_int(sum) - __float_as_int(shift)) * apart[d];
                w[d][0] = 1 - X(over);
                w[d][1] = X(over);
            }
            const X v = two_taps<X, N, 0>::sum(x + at, w, apart);
            found[r] = inside ? v : constant;
        }
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++) {
            if (r * WARP < left) __stcs(y + first + r * WARP, found[r]);
        }
    }
#endif
}

/* ---- along axes alone ----------------------------------------------------------------------
 *
 * x: (outer, n...), y: (outer, m...), with N lengths. Output k lies at (k + shift) zoom, or
 * (k + 1/2) zoom - 1/2 if `grid`, along each axis by itself: so what it takes along the last
 * axis is found once for all rows of a thread, and what it takes along the others once for
 * all of a row. A piece is WARP columns of LINES rows, LINES / 8 for each warp.
 * Launch: blocks(pieces, 256).
 */
enum { LINES = 128 };

template <class X, int N>
struct line_taps {
    long long at[1 << (N - 1)]; /* rows of samples */
    X w[N][2], kept;            /* `kept`: of 1, what is not the constant's */
};

/* What index k takes along an axis of n. Returns the weight of the constant. */
template <class X>
__device__ inline X
taps_at(long long k, double shift, double zoom, bool grid, int n, int mode, int around,
        X (&w)[2], int (&at)[2])
{
    double c = product(total((double)k, grid ? 0.5 : shift), zoom);
    if (grid) c = total(c, -0.5);
    return axis_taps<X, 1, int>(c, n, mode, around, 1, w, at);
}

template <class X, int N>
__global__ void __launch_bounds__(256)
    linear_along(const X *__restrict__ x, X *__restrict__ y, long long rows,
                 long long n0, long long n1, long long n2, long long m0, long long m1,
                 long long m2, double shift0, double shift1, double shift2,
                 double zoom0, double zoom1, double zoom2, bool grid, int mode,
                 int around, double fill)
{
#if !defined(CUPRIC_HOST)
    const long long n[3] = {n0, n1, n2}, m[3] = {m0, m1, m2};
    const double shift[3] = {shift0, shift1, shift2}, zoom[3] = {zoom0, zoom1, zoom2};
    const long long width = m[N - 1], across = (width + WARP - 1) / WARP;
    const long long groups = (rows + LINES - 1) / LINES;
    const X constant = X(fill);
    __shared__ __align__(16) char memory[LINES * sizeof(line_taps<X, N>)];
    line_taps<X, N> *const lines = (line_taps<X, N> *)memory;

    CUPRIC_EACH_BLOCK (piece, groups * across) {
        const long long group = cupric::quotient(piece, across);
        const long long column = (piece - group * across) * WARP + threadIdx.x % WARP;
        const long long first = group * LINES;
        const int count = (int)(rows - first < LINES ? rows - first : LINES);

        __syncthreads(); /* the rows of the piece before have been made */
        if (threadIdx.x < count) {
            line_taps<X, N> &line = lines[threadIdx.x];
            long long row = first + threadIdx.x, stride = n[N - 1];
            int at[N][2];
            line.kept = X(1);
#pragma unroll
            for (int d = N - 2; d >= 0; d--) {
                const long long up = cupric::quotient(row, m[d]);
                line.kept *= 1 - taps_at(row - up * m[d], shift[d], zoom[d], grid,
                                         (int)n[d], mode, around, line.w[d], at[d]);
                row = up;
            }
#pragma unroll
            for (int i = 0; i < 1 << (N - 1); i++) line.at[i] = 0;
#pragma unroll
            for (int d = N - 2; d >= 0; d--) {
#pragma unroll
                for (int i = 0; i < 1 << (N - 1); i++)
                    line.at[i] += at[d][i >> (N - 2 - d) & 1] * stride;
                stride *= n[d];
            }
#pragma unroll
            for (int i = 0; i < 1 << (N - 1); i++) line.at[i] += row * stride;
        }
        X w[2] = {X(0), X(0)}, kept = X(1);
        int at[2] = {0, 0};
        if (column < width)
            kept -= taps_at(column, shift[N - 1], zoom[N - 1], grid, (int)n[N - 1],
                            mode, around, w, at);
        __syncthreads();
        if (column >= width) continue;
        const X *const left = x + at[0], *const right = x + at[1];
        const int begin = threadIdx.x / WARP * (LINES / 8);
        const int end = begin + LINES / 8 < count ? begin + LINES / 8 : count;
        X *to = y + (first + begin) * width + column;
#pragma unroll 4
        for (int i = begin; i < end; i++, to += width) {
            const line_taps<X, N> &line = lines[i];
            X v[1 << (N - 1)];
#pragma unroll
            for (int j = 0; j < 1 << (N - 1); j++)
                v[j] = add_product(w[0] * left[line.at[j]], w[1], right[line.at[j]]);
#pragma unroll
            for (int d = N - 2; d >= 0; d--) {
#pragma unroll
                for (int j = 0; j < 1 << d; j++)
                    v[j] = add_product(line.w[d][0] * v[2 * j], line.w[d][1],
                                       v[2 * j + 1]);
            }
            const X whole = line.kept * kept;
            X sum = v[0];
            if (whole != 1)
                sum = whole == 0 ? constant : add_product(sum, constant, X(1 - whole));
            *to = sum;
        }
    }
#endif
}
