/* host/loops.hpp: a loop for every signature of a row, as templates.
 *
 * One loop has several forms, chosen by its strides: all operands dense, one input
 * constant, anything. In the first two the compiler sees unit strides and vectorises; of
 * small elements what is strided passes through dense buffers, a block at a time, and the
 * first form serves.
 */
#ifndef CUPRIC_HOST_LOOPS_HPP
#define CUPRIC_HOST_LOOPS_HPP

#include <string.h>
#include <type_traits>
#include <utility>

#ifndef CUPRIC_ROWS
#define CUPRIC_ROWS "ops/ufunc.def" /* those of special functions are in family.hpp */
#endif
#include "host/functors.hpp"
#include "host/loops.h"
#include "host/past_caches.h"
#include "host/word.hpp"

/* Loops with stores past the caches wait for memory: one instruction set's are enough. */
#if defined(__AVX2__) && (!defined(__AVX512F__) || defined(CUPRIC_HOST_NATIVE))
#define CUPRIC_LINES_LOOPS
#endif

CUPRIC_BEGIN
CUPRIC_ROWS_BEGIN

/* Bytes of the widest vectors that this file is compiled for. */
#if defined(__AVX512F__)
constexpr int WIDEST = 64;
#elif defined(__AVX2__)
constexpr int WIDEST = 32;
#else
constexpr int WIDEST = 16;
#endif

/* How an operand is reached: one value, its own size apart, anything. */
enum reach { CONSTANT, DENSE, STRIDED };

template <class T, reach HOW>
struct input {
    const char *p;
    int64_t stride;
    input(char *const *ptr, const int64_t *strides, int k)
        : p(ptr[k]), stride(strides[k])
    {
    }
    T operator[](int64_t i) const
    {
        return load<T>(p + i * (HOW == DENSE ? (int64_t)sizeof(T) : stride));
    }
};
template <class T>
struct input<T, CONSTANT> {
    T value;
    input(char *const *ptr, const int64_t *, int k) : value(load<T>(ptr[k])) {}
    T operator[](int64_t) const { return value; }
};
template <>
struct input<nothing, CONSTANT> {
    input(char *const *, const int64_t *, int) {}
    nothing operator[](int64_t) const { return nothing(); }
};

template <class T, reach HOW>
struct output {
    char *p;
    int64_t stride;
    output(char *const *ptr, const int64_t *strides, int k)
        : p(ptr[k]), stride(strides[k])
    {
    }
    void put(int64_t i, T x) const
    {
        *(T *)(p + i * (HOW == DENSE ? (int64_t)sizeof(T) : stride)) = x;
    }
};
template <>
struct output<nothing, CONSTANT> {
    output(char *const *, const int64_t *, int) {}
    void put(int64_t, nothing) const {}
};
template <class T, reach HOW>
constexpr reach reach_of = is_same<T, nothing>::value ? CONSTANT : HOW;

/* n elements that lie `stride` bytes apart, side by side. Every second one, a complex
 * array's parts or x[::2], is read by vectors. */
template <class T>
static __attribute__((noinline)) void
gather_elements(T *__restrict dst, const char *src, int64_t stride, int64_t n)
{
    int64_t i = 0;
    if (stride == (int64_t)sizeof(T)) {
        memcpy(dst, src, (size_t)n * sizeof(T));
        return;
    }
    if (stride == 2 * (int64_t)sizeof(T)) {
        const T *const x = (const T *)src;
        for (; i + 1 < n; i++) dst[i] = x[2 * i]; /* nothing behind the last is read */
    }
    for (; i + 4 <= n; i += 4) {
        const char *const p = src + i * stride;
        const T a = *(const T *)p, b = *(const T *)(p + stride),
                c = *(const T *)(p + 2 * stride), d = *(const T *)(p + 3 * stride);
        dst[i] = a, dst[i + 1] = b, dst[i + 2] = c, dst[i + 3] = d;
    }
    for (; i < n; i++) dst[i] = *(const T *)(src + i * stride);
}

