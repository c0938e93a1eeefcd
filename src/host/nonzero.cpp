/* host/nonzero.cpp: the coordinates of the elements that are not zero.
 *
 * Two passes over blocks of elements: count, and, knowing where each block's output
 * begins, write. Both run in parallel.
 */
#include <stdlib.h>
#include <string.h>

#include "host/entries.h"
#include "host/parallel.hpp"

namespace {

constexpr int64_t BLOCK = 1 << 16; /* elements */
constexpr int CHUNK = 512;         /* elements looked at between two writes */

struct walker {
    const cu_view *in;
    int64_t size, count, stride; /* stride: bytes along the last axis */
    int64_t *out;
};

/* Whether the value at p differs from zero: any bit, but the sign of a float's parts. */
template <class BITS, int PARTS, bool SIGNED_ZERO>
struct tester {
    static bool test(const char *p)
    {
        bool any = false;
        for (int k = 0; k < PARTS; k++) {
            BITS bits;
            memcpy(&bits, p + k * sizeof bits, sizeof bits);
            any |= (BITS)(SIGNED_ZERO ? bits << 1 : bits) != 0;
        }
        return any;
    }
};

/* Call visit(p, coordinate of p along the last axis, n) for runs of elements of
 * [begin, end); `coords` holds the other coordinates. */
template <class Visit>
void
walk(const walker &w, int64_t begin, int64_t end, int64_t *coords, const Visit &visit)
{
    const cu_view &in = *w.in;
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

template <class Test>
int64_t
count_block(const walker &w, int64_t begin, int64_t end)
{
    int64_t coords[CUPRIC_MAXDIMS];
    int64_t count = 0;

    walk(w, begin, end, coords, [&](const char *p, int64_t, int64_t n) {
        int some = 0;
        for (int64_t i = 0; i < n; i++) some += Test::test(p + i * w.stride);
        count += some;
    });
    return count;
}

template <class Test>
void
write_block(const walker &w, int64_t begin, int64_t end, int64_t at)
{
    const int ndim = w.in->ndim;
    int64_t coords[CUPRIC_MAXDIMS];
    int64_t found[CHUNK + 1];

    walk(w, begin, end, coords, [&](const char *p, int64_t base, int64_t n) {
        int64_t some = 0;
        for (int64_t i = 0; i < n; i++) {
            found[some] = base + i;
            some += Test::test(p + i * w.stride);
        }
        if (some > w.count - at) some = w.count - at;
        for (int d = 0; d < ndim - 1; d++) {
            int64_t *out = w.out + d * w.count + at;
            for (int64_t i = 0; i < some; i++) out[i] = coords[d];
        }
        if (ndim)
            memcpy(w.out + (ndim - 1) * w.count + at, found, some * sizeof *found);
        at += some;
    });
}

template <class Test>
cu_status
find(const walker &w)
{
    const int64_t nblocks = (w.size + BLOCK - 1) / BLOCK;
    int64_t *start = (int64_t *)malloc((nblocks + 1) * sizeof *start); /* owned */
    int64_t total = 0;

    if (start == nullptr) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: nonzero");
    parallel(nblocks, 1, [&](int64_t first, int64_t last) {
        for (int64_t b = first; b < last; b++) {
            const int64_t end = (b + 1) * BLOCK;
            start[b] = count_block<Test>(w, b * BLOCK, end < w.size ? end : w.size);
        }
    });
    for (int64_t b = 0; b < nblocks; b++) {
        const int64_t here = start[b];
        start[b] = total;
        total += here;
    }
    parallel(nblocks, 1, [&](int64_t first, int64_t last) {
        for (int64_t b = first; b < last; b++) {
            const int64_t end = (b + 1) * BLOCK;
            if (start[b] >= w.count) break;
            write_block<Test>(w, b * BLOCK, end < w.size ? end : w.size, start[b]);
        }
    });
    free(start);
    return CUPRIC_OK;
}

} // namespace

cu_status
cu_host_nonzero(const cu_view *in, int64_t count, int64_t *out, cu_stream *)
{
    walker w = {in, 1, count, in->ndim ? in->strides[in->ndim - 1] : 0, out};

    for (int d = 0; d < in->ndim; d++) w.size *= in->shape[d];
    if (w.size == 0 || count == 0) return CUPRIC_OK;
    switch (in->dtype) {
    case CUPRIC_BOOL:
    case CUPRIC_INT8:
    case CUPRIC_UINT8: return find<tester<uint8_t, 1, false>>(w);
    case CUPRIC_INT16:
    case CUPRIC_UINT16: return find<tester<uint16_t, 1, false>>(w);
    case CUPRIC_INT32:
    case CUPRIC_UINT32: return find<tester<uint32_t, 1, false>>(w);
    case CUPRIC_INT64:
    case CUPRIC_UINT64: return find<tester<uint64_t, 1, false>>(w);
    case CUPRIC_FLOAT16:
    case CUPRIC_BFLOAT16: return find<tester<uint16_t, 1, true>>(w);
    case CUPRIC_FLOAT32: return find<tester<uint32_t, 1, true>>(w);
    case CUPRIC_FLOAT64: return find<tester<uint64_t, 1, true>>(w);
    case CUPRIC_COMPLEX64: return find<tester<uint32_t, 2, true>>(w);
    case CUPRIC_COMPLEX128: return find<tester<uint64_t, 2, true>>(w);
    default: return cu_fail(CUPRIC_ERR_TYPE, "nonzero: no such dtype");
    }
}
