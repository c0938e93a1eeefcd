/* _measurements.cuh: sums and moments of the elements with a label, and how many they are.
 */
#include "_measurements.h"
#include "_slots.cuh"

/* ---- sums of labels -------------------------------------------------------------------
 *
 * Where a GPU's block adds up a slot: in shared memory where there are few, else in a table
 * of all. */
struct slot_sums {
    double *sums, *few_sums;
    unsigned long long *numbers;
    unsigned *few_numbers;
    bool few;

    __device__ void add(long long slot, double value, unsigned count) const
    {
        if (few) {
            atomicAdd(few_sums + slot, value);
            atomicAdd(few_numbers + slot, count);
        } else {
            atomicAdd(sums + slot, value);
            atomicAdd(numbers + slot, (unsigned long long)count);
        }
    }
};

/* A warp's span of a tile: what all its threads have of one slot is held, and added once
 * they meet another. */
template <class X, class L>
__device__ inline void
add_span(const X *x, const L *labels, const double *means, long long tile,
         long long size, slot_finder<L> &finder, const slot_sums &to)
{
    auto plus = [](double a, double b) { return a + b; };
    long long held = -1;
    double value = 0;
    unsigned count = 0;

    for (int k = 0; k < SPAN / 32; k++) {
        const long long i = span_element(tile, k, size);
        if (i - threadIdx.x % 32 >= size) break; /* the whole warp */
        const long long s = i < size ? finder.find(labels[i]) : -1;
        double v = 0;
        if (s >= 0) {
            v = (double)x[i] - (means ? means[s] : 0.0);
            v = means ? v * v : v;
        }
        bool first;
        const int length = run_length(s, &first);
        if (__shfl_sync(~0u, length, 0) == 32) {
            if (s != held) {
                value = warp_reduced(value, plus);
                if (held >= 0 && threadIdx.x % 32 == 0) to.add(held, value, 32 * count);
                held = s;
                value = 0;
                count = 0;
            }
            value += v;
            count++;
        } else {
            v = run_reduced(v, length, plus);
            if (first && s >= 0) to.add(s, v, (unsigned)length);
        }
    }
    value = warp_reduced(value, plus);
    if (held >= 0 && threadIdx.x % 32 == 0) to.add(held, value, 32 * count);
}

/* sums[slot] += x, or (x - means[slot])^2 unless `means` is NULL; numbers[slot] += 1.
 * Doubles. Tables are to be added up. A piece of the host has one of its own, and so has a
 * block of a GPU that is alone, where there are few slots: it is filled here. The blocks of
 * a GPU share those that are zero at first; few slots add up in shared memory before.
 * Sums on a GPU are made in any order. Launch: blocks(s.pieces, SPAN_THREADS). */
template <class X, class L>
__global__ void
label_sums(const X *x, const L *labels, const typename as_index<L>::type *index,
           double *sums, long long *numbers, const double *means, slot_sizes s)
{
    __shared__ double few_sums[FEW];
    __shared__ unsigned int few_numbers[FEW];
    const long long table = blockIdx.x % s.tables;
    const bool few = s.slots <= FEW, alone = s.size <= SPAN_TILE;
    const slot_sums to = {sums + table * s.stride, few_sums,
                          (unsigned long long *)numbers + table * s.stride, few_numbers,
                          few};
    slot_finder<L> finder(index, s.slots);

    if (few) {
        for (int k = threadIdx.x; k < s.slots; k += blockDim.x) {
            few_sums[k] = 0;
            few_numbers[k] = 0;
        }
        __syncthreads();
    }
    CUPRIC_EACH_BLOCK (tile, s.pieces)
        add_span(x, labels, means, tile, s.size, finder, to);
    if (few) {
        __syncthreads();
        for (int k = threadIdx.x; k < s.slots; k += blockDim.x) {
            if (alone) {
                to.sums[k] = few_sums[k];
                to.numbers[k] = few_numbers[k];
            } else if (few_numbers[k] > 0) {
                atomicAdd(to.sums + k, few_sums[k]);
                atomicAdd(to.numbers + k, (unsigned long long)few_numbers[k]);
            }
        }
    }
}

/* ---- sums of one group ----------------------------------------------------------------
 *
 * sums[piece] = the sum of x, or of (x - *mean)^2 unless `mean` is NULL, in a share of the
 * elements where the mask is 1, and further `pieces` how many these are. S is long long or
 * double. Launch: blocks(pieces, GROUP_THREADS).
 */
template <class X, class S>
__global__ void
group_sums(const X *x, const unsigned char *mask, S *sums, const double *mean,
           long long size, long long pieces)
{
    const long long tiles = (size + GROUP_TILE - 1) / GROUP_TILE;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        __shared__ S part[2][GROUP_THREADS / 32];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        auto plus = [](S a, S b) { return a + b; };
        S sum = 0, number = 0;
        for (long long tile = piece; tile < tiles; tile += pieces) {
            for (int j = threadIdx.x; j < GROUP_TILE; j += GROUP_THREADS) {
                const long long i = tile * GROUP_TILE + j;
                if (i >= size || !mask[i]) continue;
                const double d = mean ? (double)x[i] - *mean : 0;
                sum += mean ? (S)(d * d) : (S)x[i];
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
    }
}

/* ---- moments --------------------------------------------------------------------------
 *
 * sums[slot][0] += x, sums[slot][1 + d] += x times the index along axis d. Tables and
 * launch as of label_sums.
 */
template <class X, class L>
__global__ void
label_moments(const X *x, const L *labels, const typename as_index<L>::type *index,
              double *sums, const long long *shape, slot_sizes s, moment_rows m)
{
    const int ndim = m.ndim;
    const long long n = m.n;
    double *const sum = sums + blockIdx.x % s.tables * s.stride * (ndim + 1);
    slot_finder<L> finder(index, s.slots);

    auto add = [&](long long slot, long long row, double value, double moment) {
        double *const to = sum + slot * (ndim + 1);
        atomicAdd(to, value);
        atomicAdd(to + ndim, moment);
        for (int d = ndim - 2; d >= 0; d--) {
            const long long next = cupric::quotient(row, shape[d]);
            atomicAdd(to + 1 + d, value * (double)(row - next * shape[d]));
            row = next;
        }
    };
    CUPRIC_EACH_BLOCK (tile, s.pieces) {
        long long slot = -1, row = -1;
        double value = 0, moment = 0;
        for (int k = 0; k < SPAN / 32; k++) {
            const long long i = span_element(tile, k, s.size);
            if (i >= s.size) break;
            const long long own = finder.find(labels[i]), r = cupric::quotient(i, n);
            if (own != slot || r != row) {
                if (slot >= 0) add(slot, row, value, moment);
                slot = own;
                row = r;
                value = moment = 0;
            }
            if (own < 0) continue;
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
}
