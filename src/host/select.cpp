/* host/select.cpp: the elements that a mask chooses, or their coordinates.
 *
 * Two passes over blocks of elements: count, and, knowing where each block's output
 * begins, write. Both run in parallel.
 */
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "device/axes.h"
#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

constexpr int64_t BLOCK = 1 << 16; /* elements */
constexpr int CHUNK = 512;         /* elements looked at between two writes */
constexpr int STRETCH = 32;        /* … and passed over where none is chosen */

/* Elements of a block. */
inline int64_t
block_length()
{
    return cu_host_threshold(BLOCK, 64);
}

/* flags[i] = 1 where element i is not zero, of n <= CHUNK at p, else 0; 0 behind them, up to
 * a multiple of STRETCH. */
typedef void flag_chunk(const char *p, int64_t stride, int64_t n, uint8_t *flags);

struct walker {
    cu_view in, values;   /* values: without memory where coordinates are wanted */
    const cu_view *shape; /* of which coordinates are wanted; `in` may be flat */
    int64_t size, count, stride; /* stride: bytes along the last axis */
    char *out;
    flag_chunk *flag;
};

/* An element is not zero where any bit is set, but the sign of a float's parts: of word k where
 * bit k of SIGNS is set. Words have 32 bits at most, for vectors of the baseline. */
template <class BITS, int WORDS, int SIGNS>
struct tester {
    static constexpr int64_t SIZE = sizeof(BITS) * WORDS;

    static BITS bits(const char *p)
    {
        BITS any = 0;
        for (int k = 0; k < WORDS; k++) {
            BITS bits;
            memcpy(&bits, p + k * sizeof bits, sizeof bits);
            any |= (BITS)(SIGNS >> k & 1 ? bits << 1 : bits);
        }
        return any;
    }

    static void flag(const char *p, int64_t stride, int64_t n, uint8_t *flags)
    {
        int64_t i = 0;
        for (; stride == SIZE && i + STRETCH <= n; i += STRETCH) { /* vectors */
            for (int k = 0; k < STRETCH; k++)
                flags[i + k] = bits(p + (i + k) * SIZE) != 0;
        }
        for (; i < n; i++) flags[i] = bits(p + i * stride) != 0;
        for (; i % STRETCH; i++) flags[i] = 0;
    }
};

/* Call visit(p, coordinate of p along the last axis, n) for runs of elements of
 * [begin, end); `coords` holds the other coordinates. */
template <class Visit>
void
walk(const walker &w, int64_t begin, int64_t end, int64_t *coords, const Visit &visit)
{
    const cu_view &in = w.in;
    const int last = in.ndim - 1;
    const int64_t inner = in.ndim ? in.shape[last] : 1;
    int64_t first = begin % inner, rest = begin / inner;
    const char *p = in.ptr;

    for (int d = last - 1; d >= 0; d--) {
        coords[d] = rest % in.shape[d];
        rest /= in.shape[d];
        p += coords[d] * in.strides[d];
    }
    for (int64_t left = end - begin; left > 0; first = 0) {
        const int64_t n = inner - first < left ? inner - first : left;
        for (int64_t done = 0; done < n; done += CHUNK) {
            const int64_t i = first + done;
            visit(p + i * w.stride, i, n - done < CHUNK ? n - done : CHUNK);
        }
        left -= n;
        for (int d = last - 1; d >= 0; d--) {
            p += in.strides[d];
            if (++coords[d] < in.shape[d]) break;
            p -= in.shape[d] * in.strides[d];
            coords[d] = 0;
        }
    }
}

int64_t
count_block(const walker &w, int64_t begin, int64_t end)
{
    int64_t coords[CUPRIC_MAXDIMS];
    int64_t count = 0;

    walk(w, begin, end, coords, [&](const char *p, int64_t, int64_t n) {
        uint8_t sum[STRETCH] = {}, flags[CHUNK]; /* a sum of CHUNK / STRETCH fits */
        w.flag(p, w.stride, n, flags);
        for (int64_t i = 0; i < n; i += STRETCH) {
            for (int k = 0; k < STRETCH; k++) sum[k] = (uint8_t)(sum[k] + flags[i + k]);
        }
        for (int k = 0; k < STRETCH; k++) count += sum[k];
    });
    return count;
}

