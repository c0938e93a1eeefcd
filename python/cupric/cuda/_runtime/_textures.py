"""Arrays of the device for textures and surfaces, and the objects that kernels take."""

import contextlib
import ctypes

from cupric import _core
from cupric.cuda import _driver
from cupric.cuda._constants import (
    cudaArraySurfaceLoadStore,
    cudaChannelFormatKindFloat,
    cudaFilterModeLinear,
    cudaReadModeElementType,
    cudaReadModeNormalizedFloat,
    cudaResourceTypeArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D,
    errorInvalidResourceHandle,
    errorInvalidValue,
    memcpyDefault,
    memcpyDeviceToDevice,
    memcpyDeviceToHost,
    memcpyHostToDevice,
)
from cupric.cuda._runtime import _host_textures
from cupric.cuda._runtime._handles import drop, keep, lock
from cupric.cuda._runtime._streams import stream_of, streamSynchronize
from cupric.cuda._runtime._texture_types import (
    ArrayDescriptor,
    ChannelFormat,
    Copy,
    CopyParameters,
    ResourceDescription,
    ResourceParameters,
    TextureDescription,
    TextureParameters,
    read_format,
)

__all__ = [
    "createSurfaceObject",
    "createTextureObject",
    "destroySurfaceObject",
    "destroyTextureObject",
    "freeArray",
    "malloc3DArray",
    "mallocArray",
    "memcpy2DFromArray",
    "memcpy2DFromArrayAsync",
    "memcpy2DToArray",
    "memcpy2DToArrayAsync",
    "memcpy3D",
    "memcpy3DAsync",
]

_arrays = {}  # by handle: of the host device its Array, of CUDA's an _Owned
_textures = {}
_surfaces = {}

_LAYERED = 1  # cudaArrayLayered
_CUBEMAP = 4
_INVALID_FILTER = 26  # cudaErrorInvalidFilterSetting
_INVALID_NORM = 27  # cudaErrorInvalidNormSetting
_READ_AS_INTEGER = 0x01  # CU_TRSF_…
_NORMALIZED_COORDINATES = 0x02
_SRGB = 0x10
_HOST, _DEVICE, _ARRAY, _UNIFIED = 1, 2, 3, 4  # CU_MEMORYTYPE_…


class _Owned:
    """What the driver made: its device, and an array's Format and flags."""

    def __init__(self, form=None, flags=0):
        self.device = _core.Device()
        self.form = form
        self.flags = flags


def _made(make, *args):
    """The handle that a function of the driver makes; None where there is no driver."""
    handle = ctypes.c_void_p()
    return handle.value if _driver.call(make, ctypes.byref(handle), *args) else None


def _destroy(table, handle, name, error):
    """Destroy what is in a table once its device is done with what it was given."""
    owned = drop(table, handle, error)
    with owned.device:
        with contextlib.suppress(_core.CUDARuntimeError):  # as in a capture
            owned.device.synchronize()
        _driver.call(name, _driver.pointer(handle))


# ---- arrays --------------------------------------------------------------------------


def mallocArray(descPtr, width, height, flags=0):
    """Allocate an array of one or two dimensions for textures and surfaces.

    Parameters
    ----------
    descPtr : int
        The address of a ``cudaChannelFormatDesc``, as `ChannelFormatDescriptor.ptr`.
    width : int
        In elements.
    height : int
        In elements; 0 for one dimension.
    flags : int, optional
        An or of ``cudaArray…`` numbers.

    Returns
    -------
    int
        Its handle, for `freeArray`.

    Raises
    ------
    CUDARuntimeError
        There is no such format, or no such array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> array = runtime.mallocArray(one_float.ptr, 8, 4)
    >>> runtime.freeArray(array)
    """
    return malloc3DArray(descPtr, width, height, 0, flags)


