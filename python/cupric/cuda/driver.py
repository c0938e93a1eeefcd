"""The driver's interface, for programs that speak it. Handles and addresses are ints.

On the host device, which has no driver, every function raises NotImplementedError.
"""

import ctypes

from cupric._core import CUDARuntimeError
from cupric.cuda import _driver

__all__ = [
    "CUDADriverError",
    "CUDA_ERROR_INVALID_VALUE",
    "CU_AD_FORMAT_FLOAT",
    "CU_AD_FORMAT_HALF",
    "CU_AD_FORMAT_SIGNED_INT16",
    "CU_AD_FORMAT_SIGNED_INT32",
    "CU_AD_FORMAT_SIGNED_INT8",
    "CU_AD_FORMAT_UNSIGNED_INT16",
    "CU_AD_FORMAT_UNSIGNED_INT32",
    "CU_AD_FORMAT_UNSIGNED_INT8",
    "CU_FUNC_ATTRIBUTE_BINARY_VERSION",
    "CU_FUNC_ATTRIBUTE_CACHE_MODE_CA",
    "CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES",
    "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES",
    "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
    "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK",
    "CU_FUNC_ATTRIBUTE_NUM_REGS",
    "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT",
    "CU_FUNC_ATTRIBUTE_PTX_VERSION",
    "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES",
    "CU_JIT_CACHE_MODE",
    "CU_JIT_ERROR_LOG_BUFFER",
    "CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES",
    "CU_JIT_FALLBACK_STRATEGY",
    "CU_JIT_FAST_COMPILE",
    "CU_JIT_FMA",
    "CU_JIT_FTZ",
    "CU_JIT_GENERATE_DEBUG_INFO",
    "CU_JIT_GENERATE_LINE_INFO",
    "CU_JIT_GLOBAL_SYMBOL_ADDRESSES",
    "CU_JIT_GLOBAL_SYMBOL_COUNT",
    "CU_JIT_GLOBAL_SYMBOL_NAMES",
    "CU_JIT_INFO_LOG_BUFFER",
    "CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES",
    "CU_JIT_INPUT_CUBIN",
    "CU_JIT_INPUT_FATBINARY",
    "CU_JIT_INPUT_LIBRARY",
    "CU_JIT_INPUT_NVVM",
    "CU_JIT_INPUT_OBJECT",
    "CU_JIT_INPUT_PTX",
    "CU_JIT_LOG_VERBOSE",
    "CU_JIT_LTO",
    "CU_JIT_MAX_REGISTERS",
    "CU_JIT_NEW_SM3X_OPT",
    "CU_JIT_NUM_OPTIONS",
    "CU_JIT_OPTIMIZATION_LEVEL",
    "CU_JIT_PREC_DIV",
    "CU_JIT_PREC_SQRT",
    "CU_JIT_TARGET",
    "CU_JIT_TARGET_FROM_CUCONTEXT",
    "CU_JIT_THREADS_PER_BLOCK",
    "CU_JIT_WALL_TIME",
    "CU_TRSA_OVERRIDE_FORMAT",
    "CU_TRSF_NORMALIZED_COORDINATES",
    "CU_TRSF_READ_AS_INTEGER",
    "CU_TRSF_SRGB",
    "CU_TR_ADDRESS_MODE_BORDER",
    "CU_TR_ADDRESS_MODE_CLAMP",
    "CU_TR_ADDRESS_MODE_MIRROR",
    "CU_TR_ADDRESS_MODE_WRAP",
    "CU_TR_FILTER_MODE_LINEAR",
    "CU_TR_FILTER_MODE_POINT",
    "check_status",
    "ctxCreate",
    "ctxDestroy",
    "ctxGetCurrent",
    "ctxGetDevice",
    "ctxSetCurrent",
    "devicePrimaryCtxRelease",
    "funcGetAttribute",
    "funcSetAttribute",
    "get_build_version",
    "launchCooperativeKernel",
    "launchKernel",
    "linkAddData",
    "linkAddFile",
    "linkComplete",
    "linkCreate",
    "linkDestroy",
    "moduleGetFunction",
    "moduleGetGlobal",
    "moduleLoad",
    "moduleLoadData",
    "moduleUnload",
    "occupancyMaxActiveBlocksPerMultiprocessor",
    "occupancyMaxPotentialBlockSize",
    "streamGetCtx",
]

