"""Textures and surfaces: arrays that kernels sample, filtered, at any place.

They work on the host device, too, whose kernels know ``tex1D``, ``tex2D``, ``tex3D``,
``tex1DLayered``, ``tex2DLayered``, ``tex1Dfetch`` and the ``surf…read`` and
``surf…write`` functions of the same dimensions.
"""

import ctypes
import weakref

import numpy as np

from cupric import _core
from cupric.cuda import runtime
from cupric.cuda._runtime._texture_types import (
    ChannelFormat,
    CopyParameters,
    ResourceParameters,
    TextureParameters,
)

__all__ = [
    "CUDAarray",
    "ChannelFormatDescriptor",
    "ResourceDescriptor",
    "SurfaceObject",
    "TextureDescriptor",
    "TextureObject",
]


def __dir__():
    return __all__


def _check_type(value, wanted, name):
    if not isinstance(value, wanted):
        raise TypeError(
            f"{name} must be a {wanted.__name__}, not {type(value).__name__}"
        )


class ChannelFormatDescriptor:
    """What an element of a texture is made of: a ``cudaChannelFormatDesc``.

    Parameters
    ----------
    x, y, z, w : int
        Bits of each channel, 8, 16 or 32; 0 where there is no such channel. There are
        one, two or four channels of the same number of bits.
    f : int
        What a channel is: a ``cudaChannelFormatKind…`` number of `cupric.cuda.runtime`.

    Attributes
    ----------
    ptr : int
        The address of the structure.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> kind = runtime.cudaChannelFormatKindFloat
    >>> texture.ChannelFormatDescriptor(32, 0, 0, 0, kind).get_channel_format()
    {'x': 32, 'y': 0, 'z': 0, 'w': 0, 'f': 2}
    """

    def __init__(self, x, y, z, w, f):
        self._c = ChannelFormat(x, y, z, w, f)
        self.ptr = ctypes.addressof(self._c)

    def __repr__(self):
        bits = ", ".join(str(n) for n in self.get_channel_format().values())
        return f"ChannelFormatDescriptor({bits})"

    def get_channel_format(self):
        """What was given.

        Returns
        -------
        dict

        Examples
        --------
        >>> from cupric.cuda import texture
        >>> pair = texture.ChannelFormatDescriptor(8, 8, 0, 0, 1)
        >>> pair.get_channel_format()["y"]
        8
        """
        return {name: getattr(self._c, name) for name in ("x", "y", "z", "w", "f")}


