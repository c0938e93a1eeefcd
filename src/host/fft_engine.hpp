/* host/fft_engine.hpp: Fourier transforms in vectors, compiled once for each instruction
 * set.
 *
 * A vector has 32 bytes: its lanes are 8 or 4 transforms side by side, so that every step
 * of a transform is an operation on whole vectors and no element is moved between lanes.
 *
 *   lanes      passes of radix 2, 3, 4, 5 and of other primes up to 127 between two
 *              buffers, after Stockham, whose results come in order
 *   rows       several transforms: 8 or 4 rows are read into lanes, and written back
 *   one row    n = a · b: transforms of length a whose lanes are neighbouring points, a
 *              twist, and transforms of length b whose lanes are neighbouring results.
 *              Memory is read and written twice, whatever n is.
 *   real rows  half as many points, each of two neighbours
 *   a large prime in n: a convolution with a chirp, after Bluestein, by transforms of a
 *              length of small primes
 */
#include <math.h>
#include <mutex>
#include <new>
#include <stdlib.h>
#include <string.h>

#include "host/entries.h"
#include "host/fft_engine.h"
#include "host/parallel.hpp"

namespace {

#define INLINE inline __attribute__((always_inline))

constexpr int LARGEST_RADIX = 127; /* beyond, a convolution takes no longer */
constexpr int MAX_PASSES = 48;
constexpr int64_t LONGEST_IN_LANES = 4096;  /* points */
constexpr int64_t LONGEST_COLUMN = 1 << 14; /* the same where rows are neighbours */
constexpr int64_t POINTS_WORTH_A_THREAD = 1 << 14;

/* ---- memory and vectors ---------------------------------------------------------- */

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

/* ---- passes ---------------------------------------------------------------------- */

/* x[q + s (p + m k)] to y[q + s (R p + k)], k < R: a butterfly of R points, and a twist by
 * w[p][k - 1]. */
template <class F>
struct pass {
    int radix;
    int64_t m, s;
    const point<F> *w;     /* m rows of radix - 1 */
    const point<F> *roots; /* of a radix of no pass of its own */
};

template <class F>
INLINE void
butterfly_2(lanes<F> *v)
{
    const lanes<F> a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
}

template <class F>
INLINE void
butterfly_3(lanes<F> *v)
{
    const F half = F(0.5), height = F(0.866025403784438646763723170752936183);
    const lanes<F> sum = v[1] + v[2], across = over_i((v[1] - v[2]) * height);
    const lanes<F> middle = v[0] - sum * half;
    v[0] = v[0] + sum;
    v[1] = middle + across;
    v[2] = middle - across;
}

template <class F>
INLINE void
butterfly_4(lanes<F> *v)
{
    const lanes<F> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3],
                   d = over_i(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

template <class F>
INLINE void
butterfly_5(lanes<F> *v)
{
    const F c1 = F(0.309016994374947424102293417182819059),
            c2 = F(-0.809016994374947424102293417182819059),
            s1 = F(0.951056516295153572116439333379382143),
            s2 = F(0.587785252292473129168705954639072769);
    const lanes<F> a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3];
    const lanes<F> e = v[0] + a * c1 + b * c2, f = v[0] + a * c2 + b * c1;
    const lanes<F> g = over_i(c * s1 + d * s2), h = over_i(c * s2 - d * s1);
    v[0] = v[0] + a + b;
    v[1] = e + g;
    v[4] = e - g;
    v[2] = f + h;
    v[3] = f - h;
}

template <class F, int R>
INLINE void
butterfly(lanes<F> *v)
{
    if constexpr (R == 2) butterfly_2(v);
    if constexpr (R == 3) butterfly_3(v);
    if constexpr (R == 4) butterfly_4(v);
    if constexpr (R == 5) butterfly_5(v);
}

template <class F, int R, bool TWIST>
INLINE void
run_part(const pass<F> &t, const lanes<F> *x, lanes<F> *y, const point<F> *w)
{
    for (int64_t q = 0; q < t.s; q++) {
        lanes<F> v[R];
        for (int k = 0; k < R; k++) v[k] = x[q + t.s * t.m * k];
        butterfly<F, R>(v);
        y[q] = v[0];
        for (int k = 1; k < R; k++) y[q + t.s * k] = TWIST ? v[k] * w[k - 1] : v[k];
    }
}

template <class F, int R>
void
run_pass(const pass<F> &t, const lanes<F> *x, lanes<F> *y)
{
    run_part<F, R, false>(t, x, y, t.w);
    for (int64_t p = 1; p < t.m; p++) {
        run_part<F, R, true>(t, x + t.s * p, y + t.s * R * p, t.w + p * (R - 1));
    }
}

/* An odd prime: of the pairs of points as far from both ends, sums and differences. */
template <class F>
void
run_any_pass(const pass<F> &t, const lanes<F> *x, lanes<F> *y)
{
    const int radix = t.radix, half = radix / 2;
    lanes<F> sum[LARGEST_RADIX / 2 + 1], apart[LARGEST_RADIX / 2 + 1];
    for (int64_t p = 0; p < t.m; p++) {
        const point<F> *const w = t.w + p * (radix - 1);
        for (int64_t q = 0; q < t.s; q++) {
            const lanes<F> *const from = x + q + t.s * p;
            lanes<F> *const to = y + q + t.s * radix * p;
            const lanes<F> first = from[0];
            lanes<F> all = first;
            for (int j = 1; j <= half; j++) {
                const lanes<F> a = from[t.s * t.m * j],
                               b = from[t.s * t.m * (radix - j)];
                sum[j] = a + b;
                apart[j] = a - b;
                all = all + sum[j];
            }
            to[0] = all;
            for (int k = 1; k <= half; k++) {
                lanes<F> even = first, odd = apart[1] * t.roots[k].im;
                even = even + sum[1] * t.roots[k].re;
                for (int j = 2, at = 2 * k % radix; j <= half; j++) {
                    even = even + sum[j] * t.roots[at].re;
                    odd = odd + apart[j] * t.roots[at].im;
                    at += k;
                    if (at >= radix) at -= radix;
                }
                const lanes<F> turned = {-odd.im, odd.re};
                to[t.s * k] = (even + turned) * w[k - 1];
                to[t.s * (radix - k)] = (even - turned) * w[radix - k - 1];
            }
        }
    }
}

/* A transform of length n in lanes. */
template <class F>
struct line_plan {
    int64_t n = 0;
    int npasses = 0;
    pass<F> passes[MAX_PASSES];
    memory<point<F>> tables;