def malloc3DArray(descPtr, width, height, depth, flags=0):
    """Allocate an array of up to three dimensions for textures and surfaces.

    Parameters
    ----------
    descPtr : int
        The address of a ``cudaChannelFormatDesc``, as `ChannelFormatDescriptor.ptr`.
    width, height, depth : int
        In elements; 0 where there is no such axis. Of an array with the flag
        ``cudaArrayLayered`` the depth is the number of layers.
    flags : int, optional
        An or of ``cudaArray…`` numbers.

    Returns
    -------
    int
        Its handle, for `freeArray`.

    Raises
    ------
    CUDARuntimeError
        There is no such format, or no such array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> array = runtime.malloc3DArray(one_float.ptr, 8, 4, 2)
    >>> runtime.freeArray(array)
    """
    form = read_format(ChannelFormat.from_address(descPtr))
    is_flat = height == 0 and depth != 0 and not flags & _LAYERED
    if width == 0 or is_flat:
        raise _core.CUDARuntimeError(errorInvalidValue)
    extent = width, height, depth
    asked = ArrayDescriptor(*extent, form.driver, form.channels, flags)
    handle = _made("cuArray3DCreate_v2", ctypes.byref(asked))
    if handle is not None:
        return keep(_arrays, handle, _Owned(form, flags))
    if flags & _CUBEMAP:
        raise NotImplementedError("the host device has no cubemaps")
    array = _host_textures.Array(form, extent, flags)
    return keep(_arrays, array.handle, array)


def freeArray(ptr):
    """Free an array of `mallocArray` or `malloc3DArray`, after waiting for its device.

    Parameters
    ----------
    ptr : int
        Its handle; nothing happens for 0.

    Raises
    ------
    CUDARuntimeError
        There is no such array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
    >>> array = runtime.mallocArray(one_byte.ptr, 8, 4)
    >>> runtime.freeArray(array)
    """
    if ptr:
        _destroy(_arrays, ptr, "cuArrayDestroy", errorInvalidResourceHandle)


def _array_of(handle):
    with lock:
        array = _arrays.get(handle)
    if array is None:
        raise _core.CUDARuntimeError(errorInvalidResourceHandle)
    return array


# ---- copies --------------------------------------------------------------------------


class _Side:
    """One side of a copy: an array, or memory at an address.

    Parameters
    ----------
    ptr : int
        The array's handle, or the address.
    position : tuple of int
        x in bytes, y, z.
    pitch, rows : int or None
        Of memory: bytes from row to row, and rows of a plane.
    """

    def __init__(self, ptr, position, pitch=None, rows=None):
        self.array = _array_of(ptr) if pitch is None else None
        self.ptr = ptr
        self.position = position
        self.pitch = pitch
        self.rows = rows

    def describe(self, out, name, memory):
        """Put it into a Copy, `memory` being what its address is of."""
        for field, value in zip(("XInBytes", "Y", "Z"), self.position, strict=True):
            setattr(out, name + field, value)
        if self.array is not None:
            setattr(out, f"{name}MemoryType", _ARRAY)
            setattr(out, f"{name}Array", self.ptr)
            return
        setattr(out, f"{name}MemoryType", memory)
        setattr(out, name + ("Host" if memory == _HOST else "Device"), self.ptr)
        setattr(out, f"{name}Pitch", self.pitch)
        setattr(out, f"{name}Height", self.rows)

    def place(self, extent):
        """The same for the host device; an array has to hold what is copied."""
        if self.array is not None:
            if not self.array.holds(*self.position, *extent):
                raise _core.CUDARuntimeError(errorInvalidValue)
            return self.array.place(*self.position)
        x, y, z = self.position
        if extent[0] + x > self.pitch and extent[1] * extent[2] > 1:
            raise _core.CUDARuntimeError(errorInvalidValue)
        plane = self.pitch * self.rows
        return self.ptr + x + y * self.pitch + z * plane, self.pitch, plane


def _memory_types(kind):
    """What the source's and the destination's addresses are of, for the driver."""
    if kind == memcpyDefault:
        return _UNIFIED, _UNIFIED
    source = _DEVICE if kind in (memcpyDeviceToHost, memcpyDeviceToDevice) else _HOST
    to = _DEVICE if kind in (memcpyHostToDevice, memcpyDeviceToDevice) else _HOST
    return source, to


def _copy(dst, src, extent, kind, stream):
    """Queue a copy of `extent`: bytes of a row, rows, planes."""
    source_memory, memory = _memory_types(kind)
    asked = Copy(WidthInBytes=extent[0], Height=extent[1], Depth=extent[2])
    src.describe(asked, "src", source_memory)
    dst.describe(asked, "dst", memory)
    where = _driver.pointer(stream)
    if _driver.call("cuMemcpy3DAsync_v2", ctypes.byref(asked), where):
        return
    places = dst.place(extent), src.place(extent)
    _host_textures.copy(*places, extent, kind, stream_of(stream))


