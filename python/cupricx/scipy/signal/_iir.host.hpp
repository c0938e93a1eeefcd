/* _iir.host.hpp: rows that are whole in a tile, four side by side, as the lanes of a
 * vector; of others, runs at once, as on a GPU. */
#include "cupric/lanes.hpp"

enum { IIR_RUN = 256, IIR_ROWS = 4 };

/* n elements of rows side by side, from the states z. */
template <int K, class V, class W>
inline void
filter_lanes(V *x, int n, const W *coefficients, V (&z)[K])
{
    V b[K + 1], a[K], s[K];
#pragma GCC unroll 9
    for (int i = 0; i <= K; i++) b[i] = V(coefficients[i]);
#pragma GCC unroll 8
    for (int i = 0; i < K; i++) a[i] = V(coefficients[IIR_A + i]), s[i] = z[i];
    for (int k = 0; k < n; k++) {
        const V v = x[k], out = s[0] + b[0] * v;
#pragma GCC unroll 8
        for (int i = 0; i + 1 < K; i++) s[i] = s[i + 1] + b[i + 1] * v - a[i] * out;
        s[K - 1] = b[K] * v - a[K - 1] * out;
        x[k] = out;
    }
#pragma GCC unroll 8
    for (int i = 0; i < K; i++) z[i] = s[i];
}

/* Four rows from `row` on. */
template <class T, int K, class W>
inline void
filter_four(const iir_filter<T, K> &op, long long row, long long length, const W *c)
{
    typedef cupric::lanes<W> V;
    V run[IIR_RUN], z[K];
    for (int lane = 0; lane < IIR_ROWS; lane++) {
        const iir_state<W, K> s = op.initial(row + lane);
        for (int i = 0; i < K; i++) z[i].set(lane, s.z[i]);
    }
    for (long long i = 0; i < length; i += IIR_RUN) {
        const int n = (int)(length - i < IIR_RUN ? length - i : IIR_RUN);
        for (int k = 0; k < n; k++) {
            for (int lane = 0; lane < IIR_ROWS; lane++)
                run[k].set(lane, W(op.load(row + lane, i + k)));
        }
        filter_lanes<K>(run, n, c, z);
        for (int lane = 0; lane < IIR_ROWS; lane++) {
            for (int k = 0; k < n; k++) op.store(row + lane, i + k, T(run[k][lane]));
        }
    }
    for (int lane = 0; lane < IIR_ROWS; lane++) {
        iir_state<W, K> s;
        for (int i = 0; i < K; i++) s.z[i] = z[i][lane];
        op.finish(row + lane, s);
    }
}

/* A tile of whole rows: what is left of fours goes alone. */
template <class T, int K, class W>
inline void
filter_tile_of_rows(const iir_filter<T, K> &op, const scan_layout &s,
                    const cupric::scan_tile &tile, const W *c)
{
    long long row = tile.row;
    const long long end = tile.row + tile.rows;
    for (; row + IIR_ROWS <= end; row += IIR_ROWS) filter_four(op, row, s.n, c);
    for (; row < end; row++) {
        op.finish(row, cupric::apply_to_run(op, op.initial(row), row, 0, s.n));
    }
}

template <class T, class W, int K>
__global__ void
iir_rows(const T *x, T *y, const T *zi, T *zf, const W *c, iir_signal at, scan_layout s,
         unsigned int *workspace)
{
    iir_filter<T, K> op;
    put_filter(op, x, y, zi, zf, c, at);
    if constexpr (cupric::is_complex<W>::value) {
        cupric::scan_rows(s, workspace, op);
        return;
    } else if (s.per_row > 1) {
        cupric::scan_rows(s, workspace, op);
        return;
    } else {
        CUPRIC_EACH_BLOCK (b, s.tiles) filter_tile_of_rows(op, s, {s, b}, c);
    }
}
