/* y: n numbers, step (0, 1, ..., positive - 1, positive - n, ..., -1). */
__global__ void
frequencies(double *y, long long n, long long positive, double step)
{
    CUPRIC_EACH (i, n) {
        y[i] = step * (double)(i < positive ? i : i - n);
    }
}
