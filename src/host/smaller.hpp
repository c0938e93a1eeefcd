/* host/smaller.hpp: the smaller of two sizes. */
#ifndef CUPRIC_HOST_SMALLER_HPP
#define CUPRIC_HOST_SMALLER_HPP

#include <stdint.h>

namespace {

inline int64_t
smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

} // namespace

#endif
