/* host/fft_dct.hpp: discrete cosine and sine transforms, each by one complex transform of
 * h points with a loop before and one after it.
 *
 * The algorithms are those of cupricx/scipy/fft/_realtransforms.cuh, but that type 4 of even
 * n is multiplied by t[k] = exp(-i pi (8k + 1) / 8n) on both sides:
 *
 *   z[j] = (x[2j] + i x[n - 1 - 2j]) t[j], Z its transform,
 *   y[2k] = 2 Re(t[k] Z[k]), y[n - 1 - 2k] = -2 Im(t[k] Z[k])
 *
 * A real transform of an even number of points is one of half as many complex ones; of an
 * odd number it is a complex one whose imaginary parts are 0.
 *
 * Zeros that a change of sign makes negative are made positive: 0 is added.
 *
 * The loops are the same for one row and for rows in lanes: a number is then a vector.
 */
#ifndef CUPRIC_HOST_FFT_DCT_HPP
#define CUPRIC_HOST_FFT_DCT_HPP

#include <initializer_list>

#include "host/fft_lines.h"
#include "host/fft_row.hpp"

namespace {

/* Real numbers, the parts of a C each, `step` bytes apart. */
template <class C>
struct strand;
template <class F>
struct strand<point<F>> {
    char *p;
    int64_t step;

    INLINE F &operator[](int64_t j) const { return *(F *)(p + j * step); }
    strand backwards(int64_t n) const { return {p + (n - 1) * step, -step}; }
};
template <class F>
struct strand<lanes<F>> {
    typedef typename vectors<F>::unaligned U;
    char *p;
    int64_t step;

    INLINE U &operator[](int64_t j) const { return *(U *)(p + j * step); }
    strand backwards(int64_t n) const { return {p + (n - 1) * step, -step}; }
};

/* fn(i) for those i of [begin, end) that are in [from, to). */
template <class Fn>
INLINE void
within(int64_t begin, int64_t end, int64_t from, int64_t to, const Fn &fn)
{
    const int64_t last = end < to ? end : to;
    for (int64_t i = begin > from ? begin : from; i < last; i++) fn(i);
}

constexpr double ROOT_OF_2 = 1.4142135623730951;

/* One transform of n real numbers, and its complex one. */
template <class F>
struct dct {
    int type;
    bool sine, orthogonal, pairs;
    int64_t n, h;
    F scale;
    const plan<F> &p;

    dct(const cu_fft_lines &a, const plan<F> &complex)
        : type(a.type), sine(a.kind == CU_FFT_SINE), orthogonal(a.orthogonal),
          pairs(a.type == 1 || a.n % 2 == 0), n(a.n), h(complex.n), scale((F)a.scale),
          p(complex)
    {
    }

    /* How many steps there are before and after the complex transform. */
    int64_t steps_before() const
    {
        if (type == 1) return 2 * h;
        if (type == 3) return (pairs ? h : n) / 2 + 1;
        return type == 4 && pairs ? h : n;
    }
    int64_t steps_after() const
    {
        if (type < 3) return (pairs ? h : n) / 2 + 1;
        return type == 4 && pairs ? h : n;
    }

    /* Steps [begin, end): x to z. */
    template <class C>
    void before(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        if (sine && type >= 3) x = x.backwards(n);
        if (type == 1)
            return sine ? extend_odd(x, z, begin, end) : extend(x, z, begin, end);
        if (type == 2) return evens_first(x, z, begin, end);
        if (type == 3)
            return pairs ? rotate_pairs(x, z, begin, end) : rotate(x, z, begin, end);
        return pairs ? pair(x, z, begin, end) : permute(x, z, begin, end);
    }

    /* Steps [begin, end): the complex transform z to y. */
    template <class C>
    void after(C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        if (sine && type == 2) y = y.backwards(n);
        if (type == 1) return unfold_real(z, y, begin, end);
        if (type == 2)
            return pairs ? unrotate_pairs(z, y, begin, end)
                         : unrotate(z, y, begin, end);
        if (type == 3) return interleave(z, y, begin, end);
        return pairs ? unpair(z, y, begin, end) : unpermute(z, y, begin, end);
    }