def memcpy3D(Memcpy3DParmsPtr):
    """Copy a box of an array or of memory, and wait for it.

    Parameters
    ----------
    Memcpy3DParmsPtr : int
        The address of a ``cudaMemcpy3DParms``.

    Raises
    ------
    CUDARuntimeError
        The box is not within an array.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.memcpy3D(parameters)  # doctest: +SKIP
    """
    memcpy3DAsync(Memcpy3DParmsPtr, 0)
    streamSynchronize(0)


def memcpy3DAsync(Memcpy3DParmsPtr, stream):
    """Copy a box of an array or of memory, in a stream's order.

    Parameters
    ----------
    Memcpy3DParmsPtr : int
        The address of a ``cudaMemcpy3DParms``.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The box is not within an array.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.memcpy3DAsync(parameters, 0)  # doctest: +SKIP
    """
    p = CopyParameters.from_address(Memcpy3DParmsPtr)
    nbytes = 1  # of an element, as widths are given
    for handle in (p.srcArray, p.dstArray):
        if handle:
            nbytes = _array_of(handle).form.nbytes
    sides = []
    for array, at, memory in (
        (p.dstArray, p.dstPos, p.dstPtr),
        (p.srcArray, p.srcPos, p.srcPtr),
    ):
        if array:
            sides.append(_Side(array, (at.x * nbytes, at.y, at.z)))
        else:
            position = at.x, at.y, at.z
            sides.append(_Side(memory.ptr, position, memory.pitch, memory.ysize))
    extent = p.extent.width * nbytes, p.extent.height, p.extent.depth
    _copy(*sides, extent, p.kind, stream)


def memcpy2DToArray(dst, wOffset, hOffset, src, spitch, width, height, kind):
    """Copy the rows of a matrix into an array, and wait for it.

    Parameters
    ----------
    dst : int
        The array's handle.
    wOffset, hOffset : int
        Where in the array the first row begins: in bytes, and in rows.
    src : int
        The address that is read.
    spitch : int
        Bytes from one of its rows to the next.
    width : int
        Bytes of a row that are copied.
    height : int
        The number of rows.
    kind : int
        ``memcpyHostToDevice`` and its like.

    Raises
    ------
    CUDARuntimeError
        The rows are not within the array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
    >>> array = runtime.mallocArray(one_byte.ptr, 3, 2)
    >>> x, y = cp.array([[1, 2, 3], [4, 5, 6]], "u1"), cp.zeros((2, 3), "u1")
    >>> kind = runtime.memcpyDeviceToDevice
    >>> runtime.memcpy2DToArray(array, 0, 0, x.data.ptr, 3, 3, 2, kind)
    >>> runtime.memcpy2DFromArray(y.data.ptr, 3, array, 0, 0, 3, 2, kind)
    >>> y
    array([[1, 2, 3],
           [4, 5, 6]], dtype=uint8)
    >>> runtime.freeArray(array)
    """
    memcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind, 0)
    streamSynchronize(0)


def memcpy2DToArrayAsync(
    dst, wOffset, hOffset, src, spitch, width, height, kind, stream
):
    """Copy the rows of a matrix into an array, in a stream's order.

    Parameters
    ----------
    dst : int
        The array's handle.
    wOffset, hOffset : int
        Where in the array the first row begins: in bytes, and in rows.
    src : int
        The address that is read.
    spitch : int
        Bytes from one of its rows to the next.
    width : int
        Bytes of a row that are copied.
    height : int
        The number of rows.
    kind : int
        ``memcpyHostToDevice`` and its like.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The rows are not within the array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
    >>> array = runtime.mallocArray(one_byte.ptr, 3, 2)
    >>> x = cp.ones((2, 3), "u1")
    >>> kind = runtime.memcpyDeviceToDevice
    >>> runtime.memcpy2DToArrayAsync(array, 0, 0, x.data.ptr, 3, 3, 2, kind, 0)
    >>> runtime.freeArray(array)
    """
    source = _Side(src, (0, 0, 0), spitch, height)
    _copy(_Side(dst, (wOffset, hOffset, 0)), source, (width, height, 1), kind, stream)