class CUDAarray:
    """Memory in a layout of its own, for textures and surfaces: a ``cudaArray_t``.

    It is freed with the object, and is of no memory pool.

    Parameters
    ----------
    desc : ChannelFormatDescriptor
        What an element is.
    width : int
        In elements.
    height, depth : int, optional
        In elements; 0 where there is no such axis.
    flags : int, optional
        An or of ``cudaArray…`` numbers: ``cudaArraySurfaceLoadStore`` for surfaces, 1
        (``cudaArrayLayered``) for `depth` layers.

    Attributes
    ----------
    ptr : int
        Its handle.
    desc, width, height, depth, flags
        As given.
    ndim : int
        1, 2 or 3.

    Raises
    ------
    ValueError
        `width` is 0, or `height` where `depth` is not.

    Examples
    --------
    >>> from cupric.cuda import texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> array = texture.CUDAarray(one_float, 3, 2)
    >>> array.copy_from(np.arange(6, dtype="f4").reshape(2, 3))
    >>> x = cp.empty((2, 3), "f4")
    >>> array.copy_to(x)
    >>> x
    array([[0., 1., 2.],
           [3., 4., 5.]], dtype=float32)
    """

    def __init__(self, desc, width, height=0, depth=0, flags=0):
        _check_type(desc, ChannelFormatDescriptor, "desc")
        if width == 0:
            raise ValueError("an array has a width of at least 1")
        if height == 0 and depth > 0 and not flags & 1:
            raise ValueError("an array with a depth has a height of at least 1")
        self.desc = desc
        self.width = width
        self.height = height
        self.depth = depth
        self.flags = flags
        self.ndim = 3 if depth > 0 else 2 if height > 0 else 1
        self.ptr = runtime.malloc3DArray(desc.ptr, width, height, depth, flags)
        self._finalizer = weakref.finalize(self, runtime.freeArray, self.ptr)
        self._finalizer.atexit = False

    def __repr__(self):
        lengths = [self.width, self.height, self.depth][: self.ndim]
        return f"<CUDAarray {'x'.join(map(str, lengths))}, {self.desc!r}>"

    def _shape(self):
        bits = self.desc.get_channel_format()
        channels = sum(bits[name] != 0 for name in "xyzw")
        return (self.depth, self.height, channels * self.width)[3 - self.ndim :]

    def _check(self, array):
        """The bytes of a row of an array that is as large as this one."""
        nbytes = self.desc.get_channel_format()["x"] // 8
        shape = self._shape()
        if self.ndim == 3 and self.height == 0:  # layers of one row
            shape = shape[::2]
        if not isinstance(array, (np.ndarray, _core.ndarray)):
            raise TypeError(
                f"the array must be a cupric.ndarray or a numpy.ndarray, not "
                f"{type(array).__name__}"
            )
        if array.shape != shape or array.itemsize != nbytes:
            raise ValueError(
                f"the array must be of shape {shape} with elements of {nbytes} bytes, "
                f"not of shape {array.shape} with {array.itemsize}"
            )
        return shape[-1] * nbytes

    def _copy(self, array, is_source, stream):
        row = self._check(array)
        queue = _core.get_current_stream() if stream is None else stream
        with queue:  # which the memory is used on
            if array.flags.c_contiguous:
                self._copy_dense(array, row, is_source, queue)
            else:
                self._copy_strided(array, row, is_source, queue)
        if stream is None:
            queue.synchronize()

    def _copy_strided(self, array, row, is_source, queue):
        """By way of a dense copy; one of the host is waited for."""
        is_here = isinstance(array, np.ndarray)
        if is_source:
            dense = array.copy("C")
        else:
            make = np.empty if is_here else _core.empty
            dense = make(array.shape, array.dtype)
        self._copy_dense(dense, row, is_source, queue)
        if is_here:
            queue.synchronize()
        if not is_source:
            array[...] = dense

    def _copy_dense(self, array, row, is_source, queue):
        is_here = isinstance(array, np.ndarray)
        ptr = array.ctypes.data if is_here else array.data.ptr
        p = CopyParameters()
        p.extent.width = self.width
        p.extent.height = max(self.height, 1)
        p.extent.depth = max(self.depth, 1)
        memory = p.srcPtr if is_source else p.dstPtr
        memory.ptr, memory.pitch = ptr, row
        memory.xsize, memory.ysize = row, p.extent.height
        if is_source:
            p.dstArray = self.ptr
            here_kind = runtime.memcpyHostToDevice
        else:
            p.srcArray = self.ptr
            here_kind = runtime.memcpyDeviceToHost
        p.kind = here_kind if is_here else runtime.memcpyDeviceToDevice
        runtime.memcpy3DAsync(ctypes.addressof(p), queue.ptr)

    def copy_from(self, in_arr, stream=None):
        """Copy all elements from an array.

        Parameters
        ----------
        in_arr : cupric.ndarray or numpy.ndarray
            Of the shape ``(width * n,)``, ``(height, width * n)`` or
            ``(depth, height, width * n)``, where `n` is the number of channels. One
            that is not C-contiguous is copied before.
        stream : cupric.cuda.Stream, optional
            The copy is queued there; by default on the current one, and waited for.

        Raises
        ------
        ValueError
            The array has another shape or size of an element.

        Examples
        --------
        >>> from cupric.cuda import texture
        >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
        >>> texture.CUDAarray(one_byte, 3).copy_from(cp.arange(3, dtype="u1"))
        """
        self._copy(in_arr, True, stream)

    def copy_to(self, out_arr, stream=None):
        """Copy all elements to an array.

        Parameters
        ----------
        out_arr : cupric.ndarray or numpy.ndarray
            As in `copy_from`; written to, whatever its strides are.
        stream : cupric.cuda.Stream, optional
            The copy is queued there; by default on the current one, and waited for.

        Raises
        ------
        ValueError
            The array has another shape or size of an element.

        Examples
        --------
        >>> from cupric.cuda import texture
        >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
        >>> texture.CUDAarray(one_byte, 3).copy_to(np.empty(3, "u1"))
        """
        self._copy(out_arr, False, stream)


