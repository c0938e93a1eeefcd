"""cupric.typing: what annotations name."""

import typing
import warnings

import numpy as np
import numpy.typing as npt

import cupric as cp


def test_what_is_numpys():
    assert cp.typing.ArrayLike is npt.ArrayLike
    assert cp.typing.DTypeLike is npt.DTypeLike
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert cp.typing.NBitBase is npt.NBitBase


def test_arrays():
    of = cp.typing.NDArray[np.float32]
    assert typing.get_origin(of) is cp.ndarray
    assert typing.get_args(of) == (typing.Any, np.dtype[np.float32])

    def f(x: cp.typing.NDArray[cp.int8]) -> cp.typing.NDArray[cp.int8]:
        return x

    assert typing.get_type_hints(f)["x"] == cp.typing.NDArray[np.int8]
