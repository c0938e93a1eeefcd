/* textures.hpp: texture and surface objects. Included where a source has a name that
 * begins with tex or surf.
 *
 * An object is the address of a description in the host's memory, which
 * python/cupric/cuda/_runtime/_host_textures.py makes. Sampling is by the formulas of the
 * CUDA programming guide: coordinates in float32, and the weights of linear filtering
 * rounded to 8 bits of fraction.
 */
#ifndef CUPRIC_HOST_TEXTURES_HPP
#define CUPRIC_HOST_TEXTURES_HPP

#include "cupric/device_types.hpp"

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero,
    cudaBoundaryModeClamp,
    cudaBoundaryModeTrap
};

namespace cupric_host {

enum { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };    /* cudaChannelFormatKind */
enum { WRAP, CLAMP, MIRROR, BORDER };               /* cudaTextureAddressMode */
static constexpr float FARTHEST = (float)(1 << 30); /* more than any extent */

struct texture {
    unsigned char *data;
    long long extent[3];      /* elements along x, y, z; layers are along z */
    long long stride[3];      /* bytes from one element to the next */
    int bits, channels, kind; /* of a channel */
    int mode[3];              /* by axis */
    int is_linear;            /* filtered, not the nearest element */
    int is_float;             /* what is read is made a float in [-1, 1] */
    int is_normalized;        /* coordinates are in [0, 1) */
    int is_srgb;
    float border[4];
};

inline const texture &texture_of(unsigned long long object)
{
    return *(const texture *)object;
}

/* ---- one channel of one element -------------------------------------------------- */

inline const unsigned char *address(const texture &t, const long long *at)
{
    return t.data + at[0] * t.stride[0] + at[1] * t.stride[1] + at[2] * t.stride[2];
}

/* As a register has it: a float's bits, or an integer, extended. */
inline unsigned raw_channel(const texture &t, const unsigned char *p, int c)
{
    p += c * (t.bits / 8);
    if (t.bits == 32) return *(const unsigned *)p;
    if (t.bits == 8) return t.kind == KIND_SIGNED ? (unsigned)(signed char)*p : *p;
    const unsigned short word = *(const unsigned short *)p;
    if (t.kind == KIND_FLOAT)
        return bits<unsigned>((float)cupric::half::from_bits(word));
    return t.kind == KIND_SIGNED ? (unsigned)(short)word : word;
}

inline float linear_of_srgb(float x)
{
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

inline float float_channel(const texture &t, const unsigned char *p, int c)
{
    const unsigned raw = raw_channel(t, p, c);
    if (t.kind == KIND_FLOAT) return bits<float>(raw);
    if (t.kind == KIND_SIGNED) {
        const float x = (float)(int)raw / (float)((1 << (t.bits - 1)) - 1);
        return x < -1.0f ? -1.0f : x;
    }
    const float x = (float)raw / (float)((1 << t.bits) - 1);
    return t.is_srgb && c < 3 ? linear_of_srgb(x) : x;
}

/* ---- where ----------------------------------------------------------------------- */

/* The element that stands for the `i`-th along an axis; -1: the border. */
inline long long place_of(long long i, long long n, int mode)
{
    if (i >= 0 && i < n) return i;
    if (mode == BORDER) return -1;
    if (mode == CLAMP) return i < 0 ? 0 : n - 1;
    const long long period = mode == WRAP ? n : 2 * n;
    i %= period;
    if (i < 0) i += period;
    return i < n ? i : 2 * n - 1 - i;
}

/* A coordinate in elements, where an integer can hold it. */
inline float position(const texture &t, float x, int axis)
{
    if (t.is_normalized) x *= (float)t.extent[axis];
    return x >= FARTHEST ? FARTHEST : x > -FARTHEST ? x : -FARTHEST;
}

/* The channels of an element, which may be the border's. */
inline void read_element(const texture &t, const long long *at, float *out)
{
    const bool is_inside = at[0] >= 0 && at[1] >= 0 && at[2] >= 0;
    const unsigned char *p = is_inside ? address(t, at) : nullptr;
    for (int c = 0; c < t.channels; c++)
        out[c] = p ? float_channel(t, p, c) : t.border[c];
}

/* ---- sampling -------------------------------------------------------------------- */

/* out[c] = the texture at x[0], …, x[ndim - 1], in layer x[2] where ndim < 3. */
inline void sample_nearest(const texture &t, int ndim, const float *x, long long layer,
                           unsigned *out)
{
    long long at[3] = {0, 0, layer};
    bool is_inside = true;

    for (int axis = 0; axis < ndim; axis++) {
        const long long i = (long long)floorf(position(t, x[axis], axis));
        at[axis] = place_of(i, t.extent[axis], t.mode[axis]);
        is_inside = is_inside && at[axis] >= 0;
    }
    const unsigned char *p = is_inside ? address(t, at) : nullptr;
    for (int c = 0; c < t.channels; c++) {
        const bool is_float = t.is_float || t.kind == KIND_FLOAT;
        const float value = !p ? t.border[c] : is_float ? float_channel(t, p, c) : 0.0f;
        out[c] = is_float ? bits<unsigned>(value)
                 : p      ? raw_channel(t, p, c)
                          : (unsigned)(int)value;
    }
}

/* The weighted sum over the 2, 4 or 8 elements around the point, x first. */
inline void sample_linear(const texture &t, int ndim, const float *x, long long layer,
                          unsigned *out)
{
    long long near[3][2] = {{0, 0}, {0, 0}, {layer, layer}};
    float weight[3][2] = {{1.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 0.0f}};
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int axis = 0; axis < ndim; axis++) {
        const float from = position(t, x[axis], axis) - 0.5f;
        const float whole = floorf(from);
        const float second = rintf((from - whole) * 256.0f) / 256.0f;
        for (int k = 0; k < 2; k++) {
            const long long i = (long long)whole + k;
            near[axis][k] = place_of(i, t.extent[axis], t.mode[axis]);
        }
        weight[axis][0] = 1.0f - second;
        weight[axis][1] = second;
    }
    for (int corner = 0; corner < 1 << ndim; corner++) {
        const int k[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        const float w = weight[0][k[0]] * weight[1][k[1]] * weight[2][k[2]];
        const long long at[3] = {near[0][k[0]], near[1][k[1]], near[2][k[2]]};
        float value[4];
        if (w == 0.0f) continue; /* as the element may be an infinity */
        read_element(t, at, value);
        for (int c = 0; c < t.channels; c++) sum[c] += w * value[c];
    }
    for (int c = 0; c < t.channels; c++) out[c] = bits<unsigned>(sum[c]);
}

/* ---- what is returned ------------------------------------------------------------ */

/* T: a number, or one of CUDA's short vectors. */
template <class T>
struct texel {
    typedef T channel;
    static T make(const channel *c) { return c[0]; }
};
#define CUPRIC_TEXELS(T, name)                                                         \
    template <>                                                                        \
    struct texel<name##1> {                                                            \
        typedef T channel;                                                             \
        static name##1 make(const T *c) { return name##1 {c[0]}; }                     \
    };                                                                                 \
    template <>                                                                        \
    struct texel<name##2> {                                                            \
        typedef T channel;                                                             \
        static name##2 make(const T *c) { return name##2 {c[0], c[1]}; }               \
    };                                                                                 \
    template <>                                                                        \
    struct texel<name##4> {                                                            \
        typedef T channel;                                                             \
        static name##4 make(const T *c) { return name##4 {c[0], c[1], c[2], c[3]}; }   \
    };
