/* host/reduce_arg.cpp: the kernels that look for the position of an extreme element. */
#include <type_traits>

#include "cupric/reduce.hpp"
#include "host/cpu.h"
#include "host/reducer.h"

using namespace cupric;

namespace {

constexpr int64_t SHORT = 64; /* elements: indices fit all dtypes */
#if defined(__AVX2__)
constexpr int VECTOR_BYTES = 32;
#else
constexpr int VECTOR_BYTES = 16;
#endif

template <int SIZE>
struct lane {
    typedef long type;
};
template <>
struct lane<4> {
    typedef int type;
};
template <>
struct lane<2> {
    typedef short type;
};
template <>
struct lane<1> {
    typedef signed char type;
};

/* Value and place of a short row's extreme, in one pass and without a branch. A lane keeps
 * the first of its elements; the last vector may begin among those of the one before. */
template <class T, bool UP>
struct short_row {
    static constexpr int LANES = VECTOR_BYTES / sizeof(T);
    typedef T vec __attribute__((vector_size(VECTOR_BYTES)));
    typedef
        typename lane<sizeof(T)>::type I; /* of its width, as a comparison's result */
    typedef I places __attribute__((vector_size(VECTOR_BYTES)));

    static inline vec at(const T *a)
    {
        vec x;
        __builtin_memcpy(&x, a, sizeof x);
        return x;
    }

    static inline int64_t find(const T *a, int64_t n)
    {
        vec best = at(a);
        places first, place, bad = best != best;
        for (int k = 0; k < LANES; k++) first[k] = (I)k;
        place = first;
        for (int64_t i = LANES; i < n; i += LANES) {
            const int64_t begin = i + LANES <= n ? i : n - LANES;
            const vec x = at(a + begin);
            const places take = UP ? x > best : x < best;
            best = take ? x : best;
            place = take ? first + (I)begin : place;
            bad |= x != x;
        }
        return joined(best, place, bad);
    }

    static inline int64_t joined(vec best, places place, places bad)
    {
        T extreme = best[0];
        I found = SHORT, nan = 0;
        for (int k = 0; k < LANES; k++) {
            extreme = (UP ? best[k] > extreme : best[k] < extreme) ? best[k] : extreme;
            nan |= bad[k];
        }
        place = best == extreme ? place : (I)SHORT + (places){};
        for (int k = 0; k < LANES; k++) found = place[k] < found ? place[k] : found;
        return nan ? -1 : found;
    }

    static bool rows(const void *x, int64_t step, int64_t n, int64_t nrows,
                     int64_t *index)
    {
        if (n < LANES || n > SHORT) return false;
        for (int64_t k = 0; k < nrows; k++) {
            index[k] = find((const T *)((const char *)x + k * step), n);
        }
        return true;
    }
};

template <class T, cu_arg_kind KIND>
struct arg {
    static constexpr bool skips_nan =
        KIND == CUPRIC_ARG_NANMAX || KIND == CUPRIC_ARG_NANMIN;
    static constexpr bool up = KIND == CUPRIC_ARG_MAX || KIND == CUPRIC_ARG_NANMAX;

    /* Without branches, so that the column loop becomes vectors. */
    static inline bool further(const T a, const T b)
    {
        const bool beyond = up ? less(b, a) : less(a, b);
        const bool a_nan = is_nan(a), b_nan = is_nan(b);
        if (skips_nan) return beyond || (b_nan && !a_nan);
        return (beyond || a_nan) && !b_nan;
    }

    static bool better(const void *x, const void *best)
    {
        return further(load((const T *)x), load((const T *)best));
    }

    static bool usable(const void *x)
    {
        return !skips_nan || !is_nan(load((const T *)x));
    }

    static void zip(void *best, int64_t *where, const void *x, int64_t index, int64_t n)
    {
        T *__restrict b = (T *)best;
        const T *__restrict a = (const T *)x;
        for (int64_t j = 0; j < n; j++) {
            const T x_j = load(&a[j]), b_j = load(&b[j]);
            const bool take = further(x_j, b_j);
            b[j] = take ? x_j : b_j;
            where[j] = take ? index : where[j];
        }
    }

    template <int N, class Is>
    static bool some_of(const T *a, const Is &is)
    {
        typename lane<sizeof(T)>::type some = 0;
        for (int k = 0; k < N; k++) some |= is(load(&a[k]));
        return some != 0;
    }