CUDA_ERROR_INVALID_VALUE = 1
CU_AD_FORMAT_FLOAT = 32
CU_AD_FORMAT_HALF = 16
CU_AD_FORMAT_SIGNED_INT16 = 9
CU_AD_FORMAT_SIGNED_INT32 = 10
CU_AD_FORMAT_SIGNED_INT8 = 8
CU_AD_FORMAT_UNSIGNED_INT16 = 2
CU_AD_FORMAT_UNSIGNED_INT32 = 3
CU_AD_FORMAT_UNSIGNED_INT8 = 1
CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6
CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7
CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2
CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3
CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0
CU_FUNC_ATTRIBUTE_NUM_REGS = 4
CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9
CU_FUNC_ATTRIBUTE_PTX_VERSION = 5
CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1
CU_JIT_CACHE_MODE = 14
CU_JIT_ERROR_LOG_BUFFER = 5
CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
CU_JIT_FALLBACK_STRATEGY = 10
CU_JIT_FAST_COMPILE = 16
CU_JIT_FMA = 24
CU_JIT_FTZ = 21
CU_JIT_GENERATE_DEBUG_INFO = 11
CU_JIT_GENERATE_LINE_INFO = 13
CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18
CU_JIT_GLOBAL_SYMBOL_COUNT = 19
CU_JIT_GLOBAL_SYMBOL_NAMES = 17
CU_JIT_INFO_LOG_BUFFER = 3
CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4
CU_JIT_INPUT_CUBIN = 0
CU_JIT_INPUT_FATBINARY = 2
CU_JIT_INPUT_LIBRARY = 4
CU_JIT_INPUT_NVVM = 5
CU_JIT_INPUT_OBJECT = 3
CU_JIT_INPUT_PTX = 1
CU_JIT_LOG_VERBOSE = 12
CU_JIT_LTO = 20
CU_JIT_MAX_REGISTERS = 0
CU_JIT_NEW_SM3X_OPT = 15
CU_JIT_NUM_OPTIONS = 35
CU_JIT_OPTIMIZATION_LEVEL = 7
CU_JIT_PREC_DIV = 22
CU_JIT_PREC_SQRT = 23
CU_JIT_TARGET = 9
CU_JIT_TARGET_FROM_CUCONTEXT = 8
CU_JIT_THREADS_PER_BLOCK = 1
CU_JIT_WALL_TIME = 2
CU_TRSA_OVERRIDE_FORMAT = 1
CU_TRSF_NORMALIZED_COORDINATES = 2
CU_TRSF_READ_AS_INTEGER = 1
CU_TRSF_SRGB = 16
CU_TR_ADDRESS_MODE_BORDER = 3
CU_TR_ADDRESS_MODE_CLAMP = 1
CU_TR_ADDRESS_MODE_MIRROR = 2
CU_TR_ADDRESS_MODE_WRAP = 0
CU_TR_FILTER_MODE_LINEAR = 1
CU_TR_FILTER_MODE_POINT = 0


class CUDADriverError(CUDARuntimeError):
    """What the driver answered: that a module has no such kernel, for one.

    Parameters
    ----------
    status : int or str
        The driver's number of the failure, or a message that begins with its name.
    """

    def __init__(self, status):
        if isinstance(status, str):
            super().__init__(status)
            return
        name, text = ctypes.c_char_p(), ctypes.c_char_p()
        for function, out in ("cuGetErrorName", name), ("cuGetErrorString", text):
            _driver.answer(function, ctypes.c_int(status), ctypes.byref(out))
        described = [(part.value or b"?").decode() for part in (name, text)]
        super().__init__(": ".join(described))
        self.status = status


