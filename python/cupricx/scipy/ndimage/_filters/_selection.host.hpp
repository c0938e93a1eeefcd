/* _selection.host.hpp: of neighbouring outputs side by side, and of windows that slide. */

#if defined(__AVX2__)
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif
enum { MOST_TAPS = 128 };
enum { LEAST_SLIDING = 40, MOST_SLIDING = 20000, MOST_KEYS = 38912 };

/* Keys side by side: of neighbouring outputs. */
template <class K>
struct vector {
    typedef K type __attribute__((vector_size(VECTOR)));
    static const int lanes = VECTOR / (int)sizeof(K);
};

template <class V, class K>
inline V
load(const K *p)
{
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}
template <class K>
inline typename vector<K>::type
select_forgetful_lanes(const K *p, const long long *offsets, int taps, int rank)
{
    typedef typename vector<K>::type V;
    V set[MOST_TAPS];
    int low = rank, high = taps - 1 - rank;
    int size = (low < high ? high : low) + 2, seen = 0;
    if (size > taps) size = taps;
    for (; seen < size; seen++) set[seen] = load<V>(p + offsets[seen]);
    V *s = set;
    while (low > 0 && high > 0) {
        for (int i = 0; i < size / 2; i++) exchange(s[i], s[size - 1 - i]);
        V first = s[0], last = s[size - 1];
        const int a = size / 2, b = (size - 1) / 2;
        for (int i = 1; i < a; i++) {
            exchange(first, s[i]);
            exchange(s[size - 1 - i], last);
        }
        if (a == b) { /* that in the middle can be either */
            exchange(first, s[a]);
            exchange(s[a], last);
        }
        low--;
        high--;
        if (low > 0 && high > 0) {
            s[0] = load<V>(p + offsets[seen++]);
            size--;
        } else { /* all have been seen */
            s++;
            size -= 2;
        }
    }
    V found = s[0];
    for (int i = 1; i < size; i++) {
        if (low > 0)
            found = found < s[i] ? s[i] : found;
        else
            found = s[i] < found ? s[i] : found;
    }
    return found;
}

template <class K>
inline typename vector<K>::type
select_extreme_lanes(const K *p, const long long *offsets, int taps, int rank)
{
    typedef typename vector<K>::type V;
    V found = load<V>(p + offsets[0]);
    for (int i = 1; i < taps; i++) {
        const V v = load<V>(p + offsets[i]);
        if (rank == 0)
            found = v < found ? v : found;
        else
            found = found < v ? v : found;
    }
    return found;
}

template <class K>
inline typename vector<K>::type
select_bits_lanes(const K *p, const long long *offsets, int taps, int rank)
{
    typedef typename vector<K>::type V;
    enum { N = vector<K>::lanes };
    const V first = load<V>(p + offsets[0]);
    V differ = first ^ first;
    for (int i = 1; i < taps; i++) differ |= load<V>(p + offsets[i]) ^ first;
    K all = 0;
    for (int j = 0; j < N; j++) all |= differ[j];
    int bits = limits<K>::bits;
    while (bits > 0 && !(all >> (bits - 1) & 1)) bits--;
    const bool whole = bits == limits<K>::bits;
    const K kept = whole ? (K)0 : (K) ~(((K)1 << bits) - 1);
    V found = first & kept;
    if (whole) found ^= limits<K>::least;
    for (int bit = bits - 1; bit >= 0; bit--) {
        /* The highest bit of signed keys is set where they are less. */
        const V edge = found ^ (K)((K)1 << bit);
        int count[N] = {0};
        for (int i = 0; i < taps;) {
            const int end = taps - i < 120 ? taps : i + 120; /* what 8 bits count */
            auto part = edge < edge;
            for (; i < end; i++) part -= load<V>(p + offsets[i]) < edge;
            for (int j = 0; j < N; j++) count[j] += (int)part[j];
        }
        for (int j = 0; j < N; j++) found[j] = count[j] <= rank ? edge[j] : found[j];
    }
    return found;
}

/* Windows that are `taps` keys in a row, for outputs that follow each other. All keys are
 * sorted once, and each is known by its place in that order from then on: a window is a set
 * of bits, of which one more enters as one leaves, and the output moves by one bit at most. */
template <class K>
struct sliding {
    unsigned short order[2][MOST_KEYS], place[MOST_KEYS];
    unsigned long long bits[MOST_KEYS / 64];

    /* The numbers of n keys in their order, by their bytes from the last on. */
    const unsigned short *sort(const K *p, int n)
    {
        enum { BYTES = sizeof(K) };
        int count[BYTES][256] = {{0}}, now = 0;
        const auto byte = [&](int i, int b) {
            const unsigned long long key =
                (unsigned long long)(K)(p[i] ^ limits<K>::least);
            return (int)(key >> 8 * b & 255);
        };
        for (int i = 0; i < n; i++) {
            for (int b = 0; b < BYTES; b++) count[b][byte(i, b)]++;
        }
        for (int i = 0; i < n; i++) order[now][i] = (unsigned short)i;
        for (int b = 0; b < BYTES; b++) {
            int *const c = count[b];
            if (c[byte(0, b)] == n) continue; /* all alike */
            for (int v = 0, sum = 0; v < 256; v++) {
                const int these = c[v];
                c[v] = sum;
                sum += these;
            }
            const unsigned short *from = order[now];
            unsigned short *to = order[now ^= 1];
            for (int i = 0; i < n; i++) to[c[byte(from[i], b)]++] = from[i];
        }
        return order[now];
    }

    int next(int at) const
    {
        int word = at >> 6;
        unsigned long long w = bits[word] & (-2ull << (at & 63));
        while (w == 0) w = bits[++word];
        return word * 64 + __builtin_ctzll(w);
    }
    int last(int at) const
    {
        int word = at >> 6;
        unsigned long long w = bits[word] & ((1ull << (at & 63)) - 1);
        while (w == 0) w = bits[--word];
        return word * 64 + 63 - __builtin_clzll(w);
    }

    void make(const K *p, K *out, int count, int taps, int rank, int kind)
    {
        const int n = count + taps - 1;
        const unsigned short *sorted = sort(p, n);
        for (int i = 0; i < n; i++) place[sorted[i]] = (unsigned short)i;
        for (int i = 0; i <= n / 64; i++) bits[i] = 0;
        for (int i = 0; i < taps; i++) bits[place[i] >> 6] |= 1ull << (place[i] & 63);
        int at = bits[0] & 1 ? 0 : next(0);
        for (int i = 0; i < rank; i++) at = next(at);
        for (int j = 0;; j++) {
            out[j] = unkeyed(p[sorted[at]], kind);
            if (j + 1 == count) return;
            const int leaves = place[j], enters = place[j + taps];
            bits[leaves >> 6] &= ~(1ull << (leaves & 63));
            bits[enters >> 6] |= 1ull << (enters & 63);
            const int more = (enters < at) - (leaves < at); /* that are less */
            if (more > 0)
                at = last(at);
            else if (more < 0 || leaves == at)
                at = next(at);
        }
    }
};
