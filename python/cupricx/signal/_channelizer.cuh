/* _channelizer.cuh: the branches of a polyphase channelizer.
 *
 * y, (frames, channels): branch p of frame t filters each channels-th element of x with each
 * channels-th coefficient of h, the elements of a frame in reverse:
 *
 *     y[t, p] = sum_q h[q channels + p] x[(t - q) channels + channels - 1 - p]
 *
 * What is before the signal is 0. The channels are the inverse transforms of its rows.
 */

/* Launch: elements(pieces), frames * channels. */
template <class T, class C>
__global__ void
channel_branches(const T *x, const T *h, C *y, long long channels, long long taps,
                 long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long t = i / channels, p = i - t * channels;
        long long at = t * channels + channels - 1 - p;
        T sum = T(0);
        for (long long k = p; k < taps && at >= 0; k += channels, at -= channels)
            sum += h[k] * x[at];
        y[i] = C(sum);
    }
}
