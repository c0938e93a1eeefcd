/* curand_poisson.h: what it declares is declared by curand_kernel.h. */
#include "curand_kernel.h"