template <class T>
static __attribute__((noinline)) void
scatter_elements(char *dst, int64_t stride, const T *__restrict src, int64_t n)
{
    int64_t i = 0;
    if (stride == (int64_t)sizeof(T)) {
        memcpy(dst, src, (size_t)n * sizeof(T));
        return;
    }
    for (; i + 4 <= n; i += 4) {
        char *const p = dst + i * stride;
        const T a = src[i], b = src[i + 1], c = src[i + 2], d = src[i + 3];
        *(T *)p = a, *(T *)(p + stride) = b;
        *(T *)(p + 2 * stride) = c, *(T *)(p + 3 * stride) = d;
    }
    for (; i < n; i++) *(T *)(dst + i * stride) = src[i];
}

/* Elements of another type, converted, and back; shared by the rows of a unit. */
template <class F, class T>
static __attribute__((noinline)) void
convert_in(F *__restrict dst, const char *p, int64_t stride, int64_t n)
{
    const T *const dense = (const T *)p;
    if (stride == (int64_t)sizeof(T)) {
        for (int64_t k = 0; k < n; k++) dst[k] = convert<F>(load(dense + k));
        return;
    }
    for (int64_t k = 0; k < n; k++) dst[k] = convert<F>(load<T>(p + k * stride));
}
template <class F, class T>
static __attribute__((noinline)) void
convert_out(const F *__restrict src, char *p, int64_t stride, int64_t n)
{
    T *const dense = (T *)p;
    if (stride == (int64_t)sizeof(T)) {
        for (int64_t k = 0; k < n; k++) dense[k] = convert<T>(src[k]);
        return;
    }
    for (int64_t k = 0; k < n; k++) *(T *)(p + k * stride) = convert<T>(src[k]);
}

/* The signature of a row whose operands all are of the type F; -1 where it has none. */
template <class F>
constexpr int
signature_of_all(int op)
{
    const int nops = ufunc_rows[op].nin + ufunc_rows[op].nout;
    for (int sig = 0; sig < ufunc_signature_count(op); sig++) {
        const ufunc_letters letters = ufunc_signature(op, sig);
        bool all = true;
        for (int i = 0; i < nops; i++)
            all = all && letters.at[i] == type_info<F>::letter;
        if (all) return sig;
    }
    return -1;
}

template <int OP, int SIG>
struct loop {
    static constexpr int nin = ufunc_rows[OP].nin, nout = ufunc_rows[OP].nout;
    template <int I>
    using type = typename ufunc_type<OP, SIG, I>::type;
    typedef type<0> A;
    typedef typename ufunc_type<OP, SIG, (nin > 1 ? 1 : 99)>::type B;
    typedef typename ufunc_type<OP, SIG, (nin > 2 ? 2 : 99)>::type C;
    typedef typename ufunc_type<OP, SIG, (nin > 3 ? 3 : 99)>::type D;
    typedef type<nin> R;
    typedef type<nin + 1> S;
    typedef ufunc_body<OP, A, B, C, D, R, S> body;

    /* The fifth and the sixth input, the third and the fourth output, which few have. */
    typedef typename ufunc_type<OP, SIG, (nin > 4 ? 4 : 99)>::type FIFTH;
    typedef typename ufunc_type<OP, SIG, (nin > 5 ? 5 : 99)>::type SIXTH;
    typedef type<nin + 2> THIRD_OUT;
    typedef type<nin + 3> FOURTH_OUT;
    static constexpr bool has_many = nin > 4 || nout > 2;

    template <reach MA, reach MB, reach MC, reach MR>
    static inline __attribute__((always_inline)) void
    sweep(char *const *ptr, const int64_t *stride, int64_t n)
    {
        const input<A, MA> a(ptr, stride, 0);
        const input<B, reach_of<B, MB>> b(ptr, stride, 1);
        const input<C, reach_of<C, MC>> c(ptr, stride, 2);
        const input<D, reach_of<D, MC>> d(ptr, stride, 3);
        const output<R, MR> out(ptr, stride, nin);
        const output<S, reach_of<S, MR>> second(ptr, stride, nin + 1);
        const auto one = [&](int64_t i) __attribute__((always_inline))
        {
            R r;
            S s;
            body::run(a[i], b[i], c[i], d[i], r, s);
            out.put(i, r);
            second.put(i, s);
        };
        /* Without vectors a loop's own instructions are a tenth of the time. */
        if constexpr (MR == STRIDED && by_blocks) {
            CUPRIC_IVDEP
            _Pragma("GCC unroll 2") for (int64_t i = 0; i < n; i++) one(i);
        } else {
            CUPRIC_IVDEP
            for (int64_t i = 0; i < n; i++) one(i);
        }
    }

