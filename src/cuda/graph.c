/* cuda/graph.c: capturing work into graphs, by the driver.
 *
 * The driver records what a stream is given. What it cannot record it refuses, and most
 * refusals make the capture invalid; so our own calls that would be refused are stopped
 * before (graph.h). A recording keeps what its nodes will need: bytes that came from the
 * host, plans of transforms.
 */
#include "cuda/graph.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"

typedef struct kept {
    void *p;
    void (*release)(void *p);
    struct kept *next;
} kept;

struct cu_graph {
    CUgraph graph;
    CUgraphExec exec;
    int ordinal;
    CUstream stream; /* that began the capture */
    cuuint64_t id;
    kept *kept;     /* owned */
    cu_graph *next; /* in `open` */
};

atomic_int cu_cuda_ncaptures;

static cu_graph *open_graphs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list, `kept` */

/* ---- captures ------------------------------------------------------------------------ */

/* The number of the capture that a stream takes part in; 0: none. */
static CUresult
read_id(CUstream stream, cuuint64_t *out)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    CUresult r;

#if CUDA_VERSION >= 13000
    r = cu_drv()->StreamGetCaptureInfo(stream, &status, &id, NULL, NULL, NULL, NULL);
#else
    r = cu_drv()->StreamGetCaptureInfo(stream, &status, &id, NULL, NULL, NULL);
#endif
    /* The legacy stream cannot say so while another is captured. */
    if (r == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) r = CUDA_SUCCESS;
    *out = status == CU_STREAM_CAPTURE_STATUS_NONE ? 0 : id;
    return r;
}

