/* host/reduce_rows.cpp: what each operation and signature needs to be reduced by: the
 * map and finish expressions of ops/reduce.def as kernels, and the table of cu_reducer.
 * Maps are made for every element: reduce_rows_v3.cpp has them once more, and only them.
 */
#include <string.h>
#include <utility>

#include "cupric/reduce.hpp"
#include "host/cpu.h"
#include "host/functors.hpp"
#include "host/reducer.h"

CUPRIC_BEGIN

namespace {

enum reduce_id {
#define REDUCE(name, ...) REDUCE_##name,
#include "ops/reduce.def"
#undef REDUCE
    N_REDUCES
};

struct reduce_row {
    const char *name;
    int nin;
    bool skips_nans;
    const char *signatures, *combine, *map, *finish;
};

constexpr reduce_row reduce_rows[] = {
#define REDUCE(name, nin, identity, dtypes, parameter, skips, signatures, ships,       \
               combine, map, finish, summary)                                          \
    {#name, nin,    CUPRIC_SKIPS_##skips == CUPRIC_SKIPS_NANS, signatures, #combine,   \
     #map,  #finish},
#include "ops/reduce.def"
#undef REDUCE
};

constexpr bool
same_text(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

constexpr cu_arg_kind
arg_kind(int row)
{
    const char *combine = reduce_rows[row].combine;
    const bool skips = reduce_rows[row].skips_nans;
    if (same_text(combine, "arg_max"))
        return skips ? CUPRIC_ARG_NANMAX : CUPRIC_ARG_MAX;
    if (same_text(combine, "arg_min"))
        return skips ? CUPRIC_ARG_NANMIN : CUPRIC_ARG_MIN;
    return CUPRIC_ARG_NONE;
}

/* The row of ufunc.def that combines; -1 for other combiners. */
constexpr int
combine_row(int row)
{
    for (int op = 0; op < N_UFUNCS; op++) {
        if (same_text(ufunc_rows[op].name, reduce_rows[row].combine)) return op;
    }
    return -1;
}

/* ---- expressions ----------------------------------------------------------------- */

template <int ROW, class A, class B, class S, class R>
struct body;

#define REDUCE(name, nin, identity, dtypes, parameter, skips, signatures, ships,       \
               combine, map_expression, finish_expression, summary)                    \
    template <class A, class B, class S, class R>                                      \
    struct body<REDUCE_##name, A, B, S, R> {                                           \
        typedef typename real_type<S>::type N;                                         \
        static inline S map([[maybe_unused]] const A a, [[maybe_unused]] const B b,    \
                            [[maybe_unused]] const N param)                            \
        {                                                                              \
            return convert<S>(map_expression);                                         \
        }                                                                              \
        static inline R finish(const S s, [[maybe_unused]] const N count,              \
                               [[maybe_unused]] const N param)                         \
        {                                                                              \
            return convert<R>(finish_expression);                                      \
        }                                                                              \
    };
#include "ops/reduce.def"
#undef REDUCE

template <class T>
inline T
element(const void *p, int64_t stride, int64_t j)
{
    return load<T>((const char *)p + j * stride);
}

template <int ROW, class A, class B, class S, class R>
struct kernels {
    typedef body<ROW, A, B, S, R> expressions;
    typedef typename real_type<S>::type N;

    /* Contiguous inputs, and a contiguous one with a single value, are compiled apart
     * for the sake of vectors. */
    static void map(void *dst, const void *x, int64_t xs, const void *y, int64_t ys,
                    int64_t n, double param)
    {
        S *d = (S *)dst;
        const N p = N(param);
        if constexpr (is_same<B, nothing>::value) {
            if (xs == sizeof(A)) {
                for (int64_t j = 0; j < n; j++) {
                    d[j] = expressions::map(load((const A *)x + j), B(), p);
                }
            } else {
                for (int64_t j = 0; j < n; j++) {
                    d[j] = expressions::map(element<A>(x, xs, j), B(), p);
                }
            }
        } else if (xs == sizeof(A) && ys == sizeof(B)) {
            for (int64_t j = 0; j < n; j++) {
                d[j] =
                    expressions::map(load((const A *)x + j), load((const B *)y + j), p);
            }
        } else if (xs == sizeof(A) && ys == 0) {
            const B b = load((const B *)y);
            for (int64_t j = 0; j < n; j++) {
                d[j] = expressions::map(load((const A *)x + j), b, p);
            }
        } else {
            for (int64_t j = 0; j < n; j++) {
                d[j] = expressions::map(element<A>(x, xs, j), element<B>(y, ys, j), p);
            }
        }
    }

