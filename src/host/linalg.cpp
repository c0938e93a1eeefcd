/* host/linalg.cpp: factorisations, NumPy's LAPACK but for two that it does not have: LU
 * factors with the interchanges of rows, and equations with triangular matrices.
 *
 * Both halve the matrix again and again (Toledo 1997, "Locality of Reference in LU
 * Decomposition with Partial Pivoting"), so that nearly all of the work is in products,
 * which NumPy's BLAS computes. Stacks of small matrices are factored in parallel, with
 * the products done here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cupric/types.hpp"
#include "host/entries.h"
#include "host/linalg_loops.h"
#include "host/numpy.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int64_t PANEL = 8;         /* columns that are factored one by one */
constexpr int64_t TRIANGLE = 16;     /* unknowns that are solved for one by one */
constexpr int64_t ROWS = 128;        /* … of one vector, by products of rows */
constexpr int64_t SMALL = 48;        /* rows and columns of matrices of a stack */
constexpr int64_t PRODUCT = 1 << 14; /* multiplications worth a call of NumPy */
constexpr int64_t UNIT = 1 << 15;    /* multiplications worth a thread's waking */

/* A matrix of which the elements of a row lie together. */
template <class T>
struct matrix {
    T *at;
    int64_t rows, columns, step;

    T *row(int64_t i) const { return at + i * step; }
    matrix part(int64_t i, int64_t j, int64_t m, int64_t n) const
    {
        return {at + i * step + j, m, n, step};
    }
};

/* What a call works with. */
template <class T>
struct workspace {
    T *product;     /* owned, for results of BLAS; NULL where it is not called */
    cu_dtype dtype; /* T's */
    cu_status st;   /* of the first call that failed */
};

/* LAPACK's measure, by which it picks pivots. */
inline float
magnitude(float x)
{
    return fabsf(x);
}

inline double
magnitude(double x)
{
    return fabs(x);
}

template <class T>
inline T
magnitude(complex<T> x)
{
    return magnitude(x.re) + magnitude(x.im);
}

/* y -= a x, for n elements */
template <class T>
inline void
subtract(T *__restrict y, const T *__restrict x, T a, int64_t n)
{
    for (int64_t j = 0; j < n; j++) y[j] -= a * x[j];
}

/* Complex products as BLAS forms them: no cases for infinities. */
template <class T>
inline void
subtract(complex<T> *__restrict y, const complex<T> *__restrict x, complex<T> a,
         int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        const T re = a.re * x[j].re - a.im * x[j].im;
        const T im = a.re * x[j].im + a.im * x[j].re;
        y[j].re -= re;
        y[j].im -= im;
    }
}

/* sum of x[j] y[j]: in vectors, two sums side by side, as additions take long. */
template <class T>
inline T
dot(const T *x, const T *y, int64_t n)
{
    typedef T vector __attribute__((vector_size(32)));
    constexpr int64_t LANES = 32 / (int64_t)sizeof(T);
    vector sum[2] = {}, a[2], b[2];
    T rest = 0;
    int64_t j = 0;

    for (; j + 2 * LANES <= n; j += 2 * LANES) {
        memcpy(a, x + j, sizeof a);
        memcpy(b, y + j, sizeof b);
        sum[0] += a[0] * b[0];
        sum[1] += a[1] * b[1];
    }
    for (; j < n; j++) rest += x[j] * y[j];
    sum[0] += sum[1];
    for (int64_t k = 0; k < LANES; k++) rest += sum[0][k];
    return rest;
}

template <class T>
inline complex<T>
dot(const complex<T> *x, const complex<T> *y, int64_t n)
{
    constexpr int64_t WIDE = 4;
    T re[WIDE] = {}, im[WIDE] = {};
    int64_t j = 0;

    for (; j + WIDE <= n; j += WIDE) {
        for (int64_t k = 0; k < WIDE; k++) {
            const complex<T> a = x[j + k], b = y[j + k];
            re[k] += a.re * b.re - a.im * b.im;
            im[k] += a.re * b.im + a.im * b.re;
        }
    }
    for (; j < n; j++) {
        re[0] += x[j].re * y[j].re - x[j].im * y[j].im;
        im[0] += x[j].re * y[j].im + x[j].im * y[j].re;
    }
    for (int64_t k = 1; k < WIDE; k++) {
        re[0] += re[k];
        im[0] += im[k];
    }
    return complex<T>(re[0], im[0]);
}