class ResourceDescriptor:
    """What a texture or a surface is of: a ``cudaResourceDesc``.

    Parameters
    ----------
    restype : int
        ``cudaResourceTypeArray``, ``cudaResourceTypeLinear`` or
        ``cudaResourceTypePitch2D`` of `cupric.cuda.runtime`.
    cuArr : CUDAarray, optional
        The array, of the first.
    arr : cupric.ndarray, optional
        The array whose memory it is, of the others. It is used in place.
    chDesc : ChannelFormatDescriptor, optional
        What an element of `arr` is.
    sizeInBytes : int, optional
        Of linear memory.
    width, height : int, optional
        Of rows of memory, in elements.
    pitchInBytes : int, optional
        From one of these rows to the next.

    Attributes
    ----------
    ptr : int
        The address of the structure.
    cuArr, arr, chDesc
        As given.

    Raises
    ------
    ValueError
        There is no such type, or what it is of was not given.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> x = cp.arange(8, dtype="f4")
    >>> kind = runtime.cudaResourceTypeLinear
    >>> resource = texture.ResourceDescriptor(
    ...     kind, arr=x, chDesc=one_float, sizeInBytes=x.nbytes
    ... )
    >>> resource.get_resource_desc()["linear"]["sizeInBytes"]
    32
    """

    def __init__(
        self,
        restype,
        cuArr=None,
        arr=None,
        chDesc=None,
        sizeInBytes=0,
        width=0,
        height=0,
        pitchInBytes=0,
    ):
        self.cuArr = cuArr
        self.arr = arr
        self.chDesc = chDesc
        self._c = ResourceParameters(resType=restype)
        self.ptr = ctypes.addressof(self._c)
        if restype == runtime.cudaResourceTypeArray:
            _check_type(cuArr, CUDAarray, "cuArr")
            self._c.res.array = cuArr.ptr
            return
        if restype == runtime.cudaResourceTypeLinear:
            memory = self._c.res.linear
            memory.sizeInBytes = sizeInBytes
            span = sizeInBytes
        elif restype == runtime.cudaResourceTypePitch2D:
            memory = self._c.res.pitch2D
            memory.width, memory.height = width, height
            memory.pitchInBytes = pitchInBytes
            span = pitchInBytes * height
        else:
            raise ValueError(f"there is no resource of type {restype} to sample")
        _check_type(arr, _core.ndarray, "arr")
        _check_type(chDesc, ChannelFormatDescriptor, "chDesc")
        if span > arr.nbytes or not arr.flags.c_contiguous:
            raise ValueError(
                f"arr must be C-contiguous, with at least {span} bytes, not "
                f"{arr.nbytes}"
            )
        memory.devPtr = arr.data.ptr
        memory.desc = chDesc._c

    def __repr__(self):
        memory = self.cuArr if self.cuArr is not None else self.arr
        what = (
            repr(memory) if memory is self.cuArr else f"{memory.shape} {memory.dtype}"
        )
        return f"<ResourceDescriptor of {what}>"

    def get_resource_desc(self):
        """What was given.

        Returns
        -------
        dict

        Examples
        --------
        >>> from cupric.cuda import runtime, texture
        >>> one_byte = texture.ChannelFormatDescriptor(8, 0, 0, 0, 1)
        >>> array = texture.CUDAarray(one_byte, 3)
        >>> kind = runtime.cudaResourceTypeArray
        >>> resource = texture.ResourceDescriptor(kind, array)
        >>> resource.get_resource_desc()["array"] == array.ptr
        True
        """
        c = self._c
        out = {"resType": c.resType}
        if self.cuArr is not None and c.resType == runtime.cudaResourceTypeArray:
            return out | {"array": c.res.array}
        form = self.chDesc.get_channel_format()
        if c.resType == runtime.cudaResourceTypeLinear:
            given = {"sizeInBytes": c.res.linear.sizeInBytes}
            return out | {"linear": {"ptr": self.arr.data.ptr, "desc": form} | given}
        pitched = c.res.pitch2D
        names = "width", "height", "pitchInBytes"
        given = {name: getattr(pitched, name) for name in names}
        return out | {"pitch2D": {"ptr": self.arr.data.ptr, "desc": form} | given}


