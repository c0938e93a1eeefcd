"""Words by which kernels tell the host something."""

import ctypes

import pytest

import cupric as cp
import cupricx
from cupric._lib.kernels._word import call_with_word


def says(number):
    def function(a, address):
        if number:
            ctypes.c_int.from_address(address).value = number
        return a

    return function


@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.parametrize("number", [0, 1, 7])
def test_what_was_written(number, answers):
    """Also if nothing was, and in the next call, which has the same word."""
    a = cp.arange(3)
    for _ in range(2):
        result, said = call_with_word(says(number), a, answers=answers)
        assert result is a
        assert said == number
    assert call_with_word(says(0), a, answers=answers)[1] == 0


@pytest.mark.filterwarnings("ignore:allow_synchronize:UserWarning")
@pytest.mark.parametrize("answers", [False, True])
def test_it_is_a_wait(answers):
    a = cp.arange(3)
    with (
        cupricx.allow_synchronize(False),
        pytest.raises(cupricx.DeviceSynchronized),
    ):
        call_with_word(says(1), a, answers=answers)
    assert call_with_word(says(2), a, answers=answers)[1] == 2