template <class T>
cu_view
view_of(const matrix<T> &m, cu_dtype dtype)
{
    cu_view v = {};

    v.ptr = (char *)m.at;
    v.dtype = dtype;
    v.ndim = 2;
    v.shape[0] = m.rows;
    v.shape[1] = m.columns;
    v.strides[0] = m.step * (int64_t)sizeof(T);
    v.strides[1] = sizeof(T);
    return v;
}

/* c -= a b */
template <class T>
void
subtract_product(const matrix<T> &a, const matrix<T> &b, const matrix<T> &c,
                 workspace<T> &w)
{
    if (w.st || a.columns == 0 || c.rows == 0 || c.columns == 0) return;
    if (c.columns == 1 && b.step == 1 &&
        c.rows * a.columns < cu_host_threshold(PRODUCT, 64)) {
        for (int64_t i = 0; i < c.rows; i++) {
            *c.row(i) -= dot(a.row(i), b.at, a.columns);
        }
        return;
    }
    if (!w.product || c.rows * c.columns * a.columns < cu_host_threshold(PRODUCT, 64)) {
        for (int64_t i = 0; i < c.rows; i++) {
            for (int64_t l = 0; l < a.columns; l++) {
                subtract(c.row(i), b.row(l), a.row(i)[l], c.columns);
            }
        }
        return;
    }
    const matrix<T> product = {w.product, c.rows, c.columns, c.columns};
    const cu_view va = view_of(a, w.dtype), vb = view_of(b, w.dtype);
    const cu_view vp = view_of(product, w.dtype);
    w.st = cu_numpy_matmul(&va, &vb, &vp);
    if (w.st) return;
    for (int64_t i = 0; i < c.rows; i++) {
        T *y = c.row(i);
        const T *x = product.row(i);
        for (int64_t j = 0; j < c.columns; j++) y[j] -= x[j];
    }
}

/* ---- triangular equations ------------------------------------------------------------ */

/* b[i] -= sum over j in [begin, end) of a[i][j] b[j] */
template <class T>
inline void
eliminate(const matrix<T> &a, const matrix<T> &b, int64_t i, int64_t begin, int64_t end)
{
    if (b.columns == 1 && b.step == 1) {
        b.at[i] -= dot(a.row(i) + begin, b.at + begin, end - begin);
        return;
    }
    for (int64_t j = begin; j < end; j++) {
        subtract(b.row(i), b.row(j), a.row(i)[j], b.columns);
    }
}

/* Solve a x = b in place of b; of `a` one triangle is read. */
template <class T>
void
solve_triangle(const matrix<T> &a, const matrix<T> &b, bool upper, bool unit,
               workspace<T> &w)
{
    const int64_t n = a.rows, half = n / 2;

    if (w.st) return;
    if (n > (b.columns == 1 ? ROWS : TRIANGLE)) {
        const matrix<T> first = a.part(0, 0, half, half);
        const matrix<T> last = a.part(half, half, n - half, n - half);
        const matrix<T> top = b.part(0, 0, half, b.columns);
        const matrix<T> bottom = b.part(half, 0, n - half, b.columns);
        if (upper) {
            solve_triangle(last, bottom, upper, unit, w);
            subtract_product(a.part(0, half, half, n - half), bottom, top, w);
            solve_triangle(first, top, upper, unit, w);
        } else {
            solve_triangle(first, top, upper, unit, w);
            subtract_product(a.part(half, 0, n - half, half), top, bottom, w);
            solve_triangle(last, bottom, upper, unit, w);
        }
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = upper ? n - 1 - k : k;
        eliminate(a, b, i, upper ? i + 1 : 0, upper ? n : i);
        if (unit) continue;
        for (int64_t j = 0; j < b.columns; j++) b.row(i)[j] /= a.row(i)[i];
    }
}

/* ---- LU factors ------------------------------------------------------------------------ */

