/* cupric-build: -falign-loops=64 */
/* host/argsort.cpp: the order that sorts rows, equal elements in the order that they have.
 *
 * A radix sort of pairs: each element gets an unsigned number that sorts as it does and is
 * the same for elements that sort as equals (zeros of either sign, NaNs), and goes with its
 * place.
 */
#include "host/argsort.h"

#include "host/argsort_counts.h"
#include "host/entries.h"
#include "host/radix_sort.hpp"
#include "host/rank.hpp"
#include "host/rows.hpp"

namespace {

constexpr int64_t FEWEST = 16; /* elements that need no memory */
constexpr int64_t FEWER = 512; /* … that two short digits tell apart */
constexpr int64_t FEW = 4096;  /* … that three do, and long ones are not worth */
constexpr int SHORT_DIGIT = 8, DIGIT = 11; /* bits */

template <class K>
struct pair {
    K rank;
    uint32_t place;
    pair() = default;
    pair(K r, int64_t i) : rank(r), place((uint32_t)i) {}
};
template <class K>
struct long_pair { /* of rows with more than 2^32 elements */
    K rank;
    int64_t place;
    long_pair() = default;
    long_pair(K r, int64_t i) : rank(r), place(i) {}
};

/* How many bits a number has that is not zero. */
inline int
bits_of(uint32_t x)
{
    return 32 - __builtin_clz(x);
}
inline int
bits_of(uint64_t x)
{
    return 64 - __builtin_clzll(x);
}
inline int
bits_of(uint128 x)
{
    const uint64_t high = (uint64_t)(x >> 64);
    return high ? 64 + bits_of(high) : bits_of((uint64_t)x);
}

/* Numbers that are counted, and what is read behind the last ones. */
struct counted {
    static_assert(CUPRIC_COUNTED % CUPRIC_COUNTED_TOGETHER == 0, "no more is read");
    alignas(64) int32_t x[CUPRIC_COUNTED];

    explicit counted(int64_t n)
    {
        for (int k = 0; k < CUPRIC_COUNTED_TOGETHER; k++) {
            x[(n - 1) / CUPRIC_COUNTED_TOGETHER * CUPRIC_COUNTED_TOGETHER + k] = 0;
        }
    }
};

/* By counting: of up to some hundred elements faster than insertion and digits, for ranks of
 * 32 bits. */
template <class K, class F>
void
count_before(const F &rank, int64_t n, int64_t *order)
{
    counted numbers(n);

    for (int i = 0; i < (int)n; i++) { /* of the same order, as vectors compare them */
        numbers.x[i] = (int32_t)((uint32_t)rank(i) ^ (sizeof(K) == 4 ? 1u << 31 : 0));
    }
    cu_host_count_before(numbers.x, (int)n, order);
}

/* Put what count_before left in the order of the first bits alone in that of all. False where
 * that moves many. */
template <class K>
bool
insert_alike(const K *rank, int64_t n, int64_t *order)
{
    int64_t moves = 24 * n; /* FEWEST never move so often */
    K greatest = rank[order[0]];

    for (int64_t i = 1; i < n; i++) {
        const int64_t place = order[i];
        const K r = rank[place];
        if (r >= greatest) {
            greatest = r;
            continue;
        }
        int64_t at = i;
        for (; at > 0 && r < rank[order[at - 1]]; at--) order[at] = order[at - 1];
        order[at] = place;
        moves -= i - at;
        if (moves < 0) return false;
    }
    return true;
}

/* Long ranks by counting, of 32 bits from the first one on in which any two differ. False
 * where too many have these in common. */
template <class K, class F>
bool
count_window(const F &rank, int64_t n, int64_t *order)
{
    counted numbers(n);
    K ranks[CUPRIC_COUNTED], differ = 0;

    for (int64_t i = 0; i < n; i++) {
        ranks[i] = rank(i);
        differ |= ranks[i] ^ ranks[0];
    }
    const int above = differ ? bits_of(differ) - 32 : 0, shift = above > 0 ? above : 0;
    for (int64_t i = 0; i < n; i++) {
        numbers.x[i] = (int32_t)((uint32_t)(ranks[i] >> shift) ^ 1u << 31);
    }
    cu_host_count_before(numbers.x, (int)n, order);
    return shift == 0 || insert_alike(ranks, n, order);
}

/* Sort a row that is too short for digits, which cost more the more a rank has; false if
 * it is not. */
template <class P, class K, class F>
bool
sort_short(const F &rank, int64_t n, int64_t *order)
{
    constexpr int counted = sizeof(K) == 4   ? CUPRIC_COUNTED
                            : sizeof(K) == 2 ? 96
                            : sizeof(K) == 1 ? 64
                                             : 128;

    if (n == 1) {
        order[0] = 0;
    } else if (n == 2) {
        order[0] = rank(1) < rank(0);
        order[1] = 1 - order[0];
    } else if (n <= counted) {
        if constexpr (sizeof(K) < 8)
            count_before<K>(rank, n, order);
        else if (!count_window<K>(rank, n, order))
            return false;
    } else {
        return false;
    }
    return true;
}

/* A short row, by DIGITS short digits from the first bit on in which any two differ; those
 * that have these in common are neighbours then. False where they are many. */
template <int DIGITS, class P, class K, class F>
bool
sort_by_window(const F &rank, int64_t n, P *from, P *to, int64_t *order)
{
    int64_t counts[DIGITS][1 << SHORT_DIGIT];
    const K first = rank(0);
    K differ = 0;

    for (int64_t i = 0; i < n; i++) {
        from[i] = P(rank(i), i);
        differ |= from[i].rank ^ first;
    }
    const int above = differ ? bits_of(differ) - DIGITS * SHORT_DIGIT : 0;
    const int shift = above > 0 ? above : 0;
    const auto window = [from, shift](int64_t i) {
        return (uint32_t)(from[i].rank >> shift);
    };
    count_digits<SHORT_DIGIT, DIGITS, uint32_t>(window, n, counts);
    for (int d = 0; d < DIGITS; d++) {
        if (!begin_buckets<SHORT_DIGIT>(counts[d], n)) counts[d][0] = -1;
    }
    for (int d = 0; d < DIGITS; d++) {
        if (counts[d][0] < 0) continue;
        next_pass<P, SHORT_DIGIT>(from, n, shift + d * SHORT_DIGIT, counts[d], to);
        std::swap(from, to);
    }
    if (shift && !sort_alike(from, n, shift)) return false;
    for (int64_t i = 0; i < n; i++) order[i] = from[i].place;
    return true;
}

template <class P, class K, class F>
void
sort_row(const F &rank, int64_t n, P *memory, int64_t *order)
{
    if (sort_short<P, K>(rank, n, order)) return;
    if constexpr (sizeof(K) == 4) {
        if (n <= FEWER && sort_by_window<2, P, K>(rank, n, memory, memory + n, order))
            return;
    }
    if constexpr (sizeof(K) >= 8) {
        if (n <= FEW && sort_by_window<3, P, K>(rank, n, memory, memory + n, order))
            return;
    }
    const auto put = [order](int64_t to, const P &x) { order[to] = x.place; };
    if (n <= FEW || n > MANY_SCATTERED || sizeof(K) == 1) {
        radix_sort<P, SHORT_DIGIT, K>(rank, n, memory, memory + n, put, false,
                                      n > MANY_SCATTERED);
    } else {
        radix_sort<P, DIGIT, K>(rank, n, memory, memory + n, put, false, true);
    }
}

/* Rows [begin, end) of the view; false without memory. */
template <class T, class P>
bool
sort_rows(const cu_view &data, bool descending, int64_t begin, int64_t end,
          int64_t *order)
{
    typedef typename rank_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1];
    const size_t nbytes = n > FEWEST ? 2 * n * sizeof(P) : 1;
    P *memory = (P *)cu_host_scratch_new(nbytes); /* owned */
    const K flip = descending ? (K)-1 : 0;

