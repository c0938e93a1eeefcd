/* host/reduce_arg.cpp: the kernels that look for the position of an extreme element. */
#include <type_traits>

#include "cupric/reduce.hpp"
#include "host/cpu.h"
#include "host/reducer.h"

using namespace cupric;

namespace {

/* Vectors side by side take code that old CPUs are not worth. */
#if defined(__AVX2__)
constexpr int VECTOR_BYTES = 32;
constexpr bool SIDE_BY_SIDE = true;
#else
constexpr int VECTOR_BYTES = 16;
constexpr bool SIDE_BY_SIDE = false;
#endif

constexpr int64_t ROWS_WORTH_A_COPY = 8;

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

/* where[k] = index + place[k], k < n, but where it is negative. */
template <class I>
__attribute__((noinline)) void
put_places(int64_t *__restrict where, const I *__restrict place, int64_t index, int n)
{
    for (int k = 0; k < n; k++) {
        where[k] = place[k] < 0 ? where[k] : index + place[k];
    }
}

template <class I>
__attribute__((noinline)) void
put_first_places(int64_t *__restrict where, const I *__restrict place, int64_t index,
                 int n)
{
    for (int k = 0; k < n; k++) where[k] = index + place[k];
}

/* Extremes in vectors, each with its place, without a branch. A complex number is a lane of
 * two vectors, a bool a byte that is all ones for any other than zero. */
template <class T, bool UP, bool SKIPS_NAN>
struct lanes {
    static constexpr bool is_truth = is_same<T, bool>::value;
    typedef typename std::conditional<is_truth, unsigned char,
                                      typename real_type<T>::type>::type E;
    static constexpr int LANES = VECTOR_BYTES / sizeof(E),
                         PARTS = sizeof(T) / sizeof(E), BYTES = VECTOR_BYTES * PARTS;
    typedef E vec __attribute__((vector_size(VECTOR_BYTES)));
    typedef E anywhere
        __attribute__((vector_size(VECTOR_BYTES), aligned(alignof(E)), may_alias));
    typedef
        typename lane<sizeof(E)>::type I; /* of its width, as a comparison's result */
    typedef I places __attribute__((vector_size(VECTOR_BYTES)));

    struct some {
        vec part[PARTS];
        places place;
    };

    /* Of the lanes of two vectors: every second one, or from `first` on both in turn. */
    static inline places alternate(int first)
    {
        places from;
        for (int k = 0; k < LANES; k++) from[k] = (I)(first + 2 * k);
        return from;
    }
    static inline places in_turn(int first)
    {
        places from;
        for (int k = 0; k < LANES; k++) from[k] = (I)(first + k / 2 + k % 2 * LANES);
        return from;
    }

    static inline some at(const char *a, places place)
    {
        const vec low = *(const anywhere *)a;
        if constexpr (PARTS == 2) {
            const vec high = *(const anywhere *)(a + VECTOR_BYTES);
            return {{__builtin_shuffle(low, high, alternate(0)),
                     __builtin_shuffle(low, high, alternate(1))},
                    place};
        }
        return {{is_truth ? (vec)(low != 0) : low}, place};
    }

    static inline void put(char *a, const some &s)
    {
        anywhere *const to = (anywhere *)a;
        to[0] = s.part[0];
        if constexpr (PARTS == 2) {
            to[0] = __builtin_shuffle(s.part[0], s.part[1], in_turn(0));
            to[1] = __builtin_shuffle(s.part[0], s.part[1], in_turn(LANES / 2));
        }
    }

    static inline places nans(const some &s)
    {
        places nan = s.part[0] != s.part[0];
        if constexpr (PARTS == 2) nan |= s.part[1] != s.part[1];
        return nan;
    }

    /* Where b stays, of b and what comes after it. */
    static inline places stays(const some &b, const some &x)
    {
        const vec b0 = b.part[0], x0 = x.part[0];
        if constexpr (PARTS == 2) {
            const vec b1 = b.part[1], x1 = x.part[1];
            const places less = UP ? x0 < b0 : x0 > b0,
                         behind = UP ? x1 <= b1 : x1 >= b1;
            const places number = less | ((x0 == b0) & behind);
            return SKIPS_NAN ? nans(x) | (number & ~nans(b))
                             : nans(b) | (number & ~nans(x));
        }
        const places behind = UP ? x0 <= b0 : x0 >= b0;
        if constexpr (!std::is_floating_point<E>::value) return behind;
        return behind | nans(SKIPS_NAN ? x : b);
    }

