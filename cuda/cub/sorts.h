/* cub/sorts.h: what the sources of the library have of each other; as cu_cub.sort. */
#ifndef CUPRIC_CUB_SORTS_H
#define CUPRIC_CUB_SORTS_H

#include "cub.h"

namespace cupric {

int sort_narrow(const cu_cub_sort &args, size_t *temp_nbytes);  /* 8 and 16 bits */
int sort_wide(const cu_cub_sort &args, size_t *temp_nbytes);    /* 32 and 64 */
int sort_complex(const cu_cub_sort &args, size_t *temp_nbytes); /* of 64 */

/* args.places[0] becomes 0, 1 …; args.order receives args.places[1]. */
int places_begin(const cu_cub_sort &args);
int places_end(const cu_cub_sort &args);

} // namespace cupric

#endif