    bool make(int64_t length)
    {
        static const int radices[] = {4,  2,  3,  5,  7,   11,  13,  17,  19,  23, 29,
                                      31, 37, 41, 43, 47,  53,  59,  61,  67,  71, 73,
                                      79, 83, 89, 97, 101, 103, 107, 109, 113, 127};
        int64_t left = length, need = 0, s = 1;
        n = length;
        npasses = 0;
        for (int radix : radices) {
            while (left % radix == 0) {
                left /= radix;
                passes[npasses++] = {radix, left, s, nullptr, nullptr};
                need += left * (radix - 1) + (radix > 5 ? radix : 0);
                s *= radix;
            }
        }
        tables = memory<point<F>>(need);
        if (left != 1 || !tables) return false;
        point<F> *at = tables.get();
        for (int i = 0; i < npasses; i++) {
            pass<F> &t = passes[i];
            t.w = at;
            for (int64_t p = 0; p < t.m; p++) {
                for (int k = 1; k < t.radix; k++) *at++ = root<F>(p * k, t.m * t.radix);
            }
            t.roots = at;
            for (int k = 0; t.radix > 5 && k < t.radix; k++)
                *at++ = root<F>(k, t.radix);
        }
        return true;
    }

    /* In x or y: where the result is. */
    lanes<F> *run(lanes<F> *x, lanes<F> *y) const
    {
        for (int i = 0; i < npasses; i++) {
            switch (passes[i].radix) {
            case 2: run_pass<F, 2>(passes[i], x, y); break;
            case 3: run_pass<F, 3>(passes[i], x, y); break;
            case 4: run_pass<F, 4>(passes[i], x, y); break;
            case 5: run_pass<F, 5>(passes[i], x, y); break;
            default: run_any_pass(passes[i], x, y);
            }
            lanes<F> *const swapped = x;
            x = y;
            y = swapped;
        }
        return x;
    }
};

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

/* ---- plans ----------------------------------------------------------------------- */

/* A complex transform of length n, by one way at least. */
template <class F>
struct plan {
    int owners = 1;
    int64_t n = 0;         /* complex points */
    bool has_line = false; /* `whole` is made */
    line_plan<F> whole;
    int64_t a = 0, b = 0; /* of one row: n = a b; 0: not so */
    line_plan<F> of_a, of_b;
    memory<lanes<F>> spread;         /* root(k l, n), l the lane, k < a */
    memory<point<double>> high, low; /* root((k << bits) | j) = high[k] low[j] */
    int bits = 0;
    memory<point<F>> twice; /* root(k, 2n), k <= n: of real rows */
    shared<plan> chirp;     /* of Bluestein's convolution */
    memory<point<F>> chirps, kernel;

