/* host/matmul_vector.cpp: matrices by vectors, of integers and of short rows of floats: along
 * rows or down columns, whichever are neighbours, by the loops of matvec.cpp.
 */
#include "host/matmul_vector.h"

#include <string.h>
#include <utility>

#include "host/loops.h"
#include "host/matmul_stack.hpp"
#include "host/matvec.h"
#include "host/parallel.hpp"

namespace {

constexpr int64_t BLAS_ROW =
    128; /* elements, of floats, that BLAS is worth calling for */

/* Products [begin, end) of a stack of rows and columns or, where matrices have several rows,
 * of matrices and columns. */
void
dot_rows(const cu_matmul *args, const cu_dot_loops &loops, int64_t begin, int64_t end)
{
    const cu_view &shape = args->c;
    const int nd = shape.ndim;
    const int64_t m = shape.shape[nd - 2], length = m > 1 ? m : shape.shape[nd - 3];

    for (int64_t run; begin < end; begin += run) {
        const int64_t index = m > 1 ? begin / m : begin, first = begin - index * m;
        const stack a = stack_of(args->a, shape, index);
        const stack b = stack_of(args->b, shape, index);
        const stack c = stack_of(args->c, shape, index);
        cu_dot_rows rows = {a.ptr, b.ptr, c.ptr, a.next, b.next, c.next, 0, 0};
        run = smaller(length - begin % length, end - begin);
        if (m > 1) {
            rows = {a.ptr + first * a.row,
                    b.ptr,
                    c.ptr + first * c.row,
                    a.row,
                    0,
                    c.row,
                    0,
                    0};
        }
        rows.rows = run;
        rows.n = args->a.shape[nd - 1];
        loops.rows(&rows);
    }
}

/* Parts [begin, end) of a stack of matrices whose columns are neighbours, by columns. */
void
dot_columns(const cu_matmul *args, const cu_dot_loops &loops, int64_t begin,
            int64_t end)
{
    const cu_view &shape = args->c;
    const int nd = shape.ndim;
    const int64_t m = shape.shape[nd - 2], parts = (m - 1) / CU_DOT_COLUMN + 1;

    for (; begin < end; begin++) {
        const int64_t index = begin / parts, first = begin % parts * CU_DOT_COLUMN;
        const stack a = stack_of(args->a, shape, index);
        const stack b = stack_of(args->b, shape, index);
        const stack c = stack_of(args->c, shape, index);
        const cu_dot_columns columns = {a.ptr + first * a.row,
                                        b.ptr,
                                        c.ptr + first * c.row,
                                        a.col,
                                        b.row,
                                        c.row,
                                        smaller(m - first, CU_DOT_COLUMN),
                                        args->a.shape[nd - 1]};
        loops.columns(&columns);
    }
}

/* ---- elements that are not neighbours: parts are copied ------------------------------- */

constexpr int64_t SHORT_ROW = 64; /* elements: rows that are copied by columns */
constexpr int64_t PART_BYTES = 1 << 13;

/* `rows` products of rows by a column. */
struct spread {
    stack a, b, c;
    int64_t rows, k, size;
};

/* Where elements are, `next` bytes apart and as they lie, or copied to `part`. */
const char *
gathered(cu_loop *copy, char *from, int64_t next, int64_t size, int64_t n, char *part)
{
    char *const ptr[] = {from, part};
    const int64_t steps[] = {next, size};

    if (next == size) return from;
    copy(ptr, steps, n);
    return part;
}

void
dot_spread_rows(const spread &x, const cu_dot_loops &loops, cu_loop *copy)
{
    alignas(64) char part[2][PART_BYTES];
    uint64_t total[CU_DOT_COLUMN] = {}; /* an element is what comes first in a word */

    for (int64_t l = 0, n; l < x.k; l += n) {
        n = smaller(x.k - l, PART_BYTES / x.size);
        const char *const b =
            gathered(copy, x.b.ptr + l * x.b.row, x.b.row, x.size, n, part[1]);
        if (n == x.k && x.a.col == x.size) {
            const cu_dot_rows all = {x.a.ptr, b,       x.c.ptr, x.a.row,
                                     0,       x.c.row, x.rows,  n};
            loops.rows(&all);
            return;
        }
        for (int64_t i = 0; i < x.rows; i++) {
            uint64_t sum = 0;
            const char *const a = gathered(copy, x.a.ptr + i * x.a.row + l * x.a.col,
                                           x.a.col, x.size, n, part[0]);
            const cu_dot_rows row = {a, b, (char *)&sum, 0, 0, 0, 1, n};
            loops.rows(&row);
            total[i] += sum;
        }
    }
    for (int64_t i = 0; i < x.rows; i++)
        memcpy(x.c.ptr + i * x.c.row, &total[i], x.size);
}

/* Of bool: up to the first two that are both true, which is soon where many are. */
void
any_of_spread_rows(const spread &x)
{
    for (int64_t i = 0; i < x.rows; i++) {
        const char *a = x.a.ptr + i * x.a.row, *b = x.b.ptr;
        int64_t l = 0;
        for (; l < x.k && !(*a && *b); l++) a += x.a.col, b += x.b.row;
        x.c.ptr[i * x.c.row] = l < x.k;
    }
}

/* Of rows up to SHORT_ROW, as many at a time as the cache keeps between two columns. */
void
dot_spread_columns(const spread &x, const cu_dot_loops &loops, cu_loop *copy)
{
    constexpr int64_t ROWS = 64;
    alignas(64) char part[SHORT_ROW * ROWS * sizeof(uint64_t)];

    for (int64_t i = 0, rows; i < x.rows; i += rows) {
        rows = smaller(x.rows - i, ROWS);
        const int64_t column = rows * x.size;
        for (int64_t l = 0; l < x.k; l++) {
            char *const ptr[] = {x.a.ptr + i * x.a.row + l * x.a.col,
                                 part + l * column};
            const int64_t steps[] = {x.a.row, x.size};
            copy(ptr, steps, rows);
        }
        const cu_dot_columns columns = {
            part, x.b.ptr, x.c.ptr + i * x.c.row, column, x.b.row, x.c.row, rows, x.k};
        loops.columns(&columns);
    }
}

/* Parts [begin, end) of a stack, each of CU_DOT_COLUMN rows. */
void
dot_spread(const cu_matmul *args, const cu_dot_loops &loops, int64_t begin, int64_t end)
{
    const cu_view &shape = args->c;
    const int nd = shape.ndim;
    const int64_t m = shape.shape[nd - 2], parts = (m - 1) / CU_DOT_COLUMN + 1;
    const int64_t size = cu_itemsize(shape.dtype);
    cu_loop *const copy = cu_host_copy_loop((int)size);

    for (; begin < end; begin++) {
        const int64_t index = begin / parts, first = begin % parts * CU_DOT_COLUMN;
        spread x = {stack_of(args->a, shape, index), stack_of(args->b, shape, index),
                    stack_of(args->c, shape, index), smaller(m - first, CU_DOT_COLUMN),
                    args->a.shape[nd - 1],           size};
        x.a.ptr += first * x.a.row;
        x.c.ptr += first * x.c.row;
        if (shape.dtype == CUPRIC_BOOL)
            any_of_spread_rows(x);
        else if (x.rows > x.k && x.k <= SHORT_ROW && x.a.col != size)
            dot_spread_columns(x, loops, copy);
        else
            dot_spread_rows(x, loops, copy);
    }
}

/* ---- which way ------------------------------------------------------------------------- */

/* Multiply by a column: integers, which no BLAS multiplies, and floats in rows so short that
 * it takes longer to be called. False for floats that are not neighbours. */
bool
multiply_by_column(const cu_matmul *args, const cu_dot_loops &loops)
{
    const cu_view &a = args->a, &b = args->b, &c = args->c;
    const int row = c.ndim - 2, column = c.ndim - 1;
    const int64_t m = c.shape[row], k = a.shape[column], size = cu_itemsize(c.dtype);

    if (k == 1 || (a.strides[column] == size && b.strides[row] == size)) {
        parallel(batch_of(c) * m, GRAIN / k + 1, [&](int64_t begin, int64_t end) {
            dot_rows(args, loops, begin, end);
        });
        return true;
    }
    if (!loops.columns) return false;
    const int64_t parts = (m - 1) / CU_DOT_COLUMN + 1;
    const bool dense = m > 1 && a.strides[row] == size;
    parallel(batch_of(c) * parts, GRAIN / (m / parts * k) + 1,
             [&](int64_t begin, int64_t end) {
                 (dense ? dot_columns : dot_spread)(args, loops, begin, end);
             });
    return true;
}

cu_view
turned(cu_view v)
{
    std::swap(v.shape[v.ndim - 2], v.shape[v.ndim - 1]);
    std::swap(v.strides[v.ndim - 2], v.strides[v.ndim - 1]);
    return v;
}

} // namespace

bool
cu_matmul_by_vector(const cu_matmul *args)
{
    const cu_view &c = args->c;
    const int row = c.ndim - 2, column = c.ndim - 1;

    if (c.shape[row] > 1 && c.shape[column] > 1) return false;
    const cu_dot_loops loops = cu_host_dot_loops(c.dtype);
    if (c.shape[column] > 1) {
        if (!loops.columns) return false;
        const cu_matmul same = {turned(args->b), turned(args->a), turned(c), false};
        return multiply_by_column(&same, loops);
    }
    if (!loops.rows || (c.shape[row] == 1 && c.ndim == 2)) return false;
    if (!loops.columns && (c.shape[row] > 1 || args->a.shape[column] > BLAS_ROW))
        return false;
    return multiply_by_column(args, loops);
}
