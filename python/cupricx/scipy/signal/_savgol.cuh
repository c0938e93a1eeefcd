/* _savgol.cuh: the ends of a signal that is smoothed by polynomials. */

/* The first and the last `half` elements of y, (rows, n, inner), by the polynomials that fit
 * the first and the last `window` elements of x: fit, (2 * half, window), has what each of
 * them is a sum of. Launch: elements(pieces), 2 * half * inner in each row. */
template <class T>
__global__ void
fitted_ends(const T *x, T *y, const double *fit, long long n, long long inner,
            int window, int half, long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long across = i % inner, end = i / inner % (2 * half);
        const long long row = i / inner / (2 * half);
        const bool is_first = end < half;
        const T *from = x + (row * n + (is_first ? 0 : n - window)) * inner + across;
        const double *w = fit + end * window;
        double sum = 0;
        for (int k = 0; k < window; k++) sum += w[k] * (double)from[k * inner];
        const long long at = is_first ? end : n - 2 * half + end;
        y[(row * n + at) * inner + across] = T(sum);
    }
}
