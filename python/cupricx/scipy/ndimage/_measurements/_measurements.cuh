/* _measurements.cuh: what can be told of each label. */
#include "_label_slots.cuh"
#include "_label_sums.cuh"

/* ---- extremes -------------------------------------------------------------------------
 *
 * Numbers as keys, whose order as unsigned integers is that of sorts: NaN is the largest,
 * and zeros of either sign are equal.
 */
typedef unsigned long long key_type;

template <class X>
struct key {
    static constexpr bool is_signed = (X)-1 < (X)0;
    static constexpr key_type top = is_signed ? 1ull << 63 : 0;
    __device__ static key_type of(X x) { return (key_type)(long long)x ^ top; }
    __device__ static X value(key_type k) { return (X)(long long)(k ^ top); }
};
template <>
struct key<unsigned long long> {
    __device__ static key_type of(unsigned long long x) { return x; }
    __device__ static unsigned long long value(key_type k) { return k; }
};
template <>
struct key<double> {
    __device__ static key_type of(double x)
    {
        if (x != x) return ~0ull;
        const key_type b = (key_type)__double_as_longlong(x + 0.0);
        return b >> 63 ? ~b : b | 1ull << 63;
    }
    __device__ static double value(key_type k)
    {
        return __longlong_as_double((long long)(k >> 63 ? k ^ 1ull << 63 : ~k));
    }
};
template <>
struct key<float> {
    __device__ static key_type of(float x) { return key<double>::of((double)x); }
    __device__ static float value(key_type k) { return (float)key<double>::value(k); }
};

/* Of each slot the smallest key, all ones at first, and the largest, 0 at first. Where
 * `located`, they are given instead, and found are the first place of the smallest and
 * the last of the largest. Tables and launch as of label_sums; keys that are given are
 * in one table.
 */
template <class X, class L>
__global__ void
label_extremes(const X *x, const L *labels, const typename as_index<L>::type *index,
               long long slots, long long stride, key_type *least, key_type *most,
               long long *first, long long *last, bool located, long long size,
               long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        slot_finder<L> finder(index, slots);
        const long long begin =
            cupric::share_of(size, (unsigned)piece, (unsigned)tables);
        const long long end =
            cupric::share_of(size, (unsigned)piece + 1, (unsigned)tables);
        long long *const low_at = first + piece * stride;
        long long *const high_at = last + piece * stride;
        key_type *const low = least + (located ? 0 : piece * stride);
        key_type *const high = most + (located ? 0 : piece * stride);
        auto locate = [&](long long i, long long slot) {
            const key_type k = key<X>::of(x[i]);
            if (k == low[slot] && i < low_at[slot]) low_at[slot] = i;
            if (k == high[slot] && i > high_at[slot]) high_at[slot] = i;
        };
        auto widen = [&](long long slot, key_type a, key_type b) {
            if (a < low[slot]) low[slot] = a;
            if (b > high[slot]) high[slot] = b;
        };
        auto single = [&](long long i, long long slot) {
            const key_type k = key<X>::of(x[i]);
            widen(slot, k, k);
        };
        if (located) {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    const X a = key<X>::value(low[slot]), b = key<X>::value(high[slot]);
                    bool hit = a != a || b != b;
                    for (int c = 0; c < GROUP; c++)
                        hit |= x[i + c] == a || x[i + c] == b;
                    for (int c = 0; hit && c < GROUP; c++) locate(i + c, slot);
                },
                locate);
        } else {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    X a = x[i], b = x[i];
                    bool nan = false;
                    for (int c = 0; c < GROUP; c++) {
                        const X v = x[i + c];
                        a = v < a ? v : a;
                        b = v > b ? v : b;
                        nan |= v != v;
                    }
                    if (!nan) widen(slot, key<X>::of(a), key<X>::of(b));
                    for (int c = 0; nan && c < GROUP; c++) single(i + c, slot);
                },
                single);
        }
    }
#else
    const long long table = blockIdx.x % tables;
    slot_finder<L> finder(index, slots);
    key_type *const low = least + (located ? 0 : table * stride);
    key_type *const high = most + (located ? 0 : table * stride);
    long long *const low_at = first + table * stride, *const high_at =
                                                          last + table * stride;
    const long long none = 0x7fffffffffffffffll;

    /* Looked at first: few elements change anything. */
    auto put = [&](long long slot, key_type a, key_type b, long long p, long long q) {
        if (located) {
            if (p < *(volatile long long *)(low_at + slot)) atomicMin(low_at + slot, p);
            if (q > *(volatile long long *)(high_at + slot))
                atomicMax(high_at + slot, q);
        } else {
            if (a < *(volatile key_type *)(low + slot)) atomicMin(low + slot, a);
            if (b > *(volatile key_type *)(high + slot)) atomicMax(high + slot, b);
        }
    };
    auto smaller = [](auto a, auto b) { return b < a ? b : a; };
    auto larger = [](auto a, auto b) { return b > a ? b : a; };

    CUPRIC_EACH_BLOCK (tile, (size + SPAN_TILE - 1) / SPAN_TILE) {
        long long slot = -1, p = none, q = -1;
        key_type a = ~0ull, b = 0; /* where located, those of the slot */
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k, size);
            if (i >= size) break;
            const long long s = finder.find(labels[i]);
            if (s != slot) {
                if (slot >= 0) put(slot, a, b, p, q);
                slot = s;
                p = none;
                q = -1;
                a = located && s >= 0 ? low[s] : ~0ull;
                b = located && s >= 0 ? high[s] : 0;
            }
            if (s < 0) continue;
            const key_type now = key<X>::of(x[i]);
            if (located) {
                if (now == a && i < p) p = i;
                if (now == b && i > q) q = i;
            } else {
                a = smaller(a, now);
                b = larger(b, now);
            }
        }
        __syncwarp();
        if (is_uniform(slot)) {
            a = warp_reduced(a, smaller);
            b = warp_reduced(b, larger);
            p = warp_reduced(p, smaller);
            q = warp_reduced(q, larger);
            if (threadIdx.x % 32 != 0) continue;
        }
        if (slot >= 0) put(slot, a, b, p, q);
    }
#endif
}

/* ---- slots, and keys to sort by -------------------------------------------------------
 *
 * found[i]: the slot of an element, `slots` where it has none. Launch: elements.
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
 * ordered: x in an order; at: (ndim, size), the indices of its elements. Launch: elements.
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
