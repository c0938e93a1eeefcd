/* _fill.cuh: arrays of a sampler's numbers, with parameters for each element.
 *
 * On the CPU the first blocks and normal numbers (BLOCKS, NORMALS) are computed for a run of
 * elements at once, by loops that vectorise. What is left is a few multiplications for most
 * elements.
 */
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

#define PARAMETER(x)                                                                   \
    const double *x, double x##_number, long long x##_repeat, long long x##_period
#define GIVEN(x)                                                                       \
    parameter                                                                          \
    {                                                                                  \
        x, x##_number, x##_repeat, x##_period                                          \
    }

template <class Sampler>
struct sampler_of {
    parameter p[3];
    __device__ Sampler operator[](long long i) const
    {
        const double at[] = {p[0][i], p[1][i], p[2][i]};
        return Sampler(at);
    }
};

#if defined(CUPRIC_HOST)
/* Functions that compilers take by themselves: of those that it looks through, GCC 12 leaves
 * out stores that they read (-fipa-modref). WHOLE ones take in all that they call, which
 * compilers cease to do within what is as large as all samplers together: without it
 * loops do not vectorise. */
#define ALONE __attribute__((noipa, noinline))
#define WHOLE __attribute__((noipa, noinline, flatten))

/* What a run of elements begins with, of one stage. */
struct beginnings {
    unsigned int word[4][RUN];
    double normal[RUN];
};

#if defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__)
/* Four counter words, each the lower half of a lane: GCC by itself takes products of 64 bits,
 * and twice as long. What stands in upper halves is not looked at. */
typedef word64 lanes __attribute__((vector_size(32)));
typedef int half_lanes __attribute__((vector_size(32)));

static inline lanes
product(lanes a, word64 b)
{
    return (lanes)__builtin_ia32_pmuludq256((half_lanes)a, (half_lanes)(lanes{} + b));
}

/* Two vectors at a time, to hide the latency of multiplication; the last may go beyond n. */
WHOLE static void
make_blocks(beginnings &all, int n, word64 key, word64 counter, word64 begin, int stage)
{
    for (int at = 0; at < n; at += 8) {
        unsigned int k0 = (unsigned int)key, k1 = (unsigned int)(key >> 32);
        lanes c[2][4];
        for (int g = 0; g < 2; g++) {
            c[g][0] = lanes{0, 1, 2, 3} + (begin + (word64)(at + 4 * g));
            c[g][1] = c[g][0] >> 32 | (word64)stage << 28;
            c[g][2] = lanes{} + counter;
            c[g][3] = lanes{} + (counter >> 32);
        }
        for (int round = 0; round < 10; round++) {
            for (int g = 0; g < 2; g++) {
                const lanes p = product(c[g][0], 0xd2511f53u);
                const lanes q = product(c[g][2], 0xcd9e8d57u);
                c[g][0] = q >> 32 ^ c[g][1] ^ (word64)k0;
                c[g][1] = q;
                c[g][2] = p >> 32 ^ c[g][3] ^ (word64)k1;
                c[g][3] = p;
            }
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        for (int g = 0; g < 2; g++) {
            for (int k = 0; k < 4; k++) {
                for (int i = 0; i < 4; i++)
                    all.word[k][at + 4 * g + i] = (unsigned int)c[g][k][i];
            }
        }
    }
}
#else
WHOLE static void
make_blocks(beginnings &all, int n, word64 key, word64 counter, word64 begin, int stage)
{
    for (int i = 0; i < n; i++) {
        const cupric::philox_block b = cupric::random_block(
            key, counter, begin + (word64)i, (unsigned int)stage << 12);
        for (int k = 0; k < 4; k++) all.word[k][i] = b.word[k];
    }
}
#endif

WHOLE static void
make_normals(beginnings &all, int n)
{
    for (int i = 0; i < n; i++)
        all.normal[i] = block_normal(all.word[0][i], all.word[1][i], all.word[2][i]);
}

/* Elements [begin, begin + n), n <= RUN. */
template <class Sampler, class Y, class Pick>
ALONE static void
fill_run(Y *out, long long begin, int n, word64 key, word64 counter, const Pick &pick)
{
    constexpr int B = Sampler::BLOCKS, N = Sampler::NORMALS;
    beginnings all[B];

    for (int g = 0; g < B; g++) make_blocks(all[g], n, key, counter, (word64)begin, g);
    for (int g = 0; g < N; g++) make_normals(all[g], n);
    for (int i = 0; i < n; i++) {
        stream<B, N> s(key, counter, (word64)(begin + i));
        for (int g = 0; g < B; g++) {
            for (int k = 0; k < 4; k++) s.first[g].word[k] = all[g].word[k][i];
        }
        for (int g = 0; g < N; g++) s.first_normal[g] = all[g].normal[i];
        out[begin + i] = stored<Y>::of(pick(begin + i)(s));
    }
}
#endif

/* Launch: blocks(ceil(n / RUN), RUN). */
template <class Sampler, class Y>
__device__ inline void
fill(Y *out, long long n, word64 key, word64 counter, const sampler_of<Sampler> &given)
{
    const long long runs = (n + RUN - 1) / RUN;
    const bool one = !given.p[0].at && !given.p[1].at && !given.p[2].at;
    const Sampler same = given[0];

    CUPRIC_EACH_BLOCK (run, runs) {
        const long long begin = run * RUN;
#if defined(CUPRIC_HOST)
        const int count = (int)(n - begin < RUN ? n - begin : RUN);
        if (one) {
            fill_run<Sampler>(out, begin, count, key, counter,
                              [&](long long) -> const Sampler & { return same; });
        } else {
            fill_run<Sampler>(out, begin, count, key, counter,
                              [&](long long i) { return given[i]; });
        }
#else
        const long long i = begin + threadIdx.x;
        if (i < n) {
            const stream_of<Sampler> s(key, counter, (word64)i);
            const Sampler own = one ? same : given[i];
            out[i] = stored<Y>::of(own(s));
        }
#endif
    }
}
