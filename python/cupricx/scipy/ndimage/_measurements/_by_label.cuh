/* _by_label.cuh: what is made of the elements of each label in some order.
 */
#include "_slots.cuh"

typedef unsigned long long key_type;

/* ---- slots, and keys to sort by -------------------------------------------------------
 *
 * found[i]: the slot of an element, `slots` where it has none. Launch: elements(size).
 */
template <class L>
__global__ void
label_slots(const L *labels, const typename as_index<L>::type *index, long long slots,
            long long *found, long long size)
{
    slot_finder<L> finder(index, slots);

    CUPRIC_EACH (i, size) {
        const long long slot = finder.find(labels[i]);
        found[i] = slot < 0 ? slots : slot;
    }
}

/* Numbers of 32 bits behind the slot: one sort of keys orders both. slots < 2^32. */
__device__ inline unsigned
short_key(int x)
{
    return (unsigned)x ^ 1u << 31;
}
__device__ inline unsigned
short_key(float x)
{
    if (x != x) return ~0u;
    const unsigned b = (unsigned)__float_as_int(x);
    return b >> 31 ? ~b : b | 1u << 31;
}
__device__ inline void
short_value(unsigned k, int &x)
{
    x = (int)(k ^ 1u << 31);
}
__device__ inline void
short_value(unsigned k, float &x)
{
    x = __int_as_float((int)(k >> 31 ? k ^ 1u << 31 : ~k));
}

template <class X, class L>
__global__ void
label_keys(const X *x, const L *labels, const typename as_index<L>::type *index,
           long long slots, key_type *keys, long long size)
{
    slot_finder<L> finder(index, slots);

    CUPRIC_EACH (i, size) {
        const long long slot = finder.find(labels[i]);
        keys[i] = (key_type)(slot < 0 ? slots : slot) << 32 | short_key(x[i]);
    }
}

/* The middle of each slot's values, or the mean of the two there; keys: ascending. Launch:
 * elements(slots). */
template <class X, class R>
__global__ void
label_middles(const key_type *keys, long long size, R *middles, long long slots)
{
    CUPRIC_EACH (slot, slots) {
        long long ends[2];
        for (int k = 0; k < 2; k++) {
            const key_type least = (key_type)(slot + k) << 32;
            long long low = 0, high = size;
            while (low < high) {
                const long long middle = low + (high - low) / 2;
                if (keys[middle] < least)
                    low = middle + 1;
                else
                    high = middle;
            }
            ends[k] = low;
        }
        const long long count = ends[1] - ends[0];
        if (count == 0) {
            middles[slot] = R(__int_as_float(0x7fc00000)); /* NaN */
            continue;
        }
        X one, other;
        short_value((unsigned)keys[ends[0] + (count - 1) / 2], one);
        short_value((unsigned)keys[ends[1] - 1 - (count - 1) / 2], other);
        middles[slot] = R(R(R(one) + R(other)) / R(2.0f));
    }
}

/* ---- places of values -----------------------------------------------------------------
 *
 * ordered: x in an order; at: (ndim, size), the indices of its elements. Launch: elements(size).
 */
template <class W, class I>
__device__ inline void
put_indices(W place, const long long *shape, int ndim, I *at, long long size)
{
    for (int d = ndim - 1; d > 0; d--) {
        const W n = (W)shape[d], next = place / n;
        at[d * size] = (I)(place - next * n);
        place = next;
    }
    at[0] = (I)place;
}

template <class X, class I>
__global__ void
value_places(const X *x, const long long *order, const long long *shape, int ndim,
             X *ordered, I *at, long long size)
{
    CUPRIC_EACH (i, size) {
        const long long place = order[i];
        ordered[i] = x[place];
        if (ndim == 0) continue;
        if (size <= 0xffffffffll)
            put_indices((unsigned)place, shape, ndim, at + i, size);
        else
            put_indices((unsigned long long)place, shape, ndim, at + i, size);
    }
}

/* ---- histogram ------------------------------------------------------------------------
 *
 * found[i]: slot * (bins + 1) + bin, the bin after the last for a number outside of the
 * edges; slots * (bins + 1) where there is no slot. edges: bins + 1, ascending. Launch:
 * elements.
 */
template <class X, class L>
__global__ void
label_bins(const X *x, const L *labels, const typename as_index<L>::type *index,
           long long slots, const double *edges, long long bins, long long *found,
           long long size)
{
    slot_finder<L> finder(index, slots);
    const double low = edges[0], high = edges[bins];
    const double scale = high > low ? (double)bins / (high - low) : 0;

    CUPRIC_EACH (i, size) {
        const long long slot = finder.find(labels[i]);
        const double v = (double)x[i];
        long long bin = bins;
        if (slot >= 0 && v >= low && v <= high) {
            bin = (long long)((v - low) * scale);
            if (bin > bins - 1) bin = bins - 1;
            if (bin < 0) bin = 0;
            while (bin > 0 && v < edges[bin]) bin--; /* rounded otherwise */
            while (bin + 1 < bins && v >= edges[bin + 1]) bin++;
        }
        found[i] = slot < 0 ? slots * (bins + 1) : slot * (bins + 1) + bin;
    }
}
