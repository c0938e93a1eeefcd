/* A CUDA driver without a device: memory is the host's, launches do nothing. With it a
 * program runs through all of the CUDA backend but the kernels, on any machine, and a test
 * sees which kernels it asks for. What is not here succeeds and does nothing: the test adds
 * such functions from src/cuda/driver.def.
 *
 * CUPRIC_TEST_CAPABILITY: compute capability, as 90.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned long long address;
typedef void *handle;
enum { INVALID_VALUE = 1, INVALID_HANDLE = 400, NOT_FOUND = 500 };
static char something; /* what handles point to */

int
cuGetErrorName(int r, const char **out)
{
    *out = "CUDA_ERROR";
    return r < 0;
}

int
cuGetErrorString(int r, const char **out)
{
    *out = "an error";
    return r < 0;
}

int
cuDriverGetVersion(int *out)
{
    *out = 13000;
    return 0;
}

/* NVRTC looks for it. */
int
cuGetExportTable(const void **out, const void *id)
{
    (void)out, (void)id;
    return INVALID_VALUE;
}

/* ---- the device ---------------------------------------------------------------------- */

int
cuDeviceGet(int *out, int ordinal)
{
    *out = ordinal;
    return 0;
}

int
cuDeviceGetCount(int *out)
{
    *out = 1;
    return 0;
}

int
cuDeviceGetName(char *out, int n, int device)
{
    snprintf(out, (size_t)n, "no device %d", device);
    return 0;
}

int
cuDeviceGetPCIBusId(char *out, int n, int device)
{
    snprintf(out, (size_t)n, "0000:%02x:00.0", device);
    return 0;
}

int
cuDeviceGetAttribute(int *out, int which, int device)
{
    const char *given = getenv("CUPRIC_TEST_CAPABILITY");
    const int capability = given ? atoi(given) : 90;

    (void)device;
    switch (which) {
    case 10: *out = 32; break;   /* threads of a warp */
    case 16: *out = 132; break;  /* multiprocessors */
    case 39: *out = 2048; break; /* threads of one */
    case 75: *out = capability / 10; break;
    case 76: *out = capability % 10; break;
    case 97: *out = 232448; break; /* shared memory of a block that asks */
    default: *out = 1024;
    }
    return 0;
}

int
cuDeviceTotalMem(size_t *out, int device)
{
    (void)device;
    *out = (size_t)8 << 30;
    return 0;
}

int
cuDevicePrimaryCtxRetain(handle *out, int device)
{
    (void)device;
    *out = &something;
    return 0;
}

int
cuCtxGetCurrent(handle *out)
{
    *out = &something;
    return 0;
}

/* ---- memory -------------------------------------------------------------------------- */

int
cuMemGetInfo(size_t *left, size_t *total)
{
    *left = *total = (size_t)8 << 30;
    return 0;
}

int
cuMemAlloc(address *out, size_t n)
{
    void *memory = NULL;

    if (posix_memalign(&memory, 512, n)) return 2;
    memset(memory, 0, n);
    *out = (address)memory;
    return 0;
}

int
cuMemFree(address memory)
{
    free((void *)memory);
    return 0;
}

int
cuMemAllocAsync(address *out, size_t n, handle stream)
{
    (void)stream;
    return cuMemAlloc(out, n);
}

int
cuMemFreeAsync(address memory, handle stream)
{
    (void)stream;
    return cuMemFree(memory);
}

/* Small pinned memory: kernels say there how many elements they found. */
static struct {
    long long *words;
    size_t n;
} told[64];
static int ntold;

int
cuMemHostAlloc(void **out, size_t n, unsigned flags)
{
    (void)flags;
    *out = calloc(1, n);
    if (*out && n <= 65536 && ntold < 64) {
        told[ntold].words = *out;
        told[ntold++].n = n / sizeof(long long);
    }
    return *out ? 0 : 2;
}

int
cuMemFreeHost(void *memory)
{
    for (int i = 0; i < ntold; i++) {
        if (told[i].words == memory) told[i] = told[--ntold];
    }
    free(memory);
    return 0;
}

/* None: where a word says that nothing was told yet. */
static void
tell(void)
{
    for (int i = 0; i < ntold; i++) {
        for (size_t k = 0; k < told[i].n; k++) {
            if (told[i].words[k] == -1) told[i].words[k] = 0;
        }
    }
}

int
cuMemGetAllocationGranularity(size_t *out, const void *what, int which)
{
    (void)what, (void)which;
    *out = (size_t)2 << 20;
    return 0;
}

int
cuMemAddressReserve(address *out, size_t n, size_t alignment, address at, address flags)
{
    void *memory = mmap(NULL, n, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)alignment, (void)at, (void)flags;
    *out = (address)memory;
    return memory == MAP_FAILED ? 2 : 0;
}

int
cuMemcpyAsync(address to, address from, size_t n, handle stream)
{
    (void)stream;
    memmove((void *)to, (void *)from, n);
    return 0;
}

int
cuMemcpyHtoDAsync(address to, const void *from, size_t n, handle stream)
{
    (void)stream;
    memcpy((void *)to, from, n);
    return 0;
}

int
cuMemcpyDtoHAsync(void *to, address from, size_t n, handle stream)
{
    (void)stream;
    memcpy(to, (void *)from, n);
    return 0;
}

