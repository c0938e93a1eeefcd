/* env.c: the switches that a user sets in the environment. */
#include "env.h"

#include <stdlib.h>
#include <string.h>

static const char *const switches[] = {
    "CUPRIC_DEVICE",
    "CUPRIC_HOST_DEVICES",
    "CUPRIC_NUM_THREADS",
    "CUPRIC_CHECK",
    "CUPRIC_CACHE_DIR",
    "CUPRIC_DEBUG",
    "CUPRIC_MEMORY_LIMIT",
    "CUPRIC_POOL",
    "CXX",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "HOME",
    "XDG_CACHE_HOME",
};

const char *
cu_setting_name(size_t i)
{
    return i < sizeof switches / sizeof switches[0] ? switches[i] : NULL;
}

const char *
cu_setting(const char *name)
{
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        if (strcmp(switches[i], name) == 0) {
            const char *value = getenv(name);
            return value && *value ? value : NULL;
        }
    }
    return NULL;
}

int64_t
cu_setting_int(const char *name, int64_t otherwise)
{
    const char *text = cu_setting(name);
    char *end;
    long long value;

    if (!text) return otherwise;
    value = strtoll(text, &end, 10);
    return *end ? otherwise : value;
}
