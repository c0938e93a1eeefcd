/* host/sort_radix.cpp: see sort_radix.h. A key is its own number of the same order, so that
 * numbers alone are moved. 4e6 float64 take 40 ms, as long as NumPy's vectors of AVX2; its
 * AVX-512 takes 240 on a CPU that packs vectors slowly (Zen 4), and 60 on others.
 */
#include "host/sort_radix.h"

#include <string.h>

#include "cupric/complex_code.hpp"
#include "host/entries.h"
#include "host/radix_sort.hpp"
#include "host/rank.hpp"
#include "host/rows.hpp"
#include "host/threads.h"

namespace {

constexpr int64_t SHORTEST = 1
                             << 13; /* elements of a row: NumPy sorts less in a cache */
constexpr int64_t MANY = 1 << 20;   /* that buckets of 11 bits scatter too far */

/* Numbers of the order of keys, and back, bit for bit. */
template <class T, bool INTEGER = std::is_integral<T>::value>
struct code_of : number_of<T> {
    typedef typename number_of<T>::bits type;
};
template <class T>
struct code_of<T, true> {
    typedef typename std::make_unsigned<T>::type type;
    static constexpr type turned = (type)std::is_signed<T>::value
                                   << (sizeof(T) * 8 - 1);
    static inline type from(type x) { return x ^ turned; }
    static inline type back(type x) { return x ^ turned; }
};
template <>
struct code_of<complex64, false> {
    typedef uint64_t type;
    static inline uint64_t from(uint64_t z)
    {
        return cupric::complex_code({(uint32_t)z, (uint32_t)(z >> 32)});
    }
    static inline uint64_t back(uint64_t code)
    {
        const cupric::complex_bits z = cupric::complex_at_code(code);
        return (uint64_t)z.im << 32 | z.re;
    }
};

/* What a radix sort moves: a number. */
template <class K>
struct lone {
    K rank;
    lone() = default;
    lone(K r, int64_t) : rank(r) {}
};

/* In place where `from` is the row; `memory` has room for two rows. */
template <class T, class K>
void
sort_row(const K *from, int64_t n, lone<K> *memory, K *row)
{
    const auto rank = [from](int64_t i) { return code_of<T>::from(from[i]); };
    const auto put = [row](int64_t i, lone<K> x) { row[i] = code_of<T>::back(x.rank); };
    lone<K> *const other = memory + n;

    if (n > MANY_SCATTERED) {
        radix_sort<lone<K>, 8, K>(rank, n, memory, other, put, from == row, true);
    } else {
        radix_sort<lone<K>, 11, K>(rank, n, memory, other, put, from == row, true);
    }
}

template <class T>
bool
sort_rows(const cu_view &data, const char *source)
{
    typedef typename code_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1];
    const size_t nbytes = 2 * (size_t)n * sizeof(K);
    bool failed = false;

    each_row(data, [&](int64_t r, char *row) {
        lone<K> *const memory = (lone<K> *)cu_host_scratch_new(nbytes); /* owned */
        if (memory == nullptr) {
            __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
            return;
        }
        sort_row<T>(source ? (const K *)source + r * n : (const K *)row, n, memory,
                    (K *)row);
        cu_host_scratch_free(memory, nbytes);
    });
    return !failed;
}

} // namespace

bool
cu_host_sort_radix(const cu_view *data, const char *source, bool stable)
{
    const bool integers = strchr("iu", cu_dtypes[data->dtype].kind) != nullptr;

    if (data->shape[data->ndim - 1] < cu_host_threshold(SHORTEST, 8) ||
        (stable && !integers))
        return false;
    switch (data->dtype) {
    case CUPRIC_INT32: return sort_rows<int32_t>(*data, source);
    case CUPRIC_UINT32: return sort_rows<uint32_t>(*data, source);
    case CUPRIC_INT64: return sort_rows<int64_t>(*data, source);
    case CUPRIC_UINT64: return sort_rows<uint64_t>(*data, source);
    case CUPRIC_FLOAT32: return sort_rows<float>(*data, source);
    case CUPRIC_FLOAT64: return sort_rows<double>(*data, source);
    case CUPRIC_COMPLEX64: return sort_rows<complex64>(*data, source);
    default: return false;
    }
}