    /* Of truths: counted in integers as wide as an element, for vectors of both. */
    typedef typename std::conditional<
        sizeof(A) >= 8, long long,
        typename std::conditional<sizeof(A) == 4, int, short>::type>::type counter;

    static counter count_dense(const A *x, int64_t n)
    {
        counter count = 0;
        for (int64_t j = 0; j < n; j++) {
            count += (counter)expressions::map(load(x + j), B(), N());
        }
        return count;
    }

    /* Strided elements are laid side by side, so that vectors compare them, too: each of
     * them is given to `take`, in blocks. */
    template <class F>
    static inline __attribute__((always_inline)) void
    side_by_side(const void *x, int64_t xs, int64_t n, const F &take)
    {
        constexpr int64_t BLOCK = 128;
        A block[BLOCK];
        for (int64_t j = 0; j < n; j += BLOCK) {
            const int64_t m = n - j < BLOCK ? n - j : BLOCK;
#pragma GCC unroll 4
            for (int64_t k = 0; k < m; k++) block[k] = element<A>(x, xs, j + k);
            take(block, m);
        }
    }

    static void count(void *acc, const void *x, int64_t xs, const void *, int64_t,
                      int64_t n, double)
    {
        counter count = 0;
        const auto take = [&](const A *a, int64_t m) { count += count_dense(a, m); };
        if (xs == sizeof(A))
            take((const A *)x, n);
        else
            side_by_side(x, xs, n, take);
        *(S *)acc = S(count);
    }

    /* The sum of at(i), i < n, in the order of host/reduce_fast.hpp: four vectors of 32
     * bytes side by side, which hide the latency of an addition. */
    template <class F>
    static inline __attribute__((always_inline)) S sum_of(int64_t n, const F &at)
    {
        constexpr int L = 32 / sizeof(S);
        typedef S vector __attribute__((vector_size(32)));
        vector sum[4] = {};
        S lane[L], made[L];
        int64_t i = 0;
        for (; i + 4 * L <= n; i += 4 * L) {
            for (int v = 0; v < 4; v++) {
                vector x;
                for (int k = 0; k < L; k++) made[k] = at(i + v * L + k);
                memcpy(&x, made, sizeof x);
                sum[v] += x;
            }
        }
        sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        memcpy(lane, &sum[0], sizeof lane);
        for (; i + L <= n; i += L) {
            for (int k = 0; k < L; k++) lane[k] += at(i + k);
        }
        for (int half = L / 2; half > 0; half /= 2) {
            for (int k = 0; k < half; k++) lane[k] += lane[k + half];
        }
        for (; i < n; i++) lane[0] += at(i);
        return lane[0];
    }

    static void sum(void *acc, const void *x, int64_t xs, const void *y, int64_t ys,
                    int64_t n, double param)
    {
        constexpr bool one = is_same<B, nothing>::value;
        const A *const a = (const A *)x;
        const B *const b = (const B *)y;
        const N p = N(param);
        if (xs == sizeof(A) && (one || ys == sizeof(B))) {
            *(S *)acc = sum_of(n, [=](int64_t i) {
                if constexpr (one)
                    return expressions::map(load(a + i), B(), p);
                else
                    return expressions::map(load(a + i), load(b + i), p);
            });
            return;
        }
        alignas(64) S made[CUPRIC_REDUCE_LEAF];
        map(made, x, xs, y, ys, n, param);
        *(S *)acc = sum_of(n, [&](int64_t i) { return made[i]; });
    }