constexpr int GROUP = 8;          /* bytes of a mask looked at together */
constexpr int BEYOND = GROUP - 1; /* places written beyond those found */

/* The bits of a byte that are set, the lowest first. */
struct set_bits {
    uint8_t at[256][8];

    constexpr set_bits() : at()
    {
        for (int byte = 0; byte < 256; byte++) {
            for (int bit = 0, n = 0; bit < 8; bit++) {
                if (byte >> bit & 1) at[byte][n++] = (uint8_t)bit;
            }
        }
    }
};

constexpr set_bits SET_BITS;

/* out[k] = base + small[k], of GROUP. */
inline void
add_base(int64_t *out, const uint8_t *small, int64_t base)
{
#ifdef __SSE2__
    const __m128i zero = _mm_setzero_si128(), from = _mm_set1_epi64x(base);
    const __m128i words =
        _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)small), zero);
    const __m128i low = _mm_unpacklo_epi16(words, zero),
                  high = _mm_unpackhi_epi16(words, zero);
    __m128i *to = (__m128i *)out;

    _mm_storeu_si128(to, _mm_add_epi64(from, _mm_unpacklo_epi32(low, zero)));
    _mm_storeu_si128(to + 1, _mm_add_epi64(from, _mm_unpackhi_epi32(low, zero)));
    _mm_storeu_si128(to + 2, _mm_add_epi64(from, _mm_unpacklo_epi32(high, zero)));
    _mm_storeu_si128(to + 3, _mm_add_epi64(from, _mm_unpackhi_epi32(high, zero)));
#else
    for (int k = 0; k < GROUP; k++) out[k] = base + small[k];
#endif
}

/* The places of those of GROUP bytes that are not zero, counted from `base`; how many there
 * are. From a table: 0.26 ns a byte, where a byte after the other takes 0.47. */
inline int64_t
find_bytes(const char *p, int64_t base, int64_t *found)
{
    constexpr uint64_t LOW = 0x7f7f7f7f7f7f7f7f;
    uint64_t bytes;

    memcpy(&bytes, p, sizeof bytes);
    /* the lowest bit of each that is not zero; as factors, all side by side, and the sum */
    bytes = (((bytes & LOW) + LOW) | bytes) >> 7 & 0x0101010101010101;
    add_base(found, SET_BITS.at[bytes * 0x0102040810204080 >> 56], base);
    return (int64_t)(bytes * 0x0101010101010101 >> 56);
}

/* Whether one of STRETCH bytes is not zero. */
inline bool
any_byte(const char *p)
{
    uint64_t words[STRETCH / 8], any = 0;

    memcpy(words, p, sizeof words);
    for (uint64_t word : words) any |= word;
    return any != 0;
}

/* The places, counted from `base`, of elements that are not zero, of n at p, and as many as
 * BEYOND of no meaning; how many there are. Whole stretches of bytes are their own flags; few
 * elements may be chosen: stretches without one are passed over. */
int64_t
find_places(const walker &w, const char *p, int64_t base, int64_t n, int64_t *found)
{
    uint8_t flags[CHUNK];
    int64_t some = 0;

    if (w.stride != 1 || cu_itemsize(w.in.dtype) != 1 || n % STRETCH) {
        w.flag(p, w.stride, n, flags);
        p = (const char *)flags;
    }
    for (int64_t i = 0; i < n; i += STRETCH) {
        if (!any_byte(p + i)) continue;
        for (int64_t k = i; k < i + STRETCH; k += GROUP) {
            some += find_bytes(p + k, base + k, found + some);
        }
    }
    return some;
}

/* Elements of SIZE bytes at from + places[k] * stride, side by side; those that are so
 * already are copied together. */
