/* host/argsort_counts.cpp: see argsort_counts.h. Each number's place is how many sort before
 * it, which are counted for sixteen together. */
#include "host/argsort_counts.h"

#include "host/cpu.h"

namespace {

#if defined(__AVX2__)
constexpr int WIDTH = 32;
#else
constexpr int WIDTH = 16;
#endif
constexpr int TOGETHER = 16, VECTORS = TOGETHER * sizeof(int32_t) / WIDTH;

typedef int32_t lanes __attribute__((vector_size(WIDTH), may_alias));

enum order { BEFORE, AMONG, BEHIND };

/* Add to the counts of some numbers how many of `end` others sort before each: others that
 * stand BEFORE them, so also those that are equal, or BEHIND; or the sixteen themselves. */
template <order WHERE>
inline __attribute__((always_inline)) void
count_less(const int32_t *x, int end, const lanes *of, lanes *counts)
{
    lanes count[VECTORS], y[VECTORS], at[VECTORS];
    for (int v = 0; v < VECTORS; v++) count[v] = counts[v], y[v] = of[v];
    for (int i = 0; i < TOGETHER; i++) ((int32_t *)at)[i] = i;
    for (int k = 0; k < end; k++) { /* a comparison that holds is -1 */
        const lanes all = x[k] - lanes{};
        for (int v = 0; v < VECTORS; v++) {
            if (WHERE == BEFORE)
                count[v] += 1 + (all > y[v]);
            else if (WHERE == BEHIND)
                count[v] -= y[v] > all;
            else
                count[v] -= (y[v] > all) | ((y[v] == all) & (at[v] > k));
        }
    }
    for (int v = 0; v < VECTORS; v++) counts[v] = count[v];
}

} // namespace

void
CUPRIC_HOST_LEVEL(cu_host_count_before)(int32_t *x, int n, int64_t *order)
{
    for (int i = n; i % TOGETHER != 0; i++) x[i] = INT32_MAX;
    for (int b = 0; b < n; b += TOGETHER) {
        const lanes *const of = (const lanes *)(x + b);
        lanes counts[VECTORS] = {};
        count_less<BEFORE>(x, b, of, counts);
        count_less<AMONG>(x + b, TOGETHER, of, counts);
        count_less<BEHIND>(x + b + TOGETHER, n - b - TOGETHER, of, counts);
        alignas(64) int32_t place[TOGETHER];
        __builtin_memcpy(place, counts, sizeof place);
        for (int l = 0; l < TOGETHER && b + l < n; l++) order[place[l]] = b + l;
    }
}

#if !defined(__AVX2__) || defined(CUPRIC_HOST_NATIVE)

void
cu_host_count_before(int32_t *x, int n, int64_t *order)
{
#if defined(CUPRIC_HOST_CHOOSES)
    static const bool has_v3 = cu_host_cpu_level() >= 3;
    if (has_v3) return cu_host_count_before_v3(x, n, order);
#endif
    cu_host_count_before_base(x, n, order);
}

#endif