def memcpy2DFromArray(dst, dpitch, src, wOffset, hOffset, width, height, kind):
    """Copy rows of an array into a matrix, and wait for it.

    Parameters
    ----------
    dst : int
        The address that is written.
    dpitch : int
        Bytes from one of its rows to the next.
    src : int
        The array's handle.
    wOffset, hOffset : int
        Where in the array the first row begins: in bytes, and in rows.
    width : int
        Bytes of a row that are copied.
    height : int
        The number of rows.
    kind : int
        ``memcpyDeviceToHost`` and its like.

    Raises
    ------
    CUDARuntimeError
        The rows are not within the array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
    >>> array = runtime.mallocArray(one_byte.ptr, 3, 2)
    >>> a = np.zeros((2, 3), "u1")
    >>> kind = runtime.memcpyDeviceToHost
    >>> runtime.memcpy2DFromArray(a.ctypes.data, 3, array, 0, 0, 3, 2, kind)
    >>> runtime.freeArray(array)
    """
    memcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind, 0)
    streamSynchronize(0)


def memcpy2DFromArrayAsync(
    dst, dpitch, src, wOffset, hOffset, width, height, kind, stream
):
    """Copy rows of an array into a matrix, in a stream's order.

    Parameters
    ----------
    dst : int
        The address that is written.
    dpitch : int
        Bytes from one of its rows to the next.
    src : int
        The array's handle.
    wOffset, hOffset : int
        Where in the array the first row begins: in bytes, and in rows.
    width : int
        Bytes of a row that are copied.
    height : int
        The number of rows.
    kind : int
        ``memcpyDeviceToHost`` and its like.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The rows are not within the array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
    >>> array = runtime.mallocArray(one_byte.ptr, 3, 2)
    >>> y = cp.zeros((2, 3), "u1")
    >>> kind = runtime.memcpyDeviceToDevice
    >>> runtime.memcpy2DFromArrayAsync(y.data.ptr, 3, array, 0, 0, 3, 2, kind, 0)
    >>> runtime.freeArray(array)
    """
    to = _Side(dst, (0, 0, 0), dpitch, height)
    _copy(to, _Side(src, (wOffset, hOffset, 0)), (width, height, 1), kind, stream)


# ---- textures and surfaces -----------------------------------------------------------


def _resource_format(resource):
    """The Format of a resource, checked."""
    if resource.resType == cudaResourceTypeArray:
        return _array_of(resource.res.array).form
    if resource.resType == cudaResourceTypeLinear:
        return read_format(resource.res.linear.desc)
    if resource.resType == cudaResourceTypePitch2D:
        return read_format(resource.res.pitch2D.desc)
    raise _core.CUDARuntimeError(errorInvalidValue)


def _check_modes(form, texture):
    """Both devices refuse what neither can sample."""
    in_range = (
        all(0 <= mode <= 3 for mode in texture.addressMode)
        and 0 <= texture.filterMode <= cudaFilterModeLinear
        and 0 <= texture.readMode <= cudaReadModeNormalizedFloat
    )
    if not in_range:
        raise _core.CUDARuntimeError(errorInvalidValue)
    is_float = form.kind == cudaChannelFormatKindFloat
    if texture.readMode == cudaReadModeNormalizedFloat:
        if is_float or form.bits == 32:
            raise _core.CUDARuntimeError(_INVALID_NORM)
    elif texture.filterMode == cudaFilterModeLinear and not is_float:
        raise _core.CUDARuntimeError(_INVALID_FILTER)


def _resource_description(resource, form):
    """A resource as the driver takes it."""
    out = ResourceDescription(resType=resource.resType, flags=resource.flags)
    if resource.resType == cudaResourceTypeArray:
        out.res.hArray = resource.res.array
        return out
    if resource.resType == cudaResourceTypeLinear:
        to, given = out.res.linear, resource.res.linear
        to.sizeInBytes = given.sizeInBytes
    else:
        to, given = out.res.pitch2D, resource.res.pitch2D
        to.width, to.height = given.width, given.height
        to.pitchInBytes = given.pitchInBytes
    to.devPtr, to.format, to.numChannels = given.devPtr, form.driver, form.channels
    return out


