"""Filters forward and backward against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupric._lib.algorithms import _scan
from cupricx.scipy.signal import _filtfilt, filtfilt, sosfiltfilt

theirs = pytest.importorskip("scipy.signal")

PADTYPES = ("odd", "even", "constant", None)


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = 9 * rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def agree(made, expected, bound=1e-9):
    """By the size of the greatest element."""
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    if expected.dtype.char in "fF":
        bound = max(bound, 1e-5)
    scale = np.abs(expected).max(initial=0)
    assert np.abs(made.get() - expected).max(initial=0) <= bound * scale


def of(order):
    return theirs.butter(order, 0.2 if order < 6 else 0.4)


@pytest.mark.parametrize("padtype", PADTYPES)
@pytest.mark.parametrize("order", [1, 2, 3, 5, 8, 9, 12])
def test_orders(order, padtype):
    b, a = of(order)
    sos = theirs.butter(order, 0.2, output="sos")
    x = numbers((3, 300))
    agree(
        filtfilt(b, a, cp.array(x), padtype=padtype),
        theirs.filtfilt(b, a, x, -1, padtype),
    )
    expected = theirs.sosfiltfilt(sos, x, -1, padtype)
    agree(sosfiltfilt(sos, cp.array(x), padtype=padtype), expected)


@pytest.mark.parametrize("dtype", "fdFDlhe")
def test_dtypes(dtype):
    """SciPy's padding has the dtype of the signal, ours that of the result."""
    x = numbers((2, 100), dtype)
    for letter in "fd":
        b, a = (c.astype(letter) for c in of(3))
        sos = theirs.butter(3, 0.2, output="sos").astype(letter)
        bound = 1e-2 if dtype == "e" else 1e-6
        for c in (lambda v: v, cp.array):
            made = filtfilt(c(b), c(a), cp.array(x))
            agree(made, theirs.filtfilt(b, a, x), bound)
            made = sosfiltfilt(c(sos), cp.array(x))
            agree(made, theirs.sosfiltfilt(sos, x), bound)


def test_integers():
    x = numbers(100, "i")
    b, a = np.array([1, 2]), np.array([3, 1])
    for way in ({}, {"method": "gust"}):
        made = filtfilt(b, a, cp.array(x), **way)
        agree(made, theirs.filtfilt(b * 1.0, a, x, **way))
    sos = np.array([[1, 2, 0, 1, 0, 0]])
    agree(sosfiltfilt(sos, cp.array(x)), theirs.sosfiltfilt(sos, x))
    # Of unsigned ones SciPy's padding wraps.
    made = filtfilt(b, a, cp.array(x + 100, "B"))
    agree(made, theirs.filtfilt(b, a, (x + 100.0).astype("B").astype("d")))


def test_half_precision():
    b, a = (c.astype("e") for c in of(2))
    x = numbers((3, 50), "e")
    expected = theirs.filtfilt(*(v.astype("d") for v in (b, a, x)))
    made = filtfilt(b, a, cp.array(x))
    assert made.dtype == "e"
    np.testing.assert_allclose(made.get(), expected, rtol=1e-2, atol=5e-2)


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes_and_layouts(axis):
    b, a = of(2)
    sos = theirs.butter(3, 0.3, output="sos")
    x = numbers((40, 70, 45))
    for view in (x, x.T, x[::-1, ::2], np.broadcast_to(x[:, :1], x.shape)):
        for method in ("pad", "gust"):
            made = filtfilt(b, a, cp.array(view)[..., ::-1], axis, method=method)
            agree(made, theirs.filtfilt(b, a, view[..., ::-1], axis, method=method))
            assert made.flags.c_contiguous
        made = sosfiltfilt(sos, cp.array(view)[::-1], axis)
        agree(made, theirs.sosfiltfilt(sos, view[::-1], axis))


@pytest.mark.parametrize("n", [13, 14, 100, 511, 2037, 2038, 5000, 100_000])
def test_lengths(n):
    """One element more than the padding, and around the tiles of a scan."""
    b, a = of(3)
    sos = theirs.butter(2, 0.3, output="sos")
    for shape in (n, (4, n)):
        x = numbers(shape)
        agree(filtfilt(b, a, cp.array(x)), theirs.filtfilt(b, a, x))
        agree(sosfiltfilt(sos, cp.array(x)), theirs.sosfiltfilt(sos, x))