    /* SWEEP over the form that operands and a dense result have; false if there is none of
     * it. Where the first operand is constant blocks may serve: of 3 ** x the compiler makes
     * no vectors, as it keeps the powers of 3. */
    template <class SWEEP, bool CONSTANT_FIRST>
    static inline __attribute__((always_inline)) bool
    by_form(char *const *ptr, const int64_t *stride, int64_t n)
    {
        const bool a = stride[0] == (int64_t)sizeof(A);
        if (stride[nin] != (int64_t)sizeof(R)) return false;
        if constexpr (nout == 2) {
            if (stride[nin + 1] != (int64_t)sizeof(S)) return false;
        }
        if constexpr (nin == 1) {
            if (a) return SWEEP::template run<DENSE, DENSE, DENSE>(ptr, stride, n);
        } else if constexpr (nin == 2) {
            const bool b = stride[1] == (int64_t)sizeof(B);
            if (a && b) return SWEEP::template run<DENSE, DENSE, DENSE>(ptr, stride, n);
            if constexpr (nout == 1) {
                if (a && stride[1] == 0)
                    return SWEEP::template run<DENSE, CONSTANT, DENSE>(ptr, stride, n);
            }
            if constexpr (nout == 1 && CONSTANT_FIRST) {
                if (b && stride[0] == 0)
                    return SWEEP::template run<CONSTANT, DENSE, DENSE>(ptr, stride, n);
            }
        } else if constexpr (nin == 4 && nout == 1 && is_same<R, A>::value) {
            if (a && stride[1] == 0 && stride[2] == 0 && stride[3] == 0)
                return SWEEP::template run<DENSE, CONSTANT, CONSTANT>(ptr, stride, n);
        } else if constexpr (nin == 3 && nout == 1) {
            const bool b = stride[1] == (int64_t)sizeof(B);
            const bool c = stride[2] == (int64_t)sizeof(C);
            if (a && b && c)
                return SWEEP::template run<DENSE, DENSE, DENSE>(ptr, stride, n);
            if (a && stride[1] == 0 && stride[2] == 0)
                return SWEEP::template run<DENSE, CONSTANT, CONSTANT>(ptr, stride, n);
            if constexpr ((ufunc_rows[OP].traits & CONDITION) != 0) {
                if (a && b && stride[2] == 0)
                    return SWEEP::template run<DENSE, DENSE, CONSTANT>(ptr, stride, n);
                if (a && stride[1] == 0 && c)
                    return SWEEP::template run<DENSE, CONSTANT, DENSE>(ptr, stride, n);
            }
        }
        return false;
    }

    struct stores {
        template <reach MA, reach MB, reach MC>
        static inline __attribute__((always_inline)) bool
        run(char *const *ptr, const int64_t *stride, int64_t n)
        {
            sweep<MA, MB, MC, DENSE>(ptr, stride, n);
            return true;
        }
    };

    /* Every form, for operations that cost less than reaching memory. */
    template <bool CONSTANT_FIRST>
    static void run(char *const *ptr, const int64_t *stride, int64_t n)
    {
        if (by_form<stores, CONSTANT_FIRST>(ptr, stride, n)) return;
        if constexpr (by_blocks) {
            const bool dense = stride[nin] == (int64_t)sizeof(R);
            if (dense && n >= SHORTEST_BLOCK) return run_blocks(ptr, stride, n);
        }
        sweep<STRIDED, STRIDED, STRIDED, STRIDED>(ptr, stride, n);
    }

    /* Results of a few cache lines, which are then stored past the caches. */
    static constexpr int64_t LINES = CUPRIC_LINES_BYTES / sizeof(R); /* in elements */
    static constexpr int64_t SECOND_BYTES = nout == 2 ? LINES * sizeof(S) : 0;
    static constexpr bool has_lines = SECOND_BYTES % CUPRIC_CACHE_LINE == 0;

