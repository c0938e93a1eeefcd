/* host/matmul_stack.hpp: stacks of matrices, for what multiplies them. */
#ifndef CUPRIC_HOST_MATMUL_STACK_HPP
#define CUPRIC_HOST_MATMUL_STACK_HPP

#include "device/backend.h"
#include "host/smaller.hpp"

namespace {

constexpr int64_t GRAIN = 1 << 15; /* products worth a thread */

/* Address of matrix number `index` of the batch that has the leading dimensions of
 * `shape`, in C order; broadcast operands have strides of 0. */
inline char *
matrix_of(const cu_view &v, const cu_view &shape, int64_t index)
{
    char *p = v.ptr;
    for (int d = shape.ndim - 3; d >= 0; d--) {
        p += index % shape.shape[d] * v.strides[d];
        index /= shape.shape[d];
    }
    return p;
}

inline int64_t
batch_of(const cu_view &v)
{
    int64_t batch = 1;
    for (int d = 0; d < v.ndim - 2; d++) batch *= v.shape[d];
    return batch;
}

/* Matrices of a stack: the first one, and bytes between elements and between matrices. */
struct stack {
    char *ptr;
    int64_t row, col, next;
};

inline stack
stack_of(const cu_view &v, const cu_view &shape, int64_t index)
{
    const int nd = shape.ndim;
    return {matrix_of(v, shape, index), v.strides[nd - 2], v.strides[nd - 1],
            nd > 2 ? v.strides[nd - 3] : 0};
}

} // namespace

#endif