    bool make(int64_t length, bool real);
    bool make_halves();
    bool make_chirp();

    /* root(e, n), e < n */
    point<F> turn(int64_t e) const
    {
        const point<double> x = high[e >> bits] * low[e & ((1 << bits) - 1)];
        return {(F)x.re, (F)x.im};
    }
};

int64_t
without_small_primes(int64_t n)
{
    for (int p = 2; p <= LARGEST_RADIX; p++) {
        while (n % p == 0) n /= p;
    }
    return n;
}

/* The smallest length from n on of primes up to 5. */
int64_t
good_length(int64_t n)
{
    int64_t best = INT64_MAX;
    for (int64_t five = 1; five < best; five *= 5) {
        for (int64_t three = five; three < best; three *= 3) {
            int64_t two = three;
            while (two < n) two *= 2;
            if (two < best) best = two;
            if (three >= n) break;
        }
        if (five >= n) break;
    }
    return best;
}

template <class F>
shared<plan<F>> plan_get(int64_t n, bool real);

template <class F>
bool
plan<F>::make_halves()
{
    constexpr int L = vectors<F>::L;
    for (int64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) a = d;
    }
    if (a < 4) {
        a = 0;
        return true;
    }
    b = n / a;
    while ((int64_t)1 << (2 * bits) < n) bits++;
    const int64_t nlow = (int64_t)1 << bits, nhigh = (n >> bits) + 1;
    spread = memory<lanes<F>>(a);
    high = memory<point<double>>(nhigh);
    low = memory<point<double>>(nlow);
    if (!of_a.make(a) || !of_b.make(b) || !spread || !high || !low) return false;
    for (int64_t k = 0; k < nhigh; k++) high[k] = root<double>((k << bits) % n, n);
    for (int64_t k = 0; k < nlow; k++) low[k] = root<double>(k % n, n);
    for (int64_t k = 0; k < a; k++) {
        for (int l = 0; l < L; l++) {
            const point<F> w = root<F>(k * l % n, n);
            element(spread[k], 0, l) = w.re;
            element(spread[k], 1, l) = w.im;
        }
    }
    return true;
}

template <class F>
bool
plan<F>::make(int64_t length, bool real)
{
    n = length;
    if (real) {
        twice = memory<point<F>>(n + 1);
        if (!twice) return false;
        for (int64_t k = 0; k <= n; k++) twice[k] = root<F>(k, 2 * n);
    }
    if (without_small_primes(n) != 1) return make_chirp();
    if (!make_halves()) return false;
    has_line = n <= LONGEST_COLUMN || a == 0;
    return !has_line || whole.make(n);
}

