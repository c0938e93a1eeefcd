/* The errors of the float32 functions on a GPU, in units in the last place, against the
 * toolkit's functions of double: `python -m tools.accuracy --cuda` compiles this.
 *
 * worst[0] = the largest error, as the bits of a float, above the argument's bits;
 * worst[1] = how many results are wrong otherwise: an infinity, a NaN, the sign of a zero;
 * worst[2] = one of their arguments; worst[3] to [5] = the same of the toolkit's functions
 * of float. */
#include "cupric/math/special.hpp"

/* clang-format off */
#define FUNCTIONS(DO)                                                                  \
    DO(exp) DO(exp2) DO(expm1) DO(log) DO(log2) DO(log10) DO(log1p) DO(sin) DO(cos)    \
    DO(tan) DO(sinh) DO(cosh) DO(tanh) DO(asin) DO(acos) DO(atan) DO(asinh)            \
    DO(acosh) DO(atanh) DO(cbrt) DO(erf) DO(erfc) DO(ndtr) DO(logit)      \
    DO(gamma) DO(gammaln) DO(sinc) DO(i0)

/* clang-format on */
#define PAIRS(DO) DO(pow) DO(atan2) DO(hypot) DO(logaddexp) DO(logaddexp2)

typedef unsigned long long word;

/* The toolkit's functions, of float or of double. */
namespace toolkit {

template <class T>
__device__ T
sinc(T x)
{
    return x == 0 ? T(1) : x - x != 0 ? x - x : ::sinpi(x) / (T(3.141592653589793) * x);
}

template <class T>
__device__ T
i0(T x)
{
    return ::cyl_bessel_i0(x);
}

template <class T>
__device__ T
ndtr(T x)
{
    return ::normcdf(x);
}

template <class T>
__device__ T
logit(T x)
{
    return ::log(x) - ::log1p(-x);
}

template <class T>
__device__ T
gamma(T x)
{
    return ::tgamma(x);
}

template <class T>
__device__ T
gammaln(T x)
{
    return x - x == 0 ? ::lgamma(x) : x;
}

template <class T>
__device__ T
logaddexp(T x, T y)
{
    return x == y ? x + T(0.6931471805599453)
                  : ::fmax(x, y) + ::log1p(::exp(-::fabs(x - y)));
}

template <class T>
__device__ T
logaddexp2(T x, T y)
{
    return x == y
               ? x + T(1)
               : ::fmax(x, y) + ::log1p(::exp2(-::fabs(x - y))) / T(0.6931471805599453);
}

#define OF_TOOLKIT(name)                                                               \
    template <class T, class... U>                                                     \
    __device__ T name(T x, U... y)                                                     \
    {                                                                                  \
        return ::name(x, y...);                                                        \
    }
OF_TOOLKIT(exp)
OF_TOOLKIT(exp2)
OF_TOOLKIT(expm1)
OF_TOOLKIT(log)
OF_TOOLKIT(log2)
OF_TOOLKIT(log10)
OF_TOOLKIT(log1p)
OF_TOOLKIT(sin)
OF_TOOLKIT(cos)
OF_TOOLKIT(tan)
OF_TOOLKIT(sinh)
OF_TOOLKIT(cosh)
OF_TOOLKIT(tanh)
OF_TOOLKIT(asin)
OF_TOOLKIT(acos)
OF_TOOLKIT(atan)
OF_TOOLKIT(asinh)
OF_TOOLKIT(acosh)
OF_TOOLKIT(atanh)
OF_TOOLKIT(cbrt)
OF_TOOLKIT(erf)
OF_TOOLKIT(erfc)
OF_TOOLKIT(pow)
OF_TOOLKIT(atan2)
OF_TOOLKIT(hypot)

} // namespace toolkit

/* The error of `got` in units of `exact`'s last place in float32, of no less than `size`;
 * negative where it is wrong. */
__device__ float
error_of(float got, double exact, double size)
{
    const double limit = 3.4028235677973366e38; /* halfway from the largest to 2^128 */

    if (exact != exact || got != got) return exact != exact && got != got ? 0 : -1;
    if (::fabs(exact) >= limit || got - got != 0) {
        const bool infinite = got - got != 0 && ::signbit(got) == ::signbit(exact);
        return infinite && ::fabs(exact) >= 3.4028234663852886e38 ? 0 : -1;
    }
    if (got == 0 && ::signbit(got) != ::signbit(exact)) return -1;
    size = ::fmax(::fabs(exact), size);
    const int e = size < 1.1754943508222875e-38 ? -126 : ::ilogb(size);
    return (float)::ldexp(::fabs(got - exact), 23 - e);
}

__device__ void
keep(word *worst, float error, word which)
{
    if (error < 0) {
        atomicAdd(&worst[1], 1ull);
        worst[2] = which;
    } else if (__float_as_uint(error) > (unsigned)(*(volatile word *)worst >> 32)) {
        atomicMax(worst, (word)__float_as_uint(error) << 32 | (which & 0xffffffffull));
    }
}

#define OF_ONE(name)                                                                   \
    extern "C" __global__ void worst_##name(word *worst, word count)                   \
    {                                                                                  \
        for (word i = blockIdx.x * (word)blockDim.x + threadIdx.x; i < count;          \
             i += (word)gridDim.x * blockDim.x) {                                      \
            const float x = __uint_as_float((unsigned)i);                              \
            const double exact = toolkit::name((double)x);                             \
            keep(worst, error_of(cupric::elementary::name(x), exact, 0), i);           \
            keep(worst + 3, error_of(toolkit::name(x), exact, 0), i);                  \
        }                                                                              \
    }

FUNCTIONS(OF_ONE)

/* A number of any exponent or, as often, of one near 0, from well mixed bits. */
__device__ float
drawn(unsigned bits, bool any)
{
    if (any) return __uint_as_float(bits);
    return __uint_as_float((bits & 0x807fffffu) | ((bits >> 23 & 15) + 119) << 23);
}

__device__ word
mixed(word x) /* Steele and others, "Fast splittable pseudorandom number generators" */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* What a sum of logarithms adds to the larger one counts, too: it may cancel. */
__device__ double
size_of(double x, double y, double exact)
{
    return ::fabs(exact - ::fmax(x, y));
}

#define OF_TWO(name)                                                                   \
    extern "C" __global__ void worst_##name(word *worst, word count)                   \
    {                                                                                  \
        constexpr bool sums = #name[0] == 'l';                                         \
        for (word i = blockIdx.x * (word)blockDim.x + threadIdx.x; i < count;          \
             i += (word)gridDim.x * blockDim.x) {                                      \
            const word bits = mixed((i + 1) * 0x9e3779b97f4a7c15ull);                  \
            const float x = drawn((unsigned)bits, i & 1);                              \
            const float y = drawn((unsigned)(bits >> 32), i & 2);                      \
            const double exact = toolkit::name((double)x, (double)y);                  \
            const double size = sums ? size_of(x, y, exact) : 0;                       \
            keep(worst, error_of(cupric::elementary::name(x, y), exact, size), i);     \
            keep(worst + 3, error_of(toolkit::name(x, y), exact, size), i);            \
        }                                                                              \
    }

PAIRS(OF_TWO)
