/* host/loops.hpp: a loop for every signature of a row, as templates.
 *
 * One loop has several forms, chosen by its strides: all operands dense, one input
 * constant, anything. In the first two the compiler sees unit strides and vectorises.
 */
#ifndef CUPRIC_HOST_LOOPS_HPP
#define CUPRIC_HOST_LOOPS_HPP

#include <type_traits>
#include <utility>

#include "host/functors.hpp"
#include "host/loops.h"

CUPRIC_BEGIN

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

/* `count` elements to the buffer, and ones up to a whole vector. */
template <class T, class F>
static __attribute__((noinline)) void
gather(F *buffer, const char *p, int64_t stride, int64_t count)
{
    if (stride == (int64_t)sizeof(T)) {
        for (int64_t k = 0; k < count; k++) buffer[k] = F(load((const T *)p + k));
    } else {
        for (int64_t k = 0; k < count; k++) buffer[k] = F(load<T>(p + k * stride));
    }
    for (int64_t k = count; k % 16 != 0; k++) buffer[k] = F(1);
}

template <class T, class F>
static __attribute__((noinline)) void
scatter(const F *buffer, char *p, int64_t stride, int64_t count)
{
    if (stride == (int64_t)sizeof(T)) {
        for (int64_t k = 0; k < count; k++) ((T *)p)[k] = T(buffer[k]);
    } else {
        for (int64_t k = 0; k < count; k++) *(T *)(p + k * stride) = T(buffer[k]);
    }
}

/* A whole number of vectors of F, by a row of one input or two. 16-bit floats share float's
 * code: it is most of what a unit takes to compile. */