class TextureDescriptor:
    """How a texture is sampled: a ``cudaTextureDesc``.

    Parameters
    ----------
    addressModes : sequence of int, optional
        Of up to three axes, x first, what is outside: ``cudaAddressModeWrap``,
        ``cudaAddressModeClamp``, ``cudaAddressModeMirror`` or
        ``cudaAddressModeBorder``. The first and the third need normalized coordinates,
        and are the second without.
    filterMode : int, optional
        ``cudaFilterModePoint`` or ``cudaFilterModeLinear``, which floats are read by
        only. Its weights have 8 bits of fraction.
    readMode : int, optional
        ``cudaReadModeElementType``, or ``cudaReadModeNormalizedFloat``, which reads
        integers of 8 or 16 bits as floats between -1, or 0, and 1.
    sRGB : int, optional
        Whether bytes are converted from sRGB.
    borderColors : sequence of float, optional
        Of up to four channels, what is read outside; by default 0.
    normalizedCoords : int, optional
        Whether coordinates are between 0 and 1.
    maxAnisotropy : int, optional
        Has no effect without mipmaps.

    Attributes
    ----------
    ptr : int
        The address of the structure.

    Raises
    ------
    ValueError
        There are too many modes or colours.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> border = runtime.cudaAddressModeBorder
    >>> how = texture.TextureDescriptor(
    ...     (border, border), runtime.cudaFilterModeLinear, borderColors=[0.5]
    ... )
    >>> how.get_texture_desc()["borderColor"]
    [0.5, 0.0, 0.0, 0.0]
    """

    def __init__(
        self,
        addressModes=None,
        filterMode=0,
        readMode=0,
        sRGB=None,
        borderColors=None,
        normalizedCoords=None,
        maxAnisotropy=None,
    ):
        modes = tuple(addressModes or ())
        colors = tuple(borderColors or ())
        if len(modes) > 3 or len(colors) > 4:
            raise ValueError(
                "a texture has up to 3 address modes and 4 border colours, not "
                f"{len(modes)} and {len(colors)}"
            )
        self._c = TextureParameters(
            addressMode=modes,
            filterMode=filterMode,
            readMode=readMode,
            sRGB=sRGB or 0,
            borderColor=colors,
            normalizedCoords=normalizedCoords or 0,
            maxAnisotropy=maxAnisotropy or 0,
        )
        self.ptr = ctypes.addressof(self._c)

    def __repr__(self):
        facts = ", ".join(f"{k}={v}" for k, v in self.get_texture_desc().items())
        return f"<TextureDescriptor {facts}>"

    def get_texture_desc(self):
        """What was given.

        Returns
        -------
        dict

        Examples
        --------
        >>> from cupric.cuda import texture
        >>> texture.TextureDescriptor([1]).get_texture_desc()["addressMode"]
        [1, 0, 0]
        """
        c = self._c
        return {
            "addressMode": list(c.addressMode),
            "filterMode": c.filterMode,
            "readMode": c.readMode,
            "sRGB": c.sRGB,
            "borderColor": list(c.borderColor),
            "normalizedCoords": c.normalizedCoords,
            "maxAnisotropy": c.maxAnisotropy,
        }


