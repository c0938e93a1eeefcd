/* python.hpp: what Python functions are translated to (cupric/_lib/kernels/_translate): C++ with
 * these names for types, with calls of the operation tables' rows, and with what Python
 * has and C++ lacks.
 */
#ifndef CUPRIC_PYTHON_HPP
#define CUPRIC_PYTHON_HPP

/* The order counts. */
/* clang-format off */
#include "cupric/kernel_types.hpp"
#include "cupric/host_view_begin.hpp"
/* clang-format on */
#if defined(CUPRIC_REAL_ONLY)
#include "cupric/math/real.hpp"
#else
#include "cupric/math.hpp"
#endif

#include "cupric/host_view_end.hpp"

namespace cupric {
namespace python {

typedef type_of_letter<'b'>::type int8;
typedef type_of_letter<'B'>::type uint8;
typedef type_of_letter<'h'>::type int16;
typedef type_of_letter<'H'>::type uint16;
typedef type_of_letter<'i'>::type int32;
typedef type_of_letter<'I'>::type uint32;
typedef type_of_letter<'l'>::type int64;
typedef type_of_letter<'L'>::type uint64;
typedef type_of_letter<'e'>::type float16;
typedef type_of_letter<'E'>::type bfloat16;
typedef type_of_letter<'f'>::type float32;
typedef type_of_letter<'d'>::type float64;
typedef type_of_letter<'F'>::type complex64;
typedef type_of_letter<'D'>::type complex128;

/* range(start, stop, step): `left` values are still to come, the next one is `at`. Where
 * the step is 0, which Python refuses, there are none. */
struct range {
    int64 at;
    uint64 left;
    int64 step;

    __device__ range(int64 start, int64 stop, int64 by) : at(start), left(0), step(by)
    {
        const uint64 width =
            by > 0 ? uint64(stop) - uint64(start) : uint64(start) - uint64(stop);
        const uint64 stride = by > 0 ? uint64(by) : uint64(0) - uint64(by);
        if (by != 0 && (by > 0 ? start < stop : stop < start))
            left = (width - 1) / stride + 1;
    }
    __device__ void next()
    {
        at = int64(uint64(at) + uint64(step));
        left--;
    }
};

} // namespace python
} // namespace cupric

#endif