template <int OP, int NIN, bool MARKS, class F>
static __attribute__((noinline)) void
compute_batch(const F *a, [[maybe_unused]] const F *b, F *r, int64_t padded)
{
    nothing s;
    if constexpr (NIN == 2) {
        CUPRIC_IVDEP
        for (int64_t k = 0; k < padded; k++) {
            ufunc_body<OP, F, F, nothing, nothing, F, nothing>::run(
                a[k], b[k], nothing(), nothing(), r[k], s);
        }
    } else if constexpr (!MARKS) {
        CUPRIC_IVDEP
        for (int64_t k = 0; k < padded; k++) {
            ufunc_body<OP, F, nothing, nothing, nothing, F, nothing>::run(
                a[k], nothing(), nothing(), nothing(), r[k], s);
        }
    } else {
        typedef elementary::format<F> T;
        typedef batched<F> B;
        typename T::bits marked = 0;
        CUPRIC_IVDEP
        for (int64_t k = 0; k < padded; k++) {
            B x;
            ufunc_body<OP, B, nothing, nothing, nothing, B, nothing>::run(
                B(a[k]), nothing(), nothing(), nothing(), x, s);
            marked |= bits_of(x.value) == T::MARK;
            r[k] = x.value;
        }
        if (marked) {
            for (int64_t k = 0; k < padded; k++) {
                if (bits_of(r[k]) != T::MARK) continue;
                ufunc_body<OP, F, nothing, nothing, nothing, F, nothing>::run(
                    a[k], nothing(), nothing(), nothing(), r[k], s);
            }
        }
    }
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
        CUPRIC_IVDEP
        for (int64_t i = 0; i < n; i++) {
            R r;
            S s;
            body::run(a[i], b[i], c[i], d[i], r, s);
            out.put(i, r);
            second.put(i, s);
        }
    }

    /* Every form, for operations that cost less than reaching memory. */
    static void run(char *const *ptr, const int64_t *stride, int64_t n)
    {
        const bool a = stride[0] == (int64_t)sizeof(A);
        const bool r = stride[nin] == (int64_t)sizeof(R);
        if constexpr (nin == 1 && nout == 1) {
            if (a && r) return sweep<DENSE, DENSE, DENSE, DENSE>(ptr, stride, n);
        } else if constexpr (nin == 1 && nout == 2) {
            const bool s = stride[nin + 1] == (int64_t)sizeof(S);
            if (a && r && s) return sweep<DENSE, DENSE, DENSE, DENSE>(ptr, stride, n);
        } else if constexpr (nin == 2 && nout == 1) {
            const bool b = stride[1] == (int64_t)sizeof(B);
            if (r && a && b) return sweep<DENSE, DENSE, DENSE, DENSE>(ptr, stride, n);
            if (r && a && stride[1] == 0) {
                return sweep<DENSE, CONSTANT, DENSE, DENSE>(ptr, stride, n);
            }
            if (r && b && stride[0] == 0) {
                return sweep<CONSTANT, DENSE, DENSE, DENSE>(ptr, stride, n);
            }
        } else if constexpr (nin == 3 && nout == 1) {
            const bool b = stride[1] == (int64_t)sizeof(B);
            const bool c = stride[2] == (int64_t)sizeof(C);
            if (r && a && b && c)
                return sweep<DENSE, DENSE, DENSE, DENSE>(ptr, stride, n);
            if (r && a && stride[1] == 0 && stride[2] == 0) {
                return sweep<DENSE, CONSTANT, CONSTANT, DENSE>(ptr, stride, n);
            }
        }
        sweep<STRIDED, STRIDED, STRIDED, STRIDED>(ptr, stride, n);
    }

    /* One form, where the operation's own cost hides the strides'. */
    static void run_plain(char *const *ptr, const int64_t *stride, int64_t n)
    {
        sweep<STRIDED, STRIDED, STRIDED, STRIDED>(ptr, stride, n);
    }

    /* Whether results are real floating-point numbers, of one or two operands of one real
     * type: where it is another, functions are of the number converted. */
    static constexpr bool is_real_function =
        nin <= 2 && nout == 1 && is_float<R>::value && !is_complex<A>::value &&
        (nin == 1 || is_same<A, B>::value);

    /* For functions that come in vectors. What is dense and whole is computed where it
     * lies; else operands pass through buffers of a whole number of vectors, 16-bit floats
     * as float. */
    template <bool MARKS>
    static void run_batches(char *const *ptr, const int64_t *stride, int64_t n)
    {
        constexpr int VECTOR = 16, BATCH = 256;
        typedef typename compute_type<R>::type F;
        alignas(64) F a[BATCH], b[BATCH], r[BATCH];
        /* an element that is computed once more must not be overwritten */
        const bool same = is_same<A, F>::value && ptr[0] != ptr[nin];
        const bool dense_in = same && stride[0] == (int64_t)sizeof(A);
        const bool dense_out =
            is_same<R, F>::value && stride[nin] == (int64_t)sizeof(R);
        for (int64_t start = 0; start < n; start += BATCH) {
            const int64_t count = n - start < BATCH ? n - start : BATCH;
            const int64_t padded = (count + VECTOR - 1) & -VECTOR;
            char *const in = ptr[0] + start * stride[0];
            char *const out = ptr[nin] + start * stride[nin];
            const bool whole = count == padded;
            const bool read = !(whole && dense_in), write = !(whole && dense_out);
            if (read) gather<A>(a, in, stride[0], count);
            if constexpr (nin == 2) {
                gather<B>(b, ptr[1] + start * stride[1], stride[1], count);
            }
            compute_batch<OP, nin, MARKS>(read ? a : (const F *)in, b,
                                          write ? r : (F *)out, padded);
            if (write) scatter<R>(r, out, stride[nin], count);
        }
    }
};

/* The forms that a unit's loops have. */
enum loop_forms { EVERY_FORM, ONE_FORM, BATCHES, PLAIN_BATCHES };

template <int OP, int SIG, loop_forms FORMS>
constexpr cu_loop *
pick_loop()
{
    typedef loop<OP, SIG> L;
    if constexpr (ufunc_signature(OP, SIG).at[ufunc_rows[OP].nin] == '!')
        return nullptr;
    else if constexpr (FORMS == EVERY_FORM)
        return L::run;
    else if constexpr (FORMS == BATCHES && L::is_real_function)
        return L::template run_batches<true>;
    else if constexpr (FORMS == PLAIN_BATCHES && L::is_real_function)
        return L::template run_batches<false>;
    else
        return L::run_plain;
}

template <loop_forms FORMS, int OP, int... SIG>
inline void
fill_row(cu_loop **row, std::integer_sequence<int, SIG...>)
{
    static_assert(sizeof...(SIG) <= CUPRIC_MAXSIGNATURES, "loops.h");
    ((row[SIG] = pick_loop<OP, SIG, FORMS>()), ...);
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
fill_rows(cu_loop_row *table, std::integer_sequence<int, OP...>)
{
    (fill_row_of<UNIT, FORMS, OP>(table), ...);
}

template <int UNIT, loop_forms FORMS>
inline void
fill_unit(cu_loop_row *table)
{
    fill_rows<UNIT, FORMS>(table, std::make_integer_sequence<int, N_UFUNCS>());
}

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
