/* host/histogram.cpp: counts by value, or by edges. Each thread counts for itself. */
#include <algorithm>
#include <math.h>
#include <mutex>
#include <stdlib.h>

#include "cupric/types.hpp"
#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int64_t GRAIN = 1 << 15; /* values */
constexpr int CHUNK = 64;          /* values whose bins are found together */
constexpr int64_t FEW_BINS = 256;  /* that several tables of are soon added up */

/* Counters of few bins, several of each: what is counted next does not wait for the counter
 * that was written last, as neighbours are counted in tables of their own. */
struct tables {
    static constexpr int NUMBER = 4;
    int64_t count[NUMBER][FEW_BINS + 1]; /* the last one of what is in no bin */

    explicit tables(int64_t nbins)
    {
        for (int k = 0; k < NUMBER; k++) std::fill_n(count[k], nbins + 1, 0);
    }

    void add_to(int64_t *counts, int64_t nbins) const
    {
        for (int64_t b = 0; b < nbins; b++) {
            for (int k = 0; k < NUMBER; k++) counts[b] += count[k][b];
        }
    }
};

/* Whether counters are of this number: others are sums of weights, one after the other. */
template <class C>
bool
is_few(int64_t nbins, int64_t n)
{
    return is_same<C, int64_t>::value && nbins <= FEW_BINS && n >= 4 * nbins;
}

template <class C>
void
add(C *counts, int64_t bin, const double *weights, int64_t i)
{
    if constexpr (is_same<C, double>::value)
        counts[bin] += weights[i];
    else
        counts[bin]++;
}

/* ---- between edges ------------------------------------------------------------------- */

/* Edges ascend; there are nbins + 1. */
struct bins {
    const char *edges;
    int32_t nbins;
    bool even;
    double first, scale; /* the first edge, and bins per unit, where edges are even */
    /* Of n values, CHUNK at most: nbins for those in no bin, NaN among them. */
    void (*find)(const bins &where, const char *values, int n, int32_t *bin);
};

/* Whether every edge is less than a bin from where it would be, were all even. */
template <class E>
bool
are_even(const E *edges, int32_t nbins, double scale)
{
    for (int32_t b = 0; b < nbins; b++) {
        const double place = ((double)edges[b] - (double)edges[0]) * scale;
        if (!(fabs(place - b) < 1)) return false;
    }
    return true;
}

/* By the edges' common distance, and from there to where the edges say, which is a step at
 * most but where rounding is coarse. */
template <class E>
void
guess(const bins &where, const E *x, int n, int32_t *bin)
{
    const E *const edges = (const E *)where.edges;
    const double first = where.first, scale = where.scale, last = where.nbins - 1;
    for (int k = 0; k < n; k++) {
        const double at = ((double)x[k] - first) * scale;
        const double positive = at > 0 ? at : 0; /* NaN: 0 */
        bin[k] = (int32_t)(positive < last ? positive : last);
    }
    for (int k = 0; k < n; k++) { /* first what hardly ever holds, and is foreseen */
        int32_t b = bin[k];
        while (x[k] < edges[b] && b > 0) b--;
        while (x[k] >= edges[b + 1] && b < where.nbins - 1) b++;
        bin[k] = b;
    }
}

/* By halving, all values together and without branches: none waits for another. */
template <class E>
void
search(const bins &where, const E *x, int n, int32_t *bin)
{
    const E *const inner = (const E *)where.edges + 1; /* how many are not above x? */
    int32_t left = where.nbins - 1;
    for (int k = 0; k < n; k++) bin[k] = 0;
    while (left > 0) {
        const int32_t half = left > 1 ? left / 2 : 1;
        for (int k = 0; k < n; k++) {
            bin[k] += half & -(int32_t) !(x[k] < inner[bin[k] + half - 1]);
        }
        left -= half;
    }
}

template <class E>
void
find(const bins &where, const E *x, int n, int32_t *bin)
{
    const E first = *(const E *)where.edges,
            last = ((const E *)where.edges)[where.nbins];
    if (where.even)
        guess(where, x, n, bin);
    else
        search(where, x, n, bin);
    for (int k = 0; k < n; k++) {
        bin[k] = (x[k] >= first) & (x[k] <= last) ? bin[k] : where.nbins;
    }
}

template <class T, class E>
void
find_converted(const bins &where, const char *values, int n, int32_t *bin)
{
    E x[CHUNK];
    for (int k = 0; k < n; k++) x[k] = convert<E>(load((const T *)values + k));
    find(where, x, n, bin);
}

template <class T, class E>
bins
bins_of(const cu_histogram *args)
{
    const E *const edges = (const E *)args->edges;
    const int32_t nbins = (int32_t)args->nbins;
    const double first = (double)edges[0];
    const double scale = nbins / ((double)edges[nbins] - first);
    const bool even =
        scale > 0 && scale < HUGE_VAL &&
        (args->even || (nbins < args->size && are_even(edges, nbins, scale)));
    return {args->edges, nbins, even, first, scale, find_converted<T, E>};
}

