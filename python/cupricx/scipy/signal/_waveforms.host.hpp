/* _waveforms.host.hpp: a thread's runs follow one another: the register goes on from one to
 * the next.
 */

__global__ void
maximum_length(signed char *y, signed char *last, const unsigned long long *powers,
               shift_register s, long long runs)
{
    unsigned long long state = s.state;
    long long next = 0; /* the run that the register is at */

    CUPRIC_EACH (run, runs) {
        const long long steps = run - next;
        for (int k = 0; steps >> k != 0; k++) {
            if (steps >> k & 1)
                state = times_register(powers + k * s.bits, state, s.bits);
        }
        next = run + 1;
        const long long from = run * MLS_RUN, left = s.length - from;
        const int count = left < MLS_RUN ? (int)left : MLS_RUN;
        for (int i = 0; i < count; i++) {
            y[from + i] = (signed char)(state & 1);
            state = state >> 1 | parity(state & s.taps) << (s.bits - 1);
        }
        if (count < MLS_RUN) {
            for (int k = 0; k < s.bits; k++) last[k] = (signed char)(state >> k & 1);
        }
    }
}