    static inline void choose(places stay, some &b, const some &x)
    {
        for (int k = 0; k < PARTS; k++) b.part[k] = stay ? b.part[k] : x.part[k];
        b.place = stay ? b.place : x.place;
    }

    static inline void take(some &b, const some &x)
    {
        if constexpr (std::is_signed<E>::value && std::is_integral<E>::value) {
            const vec b0 = b.part[0], x0 = x.part[0]; /* one comparison */
            const places further = UP ? x0 > b0 : x0 < b0;
            b.part[0] = further ? x0 : b0;
            b.place = further ? x.place : b.place;
        } else {
            choose(stays(b, x), b, x);
        }
    }

    /* The further one of each lane, or the first. */
    static inline void merge(some &s, const some &x)
    {
        choose(stays(s, x) & (~stays(x, s) | (s.place < x.place)), s, x);
    }

    /* Each lane merged with the one HALF from it, and so on. */
    template <int HALF>
    static inline void join(some &s)
    {
        places from;
        some x;
        for (int k = 0; k < LANES; k++) from[k] = (I)(k ^ HALF);
        for (int k = 0; k < PARTS; k++) x.part[k] = __builtin_shuffle(s.part[k], from);
        x.place = __builtin_shuffle(s.place, from);
        merge(s, x);
        if constexpr (HALF > 1) join<HALF / 2>(s);
    }

    /* The last vector may begin among those of the one before. */
    static inline int64_t row(const char *a, int64_t n)
    {
        places first, zero = {};
        for (int k = 0; k < LANES; k++) first[k] = (I)k;
        some s = at(a, zero);
        int64_t i = LANES;
        if (SIDE_BY_SIDE &&
            n >= 8 * LANES) { /* four side by side; a place is that of the first one */
            some b = at(a + BYTES, zero), c = at(a + 2 * BYTES, zero),
                 d = at(a + 3 * BYTES, zero);
            places place = zero;
            for (i = 4 * LANES; i + 4 * LANES <= n; i += 4 * LANES) {
                const char *const x = a + i * sizeof(T);
                place += (I)(4 * LANES);
                take(s, at(x, place));
                take(b, at(x + BYTES, place));
                take(c, at(x + 2 * BYTES, place));
                take(d, at(x + 3 * BYTES, place));
            }
            b.place += (I)LANES;
            c.place += (I)(2 * LANES);
            d.place += (I)(3 * LANES);
            merge(s, b);
            merge(c, d);
            merge(s, c);
        }
        for (; i < n; i += LANES) {
            const int64_t begin = i + LANES <= n ? i : n - LANES;
            take(s, at(a + begin * sizeof(T), zero + (I)begin));
        }
        s.place += first;
        join<LANES / 2>(s);
        return SKIPS_NAN && nans(s)[0] ? -1 : s.place[0];
    }

    /* Of longer rows the extreme is found first: of integers that takes one instruction. */
    static constexpr int64_t LONGEST = sizeof(E) == 1               ? CUPRIC_ARG_PLACES
                                       : std::is_integral<E>::value ? 1 << 8
                                                                    : 1 << 12;

    static bool rows(const void *x, int64_t step, int64_t n, int64_t nrows,
                     int64_t *index)
    {
        if (n < LANES || n > LONGEST) return false;
        for (int64_t k = 0; k < nrows; k++) {
            index[k] = row((const char *)x + k * step, n);
        }
        return true;
    }

    /* Down N vectors side by side, which hide the latency of a comparison. */
    template <int N>
    static inline void down(char *best, int64_t *where, const char *x,
                            int64_t row_stride, int64_t index, int64_t nrows,
                            bool fresh)
    {
        const places none = (I)-1 + (places){};
        some s[N];
        I place[N * LANES];
        for (int v = 0; v < N; v++) {
            s[v] = at((fresh ? x : best) + v * BYTES, fresh ? (places){} : none);
        }
        places here = {};
        if (fresh) here += (I)1;
        for (int64_t r = fresh; r < nrows; r++, here += (I)1) {
            for (int v = 0; v < N; v++) {
                take(s[v], at(x + r * row_stride + v * BYTES, here));
            }
        }
        for (int v = 0; v < N; v++) {
            put(best + v * BYTES, s[v]);
            __builtin_memcpy(place + v * LANES, &s[v].place, VECTOR_BYTES);
        }
        (fresh ? put_first_places<I> : put_places<I>)(where, place, index, N * LANES);
    }

