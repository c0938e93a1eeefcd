/* _fill.cuh: arrays of a sampler's numbers, with parameters for each element.
 *
 * A thread makes an element after the other; _fill.host.hpp has what a CPU does.
 */
#include "_fill.h"
#include "_stream.cuh"

/* How a number is stored: integers saturate; NaN is -1, the largest of unsigned ones. */
template <class Y>
struct stored {
    __device__ static Y of(double x) { return (Y)x; }
};
template <>
struct stored<long long> {
    __device__ static long long of(double x)
    {
        if (x != x) return -1;
        return fabs(x) < 0x1p63 ? (long long)x : 0x7fffffffffffffffll;
    }
};
template <>
struct stored<int> {
    __device__ static int of(double x) { return (int)stored<long long>::of(x); }
};

/* Where numbers go: as Y, or as the narrower type of its kind. That is an argument, so that
 * samplers are compiled once for both. */
template <class Y>
struct narrowed {
    typedef float type;
};
template <>
struct narrowed<long long> {
    typedef int type;
};

template <class Y>
struct results {
    typedef typename narrowed<Y>::type N;
    void *at;
    bool narrow;

    __device__ void put(long long i, double x) const
    {
        if (narrow)
            ((N *)at)[i] = stored<N>::of(x);
        else
            ((Y *)at)[i] = stored<Y>::of(x);
    }
    /* Elements i and, where both are wanted, i + 1; i is even. */
    __device__ void put_pair(long long i, const double *x, bool both) const
    {
        if (narrow)
            put_two((N *)at + i, x, both);
        else
            put_two((Y *)at + i, x, both);
    }

  private:
    template <class T>
    __device__ static void put_two(T *out, const double *x, bool both)
    {
        struct alignas(2 * sizeof(T)) pair {
            T at[2];
        };
        const pair made = {{stored<T>::of(x[0]), stored<T>::of(x[1])}};
        if (both && (word64)out % sizeof(pair) == 0) {
            *(pair *)out = made;
        } else {
            out[0] = made.at[0];
            if (both) out[1] = made.at[1];
        }
    }
};

/* A parameter for each element: a number, or an array that is broadcast. */
struct parameter {
    const double *at; /* NULL: the number */
    double number;
    long long repeat, period; /* element i has at[i / repeat % period] */

    __device__ double operator[](long long i) const
    {
        if (!at) return number;
        if (repeat != 1) i /= repeat;
        return at[i < period ? i : i % period];
    }
};

/* The sampler of each element, by its parameters. */
template <class Sampler>
struct sampler_of {
    parameter p[3];

    __device__ sampler_of(const double *a, const double *b, const double *c,
                          const fill_plan &f, const fill_spread &s)
        : p{{a, f.a, s.repeat[0], s.period[0]},
            {b, f.b, s.repeat[1], s.period[1]},
            {c, f.c, s.repeat[2], s.period[2]}}
    {
    }
    __device__ Sampler operator[](long long i) const
    {
        const double at[] = {p[0][i], p[1][i], p[2][i]};
        return Sampler(at);
    }
    /* Whether all elements have the same. */
    __device__ bool same() const { return !p[0].at && !p[1].at && !p[2].at; }
};

/* Elements [begin, begin + count) by the threads of a block. Those that the first trial
 * leaves are put together, so that no warp waits for a few of its threads; so are those of
 * the second, and so on. What is left after the last trial goes by the sampler's own loop. */
template <class Sampler, class Out>
__device__ inline void
fill_by_trials(const Out &out, long long begin, int count, word64 key, word64 counter,
               const Sampler &same)
{
    constexpr int T = Sampler::TRIALS;
    __shared__ unsigned short left[2][RUN * MOST_EACH];
    __shared__ int waiting[T];

    if (threadIdx.x < T) waiting[threadIdx.x] = 0;
    __syncthreads();
    for (int j = threadIdx.x; j < count; j += RUN) {
        const stream<0, 0> s(key, counter, (word64)(begin + j));
        double x;
        if (same.trial(s, 0, &x)) {
            out.put(begin + j, x);
        } else {
            left[0][atomicAdd(&waiting[0], 1)] = (unsigned short)j;
        }
    }
    __syncthreads();
    for (int t = 1; t < T; t++) {
        const unsigned short *const from = left[(t - 1) % 2];
        for (int q = threadIdx.x; q < waiting[t - 1]; q += RUN) {
            const stream<0, 0> s(key, counter, (word64)(begin + from[q]));
            double x;
            if (same.trial(s, t, &x)) {
                out.put(begin + from[q], x);
            } else {
                left[t % 2][atomicAdd(&waiting[t], 1)] = from[q];
            }
        }
        __syncthreads();
    }
    for (int q = threadIdx.x; q < waiting[T - 1]; q += RUN) {
        const long long i = begin + left[(T - 1) % 2][q];
        out.put(i, same(stream<0, 0>(key, counter, (word64)i)));
    }
    __syncthreads();
}

/* Launch: blocks(ceil(n / (RUN * each)), RUN), each <= MOST_EACH. */
template <class Y, class Sampler>
__device__ inline void
fill(void *out, const sampler_of<Sampler> &given, const fill_plan &p)
{
    const results<Y> to = {out, p.narrow};
    const long long length = (long long)RUN * p.each;
    const bool one = given.same();
    const Sampler same = given[0];

    CUPRIC_EACH_BLOCK (run, (p.n + length - 1) / length) {
        const long long begin = run * length;
        const long long end = begin + length < p.n ? begin + length : p.n;
        const int count = (int)(end - begin);
        if constexpr (Sampler::TRIALS > 0) {
            if (one) {
                fill_by_trials<Sampler>(to, begin, count, p.key, p.counter, same);
                continue;
            }
        }
        for (int j = threadIdx.x; j < count; j += RUN) {
            const stream<0, 0> s(p.key, p.counter, (word64)(begin + j));
            const Sampler own = one ? same : given[begin + j];
            to.put(begin + j, own(s));
        }
    }
}
