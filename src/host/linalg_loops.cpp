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

constexpr int MOST = 4;           /* operands of a factorisation */
constexpr int64_t SMALL = 48;     /* rows and columns of matrices of a stack */
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

/* The float32 numbers of an element. */
inline int64_t
parts_of(const stack &s)
{
    return s.dtype == CUPRIC_COMPLEX64 ? 2 : 1;
}

inline cu_dtype
wide_dtype(const stack &s)
{
    return cu_dtypes[s.dtype].kind == 'c' ? CUPRIC_COMPLEX128 : CUPRIC_FLOAT64;
}

/* Matrices [begin, end) of single precision, some at a time, in memory for `numbers`. */
bool
run_converted(const factorisation &f, int64_t begin, int64_t end, int64_t at_once,
              double *memory)
{
    for (int64_t at = begin; at < end; at += at_once) {
        const int64_t count = end - at < at_once ? end - at : at_once;
        cu_view views[MOST];
        double *wide = memory;
        for (int k = 0; k < f.n; k++) {
            const stack &s = f.operands[k];
            const int64_t n = s.elements * parts_of(s);
            const float *narrow = (const float *)s.ptr + at * n;
            views[k] = view_of(s, (char *)wide, wide_dtype(s), count);
            for (int64_t i = 0; k < f.nin && i < n * count; i++) wide[i] = narrow[i];
            wide += n * count;
        }
        if (!run_loop(f, views)) return false;
        for (int k = f.nin; k < f.n; k++) {
            const stack &s = f.operands[k];
            const int64_t n = s.elements * parts_of(s);
            const double *from = (const double *)views[k].ptr;
            float *narrow = (float *)s.ptr + at * n;
            for (int64_t i = 0; i < n * count; i++) narrow[i] = (float)from[i];
        }
    }
    return true;
}

bool
run_narrow(const factorisation &f, int64_t begin, int64_t end)
{
    int64_t numbers = 0; /* of one matrix and what is made of it */
    for (int k = 0; k < f.n; k++) {
        numbers += f.operands[k].elements * parts_of(f.operands[k]);
    }
    const int64_t many = SCRATCH / numbers + 1;
    const int64_t at_once = many < end - begin ? many : end - begin;
    double *memory = (double *)malloc((size_t)(numbers * at_once) * sizeof(double));
    const bool done = memory && run_converted(f, begin, end, at_once, memory);
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
    const bool narrow = t == CUPRIC_FLOAT32 || t == CUPRIC_COMPLEX64;
    factorisation f = {};

    if (!find_gufunc(args, &f)) return false;
    f.nin = args->nin;
    f.n = args->nin + args->nout;
    f.count = read_stack(args->in[0], batch, &f.operands[0]);
    for (int k = 1; k < f.n; k++) {
        const cu_view &v = k < f.nin ? args->in[k] : args->out[k - f.nin];
        if (read_stack(v, batch, &f.operands[k]) != f.count) return false;
    }
    if (f.count == 0 || m == 0 || n == 0) return false;
    const int64_t work = m * n * (m < n ? m : n);
    const int64_t alone = m > SMALL || n > SMALL ? f.count : UNIT / work + 1;
    bool done = true;
    parallel(f.count, alone, [&](int64_t begin, int64_t end) {
        if (narrow ? run_narrow(f, begin, end) : run_part(f, begin, end)) return;
        __atomic_store_n(&done, false, __ATOMIC_RELAXED);
    });
    return done;
}
