/* host/matmul.cpp: matrix products.
 *
 * float32, float64 and complex go to NumPy's BLAS as they lie, transposed or not. 16-bit
 * floats are converted to float32 and back, in parts of bounded size. Integers are
 * multiplied here, blocks of them packed in 32 or 64 bits, where arithmetic wraps as it
 * has to; so is bool, as the number of true products, which is compared with zero.
 * Matrices by vectors are in matmul_vector.cpp.
 */
#include <stdlib.h>
#include <string.h>
#include <utility>

#include "cupric/types.hpp"
#include "device/axes.h"
#include "host/entries.h"
#include "host/matmul_engine.h"
#include "host/matmul_stack.hpp"
#include "host/matmul_vector.h"
#include "host/numpy.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

/* ---- 16-bit floats ------------------------------------------------------------------ */

/* float32 elements of the result held at once: 64 MiB. */
constexpr int64_t PART = 1 << 24;

cu_status
convert_view(const cu_view &from, const cu_view &to, cu_stream *s)
{
    cu_iter *it = (cu_iter *)calloc(1, sizeof *it); /* owned: too large for a stack */
    cu_status st;

    if (it == nullptr) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: matmul");
    cu_iter_of_views(it, &from, &to);
    st = it->size ? cu_host_convert(it, s) : CUPRIC_OK;
    free(it);
    return st;
}

/* A matrix in C order in memory that the caller frees. */
cu_status
scratch_matrix(int64_t rows, int64_t cols, cu_view *out)
{
    out->dtype = CUPRIC_FLOAT32;
    out->ndim = 2;
    out->shape[0] = rows;
    out->shape[1] = cols;
    out->strides[0] = cols * 4;
    out->strides[1] = 4;
    out->ptr = (char *)malloc((size_t)(rows * cols) * 4 + 1);
    return out->ptr ? CUPRIC_OK : cu_fail(CUPRIC_ERR_MEMORY, "out of memory: matmul");
}

/* Rows [first, first + rows) of one matrix of a batch. */
cu_view
part_of(const cu_view &v, char *matrix, int64_t first, int64_t rows)
{
    cu_view part = {};

    part.dtype = v.dtype;
    part.ndim = 2;
    part.shape[0] = rows;
    part.shape[1] = v.shape[v.ndim - 1];
    part.strides[0] = v.strides[v.ndim - 2];
    part.strides[1] = v.strides[v.ndim - 1];
    part.ptr = matrix + first * part.strides[0];
    return part;
}

/* The scratch of a product: the parts of a and c at hand, and all of b's matrix. */
struct float_parts {
    cu_view a = {}, b = {}, c = {}; /* owned memory */
    ~float_parts()
    {
        free(a.ptr);
        free(b.ptr);
        free(c.ptr);
    }
};

cu_status
multiply_part(const cu_matmul *args, float_parts &f, int64_t index, int64_t first,
              int64_t rows, cu_stream *s)
{
    cu_status st;

    f.a.shape[0] = f.c.shape[0] = rows;
    st = convert_view(part_of(args->a, matrix_of(args->a, args->c, index), first, rows),
                      f.a, s);
    if (st) return st;
    st = cu_numpy_matmul(&f.a, &f.b, &f.c);
    if (st) return st;
    return convert_view(
        f.c, part_of(args->c, matrix_of(args->c, args->c, index), first, rows), s);
}

cu_status
multiply_short_floats(const cu_matmul *args, cu_stream *s)
{
    const int nd = args->c.ndim;
    const int64_t m = args->c.shape[nd - 2], n = args->c.shape[nd - 1];
    const int64_t k = args->a.shape[nd - 1];
    const int64_t rows = smaller(m, cu_host_threshold(PART, 8) / (n > k ? n : k) + 1);
    const char *converted = nullptr; /* b's matrix in scratch */
    float_parts f;
    cu_status st = scratch_matrix(rows, k, &f.a);

    if (!st) st = scratch_matrix(k, n, &f.b);
    if (!st) st = scratch_matrix(rows, n, &f.c);
    for (int64_t index = 0; !st && index < batch_of(args->c); index++) {
        char *b = matrix_of(args->b, args->c, index);
        if (b != converted) st = convert_view(part_of(args->b, b, 0, k), f.b, s);
        converted = b;
        for (int64_t i = 0; !st && i < m; i += rows) {
            st = multiply_part(args, f, index, i, smaller(rows, m - i), s);
        }
    }
    return st;
}