    struct stores_lines {
        template <reach MA, reach MB, reach MC>
        static inline __attribute__((always_inline)) bool
        run(char *const *ptr, const int64_t *stride, int64_t n)
        {
            const input<A, MA> a(ptr, stride, 0);
            const input<B, reach_of<B, MB>> b(ptr, stride, 1);
            const input<C, reach_of<C, MC>> c(ptr, stride, 2);
            const input<D, reach_of<D, MC>> d(ptr, stride, 3);
            alignas(CUPRIC_CACHE_LINE) R lines[LINES];
            alignas(CUPRIC_CACHE_LINE) S second[LINES];
            for (int64_t i = 0; i < n; i += LINES) {
                CUPRIC_IVDEP
                for (int64_t k = 0; k < LINES; k++)
                    body::run(a[i + k], b[i + k], c[i + k], d[i + k], lines[k],
                              second[k]);
                cu_store_past_caches(ptr[nin] + i * sizeof(R), (const char *)lines,
                                     CUPRIC_LINES_BYTES);
                if constexpr (nout == 2)
                    cu_store_past_caches(ptr[nin + 1] + i * sizeof(S),
                                         (const char *)second, SECOND_BYTES);
            }
            return true;
        }
    };

    static bool run_lines(char *const *ptr, const int64_t *stride, int64_t n)
    {
        return by_form<stores_lines, true>(ptr, stride, n);
    }

    /* Whether operands that are strided pass through buffers: elements that several of fit
     * into a register. A result that is strided does not: it is stored one by one anyway,
     * and x[::2] += y[::2] of 2e6 floats takes 0.86 ms, through buffers 1.2. */
    static constexpr bool by_blocks =
        (nin == 1 || nin == 2) && nout == 1 && sizeof(A) <= 8 &&
        (nin == 1 || sizeof(A) == sizeof(B)) && sizeof(R) <= sizeof(A);
    static constexpr int64_t SHORTEST_BLOCK = 16;
    /* So short that a CPU reads the next block while it computes this one: x + y of 4e6
     * floats that are strided takes 3.3 ms, in blocks of 512 elements 4.4. */
    static constexpr int64_t BLOCK = 128;

    static void run_blocks(char *const *ptr, const int64_t *stride, int64_t n)
    {
        typedef typename word<sizeof(A)>::type WA;
        alignas(64) WA in[nin][BLOCK];
        char *at[nin + 2] = {};
        int64_t step[nin + 2] = {};
        for (int64_t start = 0; start < n; start += BLOCK) {
            const int64_t count = n - start < BLOCK ? n - start : BLOCK;
            for (int k = 0; k < nin; k++) {
                at[k] = ptr[k] + start * stride[k];
                step[k] = sizeof(A);
                if (stride[k] == (int64_t)sizeof(A)) continue;
                if (start == 0 || stride[k] != 0) {
                    gather_elements<WA>(in[k], at[k], stride[k], count);
                }
                at[k] = (char *)in[k];
            }
            at[nin] = ptr[nin] + start * stride[nin];
            step[nin] = sizeof(R);
            sweep<DENSE, DENSE, DENSE, DENSE>(at, step, count);
        }
    }

    /* One form, where the operation's own cost hides the strides'. */
    static void run_plain(char *const *ptr, const int64_t *stride, int64_t n)
    {
        if constexpr (has_many)
            sweep_many(ptr, stride, n);
        else
            sweep<STRIDED, STRIDED, STRIDED, STRIDED>(ptr, stride, n);
    }

    static void sweep_many(char *const *ptr, const int64_t *stride, int64_t n)
    {
        typedef ufunc_body<OP, A, B, C, D, R, S, FIFTH, SIXTH, THIRD_OUT, FOURTH_OUT>
            all;
        const input<A, STRIDED> a(ptr, stride, 0);
        const input<B, reach_of<B, STRIDED>> b(ptr, stride, 1);
        const input<C, reach_of<C, STRIDED>> c(ptr, stride, 2);
        const input<D, reach_of<D, STRIDED>> d(ptr, stride, 3);
        const input<FIFTH, reach_of<FIFTH, STRIDED>> e(ptr, stride, 4);
        const input<SIXTH, reach_of<SIXTH, STRIDED>> f(ptr, stride, 5);
        const output<R, STRIDED> first(ptr, stride, nin);
        const output<S, reach_of<S, STRIDED>> second(ptr, stride, nin + 1);
        const output<THIRD_OUT, reach_of<THIRD_OUT, STRIDED>> third(ptr, stride,
                                                                    nin + 2);
        const output<FOURTH_OUT, reach_of<FOURTH_OUT, STRIDED>> fourth(ptr, stride,
                                                                       nin + 3);
        for (int64_t i = 0; i < n; i++) {
            R r;
            S s;
            THIRD_OUT t;
            FOURTH_OUT u;
            all::run(a[i], b[i], c[i], d[i], e[i], f[i], r, s, t, u);
            first.put(i, r);
            second.put(i, s);
            third.put(i, t);
            fourth.put(i, u);
        }
    }

