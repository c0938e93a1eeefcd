/* _cublas.host.hpp: a piece is a loop of vectors. */

template <class T>
__global__ void
add_multiple(T factor, View<T, 1> x, View<T, 1> y, int each)
{
    const long long n = y.shape()[0];
    const bool packed = cupric::is_packed(x) && cupric::is_packed(y);

    CUPRIC_EACH (piece, (n + each - 1) / each) {
        const long long begin = piece * each;
        const long long end = begin + each < n ? begin + each : n;
        if (packed) {
            for (long long i = begin; i < end; i++)
                y.data[i] = factor * x.data[i] + y.data[i];
        } else {
            for (long long i = begin; i < end; i++) y[i] = factor * x[i] + y[i];
        }
    }
}
