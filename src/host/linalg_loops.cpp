/* host/linalg_loops.cpp: factorisations by the loops of NumPy's LAPACK, without the GIL;
 * stacks of small matrices in parallel.
 *
 * As numpy.linalg has it, float32 and complex64 are computed in twice their precision.
 */
#include "host/linalg_loops.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/gufuncs.h"
#include "host/parallel.hpp"

namespace {

constexpr int MOST = 7;       /* operands of a factorisation */
constexpr int64_t SMALL = 48; /* rows and columns of matrices of a stack */
constexpr int64_t LARGEST =
    1 << 22; /* elements: a loop cannot say that it lacked memory */
constexpr int64_t UNIT = 1 << 15; /* multiplications worth a thread's waking */
constexpr int64_t SCRATCH =
    1 << 15; /* numbers of an operand that are converted at once */

/* Matrices, or vectors or numbers, that lie one after the other. */
struct stack {
    char *ptr;
    cu_dtype dtype;
    int core; /* axes of one */
    int64_t shape[2];
    int64_t elements; /* of one */
};

struct factorisation {
    cu_gufunc which;
    bool may_fail;
    int nin, n;
    stack operands[MOST];
    int64_t count;
};

bool
find_gufunc(const cu_linalg *args, factorisation *f)
{
    const bool flag = args->flag != 0;

    f->may_fail = true;
    switch ((int)args->kind) {
    case CUPRIC_LINALG_SOLVE: f->which = CU_GUFUNC_SOLVE; return true;
    case CUPRIC_LINALG_INV: f->which = CU_GUFUNC_INV; return true;
    case CUPRIC_LINALG_DET:
        f->which = CU_GUFUNC_DET;
        f->may_fail = false;
        return true;
    case CUPRIC_LINALG_SLOGDET:
        f->which = CU_GUFUNC_SLOGDET;
        f->may_fail = false;
        return true;
    case CUPRIC_LINALG_CHOLESKY: f->which = CU_GUFUNC_CHOLESKY; return true;
    case CUPRIC_LINALG_SVD:
        f->which = flag ? CU_GUFUNC_SVD_COMPLETE : CU_GUFUNC_SVD_REDUCED;
        return true;
    case CUPRIC_LINALG_SVDVALS: f->which = CU_GUFUNC_SVDVALS; return true;
    case CUPRIC_LINALG_EIGH:
        f->which = flag ? CU_GUFUNC_EIGH_UPPER : CU_GUFUNC_EIGH_LOWER;
        return true;
    case CUPRIC_LINALG_EIGVALSH:
        f->which = flag ? CU_GUFUNC_EIGVALSH_UPPER : CU_GUFUNC_EIGVALSH_LOWER;
        return true;
    case CUPRIC_LINALG_QR:
        /* only where m > n has Q columns beyond those of the reduced one */
        f->which = f->operands[1].shape[1] > f->operands[0].shape[1]
                       ? CU_GUFUNC_QR_COMPLETE
                       : CU_GUFUNC_QR_REDUCED;
        return true;
    case CUPRIC_LINALG_LSTSQ: f->which = CU_GUFUNC_LSTSQ; return true;
    default: return false;
    }
}

/* The operand that a dense view is; the number of its matrices. */
int64_t
read_stack(const cu_view &v, int batch, stack *out)
{
    int64_t count = 1;

    out->ptr = v.ptr;
    out->dtype = v.dtype;
    out->core = v.ndim - batch;
    out->elements = 1;
    for (int d = 0; d < batch; d++) count *= v.shape[d];
    for (int i = 0; i < out->core; i++) {
        out->shape[i] = v.shape[batch + i];
        out->elements *= out->shape[i];
    }
    return count;
}

cu_view
view_of(const stack &s, char *ptr, cu_dtype dtype, int64_t count)
{
    int64_t step = cu_itemsize(dtype);
    cu_view v = {};

    v.ptr = ptr;
    v.dtype = dtype;
    v.ndim = 1 + s.core;
    v.shape[0] = count;
    for (int i = s.core; i > 0; i--) {
        v.shape[i] = s.shape[i - 1];
        v.strides[i] = step;
        step *= v.shape[i];
    }
    v.strides[0] = step;
    return v;
}

bool
run_loop(const factorisation &f, const cu_view *views)
{
    const cu_view *operands[MOST];

    for (int k = 0; k < f.n; k++) operands[k] = &views[k];
    feclearexcept(FE_INVALID);
    if (!cu_gufunc_run(f.which, 1, operands)) return false;
    const bool failed = f.may_fail && fetestexcept(FE_INVALID);
    feclearexcept(FE_INVALID);
    return !failed;
}

/* Matrices [begin, end), as they lie. */
bool
run_part(const factorisation &f, int64_t begin, int64_t end)
{
    cu_view views[MOST];

    for (int k = 0; k < f.n; k++) {
        const stack &s = f.operands[k];
        char *first = s.ptr + begin * s.elements * cu_itemsize(s.dtype);
        views[k] = view_of(s, first, s.dtype, end - begin);
    }
    return run_loop(f, views);
}

inline bool
is_complex(const stack &s)
{
    return cu_dtypes[s.dtype].kind == 'c';
}

/* The real numbers of a matrix. */
inline int64_t
numbers_of(const stack &s)
{
    return s.elements * (is_complex(s) ? 2 : 1);
}

inline bool
is_single(const stack &s)
{
    return cu_itemsize(s.dtype) == (is_complex(s) ? 8 : 4);
}

inline cu_dtype
wide_dtype(const stack &s)
{
    return is_complex(s) ? CUPRIC_COMPLEX128 : CUPRIC_FLOAT64;
}

/* `count` matrices from number `at` in double precision. */
void
widen(const stack &s, int64_t at, int64_t count, double *out)
{
    const int64_t n = numbers_of(s), all = n * count;

    if (is_single(s)) {
        const float *from = (const float *)s.ptr + at * n;
        for (int64_t i = 0; i < all; i++) out[i] = from[i];
    } else {
        memcpy(out, (const double *)s.ptr + at * n, (size_t)all * sizeof(double));
    }
}

/* The opposite. */
void
narrow(const stack &s, int64_t at, int64_t count, const double *from)
{
    const int64_t n = numbers_of(s), all = n * count;

    if (is_single(s)) {
        float *out = (float *)s.ptr + at * n;
        for (int64_t i = 0; i < all; i++) out[i] = (float)from[i];
    } else {
        memcpy((double *)s.ptr + at * n, from, (size_t)all * sizeof(double));
    }
}

/* In double precision, in `memory` for count times numbers_of each operand. */
bool
run_converted(const factorisation &f, int64_t at, int64_t count, double *memory)
{
    cu_view views[MOST];

    for (int k = 0; k < f.n; k++) {
        const stack &s = f.operands[k];
        views[k] = view_of(s, (char *)memory, wide_dtype(s), count);
        if (k < f.nin) widen(s, at, count, memory);
        memory += numbers_of(s) * count;
    }
    if (!run_loop(f, views)) return false;
    for (int k = f.nin; k < f.n; k++) {
        narrow(f.operands[k], at, count, (const double *)views[k].ptr);
    }
    return true;
}

/* R of matrices that hold it above their reflectors. */
void
take_upper(const stack &a, const double *from, const stack &r, int64_t count,
           double *out)
{
    const int64_t parts = is_complex(a) ? 2 : 1;
    const int64_t width = a.shape[1] * parts, rows = a.shape[0];

    for (int64_t j = 0; j < count; j++) {
        for (int64_t i = 0; i < r.shape[0]; i++, out += width) {
            const int64_t below = i < a.shape[1] ? i * parts : width;
            memset(out, 0, (size_t)below * sizeof(double));
            memcpy(out + below, from + (j * rows + i) * width + below,
                   (size_t)(width - below) * sizeof(double));
        }
    }
}

/* Q and R, in `memory` for as much and what is between them: a matrix's reflectors take
 * its place, and their scales a column of it at most. */
bool
run_qr(const factorisation &f, int64_t at, int64_t count, double *memory)
{
    const stack &a = f.operands[0], &q = f.operands[1], &r = f.operands[2];
    double *const made = memory + numbers_of(a) * count;
    double *const upper = made + numbers_of(q) * count;
    double *const rest = upper + numbers_of(r) * count;
    const stack scales = {NULL, a.dtype, 1, {a.shape[a.shape[0] > a.shape[1]], 0}, 0};
    const cu_view views[3] = {view_of(a, (char *)memory, wide_dtype(a), count),
                              view_of(scales, (char *)rest, wide_dtype(a), count),
                              view_of(q, (char *)made, wide_dtype(a), count)};
    const cu_view *operands[3] = {&views[0], &views[1], &views[2]};

    widen(a, at, count, memory);
    if (!cu_gufunc_run(CU_GUFUNC_QR, 1, operands)) return false;
    take_upper(a, memory, r, count, upper);
    if (!run_loop(f, views)) return false;
    narrow(q, at, count, made);
    narrow(r, at, count, upper);
    return true;
}

/* The one problem of least squares: operands where they lie or, of single precision, in
 * double, and between them rcond and the residuals, which are not asked for. */
bool
run_lstsq(const factorisation &f, double rcond)
{
    const stack &a = f.operands[0], &b = f.operands[1], &x = f.operands[2];
    const stack &rank = f.operands[3], &s = f.operands[4];
    const int64_t converted =
        is_single(a) ? numbers_of(a) + numbers_of(b) + numbers_of(x) + numbers_of(s)
                     : 0;
    const int64_t nbytes = (converted + b.shape[1]) * (int64_t)sizeof(double);
    double *const memory = (double *)malloc((size_t)nbytes), *next = memory;
    if (!memory) return false;
    const auto view = [&](const stack &operand) {
        char *const at = is_single(operand) ? (char *)next : operand.ptr;
        if (is_single(operand)) next += numbers_of(operand);
        return view_of(operand, at, wide_dtype(operand), 1);
    };
    const stack number = {(char *)&rcond, CUPRIC_FLOAT64, 0, {0, 0}, 1};
    const cu_view views[] = {view(a),
                             view(b),
                             view(number),
                             view(x),
                             view({(char *)(memory + converted),
                                   CUPRIC_FLOAT64,
                                   1,
                                   {b.shape[1], 0},
                                   b.shape[1]}),
                             view_of(rank, rank.ptr, CUPRIC_INT32, 1),
                             view(s)};
    factorisation loop = f;

    loop.n = sizeof views / sizeof *views;
    if (is_single(a)) {
        widen(a, 0, 1, (double *)views[0].ptr);
        widen(b, 0, 1, (double *)views[1].ptr);
    }
    const bool done = run_loop(loop, views);
    if (done && is_single(a)) {
        narrow(x, 0, 1, (const double *)views[3].ptr);
        narrow(s, 0, 1, (const double *)views[6].ptr);
    }
    free(memory);
    return done;
}

/* Matrices [begin, end), some at a time. */
bool
run_in_scratch(const factorisation &f, int64_t begin, int64_t end)
{
    const bool is_qr =
        f.which == CU_GUFUNC_QR_REDUCED || f.which == CU_GUFUNC_QR_COMPLETE;
    int64_t numbers = is_qr ? numbers_of(f.operands[0]) : 0;
    for (int k = 0; k < f.n; k++) numbers += numbers_of(f.operands[k]);
    const int64_t many = SCRATCH / numbers + 1;
    const int64_t at_once = many < end - begin ? many : end - begin;
    double *memory = (double *)malloc((size_t)(numbers * at_once) * sizeof(double));
    bool done = memory != NULL;
    for (int64_t at = begin; done && at < end; at += at_once) {
        const int64_t count = end - at < at_once ? end - at : at_once;
        done =
            is_qr ? run_qr(f, at, count, memory) : run_converted(f, at, count, memory);
    }
    free(memory);
    return done;
}

} // namespace

