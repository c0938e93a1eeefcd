/* kernels/reduce_dense_rows.hpp: see reduce_dense.hpp. */
#ifndef CUPRIC_KERNELS_REDUCE_DENSE_ROWS_HPP
#define CUPRIC_KERNELS_REDUCE_DENSE_ROWS_HPP

#include "cupric/kernels/reduce_dense.hpp"

CUPRIC_BEGIN

/* ---- rows ---------------------------------------------------------------------------- */

/* Vectors v, v + lanes, …, U of them; `first` is the index of vector 0's first element. */
template <class Op, class I, int P, int U>
__device__ inline typename Op::S
vectors_of_row(const elements<typename Op::SA, P> *vectors, I v, I lanes, I first,
               const typename Op::B b, const typename Op::N param)
{
    typedef elements<typename Op::SA, P> E;
    E x[U];
    typename Op::S s[U * P];
#pragma unroll
    for (int u = 0; u < U; u++) x[u] = vectors[v + u * lanes];
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            s[u * P + k] = Op::map(as_input<Op>(x[u].at[k]), b, param,
                                   (I)(first + (v + u * lanes) * P + k));
        }
    }
    fold_in_order<Op>(s);
    return s[0];
}

/* Vectors v, v + lanes, … below end, U of them from every v, v + stride, … */
template <class Op, class I, int P, int U>
__device__ inline partial<Op>
run_of_row(const elements<typename Op::SA, P> *vectors, I v, I end, I lanes, I stride,
           I first, const typename Op::B b, const typename Op::N param)
{
    typedef elements<typename Op::SA, P> E;
    typedef typename Op::S S;
    const I whole = (I)(U - 1) * lanes;
    partial<Op> acc;
    acc.n = 0;
    while (end - v > whole) {
        S s = vectors_of_row<Op, I, P, U>(vectors, v, lanes, first, b, param);
        v += stride;
        for (int k = 1; k < inner_length && end - v > whole; k++) {
            s = Op::append(
                s, vectors_of_row<Op, I, P, U>(vectors, v, lanes, first, b, param));
            v += stride;
        }
        append_to<Op>(acc, s);
    }
    if (U > 1 && v < end) {
        E x[U - 1];
#pragma unroll
        for (int u = 0; u < U - 1; u++) {
            if (v + u * lanes < end) x[u] = vectors[v + u * lanes];
        }
#pragma unroll
        for (int u = 0; u < U - 1; u++) {
            S s[P];
            if (v + u * lanes >= end) continue;
#pragma unroll
            for (int k = 0; k < P; k++) {
                s[k] = Op::map(as_input<Op>(x[u].at[k]), b, param,
                               (I)(first + (v + u * lanes) * P + k));
            }
            fold_in_order<Op>(s);
            append_to<Op>(acc, s[0]);
        }
    }
    return acc;
}

template <class Op, class I>
__device__ inline void
run_of_singles(partial<Op> &acc, const char *row, I begin, I end, I lane, I lanes,
               const typename Op::B b, const typename Op::N param)
{
    for (I j = begin + lane; j < end; j += lanes) {
        partial<Op> x;
        x.n = 1;
        x.s = Op::map(input<Op>(row + j * (I)sizeof(typename Op::SA)), b, param, j);
        accumulate<Op>(acc, x);
    }
}

template <class Op, class I, int NK>
__device__ inline void
reduce_dense_rows(const dense_reduce_params<NK> &p)
{
    typedef typename Op::SA SA;
    constexpr int size = sizeof(SA), P = 16 / size, U = 4;
    const int lanes = (int)p.lanes, lane = threadIdx.x & (lanes - 1);
    const int log_lanes = __ffs(lanes) - 1;
    const I result = (I)(blockIdx.x * (long long)(blockDim.x >> log_lanes) +
                         (threadIdx.x >> log_lanes));
    const bool there = result < (I)p.kept.size;
    const typename Op::N param = (typename Op::N)p.param;
    partial<Op> acc;
    acc.n = 0;
    if (there) {
        I at[2];
        locate<I>(p.kept, result, at);
        const char *const row = address(p.op[0]) + at[0];
        const typename Op::B b = origin<Op>(row);
        const I n = (I)p.n;
        I head = (I)((16 - (unsigned int)(unsigned long long)row % 16) % 16 / size);
        if (head > n) head = n;
        const I vectors = (n - head) / P, tile = (I)(U * lanes);
        acc = run_of_row<Op, I, P, U>(
            (const elements<SA, P> *)(row + (long long)head * size),
            (I)blockIdx.y * tile + (I)lane, vectors, (I)lanes, (I)p.parts * tile, head,
            b, param);
        if (blockIdx.y == 0) {
            run_of_singles(acc, row, (I)0, head, (I)lane, (I)lanes, b, param);
        }
        if (blockIdx.y + 1 == p.parts) {
            run_of_singles(acc, row, (I)(head + vectors * P), n, (I)lane, (I)lanes, b,
                           param);
        }
    }
    acc = combine_lanes(acc, lanes);
    if (lanes == blockDim.x)
        finish_result<Op>(p, acc, result);
    else if (there && lane == 0)
        emit<Op>(p, acc, result);
}

