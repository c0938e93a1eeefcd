/* cub/util_macro.cuh: part of collective.hpp here. */
#include "collective.hpp"
