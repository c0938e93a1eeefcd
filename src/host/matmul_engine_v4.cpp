/* host/matmul_engine_v4.cpp: inner loops of integer matrix products, compiled for AVX-512. */
#include "host/matmul_engine.hpp"
