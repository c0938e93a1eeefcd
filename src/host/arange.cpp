/* host/arange.cpp: out[i] = start + i * step, as NumPy computes it in each dtype. */
#include "cupric/types.hpp"
#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int64_t GRAIN = 1 << 16;

template <class T>
T
value_of(const cu_scalar *s)
{
    T x;
    __builtin_memcpy(&x, s->bytes, sizeof x);
    return x;
}

template <class T>
void
fill(int64_t n, const cu_scalar *first, const cu_scalar *delta, void *out)
{
    const T start = value_of<T>(first), step = value_of<T>(delta);
    T *p = (T *)out;

    parallel(n, GRAIN, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            if constexpr (is_complex<T>::value) {
                typedef typename T::value_type R;
                p[i] = T(start.re + R(i) * step.re, start.im + R(i) * step.im);
            } else if constexpr (is_same<T, bool>::value) {
                p[i] = start != (i && step);
            } else if constexpr (is_integer<T>::value) {
                p[i] = T((unsigned long long)start + i * (unsigned long long)step);
            } else {
                typedef typename compute_type<T>::type C;
                p[i] = T(C(start) + C(i) * C(step));
            }
        }
    });
}

} // namespace

cu_status
cu_host_arange(cu_dtype t, int64_t n, const cu_scalar *start, const cu_scalar *step,
               void *out, cu_stream *)
{
    switch ((int)t) {
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    case TYPE_##NAME:                                                                  \
        fill<__VA_ARGS__>(n, start, step, out);                                        \
        break;
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    }
    return CUPRIC_OK;
}
