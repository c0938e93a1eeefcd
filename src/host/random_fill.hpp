/* host/random_fill.hpp: random numbers by the chunk, compiled once per instruction set.
 *
 * A chunk is LANES consecutive Philox blocks. Words are computed first, then elements of
 * them, each in a loop that the compiler vectorises.
 */
#ifndef CUPRIC_HOST_RANDOM_FILL_HPP
#define CUPRIC_HOST_RANDOM_FILL_HPP

#include "cupric/distributions.hpp"
#include "cupric/half.hpp"
#include "host/cpu.h"
#include "host/entries.h"
#include "host/random_words.hpp"

/* Chunks [begin, end) of a fill. A kind and dtype that cannot be is the caller's. */
typedef void cu_random_chunks(const cu_random *args, int64_t begin, int64_t end);
cu_random_chunks cu_random_chunks_base, cu_random_chunks_v3, cu_random_chunks_v4;

/* Elements per block: 64-bit ones, and integers from a wide span, take two words. */
static inline int
cu_random_per_block(const cu_random *args)
{
    if (cu_itemsize(args->dtype) != 8) return 4;
    return args->kind != CUPRIC_RANDOM_INTEGERS || (args->hi - args->lo) >> 32 ? 2 : 4;
}

CUPRIC_BEGIN

/* Scale and shift in the type of computation, then round to the element's. */
template <class T, class C>
struct affine {
    C offset, factor;

    affine(double shift, double scale) : offset((C)shift), factor((C)scale) {}
    T operator()(C x) const { return T(offset + factor * x); }
};

template <class T>
struct precision {
    static constexpr int bits = 24;
};
template <>
struct precision<half> {
    static constexpr int bits = 11;
};
template <>
struct precision<bfloat16> {
    static constexpr int bits = 8;
};

/* One function object per kind: elements of a chunk, PER_BLOCK to a block, into out. */

template <class T>
struct bits_kind {
    static constexpr int per_block = sizeof(T) == 8 ? 2 : 4;
    explicit bits_kind(const cu_random *) {}

    void operator()(const lanes &w, T *out, int64_t) const
    {
        for (int i = 0; i < LANES; i++) {
            for (int k = 0; k < per_block; k++) {
                if constexpr (per_block == 4) {
                    out[i * 4 + k] = (T)w.word[k][i];
                } else {
                    out[i * 2 + k] =
                        (T)w.word[2 * k + 1][i] << 32 | (T)w.word[2 * k][i];
                }
            }
        }
    }
};

template <class T>
struct uniform_kind {
    static constexpr int per_block = 4;
    affine<T, float> map;
    explicit uniform_kind(const cu_random *r)
        : map(r->param[0], r->param[1] - r->param[0])
    {
    }

    void operator()(const lanes &w, T *out, int64_t) const
    {
        for (int i = 0; i < LANES; i++) {
            for (int k = 0; k < 4; k++) {
                out[i * 4 + k] = map(fraction(w.word[k][i], precision<T>::bits));
            }
        }
    }
};

template <>
struct uniform_kind<double> {
    static constexpr int per_block = 2;
    affine<double, double> map;
    explicit uniform_kind(const cu_random *r)
        : map(r->param[0], r->param[1] - r->param[0])
    {
    }

    void operator()(const lanes &w, double *out, int64_t) const
    {
        for (int i = 0; i < LANES; i++) {
            out[i * 2] = map(fraction(w.word[1][i], w.word[0][i]));
            out[i * 2 + 1] = map(fraction(w.word[3][i], w.word[2][i]));
        }
    }
};

template <class T>
struct exponential_kind {
    static constexpr int per_block = 4;
    affine<T, float> map;
    explicit exponential_kind(const cu_random *r) : map(0, r->param[0]) {}

    void operator()(const lanes &w, T *out, int64_t) const
    {
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < LANES; i++)
                out[i * 4 + k] = map(log_uniform(w.word[k][i]));
        }
    }
};

template <>
struct exponential_kind<double> {
    static constexpr int per_block = 2;
    affine<double, double> map;
    explicit exponential_kind(const cu_random *r) : map(0, r->param[0]) {}

    void operator()(const lanes &w, double *out, int64_t) const
    {
        for (int i = 0; i < LANES; i++) {
            out[i * 2] = map(log_uniform(w.word[1][i], w.word[0][i]));
            out[i * 2 + 1] = map(log_uniform(w.word[3][i], w.word[2][i]));
        }
    }
};

template <class T>
struct normal_kind {
    static constexpr int per_block = 4;
    affine<T, float> map;
    explicit normal_kind(const cu_random *r) : map(r->param[0], r->param[1]) {}

    void operator()(const lanes &w, T *out, int64_t) const
    {
        float z[4][LANES];
        for (int i = 0; i < LANES; i++) {
            normal_pair(w.word[0][i], w.word[1][i], &z[0][i], &z[1][i]);
        }
        for (int i = 0; i < LANES; i++) {
            normal_pair(w.word[2][i], w.word[3][i], &z[2][i], &z[3][i]);
        }
        for (int i = 0; i < LANES; i++) {
            for (int k = 0; k < 4; k++) out[i * 4 + k] = map(z[k][i]);
        }
    }
};

template <>
struct normal_kind<double> {
    static constexpr int per_block = 2;
    affine<double, double> map;
    explicit normal_kind(const cu_random *r) : map(r->param[0], r->param[1]) {}

