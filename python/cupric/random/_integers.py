"""Uniform integers: their limits, as programs give them, and numbers between these."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import where_it_lives
from cupric.random._arguments import read_shape
from cupric.random._distributions import Draws, common_shape

__all__ = [
    "Integers",
]

_WORD = 2**64 - 1
_FRACTIONS = 2**53  # spans up to here are drawn as fractions of float64


def _whole(value):
    """A number without its fraction, as NumPy reads limits; a Python int."""
    if isinstance(value, str | bytes):
        raise TypeError(f"a limit must be a number, not {type(value).__name__}")
    return int(value)


def _read(value):
    """A limit: an int, an array of the device, or a NumPy array of integers, those of
    floats and lists as objects."""
    if type(value) is int:
        return value
    if isinstance(value, _core.ndarray):
        if value.dtype.kind not in "biuf" and value.dtype.name != "bfloat16":
            raise TypeError(f"limits must be integers or floats, not {value.dtype}")
        return _core.trunc(value) if value.dtype.kind not in "biu" else value
    if isinstance(value, list | tuple):
        if any(isinstance(v, _core.ndarray) for v in value):
            return _read(_core.asarray(value))
        value = np.array(value, dtype=object)
    if np.ndim(value) == 0:
        return _whole(value.item() if hasattr(value, "item") else value)
    if value.dtype.kind in "biu":
        return value
    return _objects(value, _whole)


def _objects(value, convert, dtype=object):
    items = [convert(v) for v in value.ravel().tolist()]
    return np.array(items, dtype=dtype).reshape(value.shape)


def _any(condition):
    return bool(condition) if isinstance(condition, bool) else bool(condition.any())


def _words(value):
    """The value modulo 2**64, of uint64; an int stays one."""
    if isinstance(value, int):
        return value & _WORD
    if value.dtype == object:
        return _objects(value, lambda v: v & _WORD, np.uint64)
    if value.dtype.kind in "biu":
        return value.astype(np.uint64)
    return _core.where(value < 0, value.astype(np.int64).view("u8"), value.astype("u8"))


def _together(*limits):
    """The limits, NumPy's arrays on the device where one of them is."""
    if not any(isinstance(v, _core.ndarray) for v in limits):
        return limits
    return [_on_device(v) if isinstance(v, np.ndarray) else v for v in limits]


def _on_device(value):
    if value.dtype == object:
        value = value.astype(np.uint64 if (value >= 2**63).any() else np.int64)
    return _core.array(value)


class Integers(Draws):
    """Of RandomState and Generator; see `Sampler`."""

    @where_it_lives
    def _integers(self, low, high, size, dtype, closed):
        """Uniform integers in [low, high), or [low, high]; `dtype` may be bool."""
        dtype = np.dtype(dtype)
        if dtype.kind not in "iub":
            raise TypeError(f"Unsupported dtype {dtype!r} for integers")
        low, high = _read(low), _read(high)
        shape = read_shape(size)
        arrays = [v.shape for v in (low, high) if not isinstance(v, int)]
        if arrays:
            shape = common_shape(shape, *arrays)
        if shape is not None and 0 in shape:  # nothing is drawn, of any range
            low, high, closed = 0, 0, True
        limits = np.iinfo(dtype) if dtype.kind != "b" else None
        least, most = (limits.min, limits.max) if limits else (0, 1)
        if isinstance(low, int) and isinstance(high, int):
            high = high if closed else high - 1
            _check(low, high, least, most, True, dtype)
            low, high = low & _WORD, high & _WORD
            return self._bits._fill(_core._INTEGERS, shape, dtype, lo=low, hi=high)
        low, high = _check(low, high, least, most, closed, dtype)
        low = _words(low)
        span = _words(high) - low - (0 if closed else 1)  # less 1, modulo 2**64
        largest = int(span.max())
        low, span = (
            _core.array(v) if not isinstance(v, int) else v for v in (low, span)
        )
        offset = self._below(shape, span, largest)
        return (offset + low).astype(dtype)

    def _below(self, shape, span, largest):
        """Offsets from 0 to `span`, of uint64."""
        if largest < _FRACTIONS:
            u = self._uniform01(shape, np.float64)
            return _core.floor(u * (span + 1).astype(np.float64)).astype(np.uint64)
        # The words as a fraction of 128 bits, times span + 1, which 0 stands for where
        # it is 2**64: of that the whole part.
        low, high = self._bits._fill(_core._BITS, (2, *shape), np.uint64)
        count = span + 1
        carry = _upper_half(low, count)
        more = (high * count + carry < carry).astype(np.uint64)
        return _core.where(count == 0, high, _upper_half(high, count) + more)


def _check(low, high, least, most, closed, dtype):
    """The limits, which are in order and within the dtype."""
    if _any(low < least):
        raise ValueError(f"low is out of bounds for {dtype.name}")
    if _any(high > (most if closed else most + 1)):
        raise ValueError(f"high is out of bounds for {dtype.name}")
    if _any(low > most) or _any(high < least):
        raise ValueError("low >= high")
    low, high = _together(low, high)
    in_order = low <= high if closed else low < high
    if not (in_order if isinstance(in_order, bool) else bool(in_order.all())):
        raise ValueError("low >= high")  # or NaN
    return low, high


def _upper_half(x, y):
    """The upper 64 of the 128 bits of a product."""
    half, mask = np.uint64(32), np.uint64(2**32 - 1)
    x_high, x_low, y_high, y_low = x >> half, x & mask, y >> half, y & mask
    one, other = x_high * y_low, x_low * y_high
    middle = (x_low * y_low >> half) + (one & mask) + (other & mask)
    return x_high * y_high + (one >> half) + (other >> half) + (middle >> half)