    /* Whether all are true, or any is: no truth is kept. */
    template <bool ALL>
    static void truths(void *acc, const void *x, int64_t xs, const void *y, int64_t ys,
                       int64_t n, double param)
    {
        const N p = N(param);
        counter found = 0;
        if constexpr (is_same<B, nothing>::value) {
            const auto take = [&](const A *a, int64_t m) {
                for (int64_t j = 0; j < m; j++)
                    found |= expressions::map(load(a + j), B(), p) != ALL;
            };
            if (xs == sizeof(A))
                take((const A *)x, n);
            else
                side_by_side(x, xs, n, take);
        } else if (xs == sizeof(A) && ys == sizeof(B)) {
            const A *const a = (const A *)x;
            const B *const b = (const B *)y;
            for (int64_t j = 0; j < n; j++)
                found |= expressions::map(load(a + j), load(b + j), p) != ALL;
        } else {
            S made[CUPRIC_REDUCE_LEAF];
            map(made, x, xs, y, ys, n, param);
            for (int64_t j = 0; j < n; j++) found |= made[j] != ALL;
        }
        *(S *)acc = S((found != 0) != ALL);
    }

    static void finish(void *dst, const void *acc, int64_t n, double count,
                       double param)
    {
        R *d = (R *)dst;
        const S *s = (const S *)acc;
        for (int64_t j = 0; j < n; j++) {
            d[j] = expressions::finish(load(&s[j]), N(count), N(param));
        }
    }
};

/* ---- the rows of reduce.def ------------------------------------------------------ */

struct letters {
    char at[CUPRIC_MAXSIGNATURE];
};

constexpr letters
reduce_signature(int row, int sig)
{
    letters l = {};
    cu_sig_get(reduce_rows[row].signatures, reduce_rows[row].nin, 1, sig, l.at);
    return l;
}

constexpr int
reduce_signature_count(int row)
{
    return cu_sig_count(reduce_rows[row].signatures, reduce_rows[row].nin, 1);
}

/* nothing stays nothing */
template <char LETTER>
using type_computed =
    typename compute_type<typename type_of_letter<LETTER>::type>::type;

constexpr bool
is_moments(int row)
{
    return same_text(reduce_rows[row].combine, "moments");
}

constexpr bool
is_extremes(int row)
{
    return same_text(reduce_rows[row].combine, "extremes");
}

/* Of the result's dtype T, in which extremes are kept, computed with as A. */
template <int ROW, class T, class A>
void
join_extremes_of(void *high, const void *low, int64_t n)
{
    T *const h = (T *)high;
    const T *const l = (const T *)low;
    for (int64_t j = 0; j < n; j++) {
        const extremes<A> both = {convert<A>(l[j]), convert<A>(h[j])};
        h[j] = convert<T>(body<ROW, A, nothing, extremes<A>, A>::finish(both, {}, {}));
    }
}

/* The row of so many inputs that is summed and finished in this way, and skips what
 * `like` does: moments are made of the mean, and then by the row about it. */
constexpr int
find_sum(int like, int nin, const char *finish)
{
    for (int row = 0; row < N_REDUCES; row++) {
        const reduce_row &r = reduce_rows[row];
        if (r.nin == nin && r.skips_nans == reduce_rows[like].skips_nans &&
            same_text(r.combine, "add") && same_text(r.finish, finish)) {
            return row;
        }
    }
    return -1;
}

/* Whether a map leaves elements as they are. The combiners of bool take any byte. */
template <class A, class R>
constexpr bool
is_identity(const char *map)
{
    return same_text(map, "a") || (same_text(map, "truth(a)") &&
                                   is_same<A, bool>::value && is_same<R, bool>::value);
}