/* ---- integers ----------------------------------------------------------------------- */

/* A unit of work is a block of c; k is run through in steps whose blocks of b (at most
 * 512 KiB) stay in the second-level cache. */
constexpr int64_t BLOCK_M = 128, BLOCK_N = 512, BLOCK_K = 128;
constexpr int64_t UNIT_WORK = 1 << 17; /* products worth a thread's waking */

/* Copy a block into rows of `ld` elements of the type of computation. */
template <class T, class C>
void
pack(const char *src, int64_t row_stride, int64_t col_stride, int64_t rows,
     int64_t cols, C *out, int64_t ld)
{
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            const T x = load<T>(src + i * row_stride + j * col_stride);
            out[i * ld + j] = (C)x;
        }
    }
}

template <class T, class C>
void
unpack(const C *src, int64_t ld, int64_t rows, int64_t cols, char *out,
       int64_t row_stride, int64_t col_stride)
{
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            const T x =
                is_same<T, bool>::value ? T(src[i * ld + j] != 0) : T(src[i * ld + j]);
            memcpy(out + i * row_stride + j * col_stride, &x, sizeof x);
        }
    }
}

/* ---- two vectors -------------------------------------------------------------------- */

constexpr int64_t BLOCK = 1 << 10; /* bools between two looks at what is known */

bool
is_of_vectors(const cu_matmul *args)
{
    const cu_view &c = args->c;
    return c.ndim == 2 && c.shape[0] == 1 && c.shape[1] == 1;
}

/* The sum of n products, in lanes that become vectors. */
template <class T, class C>
C
sum_of_products(const char *a, int64_t a_stride, const char *b, int64_t b_stride,
                int64_t n)
{
    constexpr int LANES = 64 / sizeof(C);
    C sum[LANES] = {};
    int64_t i = 0;
    if (a_stride == (int64_t)sizeof(T) && b_stride == (int64_t)sizeof(T)) {
        const T *x = (const T *)a, *y = (const T *)b;
        for (; i + LANES <= n; i += LANES) {
            for (int k = 0; k < LANES; k++) {
                sum[k] += (C)load(x + i + k) * (C)load(y + i + k);
            }
        }
    }
    for (; i < n; i++) {
        sum[i % LANES] += (C)load<T>(a + i * a_stride) * (C)load<T>(b + i * b_stride);
    }
    for (int half = LANES / 2; half; half /= 2) {
        for (int k = 0; k < half; k++) sum[k] += sum[k + half];
    }
    return sum[0];
}

template <class T, class C>
void
multiply_vectors(const cu_matmul *args)
{
    constexpr bool ends = is_same<T, bool>::value; /* with the first that is true */
    const int64_t step_a = args->a.strides[1], step_b = args->b.strides[0];
    C total = 0;
    parallel(args->a.shape[1], GRAIN, [&](int64_t begin, int64_t end) {
        for (int64_t n; begin < end; begin += n) {
            n = ends ? smaller(end - begin, BLOCK) : end - begin;
            if (ends && __atomic_load_n(&total, __ATOMIC_RELAXED)) return;
            const C part =
                sum_of_products<T, C>(args->a.ptr + begin * step_a, step_a,
                                      args->b.ptr + begin * step_b, step_b, n);
            __atomic_fetch_add(&total, part, __ATOMIC_RELAXED);
        }
    });
    *(T *)args->c.ptr = ends ? T(total != 0) : T(total);
}

/* ---- integers, in blocks ------------------------------------------------------------ */

struct integer_product {
    const cu_matmul *args;
    cu_matmul_engine *engine;
    int64_t m, n, k, mb, nb, kb; /* sizes, of blocks too */
    int64_t row_blocks, col_blocks;
};

template <class C>
struct packed {
    C *memory, *a, *b, *c; /* memory is owned */
    int64_t lda, ldb;

