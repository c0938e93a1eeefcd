/* kernel/py_replay_plan.c: see py_replay_plan.h. */
#include "kernel/py_replay_plan.h"

#include <stdlib.h>
#include <string.h>

enum { VIEWS = 2048 }; /* bytes of a launch's values that hold an address and more */

/* ---- plans -------------------------------------------------------------------------------- */

void
py_plan_unref(py_plan *p)
{
    if (p == NULL || --p->refcount) return;
    for (int i = 0; i < p->nlaunches; i++) py_step_unref(p->launches[i]);
    for (int i = 0; i < p->ntypes; i++) Py_DECREF(p->types[i]);
    free(p->key);
    free(p->slots);
    free(p->contents);
    free(p->shape);
    free(p);
}

static bool
lies_in(const cu_array *a, const py_use *u)
{
    int64_t lo, hi;
    const int64_t at = u->address - (char *)a->storage->ptr;

    if (a->storage != u->storage) return false;
    cu_array_extent(a, &lo, &hi);
    return lo <= at && at < hi;
}

/* Whether nobody has a storage but `others` and the recordings of this thread. */
static bool
is_ours(const cu_storage *storage, const py_recorder *r, int others)
{
    int users = others;

    for (; r; r = r->outer) {
        for (int i = 0; i < r->nuses; i++) users += r->uses[i].storage == storage;
    }
    return atomic_load(&storage->refcount) == users;
}

/* The temporary that an address lies in: one more where it is not known yet. -1 where the
 * memory is somebody's who will have it after the call. */
static int
plan_temporary(py_plan *p, const py_recorder *r, int number)
{
    const py_use *u = &r->uses[number];

    if (!is_ours(u->storage, r, 0)) return -1;
    for (int i = 0; i < number; i++) {
        if (r->uses[i].storage != u->storage) continue;
        const int which = p->slots[i].which;
        p->temporaries[which].last = u->launch;
        return which;
    }
    if (p->ntemporaries == PY_PLAN_TEMPORARIES) return -1;
    p->temporaries[p->ntemporaries] =
        (temporary){u->storage->nbytes, u->launch, u->launch};
    return p->ntemporaries++;
}

static bool
plan_slot(py_plan *p, const py_replay_key *k, const py_recorder *r,
          const cu_array *result, int number)
{
    const py_use *u = &r->uses[number];
    slot *s = &p->slots[number];

    *s = (slot){FROM_ARGUMENT, u->launch, u->arg, 0, u->at, 0};
    for (int i = 0; i < k->narrays; i++) {
        const cu_array *a = py_array_get(k->arrays[i]);
        if (!lies_in(a, u)) continue;
        s->which = i;
        s->offset = u->address - ((char *)a->storage->ptr + a->offset);
        return true;
    }
    if (result && result->storage == u->storage) {
        s->from = FROM_RESULT;
        s->offset = u->address - (char *)u->storage->ptr;
        return true;
    }
    s->from = FROM_TEMPORARY;
    s->which = plan_temporary(p, r, number);
    s->offset = u->address - (char *)u->storage->ptr;
    return s->which >= 0;
}

/* What the call returned: one of the arrays passed, or a new one as `empty` makes it, that
 * nobody else has. */
static bool
plan_result(py_plan *p, const py_replay_key *k, const py_recorder *r, PyObject *result)
{
    const cu_array *a;

    p->result = -1;
    for (int i = 0; i < k->narrays; i++) {
        if (k->arrays[i] != result) continue;
        p->result = i;
        return true;
    }
    if (!Py_IS_TYPE(result, &py_array_type) || ((py_array *)result)->base) return false;
    a = py_array_get(result);
    if (a->size == 0 || a->offset || !cu_array_is_contiguous(a) ||
        Py_REFCNT(result) > 1)
        return false;
    if (!is_ours(a->storage, r, 1)) return false;
    p->dtype = a->dtype;
    p->ndim = a->ndim;
    p->shape = malloc((size_t)(a->ndim + 1) * sizeof *p->shape);
    if (p->shape) memcpy(p->shape, a->shape, (size_t)a->ndim * sizeof *p->shape);
    return p->shape != NULL;
}

