/* special.hpp: the functions of CUDA's mathematical library that the package has with tables
 * of its own: cuda/include/cupric/math is the one library of mathematics. Included where a
 * source names one of them, as the tables take a compiler longer than most kernels.
 */
#ifndef CUPRIC_HOST_SPECIAL_HPP
#define CUPRIC_HOST_SPECIAL_HPP

/* The order counts. */
/* clang-format off */
#include "cupric/host_view_begin.hpp"
#include "cupric/math/bessel.hpp"
#include "cupric/math/erf_inverses.hpp"
#include "cupric/host_view_end.hpp"
/* clang-format on */

/* The C library's is further from the result, so that this stands for it. */
extern "C" inline double cbrt(double x) noexcept { return cupric::elementary::cbrt(x); }
extern "C" inline float cbrtf(float x) noexcept { return cupric::elementary::cbrt(x); }

namespace cupric_math {

/* In float by way of double, which is rounded once. */
#define X(name, function)                                                              \
    inline double name(double x) { return cupric::elementary::function(x); }           \
    inline float name##f(float x) { return (float)name((double)x); }                   \
    template <class T>                                                                 \
    inline typename cupric_host::if_float<T, float>::type name(T x)                    \
    {                                                                                  \
        return name##f(x);                                                             \
    }
X(erfinv, erfinv)
X(erfcinv, erfcinv)
X(erfcx, erfcx)
X(normcdf, ndtr)
X(normcdfinv, ndtri)
X(cyl_bessel_i0, i0)
X(cyl_bessel_i1, i1)
#undef X

} // namespace cupric_math

#endif
