/* host/reduce_fast.cpp: the vector kernels for every machine. */
#define CUPRIC_FAST_TABLE cu_fast_base
#define CUPRIC_FAST_NAMESPACE fast_base
#include "host/reduce_fast.hpp"