def check_status(status):
    """Raise CUDADriverError unless `status` is 0."""
    if status != 0:
        raise CUDADriverError(status)


def _call(name, *args):
    status = _driver.answer(name, *args)
    if status is None:
        raise NotImplementedError(f"the host device has no driver: no {name}")
    check_status(status)


def _made(name, *args, kind=ctypes.c_void_p):
    """What a function writes through its first argument."""
    out = kind()
    _call(name, ctypes.byref(out), *args)
    return out.value or 0


def get_build_version():
    """The version of CUDA's headers at the build, or the driver's if that is older."""
    from cupric import _core

    return _core.versions()[1]


# ---- contexts ----------------------------------------------------------------------


def ctxCreate(dev):
    """A new context of a device, as the current one. Arrays keep to the primary one."""
    return _made("cuCtxCreate_v2", ctypes.c_uint(0), _device(dev))


def ctxDestroy(ctx):
    """End a context of ctxCreate."""
    _call("cuCtxDestroy_v2", _driver.pointer(ctx))


def ctxGetCurrent():
    """The context of the current device, in which arrays are."""
    return _made("cuCtxGetCurrent")


def ctxGetDevice():
    """The current device's number, as the driver counts."""
    return _made("cuCtxGetDevice", kind=ctypes.c_int)


def ctxSetCurrent(ctx):
    """Make a context the thread's, until an array is next worked with."""
    _call("cuCtxSetCurrent", _driver.pointer(ctx))


def devicePrimaryCtxRelease(dev):
    """Let go of a device's primary context once."""
    _call("cuDevicePrimaryCtxRelease_v2", _device(dev))


def streamGetCtx(stream):
    """The context that a stream is of."""
    out = ctypes.c_void_p()
    _call("cuStreamGetCtx", _driver.pointer(stream), ctypes.byref(out))
    return out.value or 0


def _device(ordinal):
    return ctypes.c_int(_made("cuDeviceGet", ctypes.c_int(ordinal), kind=ctypes.c_int))


# ---- modules -----------------------------------------------------------------------


def moduleLoad(filename):
    """The handle of a module read from a file."""
    return _made("cuModuleLoad", filename.encode())


def moduleLoadData(image):
    """The handle of a module in memory: a binary, or assembly as bytes or str."""
    data = image.encode() if isinstance(image, str) else bytes(image)
    return _made("cuModuleLoadData", ctypes.c_char_p(data))


def moduleUnload(module):
    """End a module."""
    _call("cuModuleUnload", _driver.pointer(module))


def moduleGetFunction(module, funcname):
    """The handle of a kernel of a module."""
    return _made("cuModuleGetFunction", _driver.pointer(module), funcname.encode())


def moduleGetGlobal(module, varname):
    """The address of a variable of a module."""
    ptr, nbytes = ctypes.c_void_p(), ctypes.c_size_t()
    where = ctypes.byref(ptr), ctypes.byref(nbytes)
    _call("cuModuleGetGlobal_v2", *where, _driver.pointer(module), varname.encode())
    return ptr.value or 0


class _LinkState:
    """A link under way: its handle, and what must stay until it is done."""

    def __init__(self):
        self.handle = ctypes.c_void_p()
        self.kept = []


_links = {}


def linkCreate():
    """The handle of a new link of assembly and objects."""
    state = _LinkState()
    none = ctypes.c_uint(0), None, None
    _call("cuLinkCreate_v2", *none, ctypes.byref(state.handle))
    _links[state.handle.value] = state
    return state.handle.value


def linkAddData(state, input_type, data, name):
    """Add what is in memory; `input_type` is one of the ``CU_JIT_INPUT_…`` numbers."""
    data = data.encode() if isinstance(data, str) else bytes(data)
    _links[state].kept.append(data)
    nbytes = len(data) + (input_type == CU_JIT_INPUT_PTX)  # text, with its end
    what = ctypes.c_int(input_type), ctypes.c_char_p(data), _driver.size(nbytes)
    none = ctypes.c_uint(0), None, None
    _call("cuLinkAddData_v2", _driver.pointer(state), *what, name.encode(), *none)


