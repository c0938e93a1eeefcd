/* _slots.host.hpp: a thread takes a share of the elements. */

/* Elements that are looked at together: mostly they have one label. */
enum { GROUP = 16 };

template <class L>
inline bool
has_one_label(const L *labels)
{
    const L first = labels[0];
    bool differs = false;
    for (int c = 0; c < GROUP; c++) differs |= labels[c] != first;
    return !differs;
}

/* From begin to end: uniform(i, slot) for GROUP elements of a slot from i on, single(i,
 * slot) for one. */
template <class L, class UNIFORM, class SINGLE>
inline void
each_slot(const L *labels, slot_finder<L> &finder, long long begin, long long end,
          const UNIFORM &uniform, const SINGLE &single)
{
    const bool dense = finder.is_dense();
    for (long long i = begin; i < end;) {
        if (i + GROUP <= end && has_one_label(labels + i)) {
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

/* A piece: its elements, and its table. */
struct slot_share {
    long long begin, end, table;

    slot_share(long long piece, const slot_sizes &s)
        : begin(cupric::share_of(s.size, (unsigned)piece, (unsigned)s.pieces)),
          end(cupric::share_of(s.size, (unsigned)piece + 1, (unsigned)s.pieces)),
          table(piece * s.stride)
    {
    }
};
