/* cupric-build: -ffp-contract=fast */
/* host/fft_engine.cpp: Fourier transforms, for any CPU. */
#include "host/fft_engine.hpp"
