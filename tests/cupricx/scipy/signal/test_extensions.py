"""Extensions along an axis against NumPy's and SciPy's."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.signal._extensions import KINDS, extended

PADS = {
    "zeros": {"mode": "constant"},
    "constant": {"mode": "edge"},
    "even": {"mode": "reflect"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
    "periodic": {"mode": "wrap"},
    "symmetric": {"mode": "symmetric"},
}


def padded(x, before, behind, kind, axis):
    """The reference, of float64."""
    width = [(0, 0)] * x.ndim
    width[axis] = (before, behind)
    if kind in PADS:
        return np.pad(x, width, **PADS[kind])
    x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    at = np.arange(-before, n + behind)
    if kind == "antisymmetric":
        period = np.concatenate([x, -x[..., ::-1]], -1)
        y = period[..., at % (2 * n)]
    else:
        slope = (x[..., -1:] - x[..., :1]) / max(n - 1, 1)
        outside = np.where(
            at < 0, x[..., :1] + at * slope, x[..., -1:] + (at - n + 1) * slope
        )
        inside = x[..., np.clip(at, 0, n - 1)]
        y = np.where((at >= 0) & (at < n), inside, outside)
    return np.moveaxis(y, -1, axis)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", "efdFD")
def test_kinds(kind, dtype):
    rng = np.random.default_rng(0)
    for shape, axis in (((9,), 0), ((3, 7, 4), 1), ((5, 4), 0), ((2, 6), -1)):
        x = rng.integers(-9, 9, shape).astype(dtype)
        for before, behind in ((0, 0), (1, 1), (3, 2), (0, 4), (11, 23)):
            if kind == "odd" and shape[axis] == 1:
                continue
            made = extended(cp.array(x), (before, behind), kind, axis)
            assert made.dtype == x.dtype
            wide = x.astype("D" if dtype in "FD" else "d")
            np.testing.assert_allclose(
                made.get(),
                padded(wide, before, behind, kind, axis % x.ndim),
                **({"rtol": 2e-3, "atol": 1e-2} if dtype == "e" else {"rtol": 1e-5}),
            )


@pytest.mark.parametrize("kind", KINDS)
def test_one_element(kind):
    made = extended(cp.array([3.0]), 2, kind).get()
    expected = {"zeros": [0, 0, 3, 0, 0], "antisymmetric": [3, -3, 3, -3, 3]}
    np.testing.assert_array_equal(made, expected.get(kind, [3.0] * 5))


def test_layouts_and_dtypes():
    x = np.arange(30.0).reshape(5, 6)
    for view in (x.T, x[::-1, ::2], np.broadcast_to(x[:1], x.shape)):
        for axis in (0, 1):
            made = extended(cp.array(view)[::-1], 2, "odd", axis)
            np.testing.assert_array_equal(
                made.get(), padded(view[::-1], 2, 2, "odd", axis)
            )
    # Of unsigned integers differences would wrap.
    made = extended(cp.array([9, 1, 8], "B"), 2, "odd", dtype=float)
    np.testing.assert_array_equal(made.get(), [10, 17, 9, 1, 8, 15, 7])


def test_the_reflection_is_exact():
    """Not by way of the distance between the ends."""
    x = np.array([1e-9, 1.0, 2.0, 1e9])
    made = extended(cp.array(x), 3, "odd").get()
    np.testing.assert_array_equal(made[:3], 2 * x[0] - x[3:0:-1])
    np.testing.assert_array_equal(made[-3:], 2 * x[-1] - x[-2::-1])


def test_errors():
    with pytest.raises(ValueError, match=r"axis 1 of shape \(2, 0\)"):
        extended(cp.ones((2, 0)), 1, "odd")
    with pytest.raises(np.exceptions.AxisError):
        extended(cp.ones(3), 1, "odd", axis=1)
