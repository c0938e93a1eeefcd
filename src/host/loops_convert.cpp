/* Casts from every type to every type, as loops with one input and one output. */
#include "host/dense_copy.h"
#include "host/loops.hpp"

CUPRIC_BEGIN

/* ---- elements as they are ------------------------------------------------------------ */

/* Four at a time, so that addresses are not what takes the time. */
template <class T>
inline void
fill_elements(const T value, char *dst, int64_t to, int64_t n)
{
    int64_t i = 0;
    if (to == (int64_t)sizeof(T)) {
        for (; i < n; i++) ((T *)dst)[i] = value;
        return;
    }
    for (; i + 4 <= n; i += 4, dst += 4 * to) {
        *(T *)dst = value, *(T *)(dst + to) = value;
        *(T *)(dst + 2 * to) = value, *(T *)(dst + 3 * to) = value;
    }
    for (; i < n; i++, dst += to) *(T *)dst = value;
}

template <class T>
inline void
move_elements(const char *src, int64_t from, char *dst, int64_t to, int64_t n)
{
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, src += 4 * from, dst += 4 * to) {
        const T a = *(const T *)src, b = *(const T *)(src + from),
                c = *(const T *)(src + 2 * from), d = *(const T *)(src + 3 * from);
        *(T *)dst = a, *(T *)(dst + to) = b;
        *(T *)(dst + 2 * to) = c, *(T *)(dst + 3 * to) = d;
    }
    for (; i < n; i++, src += from, dst += to) *(T *)dst = *(const T *)src;
}

/* Every second element, by vectors. What lies 4 KiB ahead is fetched early, as a caller that
 * does something with each block in turn lets the CPU's own prefetcher fall behind: a sum of
 * 4e6 strided float32 takes 1.7 ms in place of 2.0. */
template <class T>
inline void
copy_every_second(T *__restrict dst, const T *src, int64_t n)
{
    constexpr int64_t LINE = 64, AHEAD = 4096, RUN = 4 * LINE / (2 * sizeof(T));
    int64_t i = 0;
    for (; i + RUN < n; i += RUN) {
        const T *const from = src + 2 * i;
        for (int k = 0; k < 4; k++)
            __builtin_prefetch((const char *)from + AHEAD + k * LINE);
        for (int64_t k = 0; k < RUN; k++) dst[i + k] = from[2 * k];
    }
    for (; i < n; i++) dst[i] = src[2 * i];
}

/* Last to first: src[0], src[-1], ... */
template <class T>
inline void
copy_reversed(T *__restrict dst, const T *src, int64_t n)
{
    for (int64_t i = 0; i < n; i++) dst[i] = src[-i];
}

template <class T>
inline void
copy_elements(char *const *ptr, const int64_t *stride, int64_t n)
{
    const int64_t size = sizeof(T), from = stride[0], to = stride[1];
    const char *src = ptr[0];
    char *dst = ptr[1];
    if (from == size && to == size) {
        if (src != dst) cu_dense_copy(dst, src, (size_t)(n * size));
        return;
    }
    const T value = *(const T *)src;
    if (from == 0) {
        fill_elements(value, dst, to, n);
    } else if (to == size && from == 2 * size) {
        copy_every_second((T *)dst, (const T *)src, n);
    } else if (to == size && from == -size) {
        copy_reversed((T *)dst, (const T *)src, n);
    } else if (to == size) { /* a constant, for stores of several together */
        move_elements<T>(src, from, dst, sizeof(T), n);
    } else {
        move_elements<T>(src, from, dst, to, n);
    }
}

/* Of elements, or of one of them. */
template <class T>
bool
copy_lines(char *const *ptr, const int64_t *stride, int64_t n)
{
    constexpr int64_t COUNT = CUPRIC_LINES_BYTES / sizeof(T);
    char *const dst = ptr[1];
    if (stride[0] == (int64_t)sizeof(T)) {
        cu_store_past_caches(dst, ptr[0], n * (int64_t)sizeof(T));
        return true;
    }
    if (stride[0] != 0) return false;
    alignas(CUPRIC_CACHE_LINE) T lines[COUNT];
    for (int64_t k = 0; k < COUNT; k++) lines[k] = *(const T *)ptr[0];
    for (int64_t i = 0; i < n; i += COUNT) {
        cu_store_past_caches(dst + i * (int64_t)sizeof(T), (const char *)lines,
                             CUPRIC_LINES_BYTES);
    }
    return true;
}

template <class T>
constexpr cu_loops
copy_loops()
{
    typedef typename word<sizeof(T)>::type W;
    return {copy_elements<W>, copy_lines<W>};
}

/* ---- casts --------------------------------------------------------------------------- */

template <class From, class To>
struct cast {
    template <reach MA, reach MR>
    static inline __attribute__((always_inline)) void
    sweep(char *const *ptr, const int64_t *stride, int64_t n)
    {
        const input<From, MA> a(ptr, stride, 0);
        const output<To, MR> out(ptr, stride, 1);
        CUPRIC_IVDEP
        for (int64_t i = 0; i < n; i++) out.put(i, convert<To>(a[i]));
    }

    static void run(char *const *ptr, const int64_t *stride, int64_t n)
    {
        if (stride[0] == (int64_t)sizeof(From) && stride[1] == (int64_t)sizeof(To)) {
            return sweep<DENSE, DENSE>(ptr, stride, n);
        }
        if (stride[0] == 0) {
            To value = convert<To>(load((const From *)ptr[0]));
            char *const pair[] = {(char *)&value, ptr[1]};
            return copy_loops<To>().any(pair, stride, n);
        }
        sweep<STRIDED, STRIDED>(ptr, stride, n);
    }

    static bool run_lines(char *const *ptr, const int64_t *stride, int64_t n)
    {
        constexpr int64_t COUNT = CUPRIC_LINES_BYTES / sizeof(To);
        if (stride[0] != (int64_t)sizeof(From)) return false;
        const input<From, DENSE> a(ptr, stride, 0);
        alignas(CUPRIC_CACHE_LINE) To lines[COUNT];
        for (int64_t i = 0; i < n; i += COUNT) {
            CUPRIC_IVDEP
            for (int64_t k = 0; k < COUNT; k++) lines[k] = convert<To>(a[i + k]);
            cu_store_past_caches(ptr[1] + i * sizeof(To), (const char *)lines,
                                 CUPRIC_LINES_BYTES);
        }
        return true;
    }
};

/* A bool may be any byte before it is converted, and is 0 or 1 after. */
template <class From, class To>
constexpr cu_loops
convert_loops()
{
    if constexpr (is_same<From, To>::value && !is_same<From, bool>::value)
        return copy_loops<To>();
    else
        return {cast<From, To>::run, cast<From, To>::run_lines};
}

template <class From, int... TO>
inline void
fill_casts(cu_convert_row &row, std::integer_sequence<int, TO...>)
{
    ((row[TO] = convert_loops<From, typename type_of_number<TO>::type>()), ...);
}

template <int... FROM>
inline void
fill_casts(cu_convert_row *table, std::integer_sequence<int, FROM...> all)
{
    (fill_casts<typename type_of_number<FROM>::type>(table[FROM], all), ...);
}

CUPRIC_END

void
CUPRIC_UNIT(convert)(cu_convert_row *table)
{
    cupric::fill_casts(table, std::make_integer_sequence<int, cupric::N_TYPES>());
}