/* ---- one row --------------------------------------------------------------------- */

/* Two buffers of lanes. */
template <class F>
struct buffers {
    memory<lanes<F>> x, y;
    explicit buffers(int64_t n) : x(n), y(n) {}
    explicit operator bool() const { return x && y; }
};

/* n complex points in, n out, which may be the same memory. */
struct row {
    const char *in;
    char *out;
    int64_t in_step, in_part, out_step, out_part;
    bool swapped;
};

/* fn(begin, end) over pieces of [0, n): by all threads if this row is `alone`. */
template <class Fn>
void
each(bool alone, int64_t n, int64_t grain, const Fn &fn)
{
    if (alone) {
        parallel(n, grain, fn);
    } else {
        fn(0, n);
    }
}

/* The lanes are neighbouring points, and then neighbouring results. */
template <class F>
bool
transform_halves(const plan<F> &p, const row &r, F scale, bool alone)
{
    constexpr int L = vectors<F>::L;
    constexpr int64_t SIZE = sizeof(F), POINT = sizeof(point<F>);
    const int64_t a = p.a, b = p.b;
    const memory<point<F>> between(p.n);
    bool failed = !between;

    if (failed) return false;
    each(alone, (b + L - 1) / L, POINTS_WORTH_A_THREAD / (a * L) + 1,
         [&](int64_t begin, int64_t end) {
             const buffers<F> two(a);
             if (!two) return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
             const layout from = {r.in_step * b, r.in_step, r.in_part, r.swapped};
             const layout to = {POINT * b, POINT, SIZE, false};
             for (int64_t j = begin * L; j < end * L && j < b; j += L) {
                 const int count = (int)(b - j < L ? b - j : L);
                 read_lanes(two.x.get(), r.in + j * r.in_step, from, count, a);
                 lanes<F> *const v = p.of_a.run(two.x.get(), two.y.get());
                 for (int64_t k = 1; k < a; k++) {
                     v[k] = v[k] * (p.spread[k] * p.turn(k * j));
                 }
                 write_lanes(v, (char *)(between.get() + j), to, count, a, F(1));
             }
         });
    if (failed) return false;
    each(alone, (a + L - 1) / L, POINTS_WORTH_A_THREAD / (b * L) + 1,
         [&](int64_t begin, int64_t end) {
             const buffers<F> two(b);
             if (!two) return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
             const layout from = {POINT, POINT * b, SIZE, false};
             const layout to = {r.out_step * a, r.out_step, r.out_part, r.swapped};
             for (int64_t k = begin * L; k < end * L && k < a; k += L) {
                 const int count = (int)(a - k < L ? a - k : L);
                 read_lanes(two.x.get(), (const char *)(between.get() + k * b), from,
                            count, b);
                 lanes<F> *const v = p.of_b.run(two.x.get(), two.y.get());
                 write_lanes(v, r.out + k * r.out_step, to, count, b, scale);
             }
         });
    return !failed;
}

/* Parts of point j, in memory that a row describes. */
template <class F>
INLINE point<F>
read_point(const char *p, int64_t step, int64_t part, bool swapped, int64_t j)
{
    const F re = *(const F *)(p + j * step), im = *(const F *)(p + j * step + part);
    return swapped ? point<F>{im, re} : point<F>{re, im};
}
template <class F>
INLINE void
write_point(char *p, int64_t step, int64_t part, bool swapped, int64_t j, point<F> x)
{
    *(F *)(p + j * step) = swapped ? x.im : x.re;
    *(F *)(p + j * step + part) = swapped ? x.re : x.im;
}

template <class F>
bool transform_row(const plan<F> &p, const row &r, F scale, bool alone);

