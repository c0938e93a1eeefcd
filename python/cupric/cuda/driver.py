"""The driver's interface, for programs that call it. Handles and addresses are ints.

On the host device, which has no driver, every function raises NotImplementedError.

Examples
--------
A CUDA device is needed, as by the functions' own examples, which go on from here.

>>> from cupric.cuda import compiler, driver
>>> source = '''
... extern "C" __device__ float answer = 42;
... extern "C" __global__ void fill(float *x) { x[threadIdx.x] = answer; }
... '''
>>> image, _ = compiler.compile_using_nvrtc(source)  # doctest: +SKIP
>>> module = driver.moduleLoadData(image)  # doctest: +SKIP
>>> kernel = driver.moduleGetFunction(module, "fill")  # doctest: +SKIP
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
_CUDA_ERROR_INVALID_HANDLE = 400
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


def __dir__():
    return __all__


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
        described = [part.value.decode() for part in (name, text) if part.value]
        super().__init__(": ".join(described) or f"error {status} of CUDA's driver")
        self.status = status


def check_status(status):
    """Raise CUDADriverError unless `status` is 0.

    Parameters
    ----------
    status : int
        What a function of the driver returned, a CUresult.

    Raises
    ------
    CUDADriverError
        With the name and the description of the error.

    Examples
    --------
    >>> cp.cuda.driver.check_status(0)
    """
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
    """The version of CUDA's headers at the build, or the driver's if that is older.

    Returns
    -------
    int
        13000 for 13.0; 0 on the host device.

    Examples
    --------
    >>> version = cp.cuda.driver.get_build_version()
    >>> major, minor = version // 1000, version % 1000 // 10
    """
    from cupric import _core

    return _core.versions()[1]


# ---- contexts ----------------------------------------------------------------------


def ctxCreate(dev):
    """A new context of a device, which becomes the thread's current one.

    Arrays stay in the device's primary context, which is current again when one is next
    worked with.

    Parameters
    ----------
    dev : int
        The device's number, as the driver counts.

    Returns
    -------
    int
        The context, for `ctxDestroy`.

    Examples
    --------
    >>> context = driver.ctxCreate(0)  # doctest: +SKIP
    >>> driver.ctxDestroy(context)  # doctest: +SKIP
    """
    return _made("cuCtxCreate_v2", ctypes.c_uint(0), _device(dev))


def ctxDestroy(ctx):
    """Destroy a context of ctxCreate, and what was allocated in it.

    Parameters
    ----------
    ctx : int

    Examples
    --------
    >>> context = driver.ctxCreate(0)  # doctest: +SKIP
    >>> driver.ctxDestroy(context)  # doctest: +SKIP
    """
    _call("cuCtxDestroy_v2", _driver.pointer(ctx))


def ctxGetCurrent():
    """The context of the current device, which arrays are in.

    Returns
    -------
    int

    Examples
    --------
    >>> driver.ctxGetCurrent() != 0  # doctest: +SKIP
    True
    """
    return _made("cuCtxGetCurrent")


def ctxGetDevice():
    """The device of the current context.

    Returns
    -------
    int
        Its number, as the driver counts.

    Examples
    --------
    >>> driver.ctxGetDevice()  # doctest: +SKIP
    0
    """
    return _made("cuCtxGetDevice", kind=ctypes.c_int)


def ctxSetCurrent(ctx):
    """Make a context the thread's current one, until an array is next worked with.

    Parameters
    ----------
    ctx : int

    Examples
    --------
    >>> driver.ctxSetCurrent(driver.ctxGetCurrent())  # doctest: +SKIP
    """
    _call("cuCtxSetCurrent", _driver.pointer(ctx))


def devicePrimaryCtxRelease(dev):
    """Release a device's primary context once.

    The package retains the context of each device that it uses: who releases it has to
    have retained it.

    Parameters
    ----------
    dev : int
        The device's number, as the driver counts.

    Examples
    --------
    >>> driver.devicePrimaryCtxRelease(0)  # doctest: +SKIP
    """
    _call("cuDevicePrimaryCtxRelease_v2", _device(dev))


def streamGetCtx(stream):
    """The context of a stream.

    Parameters
    ----------
    stream : int
        The stream's handle, ``ptr`` of a `cupric.cuda.Stream`.

    Returns
    -------
    int

    Examples
    --------
    >>> stream = cp.cuda.Stream()
    >>> driver.streamGetCtx(stream.ptr) == driver.ctxGetCurrent()  # doctest: +SKIP
    True
    """
    out = ctypes.c_void_p()
    _call("cuStreamGetCtx", _driver.pointer(stream), ctypes.byref(out))
    return out.value or 0


def _device(ordinal):
    return ctypes.c_int(_made("cuDeviceGet", ctypes.c_int(ordinal), kind=ctypes.c_int))


# ---- modules -----------------------------------------------------------------------


def moduleLoad(filename):
    """Load a module from a file.

    Parameters
    ----------
    filename : str
        Of a cubin, a fatbin or PTX.

    Returns
    -------
    int
        The module, for `moduleUnload`.

    Examples
    --------
    >>> with open("fill.cubin", "wb") as file:  # doctest: +SKIP
    ...     size = file.write(image)
    >>> loaded = driver.moduleLoad("fill.cubin")  # doctest: +SKIP
    >>> driver.moduleUnload(loaded)  # doctest: +SKIP
    """
    return _made("cuModuleLoad", filename.encode())


def moduleLoadData(image):
    """Load a module from memory.

    Parameters
    ----------
    image : bytes or str
        A cubin, a fatbin or PTX.

    Returns
    -------
    int
        The module, for `moduleUnload`.

    Raises
    ------
    CUDADriverError
        The image is none, or has nothing for this device.

    Examples
    --------
    >>> loaded = driver.moduleLoadData(image)  # doctest: +SKIP
    >>> driver.moduleUnload(loaded)  # doctest: +SKIP
    """
    data = image.encode() if isinstance(image, str) else bytes(image)
    return _made("cuModuleLoadData", ctypes.c_char_p(data))


def moduleUnload(module):
    """Unload a module, of which no kernel may be running.

    Parameters
    ----------
    module : int

    Examples
    --------
    >>> loaded = driver.moduleLoadData(image)  # doctest: +SKIP
    >>> driver.moduleUnload(loaded)  # doctest: +SKIP
    """
    _call("cuModuleUnload", _driver.pointer(module))


def moduleGetFunction(module, funcname):
    """The handle of a module's kernel.

    Parameters
    ----------
    module : int
    funcname : str
        Its name in the machine code, mangled unless it is ``extern "C"``.

    Returns
    -------
    int

    Raises
    ------
    CUDADriverError
        There is no such kernel: CUDA_ERROR_NOT_FOUND.

    Examples
    --------
    >>> driver.moduleGetFunction(module, "fill") != 0  # doctest: +SKIP
    True
    """
    return _made("cuModuleGetFunction", _driver.pointer(module), funcname.encode())


def moduleGetGlobal(module, varname):
    """The address of a module's variable.

    Parameters
    ----------
    module : int
    varname : str
        Its name in the machine code.

    Returns
    -------
    int
        On the device.

    Raises
    ------
    CUDADriverError
        There is no such variable: CUDA_ERROR_NOT_FOUND.

    Examples
    --------
    >>> driver.moduleGetGlobal(module, "answer") != 0  # doctest: +SKIP
    True
    """
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


def _link(handle):
    """The state of a link under way. Of any other the driver would read the memory."""
    if handle not in _links:
        raise CUDADriverError(_CUDA_ERROR_INVALID_HANDLE)
    return _links[handle]


def linkCreate():
    """Begin to link PTX and object files.

    Returns
    -------
    int
        The link, for `linkDestroy`.

    Examples
    --------
    >>> ptx, _ = compiler.compile_using_nvrtc(source, method="ptx")  # doctest: +SKIP
    >>> link, kind = driver.linkCreate(), driver.CU_JIT_INPUT_PTX  # doctest: +SKIP
    >>> driver.linkAddData(link, kind, ptx, "fill.ptx")  # doctest: +SKIP
    >>> loaded = driver.moduleLoadData(driver.linkComplete(link))  # doctest: +SKIP
    >>> driver.linkDestroy(link)  # doctest: +SKIP
    >>> driver.moduleUnload(loaded)  # doctest: +SKIP
    """
    state = _LinkState()
    none = ctypes.c_uint(0), None, None
    _call("cuLinkCreate_v2", *none, ctypes.byref(state.handle))
    _links[state.handle.value] = state
    return state.handle.value


def linkAddData(state, input_type, data, name):
    """Add to a link what is in memory.

    Parameters
    ----------
    state : int
        The link.
    input_type : int
        ``CU_JIT_INPUT_PTX`` and its like.
    data : bytes or str
    name : str
        What messages call it.

    Raises
    ------
    CUDADriverError
        The input is invalid, or the link is over: CUDA_ERROR_INVALID_HANDLE.

    Examples
    --------
    >>> ptx, _ = compiler.compile_using_nvrtc(source, method="ptx")  # doctest: +SKIP
    >>> link, kind = driver.linkCreate(), driver.CU_JIT_INPUT_PTX  # doctest: +SKIP
    >>> driver.linkAddData(link, kind, ptx, "fill.ptx")  # doctest: +SKIP
    >>> driver.linkDestroy(link)  # doctest: +SKIP
    """
    data = data.encode() if isinstance(data, str) else bytes(data)
    _link(state).kept.append(data)
    nbytes = len(data) + (input_type == CU_JIT_INPUT_PTX)  # text, with its end
    what = ctypes.c_int(input_type), ctypes.c_char_p(data), _driver.size(nbytes)
    none = ctypes.c_uint(0), None, None
    _call("cuLinkAddData_v2", _driver.pointer(state), *what, name.encode(), *none)


def linkAddFile(state, input_type, path):
    """Add a file to a link.

    Parameters
    ----------
    state : int
        The link.
    input_type : int
        ``CU_JIT_INPUT_PTX`` and its like.
    path : str

    Raises
    ------
    CUDADriverError
        The file is missing or invalid, or the link is over: CUDA_ERROR_INVALID_HANDLE.

    Examples
    --------
    >>> ptx, _ = compiler.compile_using_nvrtc(source, method="ptx")  # doctest: +SKIP
    >>> with open("fill.ptx", "wb") as file:  # doctest: +SKIP
    ...     size = file.write(ptx)
    >>> link, kind = driver.linkCreate(), driver.CU_JIT_INPUT_PTX  # doctest: +SKIP
    >>> driver.linkAddFile(link, kind, "fill.ptx")  # doctest: +SKIP
    >>> driver.linkDestroy(link)  # doctest: +SKIP
    """
    _link(state)
    what = ctypes.c_int(input_type), path.encode()
    none = ctypes.c_uint(0), None, None
    _call("cuLinkAddFile_v2", _driver.pointer(state), *what, *none)


def linkComplete(state):
    r"""Link what was added.

    Parameters
    ----------
    state : int
        The link.

    Returns
    -------
    bytes
        The cubin, for `moduleLoadData`.

    Raises
    ------
    CUDADriverError
        Something is undefined, for one; or the link is over.

    Examples
    --------
    >>> ptx, _ = compiler.compile_using_nvrtc(source, method="ptx")  # doctest: +SKIP
    >>> link, kind = driver.linkCreate(), driver.CU_JIT_INPUT_PTX  # doctest: +SKIP
    >>> driver.linkAddData(link, kind, ptx, "fill.ptx")  # doctest: +SKIP
    >>> cubin = driver.linkComplete(link)  # doctest: +SKIP
    >>> driver.linkDestroy(link)  # doctest: +SKIP
    >>> cubin[:4]  # doctest: +SKIP
    b'\x7fELF'
    """
    _link(state)
    data, nbytes = ctypes.c_void_p(), ctypes.c_size_t()
    out = ctypes.byref(data), ctypes.byref(nbytes)
    _call("cuLinkComplete", _driver.pointer(state), *out)
    return ctypes.string_at(data.value, nbytes.value)


def linkDestroy(state):
    """End a link, and free its memory.

    Parameters
    ----------
    state : int
        The link.

    Examples
    --------
    >>> link = driver.linkCreate()  # doctest: +SKIP
    >>> driver.linkDestroy(link)  # doctest: +SKIP
    """
    _link(state)
    _call("cuLinkDestroy", _driver.pointer(state))
    del _links[state]


# ---- functions ---------------------------------------------------------------------


def funcGetAttribute(attribute, f):
    """An attribute of a kernel.

    Parameters
    ----------
    attribute : int
        ``CU_FUNC_ATTRIBUTE_NUM_REGS`` and its like.
    f : int
        The kernel.

    Returns
    -------
    int

    Examples
    --------
    >>> which = cp.cuda.driver.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
    >>> driver.funcGetAttribute(which, kernel)  # doctest: +SKIP
    1024
    """
    what = ctypes.c_int(attribute), _driver.pointer(f)
    return _made("cuFuncGetAttribute", *what, kind=ctypes.c_int)


def funcSetAttribute(f, attribute, value):
    """Set an attribute of a kernel.

    Parameters
    ----------
    f : int
        The kernel.
    attribute : int
        ``CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`` or
        ``CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT``.
    value : int
        Bytes, or percent of the largest carveout.

    Examples
    --------
    >>> which = cp.cuda.driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    >>> driver.funcSetAttribute(kernel, which, 32768)  # doctest: +SKIP
    >>> driver.funcGetAttribute(which, kernel)  # doctest: +SKIP
    32768
    """
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
    """Launch a kernel.

    Parameters
    ----------
    f : int
        The kernel.
    grid_dim_x, grid_dim_y, grid_dim_z : int
        Blocks of the grid.
    block_dim_x, block_dim_y, block_dim_z : int
        Threads of a block.
    shared_mem_bytes : int
        Dynamic shared memory of a block, in bytes.
    stream : int
        The stream's handle.
    kernel_params : int
        Address of an array with the addresses of the arguments, on the host.
    extra : int
        Address of further options; 0 for none.

    Examples
    --------
    >>> import ctypes
    >>> x = cp.zeros(3, cp.float32)
    >>> pointer = ctypes.c_void_p(x.data.ptr)
    >>> addresses = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
    >>> stream = cp.cuda.get_current_stream()
    >>> rest = 0, stream.ptr, ctypes.addressof(addresses), 0
    >>> driver.launchKernel(kernel, 1, 1, 1, 3, 1, 1, *rest)  # doctest: +SKIP
    >>> x  # doctest: +SKIP
    array([42., 42., 42.], dtype=float32)
    """
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
    """Launch a kernel whose blocks wait for each other: all of them run at a time.

    Parameters
    ----------
    f : int
        The kernel.
    grid_dim_x, grid_dim_y, grid_dim_z : int
        Blocks of the grid, no more than the device runs at a time.
    block_dim_x, block_dim_y, block_dim_z : int
        Threads of a block.
    shared_mem_bytes : int
        Dynamic shared memory of a block, in bytes.
    stream : int
        The stream's handle.
    kernel_params : int
        Address of an array with the addresses of the arguments, on the host.

    Examples
    --------
    >>> import ctypes
    >>> x = cp.zeros(3, cp.float32)
    >>> pointer = ctypes.c_void_p(x.data.ptr)
    >>> addresses = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
    >>> stream = cp.cuda.get_current_stream()
    >>> rest = 0, stream.ptr, ctypes.addressof(addresses)
    >>> launch = cp.cuda.driver.launchCooperativeKernel
    >>> launch(kernel, 1, 1, 1, 3, 1, 1, *rest)  # doctest: +SKIP
    >>> x  # doctest: +SKIP
    array([42., 42., 42.], dtype=float32)
    """
    grid = grid_dim_x, grid_dim_y, grid_dim_z
    block = block_dim_x, block_dim_y, block_dim_z
    rest = shared_mem_bytes, stream, kernel_params
    _launch("cuLaunchCooperativeKernel", f, grid, block, *rest)


def occupancyMaxActiveBlocksPerMultiprocessor(func, blockSize, dynamicSMemSize):
    """How many blocks of a kernel a multiprocessor runs at a time.

    Parameters
    ----------
    func : int
        The kernel.
    blockSize : int
        Threads of a block.
    dynamicSMemSize : int
        Dynamic shared memory of a block, in bytes.

    Returns
    -------
    int

    Examples
    --------
    >>> occupancy = cp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor
    >>> occupancy(kernel, 256, 0) > 1  # doctest: +SKIP
    True
    """
    sizes = ctypes.c_int(blockSize), _driver.size(dynamicSMemSize)
    name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    return _made(name, _driver.pointer(func), *sizes, kind=ctypes.c_int)


def occupancyMaxPotentialBlockSize(func, dynamicSMemSize, blockSizeLimit):
    """The size of a block by which a kernel has the highest occupancy.

    Parameters
    ----------
    func : int
        The kernel.
    dynamicSMemSize : int
        Dynamic shared memory of a block, in bytes.
    blockSizeLimit : int
        The most threads a block may have; 0 for any number.

    Returns
    -------
    blocks : int
        How many blocks keep the device busy.
    threads : int
        Of a block.

    Examples
    --------
    >>> occupancy = cp.cuda.driver.occupancyMaxPotentialBlockSize
    >>> blocks, threads = occupancy(kernel, 0, 256)  # doctest: +SKIP
    >>> threads  # doctest: +SKIP
    256
    """
    blocks, threads = ctypes.c_int(), ctypes.c_int()
    out = ctypes.byref(blocks), ctypes.byref(threads)
    sizes = _driver.size(dynamicSMemSize), ctypes.c_int(blockSizeLimit)
    name = "cuOccupancyMaxPotentialBlockSize"
    _call(name, *out, _driver.pointer(func), None, *sizes)
    return blocks.value, threads.value
