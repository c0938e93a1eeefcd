/* host/fft_engine.hpp: Fourier transforms in vectors, compiled once for each instruction
 * set: several rows in the lanes of vectors, or one by one.
 */
#ifndef CUPRIC_HOST_FFT_ENGINE_HPP
#define CUPRIC_HOST_FFT_ENGINE_HPP

#include "host/fft_dct.hpp"
#include "host/threads.h"

namespace {

constexpr int64_t LONGEST_IN_LANES = 4096; /* points, but of rows that are neighbours */

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
    if (a.kind >= CU_FFT_COSINE) return dct_row(p, a, in, out, alone);
    if (a.kind == CU_FFT_FROM_REAL) return row_from_real(p, a, in, out, alone);
    if (a.kind == CU_FFT_TO_REAL) return row_to_real(p, a, in, out, alone);
    const row r = {in, out, a.in_step, part, a.out_step, part, a.inverse};
    return transform_row(p, r, (F)a.scale, alone);
}

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

    if (a.kind >= CU_FFT_COSINE) {
        dct_in_lanes(p, a, two, in, out, count);
    } else if (a.kind == CU_FFT_COMPLEX) {
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
    const bool real = a.kind == CU_FFT_FROM_REAL || a.kind >= CU_FFT_COSINE;
    const int64_t point = (real ? 1 : 2) * (int64_t)sizeof(F);
    if (!p.has_line || a.rows < vectors<F>::L / 2) return false;
    return p.a == 0 || p.n <= cu_host_threshold(LONGEST_IN_LANES, 16) ||
           a.in_row == point;
}

template <class F>
shared<plan<F>>
plan_of(const cu_fft_lines &a)
{
    if (a.kind >= CU_FFT_COSINE) return dct_plan<F>(a);
    if (a.kind == CU_FFT_COMPLEX) return plan_get<F>(a.n, NO_TWISTS);
    return plan_get<F>(a.n / 2, OF_PAIRS);
}

template <class F>
bool
transform(const cu_fft_lines &a)
{
    constexpr int L = vectors<F>::L;
    const shared<plan<F>> p = plan_of<F>(a);
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

} // namespace

bool
CUPRIC_HOST_LEVEL(cu_fft_engine)(const cu_fft_lines *lines)
{
    return lines->single ? transform<float>(*lines) : transform<double>(*lines);
}

#endif