template <class C>
void
count_between(const bins &where, const char *x, int64_t itemsize, const double *weights,
              int64_t n, C *counts)
{
    const bool few = is_few<C>(where.nbins, n);
    tables table(few ? where.nbins : 0);
    int32_t bin[CHUNK];

    for (int64_t i = 0; i < n; i += CHUNK) {
        const int m = n - i < CHUNK ? (int)(n - i) : CHUNK;
        where.find(where, x + i * itemsize, m, bin);
        for (int k = 0; !few && k < m; k++) {
            if (bin[k] < where.nbins) add(counts, bin[k], weights, i + k);
        }
        for (int k = m; k % tables::NUMBER; k++) bin[k] = where.nbins;
        for (int j = 0; few && j < m; j += tables::NUMBER) {
#pragma GCC unroll 4
            for (int k = 0; k < tables::NUMBER; k++) table.count[k][bin[j + k]]++;
        }
    }
    if (few) table.add_to((int64_t *)counts, where.nbins);
}

/* ---- integers that are their own bins ------------------------------------------------ */

template <class T, class C>
void
count_integers(int64_t nbins, const T *x, const double *weights, int64_t n, C *counts)
{
    const auto bin = [=](int64_t i) {
        return (uint64_t)convert<long long>(load(&x[i]));
    };
    int64_t i = 0;
    if (is_few<C>(nbins, n)) {
        tables table(nbins);
        for (; i + tables::NUMBER <= n; i += tables::NUMBER) {
#pragma GCC unroll 4
            for (int k = 0; k < tables::NUMBER; k++) {
                const uint64_t b = bin(i + k);
                if (b < (uint64_t)nbins) table.count[k][b]++;
            }
        }
        table.add_to((int64_t *)counts, nbins);
    }
    for (; i < n; i++) {
        const uint64_t b = bin(i);
        if (b < (uint64_t)nbins) add(counts, (int64_t)b, weights, i);
    }
}

/* ---- by threads ---------------------------------------------------------------------- */

/* `count_into(begin, end, counters)` counts some values. */
template <class C, class F>
cu_status
count_by_threads(const cu_histogram *args, const F &count_into)
{
    std::mutex lock;
    C *const counts = (C *)args->counts;
    bool failed = false;
    const int64_t grain = std::max(GRAIN, args->nbins);

    if (args->size <= grain) {
        count_into(0, args->size, counts);
        return CUPRIC_OK;
    }
    parallel(args->size, grain, [&](int64_t begin, int64_t end) {
        C *const mine = (C *)calloc((size_t)args->nbins, sizeof(C));
        if (mine) count_into(begin, end, mine);
        std::lock_guard<std::mutex> guard(lock);
        if (mine == nullptr) failed = true;
        for (int64_t b = 0; mine && b < args->nbins; b++) counts[b] += mine[b];
        free(mine);
    });
    return failed ? cu_fail(CUPRIC_ERR_MEMORY, "out of memory: histogram") : CUPRIC_OK;
}

template <class C>
cu_status
count_between_of(const cu_histogram *args, const bins &where, int64_t itemsize)
{
    return count_by_threads<C>(args, [&](int64_t begin, int64_t end, C *counts) {
        const double *const w = args->weights ? args->weights + begin : nullptr;
        count_between(where, args->values + begin * itemsize, itemsize, w, end - begin,
                      counts);
    });
}

template <class T, class C>
cu_status
count_integers_of(const cu_histogram *args)
{
    return count_by_threads<C>(args, [&](int64_t begin, int64_t end, C *counts) {
        const double *const w = args->weights ? args->weights + begin : nullptr;
        count_integers(args->nbins, (const T *)args->values + begin, w, end - begin,
                       counts);
    });
}

template <class T>
bins
bins_by_edges(const cu_histogram *args)
{
    switch ((int)args->edge_dtype) {
    case TYPE_INT64: return bins_of<T, long long>(args);
    case TYPE_UINT64: return bins_of<T, unsigned long long>(args);
    case TYPE_FLOAT32: return bins_of<T, float>(args);
    default: return bins_of<T, double>(args);
    }
}

template <class T>
cu_status
count_values(const cu_histogram *args)
{
    if (args->edges) {
        const bins where = bins_by_edges<T>(args);
        return args->weights ? count_between_of<double>(args, where, sizeof(T))
                             : count_between_of<int64_t>(args, where, sizeof(T));
    }
    return args->weights ? count_integers_of<T, double>(args)
                         : count_integers_of<T, int64_t>(args);
}

} // namespace

cu_status
cu_host_histogram(const cu_histogram *args, cu_stream *)
{
    if (args->size == 0 || args->nbins == 0) return CUPRIC_OK;
    if (args->edges && args->nbins >= INT32_MAX) {
        return cu_fail(CUPRIC_ERR_VALUE, "histogram: %lld bins, 2**31 - 2 at most",
                       (long long)args->nbins);
    }
    switch ((int)args->dtype) {
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    case TYPE_##NAME:                                                                  \
        if constexpr (!is_complex<__VA_ARGS__>::value)                                 \
            return count_values<__VA_ARGS__>(args);                                    \
        break;
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    }
    return cu_fail(CUPRIC_ERR_TYPE, "histograms are of real numbers");
}