template <int SIZE>
void
copy_elements(char *to, const char *from, int64_t stride, const int64_t *places,
              int64_t n)
{
    int64_t k = 0;
    for (; stride == SIZE && k + GROUP <= n; k += GROUP) {
        char *const group = to + k * SIZE;
        if (places[k + GROUP - 1] - places[k] == GROUP - 1) {
            memcpy(group, from + places[k] * SIZE, GROUP * SIZE);
            continue;
        }
        for (int i = 0; i < GROUP; i++) {
            memcpy(group + i * SIZE, from + places[k + i] * SIZE, SIZE);
        }
    }
    for (; k < n; k++) memcpy(to + k * SIZE, from + places[k] * stride, SIZE);
}

void
put_elements(const walker &w, const int64_t *coords, const int64_t *places, int64_t n,
             int64_t at)
{
    const cu_view &v = w.values;
    const int last = v.ndim - 1, size = cu_itemsize(v.dtype);
    const int64_t stride = v.ndim ? v.strides[last] : 0;
    const char *from = v.ptr;
    char *const to = w.out + at * size;

    for (int d = 0; d < last; d++) from += coords[d] * v.strides[d];
    switch (size) {
    case 1: return copy_elements<1>(to, from, stride, places, n);
    case 2: return copy_elements<2>(to, from, stride, places, n);
    case 4: return copy_elements<4>(to, from, stride, places, n);
    case 8: return copy_elements<8>(to, from, stride, places, n);
    default: return copy_elements<16>(to, from, stride, places, n);
    }
}

/* The last coordinates, at `places`, may be where they belong already. */
void
put_coordinates(const walker &w, const int64_t *coords, const int64_t *places,
                int64_t n, int64_t at)
{
    const int last = w.in.ndim - 1;
    int64_t *out = (int64_t *)w.out + at;

    for (int d = 0; d < last; d++, out += w.count) {
        for (int64_t k = 0; k < n; k++) out[k] = coords[d];
    }
    if (last >= 0 && out != places) memcpy(out, places, n * sizeof *places);
}

/* Coordinates from the places in an array of which `in` is the elements side by side. */
void
put_places(const walker &w, const int64_t *places, int64_t n, int64_t at)
{
    const cu_view &shape = *w.shape;
    int64_t *const out = (int64_t *)w.out + at;

    for (int64_t k = 0; k < n; k++) {
        int64_t rest = places[k];
        for (int d = shape.ndim - 1; d > 0; d--) {
            const int64_t length = shape.shape[d];
            const int64_t above = (rest | length) >> 32
                                      ? rest / length
                                      : (int64_t)((uint32_t)rest / (uint32_t)length);
            out[d * w.count + k] = rest - above * length;
            rest = above;
        }
        out[k] = rest;
    }
}

/* Results from `at` on, of which those of this block end at `end_at`. */
void
write_block(const walker &w, int64_t begin, int64_t end, int64_t at, int64_t end_at)
{
    int64_t coords[CUPRIC_MAXDIMS];
    int64_t found[CHUNK + BEYOND];
    const bool in_place = !w.values.ptr && w.in.ndim > 0 && !w.shape;
    int64_t *const out =
        in_place ? (int64_t *)w.out + (w.in.ndim - 1) * w.count : nullptr;

    walk(w, begin, end, coords, [&](const char *p, int64_t base, int64_t n) {
        const bool fits = in_place && end_at - at >= CHUNK + BEYOND;
        int64_t *const places = fits ? out + at : found;
        int64_t some = find_places(w, p, base, n, places);
        if (some > w.count - at) some = w.count - at;
        if (w.values.ptr)
            put_elements(w, coords, places, some, at);
        else if (w.shape)
            put_places(w, places, some, at);
        else
            put_coordinates(w, coords, places, some, at);
        at += some;
    });
}

