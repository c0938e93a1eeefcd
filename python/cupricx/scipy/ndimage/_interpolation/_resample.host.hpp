/* _resample.host.hpp: columns that lie side by side, or one whose outputs do, at a time. */

/* `count` outputs of `v` columns that lie side by side, `inner` apart from the next. */
template <class W, int TAPS>
inline void
resample_columns(const output_taps<W> &t, const W *x, W *y, int count, long long v,
                 long long inner)
{
    for (int i = 0; i < count; i++) {
        W w[TAPS];
        const W *a[TAPS];
        for (int j = 0; j < TAPS; j++) w[j] = t.w[j][i], a[j] = x + t.at[j][i];
        W *to = y + i * inner;
        for (long long c = 0; c < v; c++) {
            W s = w[0] * a[0][c];
            for (int j = 1; j < TAPS; j++) s += w[j] * a[j][c];
            to[c] = s;
        }
    }
}

/* The same of a single column; `runs`: each output's taps lie one after the last one's. */
template <class W, int TAPS>
inline void
resample_line(const output_taps<W> &t, const W *x, W *y, int count, bool runs)
{
    if (runs) {
        const W *a[TAPS];
        for (int j = 0; j < TAPS; j++) a[j] = x + t.at[j][0];
        for (int i = 0; i < count; i++) {
            W s = t.w[0][i] * a[0][i];
            for (int j = 1; j < TAPS; j++) s += t.w[j][i] * a[j][i];
            y[i] = s;
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        W s = t.w[0][i] * x[t.at[0][i]];
        for (int j = 1; j < TAPS; j++) s += t.w[j][i] * x[t.at[j][i]];
        y[i] = s;
    }
}

template <class W, int TAPS>
inline void
resample_taps(const output_taps<W> &t, const W *x, W *y, int count, long long v,
              long long inner, bool runs)
{
    if (inner == 1) {
        resample_line<W, TAPS>(t, x, y, count, runs);
    } else {
        resample_columns<W, TAPS>(t, x, y, count, v, inner);
    }
}

/* A row of a piece: `runs` as of resample_line. */
template <class W>
inline void
resample_row(const output_taps<W> &t, const W *x, W *y, int count, long long v,
             long long inner, bool runs, int order)
{
    switch (order) {
    case 0: resample_taps<W, 1>(t, x, y, count, v, inner, runs); break;
    case 1: resample_taps<W, 2>(t, x, y, count, v, inner, runs); break;
    case 2: resample_taps<W, 3>(t, x, y, count, v, inner, runs); break;
    case 3: resample_taps<W, 4>(t, x, y, count, v, inner, runs); break;
    case 4: resample_taps<W, 5>(t, x, y, count, v, inner, runs); break;
    default: resample_taps<W, 6>(t, x, y, count, v, inner, runs);
    }
}

/* The constant's part in outputs that have one. */
template <class W>
inline void
add_constant(const output_taps<W> &t, W *y, int count, long long column, long long v,
             const resampled_axis &a)
{
    for (int i = 0; i < count; i++) {
        if (t.lost[i] == 0) continue;
        for (long long c = 0; c < v; c++) {
            const W constant = (W)a.fill[(column + c) & 1];
            W *one = y + i * a.inner + c;
            *one = t.lost[i] == 1 ? constant : *one + t.lost[i] * constant;
        }
    }
}

template <class W>
__global__ void
resample(const W *x, W *y, resampled_axis a)
{
    output_taps<W> t;
    const long long inner = a.inner, wide = inner < 1024 ? inner : 1024;
    const long long across = (inner + wide - 1) / wide;
    const long long down = (a.m + OUTPUTS - 1) / OUTPUTS;
    const long long many = wide >= PIECE / OUTPUTS ? 1 : PIECE / OUTPUTS / wide;
    const long long groups = (a.rows + many - 1) / many;
    long long made = -1; /* the block of outputs whose taps t has */

    CUPRIC_EACH_BLOCK (piece, down * across * groups) {
        const long long block = piece / groups / across, i0 = block * OUTPUTS;
        const long long c0 = piece / groups % across * wide, r0 = piece % groups * many;
        const int count = (int)(a.m - i0 < OUTPUTS ? a.m - i0 : OUTPUTS);
        const long long v = inner - c0 < wide ? inner - c0 : wide;
        if (made != block) {
            for (int i = 0; i < count; i++) t.make(i, i0 + i, a);
            made = block;
        }
        bool runs = inner == 1;
        for (int j = 0; j <= a.order && runs; j++) {
            for (int i = 1; i < count; i++) runs = runs && t.at[j][i] == t.at[j][0] + i;
        }
        for (long long r = r0; r < a.rows && r < r0 + many; r++) {
            const W *from = x + r * a.n * inner + c0;
            W *to = y + (r * a.m + i0) * inner + c0;
            resample_row(t, from, to, count, v, inner, runs, a.order);
            add_constant(t, to, count, c0, v, a);
        }
    }
}
