/* host/reduce_combine.cpp: every two-input row of ops/ufunc.def as a combiner, for the
 * signatures whose types agree. 16-bit floats accumulate in float and need none.
 */
#define CUPRIC_FMA_COPIES
#include <string.h>
#include <type_traits>

#include "host/cpu.h"
#include "host/functors.hpp"
#include "host/loops.h"
#include "host/reduce_fast.hpp"

using namespace cupric;

namespace {

/* The rows that have kernels of vector instructions: of all dtypes, or of bool alone. */
constexpr struct {
    int op, fast, dtypes = CUPRIC_N_DTYPES;
} fast_rows[] = {
    {UFUNC_add, CUPRIC_FAST_ADD},
    {UFUNC_multiply, CUPRIC_FAST_MULTIPLY},
    {UFUNC_maximum, CUPRIC_FAST_MAXIMUM},
    {UFUNC_minimum, CUPRIC_FAST_MINIMUM},
    {UFUNC_fmax, CUPRIC_FAST_FMAX},
    {UFUNC_fmin, CUPRIC_FAST_FMIN},
    {UFUNC_bitwise_and, CUPRIC_FAST_AND},
    {UFUNC_logical_and, CUPRIC_FAST_AND, CUPRIC_BOOL + 1},
    {UFUNC_bitwise_or, CUPRIC_FAST_OR},
    {UFUNC_logical_or, CUPRIC_FAST_OR, CUPRIC_BOOL + 1},
    {UFUNC_bitwise_xor, CUPRIC_FAST_XOR},
    {UFUNC_logical_xor, CUPRIC_FAST_XOR, CUPRIC_BOOL + 1},
};

/* Functions whose operands may be regrouped, as what rounds does so either way. */
constexpr int regrouped_rows[] = {UFUNC_logaddexp, UFUNC_logaddexp2, UFUNC_hypot};

constexpr bool
regroups(int op)
{
    for (const int row : regrouped_rows) {
        if (row == op) return true;
    }
    return false;
}

/* Rows that take away one by one what another row adds up: of integers, which wrap, all at
 * once. */
constexpr struct {
    int op, sum;
} taking_rows[] = {{UFUNC_subtract, UFUNC_add}};

/* The row that adds up what `op` takes away, or -1. */
constexpr int
sum_row(int op)
{
    for (const auto &row : taking_rows) {
        if (row.op == op) return row.sum;
    }
    return -1;
}

/* The vectors' loop of a row whose operands and result have one type, or NULL. */
cu_loop *
loop_of(int op, int dtype)
{
    for (int sig = 0; sig < ufunc_signature_count(op); sig++) {
        const int8_t *const types = cu_host_loop_types(op, sig);
        if (types[0] == dtype && types[1] == dtype && types[2] == dtype)
            return cu_host_loop(op, sig);
    }
    return nullptr;
}

/* Whether a row chooses one of its operands: these may be regrouped, and nothing rounds. */
constexpr bool
chooses(int op)
{
    for (const auto &row : fast_rows) {
        if (row.op == op)
            return row.fast >= CUPRIC_FAST_MAXIMUM && row.fast <= CUPRIC_FAST_FMIN;
    }
    return false;
}

/* Whether a row adds up. */
constexpr bool
adds(int op)
{
    for (const auto &row : fast_rows) {
        if (row.op == op) return row.fast == CUPRIC_FAST_ADD;
    }
    return false;
}

/* The sum of integers by its row, which wraps alike in any order. */
template <int SUM, class T>
inline T
wrapped_sum(const T *x, int64_t n)
{
    const auto rows = cu_combiner_get(SUM, (cu_dtype)type_info<T>::number)->rows;
    T sum = 0;

    if (rows) {
        rows(&sum, x, 1, 0, n);
    } else {
        for (int64_t i = 0; i < n; i++) {
            sum = T(typename wrapping_type<T>::type(sum) + x[i]);
        }
    }
    return sum;
}

/* A vector's lanes K further up, behind zeros. */
template <int K, class V, int... LANE>
inline V
moved_up(const V v, std::integer_sequence<int, LANE...>)
{
    constexpr int W = sizeof...(LANE);
    return __builtin_shufflevector(V{}, v, (LANE < K ? LANE : W + LANE - K)...);
}

template <class V, int... LANE>
inline V
last_in_all(const V v, std::integer_sequence<int, LANE...>)
{
    constexpr int W = sizeof...(LANE);
    return __builtin_shufflevector(v, v, (W - 1 + 0 * LANE)...);
}

/* out[i] = *acc + x[0] + ... + x[i], of integers, which wrap: in vectors, whose own running
 * sums do not wait for those before them. Returns how many; *acc is the last. */
template <class T>
inline int64_t
running_sums(T *acc, const T *x, int64_t n, T *out)
{
    typedef typename std::make_unsigned<T>::type U;
    typedef U vector __attribute__((vector_size(16)));
    constexpr int W = 16 / sizeof(U);
    const std::make_integer_sequence<int, W> lanes;
    vector before = vector{} + (U)load(acc);
    int64_t i = 0;

    for (; i + W <= n; i += W) {
        vector v;
        memcpy(&v, x + i, sizeof v);
        v += moved_up<1>(v, lanes);
        if constexpr (W > 2) v += moved_up<2>(v, lanes);
        if constexpr (W > 4) v += moved_up<4>(v, lanes);
        if constexpr (W > 8) v += moved_up<8>(v, lanes);
        const vector sums = v + before;
        memcpy(out + i, &sums, sizeof sums);
        before += last_in_all(v, lanes);
    }
    *acc = (T)before[0];
    return i;
}

template <int OP, class T>
struct combiner_of {
    static inline T of(const T a, const T b) { return ufunc_fn<OP, T, T>::call(a, b); }

