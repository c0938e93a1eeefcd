/* env.h: the switches that a user sets in the environment. They are read here only. */
#ifndef CUPRIC_ENV_H
#define CUPRIC_ENV_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* Every switch, with what it means: the table of the docs is made from this one.
 *
 *   CUPRIC_DEVICE        host or cuda: what device numbers mean. Default: cuda where a
 *                        driver and a device are there, otherwise host
 *   CUPRIC_HOST_DEVICES  how many devices the host appears as. Default 1
 *   CUPRIC_NUM_THREADS   the most threads that the host device uses. Default: all cores
 *   CUPRIC_CHECK         1: checks that cost time (advanced indices out of bounds, …)
 *                        races: of threads in users' kernels, on the host device
 *   CUPRIC_COMPILE       when kernels of CUDA are compiled that do not come with the
 *                        package: now, or later, in the background, while general ones
 *                        serve. Default: later
 *   CUPRIC_CACHE_DIR     where compiled kernels are kept. Default ~/.cache/cupric
 *   CUPRIC_DEBUG         1 devices and libraries found, 2 each launch of a user's kernel,
 *                        3 source compiled, and where built-in kernels come from; on
 *                        stderr
 *   CUPRIC_MEMORY_LIMIT  of the default pool of each device: bytes, or a part of the
 *                        device's memory as "50%"
 *   CUPRIC_POOL          plain: the pools map no pages, but take memory as it comes
 *   CUPY_…               CuPy's, read where ours is not set; docs/settings.md says what
 *                        each does here. Those that make no difference are known, too
 *   CXX                  the C++ compiler for kernels on the host device
 *   CPATH, CPLUS_INCLUDE_PATH  that compiler's: further folders of headers
 *   HOME, XDG_CACHE_HOME where the cache directory is, by default
 *
 * One is the project's own, and on no page: _CUPRIC_TESTING=least, with which the host
 * device divides work from the smallest sizes on (host/threads.h).
 */

/* The value of a switch listed above; NULL when it is unset or empty, and for any other
 * name. Borrowed, until the environment changes. Read anew at every call: hot paths
 * keep what they need. */
const char *cu_setting(const char *name);

/* The name of the i-th switch; NULL past the last. Static. */
const char *cu_setting_name(size_t i);

/* The same as an integer; `otherwise` when unset or not a number. */
int64_t cu_setting_int(const char *name, int64_t otherwise);

/* CUPRIC_ERR_VALUE where a switch says what it cannot mean: nothing is ignored silently.
 * Called when the first device is asked for. */
cu_status cu_settings_check(void);

#endif
