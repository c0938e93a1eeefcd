/* cupric-build: -falign-loops=64 */
/* host/argsort_counts.cpp: see argsort_counts.h. Each number's place is how many sort before
 * it, which are counted for sixteen together, or for eight where there are no more. */
#include "host/argsort_counts.h"

#include "host/cpu.h"

namespace {

#if defined(__AVX2__)
constexpr int WIDTH = 32;
#else
constexpr int WIDTH = 16;
#endif
constexpr int TOGETHER = CUPRIC_COUNTED_TOGETHER, HALF = TOGETHER / 2;

typedef int32_t lanes __attribute__((vector_size(WIDTH), may_alias));

enum order { BEFORE, AMONG, BEHIND };

/* Add to the counts of N numbers how many of `end` others sort before each: others that
 * stand BEFORE them, so also those that are equal, or BEHIND; or the first of themselves. */
template <order WHERE, int N>
inline __attribute__((always_inline)) void
count_less(const int32_t *x, int end, const lanes *of, lanes *counts)
{
    constexpr int VECTORS = N * sizeof(int32_t) / WIDTH;
    lanes count[VECTORS], y[VECTORS], at[VECTORS];
    for (int v = 0; v < VECTORS; v++) count[v] = counts[v], y[v] = of[v];
    for (int i = 0; i < N; i++) ((int32_t *)at)[i] = i;
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

/* The places of numbers `b` and those after it, N at most, among n. */
template <int N>
inline __attribute__((always_inline)) void
place_some(const int32_t *x, int b, int n, int64_t *order)
{
    const lanes *const of = (const lanes *)(x + b);
    const int m = n - b < N ? n - b : N;
    lanes counts[N * sizeof(int32_t) / WIDTH] = {};
    alignas(64) int32_t place[N];

    if (b > 0) count_less<BEFORE, N>(x, b, of, counts);
    if (m == N)
        count_less<AMONG, N>(x + b, N, of, counts);
    else
        count_less<AMONG, N>(x + b, m, of, counts);
    if (b + N < n) count_less<BEHIND, N>(x + b + N, n - b - N, of, counts);
    __builtin_memcpy(place, counts, sizeof place);
    if (m == N) {
        for (int l = 0; l < N; l++) order[place[l]] = b + l;
    } else {
        for (int l = 0; l < m; l++) order[place[l]] = b + l;
    }
}

} // namespace

void
CUPRIC_HOST_LEVEL(cu_host_count_before)(const int32_t *x, int n, int64_t *order)
{
    if (n <= HALF) return place_some<HALF>(x, 0, n, order);
    for (int b = 0; b < n; b += TOGETHER) place_some<TOGETHER>(x, b, n, order);
}

#if !defined(__AVX2__) || defined(CUPRIC_HOST_NATIVE)

void
cu_host_count_before(const int32_t *x, int n, int64_t *order)
{
#if defined(CUPRIC_HOST_CHOOSES)
    if (cu_host_cpu_level() >= 3) return cu_host_count_before_v3(x, n, order);
#endif
    cu_host_count_before_base(x, n, order);
}

#endif
