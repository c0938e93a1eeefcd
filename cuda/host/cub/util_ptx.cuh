/* cub/util_ptx.cuh: part of collective.hpp here. */
#include "collective.hpp"
