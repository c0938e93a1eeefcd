/* host/search.cpp: insertion points in a sorted vector (searchsorted). search_v3.cpp has them
 * once more, with loads of several elements at places of their own. */
#include <type_traits>

#include "cupric/types.hpp"
#include "host/cpu.h"
#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int64_t GRAIN = 4096; /* values */
constexpr int CHUNK = 32;       /* values that are searched for together */

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
        return (a < b) | ((b != b) & (a == a));
    }
}

/* The same for a value that is no NaN, in few operations; a NaN compares as it should. */
template <class T, bool RIGHT>
bool
follows_number(T middle, T value)
{
    if constexpr (is_complex<T>::value) {
        const bool im = RIGHT ? middle.im <= value.im : middle.im < value.im;
        return ((middle.re < value.re) & (middle.im == middle.im)) |
               ((middle.re == value.re) & im);
    } else {
        return RIGHT ? middle <= value : middle < value;
    }
}

/* Whether the value's place is after the middle, value by value: `values[k]`. */
template <class T, bool RIGHT, bool NUMBERS>
struct comparison {
    const T *values;
    bool operator()(T middle, int k) const
    {
        if constexpr (NUMBERS) return follows_number<T, RIGHT>(middle, values[k]);
        return RIGHT ? !precedes(values[k], middle) : precedes(middle, values[k]);
    }
};

/* For each value the number of leading elements that come before it (or, for `right`, not
 * after). The values are halved for together, without a branch that depends on the data:
 * none waits for another's elements, and the compiler makes vectors of them. What is looked
 * at is what kernels/search.hpp looks at, and NumPy, so that what was not in order gives
 * the same, too.
 *
 * `left` elements from `low` on are not decided on: of all values the same number or one
 * less, so that there are some until the last step. */
template <class I, class Get, class After>
inline void
bisect(const Get &get, I length, const After &is_after, int n, int64_t *out)
{
    I low[CHUNK], left[CHUNK];

    for (int k = 0; k < n; k++) {
        low[k] = 0;
        left[k] = length;
    }
    for (I most = length; most > 1; most /= 2) {
        for (int k = 0; k < n; k++) {
            const I half = left[k] >> 1;
            const I after = -(I)is_after(get(low[k] + half), k); /* all bits, or none */
            low[k] += (half + 1) & after;
            left[k] = (left[k] + after) >> 1;
        }
    }
    for (int k = 0; k < n; k++) {
        const bool any = left[k] > 0;
        out[k] = low[k] + (any && is_after(get(low[k]), k));
    }
}

template <class T>
bool
are_numbers(const T *value, int n)
{
    bool nan = false;
    for (int k = 0; k < n; k++) nan |= value[k] != value[k];
    return !nan;
}

template <class T, bool RIGHT>
__attribute__((noinline)) void
insertion_points(const char *sorted, int64_t length, int64_t stride, const T *value,
                 int n, int64_t *out)
{
    /* Places are as wide as what is compared: lanes of one width. */
    typedef typename std::conditional<sizeof(T) == 8 && !is_complex<T>::value, int64_t,
                                      int32_t>::type place;

    constexpr int LANES =
        sizeof(place) == 8 ? CHUNK / 2 : CHUNK; /* what unrolls best */

    if (n == CHUNK && stride == sizeof(T) && length <= INT32_MAX &&
        are_numbers(value, n)) {
        const auto get = [=](place i) { return load((const T *)sorted + i); };
        for (int k = 0; k < CHUNK; k += LANES) {
            bisect<place>(get, (place)length, comparison<T, RIGHT, true>{value + k},
                          LANES, out + k);
        }
    } else {
        const auto get = [=](int64_t i) { return load<T>(sorted + i * stride); };
        bisect<int64_t>(get, length, comparison<T, RIGHT, false>{value}, n, out);
    }
}

