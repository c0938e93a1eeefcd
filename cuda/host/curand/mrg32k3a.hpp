/* curand/mrg32k3a.hpp: P. L'Ecuyer's combined multiple recursive generator. The numbers are
 * cuRAND's.
 */
#ifndef CUPRIC_HOST_CURAND_MRG32K3A_HPP
#define CUPRIC_HOST_CURAND_MRG32K3A_HPP

#include "jumps.hpp"

struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace cupric_host {

static constexpr unsigned long long mrg_modulus_1 = 4294967087u,
                                    mrg_modulus_2 = 4294944443u;

typedef unsigned long long mrg_matrix[3][3];

inline void mrg_multiply(const mrg_matrix &a, const mrg_matrix &b, unsigned long long m,
                         mrg_matrix &out)
{
    mrg_matrix product;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            product[i][j] = 0;
            for (int k = 0; k < 3; k++) /* each product is below 2**64 */
                product[i][j] = (product[i][j] + a[i][k] * b[k][j] % m) % m;
        }
    }
    __builtin_memcpy(out, product, sizeof product);
}

/* s = step**n s */
inline void mrg_jump(mrg_matrix &step, unsigned long long n, unsigned long long m,
                     unsigned (&s)[3])
{
    for (; n; n /= 2) {
        if (n & 1) {
            unsigned long long next[3];
            for (int i = 0; i < 3; i++) {
                next[i] = 0;
                for (int k = 0; k < 3; k++)
                    next[i] = (next[i] + step[i][k] * s[k] % m) % m;
            }
            for (int i = 0; i < 3; i++) s[i] = (unsigned)next[i];
        }
        mrg_multiply(step, step, m, step);
    }
}

inline unsigned mrg_times(unsigned a, unsigned b, unsigned long long m)
{
    return (unsigned)((unsigned long long)a * b % m);
}

} // namespace cupric_host

static inline void skipahead(unsigned long long n, curandStateMRG32k3a *state)
{
    using namespace cupric_host;
    mrg_matrix first = {{0, 1, 0}, {0, 0, 1}, {mrg_modulus_1 - 810728, 1403580, 0}};
    mrg_matrix second = {{0, 1, 0}, {0, 0, 1}, {mrg_modulus_2 - 1370589, 0, 527612}};
    mrg_jump(first, n, mrg_modulus_1, state->s1);
    mrg_jump(second, n, mrg_modulus_2, state->s2);
}
static inline void skipahead_subsequence(unsigned long long n,
                                         curandStateMRG32k3a *state)
{
    using namespace cupric_host;
    mrg_matrix first, second;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            first[i][j] = mrg_subsequence_1[i][j];
            second[i][j] = mrg_subsequence_2[i][j];
        }
    }
    mrg_jump(first, n, mrg_modulus_1, state->s1);
    mrg_jump(second, n, mrg_modulus_2, state->s2);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a *state)
{
    using namespace cupric_host;
    const unsigned x = (unsigned)seed ^ 0x55555555u;
    const unsigned y = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    *state =
        curandStateMRG32k3a{{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
    if (seed) {
        for (int i = 0; i < 3; i++) {
            state->s1[i] = mrg_times(i == 1 ? y : x, state->s1[i], mrg_modulus_1);
            state->s2[i] = mrg_times(i == 1 ? x : y, state->s2[i], mrg_modulus_2);
        }
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

/* 1 to 4294967087 */
static inline double curand_MRG32k3a(curandStateMRG32k3a *state)
{
    using namespace cupric_host;
    unsigned *const s = state->s1, *const t = state->s2;
    const unsigned long long p =
        (1403580ull * s[1] + 810728ull * (mrg_modulus_1 - s[0])) % mrg_modulus_1;
    const unsigned long long q =
        (527612ull * t[2] + 1370589ull * (mrg_modulus_2 - t[0])) % mrg_modulus_2;
    s[0] = s[1], s[1] = s[2], s[2] = (unsigned)p;
    t[0] = t[1], t[1] = t[2], t[2] = (unsigned)q;
    return p <= q ? (double)(p + mrg_modulus_1 - q) : (double)(p - q);
}
static inline unsigned curand(curandStateMRG32k3a *state)
{
    return (unsigned)(curand_MRG32k3a(state) * 1.000000048662);
}

#endif
