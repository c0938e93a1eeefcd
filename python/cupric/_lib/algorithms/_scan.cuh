/* _scan.cuh: scans of numbers along rows that lie one behind the other. */
#include "_kinds.cuh"
#include "cupric/scan.hpp"

template <class T, int KIND, bool EXCLUSIVE>
struct elements_of : cupric::scan_of<typename monoid_of<T, KIND>::type, EXCLUSIVE> {
    const T *x;
    T *y;
    long long n;

    __device__ T load(long long row, long long i) const { return x[row * n + i]; }
    __device__ void store(long long row, long long i, const T &value) const
    {
        y[row * n + i] = value;
    }
};

/* y[r, i] = x[r, 0] op ... op x[r, i], without the last where EXCLUSIVE; x: (rows, n).
 * Launch: blocks(s.tiles, SCAN_THREADS). */
template <class T, int KIND, bool EXCLUSIVE>
__global__ void
scan_elements(const T *x, T *y, scan_layout s, unsigned int *workspace)
{
    elements_of<T, KIND, EXCLUSIVE> op;
    op.x = x;
    op.y = y;
    op.n = s.n;
    cupric::scan_rows(s, workspace, op);
}