/* Whether something makes an accumulator of an element: it is not the element. */
template <int ROW, int SIG>
constexpr bool
has_map()
{
    constexpr letters l = reduce_signature(ROW, SIG);
    typedef type_computed<l.at[0]> A;
    typedef type_computed<l.at[reduce_rows[ROW].nin]> R;

    return arg_kind(ROW) == CUPRIC_ARG_NONE && !is_moments(ROW) && !is_extremes(ROW) &&
           !is_identity<A, R>(reduce_rows[ROW].map);
}

/* What makes it; NULL where there is none. */
template <int ROW, int SIG>
constexpr cu_reduce_map *
map_of()
{
    constexpr letters l = reduce_signature(ROW, SIG);
    constexpr int nin = reduce_rows[ROW].nin;
    typedef type_computed<l.at[0]> A;
    typedef type_computed<(nin > 1 ? l.at[1] : char(0))> B;
    typedef type_computed<l.at[nin]> R;

    if constexpr (!has_map<ROW, SIG>()) {
        return nullptr;
    } else {
        return kernels<ROW, A, B, R, R>::map;
    }
}

/* What adds up what the map makes, counts what is true, or asks for any or all of it; NULL
 * for other rows. Sums of 32 and 64 bits are made in vectors. */
template <int ROW, int SIG>
constexpr cu_reduce_fold *
fold_of()
{
    constexpr letters l = reduce_signature(ROW, SIG);
    constexpr int nin = reduce_rows[ROW].nin;
    typedef type_computed<l.at[0]> A;
    typedef type_computed<(nin > 1 ? l.at[1] : char(0))> B;
    typedef type_computed<l.at[nin]> R;

    if constexpr (!has_map<ROW, SIG>() || reduce_rows[ROW].skips_nans) {
        return nullptr;
    } else if constexpr (same_text(reduce_rows[ROW].combine, "logical_and")) {
        return kernels<ROW, A, B, R, R>::template truths<true>;
    } else if constexpr (same_text(reduce_rows[ROW].combine, "logical_or")) {
        return kernels<ROW, A, B, R, R>::template truths<false>;
    } else if constexpr (!same_text(reduce_rows[ROW].combine, "add")) {
        return nullptr;
    } else if constexpr (nin == 1 && is_same<R, long long>::value &&
                         same_text(reduce_rows[ROW].map, "truth(a)")) {
        return kernels<ROW, A, nothing, R, R>::count;
    } else if constexpr (is_same<R, float>::value || is_same<R, double>::value) {
        return kernels<ROW, A, B, R, R>::sum;
    } else {
        return nullptr;
    }
}

#define MAX_SIGNATURES 24

#if defined(CUPRIC_MAPS_ONLY)

struct map_table {
    cu_reduce_map *at[N_REDUCES][MAX_SIGNATURES];
    cu_reduce_fold *fold[N_REDUCES][MAX_SIGNATURES];
};

template <int ROW, int... SIG>
constexpr void
fill_maps(map_table &table, std::integer_sequence<int, SIG...>)
{
    ((table.at[ROW][SIG] = map_of<ROW, SIG>()), ...);
    ((table.fold[ROW][SIG] = fold_of<ROW, SIG>()), ...);
}

#else

const cu_arg_kernels *
arg_kernels(cu_arg_kind kind, cu_dtype t)
{
#if defined(CUPRIC_HOST_CHOOSES)
    if (cu_host_cpu_level() >= 3) return cu_arg_kernels_v3(kind, t);
#endif
    return cu_arg_kernels_base(kind, t);
}

