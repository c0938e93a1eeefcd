/* math_constants.h: CUDA's names for numbers. */
#include "cupy/math_constants.h"