/* Reads are of whole arrays that were passed. */
static bool
plan_contents(py_plan *p, const py_replay_key *k, const py_recorder *r)
{
    if (r->nreads == 0) return true;
    p->contents = calloc((size_t)r->nreads, sizeof *p->contents);
    if (p->contents == NULL) return false;
    for (; p->ncontents < r->nreads; p->ncontents++) {
        const py_read *read = &r->reads[p->ncontents];
        content *c = &p->contents[p->ncontents];
        for (c->which = 0; c->which < k->narrays; c->which++) {
            const cu_array *a = py_array_get(k->arrays[c->which]);
            if (cu_array_is_contiguous(a) &&
                (char *)a->storage->ptr + a->offset == read->address &&
                (size_t)(a->size * cu_itemsize(a->dtype)) == read->nbytes)
                break;
        }
        if (c->which == k->narrays) return false;
        c->nbytes = read->nbytes;
        memcpy(c->bytes, read->bytes, read->nbytes);
    }
    return true;
}

/* On every device that is touched there is one stream: the current one. */
static bool
plan_device(py_plan *p, const py_replay_key *k, PyObject *result)
{
    p->device = p->launches[0]->device;
    for (int i = 0; i < p->nlaunches; i++) {
        if (p->launches[i]->device != p->device) return false;
    }
    for (int i = 0; i < k->narrays; i++) {
        if (cu_array_device(py_array_get(k->arrays[i])) != p->device) return false;
    }
    return cu_array_device(py_array_get(result)) == p->device;
}

/* Whether a slot is the first of its argument: slots are by launch, and by argument. */
static bool
is_first(const py_plan *p, int i)
{
    const slot *s = &p->slots[i];
    return i == 0 || s[-1].launch != s->launch || s[-1].arg != s->arg;
}

/* The bytes of values that a replay copies, as it changes them: all that hold more than
 * an address. */
static bool
plan_fits(const py_plan *p)
{
    unsigned n[PY_RECORDER_STEPS] = {0};

    for (int i = 0; i < p->nslots; i++) {
        const slot *s = &p->slots[i];
        const py_step *l = p->launches[s->launch];
        if (l->function == NULL || !is_first(p, i)) continue;
        n[s->launch] += (l->nbytes[s->arg] + 63) & ~63u;
        if (n[s->launch] > VIEWS) return false;
    }
    return true;
}

py_plan *
py_plan_new(const py_replay_key *k, const py_recorder *r, PyObject *result)
{
    py_plan *p;
    const cu_array *made;
    bool ok;

    if (r->opaque || r->nlaunches == 0) return NULL;
    if (cu_accesses_count() - r->start != r->accesses) return NULL;
    p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->refcount = 1;
    p->hash = k->hash;
    p->key = malloc((size_t)k->n * sizeof *p->key);
    p->slots = calloc((size_t)r->nuses + 1, sizeof *p->slots);
    ok = p->key && p->slots && plan_result(p, k, r, result) && plan_contents(p, k, r);
    if (ok) {
        p->nkey = k->n;
        memcpy(p->key, k->words, (size_t)k->n * sizeof *p->key);
        for (; p->ntypes < k->ntypes; p->ntypes++)
            p->types[p->ntypes] = Py_NewRef(k->types[p->ntypes]);
        for (; p->nlaunches < r->nlaunches; p->nlaunches++) {
            p->launches[p->nlaunches] = r->launches[p->nlaunches];
            p->launches[p->nlaunches]->refcount++;
        }
        made = p->result < 0 ? py_array_get(result) : NULL;
        for (; ok && p->nslots < r->nuses; p->nslots++)
            ok = plan_slot(p, k, r, made, p->nslots);
        ok = ok && plan_device(p, k, result) && plan_fits(p);
    }
    if (!ok) {
        py_plan_unref(p);
        p = NULL;
    }
    return p;
}

