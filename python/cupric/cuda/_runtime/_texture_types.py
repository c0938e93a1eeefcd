"""The structures of textures: the runtime's, and the driver's.

The runtime's are what programs hand over by their addresses; the driver is given the
same in its own.
"""

import ctypes

from cupric import _core
from cupric.cuda._constants import (
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
)

__all__ = [
    "ArrayDescriptor",
    "ChannelFormat",
    "Copy",
    "CopyParameters",
    "Format",
    "ResourceDescription",
    "ResourceParameters",
    "TextureDescription",
    "TextureParameters",
    "read_format",
]

_INVALID_CHANNELS = 20  # cudaErrorInvalidChannelDescriptor


class ChannelFormat(ctypes.Structure):
    """cudaChannelFormatDesc"""

    _fields_ = tuple((name, ctypes.c_int) for name in ("x", "y", "z", "w", "f"))


class _Linear(ctypes.Structure):
    _fields_ = (
        ("devPtr", ctypes.c_void_p),
        ("desc", ChannelFormat),
        ("sizeInBytes", ctypes.c_size_t),
    )


class _Pitch2D(ctypes.Structure):
    _fields_ = (
        ("devPtr", ctypes.c_void_p),
        ("desc", ChannelFormat),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
        ("pitchInBytes", ctypes.c_size_t),
    )


class _Resource(ctypes.Union):
    _fields_ = (
        ("array", ctypes.c_void_p),
        ("linear", _Linear),
        ("pitch2D", _Pitch2D),
        ("reserved", ctypes.c_int * 32),
    )


class ResourceParameters(ctypes.Structure):
    """cudaResourceDesc"""

    _fields_ = (
        ("resType", ctypes.c_int),
        ("res", _Resource),
        ("flags", ctypes.c_uint),
    )


class TextureParameters(ctypes.Structure):
    """cudaTextureDesc"""

    _fields_ = (
        ("addressMode", ctypes.c_int * 3),
        ("filterMode", ctypes.c_int),
        ("readMode", ctypes.c_int),
        ("sRGB", ctypes.c_int),
        ("borderColor", ctypes.c_float * 4),
        ("normalizedCoords", ctypes.c_int),
        ("maxAnisotropy", ctypes.c_uint),
        ("mipmapFilterMode", ctypes.c_int),
        ("mipmapLevelBias", ctypes.c_float),
        ("minMipmapLevelClamp", ctypes.c_float),
        ("maxMipmapLevelClamp", ctypes.c_float),
        ("disableTrilinearOptimization", ctypes.c_int),
        ("seamlessCubemap", ctypes.c_int),
    )


class _Position(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_size_t) for name in ("x", "y", "z"))


class _Pitched(ctypes.Structure):
    _fields_ = (
        ("ptr", ctypes.c_void_p),
        ("pitch", ctypes.c_size_t),
        ("xsize", ctypes.c_size_t),
        ("ysize", ctypes.c_size_t),
    )


class _Extent(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_size_t) for name in ("width", "height", "depth"))


class CopyParameters(ctypes.Structure):
    """cudaMemcpy3DParms"""

    _fields_ = (
        ("srcArray", ctypes.c_void_p),
        ("srcPos", _Position),
        ("srcPtr", _Pitched),
        ("dstArray", ctypes.c_void_p),
        ("dstPos", _Position),
        ("dstPtr", _Pitched),
        ("extent", _Extent),
        ("kind", ctypes.c_int),
    )


# ---- the driver's --------------------------------------------------------------------


class ArrayDescriptor(ctypes.Structure):
    """CUDA_ARRAY3D_DESCRIPTOR"""

    _fields_ = (
        ("Width", ctypes.c_size_t),
        ("Height", ctypes.c_size_t),
        ("Depth", ctypes.c_size_t),
        ("Format", ctypes.c_int),
        ("NumChannels", ctypes.c_uint),
        ("Flags", ctypes.c_uint),
    )


