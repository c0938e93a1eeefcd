"""The word by which kernels for stacks of matrices say that they failed."""

import ctypes

import numpy as np
import pytest

import cupric as cp
import cupricx
from cupric._lib.kernels import _word
from cupric.linalg import _status


def write(address):
    ctypes.c_int32.from_address(address).value = 1


def failing(a, address):
    write(address)
    return a


def fine(a, address):
    assert ctypes.c_int32.from_address(address).value == 0
    return a


def wrong(a, address):
    raise ValueError("wrong")


def test_what_is_written_is_an_error_of_its_call_alone():
    a = cp.zeros(1)
    assert _status.checked("failed", fine, a) is a
    for _ in range(3):
        with pytest.raises(np.linalg.LinAlgError, match="^failed$"):
            _status.checked("failed", failing, a)
        assert _status.checked("failed", fine, a) is a


def test_words_are_used_again():
    a = cp.zeros(1)
    _status.checked("failed", fine, a)
    words = len(_word._words)
    for _ in range(3):
        with pytest.raises(ValueError, match="wrong"):
            _status.checked("failed", wrong, a)
        with pytest.raises(np.linalg.LinAlgError):
            _status.checked("failed", failing, a)
    assert len(_word._words) == words


def test_calls_within_calls_have_words_of_their_own():
    def outer(a, address):
        write(address)
        return _status.checked("inner", fine, a)

    with pytest.raises(np.linalg.LinAlgError, match="outer"):
        _status.checked("outer", outer, cp.zeros(1))


def test_ignored_failures_stay_where_nobody_looks():
    a = cp.zeros(1)
    with cupricx.errstate(linalg="ignore"):
        assert _status.checked("failed", failing, a) is a
        assert _status.checked("failed", failing, a) is a
    assert _status.checked("failed", fine, a) is a


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("n", [2, 3, 4, 7, 12])
def test_singular_matrices_beside_others_in_turns(n, dtype):
    good = cp.asarray((np.eye(n) * 2).astype(dtype))
    bad = cp.zeros((n, n), dtype)
    for _ in range(3):
        np.testing.assert_array_equal(cp.linalg.inv(good).get(), np.eye(n) / 2)
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            cp.linalg.inv(cp.stack([good, bad]))
