/* _derivatives.cuh: sums of derivatives. */

/* y += x; or as `squares` y += x**2, where y is a number before the `first` and its root
 * after the `last`. Launch: elements(size). */
template <class T>
__global__ void
add_derivative(const T *x, T *y, bool squares, bool first, bool last, long long size)
{
    using cupric::elementary::product; /* not fused with the sum */

    CUPRIC_EACH (i, size) {
        const T own = squares && first ? product(y[i], y[i]) : y[i];
        const T sum = own + (squares ? product(x[i], x[i]) : x[i]);
        y[i] = squares && last ? sqrt(sum) : sum;
    }
}