template <class T>
void
swap_rows(const matrix<T> &a, int64_t i, int64_t j)
{
    T *x = a.row(i), *y = a.row(j);

    if (i == j) return;
    for (int64_t c = 0; c < a.columns; c++) {
        const T kept = x[c];
        x[c] = y[c];
        y[c] = kept;
    }
}

template <class T>
int64_t
pivot_of(const matrix<T> &a, int64_t j)
{
    int64_t best = j;
    auto most = magnitude(a.row(j)[j]);

    for (int64_t i = j + 1; i < a.rows; i++) {
        const auto size = magnitude(a.row(i)[j]);
        if (size > most) {
            most = size;
            best = i;
        }
    }
    return best;
}

/* A few columns, one after the other; pivots count from 1, as LAPACK's. */
template <class T>
void
factor_columns(const matrix<T> &a, int *pivots)
{
    const int64_t k = a.rows < a.columns ? a.rows : a.columns;

    for (int64_t j = 0; j < k; j++) {
        const int64_t best = pivot_of(a, j);
        pivots[j] = (int)best + 1;
        swap_rows(a, j, best);
        const T pivot = a.row(j)[j];
        if (pivot == T(0)) continue;
        for (int64_t i = j + 1; i < a.rows; i++) {
            T *row = a.row(i);
            row[j] /= pivot;
            subtract(row + j + 1, a.row(j) + j + 1, row[j], a.columns - j - 1);
        }
    }
}