    explicit packed(const integer_product &p)
    {
        const int64_t rows = p.mb + CU_MATMUL_PADDING_ROWS;
        lda = p.kb;
        ldb = p.nb + CU_MATMUL_PADDING;
        /* All zero at first: slack is read, and must not be what happens to be there. */
        memory = (C *)calloc((size_t)(rows * (lda + ldb) + p.kb * ldb), sizeof(C));
        a = memory;
        b = a + rows * lda;
        c = b + p.kb * ldb;
    }
    ~packed() { free(memory); }
};

template <class T, class C>
void
multiply_unit(const integer_product &p, const packed<C> &s, int64_t unit)
{
    const cu_view &a = p.args->a, &b = p.args->b, &c = p.args->c;
    const int row = c.ndim - 2, col = c.ndim - 1;
    const int64_t j = unit % p.col_blocks * p.nb, rest = unit / p.col_blocks;
    const int64_t i = rest % p.row_blocks * p.mb, index = rest / p.row_blocks;
    const char *from_a = matrix_of(a, c, index) + i * a.strides[row];
    const char *from_b = matrix_of(b, c, index) + j * b.strides[col];
    cu_matmul_block block = {};

    block.a = s.a;
    block.b = s.b;
    block.c = s.c;
    block.lda = s.lda;
    block.ldb = block.ldc = s.ldb;
    block.m = smaller(p.mb, p.m - i);
    block.n = smaller(p.nb, p.n - j);
    block.wide = sizeof(C) == 8;
    for (int64_t l = 0; l < p.k; l += p.kb) {
        block.k = smaller(p.kb, p.k - l);
        block.accumulate = l > 0;
        pack<T>(from_a + l * a.strides[col], a.strides[row], a.strides[col], block.m,
                block.k, s.a, s.lda);
        pack<T>(from_b + l * b.strides[row], b.strides[row], b.strides[col], block.k,
                block.n, s.b, s.ldb);
        p.engine(&block);
    }
    unpack<T>(s.c, s.ldb, block.m, block.n,
              matrix_of(c, c, index) + i * c.strides[row] + j * c.strides[col],
              c.strides[row], c.strides[col]);
}

template <class T>
cu_status
multiply_integers(const cu_matmul *args)
{
    typedef typename wrapping_type<T>::type C;
    cu_matmul_engine *const engine = CUPRIC_HOST_PICK(cu_matmul_engine);
    const int nd = args->c.ndim;
    integer_product p = {};
    bool failed = false;

    if (is_of_vectors(args)) {
        multiply_vectors<T, C>(args);
        return CUPRIC_OK;
    }
    p.args = args;
    p.engine = engine;
    p.m = args->c.shape[nd - 2];
    p.n = args->c.shape[nd - 1];
    p.k = args->a.shape[nd - 1];
    p.mb = smaller(p.m, BLOCK_M);
    p.nb = smaller(p.n, BLOCK_N);
    p.kb = smaller(p.k, BLOCK_K);
    p.row_blocks = (p.m + p.mb - 1) / p.mb;
    p.col_blocks = (p.n + p.nb - 1) / p.nb;
    const int64_t work = p.mb * p.nb * p.k;
    parallel(batch_of(args->c) * p.row_blocks * p.col_blocks,
             work < UNIT_WORK ? UNIT_WORK / work + 1 : 1,
             [&](int64_t begin, int64_t end) {
                 const packed<C> s(p);
                 if (s.memory == nullptr) {
                     __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
                     return;
                 }
                 for (int64_t u = begin; u < end; u++) multiply_unit<T>(p, s, u);
             });
    return failed ? cu_fail(CUPRIC_ERR_MEMORY, "out of memory: matmul") : CUPRIC_OK;
}

/* ---- matrices of a few elements ----------------------------------------------------- */

constexpr int64_t TINY = 4;             /* the most of any length */
constexpr int64_t TINY_GRAIN = 1 << 12; /* matrices worth a thread */

/* `count` products of (m, K) and (K, N) matrices, of which BLAS takes longer to be called
 * than to compute. As it does, sums start at zero. */