    static void zip(void *acc, const void *x, int64_t n)
    {
        static bool is_known; /* without a guard, which a fork might leave held */
        static cu_loop *known;
        if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
            __atomic_store_n(&known, loop_of(OP, type_info<T>::number),
                             __ATOMIC_RELAXED);
            __atomic_store_n(&is_known, true, __ATOMIC_RELEASE);
        }
        cu_loop *const loop = __atomic_load_n(&known, __ATOMIC_RELAXED);
        T *a = (T *)acc;
        const T *b = (const T *)x;
        if (loop && n > 1) {
            char *const ptr[] = {(char *)acc, (char *)x, (char *)acc};
            const int64_t stride[] = {sizeof(T), sizeof(T), sizeof(T)};
            loop(ptr, stride, n);
            return;
        }
        for (int64_t j = 0; j < n; j++) {
            a[j] = ufunc_fn<OP, T, T>::call(load(&a[j]), load(&b[j]));
        }
    }

    static void run(void *acc, const void *x, int64_t n, void *out)
    {
        const T *b = (const T *)x;
        T a = load((const T *)acc), nowhere;
        if constexpr (adds(OP) && is_integer<T>::value && !is_same<T, bool>::value) {
            if (out) {
                const int64_t done = running_sums((T *)acc, b, n, (T *)out);
                a = load((const T *)acc);
                b += done, out = (T *)out + done, n -= done;
            }
        }
        if constexpr (sum_row(OP) >= 0 && is_integer<T>::value) {
            if (!out && n > 0) {
                *(T *)acc = ufunc_fn<OP, T, T>::call(a, wrapped_sum<sum_row(OP)>(b, n));
                return;
            }
        }
        if (ufunc_rows[OP].traits & VECTORISES && !out) {
            for (int64_t i = 0; i < n; i++)
                a = ufunc_fn<OP, T, T>::call(a, load(&b[i]));
        } else {
            T *r = out ? (T *)out : &nowhere;
            const int64_t step = out ? 1 : 0;
            for (int64_t i = 0; i < n; i++, r += step) {
                a = ufunc_fn<OP, T, T>::call(a, load(&b[i]));
                *r = a;
            }
        }
        *(T *)acc = a;
    }
};

/* Of what may be regrouped: vectors of partial results, which are joined by halves. */
template <int OP, class T>
struct grouped_of : combiner_of<OP, T> {
    using combiner_of<OP, T>::zip;
    static constexpr int64_t WIDTH = 256; /* partial results */

    static T row(const T *x, int64_t n)
    {
        T part[WIDTH];
        int64_t width = n < WIDTH ? n : WIDTH;
        memcpy((void *)part, x, width * sizeof(T));
        for (int64_t i = width; i < n; i += WIDTH) {
            zip(part, x + i, n - i < WIDTH ? n - i : WIDTH);
        }
        for (int64_t half; width > 1; width -= half) {
            half = width / 2;
            zip(part, part + width - half, half);
        }
        return load(part);
    }
};

/* Of complex numbers, whose order takes many instructions: blocks of which no element can be
 * chosen are passed over, which vectors find out. Of several NaNs the first is
 * chosen, and their other parts differ. */
template <int OP, class T>
struct chooser_of : combiner_of<OP, T> {
    using combiner_of<OP, T>::of;
    typedef typename real_type<T>::type R;
    static constexpr int BLOCK = 16;

    typedef R vector __attribute__((vector_size(16)));
    typedef decltype(vector() < vector()) mask;
    static constexpr int L = 16 / sizeof(R); /* parts */

    /* Neighbours exchanged: a real part's lane has what its imaginary part had. */
    static inline mask swapped(mask m)
    {
        if constexpr (L == 2)
            return __builtin_shuffle(m, (mask){1, 0});
        else
            return __builtin_shuffle(m, (mask){1, 0, 3, 2});
    }