template <int ROW, int SIG>
cu_reducer
make_reducer()
{
    constexpr letters l = reduce_signature(ROW, SIG);
    constexpr int nin = reduce_rows[ROW].nin;
    typedef type_computed<l.at[0]> A;
    typedef type_computed<(nin > 1 ? l.at[1] : char(0))> B;
    typedef type_computed<l.at[nin]> R;
    cu_reducer r = {};

    r.in[0] = cu_dtype(type_info<A>::number);
    if constexpr (nin > 1) r.in[1] = cu_dtype(type_info<B>::number);
    r.out = cu_dtype(type_info<R>::number);
    r.skips_nans = reduce_rows[ROW].skips_nans && arg_kind(ROW) == CUPRIC_ARG_NONE;
    r.result = cu_dtype(type_info<typename type_of_letter<l.at[nin]>::type>::number);
    if constexpr (arg_kind(ROW) != CUPRIC_ARG_NONE) {
        r.acc = r.in[0];
        r.combine = cu_combiner_get(arg_kind(ROW) == CUPRIC_ARG_MAX      ? UFUNC_maximum
                                    : arg_kind(ROW) == CUPRIC_ARG_MIN    ? UFUNC_minimum
                                    : arg_kind(ROW) == CUPRIC_ARG_NANMAX ? UFUNC_fmax
                                                                         : UFUNC_fmin,
                                    r.acc);
        r.arg = arg_kernels(arg_kind(ROW), r.acc);
    } else if constexpr (is_moments(ROW)) {
        r.acc = r.in[0];
        r.combine = cu_combiner_get(UFUNC_add, r.acc);
        constexpr int mean = find_sum(ROW, 1, "over_count(s, count)");
        constexpr int about = find_sum(ROW, 2, reduce_rows[ROW].finish);
        static_assert(mean >= 0 && about >= 0, "what moments are made of");
        r.mean = N_UFUNCS + mean;
        r.about_mean = N_UFUNCS + about;
    } else if constexpr (is_extremes(ROW)) {
        r.acc = r.in[0];
        r.combine = cu_combiner_get(UFUNC_maximum, r.acc);
        r.least = UFUNC_minimum;
        r.greatest = UFUNC_maximum;
        r.join_extremes =
            join_extremes_of<ROW, typename type_of_letter<l.at[nin]>::type, A>;
    } else {
        r.acc = r.out;
        r.combine = cu_combiner_get(combine_row(ROW), r.acc);
        r.map = map_of<ROW, SIG>();
        r.fold = fold_of<ROW, SIG>();
        if constexpr (!same_text(reduce_rows[ROW].finish, "s")) {
            r.finish = kernels<ROW, A, B, R, R>::finish;
        }
    }
    return r;
}

/* ---- identities ------------------------------------------------------------------ */

enum identity {
    IDENTITY_ZERO,
    IDENTITY_ONE,
    IDENTITY_MINUS_ONE,
    IDENTITY_MINUS_INFINITY,
    IDENTITY_REORDERABLE,
    IDENTITY_NONE
};

constexpr identity identities[] = {
#define UFUNC(name, nin, nout, names, id, ...) IDENTITY_##id,
#include "ops/elementwise.def"
#undef UFUNC
};

template <class T>
void
put_value(cu_scalar *out, identity id)
{
    const double value = id == IDENTITY_ONE              ? 1
                         : id == IDENTITY_MINUS_ONE      ? -1
                         : id == IDENTITY_MINUS_INFINITY ? -__builtin_inf()
                                                         : 0;
    const T x = convert<T>(value);
    memcpy(out, &x, sizeof x);
}

void
put_identity(cu_scalar *out, cu_dtype t, identity id)
{
    switch (t) {
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    case CUPRIC_##NAME:                                                                \
        put_value<__VA_ARGS__>(out, id);                                               \
        break;
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    default: break;
    }
}

/* What follows from the combiner being row `op`. */
void
add_identity(cu_reducer *r, int op)
{
    const int traits = ufunc_rows[op].traits;
    r->has_identity = identities[op] < IDENTITY_REORDERABLE;
    if (r->has_identity) put_identity(&r->identity, r->acc, identities[op]);
    /* NumPy starts at the identity, which shows in the sum of negative zeros, and where
     * the operation drops the sign of a single element. */
    r->starts_at_identity =
        traits & DROPS_SIGN ||
        (traits & SIGNED_ZERO && r->acc >= CUPRIC_FLOAT32 && r->acc < CUPRIC_N_DTYPES);
    r->absorbs = traits & ABSORBS && r->acc == CUPRIC_BOOL;
    if (r->absorbs) r->absorbing.b = !r->identity.b;
}

