/* pack.hpp: what a thread of a GPU reads or writes at once, for the code of kernel
 * libraries. */
#ifndef CUPRIC_PACK_HPP
#define CUPRIC_PACK_HPP

#include "cupric/library.hpp"

namespace cupric {

/* 16 bytes of elements. */
template <class T>
struct alignas(16) pack {
    enum { size = (int)(16 / sizeof(T)) };
    T item[size];
};

template <class T>
__device__ inline bool
is_aligned(const T *data)
{
    return (unsigned long long)data % sizeof(pack<T>) == 0;
}

/* Whether an array lies in C order, from an address that packs may have. */
template <class T, int N>
__device__ inline bool
is_packed(const View<T, N> &x)
{
    long long step = sizeof(T);

    for (int d = N - 1; d >= 0; d--) {
        if (x.shape()[d] != 1 && x.strides()[d] != step) return false;
        step *= x.shape()[d];
    }
    return is_aligned(x.data);
}

} // namespace cupric

#endif
