/* ops/counting.c: see counting.h. */
#include "ops/counting.h"

#include "ops/execute.h"
#include "ops/iter.h"

/* The memory of `a` as dense elements of `t`: its own, or that of *copy, which is made. */
static cu_status
dense_memory(const cu_array *a, cu_dtype t, cu_array *copy, const char **out)
{
    cu_status st = CUPRIC_OK;

    if (a->dtype != t || !cu_array_is_contiguous(a)) {
        st = cu_array_cast(a, t, 'C', copy);
        a = copy;
    }
    if (!st) *out = cu_array_access(a, CUPRIC_READ);
    return st;
}

cu_status
cu_array_count(const cu_counting *what, cu_array *out)
{
    const cu_array *arrays[3] = {what->values, what->edges, what->weights};
    cu_histogram call = {.dtype = what->values->dtype,
                         .size = what->values->size,
                         .even = what->even,
                         .nbins = what->nbins};
    cu_array copies[3] = {cu_array_none(), cu_array_none(),
                          cu_array_none()}; /* owned */
    cu_device *device = NULL;
    const char *memory[3] = {NULL, NULL, NULL};
    const cu_dtype type = what->weights ? CUPRIC_FLOAT64 : CUPRIC_INT64;
    cu_status st;

    st = cu_common_device(3, arrays, &device);
    if (!st) st = cu_array_init(out, device, type, 1, &what->nbins, 'C');
    if (st) return st;
    if (out->size)
        st = device->backend->fill(cu_array_access(out, CUPRIC_WRITE), 0,
                                   (size_t)out->size * sizeof(int64_t),
                                   cu_stream_current(device));
    if (st || out->size == 0 || call.size == 0) goto done;
    for (int i = 0; i < 3 && !st; i++) {
        const cu_array *a = arrays[i];
        if (a) st = dense_memory(a, i == 2 ? type : a->dtype, &copies[i], &memory[i]);
    }
    if (st) goto done;
    call.values = memory[0];
    call.edges = memory[1];
    if (what->edges) call.edge_dtype = what->edges->dtype;
    call.weights = (const double *)memory[2];
    call.counts = cu_array_access(out, CUPRIC_WRITE);
    st = device->backend->histogram(&call, cu_stream_current(device));

done:
    for (int i = 0; i < 3; i++) cu_array_release(&copies[i]);
    if (st) cu_array_release(out);
    return st;
}
