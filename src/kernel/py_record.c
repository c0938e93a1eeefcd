/* kernel/py_record.c: see py_record.h. */
#include "kernel/py_record.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/record.h"

enum { UPLOAD_NBYTES = 4096 };

_Thread_local __attribute__((tls_model("initial-exec"))) py_recorder *py_recording;

bool
py_is_recording(void)
{
    return py_recording != NULL;
}

void
py_step_unref(py_step *l)
{
    if (l == NULL || --l->refcount) return;
    Py_XDECREF(l->kernel);
    free(l->bytes);
    free(l);
}

/* Values as the backend takes them: each in 16 bytes or at a multiple of 64, zeros behind
 * it (py_launch.c). NULL: no memory. */
static py_step *
step_of_launch(const py_launched *from)
{
    py_step *l = calloc(1, sizeof *l);
    size_t n = 0;

    if (l == NULL) return NULL;
    l->refcount = 1;
    l->kind = from->function ? STEP_LAUNCH : STEP_UPLOAD;
    l->device = from->device;
    l->function = from->function;
    l->kernel = Py_XNewRef(from->kernel);
    l->config = *from->config;
    l->nargs = from->nargs;
    for (int i = 0; i < l->nargs; i++) {
        const bool large = from->nbytes[i] > 16;
        if (large) n = (n + 63) & ~(size_t)63;
        l->place[i] = (unsigned)n;
        l->nbytes[i] = (unsigned)from->nbytes[i];
        n += large ? (from->nbytes[i] + 63) & ~(size_t)63 : 16;
    }
    n = (n + 64) & ~(size_t)63;
    l->bytes = aligned_alloc(64, n);
    if (l->bytes == NULL) {
        py_step_unref(l);
        return NULL;
    }
    memset(l->bytes, 0, n);
    for (int i = 0; i < l->nargs; i++) {
        memcpy(l->bytes + l->place[i], from->values[i], from->nbytes[i]);
    }
    return l;
}

static void
recorder_add(py_recorder *r, py_step *l, const py_launched *from)
{
    if (r->opaque) return;
    if (r->nlaunches == PY_RECORDER_STEPS ||
        r->nuses + from->naddresses > PY_RECORDER_USES) {
        r->opaque = true;
        return;
    }
    for (int i = 0; i < from->naddresses; i++) {
        const py_address *a = &from->addresses[i];
        char *address = from->to;
        if (address == NULL)
            memcpy(&address, (char *)from->values[a->arg] + a->offset, sizeof address);
        r->uses[r->nuses++] = (py_use){r->nlaunches, a->arg, a->offset,
                                       cu_storage_ref(a->storage), address};
        r->accesses++;
    }
    l->refcount++;
    r->launches[r->nlaunches++] = l;
}

/* Add a launch to the recordings of this thread; `l` is NULL for one not seen before. */
void
py_record_step(py_step *l, const py_launched *from)
{
    py_step *made = l ? NULL : step_of_launch(from);

    if (made) l = made;
    for (py_recorder *r = py_recording; r; r = r->outer) {
        if (l == NULL) {
            r->opaque = true;
        } else {
            recorder_add(r, l, from);
        }
    }
    py_step_unref(made);
}

void
py_record_launch(const py_launched *from)
{
    if (from) {
        py_record_step(NULL, from);
    } else {
        for (py_recorder *r = py_recording; r; r = r->outer) r->opaque = true;
    }
}

void
py_record_upload(const cu_array *a, const void *data)
{
    static const cu_launch none;
    void *const value = (void *)data;
    const size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    const py_launched l = {cu_array_device(a),
                           NULL,
                           NULL,
                           &none,
                           1,
                           &value,
                           {nbytes},
                           1,
                           {{0, 0, a->storage}},
                           (char *)a->storage->ptr + a->offset};

    if (nbytes) py_record_launch(nbytes <= UPLOAD_NBYTES ? &l : NULL);
}

/* Once, however often the array is read. */
static void
recorder_add_read(py_recorder *r, const char *address, const void *data, size_t nbytes)
{
    py_read *read = r->reads;

    r->opaque |= r->nlaunches > 0 || nbytes > PY_READ_NBYTES;
    for (int i = 0; i < r->nreads; i++, read++) {
        if (read->address == address && read->nbytes == nbytes) return;
    }
    r->opaque |= r->nreads == PY_RECORDER_READS;
    if (r->opaque) return;
    read->address = address;
    read->nbytes = nbytes;
    memcpy(read->bytes, data, nbytes);
    r->nreads++;
}

void
py_record_download(const cu_array *a, const void *data)
{
    const char *address = (char *)a->storage->ptr + a->offset;
    const size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));

    if (nbytes == 0 || !cu_array_is_contiguous(a)) return;
    for (py_recorder *r = py_recording; r; r = r->outer) {
        recorder_add_read(r, address, data, nbytes);
        r->accesses++;
    }
}

/* An iteration with `call`, or a conversion. NULL: no memory. */
static py_step *
step_of_iteration(cu_device *device, const cu_elementwise *call, const cu_iter *it)
{
    const size_t nbytes = offsetof(cu_iter, op) + (size_t)it->nops * sizeof it->op[0];
    py_step *l = calloc(1, sizeof *l);

    if (l == NULL) return NULL;
    l->refcount = 1;
    l->kind = call ? STEP_ELEMENTWISE : STEP_CONVERT;
    l->device = device;
    if (call) l->call = *call;
    l->nargs = it->nops;
    l->nbytes[0] = (unsigned)nbytes;
    l->bytes = malloc(nbytes);
    if (l->bytes == NULL) {
        py_step_unref(l);
        return NULL;
    }
    memcpy(l->bytes, it, nbytes);
    return l;
}

void
py_record_iteration(py_step *l, const cu_iter *it, cu_storage *const *storages)
{
    void *values[PY_LAUNCHED_MAX];
    py_launched from = {.nargs = it->nops, .values = values};

    for (int i = 0; i < it->nops; i++) {
        values[i] = (void *)&it->op[i].ptr;
        if (storages[i])
            from.addresses[from.naddresses++] = (py_address){i, 0, storages[i]};
    }
    py_record_step(l, &from);
}

void
cu_record_iteration(cu_device *device, const cu_elementwise *call, const cu_iter *it,
                    cu_storage *const *storages)
{
    py_step *l;

    if (py_recording == NULL) return;
    l = it->nops <= PY_LAUNCHED_MAX ? step_of_iteration(device, call, it) : NULL;
    if (l) {
        py_record_iteration(l, it, storages);
        py_step_unref(l);
    } else {
        py_record_launch(NULL);
    }
}

void
py_recorder_release(py_recorder *r)
{
    for (int i = 0; i < r->nlaunches; i++) py_step_unref(r->launches[i]);
    for (int i = 0; i < r->nuses; i++) cu_storage_unref(r->uses[i].storage);
}