bool
py_plan_agrees(const py_plan *p, const py_replay_key *k)
{
    unsigned char now[PY_READ_NBYTES];

    for (int i = 0; i < p->ncontents; i++) {
        const content *c = &p->contents[i];
        const cu_array *a = py_array_get(k->arrays[c->which]);
        cu_stream *s = cu_stream_current(cu_array_device(a));
        if (cu_wait_check() || s->backend->copy(now, cu_array_access(a, CUPRIC_READ),
                                                c->nbytes, CUPRIC_COPY_TO_HOST, s)) {
            return false;
        }
        py_record_download(a, now);
        if (memcmp(now, c->bytes, c->nbytes)) return false;
    }
    return true;
}

/* ---- replays ------------------------------------------------------------------------------ */

/* One call as it is replayed. */
typedef struct replay {
    py_plan *plan; /* owned */
    cu_stream *stream;
    const cu_array *arrays[PY_KEY_ARRAYS];
    const cu_array *result;                       /* a new one, or NULL */
    cu_storage *temporaries[PY_PLAN_TEMPORARIES]; /* owned while they are needed */
    int slot;                                     /* the next */
} replay;

static cu_status
replay_allocate(replay *c, int step)
{
    const py_plan *p = c->plan;
    cu_status st = CUPRIC_OK;

    for (int i = 0; i < p->ntemporaries && !st; i++) {
        if (p->temporaries[i].first != step) continue;
        st = cu_storage_new(p->device, p->temporaries[i].nbytes, &c->temporaries[i]);
    }
    return st;
}

static void
replay_free(replay *c, int step)
{
    const py_plan *p = c->plan;

    for (int i = 0; i < p->ntemporaries; i++) {
        if (p->temporaries[i].last > step) continue;
        cu_storage_unref(c->temporaries[i]);
        c->temporaries[i] = NULL;
    }
}

/* The storage that a slot is an address of, and the address, for `access`. */
static cu_storage *
replay_address(const replay *c, const slot *s, int access, char **out)
{
    cu_storage *storage;
    int64_t offset = s->offset;

    if (s->from == FROM_TEMPORARY) {
        storage = c->temporaries[s->which];
    } else {
        const cu_array *a = s->from == FROM_RESULT ? c->result : c->arrays[s->which];
        storage = a->storage;
        offset += a->offset;
    }
    *out = cu_storage_access(storage, access) + offset;
    return storage;
}

static cu_status
replay_upload(replay *c, int step)
{
    const py_step *l = c->plan->launches[step];
    char *to;
    cu_storage *const storage =
        replay_address(c, &c->plan->slots[c->slot++], CUPRIC_WRITE, &to);
    const cu_status st = l->device->backend->copy(to, l->bytes, l->nbytes[0],
                                                  CUPRIC_COPY_TO_DEVICE, c->stream);
    if (st == CUPRIC_OK && CUPRIC_UNLIKELY(py_recording != NULL)) {
        py_record_step(
            c->plan->launches[step],
            &(py_launched){
                .nargs = 1, .naddresses = 1, .addresses = {{0, 0, storage}}, .to = to});
    }
    return st;
}

