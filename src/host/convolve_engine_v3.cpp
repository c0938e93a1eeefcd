/* cupric-build: -ffp-contract=fast */
/* host/convolve_engine_v3.cpp: convolution's inner loops, compiled for AVX2. */
#include "host/convolve_engine.hpp"
