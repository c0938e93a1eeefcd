//: x = np.zeros(1, dtype="f4")
//: k[1, 1](x)
//: x == 3
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include "device_launch_parameters.h"
#include <cuda.h>
#include <vector_types.h>
#include <vector_functions.h>
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <assert.h>
#include <string.h>
#include <stdlib.h>
extern "C" __global__ void k(float *x) { *x = make_float2(1, 3).y; }