    /* The loop of another signature, INSIDE, around which operands of other types pass
     * through buffers: a conversion costs little beside the function, and a loop of its own
     * for each type a hundred kilobytes. */
    template <cu_loop *INNER, int INSIDE>
    static void run_around(char *const *ptr, const int64_t *stride, int64_t n)
    {
        run_around_each<INNER, INSIDE>(ptr, stride, n,
                                       std::make_integer_sequence<int, nin + nout>());
    }

    template <cu_loop *INNER, int INSIDE, int... K>
    static inline void run_around_each(char *const *ptr, const int64_t *stride,
                                       int64_t n, std::integer_sequence<int, K...>)
    {
        constexpr int64_t COUNT = 256;
        alignas(64) char buffer[nin + nout][COUNT * widest_of<INSIDE, K...>()];
        char *at[] = {(char *)buffer[K]...};
        const int64_t step[] = {(moves<INSIDE, K> ? stride[K]
                                 : stride[K] == 0
                                     ? 0
                                     : (int64_t)sizeof(inside<INSIDE, K>))...};
        for (int64_t start = 0; start < n; start += COUNT) {
            const int64_t count = n - start < COUNT ? n - start : COUNT;
            ((at[K] = moves<INSIDE, K> ? ptr[K] + start * stride[K] : at[K]), ...);
            (take<K>((inside<INSIDE, K> *)buffer[K], ptr[K] + start * stride[K],
                     stride[K], count),
             ...);
            INNER(at, step, count);
            (give<K>((const inside<INSIDE, K> *)buffer[K], ptr[K] + start * stride[K],
                     stride[K], count),
             ...);
        }
    }

    /* The type of operand K there, and whether it is this one's, too. */
    template <int INSIDE, int K>
    using inside = typename ufunc_type<OP, INSIDE, K>::type;
    template <int INSIDE, int K>
    static constexpr bool moves = is_same<type<K>, inside<INSIDE, K>>::value;
    template <int INSIDE, int... K>
    static constexpr int widest_of()
    {
        int widest = 0;
        ((widest = (int)sizeof(inside<INSIDE, K>) > widest
                       ? (int)sizeof(inside<INSIDE, K>)
                       : widest),
         ...);
        return widest;
    }

    /* Operand K into its buffer if it is an input of another type, and out of it if it is
     * such an output. */
    template <int K, class F>
    static inline void take(F *buffer, const char *p, int64_t stride, int64_t n)
    {
        if constexpr (K < nin && !is_same<type<K>, F>::value)
            convert_in<F, type<K>>(buffer, p, stride, stride ? n : 1);
    }
    template <int K, class F>
    static inline void give(const F *buffer, char *p, int64_t stride, int64_t n)
    {
        if constexpr (K >= nin && !is_same<type<K>, F>::value)
            convert_out<F, type<K>>(buffer, p, stride, n);
    }

    /* Whether operands are real floating-point numbers of one type, one or two in and one
     * or two out, and 16-bit ones may be computed as float; or there is an integer of which
     * the function of its value as a double is wanted. */
    static constexpr bool is_real_function =
        nin <= 2 && is_float<R>::value && (nout == 1 || is_same<R, S>::value) &&
        (is_same<A, R>::value || (nin == 1 && is_integer<A>::value)) &&
        (nin == 1 || is_same<A, B>::value) &&
        !(is_short_float<R>::value && ufunc_rows[OP].traits & OWN_WIDTH);

    /* A loop that reads integers of half the width, too, is vectorised two vectors of F at a
     * time, whose chains of dependent operations run side by side: tan, atan2, asinh and
     * power take a fifth to a quarter less time on a Zen 3. */
    template <class F>
    using half_as_wide =
        typename std::conditional<sizeof(F) == 8, unsigned int, unsigned short>::type;

