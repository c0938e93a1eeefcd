/* cupy/swap.cuh: thrust::swap, which exchanges two values. */
#ifndef CUPRIC_CUPY_SWAP_CUH
#define CUPRIC_CUPY_SWAP_CUH

namespace thrust {
template <class T>
__host__ __device__ inline void
swap(T &a, T &b)
{
    T first = a;
    a = b;
    b = first;
}
} // namespace thrust

#endif
