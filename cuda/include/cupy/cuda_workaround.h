/* cupy/cuda_workaround.h: the part of the C++ standard library that device code uses, type
 * traits before all, also where a compiler comes without it. */
#include "cupric/standard.hpp"