    if (memory == nullptr) return false;
    for (int64_t r = begin; r < end; r++) {
        const char *const row = row_of(data, r);
        const auto rank = [row, flip](int64_t i) -> K {
            return rank_of<T>::at(row + i * (int64_t)sizeof(T)) ^ flip;
        };
        sort_row<P, K>(rank, n, memory, order + r * n);
    }
    cu_host_scratch_free(memory, nbytes);
    return true;
}

template <class T>
cu_status
argsort_of(const cu_view &data, bool descending, int64_t *order)
{
    typedef typename rank_of<T>::type K;
    const int64_t n = data.shape[data.ndim - 1];
    bool failed = false;

    parallel(
        size_of(data) / n, n < GRAIN ? GRAIN / n : 1, [&](int64_t begin, int64_t end) {
            const bool done =
                n <= UINT32_MAX
                    ? sort_rows<T, pair<K>>(data, descending, begin, end, order)
                    : sort_rows<T, long_pair<K>>(data, descending, begin, end, order);
            if (!done) __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
        });
    return failed ? cu_fail(CUPRIC_ERR_MEMORY, "out of memory: argsort") : CUPRIC_OK;
}

} // namespace

cu_status
cu_host_argsort(const cu_view *data, bool descending, int64_t *order)
{
    switch (data->dtype) {
    case CUPRIC_BOOL: return argsort_of<bool>(*data, descending, order);
    case CUPRIC_INT8: return argsort_of<int8_t>(*data, descending, order);
    case CUPRIC_UINT8: return argsort_of<uint8_t>(*data, descending, order);
    case CUPRIC_INT16: return argsort_of<int16_t>(*data, descending, order);
    case CUPRIC_UINT16: return argsort_of<uint16_t>(*data, descending, order);
    case CUPRIC_INT32: return argsort_of<int32_t>(*data, descending, order);
    case CUPRIC_UINT32: return argsort_of<uint32_t>(*data, descending, order);
    case CUPRIC_INT64: return argsort_of<int64_t>(*data, descending, order);
    case CUPRIC_UINT64: return argsort_of<uint64_t>(*data, descending, order);
    case CUPRIC_FLOAT16: return argsort_of<cupric::half>(*data, descending, order);
    case CUPRIC_BFLOAT16: return argsort_of<cupric::bfloat16>(*data, descending, order);
    case CUPRIC_FLOAT32: return argsort_of<float>(*data, descending, order);
    case CUPRIC_FLOAT64: return argsort_of<double>(*data, descending, order);
    case CUPRIC_COMPLEX64: return argsort_of<complex64>(*data, descending, order);
    case CUPRIC_COMPLEX128: return argsort_of<complex128>(*data, descending, order);
    default: return cu_fail(CUPRIC_ERR_TYPE, "argsort: no such dtype");
    }
}
