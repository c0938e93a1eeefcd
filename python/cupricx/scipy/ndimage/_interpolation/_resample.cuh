/* _resample.cuh: values between samples along one axis, by B-splines.
 *
 * A piece is up to OUTPUTS of them, whose weights are found once, for many rows and columns.
 */
#include "_resample.h"
#include "_spline_taps.cuh"

enum { OUTPUTS = 128, MOST_TAPS = 6, PIECE = 8192 };

template <class W>
struct output_taps {
    W w[MOST_TAPS][OUTPUTS], lost[OUTPUTS];
    long long at[MOST_TAPS][OUTPUTS];

    /* Those of output `number`, at i. */
    __device__ void make(int i, long long number, const resampled_axis &a)
    {
        double c = product(total((double)number, a.grid ? 0.5 : a.shift), a.zoom);
        if (a.grid) c = total(c, -0.5);
        c = total(c, (double)a.pad);
        W weights[MOST_TAPS];
        long long indices[MOST_TAPS];
        if (a.order <= 1) {
            lost[i] =
                axis_taps<W, 1>(c, a.n, a.mode, a.around, a.order, weights, indices);
        } else if (a.order <= 3) {
            lost[i] =
                axis_taps<W, 3>(c, a.n, a.mode, a.around, a.order, weights, indices);
        } else {
            lost[i] =
                axis_taps<W, 5>(c, a.n, a.mode, a.around, a.order, weights, indices);
        }
        for (int j = 0; j <= a.order; j++) {
            w[j][i] = weights[j];
            at[j][i] = indices[j] * a.inner;
        }
    }
};

/* Launch: blocks(any, THREADS). */
template <class W>
__global__ void
resample(const W *x, W *y, const __grid_constant__ resampled_axis a)
{
    __shared__ __align__(16) char memory[sizeof(output_taps<W>)];
    output_taps<W> &t = *(output_taps<W> *)memory;
    const W even = (W)a.fill[0], odd = (W)a.fill[1];
    const long long inner = a.inner, down = (a.m + OUTPUTS - 1) / OUTPUTS;
    const int wide = (int)(inner < 64 ? inner : 64);
    const long long across = (inner + wide - 1) / wide;
    const int length = (int)(a.m < OUTPUTS ? a.m : OUTPUTS);
    const int fitting = PIECE / (length * wide), many = fitting < 1 ? 1 : fitting;
    const long long groups = (a.rows + many - 1) / many;

    CUPRIC_EACH_BLOCK (piece, down * across * groups) {
        const long long c0 = piece % across * wide;
        const long long i0 = piece / across % down * OUTPUTS;
        const long long r0 = piece / across / down * many;
        const int count = (int)(a.m - i0 < OUTPUTS ? a.m - i0 : OUTPUTS);
        const int rows_here = (int)(a.rows - r0 < many ? a.rows - r0 : many);
        __syncthreads(); /* the taps of the piece before have been used */
        for (int i = threadIdx.x; i < count; i += blockDim.x) t.make(i, i0 + i, a);
        __syncthreads();
        for (int e = threadIdx.x; e < rows_here * count * wide; e += blockDim.x) {
            const int line = (unsigned)e / (unsigned)wide, c = e - line * wide;
            const int r = (unsigned)line / (unsigned)count, i = line - r * count;
            if (c0 + c >= inner) continue;
            const W *from = x + (r0 + r) * a.n * inner + c0 + c;
            const W lost = t.lost[i];
            W s = W(0);
            if (lost != 1) {
                for (int j = 0; j <= a.order; j++)
                    s = add_product(s, t.w[j][i], from[t.at[j][i]]);
            }
            if (lost != 0) s = add_product(s, lost, (c0 + c) & 1 ? odd : even);
            y[((r0 + r) * a.m + i0 + i) * inner + c0 + c] = s;
        }
    }
}