/* ---- the table ------------------------------------------------------------------- */

struct reducer_table {
    cu_reducer at[N_UFUNCS + N_REDUCES][MAX_SIGNATURES];
};

template <int ROW, int... SIG>
void
fill_row(cu_reducer *at, std::integer_sequence<int, SIG...>)
{
    static_assert(sizeof...(SIG) <= MAX_SIGNATURES, "make the table longer");
    ((at[SIG] = make_reducer<ROW, SIG>()), ...);
#if defined(CUPRIC_HOST_CHOOSES)
    for (int sig = 0; cu_host_cpu_level() >= 3 && sig < (int)sizeof...(SIG); sig++) {
        if (at[sig].map) at[sig].map = cu_reduce_map_v3(ROW, sig);
        if (at[sig].fold) at[sig].fold = cu_reduce_fold_v3(ROW, sig);
    }
#endif
    if (combine_row(ROW) < 0) return;
    for (unsigned i = 0; i < sizeof...(SIG); i++) {
        add_identity(&at[i], combine_row(ROW));
    }
}

void
fill_ufunc(cu_reducer *at, int op)
{
    const ufunc_row &row = ufunc_rows[op];
    if (row.nin != 2 || row.nout != 1) return;
    for (int sig = 0; sig < ufunc_signature_count(op) && sig < MAX_SIGNATURES; sig++) {
        const ufunc_letters found = ufunc_signature(op, sig);
        const char *l = found.at;
        cu_reducer *r = &at[sig];
        if (l[0] != l[1] || l[0] != l[2]) continue;
        for (int d = 0; d < CUPRIC_N_DTYPES; d++) {
            if (cu_dtypes[d].letter == l[0]) r->result = cu_dtype(d);
        }
        const bool narrow = r->result == CUPRIC_FLOAT16 || r->result == CUPRIC_BFLOAT16;
        r->in[0] = r->acc = r->out = narrow ? CUPRIC_FLOAT32 : r->result;
        r->combine = cu_combiner_get(op, r->acc);
        add_identity(r, op);
    }
}

reducer_table reducers; /* constant once the library is loaded */

#endif

} /* namespace */

CUPRIC_END

using namespace cupric;

#if defined(CUPRIC_MAPS_ONLY)

static constexpr map_table maps = [] {
    map_table t = {};
#define REDUCE(name, ...)                                                              \
    fill_maps<REDUCE_##name>(                                                          \
        t, std::make_integer_sequence<int, reduce_signature_count(REDUCE_##name)>());
#include "ops/reduce.def"
#undef REDUCE
    return t;
}();

cu_reduce_map *
cu_reduce_map_v3(int row, int sig)
{
    return maps.at[row][sig];
}

cu_reduce_fold *
cu_reduce_fold_v3(int row, int sig)
{
    return maps.fold[row][sig];
}

#else

void
cu_reducers_init(void)
{
    cu_combiners_init();
    for (int op = 0; op < N_UFUNCS; op++) fill_ufunc(reducers.at[op], op);
#define REDUCE(name, ...)                                                              \
    fill_row<REDUCE_##name>(                                                           \
        reducers.at[N_UFUNCS + REDUCE_##name],                                         \
        std::make_integer_sequence<int, reduce_signature_count(REDUCE_##name)>());
#include "ops/reduce.def"
#undef REDUCE
}

const cu_reducer *
cu_reducer_get(int op, int sig)
{
    const bool known =
        op >= 0 && op < N_UFUNCS + N_REDUCES && sig >= 0 && sig < MAX_SIGNATURES;
    if (!known || !reducers.at[op][sig].combine) {
        cu_fail(CUPRIC_ERR_TYPE, "operation %d in signature %d is not a reduction", op,
                sig);
        return nullptr;
    }
    return &reducers.at[op][sig];
}

#endif
