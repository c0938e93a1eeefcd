/* _squared_distances.host.hpp: distances in loops along rows, and of neighbouring columns
 * together.
 */

template <class W>
__global__ void
squares_in_rows(const unsigned char *x, const int *ends, W *y, long long rows,
                long long n, double weight)
{
    const long long each = (n + ROW_SEGMENT - 1) / ROW_SEGMENT;
    const W w = (W)weight;

    int far[ROW_SEGMENT];

    CUPRIC_EACH_BLOCK (piece, rows * each) {
        const long long row = piece / each, segment = piece % each;
        const int *known = ends + 2 * row * each;
        const int start = (int)(segment * ROW_SEGMENT);
        const int count = (int)(n - start < ROW_SEGMENT ? n - start : ROW_SEGMENT);
        const unsigned char *p = x + row * n + start;
        W *const out = y + row * n + start;
        const int behind = zero_beyond(known, segment, each, 1, 0);
        const int before = zero_beyond(known, segment, each, -1, 0);
        const int out_of_reach = 0x3fffffff;
        int d = behind < 0 ? out_of_reach : behind - start - count;
        for (int j = count - 1; j >= 0; j--) {
            d = p[j] ? d + (d < out_of_reach) : 0;
            far[j] = d;
        }
        d = before < 0 ? out_of_reach : start - 1 - before;
        for (int j = 0; j < count; j++) {
            d = p[j] ? d + (d < out_of_reach) : 0;
            far[j] = d < far[j] ? d : far[j];
        }
        for (int j = 0; j < count; j++) {
            const W v = w * (W)(far[j] == out_of_reach ? 0 : far[j]);
            out[j] = far[j] == out_of_reach ? none<W>::value : v * v;
        }
    }
}

/* take[i]: the place for each i of n, by the envelope of cost[j] + w2 (i - j)^2.
 * half[d] = 1 / (2 w2 d). */
template <class W>
inline void
lower_envelope(const W *cost, W largest, const double *half, int n, int *take,
               int *site, double *from)
{
    int top = -1, k = 0;
    for (int j = 0; j < n; j++) {
        const W own = cost[j];
        double start = -1; /* where the parabola of j becomes the lowest */
        if (own == largest) continue;
        for (; top >= 0; top--) {
            const int s = site[top];
            start = 0.5 * (j + s) + ((double)own - (double)cost[s]) * half[j - s];
            if (start >= 0 && start > from[top]) break;
            start = -1;
        }
        if (start >= n) continue;
        site[++top] = j;
        from[top] = start;
    }
    if (top < 0) {
        for (int i = 0; i < n; i++) take[i] = -1;
        return;
    }
    for (int i = 0; k <= top; k++) {
        /* Site k is the nearest up to where the next one begins. */
        int end = n;
        if (k < top && from[k + 1] < n - 1) end = (int)from[k + 1] + 1;
        for (; i < end; i++) take[i] = site[k];
    }
}

/* The largest of x. Several at a time: the order of a maximum of doubles is no matter to
 * us, but the compiler keeps it. */
template <bool FULL, class W>
inline W
largest_of(const W *x, int count)
{
    enum { LANES = 16 };
    W most = x[0];
    if (FULL) {
        W top[LANES];
        for (int k = 0; k < LANES; k++) top[k] = x[k];
        for (int c = LANES; c < HOST_COLUMNS; c += LANES) {
            for (int k = 0; k < LANES; k++)
                top[k] = top[k] < x[c + k] ? x[c + k] : top[k];
        }
        for (int k = 0; k < LANES; k++) most = most < top[k] ? top[k] : most;
    } else {
        for (int c = 1; c < count; c++) most = most < x[c] ? x[c] : most;
    }
    return most;
}

/* best[c] for `here` neighbouring columns of row i, FULL: HOST_COLUMNS; whether all are
 * known within `reach` rows. */
template <bool FULL, class W>
inline bool
search_rows(const W *cost, long long inner, int here, long long n, long long i, W w,
            long long reach, W *__restrict best)
{
    const int count = FULL ? (int)HOST_COLUMNS : here;
    const W *const own = cost + i * inner;
    for (int c = 0; c < count; c++) best[c] = own[c];
    for (long long d = 1;; d++) {
        const W square = (w * (W)d) * (w * (W)d);
        const bool up = i - d >= 0, down = i + d < n;
        if ((!up && !down) || largest_of<FULL>(best, count) <= square) return true;
        if (d > reach) return false;
        const W *const p = own - (up ? d : -d) * inner;
        const W *const q = own + (down ? d : -d) * inner;
        for (int c = 0; c < count; c++) {
            const W v = (p[c] < q[c] ? p[c] : q[c]) + square;
            best[c] = v < best[c] ? v : best[c];
        }
    }
}
enum { TOGETHER = 16384, PAD = 16 }; /* so that columns do not share the cache's sets */

