/* host/random_v3.cpp: random numbers, compiled for AVX2. */
#include "host/random_fill.hpp"
