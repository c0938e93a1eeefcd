/* curand/xorwow.hpp: XORWOW, cuRAND's default generator: G. Marsaglia's xorshift of 160 bits
 * plus a Weyl sequence. The numbers are cuRAND's.
 */
#ifndef CUPRIC_HOST_CURAND_XORWOW_HPP
#define CUPRIC_HOST_CURAND_XORWOW_HPP

#include "jumps.hpp"

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

static inline unsigned curand(curandStateXORWOW *state)
{
    unsigned *const v = state->v;
    const unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
    state->d += 362437;
    return v[4] + state->d;
}

namespace cupric_host {

/* The sum of the states that the polynomial's bits name; d stays. */
inline void xorwow_jump(curandStateXORWOW *state, const unsigned (&polynomial)[5])
{
    unsigned sum[5] = {};
    const unsigned d = state->d;
    for (int k = 0; k < 160; k++) {
        if (polynomial[k / 32] >> k % 32 & 1) {
            for (int i = 0; i < 5; i++) sum[i] ^= state->v[i];
        }
        curand(state);
    }
    for (int i = 0; i < 5; i++) state->v[i] = sum[i];
    state->d = d;
}

inline void xorwow_jumps(curandStateXORWOW *state, unsigned long long n,
                         const unsigned (&polynomials)[64][5])
{
    for (int k = 0; n >> k; k++) {
        if (n >> k & 1) xorwow_jump(state, polynomials[k]);
        if (k == 63) break;
    }
}

} // namespace cupric_host

static inline void skipahead(unsigned long long n, curandStateXORWOW *state)
{
    cupric_host::xorwow_jumps(state, n, cupric_host::xorwow_steps);
    state->d += 362437 * (unsigned)n;
}
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW *state)
{
    cupric_host::xorwow_jumps(state, n, cupric_host::xorwow_sequences);
}

static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW *state)
{
    const unsigned s = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned t = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    *state = curandStateXORWOW{
        6615241 + t + s,
        {123456789 + s, 362436069 ^ s, 521288629 + t, 88675123 ^ t, 5783321 + s},
        0,
        0,
        0,
        0};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

#endif
