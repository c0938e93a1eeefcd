/* host/matmul_engine_v3.cpp: inner loops of integer matrix products, compiled for AVX2. */
#include "host/matmul_engine.hpp"
