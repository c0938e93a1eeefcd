/* _blocks.cuh: matrices beside each other.
 */
#include "_blocks.h"

/* The elements of a block go to their rows of a wider matrix. rows: of its elements;
 * starts[r]: where its part of row r begins there. Launch: elements(s.nnz). */
template <class I, class T>
__global__ void
place_elements(const I *indptr, const I *rows, const I *indices, const T *data,
               const I *starts, I *to_indices, T *to_data, block_sizes s)
{
    CUPRIC_EACH (e, s.nnz) {
        const I row = rows[e], at = starts[row] + ((I)e - indptr[row]);
        to_indices[at] = indices[e] + (I)s.column;
        to_data[at] = data[e];
    }
}