/* ---- narrow rows --------------------------------------------------------------------- */

/* Rows of M elements, of which a vector has a whole number: none passes through shared
 * memory. Results follow each other. */
template <class Op, class I, int P, int M, int NK>
__device__ inline void
rows_of_vectors(const dense_reduce_params<NK> &p)
{
    typedef typename Op::OUT OUT;
    typedef elements<typename Op::SA, P> E;
    constexpr int R = P / M, U = CUPRIC_REDUCE_NARROW_VECTORS;
    const E *const vectors = (const E *)address(p.op[0]);
    elements<OUT, R> *const out = (elements<OUT, R> *)address(p.op[1]);
    const I whole = (I)(p.kept.size / R);
    const I first = (I)(blockIdx.x * (long long)(U * blockDim.x) + threadIdx.x);
    E x[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (first + u * (I)blockDim.x < whole)
            x[u] = vectors[first + u * (I)blockDim.x];
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        elements<OUT, R> y;
        if (first + u * (I)blockDim.x >= whole) continue;
#pragma unroll
        for (int r = 0; r < R; r++) {
            partial<Op> acc;
            typename Op::S s[M];
            typename Op::B b = typename Op::B();
            if constexpr (Op::is_moments)
                b = finite_or_zero(as_input<Op>(x[u].at[r * M]));
#pragma unroll
            for (int k = 0; k < M; k++) {
                s[k] = Op::map(as_input<Op>(x[u].at[r * M + k]), b,
                               (typename Op::N)p.param, (I)k);
            }
            fold_in_order<Op>(s);
            acc.s = s[0];
            acc.n = 1;
            y.at[r] = result_of<Op>(p, acc);
        }
        out[first + u * (I)blockDim.x] = y;
    }
}

/* All elements of a block's rows, from global to shared memory. */
template <class SA, class TILE>
__device__ inline void
load_rows(const char *from, int all, long long aligned, TILE &tile)
{
    typedef elements<SA, 1> single;
    constexpr int size = sizeof(SA), P = 16 / size, U = 4;
    int done = 0;
    if (aligned) {
        typedef elements<SA, P> E;
        const int vectors = all / P;
        for (int v = threadIdx.x; v < vectors; v += U * blockDim.x) {
            E x[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * blockDim.x < vectors)
                    x[u] = ((const E *)from)[v + u * blockDim.x];
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int i = (v + u * blockDim.x) * P;
                if (i >= vectors * P) continue;
#pragma unroll
                for (int k = 0; k < P; k++) {
                    tile.at[bank_padded<size>(i + k)].at[0] = x[u].at[k];
                }
            }
        }
        done = vectors * P;
    }
#pragma unroll 4
    for (int i = done + threadIdx.x; i < all; i += blockDim.x) {
        tile.at[bank_padded<size>(i)] = ((const single *)from)[i];
    }
}

template <class Op, class I, int NK>
__device__ inline void
reduce_dense_narrow(const dense_reduce_params<NK> &p)
{
    typedef typename Op::SA SA;
    if constexpr (sizeof(SA) == 4 || sizeof(SA) == 8) {
        constexpr int whole = 16 / sizeof(SA);
        if (p.fold == 2) return rows_of_vectors<Op, I, whole, 2>(p);
        if constexpr (whole == 4) {
            if (p.fold == 4) return rows_of_vectors<Op, I, whole, 4>(p);
        }
    }
    constexpr int size = sizeof(SA), most = CUPRIC_REDUCE_NARROW / size;
    __shared__ uninitialized<elements<SA, 1>, most + most / 8> tile;
    const int n = (int)p.n, lanes = (int)p.lanes;
    const long long first = blockIdx.x * p.ways;
    const long long left = p.kept.size - first;
    const int rows = (int)(left < p.ways ? left : p.ways);
    const typename Op::N param = (typename Op::N)p.param;
    load_rows<SA>(address(p.op[0]) + first * n * size, rows * n, p.aligned, tile);
    __syncthreads();
    const int groups = blockDim.x / lanes, lane = threadIdx.x & (lanes - 1);
    for (int turn = 0; turn < rows; turn += groups) {
        const int r = turn + threadIdx.x / lanes;
        partial<Op> acc;
        acc.n = 0;
        if (r < rows) {
            const typename Op::B b =
                origin<Op>((const char *)&tile.at[bank_padded<size>(r * n)]);
            const auto mapped = [&](int j) {
                return Op::map(
                    input<Op>((const char *)&tile.at[bank_padded<size>(r * n + j)]), b,
                    param, (I)j);
            };
            int j = lane;
            for (; j + 3 * lanes < n; j += 4 * lanes) {
                typename Op::S s[4];
#pragma unroll
                for (int u = 0; u < 4; u++) s[u] = mapped(j + u * lanes);
                fold_in_order<Op>(s);
                append_to<Op>(acc, s[0]);
            }
            for (; j < n; j += lanes) append_to<Op>(acc, mapped(j));
        }
        for (int by = lanes / 2; by > 0; by /= 2) {
            accumulate<Op>(acc, shuffle_down(acc, by));
        }
        if (r < rows && lane == 0) emit<Op>(p, acc, (I)(first + r));
    }
}

CUPRIC_END

#endif