/* X[k] = c[k] sum of (x[j] c[j]) conj(c[k - j]), c[k] = exp(-pi i k^2 / n). */
template <class F>
bool
transform_chirp(const plan<F> &p, const row &r, F scale, bool alone)
{
    const int64_t n = p.n, m = p.chirp->n;
    const memory<point<F>> x(m);
    const int64_t step = sizeof(point<F>), part = sizeof(F);

    if (!x) return false;
    for (int64_t j = 0; j < n; j++) {
        x[j] = read_point<F>(r.in, r.in_step, r.in_part, r.swapped, j) * p.chirps[j];
    }
    memset((void *)(x.get() + n), 0, (size_t)((m - n) * step));
    row inner = {(char *)x.get(), (char *)x.get(), step, part, step, part, false};
    if (!transform_row(*p.chirp, inner, F(1), alone)) return false;
    for (int64_t j = 0; j < m; j++) x[j] = x[j] * p.kernel[j];
    inner.swapped = true;
    if (!transform_row(*p.chirp, inner, F(1), alone)) return false;
    for (int64_t k = 0; k < n; k++) {
        point<F> y = x[k] * p.chirps[k];
        y = {y.re * scale, y.im * scale};
        write_point(r.out, r.out_step, r.out_part, r.swapped, k, y);
    }
    return true;
}

template <class F>
bool
transform_row(const plan<F> &p, const row &r, F scale, bool alone)
{
    if (p.chirp) return transform_chirp(p, r, scale, alone);
    if (p.a) return transform_halves(p, r, scale, alone);
    const buffers<F> two(p.n);
    const layout from = {r.in_step, 0, r.in_part, r.swapped};
    const layout to = {r.out_step, 0, r.out_part, r.swapped};
    if (!two) return false;
    read_lanes(two.x.get(), r.in, from, 1, p.n);
    write_lanes(p.whole.run(two.x.get(), two.y.get()), r.out, to, 1, p.n, scale);
    return true;
}

/* ---- real rows: of half as many points, each of two neighbours -------------------- */

/* X[k] and X[h - k] of Z[k] and Z[h - k], w = root(k, 2h). Where both are one point, the
 * first is written last: zeros in it are positive. */
template <class C, class F>
INLINE void
unfold(const C &z, const C &mirror, const point<F> &w, C *x, C *x_mirror)
{
    const C other = {mirror.re, -mirror.im};
    const C even = {(z.re + other.re) * F(0.5), (z.im + other.im) * F(0.5)};
    const C odd = {(z.im - other.im) * F(0.5), (other.re - z.re) * F(0.5)};
    const C turned = odd * w;
    *x = {even.re + turned.re, even.im + turned.im};
    *x_mirror = {even.re - turned.re, turned.im - even.im};
}

/* The inverse of twice that: Z[k] of X[k] and X[h - k]. */
template <class C, class F>
INLINE C
fold(const C &x, const C &mirror, const point<F> &w)
{
    const C other = {mirror.re, -mirror.im};
    const C odd = C{x.re - other.re, x.im - other.im} * point<F>{w.re, -w.im};
    return {x.re + other.re - odd.im, x.im + other.im + odd.re};
}

template <class F>
bool
row_from_real(const plan<F> &p, const cu_fft_lines &a, const char *in, char *out,
              bool alone)
{
    const int64_t h = p.n, part = sizeof(F);
    const memory<point<F>> z(h + 1);
    const F scale = (F)a.scale;
    const row r = {in,        (char *)z.get(),           2 * a.in_step,
                   a.in_step, (int64_t)sizeof(point<F>), part,
                   false};
    if (!z || !transform_row(p, r, scale, alone)) return false;
    z[h] = z[0];
    for (int64_t k = 0; k <= h / 2; k++) {
        point<F> x, mirror;
        unfold(z[k], z[h - k], p.twice[k], &x, &mirror);
        write_point(out, a.out_step, part, false, h - k, mirror);
        write_point(out, a.out_step, part, false, k, x);
    }
    return true;
}

