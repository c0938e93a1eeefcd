/* cached.hpp: loads and stores that say how they use a GPU's caches. Here they are plain. As in
 * CUDA a function for each type, not a template: programs have their own for others.
 */
#ifndef CUPRIC_HOST_CACHED_HPP
#define CUPRIC_HOST_CACHED_HPP

/* clang-format off */
#define CUPRIC_CACHED_TYPES(X)                                                         \
    X(char) X(signed char) X(unsigned char) X(short) X(unsigned short) X(int)          \
    X(unsigned int) X(long) X(unsigned long) X(long long) X(unsigned long long)        \
    X(float) X(double) X(char2) X(char4) X(uchar2) X(uchar4) X(short2) X(short4)       \
    X(ushort2) X(ushort4) X(int2) X(int4) X(uint2) X(uint4) X(longlong2)               \
    X(ulonglong2) X(float2) X(float4) X(double2)
#define CUPRIC_CACHED(T)                                                               \
    static inline T __ldg(const T *p) { return *p; }                                   \
    static inline T __ldcg(const T *p) { return *p; }                                  \
    static inline T __ldca(const T *p) { return *p; }                                  \
    static inline T __ldcs(const T *p) { return *p; }                                  \
    static inline T __ldlu(const T *p) { return *p; }                                  \
    static inline T __ldcv(const T *p) { return *p; }                                  \
    static inline void __stwb(T *p, T value) { *p = value; }                           \
    static inline void __stcg(T *p, T value) { *p = value; }                           \
    static inline void __stcs(T *p, T value) { *p = value; }                           \
    static inline void __stwt(T *p, T value) { *p = value; }
/* clang-format on */

CUPRIC_CACHED_TYPES(CUPRIC_CACHED)
#undef CUPRIC_CACHED_TYPES
/* CUPRIC_CACHED is for the headers of further types. */

#endif
