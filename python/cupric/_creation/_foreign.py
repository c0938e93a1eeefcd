"""Arrays over the device memory of other packages' objects."""

import math

import numpy as np

from cupric import _core

__all__ = [
    "from_foreign",
]


def from_foreign(obj):
    """A view of the device array that `obj` exports.

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

    dtype = _dtype_of(desc)
    shape, strides = desc["shape"], desc.get("strides")
    if desc.get("mask") is not None:
        raise ValueError("masked arrays of the CUDA array interface are not supported")
    pointer, read_only = desc["data"]
    _check_memory(pointer, shape, dtype)
    first, steps = pointer, strides
    if 0 in shape:
        nbytes = 0
    elif strides is None:
        nbytes = dtype.itemsize * math.prod(shape)
    else:  # from the lowest address, upwards; turned round below
        spans = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
        first += sum(s for s in spans if s < 0)
        nbytes = dtype.itemsize + sum(map(abs, spans))
        steps = tuple(map(abs, strides))
    memory = cuda.UnownedMemory(first, nbytes, obj)
    _order(desc.get("stream"), memory.device)
    array = _core.ndarray(shape, dtype, cuda.MemoryPointer(memory, 0), steps)
    if strides is not None and min(strides, default=0) < 0:
        array = array[tuple(slice(None, None, -1 if s < 0 else 1) for s in strides)]
    if read_only:
        array.flags.writeable = False
    return array


def _dtype_of(desc):
    """The dtype, with fields where `descr` names any."""
    dtype = np.dtype(desc["typestr"])
    fields = desc.get("descr")
    if dtype.kind != "V" or not fields or not any(name for name, *_ in fields):
        return dtype
    whole = np.lib.format.descr_to_dtype(fields)
    return whole if whole.itemsize == dtype.itemsize else dtype


def _check_memory(pointer, shape, dtype):
    """Refuse an address that no array of `dtype` can have."""
    if min(shape, default=0) < 0:
        raise ValueError(f"negative dimensions are not allowed: shape {shape}")
    if 0 in shape:
        return
    if not 0 < pointer < 1 << 63:
        raise ValueError(
            f"__cuda_array_interface__ gives the address {pointer}, where no array of "
            f"shape {shape} can be"
        )
    if pointer % dtype.alignment:
        raise ValueError(
            f"__cuda_array_interface__ gives the address {pointer:#x}, which is not "
            f"aligned to the {dtype.alignment} bytes of {dtype}: copy the data first"
        )


def _order(stream, device):
    """Let the current stream wait for the producer's.

    1 is the default stream, 2 the thread's; Numba calls the default one 0, which the
    interface forbids.
    """
    if stream is None:
        return
    if _core._settings().get("CUPY_CUDA_ARRAY_INTERFACE_SYNC") == "0":
        return
    with device:
        current = _core.get_current_stream()
        if stream in (0, 1):
            producer = _core.Stream.null
        else:
            producer = _core.ExternalStream(stream, device.id)
        if current.ptr != producer.ptr:
            current.wait_event(producer.record(_core.Event(disable_timing=True)))
