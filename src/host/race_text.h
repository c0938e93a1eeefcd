/* host/race_text.h: a race in words. */
#ifndef CUPRIC_HOST_RACE_TEXT_H
#define CUPRIC_HOST_RACE_TEXT_H

#include "host/races.h"
#include "status.h"

/* Fails, with the threads, the variable and the lines. `file` is the kernel's library as a
 * file, or -1; names and lines are read from it by readelf and addr2line, where those are. */
cu_status cu_host_race_fail(const cu_race *race, int file, const char *kernel,
                            const char *block_text, const unsigned block[3]);

#endif
