/* curand/jumps.hpp: the tables that take generators far ahead. */
#ifndef CUPRIC_HOST_CURAND_JUMPS_HPP
#define CUPRIC_HOST_CURAND_JUMPS_HPP

namespace cupric_host {
#include "jumps.inc"
}

#endif
