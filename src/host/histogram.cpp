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

/* The bins of `n` values of type T between ascending edges of type E, nbins of them; -1
 * for none, NaN among them. Where there are no edges integers are their own bins. */
template <class T, class E>
struct bins {
    const E *edges;
    int64_t nbins;
    bool even;
    double scale; /* bins per unit of x, where edges are even */

    explicit bins(const cu_histogram *args)
        : edges((const E *)args->edges), nbins(args->nbins), even(false), scale(0)
    {
        if constexpr (!is_same<E, nothing>::value) {
            scale = (double)nbins / ((double)edges[nbins] - (double)edges[0]);
            even = args->even && scale > 0 && scale < HUGE_VAL;
        }
    }

    void find(const T *x, int n, int64_t *bin) const
    {
        E value[CHUNK];
        for (int k = 0; k < n; k++) value[k] = convert<E>(load(&x[k]));
        if (even)
            guess(value, n, bin);
        else
            search(value, n, bin);
        for (int k = 0; k < n; k++) {
            const bool inside = (value[k] >= edges[0]) & (value[k] <= edges[nbins]);
            bin[k] = inside ? bin[k] : -1;
        }
    }

    /* By the edges' common distance, and from there to where the edges say. */
    void guess(const E *x, int n, int64_t *bin) const
    {
        const double first = (double)edges[0], last = (double)(nbins - 1);
        for (int k = 0; k < n; k++) {
            const double at = ((double)x[k] - first) * scale;
            bin[k] = (int64_t)(at > 0 ? at < last ? at : last : 0); /* NaN: 0 */
        }
        for (int k = 0; k < n; k++) {
            int64_t b = bin[k];
            while (b > 0 && x[k] < edges[b]) b--;
            while (b < nbins - 1 && x[k] >= edges[b + 1]) b++;
            bin[k] = b;
        }
    }

    /* By halving, all values together and without branches: none waits for another. */
    void search(const E *x, int n, int64_t *bin) const
    {
        const E *inner = edges + 1; /* nbins - 1 of them: how many are not above x? */
        int64_t left = nbins - 1;
        for (int k = 0; k < n; k++) bin[k] = 0;
        while (left > 0) {
            const int64_t half = left > 1 ? left / 2 : 1;
            for (int k = 0; k < n; k++) {
                bin[k] += x[k] < inner[bin[k] + half - 1] ? 0 : half;
            }
            left -= half;
        }
    }
};

/* Integers that are their own bins, of which there are few: what is counted next does not
 * wait for the counter that was written last, as neighbours have tables of their own. */
template <class T>
void
count_few(const T *x, int64_t n, int64_t nbins, int64_t *counts)
{
    constexpr int TABLES = 4;
    int64_t table[TABLES][FEW_BINS];

    const auto add = [=](int64_t *into, int64_t i) {
        const uint64_t b = (uint64_t)convert<long long>(load(&x[i]));
        if (b < (uint64_t)nbins) into[b]++;
    };
    int64_t i = 0;
    for (int k = 0; k < TABLES; k++) std::fill_n(table[k], nbins, 0);
    for (; i + TABLES <= n; i += TABLES) {
#pragma GCC unroll 4
        for (int k = 0; k < TABLES; k++) add(table[k], i + k);
    }
    for (; i < n; i++) add(table[0], i);
    for (int64_t b = 0; b < nbins; b++) {
        for (int k = 0; k < TABLES; k++) counts[b] += table[k][b];
    }
}

/* C: the counter's type. */
template <class T, class E, class C>
cu_status
count(const cu_histogram *args)
{
    std::mutex lock;
    C *const counts = (C *)args->counts;
    const bins<T, E> where(args);
    bool failed = false;

    const double *const weights = args->weights; /* of counters that are double */
    const auto count_into = [=, &where](C *into, int64_t begin, int64_t end) {
        const auto add = [=](int64_t i, int64_t b) {
            if constexpr (is_same<C, double>::value)
                into[b] += weights[i];
            else
                into[b]++;
        };
        if constexpr (is_same<E, nothing>::value) {
            const T *const x = (const T *)args->values;
            if constexpr (is_same<C, int64_t>::value) {
                if (where.nbins <= FEW_BINS && end - begin >= 4 * where.nbins) {
                    return count_few(x + begin, end - begin, where.nbins, into);
                }
            }
            for (int64_t i = begin; i < end; i++) {
                const int64_t b = (int64_t)convert<long long>(load(&x[i]));
                if (b >= 0 && b < where.nbins) add(i, b);
            }
        } else {
            int64_t bin[CHUNK];
            for (int64_t i = begin; i < end; i += CHUNK) {
                const int n = end - i < CHUNK ? (int)(end - i) : CHUNK;
                where.find((const T *)args->values + i, n, bin);
                for (int k = 0; k < n; k++) {
                    if (bin[k] >= 0) add(i + k, bin[k]);
                }
            }
        }
    };
    const int64_t grain = std::max(GRAIN, args->nbins);

    if (args->size <= grain) {
        count_into(counts, 0, args->size);
        return CUPRIC_OK;
    }
    parallel(args->size, grain, [&](int64_t begin, int64_t end) {
        C *const mine = (C *)calloc((size_t)args->nbins, sizeof(C));
        if (mine) count_into(mine, begin, end);
        std::lock_guard<std::mutex> guard(lock);
        if (mine == nullptr) failed = true;
        for (int64_t b = 0; mine && b < args->nbins; b++) counts[b] += mine[b];
        free(mine);
    });
    return failed ? cu_fail(CUPRIC_ERR_MEMORY, "out of memory: histogram") : CUPRIC_OK;
}

template <class T, class E>
cu_status
count_of(const cu_histogram *args)
{
    return args->weights ? count<T, E, double>(args) : count<T, E, int64_t>(args);
}

template <class T>
cu_status
count_values(const cu_histogram *args)
{
    if (!args->edges) return count_of<T, nothing>(args);
    switch ((int)args->edge_dtype) {
    case TYPE_INT64: return count_of<T, long long>(args);
    case TYPE_UINT64: return count_of<T, unsigned long long>(args);
    case TYPE_FLOAT32: return count_of<T, float>(args);
    default: return count_of<T, double>(args);
    }
}

} // namespace

cu_status
cu_host_histogram(const cu_histogram *args, cu_stream *)
{
    if (args->size == 0 || args->nbins == 0) return CUPRIC_OK;
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
