/* host/fft_lanes.hpp: vectors of complex numbers, and how memory is read into them.
 *
 * A vector has 32 bytes: its lanes are 8 or 4 transforms side by side, so that every step
 * of a transform is an operation on whole vectors and no element is moved between lanes.
 */
#ifndef CUPRIC_HOST_FFT_LANES_HPP
#define CUPRIC_HOST_FFT_LANES_HPP

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "host/entries.h"

namespace {

#define INLINE inline __attribute__((always_inline))

/* Aligned memory of one owner; NULL where there is none. */
template <class T>
class memory
{
    T *p = nullptr;
    size_t nbytes = 0;

  public:
    memory() = default;
    explicit memory(int64_t n) : nbytes((size_t)n * sizeof(T) + 64)
    {
        p = (T *)cu_host_scratch_new(nbytes);
    }
    memory(const memory &) = delete;
    memory &operator=(memory &&other)
    {
        T *const q = p;
        const size_t had = nbytes;
        p = other.p;
        nbytes = other.nbytes;
        other.p = q;
        other.nbytes = had;
        return *this;
    }
    ~memory() { cu_host_scratch_free(p, nbytes); }
    T *get() const { return p; }
    T &operator[](int64_t i) const { return p[i]; }
    explicit operator bool() const { return p != nullptr; }
};

/* An object of several owners, counted in its `owners`. The standard library's would be
 * one for all instruction sets that it is compiled for. */
template <class T>
class shared
{
    T *p = nullptr;