    /* BATCH zeros, which the compiler does not know to be any. */
    template <class F>
    static const half_as_wide<F> *zeros()
    {
        alignas(64) static const half_as_wide<F> zero[BATCH] = {};
        const half_as_wide<F> *p = zero;
        __asm__("" : "+r"(p));
        return p;
    }

    /* For functions that come in vectors. What is dense and whole is computed where it
     * lies; else operands pass through buffers of a whole number of vectors, 16-bit floats
     * as float. After a batch that had rare arguments so many are taken for rare at once:
     * of an array of zeros hardly more is computed twice than a tenth. */
    static constexpr int BATCH = 512, CAREFUL = 10;

    static void run_batches(char *const *ptr, const int64_t *stride, int64_t n)
    {
        typedef typename compute_type<R>::type F;
        constexpr int64_t VECTORS = 2 * WIDEST / sizeof(F);
        alignas(64) F buffer[nin + nout][BATCH];
        bool direct[nin + nout];
        for (int k = 0; k < nin + nout; k++) {
            direct[k] = ((k < nin && is_same<A, F>::value) ||
                         (k >= nin && is_same<R, F>::value)) &&
                        stride[k] == (int64_t)sizeof(F);
            /* an element that is computed once more must not be overwritten */
            for (int out = nin; k < nin && out < nin + nout; out++)
                direct[k] = direct[k] && ptr[k] != ptr[out];
            if (k < nin && stride[k] == 0)
                gather(buffer[k], ptr[k], 0, n < BATCH ? n : BATCH, VECTORS);
        }
        int careful = 0;
        for (int64_t start = 0; start < n; start += BATCH) {
            const int64_t count = n - start < BATCH ? n - start : BATCH;
            const int64_t padded = (count + VECTORS - 1) & -VECTORS;
            const bool whole = count == padded;
            F *at[nin + nout];
            for (int k = 0; k < nin + nout; k++) {
                char *const p = ptr[k] + start * stride[k];
                at[k] = whole && direct[k] ? (F *)p : buffer[k];
                if (k < nin && at[k] == buffer[k] && stride[k] != 0)
                    gather(buffer[k], p, stride[k], count, VECTORS);
            }
            F *const b = at[nin - 1], *const r = at[nin], *const s = at[nin + nout - 1];
            if (careful == 0 && compute<batched<F>>(at[0], b, r, s, padded))
                careful = CAREFUL;
            if (careful > 0) {
                compute<F>(at[0], b, r, s, padded);
                careful--;
            }
            for (int k = nin; k < nin + nout; k++) {
                if (at[k] != buffer[k]) continue;
                scatter(buffer[k], ptr[k] + start * stride[k], stride[k], count);
            }
        }
    }

    /* The row's expression of elements of type V: F or batched<F>. */
    template <class V, class F>
    static inline __attribute__((always_inline)) void
    evaluate(F a, [[maybe_unused]] F b, V &r, [[maybe_unused]] V &s)
    {
        nothing x;
        if constexpr (nin == 1 && nout == 1)
            ufunc_body<OP, V, nothing, nothing, nothing, V, nothing>::run(V(a), x, x, x,
                                                                          r, x);
        else if constexpr (nin == 1)
            ufunc_body<OP, V, nothing, nothing, nothing, V, V>::run(V(a), x, x, x, r,
                                                                    s);
        else if constexpr (nout == 1)
            ufunc_body<OP, V, V, nothing, nothing, V, nothing>::run(V(a), V(b), x, x, r,
                                                                    x);
        else
            ufunc_body<OP, V, V, nothing, nothing, V, V>::run(V(a), V(b), x, x, r, s);
    }

    /* Whether a result may be MARK(). Where none is, looking for it would take a tenth of
     * the time. */
    static constexpr bool marks =
        ufunc_rows[OP].unit == CUPRIC_UNIT_special || ufunc_rows[OP].traits & MARKS;