CUPRIC_TEXELS(signed char, char)
CUPRIC_TEXELS(unsigned char, uchar)
CUPRIC_TEXELS(short, short)
CUPRIC_TEXELS(unsigned short, ushort)
CUPRIC_TEXELS(int, int)
CUPRIC_TEXELS(unsigned int, uint)
CUPRIC_TEXELS(float, float)
#undef CUPRIC_TEXELS

inline void from_register(unsigned r, float *out) { *out = bits<float>(r); }
template <class T>
inline void from_register(unsigned r, T *out)
{
    *out = (T)r;
}

/* Of the channels that there are not, the fourth is 1 and the others 0. */
template <class T>
inline T texel_from(const texture &t, unsigned *r)
{
    const bool is_float = t.is_float || t.kind == KIND_FLOAT;
    typename texel<T>::channel c[4];
    for (int i = t.channels; i < 4; i++) {
        r[i] = i < 3 ? 0u : is_float ? bits<unsigned>(1.0f) : 1u;
    }
    for (int i = 0; i < 4; i++) from_register(r[i], &c[i]);
    return texel<T>::make(c);
}

template <class T>
inline T sample(unsigned long long object, int ndim, const float *x, int layer)
{
    const texture &t = texture_of(object);
    const long long last = t.extent[2] - 1;
    /* A GPU takes the number of a layer as unsigned: -1 is the last one, too. */
    const long long z = ndim == 3 ? 0 : (unsigned)layer < last ? (unsigned)layer : last;
    unsigned r[4];

    if (t.is_linear) {
        sample_linear(t, ndim, x, z, r);
    } else {
        sample_nearest(t, ndim, x, z, r);
    }
    return texel_from<T>(t, r);
}

/* ---- surfaces -------------------------------------------------------------------- */

/* One index along an axis with `n` places; false: there is nothing to do. */
inline bool surface_place(int *i, long long n, cudaSurfaceBoundaryMode mode)
{
    if (*i >= 0 && *i < n) return true;
    if (mode == cudaBoundaryModeZero) return false;
    if (mode == cudaBoundaryModeTrap) {
        trap("CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure",
             "a surface was accessed out of its bounds");
    }
    *i = *i < 0 ? 0 : (int)n - 1;
    return true;
}

