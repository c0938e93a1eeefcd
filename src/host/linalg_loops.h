/* host/linalg_loops.h: see linalg_loops.cpp. */
#ifndef CUPRIC_HOST_LINALG_LOOPS_H
#define CUPRIC_HOST_LINALG_LOOPS_H

#include "device/backend.h"

/* Whether NumPy's loops computed the results, of matrices in C order, all of them. False
 * where there are none for that, or where a matrix failed: numpy.linalg says why. */
bool cu_linalg_by_loops(const cu_linalg *args);

#endif
