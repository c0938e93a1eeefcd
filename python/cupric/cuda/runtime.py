"""The CUDA runtime's interface, for programs that speak it.

Handles and addresses are ints, as there. The objects behind them are kept until they
are destroyed or freed.
"""

from cupric._core import CUDARuntimeError
from cupric.cuda._constants import *  # noqa: F403
from cupric.cuda._runtime._devices import (
    deviceCanAccessPeer,
    deviceDisablePeerAccess,
    deviceEnablePeerAccess,
    deviceGetAttribute,
    deviceGetByPCIBusId,
    deviceGetLimit,
    deviceGetPCIBusId,
    deviceSetLimit,
    deviceSynchronize,
    driverGetVersion,
    getDevice,
    getDeviceCount,
    getDeviceProperties,
    profilerStart,
    profilerStop,
    runtimeGetVersion,
    setDevice,
)
from cupric.cuda._runtime._graphs import (
    graphDebugDotPrint,
    graphDestroy,
    graphExecDestroy,
    graphInstantiate,
    graphLaunch,
    graphUpload,
    streamBeginCapture,
    streamEndCapture,
)
from cupric.cuda._runtime._handles import (
    check_status,
)
from cupric.cuda._runtime._memory import (
    PointerAttributes,
    free,
    freeAsync,
    freeHost,
    hostAlloc,
    hostRegister,
    hostUnregister,
    malloc,
    mallocAsync,
    mallocManaged,
    memAdvise,
    memcpy,
    memcpy2D,
    memcpy2DAsync,
    memcpyAsync,
    memcpyPeer,
    memcpyPeerAsync,
    memGetInfo,
    memPrefetchAsync,
    memset,
    memsetAsync,
    pointerGetAttributes,
    pointerGetMemoryType,
)
from cupric.cuda._runtime._pools import (
    MemPoolProps,
    deviceGetDefaultMemPool,
    deviceGetMemPool,
    deviceSetMemPool,
    ipcCloseMemHandle,
    ipcGetEventHandle,
    ipcGetMemHandle,
    ipcOpenEventHandle,
    ipcOpenMemHandle,
    mallocFromPoolAsync,
    memPoolCreate,
    memPoolDestroy,
    memPoolGetAttribute,
    memPoolSetAttribute,
    memPoolTrimTo,
)
from cupric.cuda._runtime._streams import (
    eventCreate,
    eventCreateWithFlags,
    eventDestroy,
    eventElapsedTime,
    eventQuery,
    eventRecord,
    eventSynchronize,
    launchHostFunc,
    streamAddCallback,
    streamCreate,
    streamCreateWithFlags,
    streamCreateWithPriority,
    streamDestroy,
    streamGetFlags,
    streamGetPriority,
    streamIsCapturing,
    streamQuery,
    streamSynchronize,
    streamWaitEvent,
)
from cupric.cuda._runtime._textures import (
    createSurfaceObject,
    createTextureObject,
    destroySurfaceObject,
    destroyTextureObject,
    freeArray,
    malloc3DArray,
    mallocArray,
    memcpy2DFromArray,
    memcpy2DFromArrayAsync,
    memcpy2DToArray,
    memcpy2DToArrayAsync,
    memcpy3D,
    memcpy3DAsync,
)

is_hip = False
