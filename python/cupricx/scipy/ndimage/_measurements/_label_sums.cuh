/* _label_sums.cuh: of each label how many elements it has, their sums and moments.
 *
 * sums[slot] += x, or (x - means[slot])^2 where `centred`; numbers[slot] += 1. Doubles.
 * There are `tables` of these, `stride` slots apart (more than there are, so that threads
 * of the host share no cache line), to be added up. A piece of the host has one of its own,
 * and so has a block of a GPU that is alone, where there are few slots: it is filled here.
 * The blocks of a GPU share those that are zero at first; few slots add up in shared memory
 * before.
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
        for (long long slot = 0; slot < slots; slot++) sum[slot] = number[slot] = 0;
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
    const bool few = slots <= FEW, alone = size <= SPAN_TILE;
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
            const long long i = span_element(tile, k, size);
            if (i - threadIdx.x % 32 >= size) break; /* the whole warp */
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
            if (alone) {
                sum[s] = few_sums[s];
                number[s] = few_numbers[s];
            } else if (few_numbers[s] > 0) {
                atomicAdd(sum + s, few_sums[s]);
                atomicAdd(number + s, (unsigned long long)few_numbers[s]);
            }
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
            const long long i = span_element(tile, k, size);
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