    /* As cu_arg_cols, of columns for a vector at least. The last vector may begin among
     * those of the one before: of what was taken nothing is further out. */
    static void columns(char *best, int64_t *where, const char *x, int64_t row_stride,
                        int64_t index, int64_t nrows, int64_t n, bool fresh)
    {
        constexpr int N = SIDE_BY_SIDE ? 4 / PARTS : 1;
        int64_t j = 0;
        for (; j + N * LANES <= n; j += N * LANES) {
            const int64_t at = j * sizeof(T);
            down<N>(best + at, where + j, x + at, row_stride, index, nrows, fresh);
        }
        for (; j < n; j += LANES) {
            if (j + LANES > n) j = n - LANES;
            const int64_t at = j * sizeof(T);
            down<1>(best + at, where + j, x + at, row_stride, index, nrows, fresh);
        }
    }

    /* The same for fewer columns, which are copied to where a vector can be read. */
    static void few_columns(char *best, int64_t *where, const char *x,
                            int64_t row_stride, int64_t index, int64_t nrows, int64_t n,
                            bool fresh)
    {
        constexpr int64_t ROWS = 16;
        const size_t nbytes = n * sizeof(T);
        alignas(64) char rows[ROWS * BYTES] = {}, found[BYTES] = {};
        int64_t at[LANES] = {};
        __builtin_memcpy(found, best, nbytes);
        __builtin_memcpy(at, where, n * sizeof *at);
        for (int64_t i = 0, m; i < nrows; i += m) {
            m = nrows - i < ROWS ? nrows - i : ROWS;
            for (int64_t r = 0; r < m; r++) {
                __builtin_memcpy(rows + r * BYTES, x + (i + r) * row_stride, nbytes);
            }
            down<1>(found, at, rows, BYTES, index + i, m, fresh && i == 0);
        }
        __builtin_memcpy(best, found, nbytes);
        __builtin_memcpy(where, at, n * sizeof *at);
    }
};

/* The first bool that is true, or is not, of n in memory; 0 if there is none. */
template <bool TRUTH>
int64_t
first_truth(const char *a, int64_t n)
{
    constexpr uint64_t LOW = 0x7f7f7f7f7f7f7f7f;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t bytes;
        __builtin_memcpy(&bytes, a + i, sizeof bytes);
        /* the highest bit of each */
        bytes = ((((bytes & LOW) + LOW) | bytes) ^ (TRUTH ? 0 : ~LOW)) & ~LOW;
        if (bytes) return i + __builtin_ctzll(bytes) / 8;
    }
    for (; i < n; i++) {
        if ((a[i] != 0) == TRUTH) return i;
    }
    return 0;
}

template <bool TRUTH>
bool
rows_of_truths(const void *x, int64_t step, int64_t n, int64_t nrows, int64_t *index)
{
    for (int64_t k = 0; k < nrows; k++) {
        index[k] = first_truth<TRUTH>((const char *)x + k * step, n);
    }
    return true;
}

/* Of any order. */
template <class T>
struct places_of {
    typedef typename lane<sizeof(T)>::type I;
    static constexpr I BLOCK = 64;

    template <class Is>
    static bool some_of(const T *a, const Is &is)
    {
        I some = 0;
        for (I k = 0; k < BLOCK; k++) some |= is(load(&a[k]));
        return some != 0;
    }

    /* Without a branch, which would be mispredicted. */
    template <class Is>
    static int64_t first_of(const T *a, const Is &is)
    {
        I least = BLOCK;
        for (I k = 0; k < BLOCK; k++) {
            const I place = is(load(&a[k])) ? k : BLOCK;
            least = place < least ? place : least;
        }
        return least;
    }