cu_status
find(walker &w, const cu_select *args)
{
    const int64_t nblocks = (w.size + block_length() - 1) / block_length();
    int64_t *start = (int64_t *)malloc((nblocks + 1) * sizeof *start); /* owned */
    cu_status st;

    if (start == nullptr) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: select");
    parallel(nblocks, 1, [&](int64_t first, int64_t last) {
        for (int64_t b = first; b < last; b++) {
            const int64_t end = (b + 1) * block_length();
            start[b] = count_block(w, b * block_length(), end < w.size ? end : w.size);
        }
    });
    for (int64_t b = 0; b < nblocks; b++) {
        const int64_t here = start[b];
        start[b] = w.count;
        w.count += here;
    }
    start[nblocks] = w.count;
    st = args->alloc(args->arg, w.count, &w.out);
    if (!st && w.count > 0) {
        parallel(nblocks, 1, [&](int64_t first, int64_t last) {
            for (int64_t b = first; b < last; b++) {
                const int64_t end = (b + 1) * block_length();
                if (start[b] >= w.count) break;
                write_block(w, b * block_length(), end < w.size ? end : w.size,
                            start[b], start[b + 1]);
            }
        });
    }
    free(start);
    return st;
}

flag_chunk *
flags_of(cu_dtype t)
{
    switch (t) {
    case CUPRIC_BOOL:
    case CUPRIC_INT8:
    case CUPRIC_UINT8: return tester<uint8_t, 1, 0>::flag;
    case CUPRIC_INT16:
    case CUPRIC_UINT16: return tester<uint16_t, 1, 0>::flag;
    case CUPRIC_INT32:
    case CUPRIC_UINT32: return tester<uint32_t, 1, 0>::flag;
    case CUPRIC_INT64:
    case CUPRIC_UINT64: return tester<uint32_t, 2, 0>::flag;
    case CUPRIC_FLOAT16:
    case CUPRIC_BFLOAT16: return tester<uint16_t, 1, 1>::flag;
    case CUPRIC_FLOAT32: return tester<uint32_t, 1, 1>::flag;
    case CUPRIC_FLOAT64: return tester<uint32_t, 2, 2>::flag;
    case CUPRIC_COMPLEX64: return tester<uint32_t, 2, 3>::flag;
    case CUPRIC_COMPLEX128: return tester<uint32_t, 4, 10>::flag;
    default: return nullptr;
    }
}

constexpr int64_t SHORT_ROW = 64; /* elements, of which a call costs more */

/* Neighbouring axes as one, and elements of short rows as one row. */
void
flatten(walker &w, const cu_view &mask)
{
    int64_t *const steps[2] = {w.in.strides, w.values.strides};
    const int last = mask.ndim - 1;

    if (w.values.ptr) {
        w.in.ndim = cu_axes_join(w.in.shape, 2, steps, mask.ndim);
        memcpy(w.values.shape, w.in.shape, sizeof w.in.shape);
        w.values.ndim = w.in.ndim;
    } else if (last > 0 && mask.shape[last] < SHORT_ROW) {
        cu_view flat = mask;
        int64_t *const strides = flat.strides;
        flat.ndim = cu_axes_join(flat.shape, 1, &strides, mask.ndim);
        if (flat.ndim > 1) return;
        w.in = flat;
        w.shape = &mask;
    }
}

} // namespace

cu_status
cu_host_select(const cu_select *args, int64_t *count, cu_stream *)
{
    walker w = {args->mask, args->values,
                nullptr,    1,
                0,          0,
                nullptr,    flags_of(args->mask.dtype)};

    if (!w.flag) return cu_fail(CUPRIC_ERR_TYPE, "select: no such dtype");
    for (int d = 0; d < w.in.ndim; d++) w.size *= w.in.shape[d];
    flatten(w, args->mask);
    w.stride = w.in.ndim ? w.in.strides[w.in.ndim - 1] : 0;
    const cu_status st = w.size ? find(w, args) : args->alloc(args->arg, 0, &w.out);
    if (!st) *count = w.count;
    return st;
}
