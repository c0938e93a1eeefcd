/* _extensions.cuh: a signal, and what lies before and behind it. */
#include "_extended.cuh"
#include "_extensions.h"

/* Element i of the result, which lies at `at`. */
template <class T>
__device__ inline T
element_of_extended(const View<T, 3> &x, cupric::extent *at, const extension &e)
{
    const cupric::extent place = at[e.axis];
    const auto element = [&](long long j) {
        at[e.axis] = j;
        return x[at];
    };
    const T value = extended_element<T>(element, place - e.before, e.n, e.kind);
    at[e.axis] = place;
    return value;
}

/* y = x, extended along an axis. Launch: elements(work). */
template <class T>
__global__ void
extend(View<T, 3> x, T *y, extension e)
{
    CUPRIC_EACH (i, e.shape[0] * e.shape[1] * e.shape[2]) {
        const long long rest = i / e.shape[2];
        cupric::extent at[] = {rest / e.shape[1], rest % e.shape[1],
                               i - rest * e.shape[2]};
        y[i] = element_of_extended(x, at, e);
    }
}
