/* _resample.cuh: values between samples along one axis, by B-splines.
 */
#include "_spline_taps.cuh"

/* ---- one axis at a time -----------------------------------------------------------------
 *
 * x: (rows, n, inner), y: (rows, m, inner). Output i lies at ((i + shift) zoom, or
 * (i + 1/2) zoom - 1/2 if `grid`) + pad. A piece is up to OUTPUTS of them, whose weights are
 * found once, for many rows and columns. Launch: blocks(any, 256).
 */
enum { OUTPUTS = 128, MOST_TAPS = 6, PIECE = 8192 };

template <class W>
struct output_taps {
    W w[MOST_TAPS][OUTPUTS], lost[OUTPUTS];
    long long at[MOST_TAPS][OUTPUTS];

    __device__ void make(int i, double k, long long n, long long step, double shift,
                         double zoom, int grid, long long pad, int mode, int around,
                         int order)
    {
        double c = product(total(k, grid ? 0.5 : shift), zoom);
        if (grid) c = total(c, -0.5);
        c = total(c, (double)pad);
        W weights[MOST_TAPS];
        long long indices[MOST_TAPS];
        if (order <= 1) {
            lost[i] = axis_taps<W, 1>(c, n, mode, around, order, weights, indices);
        } else if (order <= 3) {
            lost[i] = axis_taps<W, 3>(c, n, mode, around, order, weights, indices);
        } else {
            lost[i] = axis_taps<W, 5>(c, n, mode, around, order, weights, indices);
        }
        for (int j = 0; j <= order; j++) {
            w[j][i] = weights[j];
            at[j][i] = indices[j] * step;
        }
    }
};

#if defined(CUPRIC_HOST)

/* `count` outputs of `v` columns that lie side by side, `inner` apart from the next. */
template <class W, int TAPS>
inline void
resample_columns(const output_taps<W> &t, const W *x, W *y, int count, long long v,
                 long long inner)
{
    for (int i = 0; i < count; i++) {
        W w[TAPS];
        const W *a[TAPS];
        for (int j = 0; j < TAPS; j++) w[j] = t.w[j][i], a[j] = x + t.at[j][i];
        W *to = y + i * inner;
        for (long long c = 0; c < v; c++) {
            W s = w[0] * a[0][c];
            for (int j = 1; j < TAPS; j++) s += w[j] * a[j][c];
            to[c] = s;
        }
    }
}

