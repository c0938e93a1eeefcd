/* _measurements.cuh: what can be told of each label. */

#if defined(CUPRIC_HOST)
/* Elements that are looked at together: mostly they have one label. */
enum { GROUP = 16 };

template <class L>
inline bool
is_uniform(const L *labels)
{
    const L first = labels[0];
    bool differs = false;
    for (int c = 0; c < GROUP; c++) differs |= labels[c] != first;
    return !differs;
}
#endif

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

#if defined(CUPRIC_HOST)

/* From begin to end: uniform(i, slot) for GROUP elements of a slot from i on, single(i,
 * slot) for one. */
template <class L, class UNIFORM, class SINGLE>
inline void
each_slot(const L *labels, slot_finder<L> &finder, long long begin, long long end,
          const UNIFORM &uniform, const SINGLE &single)
{
    const bool dense = finder.is_dense();
    for (long long i = begin; i < end;) {
        if (i + GROUP <= end && is_uniform(labels + i)) {
            const long long slot = finder.find(labels[i]);
            if (slot >= 0) uniform(i, slot);
            i += GROUP;
            continue;
        }
        const long long stop = i + GROUP < end ? i + GROUP : end;
        if (dense) { /* found first, without branches: any may have a slot */
            long long slots[GROUP];
            int which[GROUP], count = 0;
            for (int c = 0; c < (int)(stop - i); c++) {
                const long long slot = (long long)(labels[i + c] - finder.first);
                slots[count] = slot;
                which[count] = c;
                count += (unsigned long long)slot < (unsigned long long)finder.slots;
            }
            for (int k = 0; k < count; k++) single(i + which[k], slots[k]);
            i = stop;
        }
        for (; i < stop; i++) {
            const long long slot = finder.find(labels[i]);
            if (slot >= 0) single(i, slot);
        }
    }
}

#else

/* A warp takes SPAN neighbouring elements, 32 at a time. A thread keeps what it has found
 * of a slot until it meets another. */
enum { SPAN = 512, SPAN_THREADS = 256, SPAN_TILE = SPAN * SPAN_THREADS / 32 };

__device__ inline long long
span_element(long long tile, int k)
{
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

#endif

/* ---- sums -----------------------------------------------------------------------------
 *
 * sums[slot] += x, or (x - means[slot])^2 where `centred`; numbers[slot] += 1. Doubles.
 * There are `tables` of these, `stride` slots apart (more than there are, so that threads
 * of the host share no cache line), zero at first, to be added up: a piece of the host has
 * one of its own, the blocks of a GPU share them; few slots add up in shared memory first.
 * Sums on a GPU are made in any order. Launch: blocks of SPAN_THREADS over `tables`
 * pieces on the host, over tiles of SPAN_TILE on a GPU.
 */
enum { FEW = 512 };

template <class X, class L>
__global__ void
label_sums(const X *x, const L *labels, const typename as_index<L>::type *index,
           long long slots, long long stride, double *sums, long long *numbers,
           const double *means, bool centred, long long size, long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        slot_finder<L> finder(index, slots);
        double *const sum = sums + piece * stride;
        long long *const number = numbers + piece * stride;
        const long long begin =
            cupric::share_of(size, (unsigned)piece, (unsigned)tables);
        const long long end =
            cupric::share_of(size, (unsigned)piece + 1, (unsigned)tables);
        if (centred) {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    const double mean = means[slot];
                    double s[4] = {0, 0, 0, 0};
                    for (int c = 0; c < GROUP; c += 4) {
                        for (int k = 0; k < 4; k++) {
                            const double v = (double)x[i + c + k] - mean;
                            s[k] += v * v;
                        }
                    }
                    sum[slot] += (s[0] + s[1]) + (s[2] + s[3]);
                    number[slot] += GROUP;
                },
                [&](long long i, long long slot) {
                    const double v = (double)x[i] - means[slot];
                    sum[slot] += v * v;
                    number[slot]++;
                });
        } else {
            each_slot(
                labels, finder, begin, end,
                [&](long long i, long long slot) {
                    double s[4] = {0, 0, 0, 0};
                    for (int c = 0; c < GROUP; c += 4) {
                        for (int k = 0; k < 4; k++) s[k] += (double)x[i + c + k];
                    }
                    sum[slot] += (s[0] + s[1]) + (s[2] + s[3]);
                    number[slot] += GROUP;
                },
                [&](long long i, long long slot) {
                    sum[slot] += (double)x[i];
                    number[slot]++;
                });
        }
    }
