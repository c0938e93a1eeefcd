/* cuda/pages.h: who reaches the pages that are mapped. */
#ifndef CUPRIC_CUDA_PAGES_H
#define CUPRIC_CUDA_PAGES_H

#include "status.h"

/* Let the device `peer` read and write all pages of device `ordinal`, those mapped later
 * included. */
cu_status cu_cuda_pages_share(int ordinal, int peer);

#endif
