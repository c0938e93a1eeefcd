/* host/convolve_engine.hpp: the loops of convolve_engine.h, compiled once per instruction
 * set and, as one of the places that may, with fused multiply-add.
 *
 * A tile of ROWS x VECTORS accumulators stays in registers. Each source vector is loaded
 * once for all the tile's rows that it belongs to, each weight once for all its columns,
 * so 16 multiply-adds come with 8 loads, and the multipliers are the limit.
 */
#ifndef CUPRIC_HOST_CONVOLVE_ENGINE_HPP
#define CUPRIC_HOST_CONVOLVE_ENGINE_HPP

#include "host/convolve_engine.h"

namespace {

#if defined(__AVX512F__)
constexpr int VECTOR_BYTES = 64, TILE_VECTORS = 4;
#elif defined(__AVX2__)
constexpr int VECTOR_BYTES = 32, TILE_VECTORS = 2;
#elif defined(__aarch64__)
constexpr int VECTOR_BYTES = 16, TILE_VECTORS = 4;
#else
constexpr int VECTOR_BYTES = 16, TILE_VECTORS = 2;
#endif
constexpr int TILE_ROWS = 4;

template <class T>
struct vector_of {
    typedef T type __attribute__((vector_size(VECTOR_BYTES)));
    static constexpr int lanes = VECTOR_BYTES / (int)sizeof(T);
};

/* The tile whose upper left corner is out[row][col]. */
template <class T, int ROWS, int VECTORS>
struct tile {
    typedef typename vector_of<T>::type vector;
    static constexpr int LANES = vector_of<T>::lanes;
    static constexpr int WIDTH = VECTORS * LANES;

    vector sum[ROWS][VECTORS];

    inline __attribute__((always_inline)) void load(const T *out, int64_t stride)
    {
        for (int r = 0; r < ROWS; r++) {
            for (int v = 0; v < VECTORS; v++) {
                __builtin_memcpy(&sum[r][v], out + r * stride + v * LANES,
                                 sizeof(vector));
            }
        }
    }

    inline __attribute__((always_inline)) void store(T *out, int64_t stride) const
    {
        for (int r = 0; r < ROWS; r++) {
            for (int v = 0; v < VECTORS; v++) {
                __builtin_memcpy(out + r * stride + v * LANES, &sum[r][v],
                                 sizeof(vector));
            }
        }
    }

    /* One source row's part in the tile's rows FROM to TO; `weights` is the row of
     * weights that it has in row FROM, those of the next rows lie before it. */
    template <int FROM, int TO>
    inline __attribute__((always_inline)) void add_row(const T *src, const T *weights,
                                                       int64_t kc)
    {
        for (int64_t j = 0; j < kc; j++) {
            vector x[VECTORS];
            for (int v = 0; v < VECTORS; v++) {
                __builtin_memcpy(&x[v], src + j + v * LANES, sizeof(vector));
            }
            for (int r = FROM; r < TO; r++) {
                const T weight = weights[j - (r - FROM) * kc];
                for (int v = 0; v < VECTORS; v++) sum[r][v] += x[v] * weight;
            }
        }
    }

    /* The same for rows known when it runs. */
    template <int FROM = 0, int TO = 1>
    inline __attribute__((always_inline)) void
    add_row_between(int64_t from, int64_t to, const T *src, const T *weights,
                    int64_t kc)
    {
        if (from == FROM && to == TO) {
            add_row<FROM, TO>(src, weights, kc);
        } else if constexpr (TO < ROWS) {
            add_row_between<FROM, TO + 1>(from, to, src, weights, kc);
        } else if constexpr (FROM + 1 < ROWS) {
            add_row_between<FROM + 1, FROM + 2>(from, to, src, weights, kc);
        }
    }

    inline __attribute__((always_inline)) void convolve(const cu_convolve_block *b,
                                                        const T *src)
    {
        const T *weights = (const T *)b->weights;

        for (int64_t p = 0; p < ROWS + b->kr - 1; p++, src += b->src_stride) {
            const int64_t from = p < b->kr ? 0 : p - b->kr + 1;
            const int64_t to = p < ROWS ? p + 1 : ROWS;
            add_row_between(from, to, src, weights + (p - from) * b->kc, b->kc);
        }
    }
};

/* A tile at (row, col) of which `cols` columns are wanted. */
template <class T, int ROWS, int VECTORS>
void
run_tile(const cu_convolve_block *b, int64_t row, int64_t col, int64_t cols)
{
    typedef tile<T, ROWS, VECTORS> here;
    const T *src = (const T *)b->src + row * b->src_stride + col;
    T *out = (T *)b->out + row * b->out_stride + col;
    here t = {};

    if (cols >= here::WIDTH) {
        if (b->accumulate) t.load(out, b->out_stride);
        t.convolve(b, src);
        t.store(out, b->out_stride);
        return;
    }
    /* At the right edge by way of a whole tile beside. */
    T beside[ROWS * here::WIDTH] = {};
    for (int r = 0; b->accumulate && r < ROWS; r++) {
        __builtin_memcpy(beside + r * here::WIDTH, out + r * b->out_stride,
                         (size_t)cols * sizeof(T));
    }
    t.load(beside, here::WIDTH);
    t.convolve(b, src);
    t.store(beside, here::WIDTH);
    for (int r = 0; r < ROWS; r++) {
        __builtin_memcpy(out + r * b->out_stride, beside + r * here::WIDTH,
                         (size_t)cols * sizeof(T));
    }
}

template <class T, int ROWS>
void
run_rows(const cu_convolve_block *b, int64_t row)
{
    constexpr int64_t lanes = vector_of<T>::lanes, wide = TILE_VECTORS * lanes;
    int64_t col = 0;

    for (; b->cols - col >= wide; col += wide) {
        run_tile<T, ROWS, TILE_VECTORS>(b, row, col, wide);
    }
    for (; col < b->cols; col += lanes) {
        run_tile<T, ROWS, 1>(b, row, col, b->cols - col);
    }
}

template <class T>
void
run_block(const cu_convolve_block *b)
{
    int64_t row = 0;

    for (; row + TILE_ROWS <= b->rows; row += TILE_ROWS) run_rows<T, TILE_ROWS>(b, row);
    for (; row < b->rows; row++) run_rows<T, 1>(b, row);
}

} // namespace

void
CUPRIC_HOST_LEVEL(cu_convolve_engine)(cu_convolve_type type, const cu_convolve_block *b)
{
    switch (type) {
    case CU_CONVOLVE_U32: return run_block<uint32_t>(b);
    case CU_CONVOLVE_U64: return run_block<uint64_t>(b);
    case CU_CONVOLVE_F32: return run_block<float>(b);
    case CU_CONVOLVE_F64: return run_block<double>(b);
    }
}

#endif