def linkAddFile(state, input_type, path):
    """Add a file."""
    what = ctypes.c_int(input_type), path.encode()
    none = ctypes.c_uint(0), None, None
    _call("cuLinkAddFile_v2", _driver.pointer(state), *what, *none)


def linkComplete(state):
    """The binary that was linked, as bytes."""
    data, nbytes = ctypes.c_void_p(), ctypes.c_size_t()
    out = ctypes.byref(data), ctypes.byref(nbytes)
    _call("cuLinkComplete", _driver.pointer(state), *out)
    return ctypes.string_at(data.value, nbytes.value)


def linkDestroy(state):
    """End a link."""
    _call("cuLinkDestroy", _driver.pointer(state))
    _links.pop(state, None)


# ---- functions ---------------------------------------------------------------------


def funcGetAttribute(attribute, f):
    """An attribute of a kernel, by its ``CU_FUNC_ATTRIBUTE_…`` number."""
    what = ctypes.c_int(attribute), _driver.pointer(f)
    return _made("cuFuncGetAttribute", *what, kind=ctypes.c_int)


def funcSetAttribute(f, attribute, value):
    """Set an attribute of a kernel."""
    what = ctypes.c_int(attribute), ctypes.c_int(value)
    _call("cuFuncSetAttribute", _driver.pointer(f), *what)


def _launch(name, f, grid, block, shared, stream, *rest):
    sizes = [ctypes.c_uint(n) for n in (*grid, *block, shared)]
    rest = [_driver.pointer(p) for p in rest]
    _call(name, _driver.pointer(f), *sizes, _driver.pointer(stream), *rest)


def launchKernel(
    f,
    grid_dim_x,
    grid_dim_y,
    grid_dim_z,
    block_dim_x,
    block_dim_y,
    block_dim_z,
    shared_mem_bytes,
    stream,
    kernel_params,
    extra,
):
    """Launch a kernel; `kernel_params` is the address of its arguments' addresses."""
    grid = grid_dim_x, grid_dim_y, grid_dim_z
    block = block_dim_x, block_dim_y, block_dim_z
    rest = shared_mem_bytes, stream, kernel_params, extra
    _launch("cuLaunchKernel", f, grid, block, *rest)


def launchCooperativeKernel(
    f,
    grid_dim_x,
    grid_dim_y,
    grid_dim_z,
    block_dim_x,
    block_dim_y,
    block_dim_z,
    shared_mem_bytes,
    stream,
    kernel_params,
):
    """The same, of a kernel whose blocks wait for each other."""
    grid = grid_dim_x, grid_dim_y, grid_dim_z
    block = block_dim_x, block_dim_y, block_dim_z
    rest = shared_mem_bytes, stream, kernel_params
    _launch("cuLaunchCooperativeKernel", f, grid, block, *rest)


def occupancyMaxActiveBlocksPerMultiprocessor(func, blockSize, dynamicSMemSize):
    """How many blocks of a kernel a multiprocessor runs at a time."""
    sizes = ctypes.c_int(blockSize), _driver.size(dynamicSMemSize)
    name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    return _made(name, _driver.pointer(func), *sizes, kind=ctypes.c_int)


def occupancyMaxPotentialBlockSize(func, dynamicSMemSize, blockSizeLimit):
    """(blocks, threads of a block) that keep the device busiest."""
    blocks, threads = ctypes.c_int(), ctypes.c_int()
    out = ctypes.byref(blocks), ctypes.byref(threads)
    sizes = _driver.size(dynamicSMemSize), ctypes.c_int(blockSizeLimit)
    name = "cuOccupancyMaxPotentialBlockSize"
    _call(name, *out, _driver.pointer(func), None, *sizes)
    return blocks.value, threads.value