#else
    __shared__ double few_sums[FEW];
    __shared__ unsigned int few_numbers[FEW];
    const long long table = blockIdx.x % tables;
    double *const sum = sums + table * stride;
    unsigned long long *const number = (unsigned long long *)numbers + table * stride;
    const bool few = slots <= FEW;
    slot_finder<L> finder(index, slots);

    if (few) {
        for (int s = threadIdx.x; s < slots; s += blockDim.x) {
            few_sums[s] = 0;
            few_numbers[s] = 0;
        }
        __syncthreads();
    }
    auto add = [&](long long slot, double value, unsigned count) {
        if (few) {
            atomicAdd(few_sums + slot, value);
            atomicAdd(few_numbers + slot, count);
        } else {
            atomicAdd(sum + slot, value);
            atomicAdd(number + slot, (unsigned long long)count);
        }
    };
    auto plus = [](double a, double b) { return a + b; };
    CUPRIC_EACH_BLOCK (tile, (size + SPAN_TILE - 1) / SPAN_TILE) {
        long long held = -1; /* the slot of all threads' elements, and what they have */
        double value = 0;
        unsigned count = 0;
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k);
            const long long s = i < size ? finder.find(labels[i]) : -1;
            double v = 0;
            if (s >= 0) {
                v = (double)x[i] - (centred ? means[s] : 0.0);
                v = centred ? v * v : v;
            }
            bool first;
            const int length = run_length(s, &first);
            if (__shfl_sync(~0u, length, 0) == 32) {
                if (s != held) {
                    value = warp_reduced(value, plus);
                    if (held >= 0 && threadIdx.x % 32 == 0)
                        add(held, value, 32 * count);
                    held = s;
                    value = 0;
                    count = 0;
                }
                value += v;
                count++;
            } else {
                v = run_reduced(v, length, plus);
                if (first && s >= 0) add(s, v, (unsigned)length);
            }
        }
        value = warp_reduced(value, plus);
        if (held >= 0 && threadIdx.x % 32 == 0) add(held, value, 32 * count);
    }
    if (few) {
        __syncthreads();
        for (int s = threadIdx.x; s < slots; s += blockDim.x) {
            if (few_numbers[s] == 0) continue;
            atomicAdd(sum + s, few_sums[s]);
            atomicAdd(number + s, (unsigned long long)few_numbers[s]);
        }
    }
#endif
}

/* ---- sums of one group ----------------------------------------------------------------
 *
 * sums[piece] = the sum of x, or of (x - *mean)^2 where `centred`, in a share of the
 * elements where `in` is 1, and further `pieces` how many these are. S is long long or
 * double. Launch: blocks(pieces, GROUP_THREADS).
 */
enum { GROUP_THREADS = 256, GROUP_TILE = 4096 };

template <class X, class S>
__global__ void
group_sums(const X *x, const unsigned char *in, S *sums, const double *mean,
           bool centred, long long size, long long pieces)
{
    const long long tiles = (size + GROUP_TILE - 1) / GROUP_TILE;

    CUPRIC_EACH_BLOCK (piece, pieces) {
#if defined(CUPRIC_HOST)
        enum { LANES = 16 };
        S sum = 0;
        long long number = 0;
        const double middle = centred ? *mean : 0;
        const long long last =
            cupric::share_of(tiles, (unsigned)piece + 1, (unsigned)pieces);
        for (long long tile =
                 cupric::share_of(tiles, (unsigned)piece, (unsigned)pieces);
             tile < last; tile++) {
            const X *const p = x + tile * GROUP_TILE;
            const unsigned char *const is = in + tile * GROUP_TILE;
            const int left =
                (int)(size - tile * GROUP_TILE < GROUP_TILE ? size - tile * GROUP_TILE
                                                            : GROUP_TILE);
            S lanes[LANES] = {};
            int count = 0;
            for (int j = 0; j < left; j++) count += is[j];
            number += count;
            if (count == 0) continue;
            const bool all = count == left;
            /* GCC 12 vectorises a selection of 64-bit integers by bytes wrongly. */
            auto kept = [](S v, unsigned char keep) {
                if constexpr ((S)0.5 == 0) {
                    return v & -(S)keep;
                } else {
                    return keep ? v : (S)0;
                }
            };
            auto add = [&](auto value) {
                int j = 0;
                for (; all && j + LANES <= left; j += LANES) {
                    for (int c = 0; c < LANES; c++) lanes[c] += value(p[j + c]);
                }
                for (; j + LANES <= left; j += LANES) {
                    for (int c = 0; c < LANES; c++)
                        lanes[c] += kept(value(p[j + c]), is[j + c]);
                }
                for (; j < left; j++) lanes[0] += kept(value(p[j]), is[j]);
            };
            if (centred) {
                add([middle](X v) {
                    const double d = (double)v - middle;
                    return (S)(d * d);
                });
            } else {
                add([](X v) { return (S)v; });
            }
            for (int half = LANES / 2; half > 0; half /= 2) {
                for (int c = 0; c < half; c++) lanes[c] += lanes[c + half];
            }
            sum += lanes[0];
        }
        sums[piece] = sum;
        sums[pieces + piece] = (S)number;
#else
        __shared__ S part[2][GROUP_THREADS / 32];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        auto plus = [](S a, S b) { return a + b; };
        S sum = 0, number = 0;
        for (long long tile = piece; tile < tiles; tile += pieces) {
            for (int j = threadIdx.x; j < GROUP_TILE; j += GROUP_THREADS) {
                const long long i = tile * GROUP_TILE + j;
                if (i >= size || !in[i]) continue;
                const double d = centred ? (double)x[i] - *mean : 0;
                sum += centred ? (S)(d * d) : (S)x[i];
                number++;
            }
        }
        sum = warp_reduced(sum, plus);
        number = warp_reduced(number, plus);
        if (lane == 0) {
            part[0][warp] = sum;
            part[1][warp] = number;
        }
        __syncthreads();
        if (warp < 2) {
            S all = lane < GROUP_THREADS / 32 ? part[warp][lane] : (S)0;
            all = warp_reduced(all, plus);
            if (lane == 0) sums[warp * pieces + piece] = all;
        }
        __syncthreads(); /* before the memory is used for the next piece */
#endif
    }
}

