/* _sos.host.hpp: some elements of a row through all sections, then the next ones. Several
 * sections are gone through at once, as each waits for its own last result, and four rows
 * side by side, as the lanes of a vector. */
#include "cupric/lanes.hpp"

enum { SOS_RUN = 512, SOS_ROWS = 4 };

/* n elements through G sections, the coefficients of which are `step` apart; z: states. */
template <int G, class V, class W>
inline void
filter_run(V *x, int n, const W *c, long long step, V *z)
{
    V z0[G], z1[G], b0[G], b1[G], b2[G], a1[G], a2[G];
#pragma GCC unroll 4
    for (int g = 0; g < G; g++) {
        const W *const own = c + g * step;
        b0[g] = V(own[0]), b1[g] = V(own[1]), b2[g] = V(own[2]);
        a1[g] = V(own[IIR_A]), a2[g] = V(own[IIR_A + 1]);
        z0[g] = z[2 * g], z1[g] = z[2 * g + 1];
    }
    for (int i = 0; i < n; i++) {
        V v = x[i];
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) {
            const V out = z0[g] + b0[g] * v;
            z0[g] = z1[g] + b1[g] * v - a1[g] * out;
            z1[g] = b2[g] * v - a2[g] * out;
            v = out;
        }
        x[i] = v;
    }
#pragma GCC unroll 4
    for (int g = 0; g < G; g++) z[2 * g] = z0[g], z[2 * g + 1] = z1[g];
}

template <class V, class W>
inline void
filter_by_all(V *x, int n, const W *c, const iir_signal &at, V *z)
{
    const long long step = at.c_step;
    int k = 0;
    for (; k + 4 <= at.order; k += 4)
        filter_run<4>(x, n, c + k * step, step, z + 2 * k);
    for (; k + 2 <= at.order; k += 2)
        filter_run<2>(x, n, c + k * step, step, z + 2 * k);
    if (k < at.order) filter_run<1>(x, n, c + k * step, step, z + 2 * k);
}

/* An element of a vector of rows, or of one row. */
template <class W>
inline void
put_lane(cupric::lanes<W> &v, int lane, const W &x)
{
    v.set(lane, x);
}
template <class W>
inline void
put_lane(W &v, int, const W &x)
{
    v = x;
}
template <class W>
inline W
lane_of(const cupric::lanes<W> &v, int lane)
{
    return v[lane];
}
template <class W>
inline const W &
lane_of(const W &v, int)
{
    return v;
}

/* ROWS rows from `row` on, whose states are z. */
template <int ROWS, class V, class T, class W>
inline void
filter_rows(sos_section<T, W> op, long long row, long long length, V *z)
{
    V run[SOS_RUN];
    for (int k = 0; k < op.at.order; k++) {
        op.choose(k);
        for (int lane = 0; lane < ROWS; lane++) {
            const iir_state<W, 2> s = op.initial(op.row_of_section + row + lane);
            put_lane(z[2 * k], lane, s.z[0]);
            put_lane(z[2 * k + 1], lane, s.z[1]);
        }
    }
    for (long long i = 0; i < length; i += SOS_RUN) {
        const int n = (int)(length - i < SOS_RUN ? length - i : SOS_RUN);
        for (int k = 0; k < n; k++) {
            for (int lane = 0; lane < ROWS; lane++)
                put_lane(run[k], lane, op.load(row + lane, i + k));
        }
        filter_by_all(run, n, op.c, op.at, z);
        for (int lane = 0; lane < ROWS; lane++) {
            for (int k = 0; k < n; k++)
                op.store(row + lane, i + k, lane_of(run[k], lane));
        }
    }
    for (int k = 0; k < op.at.order; k++) {
        for (int lane = 0; lane < ROWS; lane++) {
            iir_state<W, 2> s;
            s.z[0] = lane_of(z[2 * k], lane);
            s.z[1] = lane_of(z[2 * k + 1], lane);
            op.finish(k * op.rows + row + lane, s);
        }
    }
}

template <class T, class W>
__global__ void
sos_rows(const T *x, T *y, const T *zi, T *zf, const W *c, iir_signal at, scan_layout s,
         unsigned int *workspace)
{
    sos_section<T, W> op;
    op.signal = x;
    op.result = y;
    op.states = zi;
    op.ends = zf;
    op.c = c;
    op.rows = s.rows;
    op.at = at;
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const cupric::scan_tile own(s, tile);
        W *const z = (W *)workspace + own.row * 2 * at.order;
        if constexpr (!cupric::is_complex<W>::value) {
            if (own.rows == SOS_ROWS) {
                typedef cupric::lanes<W> V;
                filter_rows<SOS_ROWS>(op, own.row, s.n, (V *)z);
                continue;
            }
        }
        for (int k = 0; k < own.rows; k++)
            filter_rows<1>(op, own.row + k, s.n, z + k * 2 * at.order);
    }
}