/* The same of a single column; `runs`: each output's taps lie one after the last one's. */
template <class W, int TAPS>
inline void
resample_line(const output_taps<W> &t, const W *x, W *y, int count, bool runs)
{
    if (runs) {
        const W *a[TAPS];
        for (int j = 0; j < TAPS; j++) a[j] = x + t.at[j][0];
        for (int i = 0; i < count; i++) {
            W s = t.w[0][i] * a[0][i];
            for (int j = 1; j < TAPS; j++) s += t.w[j][i] * a[j][i];
            y[i] = s;
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        W s = t.w[0][i] * x[t.at[0][i]];
        for (int j = 1; j < TAPS; j++) s += t.w[j][i] * x[t.at[j][i]];
        y[i] = s;
    }
}

template <class W, int TAPS>
inline void
resample_taps(const output_taps<W> &t, const W *x, W *y, int count, long long v,
              long long inner, bool runs)
{
    if (inner == 1) {
        resample_line<W, TAPS>(t, x, y, count, runs);
    } else {
        resample_columns<W, TAPS>(t, x, y, count, v, inner);
    }
}

#endif

template <class W>
__global__ void
resample(const W *x, W *y, long long rows, long long n, long long m, long long inner,
         double shift, double zoom, int grid, long long pad, int order, int mode,
         int around, double fill, double fill_imag)
{
    const W even = (W)fill,
            odd = (W)fill_imag; /* the constant, of a complex number's parts */
    const long long down = (m + OUTPUTS - 1) / OUTPUTS;

#if defined(CUPRIC_HOST)
    output_taps<W> t;
    const long long wide = inner < 1024 ? inner : 1024;
    const long long across = (inner + wide - 1) / wide;
    const long long many = wide >= PIECE / OUTPUTS ? 1 : PIECE / OUTPUTS / wide;
    const long long groups = (rows + many - 1) / many;
    long long made = -1; /* the block of outputs whose taps t has */

    CUPRIC_EACH_BLOCK (piece, down * across * groups) {
        const long long block = piece / groups / across, i0 = block * OUTPUTS;
        const long long c0 = piece / groups % across * wide, r0 = piece % groups * many;
        const int count = (int)(m - i0 < OUTPUTS ? m - i0 : OUTPUTS);
        const long long v = inner - c0 < wide ? inner - c0 : wide;
        if (made != block) {
            for (int i = 0; i < count; i++)
                t.make(i, (double)(i0 + i), n, inner, shift, zoom, grid, pad, mode,
                       around, order);
            made = block;
        }
        bool runs = inner == 1;
        for (int j = 0; j <= order && runs; j++) {
            for (int i = 1; i < count; i++) runs = runs && t.at[j][i] == t.at[j][0] + i;
        }
        for (long long r = r0; r < rows && r < r0 + many; r++) {
            const W *from = x + r * n * inner + c0;
            W *to = y + (r * m + i0) * inner + c0;
            switch (order) {
            case 0: resample_taps<W, 1>(t, from, to, count, v, inner, runs); break;
            case 1: resample_taps<W, 2>(t, from, to, count, v, inner, runs); break;
            case 2: resample_taps<W, 3>(t, from, to, count, v, inner, runs); break;
            case 3: resample_taps<W, 4>(t, from, to, count, v, inner, runs); break;
            case 4: resample_taps<W, 5>(t, from, to, count, v, inner, runs); break;
            default: resample_taps<W, 6>(t, from, to, count, v, inner, runs);
            }
            for (int i = 0; i < count; i++) {
                if (t.lost[i] == 0) continue;
                for (long long c = 0; c < v; c++) {
                    const W constant = ((c0 + c) & 1 ? odd : even);
                    W *one = to + i * inner + c;
                    *one = t.lost[i] == 1 ? constant : *one + t.lost[i] * constant;
                }
            }
        }
    }
#else
    __shared__ __align__(16) char memory[sizeof(output_taps<W>)];
    output_taps<W> &t = *(output_taps<W> *)memory;
    const int wide = (int)(inner < 64 ? inner : 64);
    const long long across = (inner + wide - 1) / wide;
    const int length = (int)(m < OUTPUTS ? m : OUTPUTS);
    const int fitting = PIECE / (length * wide), many = fitting < 1 ? 1 : fitting;
    const long long groups = (rows + many - 1) / many;

    CUPRIC_EACH_BLOCK (piece, down * across * groups) {
        const long long c0 = piece % across * wide,
                        i0 = piece / across % down * OUTPUTS;
        const long long r0 = piece / across / down * many;
        const int count = (int)(m - i0 < OUTPUTS ? m - i0 : OUTPUTS);
        const int rows_here = (int)(rows - r0 < many ? rows - r0 : many);
        __syncthreads(); /* the taps of the piece before have been used */
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            t.make(i, (double)(i0 + i), n, inner, shift, zoom, grid, pad, mode, around,
                   order);
        __syncthreads();
        for (int e = threadIdx.x; e < rows_here * count * wide; e += blockDim.x) {
            const int line = (unsigned)e / (unsigned)wide, c = e - line * wide;
            const int r = (unsigned)line / (unsigned)count, i = line - r * count;
            if (c0 + c >= inner) continue;
            const W *from = x + (r0 + r) * n * inner + c0 + c;
            const W lost = t.lost[i];
            W s = W(0);
            if (lost != 1) {
                for (int j = 0; j <= order; j++)
                    s = add_product(s, t.w[j][i], from[t.at[j][i]]);
            }
            if (lost != 0) s = add_product(s, lost, (c0 + c) & 1 ? odd : even);
            y[((r0 + r) * m + i0 + i) * inner + c0 + c] = s;
        }
    }
#endif
}
