/* host/shipped.h: kernels that come compiled with a package. */
#ifndef CUPRIC_HOST_SHIPPED_H
#define CUPRIC_HOST_SHIPPED_H

#include <stdbool.h>
#include <stdint.h>

#include "../../cuda/host/abi.h"

void cu_shipped_init(void); /* once, before the rest */

/* The kernel of a key, from the library in `folder`: static. Any thread. */
bool cu_shipped_find(const char *folder, const uint64_t key[2],
                     const cupric_module_info **unit, const cupric_entry **entry);

#endif
