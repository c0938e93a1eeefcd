/* host/reduce_fast_v3.cpp: the vector kernels for x86-64-v3 (AVX2). */
#define CUPRIC_FAST_TABLE cu_fast_v3
#define CUPRIC_FAST_NAMESPACE fast_v3
#include "host/reduce_fast.hpp"