static cu_status
replay_launch(replay *c, int step)
{
    const py_plan *p = c->plan;
    py_step *l = p->launches[step];
    const int first = c->slot;
    void *values[PY_LAUNCHED_MAX];
    py_address written[PY_LAUNCHED_MAX];
    char *addresses[PY_LAUNCHED_MAX];
    _Alignas(64) unsigned char views[VIEWS];
    unsigned used = 0;
    cu_status st;

    for (int i = 0; i < l->nargs; i++) values[i] = l->bytes + l->place[i];
    for (; c->slot < p->nslots && p->slots[c->slot].launch == step; c->slot++) {
        const slot *s = &p->slots[c->slot];
        const int i = s->arg, k = c->slot - first;
        written[k] = (py_address){
            i, s->at,
            replay_address(c, s, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE,
                           &addresses[k])};
        if (l->nbytes[i] == sizeof *addresses) {
            values[i] = &addresses[k];
            continue;
        }
        if (is_first(p, c->slot)) { /* views: shapes and strides beside addresses */
            memcpy(views + used, values[i], l->nbytes[i]);
            values[i] = views + used;
            used += (l->nbytes[i] + 63) & ~63u;
        }
        memcpy((char *)values[i] + s->at, &addresses[k], sizeof *addresses);
    }
    Py_BEGIN_ALLOW_THREADS
    st = c->stream->backend->launch(l->function, &l->config, values, c->stream);
    Py_END_ALLOW_THREADS
    if (st == CUPRIC_OK && CUPRIC_UNLIKELY(py_recording != NULL)) {
        py_launched again = {.device = l->device,
                             .function = l->function,
                             .kernel = l->kernel,
                             .config = &l->config,
                             .nargs = l->nargs,
                             .values = values,
                             .naddresses = c->slot - first};
        memcpy(again.addresses, written, sizeof *written * (size_t)(c->slot - first));
        py_record_step(l, &again);
    }
    return st;
}

static cu_status
replay_iteration(replay *c, int step)
{
    const py_plan *p = c->plan;
    py_step *l = p->launches[step];
    const cu_backend *backend = c->stream->backend;
    cu_storage *storages[PY_LAUNCHED_MAX];
    cu_iter it; /* what is not used is not set: it is large */
    cu_elementwise call = l->call;
    cu_status st;

    memcpy(&it, l->bytes, l->nbytes[0]);
    call.it = &it;
    for (int i = 0; i < l->nargs; i++) storages[i] = NULL;
    for (; c->slot < p->nslots && p->slots[c->slot].launch == step; c->slot++) {
        const slot *s = &p->slots[c->slot];
        storages[s->arg] =
            replay_address(c, s, CUPRIC_READ | CUPRIC_WRITE, &it.op[s->arg].ptr);
    }
    Py_BEGIN_ALLOW_THREADS
    st = l->kind == STEP_ELEMENTWISE ? backend->elementwise(&call, c->stream)
                                     : backend->convert(&it, c->stream);
    Py_END_ALLOW_THREADS
    if (st == CUPRIC_OK && CUPRIC_UNLIKELY(py_recording != NULL)) {
        py_record_iteration(l, &it, storages);
    }
    return st;
}

static cu_status
replay_step(replay *c, int step)
{
    switch (c->plan->launches[step]->kind) {
    case STEP_LAUNCH: return replay_launch(c, step);
    case STEP_UPLOAD: return replay_upload(c, step);
    default: return replay_iteration(c, step);
    }
}

static cu_status
replay_launches(replay *c)
{
    const int n = c->plan->nlaunches;
    cu_status st = CUPRIC_OK;

    for (int step = 0; step < n && !st; step++) {
        st = replay_allocate(c, step);
        if (!st) st = replay_step(c, step);
        replay_free(c, step);
    }
    if (st) replay_free(c, n);
    return st;
}

PyObject *
py_plan_call(py_plan *p, const py_replay_key *k)
{
    replay c = {.plan = p, .stream = cu_stream_current(p->device)};
    cu_array made;
    cu_status st = CUPRIC_OK;
    PyObject *result = NULL;

    for (int i = 0; i < k->narrays; i++) c.arrays[i] = py_array_get(k->arrays[i]);
    p->refcount++; /* other threads may drop it while this one launches */
    if (p->result < 0) {
        st = cu_array_init(&made, p->device, p->dtype, p->ndim, p->shape, 'C');
        if (st) goto done;
        c.result = &made;
    }
    st = replay_launches(&c);
    if (p->result >= 0) {
        if (!st) result = Py_NewRef(k->arrays[p->result]);
    } else if (st) {
        cu_array_release(&made);
    } else {
        result = py_array_new(&made);
    }

done:
    py_plan_unref(p);
    return st ? py_raise() : result;
}
