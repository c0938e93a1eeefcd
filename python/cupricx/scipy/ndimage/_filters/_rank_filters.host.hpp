/* _rank_filters.host.hpp: windows in an array that has been written with what lies outside
 * about it. Tiles are a GPU's.
 */
template <class X, class K>
__global__ void
rank_tile(const X *x, K *y, const window_sizes s, const int *many, few_numbers few,
          long long pieces, rank_choice o)
{
}

template <class K, int WIDE, int HIGH>
__global__ void
rank_box(const K *x, K *y, const window_sizes s, long long pieces, rank_choice o)
{
}

template <class K>
__global__ void
rank_large_box(const K *x, K *y, const window_sizes s, long long pieces, rank_choice o)
{
}

template <class K>
__global__ void
rank_window(const K *x, K *y, const long long *sizes, const long long *offsets,
            padded_rows p, rank_choice o)
{
    const long long n = sizes[p.ndim - 1];
    const bool extreme = o.rank == 0 || o.rank == o.taps - 1;
    typedef typename vector<K>::type V;
    enum { N = vector<K>::lanes };
    const bool forget = o.taps <= MOST_TAPS && o.taps <= 6 * limits<K>::bits;
    bool slides = o.taps >= LEAST_SLIDING && o.taps <= MOST_SLIDING;
    for (int i = 1; i < o.taps && slides; i++) slides = offsets[i] == offsets[0] + i;
    const long long longest = 4 * o.taps < 4096 ? 4096 : 4 * o.taps,
                    fits = MOST_KEYS - o.taps;
    const long long chunk = !slides ? LANES : longest < fits ? longest : fits;
    const long long chunks = (n + chunk - 1) / chunk;
    sliding<K> window;

    CUPRIC_EACH_BLOCK (piece, p.rows * chunks) {
        const long long row = piece / chunks, c = piece % chunks * chunk;
        const K *from = x + window_of(row, sizes, p.ndim) + c;
        K *out = y + row * n + c;
        const long long count = n - c < chunk ? n - c : chunk;
        if (slides) {
            window.make(from + offsets[0], out, (int)count, o.taps, o.rank, o.kind);
            continue;
        }
        for (int j = 0; j < count; j += N) {
            V found;
            if (extreme)
                found = select_extreme_lanes(from + j, offsets, o.taps, o.rank);
            else if (forget)
                found = select_forgetful_lanes(from + j, offsets, o.taps, o.rank);
            else
                found = select_bits_lanes(from + j, offsets, o.taps, o.rank);
            K made[N];
            for (int i = 0; i < N; i++) made[i] = unkeyed((K)found[i], o.kind);
            if (count - j >= N)
                memcpy(out + j, made, sizeof made);
            else
                memcpy(out + j, made, (count - j) * sizeof(K));
        }
    }
}
