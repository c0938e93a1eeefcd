/* _slots.cuh: where what is told of a label is kept, and ways through elements.
 */
#include "_slots.h"
#include "cupric/kernels/order.hpp"

/* ---- the slot of a label --------------------------------------------------------------
 *
 * index: `slots` labels, ascending, as long long, or as double where labels are floating.
 * A label's slot is the first place where it stands there; -1: it does not.
 */
template <class L>
struct as_index {
    typedef long long type;
};
template <>
struct as_index<double> {
    typedef double type;
};

template <class L>
struct slot_finder {
    typedef typename as_index<L>::type I;
    const I *index;
    long long slots;
    I first, last, label; /* label: the one before, whose slot is known */
    long long slot;

    __device__ slot_finder(const I *at, long long n)
        : index(at), slots(n), first(at[0]), last(at[n - 1]), label(at[0]), slot(0)
    {
    }
    /* Whether the labels are integers without a gap. */
    __device__ bool is_dense() const
    {
        bool dense = (I)0.5 == (I)0 && last - first == (I)(slots - 1);
        for (long long k = 0; dense && k < slots; k++) dense = index[k] == first + (I)k;
        return dense;
    }
    __device__ long long find(L value)
    {
        const I v = (I)value;
        if (v == label) return slot;
        label = v;
        return slot = search(v);
    }

  private:
    __device__ long long search(I v) const
    {
        if (v < first || v > last || v != v) return -1;
        const long long guess = (long long)(v - first); /* of labels without a gap */
        if (guess >= 0 && guess < slots && index[guess] == v &&
            (guess == 0 || index[guess - 1] != v)) {
            return guess;
        }
        long long begin = 0, end = slots;
        while (begin < end) {
            const long long middle = (begin + end) / 2;
            if (index[middle] < v) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return index[begin] == v ? begin : -1;
    }
};

/* index: the n labels that were asked for, as they are sorted; place: of each of them the
 * first place there that has it. By counting, which takes no longer than a launch where
 * they are few. Launch: elements(n). */
template <class I>
__global__ void
order_slots(const I *wanted, I *index, long long *place, long long n)
{
    CUPRIC_EACH (i, n) {
        const I own = wanted[i];
        long long before = 0, alike = 0;
        for (long long j = 0; j < n; j++) {
            const bool is_before = cupric::sorts_before(wanted[j], own);
            before += is_before;
            alike += j < i && !is_before && !cupric::sorts_before(own, wanted[j]);
        }
        index[before + alike] = own;
        place[i] = before;
    }
}

/* out[i] = values[place[i]]. Launch: elements(n). */
template <class T>
__global__ void
slots_taken(const T *values, const long long *place, T *out, long long n)
{
    CUPRIC_EACH (i, n) out[i] = values[place[i]];
}

/* ---- tiles of a GPU -------------------------------------------------------------------
 *
 * A thread keeps what it has found of a slot until it meets another. */
__device__ inline long long
span_element(long long tile, int k, long long size)
{
    if (size <= SPAN_TILE) return k * SPAN_THREADS + (int)threadIdx.x;
    return tile * SPAN_TILE + threadIdx.x / 32 * SPAN + k * 32 + threadIdx.x % 32;
}

/* Whether all threads of the warp have the same slot. */
__device__ inline bool
is_uniform(long long slot)
{
    int same;
    __match_all_sync(~0u, (unsigned long long)slot, &same);
    return same != 0;
}

/* Of a run of equal slots among neighbouring threads, how many there are from this one on;
 * *first: whether it is the first. */
__device__ inline int
run_length(long long slot, bool *first)
{
    const int lane = threadIdx.x % 32;
    const long long before = __shfl_up_sync(~0u, slot, 1);
    *first = lane == 0 || before != slot;
    const unsigned later = __ballot_sync(~0u, *first) & ~(~0u >> (31 - lane));
    return (later ? __ffs(later) - 1 : 32) - lane;
}

/* The first thread of each run has what op makes of all in it. */
template <class T, class OP>
__device__ inline T
run_reduced(T x, int length, const OP &op)
{
    for (int by = 1; by < 32; by *= 2) {
        const T other = __shfl_down_sync(~0u, x, by);
        if (by < length) x = op(x, other);
    }
    return x;
}

template <class T, class OP>
__device__ inline T
warp_reduced(T x, const OP &op)
{
    for (int half = 16; half > 0; half /= 2) x = op(x, __shfl_down_sync(~0u, x, half));
    return x;
}
