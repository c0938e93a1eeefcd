/* _measurements.host.hpp: sums in lanes, and groups of elements with one label. */

/* value(x[i]) of the elements of a piece, added up to its table. */
template <class X, class L, class VALUE>
inline void
add_values(const X *x, const L *labels, slot_finder<L> &finder, const slot_share &own,
           double *sum, long long *number, const VALUE &value)
{
    each_slot(
        labels, finder, own.begin, own.end,
        [&](long long i, long long slot) {
            double lanes[4] = {0, 0, 0, 0};
            for (int c = 0; c < GROUP; c += 4) {
                for (int k = 0; k < 4; k++) lanes[k] += value(x[i + c + k], slot);
            }
            sum[slot] += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
            number[slot] += GROUP;
        },
        [&](long long i, long long slot) {
            sum[slot] += value(x[i], slot);
            number[slot]++;
        });
}

template <class X, class L>
__global__ void
label_sums(const X *x, const L *labels, const typename as_index<L>::type *index,
           double *sums, long long *numbers, const double *means, slot_sizes s)
{
    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        slot_finder<L> finder(index, s.slots);
        const slot_share own(piece, s);
        double *const sum = sums + own.table;
        long long *const number = numbers + own.table;
        for (long long slot = 0; slot < s.slots; slot++) sum[slot] = number[slot] = 0;
        if (means) {
            add_values(x, labels, finder, own, sum, number, [&](X v, long long slot) {
                const double d = (double)v - means[slot];
                return d * d;
            });
        } else {
            add_values(x, labels, finder, own, sum, number,
                       [](X v, long long) { return (double)v; });
        }
    }
}

/* Of up to GROUP_TILE elements in a group, sums in lanes, so that the compiler makes vectors
 * of them. */
template <class S>
struct group_lanes {
    enum { LANES = 16 };
    S lanes[LANES];
    const unsigned char *in;
    int left;
    bool all; /* are in the group */

    /* GCC 12 vectorises a selection of 64-bit integers by bytes wrongly. */
    static S kept(S v, unsigned char keep)
    {
        if constexpr ((S)0.5 == 0) {
            return v & -(S)keep;
        } else {
            return keep ? v : (S)0;
        }
    }

    template <class X, class VALUE>
    S add(const X *p, const VALUE &value)
    {
        int j = 0;
        for (int c = 0; c < LANES; c++) lanes[c] = 0;
        for (; all && j + LANES <= left; j += LANES) {
            for (int c = 0; c < LANES; c++) lanes[c] += value(p[j + c]);
        }
        for (; j + LANES <= left; j += LANES) {
            for (int c = 0; c < LANES; c++)
                lanes[c] += kept(value(p[j + c]), in[j + c]);
        }
        for (; j < left; j++) lanes[0] += kept(value(p[j]), in[j]);
        for (int half = LANES / 2; half > 0; half /= 2) {
            for (int c = 0; c < half; c++) lanes[c] += lanes[c + half];
        }
        return lanes[0];
    }
};

template <class X, class S>
__global__ void
group_sums(const X *x, const unsigned char *mask, S *sums, const double *mean,
           long long size, long long pieces)
{
    const long long tiles = (size + GROUP_TILE - 1) / GROUP_TILE;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        S sum = 0;
        long long number = 0;
        const double middle = mean ? *mean : 0;
        const long long last =
            cupric::share_of(tiles, (unsigned)piece + 1, (unsigned)pieces);
        for (long long tile =
                 cupric::share_of(tiles, (unsigned)piece, (unsigned)pieces);
             tile < last; tile++) {
            const X *const p = x + tile * GROUP_TILE;
            const long long rest = size - tile * GROUP_TILE;
            group_lanes<S> group;
            group.in = mask + tile * GROUP_TILE;
            group.left = (int)(rest < GROUP_TILE ? rest : GROUP_TILE);
            int count = 0;
            for (int j = 0; j < group.left; j++) count += group.in[j];
            number += count;
            if (count == 0) continue;
            group.all = count == group.left;
            if (mean) {
                sum += group.add(p, [middle](X v) {
                    const double d = (double)v - middle;
                    return (S)(d * d);
                });
            } else {
                sum += group.add(p, [](X v) { return (S)v; });
            }
        }
        sums[piece] = sum;
        sums[pieces + piece] = (S)number;
    }
}

template <class X, class L>
__global__ void
label_moments(const X *x, const L *labels, const typename as_index<L>::type *index,
              double *sums, const long long *shape, slot_sizes s, moment_rows m)
{
    const int ndim = m.ndim;
    const long long n = m.n;

    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        slot_finder<L> finder(index, s.slots);
        double *const sum = sums + piece * s.stride * (ndim + 1);
        const long long end =
            cupric::share_of(m.rows, (unsigned)piece + 1, (unsigned)s.pieces);
        for (long long row =
                 cupric::share_of(m.rows, (unsigned)piece, (unsigned)s.pieces);
             row < end; row++) {
            const X *const p = x + row * n;
            auto add = [&](long long slot, double value, double moment) {
                double *const to = sum + slot * (ndim + 1);
                to[0] += value;
                to[ndim] += moment;
                long long rest = row;
                for (int d = ndim - 2; d >= 0; d--) {
                    const long long next = cupric::quotient(rest, shape[d]);
                    to[1 + d] += value * (double)(rest - next * shape[d]);
                    rest = next;
                }
            };
            each_slot(
                labels + row * n, finder, 0, n,
                [&](long long j, long long slot) {
                    double total = 0, moment = 0;
                    for (int c = 0; c < GROUP; c++) {
                        total += (double)p[j + c];
                        moment += (double)p[j + c] * c;
                    }
                    add(slot, total, moment + total * (double)j);
                },
                [&](long long j, long long slot) {
                    add(slot, (double)p[j], (double)p[j] * (double)j);
                });
        }
    }
}
