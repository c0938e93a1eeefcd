/* curand/philox.hpp: Philox 4x32-10, the package's own, with cuRAND's counters: the first two
 * words count blocks, the other two subsequences. The numbers are cuRAND's.
 */
#ifndef CUPRIC_HOST_CURAND_PHILOX_HPP
#define CUPRIC_HOST_CURAND_PHILOX_HPP

#include "cupric/device_types.hpp"
#include "cupric/philox.hpp"

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE; /* numbers of the block that were taken */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cupric_host {

inline uint4 philox_output(const curandStatePhilox4_32_10 *s)
{
    const cupric::philox_block b = cupric::philox4x32_10(s->ctr.x, s->ctr.y, s->ctr.z,
                                                         s->ctr.w, s->key.x, s->key.y);
    return uint4{b.word[0], b.word[1], b.word[2], b.word[3]};
}

/* n added to two words of the counter; what they carry over. */
inline unsigned add_to_counter(unsigned *low, unsigned *high, unsigned long long n)
{
    const unsigned long long before = (unsigned long long)*high << 32 | *low;
    const unsigned long long sum = before + n;
    *low = (unsigned)sum;
    *high = (unsigned)(sum >> 32);
    return sum < before;
}

inline void next_blocks(curandStatePhilox4_32_10 *s, unsigned long long n)
{
    if (add_to_counter(&s->ctr.x, &s->ctr.y, n))
        add_to_counter(&s->ctr.z, &s->ctr.w, 1);
    s->output = philox_output(s);
}

} // namespace cupric_host

static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    state->STATE += (unsigned)(n & 3);
    n /= 4;
    if (state->STATE > 3) {
        n++;
        state->STATE -= 4;
    }
    cupric_host::next_blocks(state, n);
}
static inline void skipahead_sequence(unsigned long long n,
                                      curandStatePhilox4_32_10 *state)
{
    cupric_host::add_to_counter(&state->ctr.z, &state->ctr.w, n);
    state->output = cupric_host::philox_output(state);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset,
                               curandStatePhilox4_32_10 *state)
{
    *state = curandStatePhilox4_32_10{};
    state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

static inline unsigned curand(curandStatePhilox4_32_10 *state)
{
    const unsigned words[4] = {state->output.x, state->output.y, state->output.z,
                               state->output.w};
    const unsigned word = words[state->STATE++ & 3];
    if (state->STATE == 4) {
        cupric_host::next_blocks(state, 1);
        state->STATE = 0;
    }
    return word;
}

/* The next four numbers, which may be of two blocks. */
static inline uint4 curand4(curandStatePhilox4_32_10 *state)
{
    const uint4 a = state->output;
    cupric_host::next_blocks(state, 1);
    const uint4 b = state->output;
    const unsigned words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    const unsigned *const at = words + (state->STATE & 3);
    return uint4{at[0], at[1], at[2], at[3]};
}

#endif