/* Memory of a thread for columns whose lower envelopes it finds. */
template <class W>
struct column_envelopes {
    W columns[TOGETHER];
    int take[TOGETHER], site[ENVELOPE];
    double from[ENVELOPE], half[ENVELOPE];
    bool begun = false;

    void find(const W *cost, int n, long long inner, int count, double weight)
    {
        const int stride = n + PAD;
        if (!begun) {
            for (int d = 1; d < n; d++) half[d] = 0.5 / (weight * weight * d);
            begun = true;
        }
        for (long long j = 0; j < n; j++) {
            const W *const p = cost + j * inner;
            for (int c = 0; c < count; c++) columns[c * stride + j] = p[c];
        }
        for (int c = 0; c < count; c++) {
            lower_envelope(columns + c * stride, (W)none<W>::value, half, n,
                           take + c * stride, site, from);
        }
    }
};

/* Rows from the first on of `here` columns from cost on, as far as searches find all near;
 * returns the first that is left. `to` and `distances` are where the columns begin, c0 the
 * first one's place in inner. */
template <class W, class D>
inline long long
search_columns(const W *cost, W *to, D *distances, const squares_sizes &s, long long c0,
               int here, long long reach)
{
    const W w = (W)s.weight, nothing = none<W>::value;
    W best[HOST_COLUMNS];

    for (long long i = 0; i < s.n; i++) {
        const bool known =
            here == HOST_COLUMNS
                ? search_rows<true>(cost, s.inner, here, s.n, i, w, reach, best)
                : search_rows<false>(cost, s.inner, here, s.n, i, w, reach, best);
        if (!known) return i;
        const long long row = i * s.inner;
        if (!s.last) {
            for (int c = 0; c < here; c++)
                to[row + c] = best[c] < nothing ? best[c] : nothing;
            continue;
        }
        for (int c = 0; c < here; c++) distances[row + c] = (D)sqrt((double)best[c]);
        for (int c = 0; c < here; c++) {
            if (best[c] >= nothing)
                distances[row + c] = (D)sqrt((double)far_square<W>(s, i, c0 + c));
        }
    }
    return s.n;
}

/* Rows from `begin` on of `count` columns whose envelopes are known. */
template <class W, class D>
inline void
write_envelopes(const column_envelopes<W> &known, W *to, D *distances,
                const squares_sizes &s, long long c0, int count, long long begin)
{
    const W w = (W)s.weight, nothing = none<W>::value;
    const int stride = (int)s.n + PAD;
    const bool last = s.last;
    W best[HOST_COLUMNS];

    for (long long k = begin; k < s.n; k++) {
        const long long row = k * s.inner;
        for (int c = 0; c < count; c++) {
            const int j = known.take[c * stride + k];
            const W d = w * (W)(j - k);
            best[c] = j < 0 ? nothing : known.columns[c * stride + j] + d * d;
            if (j < 0 && last) best[c] = far_square<W>(s, k, c0 + c);
        }
        for (int c = 0; !last && c < count; c++) to[row + c] = best[c];
        for (int c = 0; last && c < count; c++)
            distances[row + c] = (D)sqrt((double)best[c]);
    }
}

template <class W, class D>
__global__ void
squares_along(const W *cost, const W *minima, W *to, D *distances, squares_sizes s)
{
    const long long n = s.n, inner = s.inner;
    const long long across = (inner + HOST_COLUMNS - 1) / HOST_COLUMNS;
    const long long reach = n <= ENVELOPE && s.weight != 0 ? (long long)HOST_REACH : n;
    column_envelopes<W> envelopes;

    CUPRIC_EACH_BLOCK (piece, s.outer * across) {
        const long long o = piece / across, c0 = piece % across * HOST_COLUMNS;
        const int here = (int)(inner - c0 < HOST_COLUMNS ? inner - c0 : HOST_COLUMNS);
        const long long at = o * n * inner + c0;
        const long long begin =
            search_columns(cost + at, to + at, distances + at, s, c0, here, reach);
        if (begin == n) continue;
        const int most = TOGETHER / ((int)n + PAD);
        for (int c1 = 0; c1 < here; c1 += most) {
            const int some = here - c1 < most ? here - c1 : most;
            envelopes.find(cost + at + c1, (int)n, inner, some, s.weight);
            write_envelopes(envelopes, to + at + c1, distances + at + c1, s, c0 + c1,
                            some, begin);
        }
    }
}
