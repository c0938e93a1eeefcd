/* _detrend.host.hpp: sums of a segment by several accumulators side by side, which compilers
 * hold in vectors.
 */

template <class T, class W>
__device__ inline line<W>
moments(const T *row, long long from, long long to, double middle, const W &pivot)
{
    enum { MANY = 8 };
    W sum[MANY], moment[MANY];
    for (int k = 0; k < MANY; k++) sum[k] = moment[k] = W(0);

    long long i = from;
    for (; i + MANY <= to; i += MANY) {
        for (int k = 0; k < MANY; k++) {
            const W v = W(row[i + k]) - pivot;
            sum[k] += v;
            moment[k] += W((double)(i - from) + k) * v;
        }
    }
    for (; i < to; i++) {
        const W v = W(row[i]) - pivot;
        sum[0] += v;
        moment[0] += W((double)(i - from)) * v;
    }
    line<W> all;
    all.mean = all.slope = W(0);
    for (int k = 0; k < MANY; k++) {
        all.mean += sum[k];
        all.slope += moment[k];
    }
    /* counted from the middle, not from the first */
    all.slope = all.slope - W(middle - (double)from) * all.mean;
    return all;
}