  public:
    shared() = default;
    explicit shared(T *made) : p(made) {} /* steals */
    /* One more share of what another owns. */
    static shared of(T *owned)
    {
        __atomic_add_fetch(&owned->owners, 1, __ATOMIC_RELAXED);
        return shared(owned);
    }
    T *release() /* the share is the caller's */
    {
        T *const q = p;
        p = nullptr;
        return q;
    }
    shared(const shared &other) : p(other.p)
    {
        if (p) __atomic_add_fetch(&p->owners, 1, __ATOMIC_RELAXED);
    }
    shared &operator=(shared other)
    {
        T *const q = p;
        p = other.p;
        other.p = q;
        return *this;
    }
    ~shared()
    {
        if (p && __atomic_sub_fetch(&p->owners, 1, __ATOMIC_ACQ_REL) == 0) delete p;
    }
    T *operator->() const { return p; }
    T &operator*() const { return *p; }
    explicit operator bool() const { return p != nullptr; }
};

template <class F>
struct point { /* a complex number */
    F re, im;
};

template <class F>
struct vectors {
    typedef F V __attribute__((vector_size(32)));
    typedef F unaligned
        __attribute__((vector_size(32), aligned(alignof(F)), may_alias));
    static constexpr int L = 32 / sizeof(F);
};

/* A complex number in each lane. */
template <class F>
struct lanes {
    typename vectors<F>::V re, im;
};

template <class F>
INLINE lanes<F>
operator+(const lanes<F> &a, const lanes<F> &b)
{
    return {a.re + b.re, a.im + b.im};
}
template <class F>
INLINE lanes<F>
operator-(const lanes<F> &a, const lanes<F> &b)
{
    return {a.re - b.re, a.im - b.im};
}
template <class F>
INLINE lanes<F>
operator*(const lanes<F> &a, F b)
{
    return {a.re * b, a.im * b};
}
template <class F>
INLINE lanes<F>
operator*(const lanes<F> &a, const point<F> &w)
{
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}
template <class F>
INLINE lanes<F>
operator*(const lanes<F> &a, const lanes<F> &w)
{
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}
template <class F>
INLINE point<F>
operator*(const point<F> &a, const point<F> &w)
{
    return {a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}
template <class F>
INLINE lanes<F>
conjugate(const lanes<F> &a)
{
    return {a.re, -a.im};
}
template <class F>
INLINE lanes<F>
over_i(const lanes<F> &a) /* a / i */
{
    return {a.im, -a.re};
}

/* exp(-2 pi i k / n), by the octant, so that multiples of a quarter are exact. */
template <class F>
point<F>
root(int64_t k, int64_t n)
{
    const double tau = 6.283185307179586476925286766559;
    const int64_t octant = 8 * (k % n) / n, rest = 8 * (k % n) - octant * n;
    const double x = tau * (double)(octant & 1 ? n - rest : rest) / (8.0 * (double)n);
    double c = cos(x), s = sin(x);
    if ((octant + 1) & 2) {
        const double t = c;
        c = s;
        s = t;
    }
    if ((octant + 2) & 4) c = -c;
    if (octant & 4) s = -s;
    return {(F)c, (F)-s};
}

/* ---- memory to lanes and back ------------------------------------------------------ */

/* Points j < n in lanes l < count, their parts at p + j step + l lane, and `part` bytes
 * on. Swapped parts make a transform the inverse one. */
struct layout {
    int64_t step, lane, part;
    bool swapped;
};

typedef int mask8 __attribute__((vector_size(32)));
typedef long long mask4 __attribute__((vector_size(32)));

INLINE void
split(vectors<float>::V a, vectors<float>::V b, lanes<float> *to)
{
    to->re = __builtin_shuffle(a, b, (mask8){0, 2, 4, 6, 8, 10, 12, 14});
    to->im = __builtin_shuffle(a, b, (mask8){1, 3, 5, 7, 9, 11, 13, 15});
}
INLINE void
split(vectors<double>::V a, vectors<double>::V b, lanes<double> *to)
{
    to->re = __builtin_shuffle(a, b, (mask4){0, 2, 4, 6});
    to->im = __builtin_shuffle(a, b, (mask4){1, 3, 5, 7});
}
INLINE void
merge(const lanes<float> &v, vectors<float>::V *a, vectors<float>::V *b)
{
    *a = __builtin_shuffle(v.re, v.im, (mask8){0, 8, 1, 9, 2, 10, 3, 11});
    *b = __builtin_shuffle(v.re, v.im, (mask8){4, 12, 5, 13, 6, 14, 7, 15});
}
INLINE void
merge(const lanes<double> &v, vectors<double>::V *a, vectors<double>::V *b)
{
    *a = __builtin_shuffle(v.re, v.im, (mask4){0, 4, 1, 5});
    *b = __builtin_shuffle(v.re, v.im, (mask4){2, 6, 3, 7});
}

/* A square of vectors, by squares of half its size. */
INLINE void
transpose(vectors<float>::V *r)
{
    for (int i = 0; i < 8; i += 2) {
        const vectors<float>::V a = r[i], b = r[i + 1];
        r[i] = __builtin_shuffle(a, b, (mask8){0, 8, 2, 10, 4, 12, 6, 14});
        r[i + 1] = __builtin_shuffle(a, b, (mask8){1, 9, 3, 11, 5, 13, 7, 15});
    }
    for (int i = 0; i < 8; i += i % 4 == 1 ? 3 : 1) {
        const vectors<float>::V a = r[i], b = r[i + 2];
        r[i] = __builtin_shuffle(a, b, (mask8){0, 1, 8, 9, 4, 5, 12, 13});
        r[i + 2] = __builtin_shuffle(a, b, (mask8){2, 3, 10, 11, 6, 7, 14, 15});
    }
    for (int i = 0; i < 4; i++) {
        const vectors<float>::V a = r[i], b = r[i + 4];
        r[i] = __builtin_shuffle(a, b, (mask8){0, 1, 2, 3, 8, 9, 10, 11});
        r[i + 4] = __builtin_shuffle(a, b, (mask8){4, 5, 6, 7, 12, 13, 14, 15});
    }
}
INLINE void
transpose(vectors<double>::V *r)
{
    for (int i = 0; i < 4; i += 2) {
        const vectors<double>::V a = r[i], b = r[i + 1];
        r[i] = __builtin_shuffle(a, b, (mask4){0, 4, 2, 6});
        r[i + 1] = __builtin_shuffle(a, b, (mask4){1, 5, 3, 7});
    }
    for (int i = 0; i < 2; i++) {
        const vectors<double>::V a = r[i], b = r[i + 2];
        r[i] = __builtin_shuffle(a, b, (mask4){0, 1, 4, 5});
        r[i + 2] = __builtin_shuffle(a, b, (mask4){2, 3, 6, 7});
    }
}

template <class F>
INLINE F &
element(lanes<F> &v, int which, int l)
{
    return ((F *)&v)[which * vectors<F>::L + l];
}

template <class F>
void
read_lanes(lanes<F> *to, const char *p, const layout &a, int count, int64_t n)
{
    typedef typename vectors<F>::V V;
    typedef const typename vectors<F>::unaligned U;
    constexpr int L = vectors<F>::L, SIZE = sizeof(F);
    const int re = a.swapped, im = !a.swapped;
    int64_t j = 0;
    if (count == L && a.part == SIZE && a.lane == 2 * SIZE) {
        for (; j < n; j++, p += a.step) {
            lanes<F> v;
            split(*(U *)p, *(U *)(p + 32), &v);
            to[j] = re ? lanes<F>{v.im, v.re} : v;
        }
        return;
    }
    if (count == L && a.lane == SIZE) {
        for (; j < n; j++, p += a.step) {
            const V first = *(U *)p, second = *(U *)(p + a.part);
            to[j] = re ? lanes<F>{second, first} : lanes<F>{first, second};
        }
        return;
    }
    if (count == L && a.part == SIZE && a.step == 2 * SIZE) {
        for (; j + L / 2 <= n; j += L / 2, p += 32) {
            V r[L];
            for (int l = 0; l < L; l++) r[l] = *(U *)(p + l * a.lane);
            transpose(r);
            for (int k = 0; k < L / 2; k++) to[j + k] = {r[2 * k + re], r[2 * k + im]};
        }
    }
    for (; j < n; j++, p += a.step) {
        if (count < L) to[j] = lanes<F>{};
        for (int l = 0; l < count; l++) {
            element(to[j], re, l) = *(const F *)(p + l * a.lane);
            element(to[j], im, l) = *(const F *)(p + l * a.lane + a.part);
        }
    }
}

template <class F>
void
write_lanes(lanes<F> *from, char *p, const layout &a, int count, int64_t n, F scale)
{
    typedef typename vectors<F>::V V;
    typedef typename vectors<F>::unaligned U;
    constexpr int L = vectors<F>::L, SIZE = sizeof(F);
    const int re = a.swapped, im = !a.swapped;
    int64_t j = 0;
    if (count == L && a.part == SIZE && a.lane == 2 * SIZE) {
        for (; j < n; j++, p += a.step) {
            const lanes<F> v = from[j] * scale;
            V first, second;
            merge(re ? lanes<F>{v.im, v.re} : v, &first, &second);
            *(U *)p = first;
            *(U *)(p + 32) = second;
        }
        return;
    }
    if (count == L && a.lane == SIZE) {
        for (; j < n; j++, p += a.step) {
            const lanes<F> v = from[j] * scale;
            *(U *)p = re ? v.im : v.re;
            *(U *)(p + a.part) = re ? v.re : v.im;
        }
        return;
    }
    if (count == L && a.part == SIZE && a.step == 2 * SIZE) {
        for (; j + L / 2 <= n; j += L / 2, p += 32) {
            V r[L];
            for (int k = 0; k < L / 2; k++) {
                const lanes<F> v = from[j + k] * scale;
                r[2 * k + re] = v.re;
                r[2 * k + im] = v.im;
            }
            transpose(r);
            for (int l = 0; l < L; l++) *(U *)(p + l * a.lane) = r[l];
        }
    }
    for (; j < n; j++, p += a.step) {
        for (int l = 0; l < count; l++) {
            *(F *)(p + l * a.lane) = element(from[j], re, l) * scale;
            *(F *)(p + l * a.lane + a.part) = element(from[j], im, l) * scale;
        }
    }
}

} // namespace

#endif
