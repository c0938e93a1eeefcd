"""Arrays over the device memory of other packages' objects."""

import numpy

from cupric import _core


def from_foreign(obj):
    """A view of the device array that `obj` offers.

    Parameters
    ----------
    obj : object
        With a method ``__cupric_get_ndarray__`` or ``__cupy_get_ndarray__``, or with
        the attribute ``__cuda_array_interface__``.

    Returns
    -------
    cupric.ndarray
        Shares memory with `obj`, which it keeps alive.
    """
    for name in ("__cupric_get_ndarray__", "__cupy_get_ndarray__"):
        get = getattr(obj, name, None)
        if get is not None:
            made = get()
            if not isinstance(made, _core.ndarray):
                raise TypeError(
                    f"{type(obj).__name__}.{name}() returned {type(made)}, "
                    "not a cupric.ndarray"
                )
            return made
    return _from_interface(obj, obj.__cuda_array_interface__)


def _from_interface(obj, desc):
    """An array over what version 2 or 3 of the interface describes."""
    from cupric import cuda

    dtype = numpy.dtype(desc["typestr"])
    shape, strides = desc["shape"], desc.get("strides")
    if desc.get("mask") is not None:
        raise ValueError("masked arrays of the CUDA array interface are not supported")
    pointer, _readonly = desc["data"]
    if strides is None:
        nbytes = dtype.itemsize
        for length in shape:
            nbytes *= length
    else:
        nbytes = dtype.itemsize + sum(
            (n - 1) * s for n, s in zip(shape, strides, strict=True) if s > 0
        )
    memory = cuda.UnownedMemory(pointer, nbytes, obj)
    stream = desc.get("stream")
    if stream is not None:
        cuda.ExternalStream(stream).synchronize()
    return _core.ndarray(shape, dtype, cuda.MemoryPointer(memory, 0), strides)