    /* The first of those that `is` holds for, -1 if there is none; in blocks, which
     * become vectors. */
    template <class Is>
    static int64_t first(const T *a, int64_t n, const Is &is)
    {
        int64_t i = 0;
        while (i + 64 <= n && !some_of<64>(a + i, is)) i += 64;
        while (i + 8 <= n && !some_of<8>(a + i, is)) i += 8;
        for (; i < n; i++) {
            if (is(load(&a[i]))) return i;
        }
        return -1;
    }

    static int64_t find(const void *x, int64_t n, const void *best)
    {
        const T *a = (const T *)x;
        const T b = load((const T *)best);
        if (is_nan(b)) {
            const int64_t i = first(a, n, [](T y) { return is_nan(y); });
            if (i >= 0) return i;
        }
        return first(a, n, [b](T y) { return y == b; });
    }

    /* Complex numbers are ordered by their real parts first: nearly all stay behind by
     * that alone, and a branch that is hardly taken is as fast as reading them. */
    static int64_t scan(const void *x, int64_t n, void *best)
    {
        const T *const a = (const T *)x;
        T b = load((const T *)best);
        int64_t at = -1;
        bool number = !is_nan(b);
        for (int64_t i = 0; i < n; i++) {
            const T y = load(&a[i]);
            const bool behind = up ? y.real() < b.real() : y.real() > b.real();
            if (__builtin_expect(behind & number & (y.imag() == y.imag()), 1)) continue;
            if (!further(y, b)) continue;
            b = y;
            at = i;
            number = !is_nan(b);
        }
        *(T *)best = b;
        return at;
    }

    static constexpr cu_arg_scan *scan_of()
    {
        if constexpr (is_complex<T>::value) {
            return scan;
        } else {
            return nullptr;
        }
    }

    static bool no_rows(const void *, int64_t, int64_t, int64_t, int64_t *)
    {
        return false;
    }

    static constexpr cu_arg_short *short_rows()
    {
        if constexpr (std::is_arithmetic<T>::value && !is_same<T, bool>::value) {
            return short_row<T, up>::rows;
        } else {
            return no_rows;
        }
    }

    static constexpr cu_arg_kernels kernels = {zip,    find,         better,
                                               usable, short_rows(), scan_of()};
};

template <cu_arg_kind KIND>
const cu_arg_kernels *
kernels_of(cu_dtype t)
{
    switch (t) {
    case CUPRIC_BOOL: return &arg<bool, KIND>::kernels;
    case CUPRIC_INT8: return &arg<signed char, KIND>::kernels;
    case CUPRIC_UINT8: return &arg<unsigned char, KIND>::kernels;
    case CUPRIC_INT16: return &arg<short, KIND>::kernels;
    case CUPRIC_UINT16: return &arg<unsigned short, KIND>::kernels;
    case CUPRIC_INT32: return &arg<int, KIND>::kernels;
    case CUPRIC_UINT32: return &arg<unsigned int, KIND>::kernels;
    case CUPRIC_INT64: return &arg<long long, KIND>::kernels;
    case CUPRIC_UINT64: return &arg<unsigned long long, KIND>::kernels;
    case CUPRIC_FLOAT32: return &arg<float, KIND>::kernels;
    case CUPRIC_FLOAT64: return &arg<double, KIND>::kernels;
    case CUPRIC_COMPLEX64: return &arg<complex<float>, KIND>::kernels;
    case CUPRIC_COMPLEX128: return &arg<complex<double>, KIND>::kernels;
    default: return nullptr;
    }
}

} /* namespace */

const cu_arg_kernels *
CUPRIC_HOST_LEVEL(cu_arg_kernels)(cu_arg_kind kind, cu_dtype t)
{
    /* Integers have no NaN: one set of loops serves both kinds. */
    if (t < CUPRIC_FLOAT16 && kind == CUPRIC_ARG_NANMAX) kind = CUPRIC_ARG_MAX;
    if (t < CUPRIC_FLOAT16 && kind == CUPRIC_ARG_NANMIN) kind = CUPRIC_ARG_MIN;
    switch (kind) {
    case CUPRIC_ARG_MAX: return kernels_of<CUPRIC_ARG_MAX>(t);
    case CUPRIC_ARG_MIN: return kernels_of<CUPRIC_ARG_MIN>(t);
    case CUPRIC_ARG_NANMAX: return kernels_of<CUPRIC_ARG_NANMAX>(t);
    case CUPRIC_ARG_NANMIN: return kernels_of<CUPRIC_ARG_NANMIN>(t);
    default: return nullptr;
    }
}
