/* _iir.cuh: recursive filters along rows, in transposed direct form II:
 *
 *     y = b[0] x + z[0],  z[i] = z[i + 1] + b[i + 1] x - a[i + 1] y
 *
 * What z comes to is linear in what it was: n elements later it is M**n z, M the companion
 * matrix, and what the elements add to a filter at rest. So a run of elements is a state
 * of n and the z that they leave behind, and these are combined by powers of M. Sums are
 * float64 and powers have twice its bits, so that a filter whose poles are close to the
 * unit circle, or beyond, loses no more than from element to element; a float32 result is
 * rounded once.
 */
#include "_iir_filter.cuh"

/* Where x and y are 1 and g at all times, z[i] is the sum of b[j] - a[j] g, j > i. */
template <class W, int K>
__device__ inline void
put_steady(W *c)
{
    W sum_b = c[0], sum_a = W(1), sum = W(0);
    for (int i = 0; i < K; i++) {
        sum_b = sum_b + c[i + 1];
        sum_a = sum_a + c[IIR_A + i];
    }
    const W g = sum_b / sum_a;
    for (int i = K - 1; i >= 0; i--) {
        sum = sum + (c[i + 1] - c[IIR_A + i] * g);
        c[IIR_STEADY + i] = sum;
    }
    c[IIR_GAIN] = g;
}

/* c = the coefficients over a[0]. */
template <class T, class W, int K>
__device__ inline void
put_coefficients(const T *b, const T *a, W *c, const iir_sizes &p)
{
    const W first = W(a[0]);
    for (int i = 0; i <= K; i++) c[i] = i < p.b ? W(b[i]) / first : W(0);
    for (int i = 0; i < K; i++) c[IIR_A + i] = i + 1 < p.a ? W(a[i + 1]) / first : W(0);
    put_steady<W, K>(c);
}

/* The size of an element, beyond all bounds where it is not finite. */
__device__ inline double
size_of(const precise<double> &m)
{
    const double size = fabs(m.re.hi);
    return size - size == 0 ? size : 1e300;
}
__device__ inline double
size_of(const precise<complex<double>> &m)
{
    const double size = fabs(m.re.hi) + fabs(m.im.hi);
    return size - size == 0 ? size : 1e300;
}

/* The powers M**(2**k), k < count, of the filter whose coefficients are c, of which each
 * thread has an element; the greatest size of what it has had. `now`: memory for two. */
template <class W, int K>
__device__ inline double
put_powers(const W *c, precise<W> *m, precise<W> *now, int count)
{
    precise<W> *next = now + K * K;
    double greatest = 0;
    for (int at = threadIdx.x; at < K * K; at += blockDim.x) {
        const int i = at / K, j = at % K;
        now[at] = precise<W>(j == 0 ? -c[IIR_A + i] : W(0));
        if (j == i + 1) now[at] = precise<W>(W(1));
        m[at] = now[at];
        greatest = fmax(greatest, size_of(m[at]));
    }
    for (int k = 1; k < count; k++) {
        m += K * K;
        __syncthreads();
        for (int at = threadIdx.x; at < K * K; at += blockDim.x) {
            const int i = at / K, j = at % K;
            precise<W> sum = precise<W>(W(0));
            for (int l = 0; l < K; l++) sum.add(now[i * K + l], now[l * K + j]);
            next[at] = sum;
            m[at] = sum;
            greatest = fmax(greatest, size_of(sum));
        }
        precise<W> *const last = now;
        now = next;
        next = last;
    }
    return greatest;
}

/* For each of n filters: c = the coefficients over a[0], and M**(2**k), k < p.powers.
 * Launch: blocks(n, IIR_SQUARE). */
template <class T, class W, int K>
__global__ void
iir_powers(const T *b, const T *a, W *c, iir_sizes p, long long n)
{
    __shared__ cupric::storage_of<precise<W>, 2 * K * K> memory;
    __shared__ cupric::block_memory<double> reduction;

    CUPRIC_EACH_BLOCK (e, n) {
        W *const own = c + e * p.c_step;
        if (threadIdx.x == 0) {
            put_coefficients<T, W, K>(b + e * p.step, a + e * p.step, own, p);
        }
        __syncthreads();
        double greatest = put_powers<W, K>(own, (precise<W> *)(own + IIR_TRANSITIONS),
                                           &memory[0], p.powers);
        greatest =
            cupric::block_reduce(greatest, cupric::maximum_of<double>(), reduction);
        if (threadIdx.x == 0) own[IIR_SIZE] = W(greatest);
        __syncthreads();
    }
}

template <class T, int K, class W>
__device__ inline void
put_filter(iir_filter<T, K> &op, const T *x, T *y, const T *zi, T *zf, const W *c,
           const iir_signal &at)
{
    op.x = x;
    op.y = y;
    op.zi = zi;
    op.zf = zf;
    op.at = at;
    op.steady = c + IIR_STEADY;
    op.powers = (const precise<W> *)(c + IIR_TRANSITIONS);
    op.is_plain = is_moderate<T>(c[IIR_SIZE]);
#pragma unroll
    for (int i = 0; i <= K; i++) op.b[i] = c[i];
#pragma unroll
    for (int i = 0; i < K; i++) op.a[i] = c[IIR_A + i];
}

/* y = the filter of x, rows of s.n elements, from the states zi, (rows, at.order), which
 * become zf. Launch: blocks(s.tiles, SCAN_THREADS). */
template <class T, class W, int K>
__global__ void
iir_rows(const T *x, T *y, const T *zi, T *zf, const W *c, iir_signal at, scan_layout s,
         unsigned int *workspace)
{
    iir_filter<T, K> op;
    put_filter(op, x, y, zi, zf, c, at);
    cupric::scan_rows(s, workspace, op);
}
