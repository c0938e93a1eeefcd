"""Arrays, textures and surfaces of the host device, for cuda/host/textures.hpp.

An array is memory in C order, its handle the address of its Description. The handle of
a texture or a surface, which kernels are given, is the address of one, too.
"""

import ctypes
import math

from cupric import _core
from cupric.cuda._constants import (
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeWrap,
    cudaReadModeNormalizedFloat,
    cudaResourceTypeArray,
    cudaResourceTypeLinear,
)
from cupric.cuda._runtime._texture_types import read_format

__all__ = [
    "Array",
    "Description",
    "Object",
    "copy",
]


class Description(ctypes.Structure):
    """What the kernels read: cupric_host::texture."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("extent", ctypes.c_longlong * 3),
        ("stride", ctypes.c_longlong * 3),
        ("bits", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("mode", ctypes.c_int * 3),
        ("is_linear", ctypes.c_int),
        ("is_float", ctypes.c_int),
        ("is_normalized", ctypes.c_int),
        ("is_srgb", ctypes.c_int),
        ("border", ctypes.c_float * 4),
    )


def _describe(data, form, extent, row_nbytes):
    width, height, depth = extent
    return Description(
        data=data,
        extent=(width, height, depth),
        stride=(form.nbytes, row_nbytes, row_nbytes * height),
        bits=form.bits,
        channels=form.channels,
        kind=form.kind,
    )


class Array:
    """Memory that textures and surfaces are of.

    Parameters
    ----------
    form : Format
    extent : tuple of int
        Width, height and depth, in elements; 0 where there is no such axis.
    flags : int
        An or of ``cudaArray…`` numbers.
    """

    def __init__(self, form, extent, flags):
        shown = tuple(max(n, 1) for n in extent)
        row_nbytes = shown[0] * form.nbytes
        self.form = form
        self.flags = flags
        self.memory = _core.Memory(row_nbytes * shown[1] * shown[2])
        self.device = self.memory.device
        self.description = _describe(self.memory.ptr, form, shown, row_nbytes)
        self.handle = ctypes.addressof(self.description)
        _core.memset(self.memory.ptr, 0, self.memory.size, None)

    def place(self, x, y, z):
        """The address of an element, x in bytes, and the bytes of a row and a slice."""
        _, row, plane = self.description.stride
        return self.memory.ptr + x + y * row + z * plane, row, plane

    def holds(self, x, y, z, width, height, depth):
        """Whether so much can be copied from there, x and width in bytes."""
        _, rows, planes = self.description.extent
        row_nbytes = self.description.stride[1]
        return x + width <= row_nbytes and y + height <= rows and z + depth <= planes


class Object:
    """A texture or a surface.

    Parameters
    ----------
    resource : ResourceParameters
    arrays : dict
        The arrays by their handles.
    texture : TextureParameters, optional
        Of a texture.
    """

    def __init__(self, resource, arrays, texture=None):
        if resource.resType == cudaResourceTypeArray:
            array = arrays[resource.res.array]
            self.description = Description.from_buffer_copy(array.description)
        else:
            self.description = _describe_memory(resource)
        if texture is not None:
            _sample_by(self.description, texture)
        self.handle = ctypes.addressof(self.description)
        self.device = _core.Device()


def _describe_memory(resource):
    if resource.resType == cudaResourceTypeLinear:
        linear = resource.res.linear
        form = read_format(linear.desc)
        extent = linear.sizeInBytes // form.nbytes, 1, 1
        return _describe(linear.devPtr, form, extent, linear.sizeInBytes)
    pitched = resource.res.pitch2D
    extent = pitched.width, pitched.height, 1
    form = read_format(pitched.desc)
    return _describe(pitched.devPtr, form, extent, pitched.pitchInBytes)


def _sample_by(d, texture):
    modes = list(texture.addressMode)
    if not texture.normalizedCoords:  # as CUDA does
        repeats = cudaAddressModeWrap, cudaAddressModeMirror
        modes = [cudaAddressModeClamp if m in repeats else m for m in modes]
    d.mode[:] = modes
    d.is_linear = texture.filterMode
    d.is_float = texture.readMode == cudaReadModeNormalizedFloat
    d.is_normalized = bool(texture.normalizedCoords)
    d.is_srgb = bool(texture.sRGB)
    d.border[:] = texture.borderColor


def copy(dst, src, extent, kind, stream):
    """Copy rows of planes, each as many at once as lie one behind the other.

    Parameters
    ----------
    dst, src : tuple of int
        The address, the bytes from row to row and from plane to plane.
    extent : tuple of int
        Bytes of a row, rows of a plane, planes.
    kind : int
        Of the copy: memcpyDeviceToDevice and its like.
    stream : cupric.cuda.Stream
    """
    to, to_row, to_plane = dst
    source, source_row, source_plane = src
    width, height, depth = extent
    if to_row == source_row == width or height == 1:
        width, height = width * height, 1
        if to_plane == source_plane == width or depth == 1:
            width, depth = width * depth, 1
    for z in range(depth if math.prod((width, height)) else 0):
        for y in range(height):
            there = to + z * to_plane + y * to_row
            here = source + z * source_plane + y * source_row
            _core.memcpy(there, here, width, kind, True, stream)
