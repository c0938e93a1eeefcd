/* vector_types.h: CUDA's short vectors, dim3 and their make_ functions. */
#ifndef CUPRIC_HOST_VECTOR_TYPES_H
#define CUPRIC_HOST_VECTOR_TYPES_H

#define CUPRIC_VECTORS(T, name, align2, align4)                                        \
    struct name##1 { T x; };                                                           \
    struct alignas(align2) name##2 { T x, y; };                                        \
    struct name##3 { T x, y, z; };                                                     \
    struct alignas(align4) name##4 { T x, y, z, w; };                                  \
    static inline name##1 make_##name##1(T x) { return name##1 {x}; }                  \
    static inline name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }          \
    static inline name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; }  \
    static inline name##4 make_##name##4(T x, T y, T z, T w)                           \
    {                                                                                  \
        return name##4 {x, y, z, w};                                                   \
    }

CUPRIC_VECTORS(signed char, char, 2, 4)
CUPRIC_VECTORS(unsigned char, uchar, 2, 4)
CUPRIC_VECTORS(short, short, 4, 8)
CUPRIC_VECTORS(unsigned short, ushort, 4, 8)
CUPRIC_VECTORS(int, int, 8, 16)
CUPRIC_VECTORS(unsigned int, uint, 8, 16)
CUPRIC_VECTORS(long, long, 16, 16)
CUPRIC_VECTORS(unsigned long, ulong, 16, 16)
CUPRIC_VECTORS(long long, longlong, 16, 16)
CUPRIC_VECTORS(unsigned long long, ulonglong, 16, 16)
CUPRIC_VECTORS(float, float, 8, 16)
CUPRIC_VECTORS(double, double, 16, 16)
#undef CUPRIC_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