template <class F>
bool
row_to_real(const plan<F> &p, const cu_fft_lines &a, const char *in, char *out,
            bool alone)
{
    const int64_t h = p.n, part = sizeof(F);
    const memory<point<F>> z(h);
    const row r = {
        (char *)z.get(), out, (int64_t)sizeof(point<F>), part, 2 * a.out_step,
        a.out_step,      true};
    if (!z) return false;
    for (int64_t k = 0; k < h; k++) {
        point<F> x = read_point<F>(in, a.in_step, part, false, k);
        point<F> mirror = read_point<F>(in, a.in_step, part, false, h - k);
        if (k == 0) x.im = mirror.im = 0;
        z[k] = fold(x, mirror, p.twice[k]);
    }
    return transform_row(p, r, (F)a.scale, alone);
}

template <class F>
bool
one_row(const plan<F> &p, const cu_fft_lines &a, int64_t i, bool alone)
{
    const char *const in = a.in + i * a.in_row;
    char *const out = a.out + i * a.out_row;
    const int64_t part = sizeof(F);
    if (a.kind == CU_FFT_FROM_REAL) return row_from_real(p, a, in, out, alone);
    if (a.kind == CU_FFT_TO_REAL) return row_to_real(p, a, in, out, alone);
    const row r = {in, out, a.in_step, part, a.out_step, part, a.inverse};
    return transform_row(p, r, (F)a.scale, alone);
}

/* ---- rows in lanes --------------------------------------------------------------- */

/* Rows [first, first + count). */
template <class F>
void
rows_in_lanes(const plan<F> &p, const cu_fft_lines &a, const buffers<F> &two,
              int64_t first, int count)
{
    const char *const in = a.in + first * a.in_row;
    char *const out = a.out + first * a.out_row;
    lanes<F> *const x = two.x.get(), *const y = two.y.get();
    const int64_t h = p.n, part = sizeof(F);
    const F scale = (F)a.scale;
    const layout plain_in = {a.in_step, a.in_row, part, a.inverse};
    const layout plain_out = {a.out_step, a.out_row, part, a.inverse};

    if (a.kind == CU_FFT_COMPLEX) {
        read_lanes(x, in, plain_in, count, h);
        write_lanes(p.whole.run(x, y), out, plain_out, count, h, scale);
    } else if (a.kind == CU_FFT_FROM_REAL) {
        const layout pairs = {2 * a.in_step, a.in_row, a.in_step, false};
        read_lanes(x, in, pairs, count, h);
        lanes<F> *const z = p.whole.run(x, y);
        z[h] = z[0];
        for (int64_t k = 0; k <= h / 2; k++) {
            lanes<F> low, high;
            unfold(z[k], z[h - k], p.twice[k], &low, &high);
            z[h - k] = high;
            z[k] = low;
        }
        write_lanes(z, out, {a.out_step, a.out_row, part, false}, count, h + 1, scale);
    } else {
        const layout pairs = {2 * a.out_step, a.out_row, a.out_step, true};
        read_lanes(y, in, {a.in_step, a.in_row, part, false}, count, h + 1);
        y[0].im = y[h].im = typename vectors<F>::V{};
        for (int64_t k = 0; k < h; k++) {
            const lanes<F> z = fold(y[k], y[h - k], p.twice[k]);
            x[k] = {z.im, z.re};
        }
        write_lanes(p.whole.run(x, y), out, pairs, count, h, scale);
    }
}

/* Whether several rows are a vector's lanes: they are short, or neighbours. */
template <class F>
bool
suits_lanes(const plan<F> &p, const cu_fft_lines &a)
{
    const int64_t point = (a.kind == CU_FFT_FROM_REAL ? 1 : 2) * (int64_t)sizeof(F);
    if (!p.has_line || a.rows < vectors<F>::L / 2) return false;
    return p.a == 0 || p.n <= LONGEST_IN_LANES || a.in_row == point;
}

