/* _state_space.cuh: linear recurrences along rows, x[k + 1] = A x[k] + w[k], of states of
 * any size.
 *
 * A row is cut into chunks. Each is gone through from rest; what they end in is a
 * recurrence again, of a power of A, which gives what each begins with. Sums by powers
 * have twice the bits of float64, as in recursive filters (_iir.cuh).
 */
#include "_state_space.h"
#include "_twofold.cuh"

/* p = A**(2**k), k < count, elements in two numbers each. By squaring, each thread some
 * elements. Launch: blocks(blocks, RECURRENCE_THREADS), of one block. */
template <class W>
__global__ void
matrix_powers(const W *a, W *p, int n, int count, long long blocks)
{
    CUPRIC_EACH_BLOCK (e, blocks) {
        precise<W> *m = (precise<W> *)p;
        const int size = n * n;
        for (int at = threadIdx.x; at < size; at += blockDim.x)
            m[at] = precise<W>(a[at]);
        for (int k = 1; k < count; k++) {
            const precise<W> *const last = m;
            m += size;
            __syncthreads();
            for (int at = threadIdx.x; at < size; at += blockDim.x) {
                const int i = at / n, j = at % n;
                precise<W> sum = precise<W>(W(0));
                for (int l = 0; l < n; l++) sum.add(last[i * n + l], last[l * n + j]);
                m[at] = sum;
            }
        }
    }
}

/* Element i of A x + w; what is zero stays so, as powers may be infinite. */
template <class W>
__device__ inline W
next_element(const precise<W> *a, const W *x, const W &w, int i, const recurrence &r)
{
    a += (long long)i * r.n;
    if (r.is_first) {
        W sum = w;
        for (int j = 0; j < r.n; j++) sum = sum + a[j].rounded() * x[j];
        return sum;
    }
    precise<W> sum = precise<W>(w);
    for (int j = 0; j < r.n; j++) {
        if (x[j] != W(0)) sum.add(a[j], precise<W>(x[j]));
    }
    return sum.rounded();
}

/* ends = the state behind each chunk that begins at rest, (rows, chunks, n); `both`:
 * memory for two states of each. Launch: blocks(blocks, RECURRENCE_THREADS). */
template <class W>
__global__ void
chunk_ends(const W *w, const W *a, W *ends, W *both, recurrence r, long long blocks)
{
    CUPRIC_EACH_BLOCK (at, blocks) {
        const long long row = at / r.chunks, first = (at % r.chunks) * r.length;
        const long long left = r.steps - first;
        const long long length = left < r.length ? left : r.length;
        W *now = both + 2 * at * r.n, *next = now + r.n;
        for (int i = threadIdx.x; i < r.n; i += blockDim.x) now[i] = W(0);
        __syncthreads();
        for (long long k = 0; k < length; k++) {
            const W *const wk = w + (row * r.steps + first + k) * r.n;
            for (int i = threadIdx.x; i < r.n; i += blockDim.x) {
                next[i] = next_element((const precise<W> *)a, now, wk[i], i, r);
            }
            __syncthreads();
            W *const last = now;
            now = next;
            next = last;
        }
        for (int i = threadIdx.x; i < r.n; i += blockDim.x) ends[at * r.n + i] = now[i];
        __syncthreads();
    }
}

/* x = the state before each step, (rows, steps, n), from those at the start of chunks, or
 * from rest. Launch: blocks(blocks, RECURRENCE_THREADS). */
template <class W>
__global__ void
chunk_states(const W *w, const W *a, const W *starts, W *x, recurrence r,
             long long blocks)
{
    CUPRIC_EACH_BLOCK (at, blocks) {
        const long long row = at / r.chunks, first = (at % r.chunks) * r.length;
        const long long left = r.steps - first;
        const long long length = left < r.length ? left : r.length;
        W *now = x + (row * r.steps + first) * r.n;
        for (int i = threadIdx.x; i < r.n; i += blockDim.x) {
            now[i] = starts == nullptr ? W(0) : starts[at * r.n + i];
        }
        for (long long k = 0; k + 1 < length; k++) {
            const W *const wk = w + (row * r.steps + first + k) * r.n;
            __syncthreads();
            for (int i = threadIdx.x; i < r.n; i += blockDim.x) {
                now[r.n + i] = next_element((const precise<W> *)a, now, wk[i], i, r);
            }
            now += r.n;
        }
    }
}
