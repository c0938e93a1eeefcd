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


def axis_order(x):
    """The axes with more than one element, the slowest first; None: with gaps."""
    axes = [i for i in range(x.ndim) if x.shape[i] > 1]
    return sorted(axes, key=lambda i: -abs(x.strides[i]))


ORDERS = LAYOUTS | {
    "Fortran": lambda x: x.T.copy().T,
    "of one place": lambda x: x[:, :1].swapaxes(0, 2).copy().swapaxes(0, 2),
    "moved": lambda x: x.transpose(2, 0, 1).copy().transpose(1, 2, 0),
}
del ORDERS["broadcast"]


@pytest.mark.parametrize("layout", ORDERS)
@pytest.mark.parametrize("shape", [(6, 8, 10), (40, 42, 50)])
def test_results_lie_as_numpys(layout, shape, device):
    """As the array does; on a GPU many real numbers come by rows."""
    a = RANDOM.random(shape) + 1j * RANDOM.random(shape)
    calls = [(name, {"axis": i}) for name in ("fft", "ifft") for i in range(3)]
    calls += [("fft", {"n": n, "axis": i}) for n in (5, 60) for i in range(3)]
    calls += [(name, {"axes": axes}) for name in ("fftn", "ifftn") for axes in AXES]
    calls += [(name, {}) for name in ("fft2", "ifft2", "fftshift", "ifftshift")]
    real = [(name, {"axis": i}) for name in ("rfft", "ihfft") for i in range(3)]
    real += [("rfftn", {"axes": axes}) for axes in AXES]
    back = [(name, {"axis": i, "n": 8}) for name in ("irfft", "hfft") for i in range(3)]
    back += [("irfftn", {"axes": axes}) for axes in AXES]
    is_large = np.prod(shape) > 1 << 16
    for name, kwargs in calls + real + back:
        values = [a.real] if (name, kwargs) in real else [a, a.real]
        for x in values if (name, kwargs) not in back else [a]:
            x = np.ascontiguousarray(x)
            x, y = ORDERS[layout](x), ORDERS[layout](cp.asarray(x))
            if name.startswith("irfft") and min(x.shape) == 1:
                continue
            expected = getattr(np.fft, name)(x, **kwargs)
            found = getattr(cp.fft, name)(y, **kwargs)
            np.testing.assert_allclose(found.get(), expected, atol=1e-12)
            by_rows = (name, kwargs) not in calls and is_large
            if device == "cuda" and by_rows:
                continue
            assert axis_order(found) == axis_order(expected), (name, kwargs)
            assert found.flags.c_contiguous == expected.flags.c_contiguous
            assert found.flags.f_contiguous == expected.flags.f_contiguous


AXES = [(0,), (1,), (2,), (0, 1), (1, 2), (2, 0), (0, 1, 2), (2, 1, 0)]
