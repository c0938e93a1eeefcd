/* cupric-build: -ffp-contract=fast */
/* host/convolve_engine.cpp: convolution's inner loops, for any CPU. */
#include "host/convolve_engine.hpp"
