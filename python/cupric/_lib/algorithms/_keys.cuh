/* _keys.cuh: runs of equal keys, one row of them. */
#include "_kinds.cuh"
#include "cupric/keys.hpp"
#include "cupric/scan.hpp"

/* Whether element i of x begins a run; NaNs are equal. */
template <class K>
__device__ inline bool
differs_from_last(const K *x, long long i)
{
    const K a = x[i - 1], b = x[i];
    return !(a == b) && !(a != a && b != b);
}

template <class K, class V>
struct reduced_runs {
    const K *keys;
    const V *values;
    K *first;
    V *reduced;
    long long *runs;

    __device__ bool begins(long long i) const { return differs_from_last(keys, i); }
    __device__ V value(long long i) const { return values[i]; }
    __device__ void element(long long, long long) const {}
    __device__ void begin(long long run, long long i) const { first[run] = keys[i]; }
    __device__ void end(long long run, const V &all) const { reduced[run] = all; }
    __device__ void count(long long all) const { *runs = all; }
};

/* Of each run of equal keys the key, and the values combined; *runs: how many there are.
 * Launch: blocks(s.tiles, SCAN_THREADS). */
template <class K, class V, int KIND>
__global__ void
reduce_by_key(const K *keys, const V *values, K *first, V *reduced, long long *runs,
              scan_layout s, unsigned int *workspace)
{
    const reduced_runs<K, V> source = {keys, values, first, reduced, runs};
    cupric::reduce_runs<typename monoid_of<V, KIND>::type>(s, workspace, source);
}

template <class K, class P>
struct numbered_runs {
    const K *keys;
    P *starts, *run_of;
    long long *runs;

    __device__ bool begins(long long i) const { return differs_from_last(keys, i); }
    __device__ bool value(long long) const { return false; }
    __device__ void element(long long i, long long run) const
    {
        if (run_of) run_of[i] = (P)run;
    }
    __device__ void begin(long long run, long long i) const { starts[run] = (P)i; }
    __device__ void end(long long, bool) const {}
    __device__ void count(long long all) const { *runs = all; }
};

/* starts = where runs of equal keys begin, *runs of them; run_of, where it is asked for:
 * the run of each element. Launch: blocks(s.tiles, SCAN_THREADS). */
template <class K, class P>
__global__ void
number_runs(const K *keys, P *starts, P *run_of, long long *runs, scan_layout s,
            unsigned int *workspace)
{
    const numbered_runs<K, P> source = {keys, starts, run_of, runs};
    cupric::reduce_runs<cupric::or_of<bool>>(s, workspace, source);
}