/* ---- moments --------------------------------------------------------------------------
 *
 * sums[slot][0] += x, sums[slot][1 + d] += x times the index along axis d of ndim, the
 * rows' lengths being n. Tables and launch as of label_sums; pieces of the host are runs
 * of rows.
 */
template <class X, class L>
__global__ void
label_moments(const X *x, const L *labels, const typename as_index<L>::type *index,
              long long slots, long long stride, double *sums, const long long *shape,
              int ndim, long long rows, long long n, long long tables)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH_BLOCK (piece, tables) {
        slot_finder<L> finder(index, slots);
        double *const sum = sums + piece * stride * (ndim + 1);
        const long long begin =
            cupric::share_of(rows, (unsigned)piece, (unsigned)tables);
        const long long end =
            cupric::share_of(rows, (unsigned)piece + 1, (unsigned)tables);
        for (long long row = begin; row < end; row++) {
            const X *const p = x + row * n;
            auto add = [&](long long slot, double value, double moment) {
                double *const s = sum + slot * (ndim + 1);
                s[0] += value;
                s[ndim] += moment;
                long long rest = row;
                for (int d = ndim - 2; d >= 0; d--) {
                    const long long next = cupric::quotient(rest, shape[d]);
                    s[1 + d] += value * (double)(rest - next * shape[d]);
                    rest = next;
                }
            };
            each_slot(
                labels + row * n, finder, 0, n,
                [&](long long j, long long slot) {
                    double s = 0, m = 0;
                    for (int c = 0; c < GROUP; c++) {
                        s += (double)p[j + c];
                        m += (double)p[j + c] * c;
                    }
                    add(slot, s, m + s * (double)j);
                },
                [&](long long j, long long slot) {
                    add(slot, (double)p[j], (double)p[j] * (double)j);
                });
        }
    }
#else
    double *const sum = sums + blockIdx.x % tables * stride * (ndim + 1);
    const long long size = rows * n;
    slot_finder<L> finder(index, slots);

    auto add = [&](long long slot, long long row, double value, double moment) {
        double *const s = sum + slot * (ndim + 1);
        atomicAdd(s, value);
        atomicAdd(s + ndim, moment);
        for (int d = ndim - 2; d >= 0; d--) {
            const long long next = cupric::quotient(row, shape[d]);
            atomicAdd(s + 1 + d, value * (double)(row - next * shape[d]));
            row = next;
        }
    };
    CUPRIC_EACH_BLOCK (tile, (size + SPAN_TILE - 1) / SPAN_TILE) {
        long long slot = -1, row = -1;
        double value = 0, moment = 0;
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k);
            if (i >= size) break;
            const long long s = finder.find(labels[i]), r = cupric::quotient(i, n);
            if (s != slot || r != row) {
                if (slot >= 0) add(slot, row, value, moment);
                slot = s;
                row = r;
                value = moment = 0;
            }
            if (s < 0) continue;
            value += (double)x[i];
            moment += (double)x[i] * (double)(i - r * n);
        }
        __syncwarp();
        if (is_uniform(slot) && is_uniform(row)) {
            auto plus = [](double a, double b) { return a + b; };
            value = warp_reduced(value, plus);
            moment = warp_reduced(moment, plus);
            if (threadIdx.x % 32 != 0) continue;
        }
        if (slot >= 0) add(slot, row, value, moment);
    }
#endif
}

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
            const long long i = span_element(tile, k);
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