    void operator()(const lanes &w, double *out, int64_t) const
    {
        double z[2][LANES];
        for (int i = 0; i < LANES; i++) {
            normal_pair(w.word[0][i], w.word[1][i], w.word[2][i], w.word[3][i],
                        &z[0][i], &z[1][i]);
        }
        for (int i = 0; i < LANES; i++) {
            out[i * 2] = map(z[0][i]);
            out[i * 2 + 1] = map(z[1][i]);
        }
    }
};

/* A span of at most 2**32. The rare rejected element is found after the fact. */
template <class T>
struct narrow_kind {
    static constexpr int per_block = 4;
    const cu_random *args;
    unsigned int span, limit; /* span 0: 2**32 */
    explicit narrow_kind(const cu_random *r)
        : args(r), span((unsigned int)(r->hi - r->lo + 1)), limit(rejected_below(span))
    {
    }

    void operator()(const lanes &w, T *out, int64_t first) const
    {
        const unsigned long long lo = args->lo;
        unsigned int rejected = 0;

        if (span == 0) {
            for (int i = 0; i < LANES; i++) {
                for (int k = 0; k < 4; k++) out[i * 4 + k] = (T)(lo + w.word[k][i]);
            }
            return;
        }
        for (int i = 0; i < LANES; i++) {
            for (int k = 0; k < 4; k++) {
                const unsigned long long p = (unsigned long long)w.word[k][i] * span;
                out[i * 4 + k] = (T)(lo + (p >> 32));
                rejected |= (unsigned int)p < limit;
            }
        }
        if (CUPRIC_LIKELY(!rejected)) return;
        for (int e = 0; e < 4 * LANES; e++) {
            out[e] =
                (T)(lo + random_below(args->key, args->counter,
                                      (unsigned long long)(first + e), span, limit));
        }
    }
};

template <class T>
struct wide_kind {
    static constexpr int per_block = 2;
    const cu_random *args;
    unsigned long long span, limit; /* span 0: 2**64 */
    explicit wide_kind(const cu_random *r)
        : args(r), span(r->hi - r->lo + 1), limit(rejected_below(span))
    {
    }

    void operator()(const lanes &w, T *out, int64_t first) const
    {
        for (int e = 0; e < 2 * LANES; e++) {
            const int i = e / 2, k = e % 2 * 2;
            const unsigned long long x =
                (unsigned long long)w.word[k + 1][i] << 32 | w.word[k][i];
            unsigned long long y = span ? multiply_high(x, span) : x;
            if (CUPRIC_UNLIKELY(x * span < limit)) {
                y = random_below(args->key, args->counter,
                                 (unsigned long long)(first + e), span, limit);
            }
            out[e] = (T)(args->lo + y);
        }
    }
};

template <class T, class Kind>
static void
fill_chunks(const cu_random *args, int64_t begin, int64_t end)
{
    constexpr int64_t size = Kind::per_block * LANES;
    const Kind kind(args);
    T *const all = (T *)args->out;
    lanes w;
    T part[size];

    for (int64_t c = begin; c < end; c++) {
        const int64_t first = c * size, left = args->n - first;
        generate(args->key, args->counter, (unsigned long long)c * LANES, w);
        if (left >= size) {
            kind(w, all + first, first);
        } else {
            kind(w, part, first);
            for (int64_t i = 0; i < left; i++) all[first + i] = part[i];
        }
    }
}

template <class T>
static void
fill_floats(const cu_random *args, int64_t begin, int64_t end)
{
    switch (args->kind) {
    case CUPRIC_RANDOM_UNIFORM:
        return fill_chunks<T, uniform_kind<T>>(args, begin, end);
    case CUPRIC_RANDOM_NORMAL: return fill_chunks<T, normal_kind<T>>(args, begin, end);
    default: return fill_chunks<T, exponential_kind<T>>(args, begin, end);
    }
}

template <class T>
static void
fill_integers(const cu_random *args, int64_t begin, int64_t end)
{
    if (args->kind == CUPRIC_RANDOM_BITS) {
        fill_chunks<T, bits_kind<T>>(args, begin, end);
    } else if (sizeof(T) == 8 && cu_random_per_block(args) == 2) {
        fill_chunks<T, wide_kind<T>>(args, begin, end);
    } else {
        fill_chunks<T, narrow_kind<T>>(args, begin, end);
    }
}

CUPRIC_END

void
CUPRIC_HOST_LEVEL(cu_random_chunks)(const cu_random *args, int64_t begin, int64_t end)
{
    using namespace cupric;

    switch (args->dtype) {
    case CUPRIC_FLOAT16: return fill_floats<half>(args, begin, end);
    case CUPRIC_BFLOAT16: return fill_floats<bfloat16>(args, begin, end);
    case CUPRIC_FLOAT32: return fill_floats<float>(args, begin, end);
    case CUPRIC_FLOAT64: return fill_floats<double>(args, begin, end);
    default: break;
    }
    switch (cu_itemsize(args->dtype)) {
    case 1: return fill_integers<uint8_t>(args, begin, end);
    case 2: return fill_integers<uint16_t>(args, begin, end);
    case 4: return fill_integers<uint32_t>(args, begin, end);
    default: return fill_integers<uint64_t>(args, begin, end);
    }
}

#endif
