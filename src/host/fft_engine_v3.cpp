/* cupric-build: -ffp-contract=fast */
/* host/fft_engine_v3.cpp: Fourier transforms, compiled for AVX2. */
#include "host/fft_engine.hpp"
