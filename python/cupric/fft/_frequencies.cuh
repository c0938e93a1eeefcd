/* _frequencies.cuh: frequencies of the terms of a transform. */

/* y: n numbers, step (0, 1, ..., positive - 1, positive - n, ..., -1).
 * Launch: elements(n). */
__global__ void
frequencies(double *y, long long n, long long positive, double step)
{
    CUPRIC_EACH (i, n) {
        y[i] = step * (double)(i < positive ? i : i - n);
    }
}
