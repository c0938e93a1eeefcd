/* _fill.host.hpp: the first blocks and normal numbers (BLOCKS, NORMALS) are computed for a run
 * of elements at once, by loops that vectorise. What is left is a few multiplications for most
 * elements.
 */

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
        for (long long i = begin; i < end; i += RUN) {
            const int count = (int)(end - i < RUN ? end - i : RUN);
            if (one) {
                fill_run<Sampler>(
                    to, i, count, p.key, p.counter,
                    [&](long long) -> const Sampler & { return same; }, &same);
            } else {
                fill_run<Sampler>(
                    to, i, count, p.key, p.counter,
                    [&](long long i) { return given[i]; }, nullptr);
            }
        }
    }
}