    /* ---- type 1 ------------------------------------------------------------------ */

    template <class C>
    void extend(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        auto *const v = &z->re;
        within(begin, end, 0, h, [&](int64_t i) { v[i] = x[i]; });
        within(begin, end, h, 2 * h, [&](int64_t i) { v[i] = x[2 * h - i]; });
        if (!orthogonal) return;
        for (int64_t edge : {(int64_t)0, h}) {
            within(begin, end, edge, edge + 1,
                   [&](int64_t i) { v[i] = v[i] * F(ROOT_OF_2); });
        }
    }

    template <class C>
    void extend_odd(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        auto *const v = &z->re;
        within(begin, end, 1, h, [&](int64_t i) { v[i] = x[i - 1]; });
        within(begin, end, h + 1, 2 * h, [&](int64_t i) { v[i] = -x[2 * h - i - 1]; });
        for (int64_t edge : {(int64_t)0, h}) {
            within(begin, end, edge, edge + 1,
                   [&](int64_t i) { v[i] = decltype(z->re){}; });
        }
    }

    template <class C>
    void unfold_real(const C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, h / 2 + 1, [&](int64_t k) {
            const decltype(z->im) zero = {};
            C low, high;
            unfold(z[k], z[k ? h - k : 0], p.twice[k], &low, &high);
            if (!sine) {
                y[h - k] = high.re * scale;
                y[k] = low.re * scale;
            } else if (k) {
                y[h - k - 1] = (zero - high.im) * scale;
                y[k - 1] = (zero - low.im) * scale;
            }
        });
        if (!orthogonal || begin) return;
        y[0] = y[0] * F(1 / ROOT_OF_2);
        y[h] = y[h] * F(1 / ROOT_OF_2);
    }

    /* ---- types 2 and 3 ----------------------------------------------------------- */

    template <class C>
    void evens_first(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        const int64_t half = (n + 1) / 2, by = pairs ? 1 : 2;
        const F sign = sine ? F(-1) : F(1);
        auto *const v = &z->re;
        within(begin, end, 0, half, [&](int64_t i) { v[i * by] = x[2 * i]; });
        within(begin, end, half, n,
               [&](int64_t i) { v[i * by] = x[2 * (n - i) - 1] * sign; });
        if (pairs) return;
        within(begin, end, 0, n, [&](int64_t i) { z[i].im = decltype(z->im){}; });
    }

    /* y[k] and y[n - k] of V[k] */
    template <class C>
    INLINE void emit(const C &V, int64_t k, strand<C> y) const
    {
        const point<F> w = p.turns[k];
        const F twofold = 2 * scale;
        y[k] = (V.re * w.re - V.im * w.im) * twofold;
        if (k && k < n - k) y[n - k] = (V.re * -w.im - V.im * w.re) * twofold;
    }

