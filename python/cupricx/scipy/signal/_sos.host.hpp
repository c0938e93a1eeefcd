/* _sos.host.hpp: some elements of a row through all sections, then the next ones. Several
 * sections are gone through at once, as each waits for its own last result. */

enum { SOS_RUN = 512 };

/* n elements through G sections, the coefficients of which are `step` apart; z: states. */
template <int G, class V, class W>
inline void
filter_run(V *x, int n, const W *c, long long step, V *z)
{
    V z0[G], z1[G];
    W b0[G], b1[G], b2[G], a1[G], a2[G];
#pragma GCC unroll 8
    for (int g = 0; g < G; g++) {
        const W *const own = c + g * step;
        b0[g] = own[0], b1[g] = own[1], b2[g] = own[2];
        a1[g] = own[IIR_A], a2[g] = own[IIR_A + 1];
        z0[g] = z[2 * g], z1[g] = z[2 * g + 1];
    }
    for (int i = 0; i < n; i++) {
        V v = x[i];
#pragma GCC unroll 8
        for (int g = 0; g < G; g++) {
            const V out = z0[g] + b0[g] * v;
            z0[g] = z1[g] + b1[g] * v - a1[g] * out;
            z1[g] = b2[g] * v - a2[g] * out;
            v = out;
        }
        x[i] = v;
    }
#pragma GCC unroll 8
    for (int g = 0; g < G; g++) z[2 * g] = z0[g], z[2 * g + 1] = z1[g];
}

template <class V, class W>
inline void
filter_by_all(V *x, int n, const W *c, const iir_signal &at, V *z)
{
    int k = 0;
    for (; k + 4 <= at.order; k += 4)
        filter_run<4>(x, n, c + k * at.c_step, at.c_step, z + 2 * k);
    for (; k + 2 <= at.order; k += 2)
        filter_run<2>(x, n, c + k * at.c_step, at.c_step, z + 2 * k);
    for (; k < at.order; k++)
        filter_run<1>(x, n, c + k * at.c_step, at.c_step, z + 2 * k);
}

/* States before the first element. */
template <class T, class W>
inline void
begin_row(const sos_section<T, W> &of, W *z, long long row)
{
    sos_section<T, W> op = of;
    for (int k = 0; k < op.at.order; k++) {
        op.choose(k);
        const iir_state<W, 2> s = op.initial(op.row_of_section + row);
        z[2 * k] = s.z[0];
        z[2 * k + 1] = s.z[1];
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
    CUPRIC_EACH_BLOCK (row, s.rows) {
        W *const z = (W *)workspace + row * 2 * at.order, run[SOS_RUN];
        begin_row(op, z, row);
        for (long long i = 0; i < s.n; i += SOS_RUN) {
            const int n = (int)(s.n - i < SOS_RUN ? s.n - i : SOS_RUN);
            for (int k = 0; k < n; k++) run[k] = op.load(row, i + k);
            filter_by_all(run, n, c, at, z);
            for (int k = 0; k < n; k++) op.store(row, i + k, run[k]);
        }
        if (zf == nullptr) continue;
        for (int k = 0; k < at.order; k++) {
            T *const end = zf + 2 * (k * s.rows + row);
            end[0] = T(z[2 * k]), end[1] = T(z[2 * k + 1]);
        }
    }
}
