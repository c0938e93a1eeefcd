/* host/matmul_engine.cpp: inner loops of integer matrix products, for any CPU. */
#include "host/matmul_engine.hpp"