    /* Whether none of a block is chosen in place of r, which is not NaN. Some that are
     * not may be missed, with NaN. */
    static inline bool all_lose(const T *x, const T r)
    {
        const bool largest = ufunc_fn<OP, R, R>::call(R(0), R(1)) == R(1);
        vector best, a;
        for (int k = 0; k < L; k++) best[k] = k % 2 ? r.im : r.re;
        mask lost = best == best; /* all set */
        for (int k = 0; k < 2 * BLOCK; k += L) {
            memcpy(&a, (const R *)x + k, sizeof a);
            const mask behind = largest ? a < best : a > best, same = a == best;
            lost &= (behind & swapped(a == a)) | (same & swapped(behind | same));
        }
        bool all = true;
        for (int k = 0; k < L; k += 2) all &= lost[k] != 0;
        return all;
    }

    static T row(const T *x, int64_t n)
    {
        T r = load(x);
        for (int64_t i = 1, m; i < n; i += m) {
            m = n - i < BLOCK ? n - i : BLOCK;
            if (m == BLOCK && !is_nan(r) && all_lose(x + i, r)) continue;
            for (int64_t k = i; k < i + m; k++) r = of(r, load(x + k));
        }
        return r;
    }
};

/* Rows and columns of a combiner C that makes one of a row. */
template <class C, class T>
void
rows_by(void *out, const void *x, int64_t nrows, int64_t row_stride, int64_t n)
{
    for (int64_t r = 0; r < nrows; r++) {
        ((T *)out)[r] = C::row((const T *)((const char *)x + r * row_stride), n);
    }
}

template <class C, class T>
void
cols_by(void *acc, const void *x, int64_t nrows, int64_t row_stride, int64_t n,
        bool fresh)
{
    if (fresh) memcpy(acc, x, n * sizeof(T));
    for (int64_t r = fresh; r < nrows; r++) {
        C::zip(acc, (const char *)x + r * row_stride, n);
    }
}

/* A row is a combiner of T when T op T is T. 16-bit floats go by way of float. */
template <int OP, class T, bool BINARY>
struct combines {
    static constexpr bool value = false;
};
template <int OP, class T>
struct combines<OP, T, true> {
    static constexpr bool value = ufunc_fn<OP, T, T>::exists &&
                                  !is_short_float<T>::value &&
                                  is_same<typename ufunc_fn<OP, T, T>::R, T>::value;
};

constexpr bool
is_binary(int op)
{
    return ufunc_rows[op].nin == 2 && ufunc_rows[op].nout == 1 && op < N_PLAIN_UFUNCS;
}

template <int OP, class T>
constexpr cu_combiner
make_combiner()
{
    if constexpr (combines<OP, T, is_binary(OP)>::value && chooses(OP) &&
                  is_complex<T>::value) {
        typedef chooser_of<OP, T> c;
        return {c::zip, c::run, rows_by<c, T>, cols_by<c, T>, true};
    } else if constexpr (combines<OP, T, is_binary(OP)>::value && regroups(OP)) {
        typedef grouped_of<OP, T> c;
        return {c::zip, c::run, rows_by<c, T>, cols_by<c, T>, false};
    } else if constexpr (combines<OP, T, is_binary(OP)>::value) {
        return {combiner_of<OP, T>::zip, combiner_of<OP, T>::run, nullptr, nullptr,
                false};
    } else {
        return {};
    }
}

struct combiner_table {
    cu_combiner at[N_UFUNCS][CUPRIC_N_DTYPES];
};

template <int OP>
constexpr void
fill_row(combiner_table &table)
{
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    table.at[OP][TYPE_##NAME] = make_combiner<OP, __VA_ARGS__>();
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
}

constexpr combiner_table
make_table()
{
    combiner_table table = {};
#define UFUNC(name, ...) fill_row<UFUNC_##name>(table);
#include "ops/ufunc.def"
#undef UFUNC
    return table;
}

combiner_table combiners = make_table(); /* constant once the library is loaded */

} /* namespace */

/* Put in the vector kernels of this machine. */
void
cu_combiners_init(void)
{
    const cu_fast_table *fast = &cu_fast_base;
#if defined(CUPRIC_HOST_CHOOSES)
    if (cu_host_cpu_level() >= 3) fast = &cu_fast_v3;
#endif
    for (const auto &row : fast_rows) {
        for (int d = 0; d < row.dtypes; d++) {
            if (!(*fast)[row.fast][d].rows) continue;
            combiners.at[row.op][d].rows = (*fast)[row.fast][d].rows;
            combiners.at[row.op][d].cols = (*fast)[row.fast][d].cols;
        }
    }
}

const cu_combiner *
cu_combiner_get(int op, cu_dtype acc)
{
    const cu_combiner *c = &combiners.at[op][acc];
    return c->run ? c : nullptr;
}