bool
cu_linalg_by_loops(const cu_linalg *args)
{
    const int batch = args->in[0].ndim - 2;
    const int64_t m = args->in[0].shape[batch], n = args->in[0].shape[batch + 1];
    const cu_dtype t = args->in[0].dtype;
    const bool as_it_is = (t == CUPRIC_FLOAT64 || t == CUPRIC_COMPLEX128) &&
                          args->kind != CUPRIC_LINALG_QR;
    factorisation f = {};

    if (args->kind == CUPRIC_LINALG_QR && args->flag == 2) return false; /* raw */
    f.nin = args->nin;
    f.n = args->nin + args->nout;
    f.count = read_stack(args->in[0], batch, &f.operands[0]);
    for (int k = 1; k < f.n; k++) {
        const cu_view &v = k < f.nin ? args->in[k] : args->out[k - f.nin];
        if (read_stack(v, batch, &f.operands[k]) != f.count) return false;
    }
    if (f.count == 0 || m == 0 || n == 0 || m > LARGEST / n || !find_gufunc(args, &f))
        return false;
    if (args->kind == CUPRIC_LINALG_LSTSQ) return run_lstsq(f, args->rcond);
    const int64_t work = m * n * (m < n ? m : n);
    const int64_t alone = m > SMALL || n > SMALL ? f.count : UNIT / work + 1;
    bool done = true;
    parallel(f.count, alone, [&](int64_t begin, int64_t end) {
        if (as_it_is ? run_part(f, begin, end) : run_in_scratch(f, begin, end)) return;
        __atomic_store_n(&done, false, __ATOMIC_RELAXED);
    });
    return done;
}
