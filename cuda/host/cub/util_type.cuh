/* cub/util_type.cuh: part of collective.hpp here. */
#include "collective.hpp"
