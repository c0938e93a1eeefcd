/* host/histogram.cpp: counts by value, or by edges. Each thread counts for itself. */
#include <algorithm>
#include <mutex>
#include <stdlib.h>

#include "cupric/types.hpp"
#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int64_t GRAIN = 1 << 15; /* values */

/* The bin of `x` between ascending edges, the last one with its upper edge; -1 for none,
 * NaN among them. */
template <class E>
int64_t
bin_between(E x, const E *edges, int64_t nbins)
{
    if (!(x >= edges[0] && x <= edges[nbins])) return -1;
    return std::upper_bound(edges + 1, edges + nbins, x) - (edges + 1);
}

template <class T, class E>
int64_t
bin_of(const cu_histogram *args, int64_t i)
{
    const T x = load((const T *)args->values + i);
    if constexpr (is_same<E, nothing>::value) {
        const int64_t bin = (int64_t)convert<long long>(x);
        return bin >= 0 && bin < args->nbins ? bin : -1;
    } else {
        return bin_between<E>(convert<E>(x), (const E *)args->edges, args->nbins);
    }
}

/* C: the counter's type. */
template <class T, class E, class C>
cu_status
count(const cu_histogram *args)
{
    std::mutex lock;
    C *const counts = (C *)args->counts;
    bool failed = false;

    parallel(args->size, std::max(GRAIN, args->nbins), [&](int64_t begin, int64_t end) {
        C *const mine = (C *)calloc((size_t)args->nbins, sizeof(C));
        for (int64_t i = begin; mine && i < end; i++) {
            const int64_t bin = bin_of<T, E>(args, i);
            if (bin >= 0) mine[bin] += args->weights ? (C)args->weights[i] : C(1);
        }
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
