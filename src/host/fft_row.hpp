/* host/fft_row.hpp: one row at a time, of any length.
 *
 *   halves     n = a b: transforms of length a whose lanes are neighbouring points, a
 *              twist, and transforms of length b whose lanes are neighbouring results.
 *              Memory is read and written twice, whatever n is.
 *   a chirp    a large prime in n: a convolution, after Bluestein
 */
#ifndef CUPRIC_HOST_FFT_ROW_HPP
#define CUPRIC_HOST_FFT_ROW_HPP

#include <string.h>

#include "host/fft_plan.hpp"
#include "host/parallel.hpp"

namespace {

constexpr int64_t POINTS_WORTH_A_THREAD = 1 << 14;

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
    chirp = plan_get<F>(m, NO_TWISTS);
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

} // namespace

#endif
