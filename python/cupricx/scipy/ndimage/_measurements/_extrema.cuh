/* _extrema.cuh: the smallest and largest element of each label, and where they are.
 *
 * Numbers as keys, whose order as unsigned integers is that of sorts: NaN is the largest,
 * and zeros of either sign are equal.
 */
#include "_slots.cuh"

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

/* Of each slot the smallest key, all ones at first, and the largest, 0 at first. Unless
 * `first` is NULL, they are given instead, and found are the first place of the smallest and
 * the last of the largest. Tables and launch as of label_sums; keys that are given are
 * in one table.
 */
template <class X, class L>
__global__ void
label_extremes(const X *x, const L *labels, const typename as_index<L>::type *index,
               key_type *least, key_type *most, long long *first, long long *last,
               slot_sizes s)
{
    const bool located = first;
    const long long table = blockIdx.x % s.tables;
    slot_finder<L> finder(index, s.slots);
    key_type *const low = least + (located ? 0 : table * s.stride);
    key_type *const high = most + (located ? 0 : table * s.stride);
    long long *const low_at = first + table * s.stride, *const high_at =
                                                            last + table * s.stride;
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

    CUPRIC_EACH_BLOCK (tile, s.pieces) {
        long long slot = -1, p = none, q = -1;
        key_type a = ~0ull, b = 0; /* where located, those of the slot */
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k, s.size);
            if (i >= s.size) break;
            const long long own = finder.find(labels[i]);
            if (own != slot) {
                if (slot >= 0) put(slot, a, b, p, q);
                slot = own;
                p = none;
                q = -1;
                a = located && own >= 0 ? low[own] : ~0ull;
                b = located && own >= 0 ? high[own] : 0;
            }
            if (own < 0) continue;
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
}
