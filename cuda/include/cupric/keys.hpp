/* keys.hpp: runs of equal keys, reduced and numbered, by a scan (scan.hpp).
 *
 * Elements that are sorted by their keys, or only grouped by them, make runs of neighbours.
 * reduce_runs<M>(layout, workspace, source) is the body of a kernel that is launched as a
 * scan of one row. `source` has
 *
 *     bool begins(long long i) const;      whether element i > 0 begins a run
 *     M::state value(long long i) const;
 *     void element(long long i, long long run) const;    the run of each element
 *     void begin(long long run, long long i) const;      element i is its first
 *     void end(long long run, const M::state &all) const;    its values, in order
 *     void count(long long runs) const;                  how many there are
 *
 * As all that is combined has its place in a fixed order, results repeat to the bit.
 */
#ifndef CUPRIC_KEYS_HPP
#define CUPRIC_KEYS_HPP

#include "cupric/scan.hpp"

namespace cupric {

/* Values of the last run, and how many have begun. */
template <class S>
struct runs_state {
    long long runs;
    S value;
};

/* What a thread has of an element; bits of `what` say where it stands. */
template <class S>
struct runs_element {
    S value;
    long long what; /* 4 i + 2 (it ends a run) + (it begins one) */
};

struct runs_nothing {
};

template <class M, class SOURCE>
struct runs_scan {
    typedef runs_state<typename M::state> state;
    typedef runs_element<typename M::state> input;
    typedef runs_nothing output;
    M monoid;
    SOURCE source;
    long long n;

    __device__ state identity() const { return {0, monoid.identity()}; }
    __device__ state combine(const state &a, const state &b) const
    {
        return {a.runs + b.runs, b.runs ? b.value : monoid.combine(a.value, b.value)};
    }
    __device__ state initial(long long) const { return identity(); }
    __device__ input load(long long, long long i) const
    {
        const bool begins = i == 0 || source.begins(i);
        const bool ends = i + 1 == n || source.begins(i + 1);
        return {source.value(i), 4 * i + 2 * ends + begins};
    }
    __device__ state next(const state &s, const input &x) const
    {
        if (x.what & 1) return {s.runs + 1, x.value};
        return {s.runs, monoid.combine(s.value, x.value)};
    }
    __device__ state extend(state s, const input *x, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) s = next(s, x[k]);
        }
        return s;
    }
    __device__ state apply(state s, const input *x, output *, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k >= n) continue;
            s = next(s, x[k]);
            const long long i = x[k].what >> 2;
            source.element(i, s.runs - 1);
            if (x[k].what & 1) source.begin(s.runs - 1, i);
            if (x[k].what & 2) source.end(s.runs - 1, s.value);
        }
        return s;
    }
    __device__ void store(long long, long long, const output &) const {}
    __device__ void finish(long long, const state &s) const
    {
        source.count(s.runs);
    }
};

template <class M, class SOURCE>
__device__ inline void
reduce_runs(const scan_layout &s, unsigned int *workspace, const SOURCE &source,
            const M &monoid = M())
{
    const runs_scan<M, SOURCE> op = {monoid, source, s.n};
    scan_rows(s, workspace, op);
}

} // namespace cupric

#endif
