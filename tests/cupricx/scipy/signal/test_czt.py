"""The chirp z-transform against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

theirs = pytest.importorskip("scipy.signal")

DTYPES = ["?", "b", "H", "i", "L", "e", "f", "d", "F", "D"]


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 3
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return (abs(x) if np.dtype(dtype).kind in "uH?" else x).astype(dtype)


def close(actual, expected, bound=1e-11):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    scale = np.abs(expected).max(initial=0)
    np.testing.assert_allclose(actual.get(), expected, rtol=0, atol=bound * scale)


@pytest.mark.parametrize("n", [1, 2, 3, 16, 17, 100])
@pytest.mark.parametrize("m", [None, 1, 2, 5, 16, 130])
def test_lengths(n, m):
    x = numbers(n)
    close(ours.czt(cp.asarray(x), m), theirs.czt(x, m))
    for w in (0.9995 * np.exp(-0.1j), np.exp(-0.3j), 0.999):  # for others it is noise
        for a in (1, 1.1, np.exp(0.3j), -0.9):
            close(ours.czt(cp.asarray(x), m, w, a), theirs.czt(x, m, w, a), 1e-8)
    for fn in (0.5, [0.2, 0.4], [1.9, 0.1], (0, 2)):
        for endpoint in (False, True):
            if endpoint and m == 1 or (m is None and n == 1):
                continue
            options = {"fs": 3, "endpoint": endpoint}
            expected = theirs.zoom_fft(x, fn, m, **options)
            close(ours.zoom_fft(cp.asarray(x), fn, m, **options), expected)


def test_is_a_fourier_transform():
    x = numbers((3, 1000), "D")
    close(ours.czt(cp.asarray(x)), np.fft.fft(x))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_dtypes_and_axes(dtype, axis):
    x = numbers((5, 6, 7), dtype)
    close(ours.czt(cp.asarray(x), 9, axis=axis), theirs.czt(x, 9, axis=axis))
    close(
        ours.zoom_fft(cp.asarray(x), [0.1, 0.7], 9, axis=axis),
        theirs.zoom_fft(x, [0.1, 0.7], 9, axis=axis),
    )


def test_layouts():
    base = numbers((40, 50))
    x = cp.asarray(base)
    for view in (x.T, x[::-1, ::2], x[:, ::-1], cp.asfortranarray(x)):
        close(ours.czt(view, 11), theirs.czt(view.get(), 11))
        close(ours.czt(view, 11, axis=0), theirs.czt(view.get(), 11, axis=0))


def test_long():
    x = numbers(10**5)
    close(ours.czt(cp.asarray(x), 1000, np.exp(-1e-5j)),
          theirs.czt(x, 1000, np.exp(-1e-5j)), 1e-9)  # fmt: skip
    # Angles are exact where points are those of a Fourier transform.
    close(ours.czt(cp.asarray(x)), np.fft.fft(x))


def test_objects():
    x = numbers((3, 20))
    for expected, actual in (
        (theirs.CZT(20, 7), ours.CZT(20, 7)),
        (theirs.CZT(20, 7, 0.99 - 0.2j, 1.1j), ours.CZT(20, 7, 0.99 - 0.2j, 1.1j)),
        (theirs.CZT(20, 7, 0.99, 1.1), ours.CZT(20, 7, 0.99, 1.1)),
        (theirs.ZoomFFT(20, [0.2, 0.5], 7), ours.ZoomFFT(20, [0.2, 0.5], 7)),
        (theirs.ZoomFFT(20, 0.5), ours.ZoomFFT(20, cp.asarray(0.5))),
    ):
        for _ in range(2):
            close(actual(cp.asarray(x)), expected(x))
            close(actual(cp.asarray(x.T.copy()), axis=0), expected(x.T, axis=0))
        close(actual.points(), expected.points(), 1e-13)
        assert (actual.n, actual.m) == (expected.n, expected.m)
        np.testing.assert_allclose([actual.w, actual.a], [expected.w, expected.a])
        with pytest.raises(ValueError, match="20"):
            actual(cp.zeros(19))
    zoom = ours.ZoomFFT(20, 0.5, fs=4)
    assert (zoom.f1, zoom.f2, zoom.fs) == (0, 0.5, 4)


@pytest.mark.parametrize("w", [None, 0.9, 0.9j, 2, -1])
@pytest.mark.parametrize("a", [1, 2.5, 1j, 1 + 0j])
def test_points(w, a):
    close(ours.czt_points(11, w, a), theirs.czt_points(11, w, a), 1e-13)


def test_numbers_of_a_device():
    x = numbers(9)
    made = ours.czt(cp.asarray(x), 5, cp.asarray(0.9j), cp.asarray(1.1))
    close(made, theirs.czt(x, 5, 0.9j, 1.1))
    close(
        ours.zoom_fft(cp.asarray(x), cp.array([0.1, 0.2])),
        theirs.zoom_fft(x, [0.1, 0.2]),
    )


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("CZT", (0,)),
        ("CZT", (2.5,)),
        ("CZT", (4, 0)),
        ("CZT", (4, 2.5)),
        ("czt_points", (0,)),
        ("czt_points", (1.5,)),
        ("ZoomFFT", (4, [1, 2, 3])),
        ("ZoomFFT", (0, 1)),
        ("ZoomFFT", (4, 1, -1)),
    ],
)
def test_errors(name, args):
    with pytest.raises(ValueError):
        getattr(theirs, name)(*args)
    with pytest.raises(ValueError):
        getattr(ours, name)(*args)


def test_wrong_arrays():
    with pytest.raises(ValueError):
        ours.czt(cp.zeros((3, 0)))
    with pytest.raises(np.exceptions.AxisError):
        ours.czt(cp.zeros((3, 4)), axis=2)
    with pytest.raises(TypeError, match="Unsupported type"):
        ours.czt(np.zeros(4))