def test_cut_rows(monkeypatch, device):
    """In pieces at once, as for many cores."""
    if device != "host":
        pytest.skip("rows of a GPU have tiles of one length")
    monkeypatch.setattr(_scan, "_host_tile", lambda x, rows, n: 50)
    for order in (1, 2, 4, 8):
        b, a = of(order)
        x = numbers((2, 777))
        agree(
            _filtfilt._padded.__wrapped__(b, a, cp.array(x), 1, x.dtype, "odd", 30),
            theirs.filtfilt(b, a, x, padlen=30),
        )


@pytest.mark.parametrize("padlen", [0, 1, 7, 29, -3])
def test_padlen(padlen):
    b, a = of(2)
    sos = theirs.butter(2, 0.3, output="sos")
    x = numbers((2, 30))
    for padtype in PADTYPES[:3]:
        made = filtfilt(b, a, cp.array(x), padtype=padtype, padlen=padlen)
        agree(made, theirs.filtfilt(b, a, x, padtype=padtype, padlen=padlen))
        made = sosfiltfilt(sos, cp.array(x), padtype=padtype, padlen=padlen)
        agree(made, theirs.sosfiltfilt(sos, x, padtype=padtype, padlen=padlen))


@pytest.mark.parametrize("order", [1, 3, 4, 7])
def test_length_of_padding_of_sections(order):
    """By the zeros among the last coefficients."""
    for kind in ("low", "high"):
        sos = theirs.butter(order, 0.3, kind, output="sos")
        x = numbers(200)
        for c in (lambda v: v, cp.array):
            agree(sosfiltfilt(c(sos), cp.array(x)), theirs.sosfiltfilt(sos, x))


@pytest.mark.parametrize("irlen", [None, 5, 14, 15, 16, 60])
@pytest.mark.parametrize("order", [1, 2, 4, 10])
def test_gustafsson(order, irlen):
    b, a = of(order)
    for shape, dtype in (((2, 31), "d"), (200, "D"), ((3, 2, 100), "f")):
        x = numbers(shape, dtype)
        made = filtfilt(b, a, cp.array(x), method="gust", irlen=irlen)
        expected = theirs.filtfilt(b, a, x, method="gust", irlen=irlen)
        agree(made, expected, 1e-8)


def test_gustafsson_of_single_precision_and_of_one_coefficient():
    b, a = (c.astype("f") for c in of(2))
    x = numbers((2, 50), "f")
    expected = theirs.filtfilt(b, a, x, method="gust")
    agree(filtfilt(b, a, cp.array(x), method="gust"), expected)
    expected = theirs.filtfilt([2.0], [4.0], x, method="gust")
    agree(filtfilt([2.0], [4.0], cp.array(x), method="gust"), expected)
    agree(filtfilt([2.0], [4.0], cp.array(x)), expected)  # an error of SciPy's


def test_gustafsson_of_complex_filters():
    """SciPy drops imaginary parts of the responses: the definition instead."""
    b, a = np.array([1, 0.5j]), np.array([1, -0.6 * np.exp(0.5j)])
    x = numbers((1, 25), "D")
    n = x.shape[1]
    whole = np.stack([theirs.lfilter(b, a, e) for e in np.eye(n)], 1)
    alone = theirs.lfilter(b, a, np.zeros(n, "D"), zi=[1])[0]
    flip = np.eye(n)[::-1]
    back = flip @ whole @ flip
    by = np.stack([back @ alone - alone, flip @ alone - whole @ flip @ alone], 1)
    rest = (whole @ back - back @ whole) @ x[0]
    u, v = np.linalg.lstsq(by, rest, rcond=None)[0]
    expected = back @ whole @ x[0] + u * (back @ alone) + v * (flip @ alone)
    agree(filtfilt(b, a, cp.array(x), method="gust"), expected[None])


