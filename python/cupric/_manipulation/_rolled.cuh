/* _rolled.cuh: arrays rolled along axes. */
#include "_rolled.h"

/* out is x, each axis begun at its place and continued at its first element.
 * Launch: elements(p.n). */
template <class T>
__global__ void
rolled(View<T, NDIM> x, T *out, rolled_axes p)
{
    CUPRIC_EACH (i, p.n) {
        const long long *const m = p.lengths, *const b = p.begins;
        const long long three = cupric::quotient(i, m[3]),
                        two = cupric::quotient(three, m[2]),
                        one = cupric::quotient(two, m[1]);
        const auto from = [](long long place, long long first, long long length) {
            return place + first < length ? place + first : place + first - length;
        };
        const cupric::extent at[] = {
            from(one, b[0], m[0]), from(two - one * m[1], b[1], m[1]),
            from(three - two * m[2], b[2], m[2]), from(i - three * m[3], b[3], m[3])};
        out[i] = x[at];
    }
}
