/* out[i] = the polynomial of column m of c at x[j], by Horner's rule.
 *
 * c (n, m) has the highest power first, rows `step` elements apart; elements of x are
 * `x_step` apart. Of `all` columns at all points, out is (m, points); of each column at a
 * point of its own, out and x are (m,). */
template <class T>
__global__ void
horner(const T *c, const T *x, T *out, long long size, long long n, long long step,
       long long x_step, long long points, bool all)
{
    CUPRIC_EACH (i, size) {
        const long long column = all ? i / points : i;
        const T at = x[(all ? i % points : i) * x_step];
        const T *next = c + column;
        T y = (T)((T)(at * T(0)) + *next); /* NaN at an infinity, as NumPy's */
        for (long long k = 1; k < n; k++) {
            next += step;
            y = (T)((T)(y * at) + *next);
        }
        out[i] = y;
    }
}
