/* _extensions.cuh: a signal, and what lies before and behind it. */
#include "_extensions.h"
#include "_extended.cuh"

/* y = x, extended along an axis; y has three axes. Launch: elements(work). */
template <class T>
__global__ void
extend(View<T, 3> x, View<T, 3> y, extension e)
{
    CUPRIC_EACH (i, y.shape()[0] * y.shape()[1] * y.shape()[2]) {
        const long long rest = i / y.shape()[2];
        cupric::extent at[] = {rest / y.shape()[1], rest % y.shape()[1],
                               i % y.shape()[2]};
        const long long k = at[e.axis] - e.before;
        y[i] = extended_element<T>(
            [&](long long j) {
                at[e.axis] = j;
                return x[at];
            },
            k, e.n, e.kind);
    }
}
