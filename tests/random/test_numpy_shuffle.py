"""Shuffling by others: NumPy's functions are refused, as elements would be lost."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import cupric as cp


class Sub(cp.ndarray):
    pass


SHUFFLES = {
    "function": np.random.shuffle,
    "RandomState": np.random.RandomState(1).shuffle,
    "Generator": np.random.default_rng(1).shuffle,
}


@pytest.mark.parametrize("name", SHUFFLES)
@pytest.mark.parametrize("shape", [(20,), (5, 4)])
def test_refused_with_what_to_write(name, shape):
    x = cp.arange(20).reshape(shape).copy()
    for array in (x, x.view(type=Sub)):
        with pytest.raises(TypeError, match=r"cupric\.random\.shuffle"):
            SHUFFLES[name](array)
    np.testing.assert_array_equal(x.get().ravel(), np.arange(20))


def test_refused_where_warnings_are_recorded():
    with warnings.catch_warnings(record=True), pytest.raises(TypeError):
        np.random.shuffle(cp.arange(5))


def test_refused_after_an_import_within_a_block_of_warnings():
    program = (
        "import warnings, numpy as np\n"
        "with warnings.catch_warnings():\n"
        "    import cupric as cp\n"
        "try:\n"
        "    np.random.shuffle(cp.arange(5))\n"
        "except TypeError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "cupric.random.shuffle(x)" in done.stdout


def test_others_are_shuffled_with_numpys_warning():
    class Words:
        def __init__(self):
            self.words = list("abcde")

        def __len__(self):
            return 5

        def __getitem__(self, i):
            return self.words[i]

        def __setitem__(self, i, value):
            self.words[i] = value

    x = Words()
    with pytest.warns(UserWarning, match="shuffling a 'Words'"):
        np.random.shuffle(x)
    assert sorted(x.words) == list("abcde")
    a = np.arange(9)
    np.random.shuffle(a)
    assert sorted(a) == list(range(9))


def test_what_to_write():
    x = cp.arange(100)
    cp.random.shuffle(x)
    cp.random.default_rng(1).shuffle(x)
    np.testing.assert_array_equal(np.sort(x.get()), np.arange(100))
