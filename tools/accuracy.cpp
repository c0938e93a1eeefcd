/* The errors of the elementary functions, in units in the last place: tools/accuracy.py
 * compiles this and says how it is used.
 *
 *   accuracy NAME float [STEP]      all 2**32 arguments, or every STEP-th; all are compared
 *                                   with the function of double, some with the C library's
 *   accuracy NAME double COUNT      so many random arguments, and hard ones
 *   accuracy NAME float COUNT       likewise random pairs, where NAME takes two; logaddexp's
 *                                   unit is that of the larger of the result and of what
 *                                   it adds to the larger argument
 *
 * Prints the largest error, the argument at which it is, how many arguments have a result
 * that is wrong otherwise (an infinity, a NaN, the sign of a zero), and one of these.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cupric/math/special.hpp"

/* clang-format off */
#define FUNCTIONS(DO)                                                                  \
    DO(exp) DO(exp2) DO(expm1) DO(log) DO(log2) DO(log10) DO(log1p) DO(sin) DO(cos)    \
    DO(tan) DO(sinh) DO(cosh) DO(tanh) DO(asin) DO(acos) DO(atan) DO(asinh)            \
    DO(acosh) DO(atanh) DO(cbrt) DO(erf) DO(erfc) DO(ndtr) DO(logit)      \
    DO(gamma) DO(gammaln) DO(sinc) DO(i0)

/* clang-format on */
#define PAIRS(DO) DO(pow) DO(atan2) DO(hypot) DO(logaddexp) DO(logaddexp2)