def _texture_description(texture, form):
    """How the driver is to sample."""
    is_float = form.kind == cudaChannelFormatKindFloat
    flags = _NORMALIZED_COORDINATES if texture.normalizedCoords else 0
    if texture.readMode == cudaReadModeElementType and not is_float:
        flags |= _READ_AS_INTEGER
    if texture.sRGB:
        flags |= _SRGB
    return TextureDescription(
        addressMode=texture.addressMode,
        filterMode=texture.filterMode,
        flags=flags,
        maxAnisotropy=texture.maxAnisotropy,
        borderColor=texture.borderColor,
    )


def createTextureObject(ResDescPtr, TexDescPtr):
    """Make a texture object, which kernels take as a ``cudaTextureObject_t``.

    Parameters
    ----------
    ResDescPtr : int
        The address of a ``cudaResourceDesc``, as `ResourceDescriptor.ptr`.
    TexDescPtr : int
        The address of a ``cudaTextureDesc``, as `TextureDescriptor.ptr`.

    Returns
    -------
    int
        Its handle, for `destroyTextureObject`.

    Raises
    ------
    CUDARuntimeError
        There is no such resource, or it cannot be sampled like that.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> array = texture.CUDAarray(one_float, 8, 4)
    >>> kind = runtime.cudaResourceTypeArray
    >>> resource = texture.ResourceDescriptor(kind, cuArr=array)
    >>> how = texture.TextureDescriptor()
    >>> handle = runtime.createTextureObject(resource.ptr, how.ptr)
    >>> runtime.destroyTextureObject(handle)
    """
    resource = ResourceParameters.from_address(ResDescPtr)
    texture = TextureParameters.from_address(TexDescPtr)
    form = _resource_format(resource)
    _check_modes(form, texture)
    if _core.Device().backend == "host":
        made = _host_textures.Object(resource, _arrays, texture)
        return keep(_textures, made.handle, made)
    handle = _made(
        "cuTexObjectCreate",
        ctypes.byref(_resource_description(resource, form)),
        ctypes.byref(_texture_description(texture, form)),
        None,
    )
    return keep(_textures, handle, _Owned())


def destroyTextureObject(texObject):
    """Destroy a texture object, after waiting for its device.

    Parameters
    ----------
    texObject : int
        Its handle.

    Raises
    ------
    CUDARuntimeError
        There is no such texture.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.destroyTextureObject(handle)  # doctest: +SKIP
    """
    name = "cuTexObjectDestroy"
    _destroy(_textures, texObject, name, errorInvalidResourceHandle)


def createSurfaceObject(ResDescPtr):
    """Make a surface object, which kernels take as a ``cudaSurfaceObject_t``.

    Parameters
    ----------
    ResDescPtr : int
        The address of a ``cudaResourceDesc`` of an array that was allocated with
        ``cudaArraySurfaceLoadStore``.

    Returns
    -------
    int
        Its handle, for `destroySurfaceObject`.

    Raises
    ------
    CUDARuntimeError
        There is no such array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> flags = runtime.cudaArraySurfaceLoadStore
    >>> array = texture.CUDAarray(one_float, 8, 4, flags=flags)
    >>> kind = runtime.cudaResourceTypeArray
    >>> resource = texture.ResourceDescriptor(kind, cuArr=array)
    >>> handle = runtime.createSurfaceObject(resource.ptr)
    >>> runtime.destroySurfaceObject(handle)
    """
    resource = ResourceParameters.from_address(ResDescPtr)
    is_array = resource.resType == cudaResourceTypeArray
    flags = _array_of(resource.res.array).flags if is_array else 0
    if not flags & cudaArraySurfaceLoadStore:
        raise _core.CUDARuntimeError(errorInvalidValue)
    form = _resource_format(resource)
    if _core.Device().backend == "host":
        made = _host_textures.Object(resource, _arrays)
        return keep(_surfaces, made.handle, made)
    asked = ctypes.byref(_resource_description(resource, form))
    return keep(_surfaces, _made("cuSurfObjectCreate", asked), _Owned())


def destroySurfaceObject(surfObject):
    """Destroy a surface object, after waiting for its device.

    Parameters
    ----------
    surfObject : int
        Its handle.

    Raises
    ------
    CUDARuntimeError
        There is no such surface.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.destroySurfaceObject(handle)  # doctest: +SKIP
    """
    name = "cuSurfObjectDestroy"
    _destroy(_surfaces, surfObject, name, errorInvalidResourceHandle)
