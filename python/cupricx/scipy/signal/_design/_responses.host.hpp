/* _responses.host.hpp: responses at some frequencies side by side, as the lanes of vectors:
 * a sum of powers waits for each of its products. */

enum { RESPONSE_RUN = 16 };

/* A number at each of the frequencies. */
struct wide_run {
    double re[RESPONSE_RUN], im[RESPONSE_RUN];
};

/* The variables of a run, of which `count` are there. */
template <class R>
inline void
variables_of_run(const R *w, R *points, const response_points &p, long long first,
                 int count, wide_run &x)
{
    for (int j = 0; j < count; j++) {
        const wide v = variable_at(angle_at(w, points, p, first + j), p.analog);
        x.re[j] = v.re;
        x.im[j] = v.im;
    }
    for (int j = count; j < RESPONSE_RUN; j++) x.re[j] = x.im[j] = 0;
}

/* sum = sum x + c */
inline void
horner_step(wide_run &sum, const wide_run &x, const wide_run &c)
{
    for (int j = 0; j < RESPONSE_RUN; j++) {
        const double re = sum.re[j] * x.re[j] - sum.im[j] * x.im[j];
        sum.im[j] = sum.re[j] * x.im[j] + sum.im[j] * x.re[j] + c.im[j];
        sum.re[j] = re + c.re[j];
    }
}

/* A coefficient of each frequency, `apart` from the next one's. */
template <class T>
inline void
coefficients_of_run(const T *c, long long apart, int count, wide_run &v)
{
    for (int j = 0; j < RESPONSE_RUN; j++) {
        const wide one(c[(j < count ? j : 0) * apart]);
        v.re[j] = one.re;
        v.im[j] = one.im;
    }
}

template <class T>
inline void
polynomial_run(const T *c, int n, const response_points &p, int count,
               const wide_run &x, wide_run &sum)
{
    for (int j = 0; j < RESPONSE_RUN; j++) sum.re[j] = sum.im[j] = 0;
    for (int k = 0; k < n; k++) {
        wide_run v;
        const T *const at = c + (p.analog ? k : n - 1 - k) * p.stride;
        coefficients_of_run(at, p.apart, count, v);
        horner_step(sum, x, v);
    }
}

template <class T, class R>
__global__ void
polynomial_response(const T *b, const T *a, const R *w, R *points, complex<R> *h,
                    response_points p)
{
    const long long end = cupric::share_of(p.n, blockIdx.x + 1, gridDim.x);
    long long i = cupric::share_of(p.n, blockIdx.x, gridDim.x);
    for (; i < end; i += RESPONSE_RUN) {
        const int count = (int)(end - i < RESPONSE_RUN ? end - i : RESPONSE_RUN);
        wide_run x, above, below;
        variables_of_run(w, points, p, i, count, x);
        polynomial_run(b + i * p.apart, p.above, p, count, x, above);
        polynomial_run(a + i * p.apart, p.below, p, count, x, below);
        for (int j = 0; j < count; j++) {
            const wide top(above.re[j], above.im[j]), bottom(below.re[j], below.im[j]);
            h[i + j] = complex<R>(top / bottom);
        }
    }
}

template <class T>
__global__ void
group_delays(const T *c, const double *w, double *points, double *delay, int *state,
             response_points p)
{
    const long long end = cupric::share_of(p.n, blockIdx.x + 1, gridDim.x);
    long long i = cupric::share_of(p.n, blockIdx.x, gridDim.x);
    for (; i < end; i += RESPONSE_RUN) {
        const int count = (int)(end - i < RESPONSE_RUN ? end - i : RESPONSE_RUN);
        wide_run x, sum, slope, v;
        variables_of_run(w, points, p, i, count, x);
        for (int j = 0; j < RESPONSE_RUN; j++) {
            sum.re[j] = sum.im[j] = slope.re[j] = slope.im[j] = 0;
        }
        for (int k = p.above - 1; k >= 0; k--) {
            coefficients_of_run(c + k, 0, count, v);
            horner_step(sum, x, v);
            for (int j = 0; j < RESPONSE_RUN; j++) v.re[j] *= k, v.im[j] *= k;
            horner_step(slope, x, v);
        }
        for (int j = 0; j < count; j++) {
            state[i + j] = put_delay(wide(slope.re[j], slope.im[j]),
                                     wide(sum.re[j], sum.im[j]), p.below, delay[i + j]);
        }
    }
}

/* product = first (x - roots[0]) (x - roots[1]) ... */
inline void
product_run(const complex<double> *roots, int n, wide first, const wide_run &x,
            wide_run &product)
{
    for (int j = 0; j < RESPONSE_RUN; j++) {
        product.re[j] = first.re;
        product.im[j] = first.im;
    }
    for (int k = 0; k < n; k++) {
        const wide root = roots[k];
        for (int j = 0; j < RESPONSE_RUN; j++) {
            const double re = x.re[j] - root.re, im = x.im[j] - root.im;
            const double above = product.re[j] * re - product.im[j] * im;
            product.im[j] = product.re[j] * im + product.im[j] * re;
            product.re[j] = above;
        }
    }
}

template <class R>
__global__ void
roots_response(const complex<double> *zeros, const complex<double> *poles, const R *w,
               R *points, complex<R> *h, complex<double> gain, response_points p)
{
    const long long end = cupric::share_of(p.n, blockIdx.x + 1, gridDim.x);
    long long i = cupric::share_of(p.n, blockIdx.x, gridDim.x);
    for (; i < end; i += RESPONSE_RUN) {
        const int count = (int)(end - i < RESPONSE_RUN ? end - i : RESPONSE_RUN);
        wide_run x, above, below;
        variables_of_run(w, points, p, i, count, x);
        if (!p.analog) {
            for (int j = 0; j < RESPONSE_RUN; j++) x.im[j] = -x.im[j];
        }
        product_run(zeros, p.above, gain, x, above);
        product_run(poles, p.below, wide(1), x, below);
        for (int j = 0; j < count; j++) {
            const wide top(above.re[j], above.im[j]), bottom(below.re[j], below.im[j]);
            h[i + j] = complex<R>(top / bottom);
        }
    }
}