/* Element j of a view, in C order. */
template <class T>
T
element(const cu_view *v, int64_t j)
{
    const char *p = v->ptr;
    for (int d = v->ndim - 1; d > 0; d--) {
        p += j % v->shape[d] * v->strides[d];
        j /= v->shape[d];
    }
    if (v->ndim) p += j * v->strides[0];
    return load<T>(p);
}

bool
is_dense(const cu_view *v)
{
    int64_t step = cu_itemsize(v->dtype);
    for (int d = v->ndim - 1; d >= 0; d--) {
        if (v->shape[d] != 1 && v->strides[d] != step) return false;
        step *= v->shape[d];
    }
    return true;
}

int64_t
size_of(const cu_view *v)
{
    int64_t size = 1;
    for (int d = 0; d < v->ndim; d++) size *= v->shape[d];
    return size;
}

/* Values of type T in a vector of type C. */
template <class T, class C>
void
search_as(const char *sorted, int64_t length, int64_t stride, const cu_view *values,
          bool right, int64_t *out)
{
    const bool dense = is_dense(values);

    parallel(size_of(values), GRAIN, [=](int64_t begin, int64_t end) {
        C value[CHUNK];
        for (int64_t j = begin; j < end; j += CHUNK) {
            const int n = end - j < CHUNK ? (int)(end - j) : CHUNK;
            for (int k = 0; k < n; k++) {
                value[k] = C(dense ? load((const T *)values->ptr + j + k)
                                   : element<T>(values, j + k));
            }
            const auto find =
                right ? insertion_points<C, true> : insertion_points<C, false>;
            find(sorted, length, stride, value, n, out + j);
        }
    });
}

/* Few short numbers are widened, which the CPU loads several of together. */
constexpr int64_t WIDENED = 1024;

template <class T>
void
search(const cu_view *sorted, const cu_view *values, bool right, int64_t *out)
{
    const int64_t length = sorted->shape[0], stride = sorted->strides[0];

    if constexpr (sizeof(T) < 4) {
        typedef typename std::conditional<is_integer<T>::value, int, float>::type C;
        if (length <= WIDENED && length <= 4 * size_of(values)) {
            C wide[WIDENED];
            for (int64_t i = 0; i < length; i++) {
                wide[i] = C(load<T>(sorted->ptr + i * stride));
            }
            search_as<T, C>((const char *)wide, length, sizeof(C), values, right, out);
            return;
        }
    }
    search_as<T, T>(sorted->ptr, length, stride, values, right, out);
}

} // namespace

/* By instruction set. */
extern "C" {
void cu_host_search_base(const cu_view *sorted, const cu_view *values, bool right,
                         int64_t *out);
void cu_host_search_v3(const cu_view *sorted, const cu_view *values, bool right,
                       int64_t *out);
}

/* Whether a dtype gains much by this compilation. */
template <class T>
constexpr bool
gains()
{
#if defined(__AVX2__) && !defined(CUPRIC_HOST_NATIVE)
    return !is_complex<T>::value && sizeof(T) == 8;
#else
    return true;
#endif
}

void
CUPRIC_HOST_LEVEL(cu_host_search)(const cu_view *sorted, const cu_view *values,
                                  bool right, int64_t *out)
{
    switch ((int)sorted->dtype) {
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    case TYPE_##NAME:                                                                  \
        if constexpr (gains<__VA_ARGS__>())                                            \
            search<__VA_ARGS__>(sorted, values, right, out);                           \
        else                                                                           \
            cu_host_search_base(sorted, values, right, out);                           \
        break;
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    }
}

#if !defined(__AVX2__) || defined(CUPRIC_HOST_NATIVE)

cu_status
cu_host_search(const cu_view *sorted, const cu_view *values, bool right, int64_t *out,
               cu_stream *)
{
#if defined(CUPRIC_HOST_CHOOSES)
    if (cu_host_cpu_level() >= 3) {
        cu_host_search_v3(sorted, values, right, out);
        return CUPRIC_OK;
    }
#endif
    cu_host_search_base(sorted, values, right, out);
    return CUPRIC_OK;
}

#endif
