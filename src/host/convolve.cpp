/* host/convolve.cpp: direct convolution and correlation in N dimensions.
 *
 * Everything is made a correlation of real numbers in two dimensions:
 * - the kernel is reversed (or, when correlating, conjugated) into weights;
 * - the output is cut into units, parts of one plane of the last two dimensions, which
 *   threads share. For each index of the kernel's outer dimensions, the part of the input
 *   plane that a unit sees is copied into a scratch image, in the type of computation
 *   (float for 16-bit floats, 32 bits for short integers), with what lies outside filled
 *   in by the boundary rule; so the engine's loops know no boundaries;
 * - a complex product is four real ones on the planes of real and imaginary parts.
 *
 * Copying costs about one operation per element and outer index; the engine, as many as
 * the kernel's plane has elements.
 */
#include <stdlib.h>
#include <string.h>

#include "cupric/math/arithmetic.hpp"
#include "cupric/types.hpp"
#include "host/convolve_engine.h"
#include "host/entries.h"
#include "host/parallel.hpp"
#include "host/smaller.hpp"

namespace {

using namespace cupric;

/* A unit's size: its scratch image stays in a core's second-level cache. */
constexpr int64_t UNIT_ROWS = 64, UNIT_COLS = 512, UNIT_COLS_1D = 8192;
constexpr int64_t UNIT_WORK = 1 << 18; /* multiply-adds worth a thread's waking */

/* How elements of T are computed: in `real`, one plane or two. */
template <class T>
struct computed {
    typedef unsigned int real;
    static constexpr cu_convolve_type type = CU_CONVOLVE_U32;
};
template <>
struct computed<long long> {
    typedef unsigned long long real;
    static constexpr cu_convolve_type type = CU_CONVOLVE_U64;
};
template <>
struct computed<unsigned long long> : computed<long long> {
};
template <>
struct computed<float> {
    typedef float real;
    static constexpr cu_convolve_type type = CU_CONVOLVE_F32;
};
template <>
struct computed<half> : computed<float> {
};
template <>
struct computed<bfloat16> : computed<float> {
};
template <>
struct computed<complex<float>> : computed<float> {
};
template <>
struct computed<double> {
    typedef double real;
    static constexpr cu_convolve_type type = CU_CONVOLVE_F64;
};
template <>
struct computed<complex<double>> : computed<double> {
};

/* The problem with its outer dimensions apart: 0 … nouter - 1, then rows, then columns.
 * Where the views have fewer than two dimensions, ones of length 1 stand before. */
struct problem {
    int ndim;
    int64_t in[CUPRIC_MAXDIMS + 2], kernel[CUPRIC_MAXDIMS + 2], out[CUPRIC_MAXDIMS + 2];
    int64_t base[CUPRIC_MAXDIMS + 2]; /* input index seen by out 0 under weight 0 */
    int64_t unit_rows, unit_cols;
    int64_t row_units, col_units, planes; /* units: planes x row_units x col_units */
    int64_t kernel_planes;
    int64_t stride; /* elements of a scratch row */
    const cu_convolve *args;
    cu_convolve_engine *engine;
};

int64_t
ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

void
describe(const cu_convolve *args, problem &p)
{
    const int lead = args->out.ndim < 2 ? 2 - args->out.ndim : 0;

    p.args = args;
    p.ndim = args->out.ndim + lead;
    p.planes = p.kernel_planes = 1;
    for (int d = 0; d < p.ndim; d++) {
        const int k = d - lead;
        p.in[d] = k < 0 ? 1 : args->in.shape[k];
        p.kernel[d] = k < 0 ? 1 : args->kernel.shape[k];
        p.out[d] = k < 0 ? 1 : args->out.shape[k];
        p.base[d] = k < 0 ? 0 : args->start[k];
        if (!args->correlate) p.base[d] -= p.kernel[d] - 1;
        if (d < p.ndim - 2) p.planes *= p.out[d];
        if (d < p.ndim - 2) p.kernel_planes *= p.kernel[d];
    }
    const int64_t rows = p.out[p.ndim - 2], cols = p.out[p.ndim - 1];
    const int64_t kr = p.kernel[p.ndim - 2], kc = p.kernel[p.ndim - 1];
    const int64_t full = rows == 1 ? UNIT_COLS_1D : UNIT_COLS;
    p.unit_cols = smaller(cols, full > kc ? full : kc);
    p.unit_rows = smaller(rows, UNIT_ROWS > kr ? UNIT_ROWS : kr);
    /* Few units: smaller ones, for every thread to have some. */
    const int64_t wanted = 4 * cu_host_threads();
    while (p.unit_rows > 8 &&
           p.planes * ceil_div(rows, p.unit_rows) * ceil_div(cols, p.unit_cols) <
               wanted) {
        p.unit_rows = ceil_div(p.unit_rows, 2);
    }
    p.row_units = ceil_div(rows, p.unit_rows);
    p.col_units = ceil_div(cols, p.unit_cols);
    /* An odd number of cache lines, so that rows do not share cache sets. */
    p.stride = (ceil_div(p.unit_cols + kc - 1 + CU_CONVOLVE_PADDING, 16) | 1) * 16;
}

/* The element of [0, n) that stands at index i, or -1 for the fill value. */
int64_t
source_index(cu_boundary rule, int64_t i, int64_t n)
{
    if (CUPRIC_LIKELY(i >= 0 && i < n)) return i;
    if (rule == CUPRIC_BOUNDARY_FILL || rule == CUPRIC_BOUNDARY_NONE || n == 0)
        return -1;
    if (rule == CUPRIC_BOUNDARY_WRAP) return (i % n + n) % n;
    i = (i % (2 * n) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

/* Planes of scratch: the input's and the output's real and imaginary parts. */
template <class T>
struct scratch {
    typedef typename computed<T>::real R;
    static constexpr int parts = is_complex<T>::value ? 2 : 1;

    R *memory = nullptr; /* owned */
    R *in[2], *out[2];

    bool allocate(const problem &p)
    {
        const int64_t rows_in = p.unit_rows + p.kernel[p.ndim - 2] - 1;
        const int64_t nin = rows_in * p.stride, nout = p.unit_rows * p.stride;
        memory = (R *)malloc((size_t)(parts * (nin + nout)) * sizeof(R));
        for (int k = 0; memory && k < parts; k++) {
            in[k] = memory + k * nin;
            out[k] = memory + parts * nin + k * nout;
        }
        return memory != nullptr;
    }
    ~scratch() { free(memory); }
};

template <class T>
inline void
put(const scratch<T> &s, int64_t at, T x)
{
    typedef typename computed<T>::real R;
    if constexpr (is_complex<T>::value) {
        s.in[0][at] = x.re;
        s.in[1][at] = x.im;
    } else {
        s.in[0][at] = (R)x;
    }
}

/* One row of the scratch image: input indices from `first` on, of the row at `row`
 * (NULL: nothing but fill). */
template <class T>
void
copy_row(const problem &p, const scratch<T> &s, int64_t at, const T *row, int64_t first,
         int64_t n)
{
    const int64_t length = p.in[p.ndim - 1];
    T fill;
    memcpy(&fill, p.args->fill.bytes, sizeof fill);

    if (row == nullptr) {
        for (int64_t i = 0; i < n; i++) put<T>(s, at + i, fill);
        return;
    }
    const int64_t before = first >= 0 ? 0 : smaller(-first, n);
    const int64_t inside = length - first < n ? length - first : n;
    int64_t i = 0;
    for (; i < before; i++) {
        const int64_t k = source_index(p.args->boundary, first + i, length);
        put<T>(s, at + i, k < 0 ? fill : load(row + k));
    }
    for (; i < inside; i++) put<T>(s, at + i, load(row + first + i));
    for (; i < n; i++) {
        const int64_t k = source_index(p.args->boundary, first + i, length);
        put<T>(s, at + i, k < 0 ? fill : load(row + k));
    }
}

/* A unit: the output's plane, and the rectangle in it. */
struct unit {
    int64_t plane, row, col, rows, cols;
};

unit
unit_at(const problem &p, int64_t number)
{
    unit u;
    u.col = number % p.col_units * p.unit_cols;
    number /= p.col_units;
    u.row = number % p.row_units * p.unit_rows;
    u.plane = number / p.row_units;
    u.rows = smaller(p.unit_rows, p.out[p.ndim - 2] - u.row);
    u.cols = smaller(p.unit_cols, p.out[p.ndim - 1] - u.col);
    return u;
}

/* The part of the input that `u` sees under plane `kernel_plane` of the weights. */
template <class T>
void
copy_image(const problem &p, const scratch<T> &s, const unit &u, int64_t kernel_plane)
{
    const int rows_dim = p.ndim - 2;
    int64_t offset = 0, size = 1, out_rest = u.plane, kernel_rest = kernel_plane;
    bool outside = false;

    for (int d = rows_dim - 1; d >= 0; d--) {
        const int64_t i = out_rest % p.out[d] + kernel_rest % p.kernel[d] + p.base[d];
        const int64_t k = source_index(p.args->boundary, i, p.in[d]);
        outside |= k < 0;
        offset += k * size;
        size *= p.in[d];
        out_rest /= p.out[d];
        kernel_rest /= p.kernel[d];
    }
    const int64_t rows = u.rows + p.kernel[rows_dim] - 1;
    const int64_t cols = u.cols + p.kernel[rows_dim + 1] - 1;
    for (int64_t r = 0; r < rows; r++) {
        const int64_t i = u.row + r + p.base[rows_dim];
        const int64_t k = source_index(p.args->boundary, i, p.in[rows_dim]);
        const T *row = nullptr;
        if (!outside && k >= 0) {
            row = (const T *)p.args->in.ptr +
                  (offset * p.in[rows_dim] + k) * p.in[rows_dim + 1];
        }
        copy_row<T>(p, s, r * p.stride, row, u.col + p.base[rows_dim + 1], cols);
        /* The engine reads, and ignores, some elements more. */
        for (int part = 0; part < s.parts; part++) {
            memset(s.in[part] + r * p.stride + cols, 0,
                   CU_CONVOLVE_PADDING * sizeof *s.in[part]);
        }
    }
}

template <class T>
inline T
join(typename computed<T>::real re, [[maybe_unused]] typename computed<T>::real im)
{
    if constexpr (is_complex<T>::value) {
        return T(re, im);
    } else if constexpr (is_same<T, bool>::value) {
        return re != 0;
    } else {
        return T(re);
    }
}

template <class T>
void
run_unit(const problem &p, const scratch<T> &s, const unit &u,
         const typename computed<T>::real *const weights[3])
{
    typedef typename computed<T>::real R;
    const int64_t kr = p.kernel[p.ndim - 2], kc = p.kernel[p.ndim - 1];
    const int64_t width = p.out[p.ndim - 1];
    T *out =
        (T *)p.args->out.ptr + (u.plane * p.out[p.ndim - 2] + u.row) * width + u.col;
    constexpr bool direct = is_same<T, R>::value;
    cu_convolve_block b = {};

    b.src_stride = p.stride;
    b.kr = kr;
    b.kc = kc;
    b.rows = u.rows;
    b.cols = u.cols;
    b.out_stride = direct ? width : p.stride;
    for (int64_t plane = 0; plane < p.kernel_planes; plane++) {
        copy_image<T>(p, s, u, plane);
        /* real: in * weights; complex: re = re*re + im*(-im), im = re*im + im*re */
        static const int part[4][3] = {{0, 0, 0}, {0, 1, 2}, {1, 0, 1}, {1, 1, 0}};
        for (int k = 0; k < s.parts * s.parts; k++) {
            b.out = direct ? (void *)out : (void *)s.out[part[k][0]];
            b.src = s.in[part[k][1]];
            b.weights = weights[part[k][2]] + plane * kr * kc;
            b.accumulate = plane > 0 || part[k][1] == 1;
            p.engine(computed<T>::type, &b);
        }
    }
    if (direct) return;
    for (int64_t r = 0; r < u.rows; r++) {
        const R *re = s.out[0] + r * p.stride, *im = s.out[s.parts - 1] + r * p.stride;
        for (int64_t c = 0; c < u.cols; c++) out[r * width + c] = join<T>(re[c], im[c]);
    }
}

/* The kernel as weights of a correlation: real parts, imaginary parts and these negated,
 * each in C order, one after the other in memory that the caller frees; or NULL. */
template <class T>
typename computed<T>::real *
make_weights(const problem &p)
{
    typedef typename computed<T>::real R;
    const int64_t n = p.kernel_planes * p.kernel[p.ndim - 2] * p.kernel[p.ndim - 1];
    const T *kernel = (const T *)p.args->kernel.ptr;
    R *weights = (R *)malloc((size_t)(n * 3) * sizeof(R));

    for (int64_t i = 0; weights && i < n; i++) {
        const T x = load(kernel + (p.args->correlate ? i : n - 1 - i));
        if constexpr (is_complex<T>::value) {
            weights[i] = x.re;
            weights[n + i] = p.args->correlate ? -x.im : x.im;
            weights[2 * n + i] = -weights[n + i];
        } else {
            weights[i] = (R)x;
        }
    }
    return weights;
}

/* ---- where nothing is outside ----------------------------------------------------------
 *
 * The engine multiplies what is outside, as zeros, which is the same as leaving it out as
 * long as the weights are finite. Where they are not, outputs that see the outside are
 * summed again.
 */

template <class R>
bool
all_finite(const R *weights, int64_t n)
{
    bool finite = true;
    if constexpr (!is_integer<R>::value) {
        for (int64_t i = 0; i < n; i++) finite &= is_finite(weights[i]);
    }
    return finite;
}

/* Output number `i` without the products outside; false where there are none. */
template <class T>
bool
sum_inside(const problem &p, const typename computed<T>::real *const weights[3],
           int64_t i, T *out)
{
    typedef typename computed<T>::real R;
    int64_t first[CUPRIC_MAXDIMS + 2], rest = i;
    R re = 0, im = 0;
    bool inside = true;

    for (int d = p.ndim - 1; d >= 0; d--) {
        first[d] = rest % p.out[d] + p.base[d];
        inside &= first[d] >= 0 && first[d] + p.kernel[d] <= p.in[d];
        rest /= p.out[d];
    }
    if (inside) return false;
    const int64_t n = p.kernel_planes * p.kernel[p.ndim - 2] * p.kernel[p.ndim - 1];
    for (int64_t k = 0; k < n; k++) {
        int64_t at = 0, size = 1, t = k;
        bool there = true;
        for (int d = p.ndim - 1; d >= 0; d--) {
            const int64_t j = first[d] + t % p.kernel[d];
            there &= j >= 0 && j < p.in[d];
            at += j * size;
            size *= p.in[d];
            t /= p.kernel[d];
        }
        if (!there) continue;
        const T x = load((const T *)p.args->in.ptr + at);
        if constexpr (is_complex<T>::value) {
            re += x.re * weights[0][k] + x.im * weights[2][k];
            im += x.re * weights[1][k] + x.im * weights[0][k];
        } else {
            re += (R)x * weights[0][k];
        }
    }
    *out = join<T>(re, im);
    return true;
}

template <class T>
void
leave_out_outside(const problem &p, const typename computed<T>::real *const weights[3])
{
    const int64_t n = p.planes * p.out[p.ndim - 2] * p.out[p.ndim - 1];
    T *out = (T *)p.args->out.ptr;

    parallel(n, 1024, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            T sum;
            if (sum_inside<T>(p, weights, i, &sum)) out[i] = sum;
        }
    });
}

template <class T>
cu_status
convolve(problem &p)
{
    typedef typename computed<T>::real R;
    const int64_t n = p.kernel_planes * p.kernel[p.ndim - 2] * p.kernel[p.ndim - 1];
    const int64_t units = p.planes * p.row_units * p.col_units;
    const int64_t work = p.unit_rows * p.unit_cols * n;
    R *memory = make_weights<T>(p); /* owned */
    const R *const weights[3] = {memory, memory + n, memory + 2 * n};
    bool failed = memory == nullptr;

    if (!failed) {
        parallel(units, work < UNIT_WORK ? UNIT_WORK / (work + 1) : 1,
                 [&](int64_t begin, int64_t end) {
                     scratch<T> s;
                     if (!s.allocate(p)) {
                         __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
                         return;
                     }
                     for (int64_t i = begin; i < end; i++) {
                         run_unit<T>(p, s, unit_at(p, i), weights);
                     }
                 });
    }
    if (!failed && p.args->boundary == CUPRIC_BOUNDARY_NONE &&
        !all_finite(memory, is_complex<T>::value ? 2 * n : n)) {
        leave_out_outside<T>(p, weights);
    }
    free(memory);
    return failed ? cu_fail(CUPRIC_ERR_MEMORY, "out of memory: convolution")
                  : CUPRIC_OK;
}

} // namespace

cu_status
cu_host_convolve(const cu_convolve *args, cu_stream *)
{
    cu_convolve_engine *const engine = CUPRIC_HOST_PICK(cu_convolve_engine);
    problem p;

    for (int d = 0; d < args->out.ndim; d++) {
        if (args->out.shape[d] == 0) return CUPRIC_OK;
    }
    describe(args, p);
    p.engine = engine;
    switch ((int)args->out.dtype) {
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    case TYPE_##NAME:                                                                  \
        return convolve<__VA_ARGS__>(p);
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    }
    return CUPRIC_OK;
}
