"""Functions of NumPy's arrays as functions of the device's."""

import inspect
from typing import NamedTuple

import numpy as np

import cupric as cp
from cupricx.scipy.signal._design._on_host import on_host


@on_host
def echo(*args, **kwargs):
    """Return what was passed."""
    return args, kwargs


class Pair(NamedTuple):
    first: object
    second: object


def test_arguments_are_numpy_arrays_and_results_the_devices():
    seen = []

    @on_host
    def double(a, b=None):
        seen.extend([a, b])
        return 2 * a, [b + 1]

    x, (y,) = double(cp.arange(3.0), b=cp.array([True]))
    assert [type(v) for v in seen] == [np.ndarray, np.ndarray]
    assert isinstance(x, cp.ndarray)
    assert isinstance(y, cp.ndarray)
    assert x.get().tolist() == [0, 2, 4]
    assert y.get().tolist() == [2]


def test_arrays_within_containers():
    seen = []

    @on_host
    def take(system, options):
        seen.append((system, options))
        return [system[0], (system[1][0], 3)]

    a = cp.arange(2)
    result = take((a, [a]), {"w": a})
    (system, options), *_ = seen
    assert type(system[0]) is type(system[1][0]) is type(options["w"]) is np.ndarray
    assert isinstance(result[0], cp.ndarray)
    assert isinstance(result[1][0], cp.ndarray)
    assert result[1][1] == 3


def test_numbers_texts_and_none_stay():
    @on_host
    def give():
        return 1, 2.5, 3j, "low", None, True, np.float64(4)

    assert [type(v) for v in give()] == [
        *(int, float, complex, str, type(None), bool, np.float64)
    ]


def test_dtypes_and_layouts_are_kept():
    @on_host
    def give(x):
        return x[::-1], x.astype(np.float32), x.astype(complex)[:0], np.array(2.5), x.T

    back, single, empty, one, _ = give(cp.arange(4.0))
    assert one.shape == ()
    _, _, _, _, turned = give(cp.ones((3, 2)))
    assert back.get().tolist() == [3, 2, 1, 0]
    assert (single.dtype, empty.dtype) == (np.float32, np.complex128)
    assert (empty.shape, turned.shape) == ((0,), (2, 3))


def test_named_tuples():
    @on_host
    def give():
        return Pair(np.arange(2), 1.5)

    pair = give()
    assert isinstance(pair, Pair)
    assert isinstance(pair.first, cp.ndarray)
    assert pair.second == 1.5


def test_the_function_itself_stays_callable():
    @on_host
    def design(n, *, scale=1.0):
        """Design it."""
        return np.arange(n) * scale

    assert type(design.on_host(2)) is np.ndarray
    assert design.__doc__ == "Design it."
    assert str(inspect.signature(design)) == "(n, *, scale=1.0)"


def test_device_of_the_arguments():
    device = cp.cuda.Device(cp.cuda.runtime.getDeviceCount() - 1)
    with device:
        x = cp.arange(3)
    with cp.cuda.Device(0):
        args, _ = echo(1, x)
        assert args[1].device == device
        assert echo(np.arange(3))[0][0].device == cp.cuda.Device(0)
