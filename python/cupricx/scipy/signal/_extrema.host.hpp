/* _extrema.host.hpp: the neighbours at one distance after another, of runs that have all
 * of them. */

template <int COMPARISON, class T>
inline void
compare_run(const T *x, bool *found, long long count, long long step)
{
    for (long long i = 0; i < count; i++) {
        const T v = x[i], after = x[i + step], before = x[i - step];
        bool both;
        if constexpr (COMPARISON == BELOW)
            both = (v < after) & (v < before);
        else if constexpr (COMPARISON == ABOVE)
            both = (v > after) & (v > before);
        else if constexpr (COMPARISON == NOT_ABOVE)
            both = (v <= after) & (v <= before);
        else
            both = (v >= after) & (v >= before);
        found[i] = (bool)(found[i] & both);
    }
}

template <class T>
inline void
compare_inside(const T *x, bool *found, long long count, const extrema_sizes &s)
{
    for (long long i = 0; i < count; i++) found[i] = true;
    for (long long k = 1; k <= s.order; k++) {
        switch (s.comparison) {
        case BELOW: compare_run<BELOW>(x, found, count, k * s.step); break;
        case ABOVE: compare_run<ABOVE>(x, found, count, k * s.step); break;
        case NOT_ABOVE: compare_run<NOT_ABOVE>(x, found, count, k * s.step); break;
        default: compare_run<NOT_BELOW>(x, found, count, k * s.step); break;
        }
    }
}

template <class T>
__global__ void
relative_extrema(const T *x, bool *found, extrema_sizes s, long long size)
{
    enum { piece = 4096 }; /* that stays in the cache */
    const long long row = s.n * s.step, edge = s.order * s.step;
    long long i = cupric::share_of(size, blockIdx.x, gridDim.x);
    const long long end = cupric::share_of(size, blockIdx.x + 1, gridDim.x);

    while (i < end) {
        const long long begin = i - i % row; /* of a row of s.step columns */
        long long inside = begin + row - edge - i;
        if (i - begin < edge || inside <= 0) {
            found[i] = is_extreme(x, s, i);
            i++;
            continue;
        }
        if (inside > end - i) inside = end - i;
        if (inside > piece) inside = piece;
        compare_inside(x + i, found + i, inside, s);
        i += inside;
    }
}
