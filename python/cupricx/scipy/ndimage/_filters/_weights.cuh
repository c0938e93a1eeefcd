/* _weights.cuh: the weights of a filter, as kernels take them.
 */
#include "_weights.h"

/* The weight k: whether it comes by value is the same for all of a launch. */
template <class W>
__device__ inline W
weight_of(const W *w, const few_weights<W> &few, long long k)
{
    return w ? w[k] : few.w[k];
}