int
cuMemcpyDtoDAsync(address to, address from, size_t n, handle stream)
{
    return cuMemcpyAsync(to, from, n, stream);
}

int
cuMemsetD8Async(address to, unsigned char byte, size_t n, handle stream)
{
    (void)stream;
    memset((void *)to, byte, n);
    return 0;
}

int
cuPointerGetAttributes(unsigned n, int *which, void **data, address memory)
{
    (void)n, (void)which, (void)data, (void)memory;
    return INVALID_VALUE;
}

/* ---- streams and kernels ------------------------------------------------------------- */

int
cuStreamCreateWithPriority(handle *out, unsigned flags, int priority)
{
    (void)flags, (void)priority;
    *out = &something;
    return 0;
}

int
cuStreamIsCapturing(handle stream, int *out)
{
    (void)stream;
    *out = 0;
    return 0;
}

int
cuLaunchHostFunc(handle stream, void (*function)(void *), void *argument)
{
    (void)stream;
    function(argument);
    return 0;
}

int
cuEventCreate(handle *out, unsigned flags)
{
    (void)flags;
    *out = &something;
    return 0;
}

int
cuEventElapsedTime(float *out, handle from, handle to)
{
    (void)from, (void)to;
    *out = 0;
    return 0;
}

int
cuModuleLoadData(handle *out, const void *image)
{
    (void)image;
    *out = &something;
    return 0;
}

int
cuModuleGetFunction(handle *out, handle module, const char *name)
{
    (void)name;
    if (module != &something) return INVALID_HANDLE;
    *out = &something;
    return 0;
}

int
cuModuleGetGlobal(address *out, size_t *n, handle module, const char *name)
{
    (void)out, (void)n, (void)module, (void)name;
    return NOT_FOUND;
}

int
cuFuncGetAttribute(int *out, int which, handle function)
{
    (void)which, (void)function;
    *out = 0;
    return 0;
}

int
cuLaunchKernel(handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
               unsigned by, unsigned bz, unsigned shared, handle stream, void **params,
               void **extra)
{
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz;
    (void)shared, (void)stream, (void)params, (void)extra;
    tell();
    return 0;
}

int
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, handle function, int threads,
                                            size_t shared)
{
    (void)threads, (void)shared;
    if (function != &something) return INVALID_HANDLE;
    *out = 2;
    return 0;
}

/* ---- arrays and textures: an array's memory is in C order ------------------------------ */

typedef struct array3d {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
    char *memory;
    size_t row; /* bytes */
} array3d;

static int live; /* arrays and objects */

int
cuTestLive(void)
{
    return live;
}

int
cuArray3DCreate_v2(array3d **out, const array3d *asked)
{
    const int format = asked->format & 0x7;
    const size_t nbytes = asked->format >= 0x10 ? (size_t)asked->format / 8
                          : format == 0         ? 1
                          : asked->format >= 8  ? (size_t)1 << format
                                                : (size_t)1 << (format - 1);
    array3d *a = calloc(1, sizeof *a);

    memcpy(a, asked, offsetof(array3d, memory));
    if (a->height == 0) a->height = 1;
    if (a->depth == 0) a->depth = 1;
    a->row = a->width * nbytes * a->channels;
    a->memory = calloc(a->row, a->height * a->depth);
    live++;
    *out = a;
    return 0;
}

int
cuArrayDestroy(array3d *a)
{
    free(a->memory);
    free(a);
    live--;
    return 0;
}

typedef struct copy_side {
    size_t x, y, z, level;
    int kind; /* 1 the host's, 2 the device's, 3 an array */
    char *host, *device;
    array3d *array;
    void *unused;
    size_t pitch, height;
} copy_side;

typedef struct copy3d {
    copy_side from, to;
    size_t width, height, depth;
} copy3d;

static char *
row_of(const copy_side *s, size_t y, size_t z)
{
    const array3d *a = s->kind == 3 ? s->array : NULL;
    char *memory = a ? a->memory : s->kind == 1 ? s->host : s->device;
    const size_t row = a ? a->row : s->pitch, rows = a ? a->height : s->height;

    return memory + s->x + (s->y + y) * row + (s->z + z) * row * rows;
}

int
cuMemcpy3DAsync_v2(const copy3d *c, handle stream)
{
    (void)stream;
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++)
            memmove(row_of(&c->to, y, z), row_of(&c->from, y, z), c->width);
    }
    return 0;
}

/* What a texture is made from: 1 where the test expects it. */
static struct {
    int type;
    void *array;
} described;

int
cuTexObjectCreate(address *out, const void *resource, const int *texture,
                  const void *view)
{
    memcpy(&described, resource, sizeof described);
    if (view || described.type || !described.array) return INVALID_VALUE;
    if (texture[3] != 1 || texture[4] != 2) return INVALID_VALUE; /* filter, flags */
    live++;
    *out = 77;
    return 0;
}

int
cuSurfObjectCreate(address *out, const void *resource)
{
    memcpy(&described, resource, sizeof described);
    if (described.type || !described.array) return INVALID_VALUE;
    live++;
    *out = 78;
    return 0;
}

int
cuTexObjectDestroy(address object)
{
    live--;
    return object == 77 ? 0 : INVALID_VALUE;
}

int
cuSurfObjectDestroy(address object)
{
    live--;
    return object == 78 ? 0 : INVALID_VALUE;
}
