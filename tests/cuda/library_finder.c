/* src/cuda/libraries.c with a file system of the test's own: what dlopen and access (both
 * renamed when it is compiled) see is below the folder ONLY, and nothing else is there.
 */
#undef dlopen
#undef access
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/libraries.h"

const cu_services *cu_cuda_services;
cu_driver cu_driver_table;

static cu_services services;
static int driver_version;

static CUresult
get_version(int *out)
{
    *out = driver_version;
    return CUDA_SUCCESS;
}

static const char *
no_setting(const char *name)
{
    (void)name;
    return NULL;
}

static int
is_seen(const char *path)
{
    const char *only = getenv("ONLY");
    return only && strncmp(path, only, strlen(only)) == 0;
}

void *
seen_dlopen(const char *path, int mode)
{
    return is_seen(path) ? dlopen(path, mode) : NULL;
}

int
seen_access(const char *path, int mode)
{
    return is_seen(path) ? access(path, mode) : -1;
}

/* The status of opening a library, or the number that its function `answer` gives. */
__attribute__((visibility("default"))) int
find(int which, int version, const char *package_dir)
{
    static const char *const names[] = {"answer"};
    void *slot[1];
    cu_status st;

    driver_version = version;
    cu_driver_table.DriverGetVersion = get_version;
    services.package_dir = package_dir;
    services.vfail = cu_vfail;
    services.setting = no_setting;
    cu_cuda_services = &services;
    st = cu_cuda_library_table((cu_cuda_library)which, names, slot, 1);
    return st ? -(int)st : ((int (*)(void))slot[0])();
}

__attribute__((visibility("default"))) const char *
message(void)
{
    return cu_error_message();
}