@pytest.mark.parametrize("taps", [2, 3, 9, 10, 40])
def test_without_recursion(taps):
    b = numbers(taps)
    for dtype in "fdD":
        x = numbers((3, 400), dtype)
        for padtype in PADTYPES:
            made = filtfilt(b, [2.0], cp.array(x), padtype=padtype)
            agree(made, theirs.filtfilt(b, [2.0], x, padtype=padtype), 1e-6)
    x = numbers((2, 400))
    x[0, 200] = np.nan
    made = filtfilt(b, [2.0], cp.array(x)).get()
    np.testing.assert_array_equal(
        np.isnan(made), np.isnan(theirs.filtfilt(b, [2.0], x))
    )


def test_ringing_filters():
    poles = 0.9999 * np.exp(1j * np.array([0.1, -0.1]))
    b, a = np.array([1.0, 0, -1]), np.real(np.poly(poles))
    x = numbers(20_000)
    agree(filtfilt(b, a, cp.array(x)), theirs.filtfilt(b, a, x), 1e-8)
    sos = np.array([[*b, *a], [1.0, 0.5, 0, 1, -0.5, 0]])
    agree(sosfiltfilt(sos, cp.array(x)), theirs.sosfiltfilt(sos, x), 1e-8)


def test_the_input_stays_as_it_is():
    b, a = map(cp.array, of(2))
    sos = cp.array(theirs.butter(2, 0.3, output="sos"))
    x = cp.array(numbers((4, 100)))
    before = x.get()
    for _ in range(3):  # replayed
        y, z = filtfilt(b, a, x), sosfiltfilt(sos, x)
    np.testing.assert_array_equal(x.get(), before)
    agree(y, theirs.filtfilt(b.get(), a.get(), before))
    agree(z, theirs.sosfiltfilt(sos.get(), before))


def test_no_rows():
    b, a = of(3)
    sos = theirs.butter(3, 0.2, output="sos")
    x = cp.zeros((0, 30))
    for made in (
        filtfilt(b, a, x),
        filtfilt(b, a, x, method="gust"),
        sosfiltfilt(sos, x),
    ):
        assert made.shape == (0, 30)


def test_errors():
    b, a = of(3)
    sos = theirs.butter(3, 0.2, output="sos")
    x = cp.arange(30.0)
    with pytest.raises(ValueError, match=r"which is 12: x is of shape \(12,\)"):
        filtfilt(b, a, x[:12])
    with pytest.raises(ValueError, match=r"which is 12: x is of shape \(0,\)"):
        filtfilt(b, a, x[:0])
    with pytest.raises(ValueError, match=r"which is 12: x is of shape \(12,\)"):
        sosfiltfilt(sos, x[:12])
    for call in (
        lambda **k: filtfilt(b, a, x, **k),
        lambda **k: sosfiltfilt(sos, x, **k),
    ):
        with pytest.raises(ValueError, match="'foo' given to padtype"):
            call(padtype="foo")
        with pytest.raises(ValueError, match="padlen, which is 30"):
            call(padlen=30)
        with pytest.raises(np.exceptions.AxisError):
            call(axis=1)
    with pytest.raises(ValueError, match="'pad' or 'gust'"):
        filtfilt(b, a, x, method="foo")
    with pytest.raises(ValueError, match=r"a\[0\]"):
        filtfilt([1.0], [0.0, 1], x)
    with pytest.raises(ValueError, match=r"\(1, 4\)"):
        filtfilt(b[None], a, x)
    with pytest.raises(ValueError, match="at least 1-D"):
        sosfiltfilt(sos, cp.array(3.0))
    with pytest.raises(np.exceptions.AxisError):
        filtfilt(b, a, cp.array(3.0))
    with pytest.raises(ValueError, match=r"\(2, 5\)"):
        sosfiltfilt(np.ones((2, 5)), x)


def test_no_steady_state():
    x = cp.arange(30.0)
    for c in (list, cp.array):
        for _ in range(2):
            with pytest.raises(np.linalg.LinAlgError, match="Singular"):
                filtfilt([1.0], c([1.0, -1.0]), x)
            with pytest.raises(np.linalg.LinAlgError, match="Singular"):
                sosfiltfilt(c([[1.0, 0, 0, 1.0, -1.0, 0]]), x)