    template <class C>
    void unrotate_pairs(const C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, h / 2 + 1, [&](int64_t k) {
            C low, high;
            unfold(z[k], z[k ? h - k : 0], p.twice[k], &low, &high);
            emit(high, h - k, y);
            emit(low, k, y);
        });
        scale_first(y, begin);
    }

    template <class C>
    void unrotate(const C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, n / 2 + 1, [&](int64_t k) { emit(z[k], k, y); });
        scale_first(y, begin);
    }

    template <class C>
    void scale_first(strand<C> y, int64_t begin) const
    {
        if (orthogonal && begin == 0) y[0] = y[0] * F(1 / ROOT_OF_2);
    }

    /* V[k] of x[k] and x[n - k] */
    template <class C>
    INLINE C rotated(strand<C> x, int64_t k) const
    {
        const point<F> w = p.turns[k];
        const auto a = +x[k], b = +x[n - k];
        return {a * w.re - b * w.im, a * -w.im - b * w.re};
    }

    template <class C>
    INLINE C first_rotated(strand<C> x) const
    {
        return {x[0] * (orthogonal ? F(ROOT_OF_2) : F(1)), decltype(C::im){}};
    }

    /* The parts are swapped, as the transform is the inverse one. */
    template <class C>
    void rotate_pairs(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, 1, [&](int64_t) {
            const auto first = first_rotated<C>(x).re, last = rotated<C>(x, h).re;
            z[0] = {first - last, first + last};
        });
        within(begin, end, 1, h / 2 + 1, [&](int64_t k) {
            const point<F> w = {p.twice[k].re, -p.twice[k].im};
            const C low = rotated<C>(x, k), high = rotated<C>(x, h - k);
            const C even = {low.re + high.re, low.im - high.im};
            const C odd = C{low.re - high.re, low.im + high.im} * w;
            z[h - k] = {odd.re - even.im, even.re + odd.im};
            z[k] = {even.im + odd.re, even.re - odd.im};
        });
    }

    /* The forward transform of what is conjugate to V. */
    template <class C>
    void rotate(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, 1, [&](int64_t) { z[0] = first_rotated<C>(x); });
        within(begin, end, 1, n / 2 + 1, [&](int64_t k) {
            const C V = rotated<C>(x, k);
            z[k] = {V.re, -V.im};
            z[n - k] = V;
        });
    }

    template <class C>
    void interleave(const C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        const int64_t half = (n + 1) / 2, by = pairs ? 1 : 2, swapped = pairs;
        const F sign = sine ? -scale : scale;
        const auto *const v = &z->re;
        within(begin, end, 0, half,
               [&](int64_t i) { y[2 * i] = v[(i * by) ^ swapped] * scale; });
        within(begin, end, half, n, [&](int64_t i) {
            y[2 * (n - i) - 1] = v[(i * by) ^ swapped] * sign + F(0);
        });
    }

    /* ---- type 4 ------------------------------------------------------------------ */

    template <class C>
    void pair(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, h, [&](int64_t j) {
            z[j] = C{x[2 * j], x[n - 1 - 2 * j]} * p.turns[j];
        });
    }

    template <class C>
    void unpair(const C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        const F twofold = 2 * scale, sign = sine ? twofold : -twofold;
        within(begin, end, 0, h, [&](int64_t k) {
            const C turned = z[k] * p.turns[k];
            y[2 * k] = turned.re * twofold;
            y[n - 1 - 2 * k] = turned.im * sign + F(0);
        });
    }

    /* Modulo 8n: the number that is 1 modulo 8 and 8 i modulo n. */
    template <class C>
    void permute(strand<C> x, C *z, int64_t begin, int64_t end) const
    {
        within(begin, end, 0, n, [&](int64_t i) {
            int64_t a = (8 * i + n * (n % 8)) % (8 * n);
            if (a > 4 * n) a = 8 * n - a;
            const bool negative = a > 2 * n;
            if (negative) a = 4 * n - a;
            const auto value = +x[(a - 1) / 2];
            z[i] = {negative ? -value : value, decltype(z->im){}};
        });
    }

    template <class C>
    void unpermute(const C *z, strand<C> y, int64_t begin, int64_t end) const
    {
        const int inverse = (int)(n % 8); /* of n modulo 8: of pi / 4 */
        const F root = F(ROOT_OF_2) * scale;
        const F of_re = inverse == 1 || inverse == 7 ? root : -root;
        const F of_im = inverse == 1 || inverse == 3 ? root : -root;
        within(begin, end, 0, n, [&](int64_t i) {
            const int64_t b = 2 * i + 1;
            const int r = (int)(b % 8);
            const bool mirrored = r == 7 || r == 3, negative = r == 5 || r == 3;
            const C &Z = z[mirrored ? (n - b % n) % n : b % n];
            const F sign = negative != (sine && i % 2) ? F(-1) : F(1);
            y[i] = Z.re * (of_re * sign) + (Z.im * (of_im * sign) + F(0));
        });
    }
};

/* The complex transform of a call. */
template <class F>
shared<plan<F>>
dct_plan(const cu_fft_lines &a)
{
    const bool even = a.n % 2 == 0;
    if (a.type == 1) {
        return plan_get<F>(a.kind == CU_FFT_SINE ? a.n + 1 : a.n - 1, OF_PAIRS);
    }
    if (a.type != 4) {
        return plan_get<F>(even ? a.n / 2 : a.n, even ? OF_COSINES : OF_COSINES_ODD);
    }
    return plan_get<F>(even ? a.n / 2 : a.n, even ? OF_COSINES_OF_PAIRS : NO_TWISTS);
}

