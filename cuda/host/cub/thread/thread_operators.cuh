/* cub/thread/thread_operators.cuh: part of collective.hpp here. */
#include "../collective.hpp"
