/* cuda/kernels.c: see kernels.h. Each device has a table with open addressing whose slots
 * are set once; a table that is half full is replaced by a larger one, and the old one
 * stays for those who still look into it.
 */
#include "cuda/kernels.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/binaries.h"
#include "cuda/device.h"
#include "cuda/entries.h"

typedef struct table {
    size_t size, used; /* size: a power of two */
    _Atomic(cu_kernels *) slot[];
} table;

static _Atomic(table *) tables[CUPRIC_CUDA_MAXDEVICES];
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* ---- the table ----------------------------------------------------------------------- */

typedef struct two_words {
    uint64_t word[2];
} two_words;

static inline two_words
words_of(const cu_kernel_key *key)
{
    two_words w;
    _Static_assert(sizeof w == sizeof *key, "a key is two words");
    memcpy(&w, key, sizeof w);
    return w;
}

static inline uint64_t
hash(two_words w)
{
    uint64_t h =
        (w.word[0] ^ w.word[1] * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    return h ^ h >> 29;
}

static inline cu_kernels *
table_find(table *t, const cu_kernel_key *key)
{
    const two_words w = words_of(key);
    if (t == NULL) return NULL;
    for (uint64_t i = hash(w);; i++) {
        cu_kernels *k =
            atomic_load_explicit(&t->slot[i & (t->size - 1)], memory_order_acquire);
        if (k == NULL) return NULL;
        const two_words found = words_of(&k->key);
        if (found.word[0] == w.word[0] && found.word[1] == w.word[1]) return k;
    }
}

static void
table_put_locked(table *t, cu_kernels *kernels)
{
    uint64_t i = hash(words_of(&kernels->key));
    while (atomic_load_explicit(&t->slot[i & (t->size - 1)], memory_order_relaxed)) i++;
    atomic_store_explicit(&t->slot[i & (t->size - 1)], kernels, memory_order_release);
    t->used++;
}

/* Room for one more. */
static cu_status
table_grow_locked(int ordinal)
{
    table *old = atomic_load(&tables[ordinal]);
    if (old && old->used < old->size / 2) return CUPRIC_OK;
    const size_t size = old ? old->size * 4 : 1024;
    table *t = calloc(1, sizeof *t + size * sizeof t->slot[0]);
    if (t == NULL)
        return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a table of kernels");
    t->size = size;
    for (size_t i = 0; old && i < old->size; i++) {
        cu_kernels *k = atomic_load(&old->slot[i]);
        if (k) table_put_locked(t, k);
    }
    atomic_store(&tables[ordinal], t);
    return CUPRIC_OK;
}

/* ---- making -------------------------------------------------------------------------- */

#define DESCRIBED_NBYTES (CUPRIC_KERNEL_NAME_NBYTES + 2 * sizeof(cu_kernel_key) + 2)

/* The kernel's name and its key, by which the rules of the archive can be extended. */
static void
describe(const cu_kernel_key *key, const char *name, char *out, size_t nout)
{
    const unsigned char *bytes = (const unsigned char *)key;
    int used = snprintf(out, nout, "%s ", name);

    for (size_t i = 0; i < sizeof *key; i++) {
        used += snprintf(out + used, nout - (size_t)used, "%02x", bytes[i]);
    }
}

/* More than 48 KiB of shared memory has to be asked for. */
static cu_status
allow_shared(const cu_kernel_key *key, int ordinal, cu_function *f)
{
    const int nbytes = CUPRIC_SCAN_NBYTES(cu_cuda_device_at(ordinal)->major);

    if (key->family != CUPRIC_KERNEL_SCAN || (key->layout != CUPRIC_SCAN_DENSE_RUN &&
                                              key->layout != CUPRIC_SCAN_DENSE_COLUMNS))
        return CUPRIC_OK;
    return cu_cuda_function_set(f, CUPRIC_FUNC_MAX_DYNAMIC_SHARED, nbytes);
}

/* The functions of a key; `compiled`: only if they come compiled, else CUPRIC_OK and none. */
static cu_status
build(const cu_kernel_key *key, int ordinal, bool compiled, cu_function **entry)
{
    static const char *const options[] = {"--std=c++17", "-fmad=false"};
    char source[CUPRIC_SOURCE_NBYTES], name[CUPRIC_KERNEL_NAME_NBYTES];
    char what[DESCRIBED_NBYTES];
    const bool fuses = cu_cuda_may_fuse(key);
    const cu_compile args = {
        .source = source,
        .file = name,
        .options = options,
        .noptions = fuses ? 1 : 2,
    };
    cu_status st;

    cu_cuda_kernel_name(key, name, sizeof name);
    const int n = cu_cuda_source(key, source, sizeof source);
    if (n == 0) {
        return cu_fail(CUPRIC_ERR_TYPE, "no CUDA kernel for %s in signature %d", name,
                       key->sig);
    }
    describe(key, name, what, sizeof what);
    if (compiled && !cu_cuda_binary_ships(ordinal, &args, fuses, what, n, entry))
        return CUPRIC_OK;
    if (!compiled) {
        st = cu_cuda_binary_get(ordinal, &args, fuses, what, n, entry);
        if (st) return st;
    }
    return allow_shared(key, ordinal, entry[0]);
}

static bool
is_made(const cu_kernels *kernels)
{
    return __atomic_load_n(&kernels->entry[0], __ATOMIC_ACQUIRE) != NULL;
}

/* Others may look at them from now on. */
static void
set_entries(cu_kernels *kernels, cu_function *const *entry)
{
    for (int i = CUPRIC_KERNEL_ENTRIES - 1; i >= 0; i--) {
        __atomic_store_n(&kernels->entry[i], entry[i], __ATOMIC_RELEASE);
    }
}

/* An entry of the table, which it owns. */
static cu_status
add_locked(const cu_kernel_key *key, int ordinal, cu_function *const *entry,
           cu_kernels **out)
{
    cu_kernels *kernels;
    cu_status st = table_grow_locked(ordinal);

    if (st) return st;
    kernels = calloc(1, sizeof *kernels);
    if (kernels == NULL) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel");
    kernels->key = *key;
    if (key->family == CUPRIC_KERNEL_REDUCE)
        kernels->vector = cu_cuda_reduce_vector_size(key);
    if (entry) set_entries(kernels, entry);
    table_put_locked(atomic_load(&tables[ordinal]), kernels);
    *out = kernels;
    return CUPRIC_OK;
}

/* *out: NULL where only what comes compiled was asked for, and this does not. */
static cu_status
make(const cu_kernel_key *key, int ordinal, bool compiled, const cu_kernels **out)
{
    cu_function *entry[CUPRIC_KERNEL_ENTRIES] = {NULL};
    cu_kernels *kernels;
    cu_status st = CUPRIC_OK;

    *out = NULL;
    pthread_mutex_lock(&making);
    kernels = table_find(atomic_load(&tables[ordinal]), key);
    if (!kernels || (!is_made(kernels) && !compiled)) {
        st = build(key, ordinal, compiled, entry);
        if (!st && entry[0] && kernels) set_entries(kernels, entry);
        if (!st && entry[0] && !kernels) st = add_locked(key, ordinal, entry, &kernels);
    }
    if (!st && kernels && is_made(kernels)) *out = kernels;
    pthread_mutex_unlock(&making);
    return st;
}

cu_status
cu_kernels_get(const cu_kernel_key *key, const cu_stream *s, const cu_kernels **out)
{
    const int ordinal = cu_cuda_ordinal(s);
    table *t = atomic_load_explicit(&tables[ordinal], memory_order_acquire);
    const cu_kernels *found = table_find(t, key);
    if (CUPRIC_UNLIKELY(found == NULL || !is_made(found)))
        return make(key, ordinal, false, out);
    *out = found;
    return CUPRIC_OK;
}

cu_status
cu_kernels_find(const cu_kernel_key *key, const cu_stream *s, const cu_kernels **out)
{
    const int ordinal = cu_cuda_ordinal(s);
    table *t = atomic_load_explicit(&tables[ordinal], memory_order_acquire);
    const cu_kernels *found = table_find(t, key);
    if (CUPRIC_UNLIKELY(found == NULL)) return make(key, ordinal, true, out);
    *out = is_made(found) ? found : NULL;
    return CUPRIC_OK;
}

cu_status
cu_kernels_try(cu_attempt *attempt, const cu_kernel_key *key, const cu_stream *s,
               const cu_kernels **out)
{
    cu_status st;

    if (attempt->waits) return cu_kernels_get(key, s, out);
    st = cu_kernels_find(key, s, out);
    attempt->lacks = !st && *out == NULL;
    if (attempt->lacks) attempt->lacking = *key;
    return st;
}

/* ---- made by a thread of their own -------------------------------------------------- */

typedef struct order {
    struct order *next;
    cu_kernels *kernels; /* the table's */
    int ordinal;
} order;

static struct {
    pthread_t thread;
    pid_t process; /* that has the thread; 0: none has */
    bool ends;
    order *first, **last;           /* owned */
} orders = {.last = &orders.first}; /* guarded by `making` */
static pthread_cond_t ordered = PTHREAD_COND_INITIALIZER;

/* The next, taken from the list; NULL when the process ends. */
static order *
next_order_locked(void)
{
    while (!orders.first && !orders.ends) pthread_cond_wait(&ordered, &making);
    order *const o = orders.ends ? NULL : orders.first;
    if (o && !(orders.first = o->next)) orders.last = &orders.first;
    return o;
}

static void *
make_orders(void *unused)
{
    order *o;

    pthread_mutex_lock(&making);
    while ((o = next_order_locked()) != NULL) {
        cu_function *entry[CUPRIC_KERNEL_ENTRIES] = {NULL};
        pthread_mutex_unlock(&making);
        const cu_status st = build(&o->kernels->key, o->ordinal, false, entry);
        pthread_mutex_lock(&making);
        if (!st && !is_made(o->kernels)) set_entries(o->kernels, entry);
        free(o);
    }
    pthread_mutex_unlock(&making);
    return unused;
}

static void
start_orders_locked(void)
{
    if (orders.process || orders.ends) return;
    if (!pthread_create(&orders.thread, NULL, make_orders, NULL))
        orders.process = getpid();
}

/* The thread ends with the kernel that it makes: what it calls does not outlive the
 * process's exit handlers. */
void
cu_cuda_stop(void)
{
    bool runs;

    pthread_mutex_lock(&making);
    runs = !orders.ends && orders.process == getpid(); /* not in a forked child */
    orders.ends = true;
    pthread_cond_signal(&ordered);
    pthread_mutex_unlock(&making);
    if (runs) pthread_join(orders.thread, NULL);
}

void
cu_kernels_order(const cu_kernel_key *key, const cu_stream *s)
{
    const int ordinal = cu_cuda_ordinal(s);
    char name[CUPRIC_KERNEL_NAME_NBYTES], what[DESCRIBED_NBYTES];
    cu_kernels *kernels = NULL;
    order *o;

    pthread_mutex_lock(&making);
    if (!table_find(atomic_load(&tables[ordinal]), key) &&
        !add_locked(key, ordinal, NULL, &kernels)) {
        cu_cuda_kernel_name(key, name, sizeof name);
        describe(key, name, what, sizeof what);
        cu_cuda_count_kernel(CUPRIC_KERNELS_ORDERED, what);
        o = calloc(1, sizeof *o);
        if (o) {
            *o = (order){.kernels = kernels, .ordinal = ordinal};
            *orders.last = o;
            orders.last = &o->next;
            start_orders_locked();
            pthread_cond_signal(&ordered);
        }
    }
    pthread_mutex_unlock(&making);
}

/* ---- launching ----------------------------------------------------------------------- */

cu_status
cu_kernels_launch_shaped(const cu_kernels *kernels, int entry, const cu_shape *shape,
                         const void *params, cu_stream *s)
{
    void *const args[] = {(void *)(uintptr_t)params};
    const cu_launch config = {
        .grid = {(unsigned)shape->blocks, shape->parts ? (unsigned)shape->parts : 1, 1},
        .block = {(unsigned)shape->threads, 1, 1},
        .shared_bytes = (unsigned)shape->shared_nbytes,
    };
    if (shape->blocks == 0) return CUPRIC_OK;
    if (shape->blocks > INT32_MAX) {
        return cu_fail(CUPRIC_ERR_VALUE, "too large for one launch: %lld blocks",
                       (long long)shape->blocks);
    }
    return cu_cuda_launch(kernels->entry[entry], &config, args, s);
}

cu_status
cu_kernels_launch(const cu_kernels *kernels, int entry, int64_t blocks, int parts,
                  const void *params, cu_stream *s)
{
    const cu_shape shape = {.blocks = blocks, .parts = parts, .threads = CUPRIC_BLOCK};
    return cu_kernels_launch_shaped(kernels, entry, &shape, params, s);
}

/* ---- parameters ---------------------------------------------------------------------- */

static void
put_axis(cu_params *p, int64_t length)
{
    cu_axis axis = {length, 0, 0};

    if (length > 0 && length <= INT32_MAX) {
        while ((INT64_C(1) << axis.shift) < length) axis.shift++;
        const uint64_t over = ((UINT64_C(1) << axis.shift) - (uint64_t)length) << 32;
        axis.multiplier = (uint32_t)(over / (uint64_t)length + 1);
    }
    cu_params_add(p, &axis, sizeof axis);
}

void
cu_params_space(cu_params *p, int rank, int ndim, const int64_t *shape, int noperands,
                const int64_t *const *strides)
{
    const int missing = rank - ndim;
    int64_t size = 1;
    for (int d = 0; d < ndim; d++) size *= shape[d];
    cu_params_add(p, &size, sizeof size);
    for (int d = 0; d < rank; d++) put_axis(p, d < missing ? 1 : shape[d - missing]);
    for (int d = 0; d < rank; d++) {
        for (int k = 0; k < noperands; k++) {
            const int64_t stride = d < missing ? 0 : strides[k][d - missing];
            cu_params_add(p, &stride, sizeof stride);
        }
    }
}

void
cu_params_iter(cu_params *p, const cu_iter *it, int first, int last, int noperands)
{
    const int64_t *strides[CUPRIC_MAXOPERANDS];
    static const int64_t none[CUPRIC_MAXDIMS];
    for (int k = 0; k < noperands; k++) {
        strides[k] = it->op[k].ptr ? it->op[k].strides + first : none;
    }
    cu_params_space(p, cu_cuda_rank(last - first), last - first, it->shape + first,
                    noperands, strides);
}

void
cu_params_view(cu_params *p, const cu_view *v, int ndim, int rank)
{
    const int64_t *const strides[] = {v->strides};
    cu_params_space(p, rank, ndim, v->shape, 1, strides);
}