    /* A whole number of vectors, as elements of type V: F or batched<F>; `b` is `a` and `s`
     * is `r` where there is one. Whether any element was rare. */
    template <class V, class F>
    static inline __attribute__((always_inline)) bool
    compute(const F *a, const F *b, F *r, F *s, int64_t padded)
    {
        typedef elementary::format<F> T;
        constexpr bool is_batched = !is_same<V, F>::value;
        typename T::bits marked = 0, rare = 0;
        const half_as_wide<F> *const zero = zeros<F>();
        half_as_wide<F> none = 0;
        CUPRIC_IVDEP
        for (int64_t k = 0; k < padded; k++) {
            V x, y;
            evaluate(a[k], b[k], x, y);
            if constexpr (is_batched) rare |= x.rare;
            if constexpr (is_batched && marks) marked |= bits_of(F(x)) == T::MARK();
            none |= zero[k];
            r[k] = F(x);
            if constexpr (nout == 2) s[k] = F(y);
        }
        marked |= none;
        for (int64_t k = 0; is_batched && marked && k < padded; k++) {
            if (bits_of(r[k]) != T::MARK()) continue;
            F x, y;
            evaluate(a[k], b[k], x, y);
            r[k] = x;
            if constexpr (nout == 2) s[k] = y;
        }
        return (rare & T::SIGN()) != 0;
    }

    /* Whether it is a function of one complex number. */
    static constexpr bool is_complex_function =
        nin == 1 && nout == 1 && is_complex<A>::value && is_same<A, R>::value;

    /* The same for those. */
    static void run_complex_batches(char *const *ptr, const int64_t *stride, int64_t n)
    {
        constexpr int BATCH = 128;
        typedef batched<A> V;
        typedef elementary::format<typename A::value_type> T;
        A a[BATCH], r[BATCH];
        nothing x;
        for (int64_t start = 0; start < n; start += BATCH) {
            const int64_t count = n - start < BATCH ? n - start : BATCH;
            const char *in = ptr[0] + start * stride[0];
            char *out = ptr[1] + start * stride[1];
            for (int64_t k = 0; k < count; k++) a[k] = *(const A *)(in + k * stride[0]);
            const int64_t padded = (count + 7) & -8;
            for (int64_t k = count; k < padded; k++) a[k] = A(1);
            typename T::bits marked = 0;
            CUPRIC_IVDEP
            for (int64_t k = 0; k < padded; k++) {
                V y;
                ufunc_body<OP, V, nothing, nothing, nothing, V, nothing>::run(
                    V(a[k]), x, x, x, y, x);
                marked |= bits_of(y.value.re) == T::MARK();
                r[k] = y.value;
            }
            for (int64_t k = 0; marked && k < count; k++) {
                if (bits_of(r[k].re) != T::MARK()) continue;
                ufunc_body<OP, A, nothing, nothing, nothing, R, nothing>::run(
                    a[k], x, x, x, r[k], x);
            }
            for (int64_t k = 0; k < count; k++) *(R *)(out + k * stride[1]) = r[k];
        }
    }

    /* `count` elements to the buffer, and the last up to a multiple of `whole`. */
    template <class F>
    static inline void gather(F *buffer, const char *p, int64_t stride, int64_t count,
                              int64_t whole)
    {
        typedef typename word<sizeof(F)>::type W;
        if constexpr (is_same<A, F>::value) {
            gather_elements<W>((W *)buffer, p, stride, count);
        } else if (stride == (int64_t)sizeof(A)) {
            for (int64_t k = 0; k < count; k++) buffer[k] = F(load((const A *)p + k));
        } else {
            for (int64_t k = 0; k < count; k++) buffer[k] = F(load<A>(p + k * stride));
        }
        for (int64_t k = count; k % whole != 0; k++) buffer[k] = buffer[count - 1];
    }

    template <class F>
    static inline void scatter(const F *buffer, char *p, int64_t stride, int64_t count)
    {
        typedef typename word<sizeof(F)>::type W;
        if constexpr (is_same<R, F>::value) {
            scatter_elements<W>(p, stride, (const W *)buffer, count);
        } else if (stride == (int64_t)sizeof(R)) {
            for (int64_t k = 0; k < count; k++) ((R *)p)[k] = R(buffer[k]);
        } else {
            for (int64_t k = 0; k < count; k++) *(R *)(p + k * stride) = R(buffer[k]);
        }
    }
};

/* The forms that a unit's loops have: BATCHES of functions of one or two floats, or of one
 * complex number; every form where other real numbers are operands. AROUND: only where all
 * operands are of the types that are computed in; what is of others is converted around
 * it. */
enum loop_forms { EVERY_FORM, ONE_FORM, BATCHES, BATCHES_AROUND, ONE_FORM_AROUND };

