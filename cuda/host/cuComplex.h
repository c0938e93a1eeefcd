/* cuComplex.h: CUDA's plain complex numbers. */
#ifndef CUPRIC_HOST_CUCOMPLEX_H
#define CUPRIC_HOST_CUCOMPLEX_H

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define CUPRIC_CUCOMPLEX(T, C, make, s)                                                \
    static inline C make(T r, T i) { return C{r, i}; }                                 \
    static inline T cuCreal##s(C z) { return z.x; }                                    \
    static inline T cuCimag##s(C z) { return z.y; }                                    \
    static inline C cuConj##s(C z) { return C{z.x, -z.y}; }                            \
    static inline C cuCadd##s(C a, C b) { return C{a.x + b.x, a.y + b.y}; }            \
    static inline C cuCsub##s(C a, C b) { return C{a.x - b.x, a.y - b.y}; }            \
    static inline C cuCmul##s(C a, C b)                                                \
    {                                                                                  \
        return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                        \
    }                                                                                  \
    static inline C cuCdiv##s(C a, C b)                                                \
    {                                                                                  \
        const T scale = 1 / (fabs(b.x) + fabs(b.y));                                   \
        const T ar = a.x * scale, ai = a.y * scale, br = b.x * scale,                  \
                bi = b.y * scale;                                                      \
        const T norm = 1 / (br * br + bi * bi);                                        \
        return C{(ar * br + ai * bi) * norm, (ai * br - ar * bi) * norm};              \
    }                                                                                  \
    static inline T cuCabs##s(C z) { return hypot(z.x, z.y); }                         \
    static inline C cuCfma##s(C a, C b, C c) { return cuCadd##s(cuCmul##s(a, b), c); }

CUPRIC_CUCOMPLEX(float, cuFloatComplex, make_cuFloatComplex, f)
CUPRIC_CUCOMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, )
#undef CUPRIC_CUCOMPLEX
static inline cuComplex make_cuComplex(float r, float i) { return cuComplex{r, i}; }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return cuDoubleComplex{z.x, z.y};
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return cuFloatComplex{(float)z.x, (float)z.y};
}

#endif
