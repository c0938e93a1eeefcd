/* kernels/reduce_dense.hpp: reductions of one input whose elements are neighbours in
 * memory. For Op, scratch and parts see kernels/reduce.hpp.
 *
 *   reduce_dense_rows     reduced elements are neighbours: `lanes` threads, a power of two
 *                         up to the block's size, for each result. They read vectors of 16
 *                         bytes; what precedes the first whole vector of a row, and
 *                         after the last one, is read element by element.
 *   reduce_dense_narrow   short rows that follow each other: a block loads `rows` of them
 *                         to shared memory, at most 16 KiB, whatever their length; then
 *                         `lanes` threads, a power of two up to 32, make each result.
 *                         With `fold`, rows of that many elements whose vectors are whole
 *                         stay in registers, two vectors to a thread.
 *   reduce_dense_columns  kept elements are neighbours: `lanes` threads side by side, each
 *                         with P columns, and `ways` such rows of threads in a block.
 *
 * In the last, narrow matrices that have no gaps are seen as wider ones of whole vectors:
 *
 *      a b c | a b c | a b c | a b c | a b        width 3, vectors of 4, 14 elements:
 *      \_______________________________/ rest     one row of `wide` 12, then a tail of 2
 *
 * A thread's columns stay what they are from row to row, and those of a block are joined
 * at the end, `fold` of them.
 *
 *   reduce_dense_few      columns of few elements: a thread makes U vectors of results, that
 *                         lie `fold` (then a vector is stored at once) or not one after
 *                         the other.
 *
 * The first two are in reduce_dense_rows.hpp, the others in reduce_dense_columns.hpp.
 *
 * Launch: x over results, tiles of results; y over parts of the reduced vectors (rows) or
 * rows (columns). At most 512 threads; 256 for narrow rows and columns of few elements.
 */
#ifndef CUPRIC_KERNELS_REDUCE_DENSE_HPP
#define CUPRIC_KERNELS_REDUCE_DENSE_HPP

#include "cupric/kernels/dense.hpp"

CUPRIC_BEGIN

template <int NK>
struct dense_reduce_params : cu_dense_reduce_head {
    space<2, NK> kept;
};

/* Sums of sums: rounding errors grow with the length of neither. */
enum { inner_length = 32 };

CUPRIC_END

#endif