template <class T>
void
factor(const matrix<T> &a, int *pivots, workspace<T> &w)
{
    const int64_t m = a.rows, n = a.columns, k = m < n ? m : n;
    const int64_t left = k / 2, right = n - left;

    if (w.st) return;
    if (k <= PANEL && n <= 2 * PANEL) {
        factor_columns(a, pivots);
        return;
    }
    if (k <= PANEL) { /* wide: the columns behind the square only follow */
        factor_columns(a.part(0, 0, m, k), pivots);
        for (int64_t i = 0; i < k; i++) {
            swap_rows(a.part(0, k, m, n - k), i, pivots[i] - 1);
        }
        solve_triangle(a.part(0, 0, k, k), a.part(0, k, k, n - k), false, true, w);
        return;
    }
    const matrix<T> behind = a.part(0, left, m, right);
    const matrix<T> top = behind.part(0, 0, left, right);
    const matrix<T> rest = behind.part(left, 0, m - left, right);
    factor(a.part(0, 0, m, left), pivots, w);
    for (int64_t i = 0; i < left; i++) swap_rows(behind, i, pivots[i] - 1);
    solve_triangle(a.part(0, 0, left, left), top, false, true, w);
    subtract_product(a.part(left, 0, m - left, left), top, rest, w);
    factor(rest, pivots + left, w);
    for (int64_t i = left; i < k && !w.st; i++) {
        pivots[i] += (int)left;
        swap_rows(a.part(0, 0, m, left), i, pivots[i] - 1);
    }
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Run fn(index, workspace) for each matrix of a stack: for small ones in parallel, else one
 * after the other with BLAS, whose products have up to `elements` elements. */
template <class T, class F>
cu_status
for_each(int64_t batch, int64_t work, bool small, int64_t elements, cu_dtype dtype,
         const F &fn)
{
    workspace<T> w = {nullptr, dtype, CUPRIC_OK};

    if (small) {
        parallel(batch, UNIT / (work + 1) + 1, [&](int64_t begin, int64_t end) {
            workspace<T> own = {nullptr, dtype, CUPRIC_OK};
            for (int64_t i = begin; i < end; i++) fn(i, own);
        });
        return CUPRIC_OK;
    }
    w.product = (T *)malloc((size_t)(elements + 1) * sizeof(T));
    if (!w.product) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a factorisation");
    for (int64_t i = 0; i < batch && !w.st; i++) fn(i, w);
    free(w.product);
    return w.st;
}

int64_t
elements_of(const cu_view &v)
{
    int64_t n = 1;
    for (int d = 0; d < v.ndim; d++) n *= v.shape[d];
    return n;
}

template <class T>
cu_status
run_lu(const cu_linalg *args)
{
    const cu_view &a = args->in[0], &out = args->out[0];
    const int64_t m = a.shape[a.ndim - 2], n = a.shape[a.ndim - 1];
    const int64_t k = m < n ? m : n, size = elements_of(a);
    T *factors = (T *)out.ptr;
    int *pivots = (int *)args->out[1].ptr;

    if (size == 0) return CUPRIC_OK;
    if (m > INT32_MAX) {
        return cu_fail(CUPRIC_ERR_VALUE, "a matrix is too large to be factored");
    }
    memcpy(factors, a.ptr, (size_t)size * sizeof(T));
    return for_each<T>(
        size / (m * n), m * n * k, m <= SMALL && n <= SMALL, (m - k / 2) * (n - k / 2),
        a.dtype, [=](int64_t i, workspace<T> &w) {
            factor(matrix<T>{factors + i * m * n, m, n, n}, pivots + i * k, w);
        });
}

template <class T>
cu_status
run_triangular(const cu_linalg *args)
{
    const cu_view &a = args->in[0], &out = args->out[0];
    const int64_t n = a.shape[a.ndim - 1], columns = out.shape[out.ndim - 1];
    const int64_t size = elements_of(out);
    const bool upper = args->flag & CUPRIC_TRIANGULAR_UPPER;
    const bool unit = args->flag & CUPRIC_TRIANGULAR_UNIT;
    T *matrices = (T *)a.ptr, *x = (T *)out.ptr;

    if (size == 0) return CUPRIC_OK;
    memcpy(x, args->in[1].ptr, (size_t)size * sizeof(T));
    return for_each<T>(
        size / (n * columns), n * n * columns, n <= SMALL && columns <= SMALL,
        (n + 1) / 2 * columns, a.dtype, [=](int64_t i, workspace<T> &w) {
            solve_triangle(matrix<T>{matrices + i * n * n, n, n, n},
                           matrix<T>{x + i * n * columns, n, columns, columns}, upper,
                           unit, w);
        });
}

template <class T>
cu_status
run(const cu_linalg *args)
{
    return args->kind == CUPRIC_LINALG_LU ? run_lu<T>(args) : run_triangular<T>(args);
}

/* Of dense elements. */
bool
is_finite(const cu_view &v)
{
    const bool is_complex = cu_dtypes[v.dtype].kind == 'c';
    const int64_t n = elements_of(v) * (is_complex ? 2 : 1);
    bool finite = true;

    if (cu_itemsize(v.dtype) == (is_complex ? 8 : 4)) {
        const float *x = (const float *)v.ptr;
        for (int64_t i = 0; i < n; i++) finite &= isfinite(x[i]) != 0;
    } else {
        const double *x = (const double *)v.ptr;
        for (int64_t i = 0; i < n; i++) finite &= isfinite(x[i]) != 0;
    }
    return finite;
}

/* By NumPy's LAPACK. */
cu_status
factor_by_numpy(const cu_linalg *args)
{
    /* Its divide and conquer may go on for ever over an infinity. */
    if ((args->kind == CUPRIC_LINALG_SVD || args->kind == CUPRIC_LINALG_SVDVALS ||
         args->kind == CUPRIC_LINALG_LSTSQ) &&
        !is_finite(args->in[0])) {
        return cu_fail(CUPRIC_ERR_LINALG, "SVD did not converge");
    }
    return cu_linalg_by_loops(args) ? CUPRIC_OK : cu_numpy_linalg(args);
}

} // namespace

cu_status
cu_host_linalg(const cu_linalg *args, cu_stream *s)
{
    (void)s;
    if (args->kind != CUPRIC_LINALG_LU && args->kind != CUPRIC_LINALG_TRIANGULAR) {
        return factor_by_numpy(args);
    }
    switch ((int)args->in[0].dtype) {
    case TYPE_FLOAT32: return run<float>(args);
    case TYPE_FLOAT64: return run<double>(args);
    case TYPE_COMPLEX64: return run<complex<float>>(args);
    case TYPE_COMPLEX128: return run<complex<double>>(args);
    default:
        return cu_fail(CUPRIC_ERR_TYPE, "array type %s is unsupported in linalg",
                       cu_dtypes[args->in[0].dtype].name);
    }
}