template <class T, int K, int N>
inline __attribute__((always_inline)) void
multiply_tiny(stack a, stack b, stack c, int64_t m, int64_t count)
{
    for (; count > 0; count--, a.ptr += a.next, b.ptr += b.next, c.ptr += c.next) {
        T right[K][N];
        for (int k = 0; k < K; k++) {
            for (int j = 0; j < N; j++)
                right[k][j] = load<T>(b.ptr + k * b.row + j * b.col);
        }
        for (int64_t i = 0; i < m; i++) {
            T sum[N] = {};
            for (int k = 0; k < K; k++) {
                const T x = load<T>(a.ptr + i * a.row + k * a.col);
                for (int j = 0; j < N; j++) sum[j] += x * right[k][j];
            }
            for (int j = 0; j < N; j++) *(T *)(c.ptr + i * c.row + j * c.col) = sum[j];
        }
    }
}

/* Products [begin, end) of a stack. */
template <class T, int K, int N>
void
multiply_tiny(const cu_matmul *args, int64_t begin, int64_t end)
{
    const cu_view &shape = args->c;
    const int nd = shape.ndim;
    const int64_t m = shape.shape[nd - 2], length = nd > 2 ? shape.shape[nd - 3] : 1;

    while (begin < end) {
        const int64_t run = smaller(length - begin % length, end - begin);
        stack a = stack_of(args->a, shape, begin);
        stack b = stack_of(args->b, shape, begin);
        stack c = stack_of(args->c, shape, begin);
        if (a.col == sizeof(T) && b.col == sizeof(T) && c.col == sizeof(T)) {
            a.col = b.col = c.col = sizeof(T); /* which makes vectors of rows */
            multiply_tiny<T, K, N>(a, b, c, m, run);
        } else {
            multiply_tiny<T, K, N>(a, b, c, m, run);
        }
        begin += run;
    }
}

typedef void tiny_loop(const cu_matmul *args, int64_t begin, int64_t end);

template <class T>
tiny_loop *
tiny_loop_of(int64_t k, int64_t n)
{
#define ROWS(k)                                                                        \
    {                                                                                  \
        multiply_tiny<T, k, 1>, multiply_tiny<T, k, 2>, multiply_tiny<T, k, 3>,        \
            multiply_tiny<T, k, 4>                                                     \
    }
    static tiny_loop *const loops[TINY][TINY] = {ROWS(1), ROWS(2), ROWS(3), ROWS(4)};
#undef ROWS
    return loops[k - 1][n - 1];
}

/* What multiplies matrices of this size; NULL where BLAS does. */
tiny_loop *
find_tiny_loop(const cu_matmul *args)
{
    const int row = args->c.ndim - 2;
    const int64_t m = args->c.shape[row], n = args->c.shape[row + 1];
    const int64_t k = args->a.shape[row + 1];

    if (m > TINY || n > TINY || k > TINY) return nullptr;
    if (args->c.dtype == CUPRIC_FLOAT32) return tiny_loop_of<float>(k, n);
    return args->c.dtype == CUPRIC_FLOAT64 ? tiny_loop_of<double>(k, n) : nullptr;
}

/* ---- stacks of matrices by one column --------------------------------------------------- */

/* Of a stack of matrices by one column, an axis of the stack along which elements are
 * neighbours, as they are not within matrices; -1 where there is none. */
int
axis_of_neighbours(const cu_matmul *args)
{
    const cu_view &a = args->a, &b = args->b, &c = args->c;
    const int row = c.ndim - 2, column = c.ndim - 1;
    const int64_t size = cu_itemsize(a.dtype);
    int found = -1;

    if (c.shape[column] > 1 || a.strides[row] == size || a.strides[column] == size)
        return -1;
    for (int d = 0; d < row; d++) {
        if (c.shape[d] == 1) continue;
        if (b.strides[d]) return -1;
        if (a.strides[d] == size) found = d;
    }
    return found;
}

/* The same with that axis as the rows'. */
cu_matmul
with_rows_along(const cu_matmul *args, int axis)
{
    cu_matmul r = *args;
    const int row = r.c.ndim - 2;

    for (cu_view *v : {&r.a, &r.c}) {
        std::swap(v->shape[axis], v->shape[row]);
        std::swap(v->strides[axis], v->strides[row]);
    }
    r.b.shape[axis] = r.c.shape[axis];
    r.b.strides[axis] = 0;
    return r;
}

