/* env.c: the switches that a user sets in the environment. */
#include "env.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const switches[] = {
    "CUPRIC_DEVICE",
    "CUPRIC_HOST_DEVICES",
    "CUPRIC_NUM_THREADS",
    "CUPRIC_CHECK",
    "CUPRIC_COMPILE",
    "CUPRIC_AVAILABLE",
    "_CUPRIC_TESTING",
    "CUPRIC_CACHE_DIR",
    "CUPRIC_DEBUG",
    "CUPRIC_MEMORY_LIMIT",
    "CUPRIC_POOL",
    "CXX",
    "CUPY_ACCELERATORS",
    "CUPY_CACHE_DIR",
    "CUPY_CACHE_IN_MEMORY",
    "CUPY_CACHE_SAVE_CUDA_SOURCE",
    "CUPY_COMPILE_WITH_PTX",
    "CUPY_CUDA_ARRAY_INTERFACE_EXPORT_VERSION",
    "CUPY_CUDA_ARRAY_INTERFACE_SYNC",
    "CUPY_CUDA_COMPILE_WITH_DEBUG",
    "CUPY_CUDA_PER_THREAD_DEFAULT_STREAM",
    "CUPY_DISABLE_JITIFY_CACHE",
    "CUPY_DLPACK_EXPORT_VERSION",
    "CUPY_DUMP_CUDA_SOURCE_ON_ERROR",
    "CUPY_EXPERIMENTAL_SLICE_COPY",
    "CUPY_GPU_MEMORY_LIMIT",
    "CUPY_NVRTC_USE_PCH",
    "CUPY_SEED",
    "CUPY_TF32",
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

/* ---- what a switch may say -------------------------------------------------------------- */

/* A number of digits alone, from `least` to `most`. */
static bool
is_number(const char *text, long least, long most)
{
    const size_t n = strspn(text, "0123456789");
    long value;

    errno = 0;
    value = strtol(text, NULL, 10);
    return n > 0 && text[n] == '\0' && !errno && value >= least && value <= most;
}

static bool
is_debug(const char *text)
{
    if (text[0] >= '0' && text[0] <= '3' && text[1] == ',') text += 2;
    return strcmp(text, "launch") == 0 || is_number(text, 0, 3);
}

static bool
is_pool(const char *text)
{
    return strcmp(text, "plain") == 0;
}

static bool
is_interface(const char *text)
{
    return is_number(text, 2, 3);
}

static bool
is_switch(const char *text)
{
    return is_number(text, 0, 1);
}

static bool
is_check(const char *text)
{
    return is_switch(text) || strcmp(text, "races") == 0;
}

static bool
is_seed(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0';
}

static bool
is_compile(const char *text)
{
    return strcmp(text, "now") == 0 || strcmp(text, "later") == 0;
}

static bool
is_thread_count(const char *text)
{
    return is_number(text, 1, 1000000);
}

static bool
is_device_count(const char *text)
{
    return is_number(text, 1, 64);
}

static bool
is_device(const char *text)
{
    return strcmp(text, "host") == 0 || strcmp(text, "cuda") == 0;
}

/* The project's own tests: thresholds are at their least (host/threads.h). */
static bool
is_testing(const char *text)
{
    return strcmp(text, "least") == 0;
}

static bool
is_available(const char *text)
{
    return strcmp(text, "cuda") == 0 || strcmp(text, "any") == 0;
}

cu_status
cu_settings_check(void)
{
    static const struct {
        const char *name;
        bool (*is_good)(const char *text);
        const char *values;
    } rules[] = {
        {"CUPRIC_DEVICE", is_device, "host or cuda"},
        {"CUPRIC_HOST_DEVICES", is_device_count, "a number from 1 to 64"},
        {"CUPRIC_NUM_THREADS", is_thread_count, "a number of threads, at least 1"},
        {"CUPRIC_CHECK", is_check, "0, 1 or races"},
        {"CUPRIC_COMPILE", is_compile, "now or later"},
        {"CUPRIC_AVAILABLE", is_available, "cuda or any"},
        {"_CUPRIC_TESTING", is_testing, "least"},
        {"CUPRIC_DEBUG", is_debug, "0, 1, 2, 3 or launch"},
        {"CUPRIC_POOL", is_pool, "plain"},
        {"CUPY_CACHE_IN_MEMORY", is_switch, "0 or 1"},
        {"CUPY_COMPILE_WITH_PTX", is_switch, "0 or 1"},
        {"CUPY_CUDA_ARRAY_INTERFACE_EXPORT_VERSION", is_interface, "2 or 3"},
        {"CUPY_CUDA_ARRAY_INTERFACE_SYNC", is_switch, "0 or 1"},
        {"CUPY_CUDA_COMPILE_WITH_DEBUG", is_switch, "0 or 1"},
        {"CUPY_CUDA_PER_THREAD_DEFAULT_STREAM", is_switch, "0 or 1"},
        {"CUPY_DUMP_CUDA_SOURCE_ON_ERROR", is_switch, "0 or 1"},
        {"CUPY_SEED", is_seed, "an integer of at least 0"},
        {"CUPY_TF32", is_switch, "0 or 1"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *text = cu_setting(rules[i].name);
        if (text && !rules[i].is_good(text)) {
            return cu_fail(CUPRIC_ERR_VALUE,
                           "the environment variable %s is \"%s\": it can be %s, or "
                           "unset",
                           rules[i].name, text, rules[i].values);
        }
    }
    return CUPRIC_OK;
}