bool
cu_cuda_capture_lookup(CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

    if (!stream) return false;
    return !cu_drv()->StreamIsCapturing(stream, &status) &&
           status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUstreamCaptureMode
cu_cuda_capture_mode(CUstreamCaptureMode mode)
{
    cu_drv()->ThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

cu_status
cu_cuda_capture_refused(const char *what)
{
    return cu_fail(CUPRIC_ERR_DEVICE,
                   "cudaErrorStreamCaptureUnsupported: operation not permitted when "
                   "stream is capturing (%s)",
                   what);
}

bool
cu_cuda_capture_on(int ordinal)
{
    bool found = false;

    if (CUPRIC_LIKELY(!atomic_load(&cu_cuda_ncaptures))) return false;
    pthread_mutex_lock(&lock);
    for (const cu_graph *g = open_graphs; g; g = g->next)
        found |= g->ordinal == ordinal;
    pthread_mutex_unlock(&lock);
    return found;
}

cu_status
cu_cuda_capture_begin(cu_stream *s, cu_capture_mode mode)
{
    static const CUstreamCaptureMode modes[] = {CU_STREAM_CAPTURE_MODE_GLOBAL,
                                                CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
                                                CU_STREAM_CAPTURE_MODE_RELAXED};
    cu_graph *g;
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    if (!cu_cuda_stream(s)) {
        return cu_cuda_capture_refused("the default stream cannot be captured: make a "
                                       "Stream");
    }
    g = calloc(1, sizeof *g);
    if (!g) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a graph");
    g->ordinal = s->ordinal;
    g->stream = cu_cuda_stream(s);
    r = cu_drv()->StreamBeginCapture(g->stream, modes[mode]);
    if (!r) r = read_id(g->stream, &g->id);
    if (r) {
        free(g);
        return cu_cuda_fail(r, "beginning a capture");
    }
    pthread_mutex_lock(&lock);
    g->next = open_graphs;
    open_graphs = g;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&cu_cuda_ncaptures, 1);
    return CUPRIC_OK;
}

static cu_graph *
take_open(CUstream stream)
{
    cu_graph *g, **link;

    pthread_mutex_lock(&lock);
    for (link = &open_graphs; *link && (*link)->stream != stream;) {
        link = &(*link)->next;
    }
    g = *link;
    if (g) *link = g->next;
    pthread_mutex_unlock(&lock);
    if (g) atomic_fetch_sub(&cu_cuda_ncaptures, 1);
    return g;
}

cu_status
cu_cuda_capture_end(cu_stream *s, cu_graph **out)
{
    const CUstream stream = cu_cuda_stream(s);
    CUgraph graph = NULL;
    cu_graph *g;
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    r = cu_drv()->StreamEndCapture(stream, &graph);
    g = take_open(stream);
    if (r) {
        cu_cuda_graph_free(g);
        return cu_cuda_fail(r, "ending a capture");
    }
    if (!g) {
        cu_drv()->GraphDestroy(graph);
        return cu_fail(CUPRIC_ERR_RUNTIME, "another library began this capture");
    }
    g->graph = graph;
    r = cu_drv()->GraphInstantiateWithFlags(&g->exec, graph, 0);
    if (r) {
        cu_cuda_graph_free(g);
        return cu_cuda_fail(r, "making a captured graph ready to launch");
    }
    *out = g;
    return CUPRIC_OK;
}

cu_status
cu_cuda_capture_id(cu_stream *s, uint64_t *out)
{
    cuuint64_t id = 0;
    CUresult r;
    cu_status st;

    if (!cu_cuda_stream(s)) {
        *out = 0;
        return CUPRIC_OK;
    }
    st = cu_cuda_context(s->ordinal);
    if (st) return st;
    r = read_id(cu_cuda_stream(s), &id);
    if (r) return cu_cuda_fail(r, "asking for a stream's capture");
    *out = id;
    return CUPRIC_OK;
}

cu_status
cu_cuda_capture_keep(CUstream stream, void *p, void (*release)(void *p))
{
    kept *k = malloc(sizeof *k); /* owned, then the capture's */
    cuuint64_t id = 0;
    cu_graph *g = NULL;

    if (!k) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a graph");
    pthread_mutex_lock(&lock);
    if (!read_id(stream, &id) && id) {
        for (g = open_graphs; g && g->id != id;) g = g->next;
    }
    if (g) {
        *k = (kept){p, release, g->kept};
        g->kept = k;
    }
    pthread_mutex_unlock(&lock);
    if (g) return CUPRIC_OK;
    free(k);
    return cu_cuda_capture_refused("another library captures this stream");
}

/* ---- graphs -------------------------------------------------------------------------- */

cu_status
cu_cuda_graph_launch(cu_graph *g, cu_stream *s)
{
    CUresult r;
    cu_status st = cu_cuda_context(g->ordinal);

    if (st) return st;
    st = cu_cuda_capture_refuse(cu_cuda_stream(s), "a graph within a graph");
    if (st) return st;
    r = cu_drv()->GraphLaunch(g->exec, cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "launching a graph") : CUPRIC_OK;
}

cu_status
cu_cuda_graph_upload(cu_graph *g, cu_stream *s)
{
    CUresult r;
    cu_status st = cu_cuda_context(g->ordinal);

    if (st) return st;
    r = cu_drv()->GraphUpload(g->exec, cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "uploading a graph") : CUPRIC_OK;
}

cu_status
cu_cuda_graph_print(cu_graph *g, unsigned flags, const char *path)
{
    CUresult r = cu_drv()->GraphDebugDotPrint(g->graph, path, flags);

    return r ? cu_cuda_fail(r, "printing a graph") : CUPRIC_OK;
}

void
cu_cuda_graph_handles(const cu_graph *g, void **graph, void **executable)
{
    *graph = g->graph;
    *executable = g->exec;
}

void
cu_cuda_graph_free(cu_graph *g)
{
    kept *next;

    if (!g || cu_cuda_context(g->ordinal)) return;
    if (g->exec) cu_drv()->GraphExecDestroy(g->exec);
    if (g->graph) cu_drv()->GraphDestroy(g->graph);
    for (kept *k = g->kept; k; k = next) {
        next = k->next;
        k->release(k->p);
        free(k);
    }
    free(g);
}
