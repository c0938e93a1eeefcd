/* cupric-build: -ffp-contract=fast */
/* host/convolve_engine_v4.cpp: convolution's inner loops, compiled for AVX-512. */
#include "host/convolve_engine.hpp"
