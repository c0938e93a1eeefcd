/* host/reduce_rows_v3.cpp: the maps of reductions for x86-64-v3 (AVX2). */
#define CUPRIC_MAPS_ONLY
#include "host/reduce_rows.cpp"
