/* host/fft_passes.hpp: a transform in lanes, by passes of radix 2, 3, 4, 5 and of other
 * primes up to 127 between two buffers, after Stockham, whose results come in order.
 */
#ifndef CUPRIC_HOST_FFT_PASSES_HPP
#define CUPRIC_HOST_FFT_PASSES_HPP

#include "host/fft_lanes.hpp"

namespace {

constexpr int LARGEST_RADIX = 127; /* beyond, a convolution takes no longer */
constexpr int MAX_PASSES = 48;

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

} // namespace

#endif
