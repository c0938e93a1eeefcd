/* _extensions.host.hpp: the elements of x run by run, others one by one. */

/* The n elements from `at` on, along the last axis. */
template <class T>
inline void
extend_run(const View<T, 3> &x, T *y, cupric::extent *at, long long n,
           const extension &e)
{
    const cupric::extent first = at[2];
    const cupric::extent offset = e.axis == 2 ? e.before : 0;
    const cupric::extent behind = e.axis == 2 ? e.before + e.n : e.shape[2];
    const bool is_outside =
        e.axis == 1 && (at[1] < e.before || at[1] >= e.before + e.n);
    long long k = 0;
    for (; k < n && (is_outside || first + k < offset); k++) {
        at[2] = first + k;
        y[k] = element_of_extended(x, at, e);
    }
    const long long inside = n < behind - first ? n : behind - first;
    if (k < inside) {
        const cupric::extent from[] = {at[0], e.axis == 1 ? at[1] - e.before : at[1],
                                       first + k - offset};
        const char *const source = (const char *)&x[from];
        const long long step = x.strides()[2];
        if (step == sizeof(T)) {
            for (long long j = k; j < inside; j++) y[j] = ((const T *)source)[j - k];
        } else {
            for (long long j = k; j < inside; j++)
                y[j] = *(const T *)(source + (j - k) * step);
        }
        k = inside;
    }
    for (; k < n; k++) {
        at[2] = first + k;
        y[k] = element_of_extended(x, at, e);
    }
}

template <class T>
__global__ void
extend(View<T, 3> x, T *y, extension e)
{
    const long long size = e.shape[0] * e.shape[1] * e.shape[2];
    const long long end = cupric::share_of(size, blockIdx.x + 1, gridDim.x);
    long long i = cupric::share_of(size, blockIdx.x, gridDim.x);
    while (i < end) {
        const long long rest = i / e.shape[2], place = i - rest * e.shape[2];
        cupric::extent at[] = {rest / e.shape[1], rest % e.shape[1], place};
        const long long left = e.shape[2] - place, n = left < end - i ? left : end - i;
        extend_run(x, y + i, at, n, e);
        i += n;
    }
}
