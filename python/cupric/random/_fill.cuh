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
    /* Whether all elements have the same. */
    __device__ bool same() const { return !p[0].at && !p[1].at && !p[2].at; }
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
    double normal[RUN], boost[RUN];
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
make_blocks(beginnings &all, int n, word64 key, word64 counter, const word64 *element,
            unsigned int attempt)
{
    for (int at = 0; at < n; at += 8) {
        unsigned int k0 = (unsigned int)key, k1 = (unsigned int)(key >> 32);
        lanes c[2][4];
        for (int g = 0; g < 2; g++) {
            const word64 *const e = element + at + 4 * g;
            c[g][0] = lanes{e[0], e[1], e[2], e[3]};
            c[g][1] = c[g][0] >> 32 | (word64)attempt << 16;
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
make_blocks(beginnings &all, int n, word64 key, word64 counter, const word64 *element,
            unsigned int attempt)
{
    for (int i = 0; i < n; i++) {
        const cupric::philox_block b =
            cupric::random_block(key, counter, element[i], attempt);
        for (int k = 0; k < 4; k++) all.word[k][i] = b.word[k];
    }
}
#endif

/* A run of neighbouring elements. */
static inline void
number_from(word64 (&element)[RUN], word64 begin)
{
    for (int i = 0; i < RUN; i++) element[i] = begin + (word64)i;
}

WHOLE static void
make_normals(const beginnings &all, int n, double *x, double *y)
{
    for (int i = 0; i < n; i++)
        block_normals(all.word[0][i], all.word[1][i], all.word[2][i], &x[i], &y[i]);
}

WHOLE static void
make_exponentials(const beginnings &all, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = cupric::log_uniform(all.word[1][i], all.word[0][i]);
}

/* Element i's stream. */
template <int B, int N>
static inline stream<B, N>
begun(const beginnings *all, int i, word64 key, word64 counter, word64 element)
{
    stream<B, N> s(key, counter, element);
    for (int g = 0; g < B; g++) {
        for (int k = 0; k < 4; k++) s.first[g].word[k] = all[g].word[k][i];
    }
    for (int g = 0; g < N; g++) {
        s.first_normal[g] = all[g].normal[i];
        s.first_boost[g] = all[g].boost[i];
    }
    return s;
}

/* The first trials of a run; done says which were. */
template <class Sampler>
WHOLE static void
make_trials(const beginnings *all, int n, const Sampler &given, double *x, word64 *done)
{
    const Sampler own = given;
    for (int i = 0; i < n; i++) {
        double y;
        done[i] =
            own.trial(begun<Sampler::BLOCKS, Sampler::NORMALS>(all, i, 0, 0, 0), 0, &y);
        x[i] = y;
    }
}

/* The second trials of those that are not done, together, and so on. */
template <class Sampler>
static inline void
make_more_trials(beginnings *all, int n, word64 key, word64 counter, word64 begin,
                 const Sampler &same, double *x, word64 *done)
{
    int left[RUN], count = 0;
    word64 element[RUN] = {0}, done_now[RUN];
    double y[RUN];

    for (int i = 0; i < n; i++) {
        if (!done[i]) left[count++] = i;
    }
    for (unsigned int t = 1; t < Sampler::TRIALS && count > 0; t++) {
        const int tried = count;
        for (int q = 0; q < tried; q++) element[q] = begin + (word64)left[q];
        make_blocks(*all, tried, key, counter, element, t);
        make_trials(all, tried, same, y, done_now);
        count = 0;
        for (int q = 0; q < tried; q++) {
            if (done_now[q]) {
                x[left[q]] = y[q];
                done[left[q]] = 1;
            } else {
                left[count++] = left[q];
            }
        }
    }
}

/* Elements [begin, begin + n), n <= RUN; of one sampler where that is not NULL. */
template <class Sampler, class Out, class Pick>
ALONE static void
fill_run(const Out &out, long long begin, int n, word64 key, word64 counter,
         const Pick &pick, const Sampler *same)
{
    constexpr int B = Sampler::BLOCKS, N = Sampler::NORMALS, E = Sampler::BOOSTS;
    beginnings all[B > N ? B : N];
    double x[RUN], second[RUN];
    word64 done[RUN], element[RUN];

    number_from(element, (word64)begin);
    if constexpr (E > 0) {
        for (int g = 0; g < E && (!same || same->boosts()); g++) {
            make_blocks(all[g], n, key, counter, element, (g + FIRST_OF_BOOSTS) << 12);
            make_exponentials(all[g], n, all[g].boost);
        }
    }
    for (int g = 0; g < B; g++) make_blocks(all[g], n, key, counter, element, g << 12);
    for (int g = 0; g < N; g++) {
        if (g != 1)
            make_normals(all[g], n, all[g].normal,
                         N > 1 && g == 0 ? all[N > 1].normal : second);
    }
    if constexpr (Sampler::TRIALS > 0) {
        if (same) make_trials(all, n, *same, x, done);
    }
    if constexpr (Sampler::TRIALS > 1) { /* which leave other blocks in `all` */
        static_assert(B == 1 && N == 0, "a later trial takes one block");
        if (same) make_more_trials(all, n, key, counter, (word64)begin, *same, x, done);
    }
    for (int i = 0; i < n; i++) {
        if (!Sampler::TRIALS || !same || !done[i]) {
            if (Sampler::TRIALS > 1 && same) {
                x[i] = (*same)(stream<0, 0>(key, counter, element[i]));
            } else {
                x[i] = pick(begin + i)(begun<B, N>(all, i, key, counter, element[i]));
            }
        }
        out.put(begin + i, x[i]);
    }
}
#endif

#if !defined(CUPRIC_HOST)
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

#endif

/* Launch: blocks(ceil(n / (RUN * each)), RUN), each <= MOST_EACH. */
template <class Sampler, class Out>
__device__ inline void
fill(const Out &out, long long n, word64 key, word64 counter, int each,
     const sampler_of<Sampler> &given)
{
    const long long length = (long long)RUN * each, runs = (n + length - 1) / length;
    const bool one = given.same();
    const Sampler same = given[0];

    CUPRIC_EACH_BLOCK (run, runs) {
        const long long begin = run * length;
        const long long end = begin + length < n ? begin + length : n;
#if defined(CUPRIC_HOST)
        for (long long i = begin; i < end; i += RUN) {
            const int count = (int)(end - i < RUN ? end - i : RUN);
            if (one) {
                fill_run<Sampler>(
                    out, i, count, key, counter,
                    [&](long long) -> const Sampler & { return same; }, &same);
            } else {
                fill_run<Sampler>(
                    out, i, count, key, counter, [&](long long i) { return given[i]; },
                    nullptr);
            }
        }
#else
        const int count = (int)(end - begin);
        if constexpr (Sampler::TRIALS > 0) {
            if (one) {
                fill_by_trials<Sampler>(out, begin, count, key, counter, same);
                continue;
            }
        }
        for (int j = threadIdx.x; j < count; j += RUN) {
            const stream<0, 0> s(key, counter, (word64)(begin + j));
            const Sampler own = one ? same : given[begin + j];
            out.put(begin + j, own(s));
        }
#endif
    }
}