class TextureObject:
    """A texture, which a kernel takes as a ``cudaTextureObject_t``.

    It keeps what it samples, and is destroyed with the object, after waiting for the
    device.

    Parameters
    ----------
    ResDesc : ResourceDescriptor
        What is sampled.
    TexDesc : TextureDescriptor
        How.

    Attributes
    ----------
    ptr : int
        Its handle.
    ResDesc, TexDesc
        As given.

    Raises
    ------
    CUDARuntimeError
        The elements cannot be sampled like that.

    Examples
    --------
    Halfway between elements a linear filter gives their mean:

    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> array = texture.CUDAarray(one_float, 4)
    >>> array.copy_from(np.array([0, 10, 20, 30], "f4"))
    >>> resource = texture.ResourceDescriptor(runtime.cudaResourceTypeArray, array)
    >>> modes = [runtime.cudaAddressModeClamp]
    >>> how = texture.TextureDescriptor(modes, runtime.cudaFilterModeLinear)
    >>> kernel = cp.RawKernel(
    ...     '''extern "C" __global__ void sample(cudaTextureObject_t t, float *y)
    ...     { y[threadIdx.x] = tex1D<float>(t, threadIdx.x + 1); }''',
    ...     "sample",
    ... )
    >>> y = cp.empty(3, "f4")
    >>> kernel((1,), (3,), (texture.TextureObject(resource, how), y))
    >>> y
    array([ 5., 15., 25.], dtype=float32)
    """

    def __init__(self, ResDesc, TexDesc):
        _check_type(ResDesc, ResourceDescriptor, "ResDesc")
        _check_type(TexDesc, TextureDescriptor, "TexDesc")
        self.ResDesc = ResDesc
        self.TexDesc = TexDesc
        self.ptr = runtime.createTextureObject(ResDesc.ptr, TexDesc.ptr)
        destroy = runtime.destroyTextureObject
        self._finalizer = weakref.finalize(self, destroy, self.ptr)
        self._finalizer.atexit = False

    def __repr__(self):
        return f"<TextureObject {self.ptr} of {self.ResDesc!r}>"

    @property
    def __cupric_handle__(self):
        return self.ptr


class SurfaceObject:
    """A surface, which a kernel takes as a ``cudaSurfaceObject_t``.

    It keeps its array, and is destroyed with the object, after waiting for the device.

    Parameters
    ----------
    ResDesc : ResourceDescriptor
        Of an array that was made with ``cudaArraySurfaceLoadStore``.

    Attributes
    ----------
    ptr : int
        Its handle.
    ResDesc
        As given.

    Raises
    ------
    CUDARuntimeError
        The resource is no such array.

    Examples
    --------
    >>> from cupric.cuda import runtime, texture
    >>> one_float = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    >>> flags = runtime.cudaArraySurfaceLoadStore
    >>> array = texture.CUDAarray(one_float, 4, flags=flags)
    >>> resource = texture.ResourceDescriptor(runtime.cudaResourceTypeArray, array)
    >>> kernel = cp.RawKernel(
    ...     '''extern "C" __global__ void write(cudaSurfaceObject_t s)
    ...     { surf1Dwrite<float>(2.5f * threadIdx.x, s, 4 * threadIdx.x); }''',
    ...     "write",
    ... )
    >>> kernel((1,), (4,), (texture.SurfaceObject(resource),))
    >>> y = cp.empty(4, "f4")
    >>> array.copy_to(y)
    >>> y
    array([0. , 2.5, 5. , 7.5], dtype=float32)
    """

    def __init__(self, ResDesc):
        _check_type(ResDesc, ResourceDescriptor, "ResDesc")
        self.ResDesc = ResDesc
        self.ptr = runtime.createSurfaceObject(ResDesc.ptr)
        destroy = runtime.destroySurfaceObject
        self._finalizer = weakref.finalize(self, destroy, self.ptr)
        self._finalizer.atexit = False

    def __repr__(self):
        return f"<SurfaceObject {self.ptr} of {self.ResDesc!r}>"

    @property
    def __cupric_handle__(self):
        return self.ptr