def _side(name):
    return (
        (f"{name}XInBytes", ctypes.c_size_t),
        (f"{name}Y", ctypes.c_size_t),
        (f"{name}Z", ctypes.c_size_t),
        (f"{name}LOD", ctypes.c_size_t),
        (f"{name}MemoryType", ctypes.c_int),
        (f"{name}Host", ctypes.c_void_p),
        (f"{name}Device", ctypes.c_void_p),
        (f"{name}Array", ctypes.c_void_p),
        (f"{name}Reserved", ctypes.c_void_p),
        (f"{name}Pitch", ctypes.c_size_t),
        (f"{name}Height", ctypes.c_size_t),
    )


class Copy(ctypes.Structure):
    """CUDA_MEMCPY3D"""

    _fields_ = (
        *_side("src"),
        *_side("dst"),
        ("WidthInBytes", ctypes.c_size_t),
        ("Height", ctypes.c_size_t),
        ("Depth", ctypes.c_size_t),
    )


class _DriverLinear(ctypes.Structure):
    _fields_ = (
        ("devPtr", ctypes.c_void_p),
        ("format", ctypes.c_int),
        ("numChannels", ctypes.c_uint),
        ("sizeInBytes", ctypes.c_size_t),
    )


class _DriverPitch2D(ctypes.Structure):
    _fields_ = (
        ("devPtr", ctypes.c_void_p),
        ("format", ctypes.c_int),
        ("numChannels", ctypes.c_uint),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
        ("pitchInBytes", ctypes.c_size_t),
    )


class _DriverResource(ctypes.Union):
    _fields_ = (
        ("hArray", ctypes.c_void_p),
        ("linear", _DriverLinear),
        ("pitch2D", _DriverPitch2D),
        ("reserved", ctypes.c_int * 32),
    )


class ResourceDescription(ctypes.Structure):
    """CUDA_RESOURCE_DESC"""

    _fields_ = (
        ("resType", ctypes.c_int),
        ("res", _DriverResource),
        ("flags", ctypes.c_uint),
    )


class TextureDescription(ctypes.Structure):
    """CUDA_TEXTURE_DESC"""

    _fields_ = (
        ("addressMode", ctypes.c_int * 3),
        ("filterMode", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("maxAnisotropy", ctypes.c_uint),
        ("mipmapFilterMode", ctypes.c_int),
        ("mipmapLevelBias", ctypes.c_float),
        ("minMipmapLevelClamp", ctypes.c_float),
        ("maxMipmapLevelClamp", ctypes.c_float),
        ("borderColor", ctypes.c_float * 4),
        ("reserved", ctypes.c_int * 12),
    )


# ---- elements ------------------------------------------------------------------------

_DRIVER_FORMATS = {  # CUarray_format, by bits and kind
    (8, cudaChannelFormatKindUnsigned): 0x01,
    (16, cudaChannelFormatKindUnsigned): 0x02,
    (32, cudaChannelFormatKindUnsigned): 0x03,
    (8, cudaChannelFormatKindSigned): 0x08,
    (16, cudaChannelFormatKindSigned): 0x09,
    (32, cudaChannelFormatKindSigned): 0x0A,
    (16, cudaChannelFormatKindFloat): 0x10,
    (32, cudaChannelFormatKindFloat): 0x20,
}


class Format:
    """What an element of a texture is.

    Parameters
    ----------
    bits : int
        Of a channel.
    channels : int
        1, 2 or 4.
    kind : int
        A ``cudaChannelFormatKind…`` number.
    """

    def __init__(self, bits, channels, kind):
        self.bits = bits
        self.channels = channels
        self.kind = kind
        self.nbytes = bits // 8 * channels
        self.driver = _DRIVER_FORMATS[bits, kind]


def read_format(desc):
    """The Format that a ChannelFormat means."""
    widths = [desc.x, desc.y, desc.z, desc.w]
    channels = sum(width != 0 for width in widths)
    is_format = (
        channels in (1, 2, 4)
        and widths == [desc.x] * channels + [0] * (4 - channels)
        and (desc.x, desc.f) in _DRIVER_FORMATS
    )
    if not is_format:
        raise _core.CUDARuntimeError(_INVALID_CHANNELS)
    return Format(desc.x, channels, desc.f)
