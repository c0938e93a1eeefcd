/* host/matmul_engine.hpp: the loops of matmul_engine.h, compiled once per instruction set.
 *
 * A tile of ROWS x VECTORS accumulators stays in registers while k runs: ROWS scalars of
 * a times VECTORS vectors of b. Slack around the blocks makes every tile a whole one.
 */
#ifndef CUPRIC_HOST_MATMUL_ENGINE_HPP
#define CUPRIC_HOST_MATMUL_ENGINE_HPP

#include "host/matmul_engine.h"

namespace {

#if defined(__AVX512F__)
constexpr int VECTOR_BYTES = 64, VECTORS = 4;
#elif defined(__AVX2__)
constexpr int VECTOR_BYTES = 32, VECTORS = 2;
#elif defined(__aarch64__)
constexpr int VECTOR_BYTES = 16, VECTORS = 4;
#else
constexpr int VECTOR_BYTES = 16, VECTORS = 2;
#endif
constexpr int ROWS = CU_MATMUL_PADDING_ROWS;

template <class T>
void
run_tile(const cu_matmul_block *block, int64_t i, int64_t j)
{
    typedef T vector __attribute__((vector_size(VECTOR_BYTES)));
    constexpr int LANES = VECTOR_BYTES / (int)sizeof(T);
    const T *a = (const T *)block->a + i * block->lda;
    const T *b = (const T *)block->b + j;
    T *c = (T *)block->c + i * block->ldc + j;
    vector sum[ROWS][VECTORS] = {};

    for (int64_t l = 0; l < block->k; l++, b += block->ldb) {
        vector x[VECTORS];
        for (int v = 0; v < VECTORS; v++) {
            __builtin_memcpy(&x[v], b + v * LANES, sizeof(vector));
        }
        for (int r = 0; r < ROWS; r++) {
            const T scalar = a[r * block->lda + l];
            for (int v = 0; v < VECTORS; v++) sum[r][v] += x[v] * scalar;
        }
    }
    for (int r = 0; r < ROWS; r++) {
        for (int v = 0; v < VECTORS; v++) {
            T *place = c + r * block->ldc + v * LANES;
            vector old = {};
            if (block->accumulate) __builtin_memcpy(&old, place, sizeof(vector));
            old += sum[r][v];
            __builtin_memcpy(place, &old, sizeof(vector));
        }
    }
}

template <class T>
void
run_block(const cu_matmul_block *block)
{
    constexpr int64_t width = VECTORS * VECTOR_BYTES / (int64_t)sizeof(T);

    static_assert(width <= CU_MATMUL_PADDING, "a tile may reach into the padding only");
    for (int64_t i = 0; i < block->m; i += ROWS) {
        for (int64_t j = 0; j < block->n; j += width) run_tile<T>(block, i, j);
    }
}

} // namespace

void
CUPRIC_HOST_LEVEL(cu_matmul_engine)(const cu_matmul_block *block)
{
    if (block->wide) {
        run_block<uint64_t>(block);
    } else {
        run_block<uint32_t>(block);
    }
}

#endif
