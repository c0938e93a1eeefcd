/* host/search.cpp: insertion points in a sorted vector (searchsorted). */
#include "cupric/types.hpp"
#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int64_t GRAIN = 4096; /* values */

/* NumPy's order: NaN after everything, complex numbers by real, then imaginary part, a
 * complex number with a NaN after all without. */
template <class T>
bool
precedes(T a, T b)
{
    if constexpr (is_complex<T>::value) {
        const bool a_re = a.re != a.re, a_im = a.im != a.im;
        const bool b_re = b.re != b.re, b_im = b.im != b.im;
        if (a.re < b.re) return !a_im || b_im;
        if (a.re > b.re) return b_im && !a_im;
        if (a.re == b.re || (a_re && b_re)) return a.im < b.im || (b_im && !a_im);
        return b_re;
    } else if constexpr (is_integer<T>::value) {
        return a < b;
    } else {
        return a < b || (b != b && a == a);
    }
}

/* The number of leading elements that come before `value` (or, for `right`, not after);
 * the halving has no branch that depends on the data. */
template <class T, bool RIGHT>
int64_t
insertion_point(const char *sorted, int64_t n, int64_t stride, T value)
{
    int64_t low = 0;

    while (n > 0) {
        const int64_t half = n / 2;
        const T middle = load<T>(sorted + (low + half) * stride);
        const bool after = RIGHT ? !precedes(value, middle) : precedes(middle, value);
        low = after ? low + half + 1 : low;
        n = after ? n - half - 1 : half;
    }
    return low;
}

template <class T>
void
search(const cu_view *sorted, const cu_view *values, bool right, int64_t *out)
{
    const int64_t n = sorted->shape[0], stride = sorted->strides[0];
    int64_t size = 1;

    for (int d = 0; d < values->ndim; d++) size *= values->shape[d];
    parallel(size, GRAIN, [=](int64_t begin, int64_t end) {
        for (int64_t j = begin; j < end; j++) {
            const char *p = values->ptr;
            int64_t rest = j;
            for (int d = values->ndim - 1; d > 0; d--) {
                p += rest % values->shape[d] * values->strides[d];
                rest /= values->shape[d];
            }
            if (values->ndim) p += rest * values->strides[0];
            out[j] =
                right ? insertion_point<T, true>(sorted->ptr, n, stride, load<T>(p))
                      : insertion_point<T, false>(sorted->ptr, n, stride, load<T>(p));
        }
    });
}

} // namespace

cu_status
cu_host_search(const cu_view *sorted, const cu_view *values, bool right, int64_t *out,
               cu_stream *)
{
    switch ((int)sorted->dtype) {
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    case TYPE_##NAME:                                                                  \
        search<__VA_ARGS__>(sorted, values, right, out);                               \
        break;
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    }
    return CUPRIC_OK;
}
