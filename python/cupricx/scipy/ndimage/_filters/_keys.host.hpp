/* _keys.host.hpp: what lies in the array is written by a plain loop. */

template <class X, class K>
__global__ void
pad_keys(const X *x, K *y, const long long *sizes, int ndim, long long rows,
         double fill)
{
    /* Along the last axis. */
    const long long n = sizes[ndim - 1], width = sizes[2 * ndim - 1],
                    left = sizes[3 * ndim - 1];
    const int mode = (int)sizes[4 * ndim - 1];
    const K outside = key_of(element<X>::of(fill));

    CUPRIC_EACH_BLOCK (row, rows) {
        const long long from = padded_from(row, sizes, ndim);
        K *out = y + row * width;
        const X *in = x + (from < 0 ? 0 : from) * n;
        for (long long j = 0; j < width; j++) {
            if (j == left && from >= 0) {
                K *o = out + left;
                for (long long i = 0; i < n; i++) o[i] = key_of(in[i]);
                j += n;
                if (j == width) break;
            }
            const long long i = from < 0 ? -1 : boundary(j - left, n, mode);
            out[j] = i < 0 ? outside : key_of(in[i]);
        }
    }
}
