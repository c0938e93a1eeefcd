/* _dia.host.hpp: runs of rows, diagonal by diagonal. */

template <class I, class T>
__global__ void
multiply_diagonals(const T *data, const I *offsets, const T *x, T *y,
                   diagonal_product p, long long all)
{
    typedef typename diagonal_sum<T>::type sum_type;
    enum { RUN = 256 };
    const cupric::sum_of<sum_type> add;
    const cupric::product_of<sum_type> multiply;
    const long long first = cupric::share_of(all, blockIdx.x, gridDim.x);
    const long long last = cupric::share_of(all, blockIdx.x + 1, gridDim.x);

    for (long long begin = first; p.n == 1 && begin < last; begin += RUN) {
        const long long end = begin + RUN < last ? begin + RUN : last;
        sum_type sum[RUN];
        for (int k = 0; k < RUN; k++) sum[k] = sum_type(0);
        for (long long d = 0; d < p.count; d++) {
            const long long by = offsets[d];
            const long long stop = p.length < p.columns ? p.length : p.columns;
            const long long from = begin + by < 0 ? -by : begin;
            const long long to = end + by > stop ? stop - by : end;
            const T *const a = data + d * p.length + by;
            for (long long i = from; i < to; i++) {
                const sum_type b = (sum_type)x[(i + by) * p.row_stride];
                sum_type &s = sum[i - begin];
                s = add.combine(s, multiply.combine((sum_type)a[i], b));
            }
        }
        for (long long i = begin; i < end; i++) y[i] = (T)sum[i - begin];
    }
    for (long long k = first; p.n != 1 && k < last;) {
        const long long i = k / p.n, c = k - i * p.n;
        const long long left = last - k < p.n - c ? last - k : p.n - c;
        const int end = left < RUN ? (int)left : (int)RUN;
        sum_type sum[RUN];
        for (int e = 0; e < end; e++) sum[e] = sum_type(0);
        for (long long d = 0; d < p.count; d++) {
            const long long j = i + offsets[d];
            if (j < 0 || j >= p.columns || j >= p.length) continue;
            const sum_type a = (sum_type)data[d * p.length + j];
            const T *const b = x + j * p.row_stride + c * p.column_stride;
            if (p.column_stride == 1) {
                for (int e = 0; e < end; e++)
                    sum[e] = add.combine(sum[e], multiply.combine(a, (sum_type)b[e]));
            } else {
                for (int e = 0; e < end; e++)
                    sum[e] = add.combine(
                        sum[e], multiply.combine(a, (sum_type)b[e * p.column_stride]));
            }
        }
        for (int e = 0; e < end; e++) y[k + e] = (T)sum[e];
        k += end;
    }
}