template <class F>
bool
dct_row(const plan<F> &p, const cu_fft_lines &a, const char *in, char *out, bool alone)
{
    const int64_t step = sizeof(point<F>), part = sizeof(F);
    const dct<F> t(a, p);
    const memory<point<F>> z(p.n);
    const row r = {(char *)z.get(), (char *)z.get(), step, part, step, part, false};
    if (!z) return false;
    each(alone, t.steps_before(), POINTS_WORTH_A_THREAD,
         [&](int64_t begin, int64_t end) {
             t.before(strand<point<F>>{(char *)in, a.in_step}, z.get(), begin, end);
         });
    if (!transform_row(p, r, F(1), alone)) return false;
    each(alone, t.steps_after(), POINTS_WORTH_A_THREAD,
         [&](int64_t begin, int64_t end) {
             t.after(z.get(), strand<point<F>>{out, a.out_step}, begin, end);
         });
    return true;
}

/* Numbers j < n of rows l < count, at p + j step + l row, to lanes. */
template <class F>
void
read_numbers(typename vectors<F>::V *to, const char *p, int64_t step, int64_t row,
             int count, int64_t n)
{
    typedef typename vectors<F>::V V;
    typedef const typename vectors<F>::unaligned U;
    constexpr int L = vectors<F>::L;
    int64_t j = 0;
    if (count == L && step == sizeof(F)) {
        for (; j + L <= n; j += L) {
            V r[L];
            for (int l = 0; l < L; l++) r[l] = *(U *)(p + j * step + l * row);
            transpose(r);
            for (int l = 0; l < L; l++) to[j + l] = r[l];
        }
    }
    for (; j < n; j++) {
        to[j] = V{};
        for (int l = 0; l < count; l++) to[j][l] = *(const F *)(p + j * step + l * row);
    }
}

template <class F>
void
write_numbers(const typename vectors<F>::V *from, char *p, int64_t step, int64_t row,
              int count, int64_t n)
{
    typedef typename vectors<F>::V V;
    typedef typename vectors<F>::unaligned U;
    constexpr int L = vectors<F>::L;
    int64_t j = 0;
    if (count == L && step == sizeof(F)) {
        for (; j + L <= n; j += L) {
            V r[L];
            for (int l = 0; l < L; l++) r[l] = from[j + l];
            transpose(r);
            for (int l = 0; l < L; l++) *(U *)(p + j * step + l * row) = r[l];
        }
    }
    for (; j < n; j++) {
        for (int l = 0; l < count; l++) *(F *)(p + j * step + l * row) = from[j][l];
    }
}

/* Of the two buffers, each has room for n vectors beside the complex transform. */
template <class F>
void
dct_in_lanes(const plan<F> &p, const cu_fft_lines &a, const buffers<F> &two,
             const char *in, char *out, int count)
{
    typedef typename vectors<F>::V V;
    const int64_t size = sizeof(F);
    const bool all = count == vectors<F>::L;
    lanes<F> *const x = two.x.get(), *const y = two.y.get();
    const dct<F> t(a, p);

    strand<lanes<F>> from = {(char *)in, a.in_step};
    if (!all || a.in_row != size) {
        read_numbers<F>((V *)y, in, a.in_step, a.in_row, count, a.n);
        from = {(char *)y, sizeof(V)};
    }
    t.before(from, x, 0, t.steps_before());
    lanes<F> *const z = p.whole.run(x, y);
    if (all && a.out_row == size) {
        return t.after(z, strand<lanes<F>>{out, a.out_step}, 0, t.steps_after());
    }
    lanes<F> *const line = z == x ? y : x;
    t.after(z, strand<lanes<F>>{(char *)line, sizeof(V)}, 0, t.steps_after());
    write_numbers<F>((V *)line, out, a.out_step, a.out_row, count, a.n);
}

} // namespace

#endif
