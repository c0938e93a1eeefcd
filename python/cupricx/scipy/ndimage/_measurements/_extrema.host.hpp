/* _extrema.host.hpp: of elements with one label, the two of them first. */

template <class X, class L>
__global__ void
label_extremes(const X *x, const L *labels, const typename as_index<L>::type *index,
               key_type *least, key_type *most, long long *first, long long *last,
               slot_sizes s)
{
    const bool located = first;

    CUPRIC_EACH_BLOCK (piece, s.pieces) {
        slot_finder<L> finder(index, s.slots);
        const slot_share own(piece, s);
        long long *const low_at = first + own.table;
        long long *const high_at = last + own.table;
        key_type *const low = least + (located ? 0 : own.table);
        key_type *const high = most + (located ? 0 : own.table);
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
                labels, finder, own.begin, own.end,
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
                labels, finder, own.begin, own.end,
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
}
