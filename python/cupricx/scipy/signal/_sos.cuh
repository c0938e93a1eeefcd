/* _sos.cuh: cascaded sections of order 2 along rows, each a scan over its state of two
 * numbers, as is a filter of order 2. All sections of a tile are gone through before it is stored, so
 * that rows are read and written once; the tiles publish the states of each.
 */
#include "_iir_filter.cuh"

/* One of the sections. Rows of a scan are those of all sections: section * rows + row. */
template <class T, class W>
struct sos_section : iir_filter<W, 2> {
    typedef typename iir_filter<W, 2>::state state;
    const T *signal, *states;
    T *result, *ends;
    const W *c;
    long long rows, row_of_section;
    W before; /* what those before make of a signal of ones */

    /* Section k, whose coefficients are the next ones. */
    __device__ void choose(int k)
    {
        const long long step = this->at.c_step;
        const W *const own = c + k * step;
        if (k == 0)
            before = W(1);
        else
            before = before * (own - step)[IIR_GAIN];
        row_of_section = k * rows;
        this->steady = own + IIR_STEADY;
        this->powers = (const precise<W> *)(own + IIR_TRANSITIONS);
        this->is_plain = is_moderate<T>(own[IIR_SIZE]);
#pragma unroll
        for (int i = 0; i < 3; i++) this->b[i] = own[i];
#pragma unroll
        for (int i = 0; i < 2; i++) this->a[i] = own[IIR_A + i];
    }
    __device__ W load(long long row, long long i) const
    {
        const iir_signal &at = this->at;
        return W(signal[at.x_first + row * at.x_row + (at.is_reversed ? -i : i)]);
    }
    __device__ void store(long long row, long long i, const W &value) const
    {
        const iir_signal &at = this->at;
        if (i < at.begin || i >= at.end) return;
        result[at.y_first + row * at.y_row + (at.is_reversed ? -i : i)] = T(value);
    }
    __device__ state initial(long long row) const
    {
        state s = this->identity();
        if (this->at.is_steady) {
            const W first = before * load(row - row_of_section, 0);
            for (int i = 0; i < 2; i++) s.z[i] = this->steady[i] * first;
        }
        if (states == nullptr) return s;
        for (int i = 0; i < 2; i++) s.z[i] = W(states[2 * row + i]);
        return s;
    }
    __device__ void finish(long long row, const state &s) const
    {
        if (ends == nullptr) return;
        for (int i = 0; i < 2; i++) ends[2 * row + i] = T(s.z[i]);
    }
};

/* A tile, section after section. The functions are those of scan.hpp. */
template <class T, class W, class R>
__device__ inline void
filter_tile(sos_section<T, W> &op, const scan_layout &s, unsigned int *workspace,
            const cupric::scan_tile &at, R &r)
{
    typedef iir_state<W, 2> state;
    const int row = s.pieces == SCAN_THREADS ? 0 : threadIdx.x / s.pieces;
    const int begin = ((int)threadIdx.x - row * s.pieces) * SCAN_EACH;
    const int left = row < at.rows ? (int)at.length - begin : 0;
    const int n = left > SCAN_EACH ? SCAN_EACH : left;
    W x[SCAN_EACH];

    load_tile(op, at, s.pieces, r);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        if (k < n) x[k] = r.x(threadIdx.x * SCAN_EACH + k);
    }
    for (int section = 0; section < op.at.order; section++) {
        cupric::scan_tile own_at = at;
        op.choose(section);
        own_at.row += op.row_of_section;
        state own = op.identity();
        if (n > 0) own = op.extend(own, x, n);
        const state before = prefix_of_thread(op, s, workspace, own_at, row, own, r);
        if (n <= 0) continue;
        const state after = op.apply(before, x, x, n);
        if (at.begin + begin + n == s.n) op.finish(own_at.row + row, after);
    }
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        if (k < n) r.y(threadIdx.x * SCAN_EACH + k) = x[k];
    }
    __syncthreads();
    store_tile(op, at, s.pieces, r);
    __syncthreads(); /* before the next tile is loaded */
}

/* y = the sections c of rows x, of s.n elements, from the states zi, (sections, rows, 2),
 * which become zf. Launch: blocks(s.tiles, SCAN_THREADS). */
template <class T, class W>
__global__ void
sos_rows(const T *x, T *y, const T *zi, T *zf, const W *c, iir_signal at, scan_layout s,
         unsigned int *workspace)
{
    __shared__ cupric::scan_storage<sos_section<T, W>> r;
    sos_section<T, W> op;
    op.signal = x;
    op.result = y;
    op.states = zi;
    op.ends = zf;
    op.c = c;
    op.rows = s.rows;
    op.at = at;
    CUPRIC_EACH_BLOCK (b, s.tiles) {
        if (s.per_row > 1) {
            if (threadIdx.x == 0) r.tile = atomicAdd(workspace, 1u);
            __syncthreads();
        }
        const cupric::scan_tile tile(s, s.per_row > 1 ? r.tile : b);
        filter_tile(op, s, workspace, tile, r);
    }
}
