/* host/arange.cpp: out[i] = start + i * step, as NumPy computes it in each dtype. */
#include "cupric/types.hpp"
#include "host/entries.h"
#include "host/parallel.hpp"
#include "host/past_caches.h"

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

/* Elements, a block of a few cache lines at a time. */
template <class T>
struct progression {
    static constexpr int64_t COUNT = CUPRIC_LINES_BYTES / sizeof(T);
    T start, step;
    unsigned long long multiples[COUNT]; /* of a step that is an integer */

    progression(T from, T by, int64_t n) : start(from), step(by)
    {
        if constexpr (is_integer<T>::value) {
            for (int64_t k = 0; k < COUNT && k < n; k++) {
                multiples[k] = k * (unsigned long long)step;
            }
        }
    }

    /* The index is an int32 where it can be, which CPUs convert by vectors. */
    template <class I>
    T at(I i) const
    {
        if constexpr (is_complex<T>::value) {
            typedef typename T::value_type R;
            return T(start.re + R(i) * step.re, start.im + R(i) * step.im);
        } else if constexpr (is_same<T, bool>::value) {
            return start != (i && step);
        } else {
            typedef typename compute_type<T>::type C;
            return T(C(start) + C(i) * C(step));
        }
    }

    void block(T *out, int64_t i, int64_t count) const
    {
        if constexpr (is_integer<T>::value && !is_same<T, bool>::value) {
            const unsigned long long first =
                (unsigned long long)start + i * (unsigned long long)step;
            for (int64_t k = 0; k < count; k++) out[k] = T(first + multiples[k]);
        } else if (i + count <= INT32_MAX) {
            for (int k = 0; k < (int)count; k++) out[k] = at((int)i + k);
        } else {
            for (int64_t k = 0; k < count; k++) out[k] = at(i + k);
        }
    }
};

template <class T>
void
fill(int64_t n, const cu_scalar *first, const cu_scalar *delta, void *out)
{
    constexpr int64_t COUNT = progression<T>::COUNT;
    const progression<T> values(value_of<T>(first), value_of<T>(delta), n);
    const bool past_caches = cu_host_past_caches(0, n * (int64_t)sizeof(T));
    T *p = (T *)out;

    parallel(n, GRAIN, [&, p](int64_t begin, int64_t end) {
        const int64_t lead = cu_to_cache_line(p + begin) / (int64_t)sizeof(T);
        int64_t i = begin < end - lead ? begin + lead : end;
        values.block(p + begin, begin, i - begin);
        for (; past_caches && i + COUNT <= end; i += COUNT) {
            alignas(CUPRIC_CACHE_LINE) T lines[COUNT];
            values.block(lines, i, COUNT);
            cu_store_past_caches((char *)(p + i), (const char *)lines, sizeof lines);
        }
        for (; i + COUNT <= end; i += COUNT) values.block(p + i, i, COUNT);
        values.block(p + i, i, end - i);
        if (past_caches) cu_end_past_caches();
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
