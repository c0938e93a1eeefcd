/* _linear.cuh: linear interpolation of one number an element, for GPUs.
 *
 * What most calls ask for, in fewer instructions than `interpolate` of _points.cuh takes for
 * any order and mode. Results are the same to the bit. X is float or double; images have less
 * than 2^31 elements.
 */
#include "_linear.h"
#include "_spline_taps.cuh"

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

/* ---- at coordinates in float ---------------------------------------------------------------
 *
 * A coordinate plus 1.5 * 2^23 has its integer in the low bits. A thread makes AT_ONCE points,
 * which lie WARP apart.
 */

/* Of a thread's points; `left` of a warp are there. */
template <class X, int N>
__device__ inline void
linear_points(const X *x, X (&found)[AT_ONCE], const float (&c)[AT_ONCE][N],
              const float (&last)[N], const int (&apart)[N], X constant)
{
    const float shift = 12582912; /* 1.5 * 2^23 */

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
}

/* coordinates: (N, points). Launch: blocks(p.pieces, THREADS). */
template <class X, int N>
__global__ void
__launch_bounds__(THREADS, 4) linear_at(const X *__restrict__ x, X *__restrict__ y,
                                        const float *__restrict__ coordinates,
                                        const __grid_constant__ linear_image p)
{
    const X constant = X(p.fill);
    float last[N];
    int apart[N], size = 1;
#pragma unroll
    for (int d = N - 1; d >= 0; d--) {
        last[d] = (float)((int)p.n[d] - 1);
        apart[d] = size;
        size *= (int)p.n[d];
    }

    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        const long long first = piece * PIECE_POINTS +
                                threadIdx.x / WARP * (WARP * AT_ONCE) +
                                threadIdx.x % WARP;
        const long long behind = p.points - first;
        const int left = behind < WARP * AT_ONCE ? (int)behind : WARP * AT_ONCE;
        if (left <= 0) continue;
        float c[AT_ONCE][N];
        X found[AT_ONCE];
#pragma unroll
        for (int d = 0; d < N; d++) {
            const float *const from = coordinates + d * p.points + first;
#pragma unroll
            for (int r = 0; r < AT_ONCE; r++)
                c[r][d] = __ldcs(from + (r * WARP < left ? r * WARP : 0));
        }
        linear_points<X, N>(x, found, c, last, apart, constant);
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++) {
            if (r * WARP < left) __stcs(y + first + r * WARP, found[r]);
        }
    }
}

/* ---- along axes alone ----------------------------------------------------------------------
 *
 * What is taken along the last axis is found once for all rows of a thread, and what is taken
 * along the others once for all of a row. A piece is WARP columns of LINES rows, LINES / 8 for
 * each warp.
 */
template <class X, int N>
struct line_taps {
    long long at[1 << (N - 1)]; /* rows of samples */
    X w[N][2], kept;            /* `kept`: of 1, what is not the constant's */
};

/* What index k takes along axis d. Returns the weight of the constant. */
template <class X>
__device__ inline X
taps_at(long long k, int d, const linear_axes &a, X (&w)[2], int (&at)[2])
{
    double c = product(total((double)k, a.grid ? 0.5 : a.shift[d]), a.zoom[d]);
    if (a.grid) c = total(c, -0.5);
    return axis_taps<X, 1, int>(c, (int)a.n[d], a.mode, a.around, 1, w, at);
}

/* What a row takes along all axes but the last. */
template <class X, int N>
__device__ inline void
read_line(line_taps<X, N> &line, long long row, const linear_axes &a)
{
    long long stride = a.n[N - 1];
    int at[N][2];

    line.kept = X(1);
#pragma unroll
    for (int d = N - 2; d >= 0; d--) {
        const long long up = cupric::quotient(row, a.m[d]);
        line.kept *= 1 - taps_at(row - up * a.m[d], d, a, line.w[d], at[d]);
        row = up;
    }
#pragma unroll
    for (int i = 0; i < 1 << (N - 1); i++) line.at[i] = 0;
#pragma unroll
    for (int d = N - 2; d >= 0; d--) {
#pragma unroll
        for (int i = 0; i < 1 << (N - 1); i++)
            line.at[i] += at[d][i >> (N - 2 - d) & 1] * stride;
        stride *= a.n[d];
    }
#pragma unroll
    for (int i = 0; i < 1 << (N - 1); i++) line.at[i] += row * stride;
}

/* A value of a row: its last axis' samples begin at `left` and `right`, of weights w. */
template <class X, int N>
__device__ inline X
line_value(const line_taps<X, N> &line, const X *left, const X *right, const X (&w)[2],
           X kept, X constant)
{
    X v[1 << (N - 1)];
#pragma unroll
    for (int j = 0; j < 1 << (N - 1); j++)
        v[j] = add_product(w[0] * left[line.at[j]], w[1], right[line.at[j]]);
#pragma unroll
    for (int d = N - 2; d >= 0; d--) {
#pragma unroll
        for (int j = 0; j < 1 << d; j++)
            v[j] = add_product(line.w[d][0] * v[2 * j], line.w[d][1], v[2 * j + 1]);
    }
    const X whole = line.kept * kept;
    if (whole == 1) return v[0];
    return whole == 0 ? constant : add_product(v[0], constant, X(1 - whole));
}

/* Launch: blocks(a.pieces, THREADS). */
template <class X, int N>
__global__ void
__launch_bounds__(THREADS) linear_along(const X *__restrict__ x, X *__restrict__ y,
                                        const __grid_constant__ linear_axes a)
{
    const long long width = a.m[N - 1], across = (width + WARP - 1) / WARP;
    const X constant = X(a.fill);
    __shared__ __align__(16) char memory[LINES * sizeof(line_taps<X, N>)];
    line_taps<X, N> *const lines = (line_taps<X, N> *)memory;

    CUPRIC_EACH_BLOCK (piece, a.pieces) {
        const long long group = cupric::quotient(piece, across);
        const long long column = (piece - group * across) * WARP + threadIdx.x % WARP;
        const long long first = group * LINES;
        const int count = (int)(a.rows - first < LINES ? a.rows - first : LINES);

        __syncthreads(); /* the rows of the piece before have been made */
        if (threadIdx.x < count)
            read_line<X, N>(lines[threadIdx.x], first + threadIdx.x, a);
        X w[2] = {X(0), X(0)}, kept = X(1);
        int at[2] = {0, 0};
        if (column < width) kept -= taps_at(column, N - 1, a, w, at);
        __syncthreads();
        if (column >= width) continue;
        const X *const left = x + at[0], *const right = x + at[1];
        const int begin = threadIdx.x / WARP * (LINES / 8);
        const int end = begin + LINES / 8 < count ? begin + LINES / 8 : count;
        X *to = y + (first + begin) * width + column;
#pragma unroll 4
        for (int i = begin; i < end; i++, to += width)
            *to = line_value<X, N>(lines[i], left, right, w, kept, constant);
    }
}