template <int OP, int SIG>
constexpr bool has_loop = ufunc_signature(OP, SIG).at[ufunc_rows[OP].nin] != '!';

template <int OP, int SIG, loop_forms FORMS>
constexpr cu_loop *pick_loop();

/* The signature whose loop may stand in another's. */
template <int OP, int SIG, loop_forms FORMS>
constexpr int
computed_by()
{
    typedef typename loop<OP, SIG>::R R;
    constexpr ufunc_row row = ufunc_rows[OP];
    if (FORMS == ONE_FORM_AROUND)
        return cu_sig_computed(row.signatures, row.nin, row.nout, SIG);
    return signature_of_all<typename compute_type<R>::type>(OP);
}

template <int OP, int SIG, loop_forms FORMS>
constexpr cu_loop *
pick_loop_or_around()
{
    constexpr int inner = computed_by<OP, SIG, FORMS>();
    constexpr loop_forms own = FORMS == BATCHES_AROUND ? BATCHES : ONE_FORM;
    if constexpr (inner < 0 || inner == SIG)
        return pick_loop<OP, SIG, own>();
    else
        return loop<OP, SIG>::template run_around<pick_loop<OP, inner, own>(), inner>;
}

template <int OP, int SIG, loop_forms FORMS>
constexpr cu_loop *
pick_loop()
{
    typedef loop<OP, SIG> L;
    if constexpr (!has_loop<OP, SIG>)
        return nullptr;
    else if constexpr (FORMS == BATCHES_AROUND || FORMS == ONE_FORM_AROUND)
        return pick_loop_or_around<OP, SIG, FORMS>();
    else if constexpr (FORMS == BATCHES && L::is_real_function)
        return L::run_batches;
    else if constexpr (FORMS == BATCHES && L::is_complex_function)
        return L::run_complex_batches;
    else if constexpr (FORMS == EVERY_FORM)
        return L::template run<true>;
    else if constexpr (FORMS == BATCHES && !is_complex<typename L::A>::value &&
                       !L::has_many)
        return L::template run<false>;
    else
        return L::run_plain;
}

template <int OP, int SIG, loop_forms FORMS>
constexpr cu_lines_loop *
pick_lines_loop()
{
    if constexpr (FORMS == EVERY_FORM && has_loop<OP, SIG>) {
        if constexpr (loop<OP, SIG>::has_lines) return loop<OP, SIG>::run_lines;
    }
    return nullptr;
}

template <loop_forms FORMS, int OP, int... SIG>
inline void
fill_row(cu_loops *row, std::integer_sequence<int, SIG...>)
{
    static_assert(sizeof...(SIG) <= CUPRIC_MAXSIGNATURES, "loops.h");
    ((row[SIG].any = pick_loop<OP, SIG, FORMS>()), ...);
#if defined(CUPRIC_LINES_LOOPS)
    ((row[SIG].lines = pick_lines_loop<OP, SIG, FORMS>()), ...);
#endif
}

template <int UNIT, loop_forms FORMS, int OP>
inline void
fill_row_of(cu_loop_row *table)
{
    if constexpr (ufunc_rows[OP].unit == UNIT) {
        fill_row<FORMS, OP>(
            table[OP], std::make_integer_sequence<int, ufunc_signature_count(OP)>());
    }
}

template <int UNIT, loop_forms FORMS, int... OP>
inline void
fill_rows([[maybe_unused]] cu_loop_row *table, std::integer_sequence<int, OP...>)
{
    (fill_row_of<UNIT, FORMS, OP>(table), ...);
}

template <int UNIT, loop_forms FORMS>
inline void
fill_unit(cu_loop_row *table)
{
    fill_rows<UNIT, FORMS>(table, std::make_integer_sequence<int, N_UFUNCS>());
}

CUPRIC_ROWS_END
CUPRIC_END

/* The name of a unit's function, with the instruction set that this file is built for. */
#if defined(CUPRIC_HOST_NATIVE)
#define CUPRIC_UNIT(name) cu_loops_##name
#elif defined(__AVX512F__)
#define CUPRIC_UNIT(name) cu_loops_##name##_v4
#elif defined(__AVX2__)
#define CUPRIC_UNIT(name) cu_loops_##name##_v3
#else
#define CUPRIC_UNIT(name) cu_loops_##name
#endif

#endif
