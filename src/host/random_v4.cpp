/* cupric-build: -mprefer-vector-width=512 */
/* host/random_v4.cpp: random numbers, compiled for AVX-512. */
#include "host/random_fill.hpp"
