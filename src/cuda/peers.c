/* cuda/peers.c: the way from one device to another.
 *
 * A device that may reach another's memory reaches its pages too, those mapped later
 * included (pages.c). Each pair is tried once.
 */
#include "cuda/peers.h"

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/pages.h"

enum { NOT_TRIED, CONNECTED, NOT_REACHABLE };
static unsigned char peers[CUPRIC_CUDA_MAXDEVICES][CUPRIC_CUDA_MAXDEVICES]; /* atomic */

static CUresult
can_reach(int ordinal, int peer, bool *out)
{
    int value = 0;
    CUresult r = cu_drv()->DeviceCanAccessPeer(
        &value, cu_cuda_device_at(ordinal)->device, cu_cuda_device_at(peer)->device);

    *out = !r && value;
    return r;
}

cu_status
cu_cuda_peer_query(int ordinal, int peer, bool *out)
{
    CUresult r = can_reach(ordinal, peer, out);

    return r ? cu_cuda_fail(r, "asking for the way between two devices") : CUPRIC_OK;
}

cu_status
cu_cuda_peer_enable(int ordinal, int peer)
{
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(peer);

    if (!st) st = cu_cuda_context(ordinal);
    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->CtxEnablePeerAccess(cu_cuda_device_at(peer)->context, 0);
    cu_cuda_capture_mode(mode);
    if (r && r != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
        return cu_cuda_fail(r, "enabling access between two devices");
    }
    st = cu_cuda_pages_share(peer, ordinal);
    if (st) return st;
    __atomic_store_n(&peers[ordinal][peer], CONNECTED, __ATOMIC_RELEASE);
    return CUPRIC_OK;
}

static void
connect_one_way(int ordinal, int peer)
{
    bool can = false;

    if (__atomic_load_n(&peers[ordinal][peer], __ATOMIC_ACQUIRE) != NOT_TRIED) return;
    if (can_reach(ordinal, peer, &can) || !can || cu_cuda_peer_enable(ordinal, peer)) {
        __atomic_store_n(&peers[ordinal][peer], NOT_REACHABLE, __ATOMIC_RELEASE);
    }
}

void
cu_cuda_peers_connect(int a, int b)
{
    CUcontext now = NULL;

    if (CUPRIC_LIKELY(__atomic_load_n(&peers[a][b], __ATOMIC_ACQUIRE) != NOT_TRIED &&
                      __atomic_load_n(&peers[b][a], __ATOMIC_ACQUIRE) != NOT_TRIED)) {
        return;
    }
    if (a == b) return;
    cu_drv()->CtxGetCurrent(&now);
    connect_one_way(a, b);
    connect_one_way(b, a);
    cu_drv()->CtxSetCurrent(now);
}
