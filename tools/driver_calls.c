/* Counts what a program asks of the CUDA driver: launches, copies, waits.
 *
 *     LD_PRELOAD=driver_calls.so python program.py
 *
 * Whoever uses the driver finds its functions by dlsym, or by cuGetProcAddress, which
 * dlsym finds, too: the runtime library, NVIDIA's other libraries, CuPy, cupric. Each
 * address that is handed out for a function of `counted` is replaced by that of a function
 * which counts, and calls it. The program reads driver_calls_counts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))

enum { LAUNCH, COPY, WAIT, NKINDS };
PUBLIC uint64_t driver_calls_counts[NKINDS];

/* By how their names begin; the first that fits. A copy that is not asynchronous is a
 * wait as well. */
static const struct {
    const char *prefix;
    int kind;
} counted[] = {
    {"cuLaunchHostFunc", -1},
    {"cuLaunch", LAUNCH}, /* …Kernel, …KernelEx, …CooperativeKernel, … */
    {"cuGraphLaunch", LAUNCH},
    {"cuMemcpy", COPY},
    {"cuMemset", COPY},
    {"cuStreamSynchronize", WAIT},
    {"cuCtxSynchronize", WAIT},
    {"cuEventSynchronize", WAIT},
};

/* ---- functions that count ------------------------------------------------------------ */

/* All arguments of these functions are integers and pointers, and none has more than 11:
 * so many words are passed on, whatever the signature. */
typedef uintptr_t word;
typedef int function(word, word, word, word, word, word, word, word, word, word, word,
                     word);

#define NSLOTS 128

static struct {
    function *function; /* the driver's */
    int kind;
    int also; /* a second kind, or -1 */
} slots[NSLOTS];
static int nslots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards adding a slot */

static inline void
count(int kind)
{
    if (kind >= 0) __atomic_fetch_add(&driver_calls_counts[kind], 1, __ATOMIC_RELAXED);
}

#define FUNCTION(i)                                                                    \
    static int call_##i(word a, word b, word c, word d, word e, word f, word g,        \
                        word h, word j, word k, word l, word m)                        \
    {                                                                                  \
        count(slots[0x##i].kind);                                                      \
        count(slots[0x##i].also);                                                      \
        return slots[0x##i].function(a, b, c, d, e, f, g, h, j, k, l, m);              \
    }
#define ROW(use, i)                                                                    \
    use(i##0) use(i##1) use(i##2) use(i##3) use(i##4) use(i##5) use(i##6) use(i##7)    \
        use(i##8) use(i##9) use(i##a) use(i##b) use(i##c) use(i##d) use(i##e)          \
            use(i##f)
#define ALL(use)                                                                       \
    ROW(use, 0)                                                                        \
    ROW(use, 1) ROW(use, 2) ROW(use, 3) ROW(use, 4) ROW(use, 5) ROW(use, 6) ROW(use, 7)
#define NAME(i) call_##i,

ALL(FUNCTION)
static function *const counting[NSLOTS] = {ALL(NAME)};

static void *
replaced(const char *name, void *address)
{
    const size_t n = sizeof counted / sizeof *counted;
    size_t i = 0;
    int at;

    while (i < n && strncmp(name, counted[i].prefix, strlen(counted[i].prefix))) i++;
    if (!address || i == n || counted[i].kind < 0) return address;
    pthread_mutex_lock(&lock);
    for (at = 0; at < nslots; at++) {
        if ((void *)slots[at].function == address) break;
        if ((void *)counting[at] == address) break; /* counted already */
    }
    if (at == NSLOTS) abort();
    if (at == nslots) {
        slots[at].function = (function *)address;
        slots[at].kind = counted[i].kind;
        slots[at].also = counted[i].kind == COPY && !strstr(name, "Async") &&
                                 !strncmp(name, "cuMemcpy", 8)
                             ? WAIT
                             : -1;
        nslots++;
    }
    pthread_mutex_unlock(&lock);
    return (void *)counting[at];
}

/* ---- where functions are found ------------------------------------------------------- */

static int (*get_address)(const char *name, void **out, int version, uint64_t flags);
static int (*get_address_v2)(const char *name, void **out, int version, uint64_t flags,
                             int *status);

static int get_address_counting(const char *name, void **out, int version,
                                uint64_t flags);

static int get_address_v2_counting(const char *name, void **out, int version,
                                   uint64_t flags, int *status);

/* cuGetProcAddress has two signatures; the driver hands out the one of a version. */
static void
replace_found(const char *name, void **out, int version)
{
    if (!out || !*out) return;
    if (strcmp(name, "cuGetProcAddress") && strcmp(name, "cuGetProcAddress_v2")) {
        *out = replaced(name, *out);
    } else if (version >= 12000 || strstr(name, "_v2")) {
        if (*out == (void *)get_address_v2_counting) return;
        *(void **)&get_address_v2 = *out;
        *out = (void *)get_address_v2_counting;
    } else if (*out != (void *)get_address_counting) {
        *(void **)&get_address = *out;
        *out = (void *)get_address_counting;
    }
}

static int
get_address_counting(const char *name, void **out, int version, uint64_t flags)
{
    const int r = get_address(name, out, version, flags);

    if (!r) replace_found(name, out, version);
    return r;
}

static int
get_address_v2_counting(const char *name, void **out, int version, uint64_t flags,
                        int *status)
{
    const int r = get_address_v2(name, out, version, flags, status);

    if (!r) replace_found(name, out, version);
    return r;
}

typedef void *finder(void *library, const char *name);

static finder *
libc_dlsym(void)
{
    static finder *found;

    if (!found) *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!found) *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (!found) *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.17");
    if (!found) abort();
    return found;
}

/* Other names are looked up by a jump, not a call (-O2), as what RTLD_NEXT means follows
 * from where the call came from. */
PUBLIC void *
dlsym(void *library, const char *name)
{
    finder *find = libc_dlsym();
    void *found;

    if (strncmp(name, "cu", 2)) return find(library, name);
    found = find(library, name);
    replace_found(name, &found, 0);
    return found;
}