/* ---- floats ------------------------------------------------------------------------- */

/* Products in one matrix up to which BLAS uses one thread; what a call of it costs beside
 * them, and what is worth a thread, counted in products. */
constexpr int64_t SMALL_MATRIX = 1 << 17, CALL_WORK = 1 << 9, THREAD_WORK = 1 << 18;

/* By NumPy's BLAS. Its threads share a large matrix; ours share many small ones. */
cu_status
multiply_floats(const cu_matmul *args)
{
    const cu_view &c = args->c;
    const int batch = c.ndim - 2;
    const int64_t work =
        c.shape[batch] * c.shape[batch + 1] * args->a.shape[batch + 1] + CALL_WORK;
    cu_status status = CUPRIC_OK;
    int axis = 0;

    for (int d = 1; d < batch; d++) {
        if (c.shape[d] > c.shape[axis]) axis = d;
    }
    if (batch < 1 || work > SMALL_MATRIX ||
        batch_of(c) * work < cu_host_threshold(2 * THREAD_WORK, 1))
        return cu_numpy_matmul(&args->a, &args->b, &c);
    parallel(c.shape[axis], THREAD_WORK / work + 1, [&](int64_t begin, int64_t end) {
        cu_matmul part = *args;
        cu_view *const views[] = {&part.a, &part.b, &part.c};
        for (cu_view *v : views) {
            v->ptr += begin * v->strides[axis];
            v->shape[axis] = end - begin;
        }
        const cu_status st = cu_numpy_matmul(&part.a, &part.b, &part.c);
        if (st) __atomic_store_n(&status, st, __ATOMIC_RELAXED);
    });
    return status;
}

} // namespace

cu_status
cu_host_matmul(const cu_matmul *args, cu_stream *s)
{
    const int nd = args->c.ndim;
    const bool empty = args->a.shape[nd - 1] == 0 || batch_of(args->c) == 0 ||
                       args->c.shape[nd - 2] == 0 || args->c.shape[nd - 1] == 0;

    if (args->conjugates) return cu_numpy_vecdot(&args->a, &args->b, &args->c);
    if (empty && args->c.dtype == CUPRIC_BFLOAT16) {
        /* NumPy, which sums nothing to zero, has no bfloat16; the bits of 0 are 0. */
        cu_matmul same = *args;
        same.a.dtype = same.b.dtype = same.c.dtype = CUPRIC_FLOAT16;
        return cu_numpy_matmul(&same.a, &same.b, &same.c);
    }
    if (empty) return cu_numpy_matmul(&args->a, &args->b, &args->c);
    if (tiny_loop *const loop = find_tiny_loop(args)) {
        parallel(batch_of(args->c), TINY_GRAIN,
                 [=](int64_t begin, int64_t end) { loop(args, begin, end); });
        return CUPRIC_OK;
    }
    if (const int axis = axis_of_neighbours(args); axis >= 0) {
        const cu_matmul same = with_rows_along(args, axis);
        return cu_host_matmul(&same, s);
    }
    if (cu_matmul_by_vector(args)) return CUPRIC_OK;
    switch ((int)args->c.dtype) {
    case TYPE_BOOL: return multiply_integers<bool>(args);
    case TYPE_INT8: return multiply_integers<signed char>(args);
    case TYPE_UINT8: return multiply_integers<unsigned char>(args);
    case TYPE_INT16: return multiply_integers<short>(args);
    case TYPE_UINT16: return multiply_integers<unsigned short>(args);
    case TYPE_INT32: return multiply_integers<int>(args);
    case TYPE_UINT32: return multiply_integers<unsigned int>(args);
    case TYPE_INT64: return multiply_integers<long long>(args);
    case TYPE_UINT64: return multiply_integers<unsigned long long>(args);
    case TYPE_FLOAT16:
    case TYPE_BFLOAT16: return multiply_short_floats(args, s);
    default: return multiply_floats(args);
    }
}