/* The address of `nbytes` bytes at x, in bytes, y and z; NULL: out of bounds. */
inline unsigned char *surface_address(unsigned long long object, int nbytes, int x,
                                      int y, int z, cudaSurfaceBoundaryMode mode)
{
    const texture &t = texture_of(object);
    int i = x >= 0 ? x / nbytes : -1;

    if (!surface_place(&i, t.extent[0] * t.stride[0] / nbytes, mode) ||
        !surface_place(&y, t.extent[1], mode) ||
        !surface_place(&z, t.extent[2], mode)) {
        return nullptr;
    }
    return t.data + (long long)i * nbytes + y * t.stride[1] + z * t.stride[2];
}

template <class T>
inline T surface_read(unsigned long long object, int x, int y, int z,
                      cudaSurfaceBoundaryMode mode)
{
    const unsigned char *p = surface_address(object, sizeof(T), x, y, z, mode);
    T value;
    if (p) {
        __builtin_memcpy(&value, p, sizeof value);
    } else {
        __builtin_memset(&value, 0, sizeof value);
    }
    return value;
}

template <class T>
inline void surface_write(const T &value, unsigned long long object, int x, int y,
                          int z, cudaSurfaceBoundaryMode mode)
{
    unsigned char *p = surface_address(object, sizeof(T), x, y, z, mode);
    if (p) __builtin_memcpy(p, &value, sizeof value);
}

} // namespace cupric_host

/* ---- CUDA's names ---------------------------------------------------------------- */

/* Each as `T tex(object, …)` and as `void tex(T *out, object, …)`. */
#define CUPRIC_TEX(name, NDIM, LAYER, PARAMETERS, ...)                                 \
    template <class T>                                                                 \
    static inline T name(cudaTextureObject_t object, CUPRIC_LIST PARAMETERS)           \
    {                                                                                  \
        const float at[] = {__VA_ARGS__};                                              \
        return cupric_host::sample<T>(object, NDIM, at, LAYER);                        \
    }                                                                                  \
    template <class T>                                                                 \
    static inline void name(T *out, cudaTextureObject_t object,                        \
                            CUPRIC_LIST PARAMETERS)                                    \
    {                                                                                  \
        const float at[] = {__VA_ARGS__};                                              \
        *out = cupric_host::sample<T>(object, NDIM, at, LAYER);                        \
    }
#define CUPRIC_LIST(...) __VA_ARGS__
CUPRIC_TEX(tex1D, 1, 0, (float x), x)
CUPRIC_TEX(tex2D, 2, 0, (float x, float y), x, y)
CUPRIC_TEX(tex3D, 3, 0, (float x, float y, float z), x, y, z)
CUPRIC_TEX(tex1DLayered, 1, layer, (float x, int layer), x)
CUPRIC_TEX(tex2DLayered, 2, layer, (float x, float y, int layer), x, y)
#undef CUPRIC_TEX

/* An element of linear memory, 0 outside. */
template <class T>
static inline T tex1Dfetch(cudaTextureObject_t object, int x)
{
    const cupric_host::texture &t = cupric_host::texture_of(object);
    const long long at[3] = {x, 0, 0};
    unsigned r[4] = {0, 0, 0, 0};

    if (x < 0 || x >= t.extent[0]) return T{};
    const unsigned char *p = cupric_host::address(t, at);
    for (int c = 0; c < t.channels; c++) {
        r[c] = t.is_float
                   ? cupric_host::bits<unsigned>(cupric_host::float_channel(t, p, c))
                   : cupric_host::raw_channel(t, p, c);
    }
    return cupric_host::texel_from<T>(t, r);
}
template <class T>
static inline void tex1Dfetch(T *out, cudaTextureObject_t object, int x)
{
    *out = tex1Dfetch<T>(object, x);
}

/* Each as `T read(object, …)`, `void read(T *out, object, …)` and `write(value, …)`. */
#define CUPRIC_SURF(name, PARAMETERS, x, y, z)                                         \
    template <class T>                                                                 \
    static inline T name##read(cudaSurfaceObject_t object, CUPRIC_LIST PARAMETERS,     \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
    {                                                                                  \
        return cupric_host::surface_read<T>(object, x, y, z, mode);                    \
    }                                                                                  \
    template <class T>                                                                 \
    static inline void name##read(T *out, cudaSurfaceObject_t object,                  \
                                  CUPRIC_LIST PARAMETERS,                              \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                  \
        *out = cupric_host::surface_read<T>(object, x, y, z, mode);                    \
    }                                                                                  \
    template <class T>                                                                 \
    static inline void name##write(                                                    \
        T value, cudaSurfaceObject_t object, CUPRIC_LIST PARAMETERS,                   \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                           \
    {                                                                                  \
        cupric_host::surface_write(value, object, x, y, z, mode);                      \
    }
CUPRIC_SURF(surf1D, (int x), x, 0, 0)
CUPRIC_SURF(surf2D, (int x, int y), x, y, 0)
CUPRIC_SURF(surf3D, (int x, int y, int z), x, y, z)
CUPRIC_SURF(surf1DLayered, (int x, int layer), x, 0, layer)
CUPRIC_SURF(surf2DLayered, (int x, int y, int layer), x, y, layer)
#undef CUPRIC_SURF
#undef CUPRIC_LIST

#endif
