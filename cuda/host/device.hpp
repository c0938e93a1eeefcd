/* device.hpp: what makes CUDA C++ compile as C++ for the host device.
 *
 * The keywords and built-in variables of device code, and the functions every kernel may
 * call without including anything. The file lies before a user's source in the same
 * translation unit, so it stays small: it includes no header of the C or C++ library.
 */
#ifndef CUPRIC_HOST_DEVICE_HPP
#define CUPRIC_HOST_DEVICE_HPP

#include "abi.h"
#include "keywords.hpp"
#include "math.h"
#include "vector_types.h"

#define CUPRIC_HOST 1

typedef decltype(sizeof 0) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
namespace std {
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
} // namespace std
typedef std::nullptr_t nullptr_t;
/* What NVRTC has of the standard library by itself. */
#include <initializer_list>
#if defined(CUPRIC_STANDARD_HEADERS)
#include <ctime>
#include <utility>
#else
typedef long clock_t;
#include "utility.hpp"
#endif
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

namespace cupric_host {

/* Of the module: compiled kernels are loaded side by side and share nothing. The units of
 * one library have theirs in common, as they do inline functions. */
#if defined(CUPRIC_UNIT)
extern __thread cupric_place this_place __attribute__((visibility("hidden")));
extern const cupric_runtime *runtime __attribute__((visibility("hidden")));
#else
static thread_local cupric_place this_place;
static const cupric_runtime *runtime; /* set when the module is loaded */
#endif
/* A thread of the system stays what it is while a kernel runs, so the address is looked
 * up once: the compiler takes calls of a const function out of loops. Left to itself GCC
 * looks a thread-local variable up at every use. */
__attribute__((const, noinline)) static cupric_place *here() { return &this_place; }

template <class To, class From>
inline To bits(From x)
{
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}

inline void *dynamic_shared() { return here()->dynamic_shared; }

/* `extern __shared__ T name[]` outside functions: looked up each time it is used. */
template <class T>
struct shared_array {
    operator T *() const { return (T *)here()->dynamic_shared; }
    template <class U>
    explicit operator U *() const
    {
        return (U *)here()->dynamic_shared;
    }
    template <class I>
    T &operator[](I i) const
    {
        return ((T *)here()->dynamic_shared)[i];
    }
};

inline unsigned thread_rank()
{
    const cupric_place &p = *here();
    return p.thread.x + p.block_dim.x * (p.thread.y + p.block_dim.y * p.thread.z);
}

inline unsigned lane() { return thread_rank() % CUPRIC_WARP_SIZE; }

} // namespace cupric_host

/* The built-in variables are read as in CUDA: `threadIdx.x`, `dim3 b = blockIdx`. */
#define threadIdx (*(const uint3 *)&cupric_host::here()->thread)
#define blockIdx (*(const uint3 *)&cupric_host::here()->block)
#define blockDim (*(const dim3 *)&cupric_host::here()->block_dim)
#define gridDim (*(const dim3 *)&cupric_host::here()->grid_dim)
static constexpr int warpSize = CUPRIC_WARP_SIZE;

/* in this order */
// clang-format off
#include "intrinsics.hpp"
#include "norms.hpp"
#include "rounding.hpp"
#include "atomics.hpp"
#include "warp.hpp"
#include "entries.hpp"
#include "ptx.hpp"
// clang-format on

/* Set last: the headers above are the host's. */
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 800
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

#endif
