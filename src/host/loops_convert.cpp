/* Casts from every type to every type, as loops with one input and one output. */
#include "host/loops.hpp"

CUPRIC_BEGIN

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
        sweep<STRIDED, STRIDED>(ptr, stride, n);
    }
};

template <class From, int... TO>
inline void
fill_casts(cu_convert_row &row, std::integer_sequence<int, TO...>)
{
    ((row[TO] = cast<From, typename type_of_number<TO>::type>::run), ...);
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