template <class F>
bool
transform(const cu_fft_lines &a)
{
    constexpr int L = vectors<F>::L;
    const bool real = a.kind != CU_FFT_COMPLEX;
    const shared<plan<F>> p = plan_get<F>(real ? a.n / 2 : a.n, real);
    bool failed = !p;

    if (failed) return false;
    if (a.rows == 1) return one_row(*p, a, 0, true);
    const int64_t grain = POINTS_WORTH_A_THREAD / p->n + 1;
    if (suits_lanes(*p, a)) {
        parallel((a.rows + L - 1) / L, grain / L + 1, [&](int64_t begin, int64_t end) {
            const buffers<F> two(p->n + 1);
            if (!two) return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
            for (int64_t i = begin * L; i < end * L && i < a.rows; i += L) {
                rows_in_lanes(*p, a, two, i, (int)(a.rows - i < L ? a.rows - i : L));
            }
        });
    } else {
        parallel(a.rows, grain, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; i++) {
                if (one_row(*p, a, i, false)) continue;
                return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
            }
        });
    }
    return !failed;
}

/* ---- plans that are kept --------------------------------------------------------- */

template <class F>
bool
plan<F>::make_chirp()
{
    const int64_t m = good_length(2 * n - 1), step = sizeof(point<F>);
    const double part = 1 / (double)m;
    row r = {nullptr, nullptr, step, (int64_t)sizeof(F), step, (int64_t)sizeof(F),
             false};
    chirps = memory<point<F>>(n);
    kernel = memory<point<F>>(m);
    chirp = plan_get<F>(m, false);
    if (!chirps || !kernel || !chirp) return false;
    memset((void *)kernel.get(), 0, (size_t)(m * step));
    for (int64_t k = 0; k < n; k++) {
        const point<double> c =
            root<double>((int64_t)((__int128)k * k % (2 * n)), 2 * n);
        chirps[k] = {(F)c.re, (F)c.im};
        kernel[k] = {(F)(c.re * part), (F)(-c.im * part)};
        if (k) kernel[m - k] = kernel[k];
    }
    r.in = r.out = (char *)kernel.get();
    return transform_row(*chirp, r, F(1), false);
}

constexpr int MAX_PLANS = 24;
constexpr int64_t MAX_POINTS = 1 << 22; /* of all that are kept but the newest */

template <class F>
struct kept_plans {
    std::mutex lock;
    int count = 0;
    struct {
        bool real;
        shared<plan<F>> p;
    } at[MAX_PLANS]; /* the newest first */

    void to_front_locked(int i)
    {
        for (; i > 0; i--) {
            const auto passed = at[i - 1];
            at[i - 1] = at[i];
            at[i] = passed;
        }
    }

    shared<plan<F>> find(int64_t n, bool real)
    {
        std::lock_guard<std::mutex> held(lock);
        for (int i = 0; i < count; i++) {
            if (at[i].p->n != n || at[i].real != real) continue;
            to_front_locked(i);
            return at[0].p;
        }
        return shared<plan<F>>();
    }

    void keep(const shared<plan<F>> &p, bool real)
    {
        std::lock_guard<std::mutex> held(lock);
        if (count < MAX_PLANS) count++;
        at[count - 1] = {real, p};
        to_front_locked(count - 1);
        int64_t points = 0;
        for (int i = 1; i < count; i++) {
            points += at[i].p->n;
            if (points <= MAX_POINTS) continue;
            while (count > i) at[--count].p = shared<plan<F>>();
        }
    }
};

/* Of n complex points, which may be pairs of real ones; NULL where memory lacks. */
template <class F>
shared<plan<F>>
plan_get(int64_t n, bool real)
{
    static kept_plans<F> kept;
    const shared<plan<F>> found = kept.find(n, real);
    if (found) return found;
    const shared<plan<F>> made(new (std::nothrow) plan<F>());
    if (!made || !made->make(n, real)) return shared<plan<F>>();
    kept.keep(made, real);
    return made;
}

} // namespace

bool
CUPRIC_HOST_LEVEL(cu_fft_engine)(const cu_fft_lines *lines)
{
    return lines->single ? transform<float>(*lines) : transform<double>(*lines);
}
