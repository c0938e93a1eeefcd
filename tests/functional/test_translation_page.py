"""Every call that docs/translation.md names, in a function given to vectorize."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import special

import cupric as cp
import cupricx.scipy.special

PAGE = Path(__file__).resolve().parents[2] / "docs/translation.md"
X = np.array([0.5, 1.25, -2.0, 3.0])
N = np.array([3, -4, 0, 12])

# What the page says: functions of x, a float64 (n, an int64), and NumPy's function.
CALLS = {
    "cupric": (lambda x: cp.hypot(x, 2.0), lambda a: np.hypot(a, 2.0)),
    "dtype=": (lambda x: np.add(x, 1, dtype="f4"), lambda a: np.float32(a) + 1),
    "where": (lambda x: cp.where(x > 1, x, 0.0), lambda a: np.where(a > 1, a, 0.0)),
    "clip": (lambda x: cp.clip(x, -1, 1), lambda a: np.clip(a, -1, 1)),
    "sinc": (lambda x: cp.sinc(x), np.sinc),
    "i0": (lambda x: cp.i0(x), np.i0),
    "angle": (lambda x: cp.angle(x), np.angle),
    "np.float32(x)": (lambda x: np.float32(x), np.float32),
    "math": (lambda x: math.exp(x) + math.floor(x), lambda a: np.exp(a) + np.floor(a)),
    "abs": (lambda x: abs(x), abs),
    "bool": (lambda x: bool(x > 1), lambda a: a > 1),
    "complex": (lambda x: complex(x, 1.0), lambda a: a + 1j),
    "divmod": (lambda x: divmod(x, 2.0)[1], lambda a: np.mod(a, 2.0)),
    "float": (lambda x: float(x), lambda a: a),
    "int": (lambda x: int(x), lambda a: a.astype(int)),
    "len": (lambda x: x * len((x, x)), lambda a: a * 2),
    "max": (lambda x: max(x, 1.0), lambda a: np.maximum(a, 1.0)),
    "min": (lambda x: min(x, 1.0), lambda a: np.minimum(a, 1.0)),
    "pow": (lambda x: pow(x, 2), lambda a: a**2),
    "round": (lambda x: round(x), lambda a: np.rint(a).astype(int)),
    "x.real": (lambda x: x.real, lambda a: a.real),
    "x.imag": (lambda x: (x + 2j).imag, lambda a: (a + 2j).imag),
    "x.conjugate()": (lambda x: (x * 1j).conjugate(), lambda a: (a * 1j).conjugate()),
    "x.dtype": (lambda x: x.dtype.type(2) * x, lambda a: 2 * a),
    "x.astype(…)": (lambda x: x.astype("i4"), lambda a: a.astype("i4")),
    "x.item()": (lambda x: x.item(), lambda a: a),
}


def test_the_page_names_these():
    section = PAGE.read_text().partition("- Ufuncs of")[2].partition("- From around")[0]
    assert set(re.findall(r"`([^`]+)`", section)) == set(CALLS)


def check(function, expected, *arrays):
    found = cp.vectorize(function)(*map(cp.asarray, arrays))
    expected = np.asarray(expected(*arrays))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.get(), expected, rtol=1e-6, atol=1e-15)


@pytest.mark.parametrize("name", CALLS)
def test_call(name):
    check(*CALLS[name], X)


CLIPS = {
    "of NumPy": (lambda x: np.clip(x, -1, 1), lambda a: np.clip(a, -1, 1)),
    "above alone": (lambda x: cp.clip(x, None, 1), lambda a: np.clip(a, None, 1)),
    "below alone": (lambda x: np.clip(x, 1, None), lambda a: np.clip(a, 1, None)),
    "by old names": (
        lambda x: np.clip(x, a_min=0, a_max=1),
        lambda a: np.clip(a, a_min=0, a_max=1),
    ),
    "by name": (lambda x: cp.clip(x, min=0, max=1), lambda a: np.clip(a, 0, 1)),
    "by elements": (
        lambda x: cp.clip(x, x - 1, x / 2),
        lambda a: np.clip(a, a - 1, a / 2),
    ),
    "in the wrong order": (lambda x: np.clip(x, 2, 1), lambda a: np.clip(a, 2, 1)),
    "a float": (lambda x: np.clip(x, 1.5, 9), lambda a: np.clip(a, 1.5, 9)),
}


@pytest.mark.parametrize("name", CLIPS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i2"])
def test_clip(name, dtype):
    values = np.append(X, np.nan if dtype[0] == "f" else 0).astype(dtype)
    check(*CLIPS[name], values)


def test_ufuncs_of_numpy_and_scipy():
    check(lambda x: np.arctan(x), np.arctan, X)
    check(lambda x: special.erf(x), special.erf, X)
    check(lambda x: cupricx.scipy.special.erf(x), special.erf, X)
    check(lambda n: np.bitwise_and(n, 6), lambda a: a & 6, N)