namespace {

/* What the C library lacks. */
long double
sincl(long double x)
{
    const long double pi = 3.14159265358979323846264338328L;
    const long double y = fabsl(x), f = y - rintl(y);
    if (x - x != 0) return x - x;
    if (y < 1e-10L) return 1;
    const bool odd = fmodl(rintl(y), 2) != 0;
    const long double sine =
        fabsl(f) > 0.25L ? copysignl(cosl(pi * (0.5L - fabsl(f))), f) : sinl(pi * f);
    return f == 0 ? 0 : (odd ? -sine : sine) / (pi * y);
}

/* The series, or the asymptotic one; Abramowitz and Stegun, 9.6.12 and 9.7.1. */
long double
i0l(long double x)
{
    const long double y = fabsl(x), s = y * y / 4;
    long double sum = 1, term = 1;
    if (!(y < 715)) return y * __builtin_huge_vall();
    for (int k = 1; y <= 30 && term > sum * 0x1p-70L; k++) {
        term *= s / ((long double)k * k);
        sum += term;
    }
    if (y <= 30) return sum;
    for (int k = 1; k < 60; k++) {
        term *= (2 * k - 1) * (2 * k - 1) / (8 * y * k);
        sum += term;
    }
    return expl(y) / sqrtl(6.28318530717958647692528676656L * y) * sum;
}

double
sinc(double x)
{
    return (double)sincl(x);
}

double
i0(double x)
{
    return (double)i0l(x);
}

/* The rounding of the argument of erfc would count a thousand times as much. */
long double
ndtrl(long double x)
{
    const long double root = 0.70710678118654752440084436210484904L;
    const long double root_low = 1.89503255889320796e-20L;
    const long double y = x * -root, low = fmal(x, -root, -y) - x * root_low;
    const long double slope = expl(-y * y) * 1.12837916709551257389615890312L;
    const bool ordinary = slope > 0 && slope < 2;
    return 0.5L * (erfcl(y) - (ordinary ? slope * low : 0));
}

double
ndtr(double x)
{
    return (double)ndtrl(x);
}

long double
logitl(long double x)
{
    return x > 0.25L && x < 0.75L ? 2 * atanhl(2 * x - 1) : logl(x / (1 - x));
}

double
logit(double x)
{
    return (double)logitl(x);
}

double
gamma(double x)
{
    return tgamma(x);
}

long double
gammal(long double x)
{
    return tgammal(x);
}

double
gammaln(double x)
{
    return x - x == 0 ? lgamma(x) : x;
}

long double
gammalnl(long double x)
{
    return x - x == 0 ? lgammal(x) : x;
}

/* What the error is measured by, if it is larger than the result: left of -2 gammaln has
 * zeros that are no numbers of the format. */
double
least_size(const char *name, double x)
{
    return !strcmp(name, "gammaln") && x < -2 ? 0x1p-5 : 0;
}

/* What is measured, and a function of at least 11 bits more. */
#define ENTRY(name)                                                                    \
    struct name##_entry {                                                              \
        static double least(double x) { return least_size(#name, x); }                 \
        static float call(float x) { return cupric::elementary::name(x); }             \
        static double call(double x) { return cupric::elementary::name(x); }           \
        static double truth(float x) { return name((double)x); }                       \
        static long double truth(double x) { return name##l((long double)x); }         \
    };
FUNCTIONS(ENTRY)
#undef ENTRY

template <class W>
W
logaddexp(W x, W y)
{
    if (x == y) return x + W(0.693147180559945309417232121458L);
    return x > y ? x + log1pl(expl(y - x)) : x < y ? y + log1pl(expl(x - y)) : x - y;
}

template <class W>
W
logaddexp2(W x, W y)
{
    const long double log2_e = 1.44269504088896340735992468100L;
    if (x == y) return x + 1;
    return x > y   ? x + log1pl(exp2l(y - x)) * log2_e
           : x < y ? y + log1pl(exp2l(x - y)) * log2_e
                   : x - y;
}

long double
logaddexpl(long double x, long double y)
{
    return logaddexp(x, y);
}
long double
logaddexp2l(long double x, long double y)
{
    return logaddexp2(x, y);
}

/* What the error is measured by, if it is larger than the result. */
template <class W>
W
addend(const char *name, W x, W y, W result)
{
    if (name[0] != 'l' || x - x != 0 || y - y != 0) return 0;
    return result - (x > y ? x : y);
}

#define ENTRY(name)                                                                    \
    struct name##_entry {                                                              \
        static constexpr const char *NAME = #name;                                     \
        static float call(float x, float y) { return cupric::elementary::name(x, y); } \
        static double call(double x, double y)                                         \
        {                                                                              \
            return cupric::elementary::name(x, y);                                     \
        }                                                                              \
        static double truth(float x, float y) { return name((double)x, (double)y); }   \
        static long double truth(double x, double y)                                   \
        {                                                                              \
            return name##l((long double)x, (long double)y);                            \
        }                                                                              \
    };
PAIRS(ENTRY)
#undef ENTRY

template <class F>
struct precision;
template <>
struct precision<float> {
    static constexpr int DIGITS = 24, LEAST = -125;
    static constexpr double LIMIT = 0x1p128;
};
template <>
struct precision<double> {
    static constexpr int DIGITS = 53, LEAST = -1021;
    static constexpr long double LIMIT = 0x1p1023L * 2;
};

struct found {
    double error = 0.5, at = 0, wrong_at = 0;  /* what is rounded alone reaches 0.5 */
    double second_at = 0, second_wrong_at = 0; /* of pairs */
    uint64_t wrong = 0;
};

/* Counts a result that is not the exact one rounded. */
template <class F, class W>
__attribute__((noinline)) void
count_other(found *found, F x, F result, W exact, F second = 0, W least = 0)
{
    bool wrong = false;
    if (exact != exact) {
        wrong = result == result;
    } else if (result != result) {
        wrong = true;
    } else if (exact == 0 || result == 0) {
        wrong = !__builtin_signbit(exact) != !__builtin_signbit(result);
    }
    if (wrong) {
        found->wrong_at = (double)x;
        found->second_wrong_at = (double)second;
        found->wrong++;
        return;
    }
    if (exact != exact) return;
    const W limit = precision<F>::LIMIT;
    W a = exact, r = result;
    if (a > limit) a = limit;
    if (a < -limit) a = -limit;
    if (r > limit) r = limit;
    if (r < -limit) r = -limit;
    if (a == r) return;
    int e;
    frexpl(fabsl((long double)a) > fabsl((long double)least) ? (long double)a
                                                             : (long double)least,
           &e);
    if (fabsl((long double)a) >= (long double)limit) e--;
    if (e < precision<F>::LEAST || a == 0) e = precision<F>::LEAST;
    const double error =
        (double)ldexpl(fabsl((long double)(a - r)), precision<F>::DIGITS - e);
    if (error > found->error) {
        found->error = error;
        found->at = (double)x;
        found->second_at = (double)second;
    }
}

template <class ENTRY, class F, class W>
inline void
count(found *found, F x, F result, W exact)
{
    const F rounded = F(exact);
    if (memcmp(&rounded, &result, sizeof result))
        count_other(found, x, result, exact, F(0), W(ENTRY::least(x)));
}

uint64_t
next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double
from_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* Results in batches, as loops over them are vectorised. */
constexpr int BATCH = 1024;

template <class ENTRY, class F>
void
count_batch(found *found, const F *x, int n)
{
    F result[BATCH];
    for (int i = 0; i < n; i++) result[i] = ENTRY::call(x[i]);
    for (int i = 0; i < n; i++)
        count<ENTRY>(found, x[i], result[i], ENTRY::truth(x[i]));
}

/* The same of floats by the function of double, which vectorises, too: numbers of the
 * ordinary size here, others as above. */
template <class ENTRY>
void
count_vectors(found *found, const float *x, int n)
{
    float result[BATCH];
    double exact[BATCH], errors[BATCH];
    for (int i = 0; i < n; i++) result[i] = ENTRY::call(x[i]);
    for (int i = 0; i < n; i++) exact[i] = ENTRY::call((double)x[i]);
    uint64_t others = 0;
    for (int i = 0; i < n; i++) {
        const double r = result[i], a = exact[i];
        uint64_t exponent;
        memcpy(&exponent, &a, sizeof exponent);
        exponent = exponent >> 52 & 0x7ff;
        exponent = exponent < 1023 - 126 ? 1023 - 126 : exponent;
        const double error =
            __builtin_fabs(a - r) * from_bits((2046 + 23 - exponent) << 52);
        const bool other = !(error < 1e3) | (r == 0);
        errors[i] = other ? 0 : error;
        others |= other;
    }
    double largest = 0;
    for (int i = 0; i < n; i++) largest = errors[i] > largest ? errors[i] : largest;
    for (int i = 0; largest > found->error && i < n; i++) {
        if (errors[i] != largest) continue;
        found->error = largest;
        found->at = x[i];
    }
    for (int i = 0; others && i < n; i++) {
        if (errors[i] == 0) count<ENTRY>(found, x[i], result[i], exact[i]);
    }
}

/* For an odd or even function the negative half is compared with the positive one to the
 * bit, which takes less time than computing the truth again. */
template <class ENTRY>
void
all_floats(found *found, uint64_t step)
{
    const bool odd = ENTRY::call(-0.5f) == -ENTRY::call(0.5f);
    const bool even = ENTRY::call(-0.5f) == ENTRY::call(0.5f);
    const uint64_t end = odd || even ? 1ull << 31 : 1ull << 32;
    float x[BATCH], minus[BATCH];
    int n = 0;
    for (uint64_t u = 0; u < end; u += step) {
        const uint32_t bits = (uint32_t)u;
        memcpy(&x[n++], &bits, sizeof bits);
        if (n < BATCH && u + step < end) continue;
        if (step == 1)
            count_vectors<ENTRY>(found, x, n);
        else
            count_batch<ENTRY>(found, x, n);
        if (odd || even) {
            for (int i = 0; i < n; i++) minus[i] = ENTRY::call(-x[i]);
            for (int i = 0; i < n; i++) {
                float plus = ENTRY::call(x[i]);
                if (plus != plus && minus[i] != minus[i]) continue;
                if (odd) plus = -plus;
                if (memcmp(&plus, &minus[i], sizeof plus)) {
                    found->wrong++;
                    found->wrong_at = -x[i];
                }
            }
        }
        n = 0;
    }
}

/* A third with any exponent, a third near 1, where most functions are difficult, and a
 * third on either side of multiples of 1, of 1 / 8, where pieces end, or of pi / 2 or
 * log(2) / 2, where reductions do, of either sign. */
template <class ENTRY>
void
random_doubles(found *found, uint64_t count_wanted)
{
    /* multiples of pi / 2 to within 2**-60 (Muller, table 11.1; Kahan), the least and
     * largest numbers, and what overflows and underflows */
    static const double hard[] = {
        0.0,
        1.0,
        0.5,
        2.0,
        6381956970095103.0 * 0x1p797,
        5319372648326541.0 * 0x1p-1,
        0x1.921fb54442d18p0,
        0x1.921fb54442d18p1,
        0x1.921fb54442d18p-1,
        0x1p-1074,
        0x1p-1022,
        0x1.fffffffffffffp1023,
        0x1.62e42fefa39efp9,
        0x1.62e42fefa39fp9,
        -0x1.74910d52d3051p9,
        -0x1.74910d52d3052p9,
        0x1.633ce8fb9f87dp9,
        0x1.633ce8fb9f87ep9,
        0x1.fffffffffffffp-1,
        0x1.0000000000001p0,
        0x1.6a09e667f3bcdp-1,
        0x1.6a09e667f3bccp0,
        0x1.573fae561f647p7, /* the last finite gamma */
        0x1.573fae561f648p7,
        0x1.6a0p0, /* where the table of stirling.hpp's logarithm begins anew */
        0x1.69fffffffffffp2,
        __builtin_huge_val(),
        __builtin_nan(""),
    };
    static const double unit[] = {1.57079632679489661923, 1, 0.125,
                                  0.34657359027997265};
    double x[BATCH];
    int n = 0;
    for (double h : hard) {
        x[n++] = h;
        x[n++] = -h;
    }
    count_batch<ENTRY>(found, x, n);
    uint64_t state = 12;
    for (uint64_t done = 0; done < count_wanted; done += BATCH) {
        for (n = 0; n < BATCH; n++) {
            const uint64_t u = next_random(&state);
            if (n % 3 == 0) {
                x[n] = from_bits(u);
            } else if (n % 3 == 1) {
                const uint64_t exponent = 1023 - 30 + (u >> 52) % 40;
                x[n] = from_bits((u & 0x800fffffffffffffu) | exponent << 52);
            } else {
                /* pieces of tables end at eighths */
                const double whole = (double)((int64_t)(u >> 40) % 2048);
                const double part =
                    ldexp((double)(int64_t)(u << 24), -63 - (int)(u % 40));
                x[n] = whole * unit[u & 3] + part;
                if (u & 4) x[n] = -x[n];
            }
        }
        count_batch<ENTRY>(found, x, BATCH);
    }
}

template <class F>
F
bits_to(uint64_t u)
{
    typename cupric::elementary::format<F>::bits bits = u >> (64 - 8 * sizeof(F));
    F x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A quarter with any exponents, a quarter of the usual size, a quarter with one number
 * near 1 and a quarter with the one near the other; where it is a power, all but the first
 * with exponents that neither overflow nor underflow. Special values before these. */
template <class ENTRY, class F>
void
random_pairs(found *found, uint64_t count_wanted)
{
    const F special[] = {0,
                         1,
                         F(0.5),
                         2,
                         3,
                         F(1e10),
                         F(0x1.8p-100),
                         F(1) / 3,
                         F(precision<F>::LIMIT / 2),
                         cupric::elementary::format<F>::LEAST_NORMAL(),
                         F(__builtin_huge_val()),
                         F(__builtin_nan(""))};
    const bool power = !strcmp(ENTRY::NAME, "pow");
    const F top = F(sizeof(F) == 4 ? 150 : 1075);
    F x[BATCH], y[BATCH], result[BATCH];
    uint64_t state = 12;
    const uint64_t end = count_wanted + BATCH;
    for (uint64_t done = 0; done < end; done += BATCH) {
        int n = 0;
        if (done == 0) {
            for (F a : special) {
                for (F b : special) {
                    for (int signs = 0; signs < 4; signs++) {
                        x[n] = signs & 1 ? -a : a;
                        y[n++] = signs & 2 ? -b : b;
                    }
                }
            }
        }
        for (; n < BATCH; n++) {
            const uint64_t u = next_random(&state), v = next_random(&state);
            const F a = F(int64_t(u) * 0x1p-63), b = F(int64_t(v) * 0x1p-63);
            x[n] = bits_to<F>(u);
            y[n] = bits_to<F>(v);
            if (n % 4 == 0) continue;
            x[n] = F(ldexp(a, (int)(u % 37) - 18));
            y[n] = F(ldexp(b, (int)(v % 37) - 18));
            if (n % 4 == 2) x[n] = F(1) + F(ldexp(a, -(int)(u % 40)));
            if (n % 4 == 3)
                y[n] = x[n] + F(ldexp(b, (int)(u % 37) - 18 - (int)(v % 30)));
            if (n % 8 == 7) {
                /* at the ends of the pieces of powers.hpp's tables */
                const int piece = int(u >> 32) % 128;
                const double near = ldexp(b, -8 - int(v % 40));
                const double over = piece < 76 ? piece : 2 * piece - 75.5;
                const double part = (piece + 0.5) / 128 + near;
                if (power) x[n] = F((180.5 + over) / 256 + near);
                if (ENTRY::NAME[0] == 'l')
                    y[n] = x[n] + F(ENTRY::NAME[9] ? log2(part) : log(part));
            } else if (power && n % 4 == 3) {
                x[n] = bits_to<F>(u >> 1);
            }
            if (power) {
                y[n] = F(b * top / log2((double)x[n]));
            }
        }
        for (int i = 0; i < n; i++) result[i] = ENTRY::call(x[i], y[i]);
        for (int i = 0; i < n; i++) {
            const auto exact = ENTRY::truth(x[i], y[i]);
            const F rounded = F(exact);
            if (!memcmp(&rounded, &result[i], sizeof rounded)) continue;
            const decltype(exact) wx = x[i], wy = y[i];
            count_other(found, x[i], result[i], exact, y[i],
                        addend(ENTRY::NAME, wx, wy, exact));
        }
    }
}

template <class ENTRY>
int
report_pairs(const char *kind, const char *amount)
{
    found found;
    const uint64_t number = amount ? strtoull(amount, nullptr, 10) : 1000000;
    if (!strcmp(kind, "float"))
        random_pairs<ENTRY, float>(&found, number);
    else
        random_pairs<ENTRY, double>(&found, number);
    printf("%.4f %a,%a %llu %a,%a\n", found.error, found.at, found.second_at,
           (unsigned long long)found.wrong, found.wrong_at, found.second_wrong_at);
    return 0;
}

template <class ENTRY>
int
report(const char *kind, const char *amount)
{
    found found;
    const uint64_t number = amount ? strtoull(amount, nullptr, 10) : 1;
    if (!strcmp(kind, "float"))
        all_floats<ENTRY>(&found, number);
    else
        random_doubles<ENTRY>(&found, number);
    printf("%.4f %a %llu %a\n", found.error, found.at, (unsigned long long)found.wrong,
           found.wrong_at);
    return 0;
}

} /* namespace */

int
main(int argc, char **argv)
{
    if (argc < 3) return 2;
    const char *amount = argc > 3 ? argv[3] : nullptr;
#define RUN(name)                                                                      \
    if (!strcmp(argv[1], #name)) return report<name##_entry>(argv[2], amount);
    FUNCTIONS(RUN)
#undef RUN
#define RUN(name)                                                                      \
    if (!strcmp(argv[1], #name)) return report_pairs<name##_entry>(argv[2], amount);
    PAIRS(RUN)
#undef RUN
    return 2;
}
