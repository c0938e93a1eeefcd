/* _reductions.host.hpp: on a CPU a row is gone through in order. */

/* Elements begin to end - 1: of what compilers may not reorder in several states at once,
 * as one waits for the other. (GCC 12 loses elements of integers that are added up so.) */
template <class OP>
inline typename OP::state
reduce_run(const OP &op, long long begin, long long end)
{
    typedef typename OP::state state;
    state s = op.identity();
    long long p = begin;
    if (!cupric::is_integer<state>::value && end - begin >= 8) {
        state a = op.identity(), b = s, c = s, d = s;
        for (; p + 4 <= end; p += 4) {
            a = op.combine(a, op.load(p));
            b = op.combine(b, op.load(p + 1));
            c = op.combine(c, op.load(p + 2));
            d = op.combine(d, op.load(p + 3));
        }
        s = op.combine(op.combine(a, b), op.combine(c, d));
    }
    for (; p < end; p++) s = op.combine(s, op.load(p));
    return s;
}

/* Of extremes the value alone counts, the first of those that are equal. */
template <class I, class T, class R, int KIND>
inline extreme_state<T>
reduce_run(const row_extremes<I, T, R, KIND> &op, long long begin, long long end)
{
    if (begin == end) return op.identity();
    T best = cupric::load(op.data + begin);
    for (long long p = begin + 1; p < end; p++) {
        const T x = cupric::load(op.data + p);
        const bool replaces =
            has_nan(op.ignores_nan ? best : x) || is_better<KIND>(x, best);
        if (replaces && !has_nan(op.ignores_nan ? x : best)) best = x;
    }
    return extreme_state<T>{best, begin};
}

template <class OP, class I>
__device__ inline void
reduce_tile(const OP &op, const I *indptr, const row_tile &x, long long rows,
            long long t, unsigned char *states)
{
    const long long last = x.last - (x.last == rows);
    for (long long row = x.row; row <= last; row++) {
        const long long own = indptr[row], row_end = indptr[row + 1];
        const long long begin = own > x.begin ? own : x.begin;
        const long long end = row_end < x.end ? row_end : x.end;
        put_row(op, indptr, x, row, t, reduce_run(op, begin, end), states);
    }
}
