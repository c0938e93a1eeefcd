"""Transforms of arrays as they lie: of real numbers, along any axes, of any strides."""

import numpy as np
import pytest

import cupric as cp

RANDOM = np.random.default_rng(5)
REAL = {  # shape: the axes transformed
    (12,): [(0,)],
    (2,): [(0,)],
    (5, 8): [(0,), (1,), (1, 0)],
    (300, 202): [(0,), (1,), (0, 1), (1, 0)],  # more terms than launches are worth
    (41, 40, 42): [(0, 1, 2), (2, 1), (1,), (2, 0)],
    (3, 4, 5, 6): [(0, 1, 2, 3), (1, 3)],
    (40000, 1): [(0, 1), (0,)],
    (20000, 8): [(1,), (0,)],
    (20000, 4): [(1,)],
    (130, 620): [(0,), (1, 0)],
    (7, 90, 130): [(1,), (0, 1), (2, 0)],
}
LARGE = [shape for shape in REAL if np.prod(shape) > 1 << 16]


@pytest.mark.parametrize("function", ["fftn", "ifftn"])
@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("dtype", "fdi")
@pytest.mark.parametrize(
    ("shape", "axes"), [(shape, axes) for shape in REAL for axes in REAL[shape]]
)
def test_real_numbers(shape, axes, dtype, norm, function):
    a = (RANDOM.random(shape) * 9 + 1).astype(dtype)
    expected = getattr(np.fft, function)(a, axes=axes, norm=norm)
    found = getattr(cp.fft, function)(cp.asarray(a), axes=axes, norm=norm)
    assert found.dtype == expected.dtype
    limit = 1e-6 if dtype == "f" else 1e-14
    assert abs(found.get() - expected).max() <= limit * abs(expected).max() * a.ndim


@pytest.mark.parametrize("dtype", "fdB")
@pytest.mark.parametrize(
    ("shape", "axes"), [(shape, axes) for shape in LARGE for axes in REAL[shape]]
)
def test_half_of_the_terms_of_many(shape, axes, dtype):
    """And back, from terms that lie as they were found, and in C order."""
    a = (RANDOM.random(shape) * 9 + 1).astype(dtype)
    expected = np.fft.rfftn(a, axes=axes)
    found = cp.fft.rfftn(cp.asarray(a), axes=axes)
    assert found.dtype == expected.dtype
    limit = 1e-6 if dtype == "f" else 1e-14
    assert abs(found.get() - expected).max() <= limit * abs(expected).max() * a.ndim
    for terms in found, cp.ascontiguousarray(found):
        back = cp.fft.irfftn(terms, [shape[i] for i in axes], axes)
        assert abs(back.get() - a).max() <= limit * 10 * a.ndim


LAYOUTS = {
    "C": lambda x: x,
    "transposed": lambda x: x.T,
    "swapped": lambda x: x.swapaxes(0, 1),
    "every other": lambda x: x[:, ::2, :16],
    "reversed": lambda x: x[::-1, :, ::-1],
    "broadcast": lambda x: x[:1] + 0 * x[:1],
    "part": lambda x: x[1:, 3:9, 5:27],
    "one": lambda x: x[:1, :, 4:5],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (1, 2), (2, 0), (0, 1, 2)])
def test_strides(layout, dtype, axes):
    a = RANDOM.random((20, 18, 34)) + (1j * RANDOM.random((20, 18, 34)))
    a = (a if dtype in "FD" else a.real).astype(dtype)
    x, y = LAYOUTS[layout](a), LAYOUTS[layout](cp.asarray(a))
    if layout == "broadcast":
        x, y = (xp.broadcast_to(v, (20, 18, 34)) for xp, v in ((np, x), (cp, y)))
    limit = 1e-6 if dtype in "fF" else 1e-14
    pairs = [(np.fft.fftn(x, axes=axes), cp.fft.fftn(y, axes=axes))]
    if dtype in "fd":
        pairs.append((np.fft.rfftn(x, axes=axes), cp.fft.rfftn(y, axes=axes)))
        pairs.append((np.fft.ifftn(x, axes=axes), cp.fft.ifftn(y, axes=axes)))
    elif x.shape[axes[-1]] > 1:
        pairs.append((np.fft.irfftn(x, axes=axes), cp.fft.irfftn(y, axes=axes)))
    for expected, found in pairs:
        assert found.shape == expected.shape
        error = abs(found.get() - expected).max()
        assert error <= limit * 3 * max(abs(expected).max(), 1)
    assert (y.get() == x).all()


def test_many_pieces():
    """More than cuFFT is called for, along an axis between others."""
    a = RANDOM.random((40, 6, 10)).astype("F")
    found = cp.fft.fft(cp.asarray(a), axis=1).get()
    assert abs(found - np.fft.fft(a, axis=1)).max() < 1e-5