    /* The first of those that `is` holds for, -1 if there is none; in blocks, which
     * become vectors. The last may begin within the one before. Complex numbers come here
     * in rows shorter than a vector alone. */
    template <class Is>
    static int64_t first(const T *a, int64_t n, const Is &is)
    {
        int64_t i = 0;
        for (; !is_complex<T>::value && n >= BLOCK && i < n; i += BLOCK) {
            if (i + BLOCK > n) i = n - BLOCK;
            if (some_of(a + i, is)) return i + first_of(a + i, is);
        }
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
};

template <class T, cu_arg_kind KIND>
struct arg {
    static constexpr bool skips_nan =
        KIND == CUPRIC_ARG_NANMAX || KIND == CUPRIC_ARG_NANMIN;
    static constexpr bool up = KIND == CUPRIC_ARG_MAX || KIND == CUPRIC_ARG_NANMAX;

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

    static bool usable(const void *x) { return !is_nan(load((const T *)x)); }

    typedef lanes<T, up, skips_nan> vectors;

    static void cols(void *best, int64_t *where, const void *x, int64_t row_stride,
                     int64_t index, int64_t nrows, int64_t n, bool fresh)
    {
        T *const b = (T *)best;
        if (n >= vectors::LANES) {
            vectors::columns((char *)best, where, (const char *)x, row_stride, index,
                             nrows, n, fresh);
            return;
        }
        if (4 * n >= vectors::LANES && nrows >= ROWS_WORTH_A_COPY) {
            vectors::few_columns((char *)best, where, (const char *)x, row_stride,
                                 index, nrows, n, fresh);
            return;
        }
        for (int64_t j = 0; j < n; j++) {
            const char *a = (const char *)((const T *)x + j);
            for (int64_t r = 0; r < nrows; r++, a += row_stride) {
                const T y = load((const T *)a);
                if (!(fresh && r == 0) && !further(y, load(&b[j]))) continue;
                b[j] = y;
                where[j] = index + r;
            }
        }
    }

    static void join(void *best, int64_t *where, int64_t width, int64_t n)
    {
        T *const b = (T *)best;
        for (int64_t j = width, to = 0; j < n; j++, to = to + 1 < width ? to + 1 : 0) {
            const T x = load(&b[j]), y = load(&b[to]);
            const bool before = where[j] < where[to];
            const bool take = further(x, y) || (!further(y, x) && before);
            b[to] = take ? x : y;
            where[to] = take ? where[j] : where[to];
        }
    }

    static constexpr cu_arg_short *short_rows()
    {
        if constexpr (is_same<T, bool>::value)
            return rows_of_truths<up>;
        else
            return vectors::rows;
    }

    static constexpr cu_arg_kernels kernels = {cols,
                                               join,
                                               places_of<T>::find,
                                               better,
                                               skips_nan ? usable : nullptr,
                                               short_rows(),
                                               is_same<T, bool>::value ? 8
                                                                       : vectors::LANES,
                                               is_complex<T>::value};
};

/* Integers have no NaN: one set of loops serves both kinds. */
template <cu_arg_kind KIND>
const cu_arg_kernels *
kernels_of_integers(cu_dtype t)
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
    default: return nullptr;
    }
}

template <cu_arg_kind KIND>
const cu_arg_kernels *
kernels_of(cu_dtype t)
{
    switch (t) {
    case CUPRIC_FLOAT32: return &arg<float, KIND>::kernels;
    case CUPRIC_FLOAT64: return &arg<double, KIND>::kernels;
    case CUPRIC_COMPLEX64: return &arg<complex<float>, KIND>::kernels;
    case CUPRIC_COMPLEX128: return &arg<complex<double>, KIND>::kernels;
    default:
        constexpr bool up = KIND == CUPRIC_ARG_MAX || KIND == CUPRIC_ARG_NANMAX;
        return kernels_of_integers < up ? CUPRIC_ARG_MAX : CUPRIC_ARG_MIN > (t);
    }
}

} /* namespace */

const cu_arg_kernels *
CUPRIC_HOST_LEVEL(cu_arg_kernels)(cu_arg_kind kind, cu_dtype t)
{
    switch (kind) {
    case CUPRIC_ARG_MAX: return kernels_of<CUPRIC_ARG_MAX>(t);
    case CUPRIC_ARG_MIN: return kernels_of<CUPRIC_ARG_MIN>(t);
    case CUPRIC_ARG_NANMAX: return kernels_of<CUPRIC_ARG_NANMAX>(t);
    case CUPRIC_ARG_NANMIN: return kernels_of<CUPRIC_ARG_NANMIN>(t);
    default: return nullptr;
    }
}
