"""Cascaded sections against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.signal import _sos, sosfilt, sosfilt_zi

theirs = pytest.importorskip("scipy.signal")


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def agree(made, expected, bound=None):
    """By the size of the greatest element."""
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    if bound is None:
        bound = 2e-6 if expected.dtype.char in "fF" else 1e-11
    scale = np.abs(expected).max(initial=0)
    assert np.abs(made.get() - expected).max(initial=0) <= bound * scale


def check(sos, x, axis=-1, zi=None):
    """SciPy's sums of float32 lose what ours do not."""
    plain = np.ascontiguousarray(sos)  # which SciPy does not take in the other order
    dtype = np.result_type(sos, x, *([] if zi is None else [zi]))
    wide = np.promote_types(dtype, "d")
    ours = [cp.array(sos), cp.array(x), axis, None if zi is None else cp.array(zi)]
    if zi is None:
        expected = theirs.sosfilt(plain.astype(wide), x.astype(wide), axis)
        agree(sosfilt(*ours), expected.astype(dtype))
        return
    expected = theirs.sosfilt(plain.astype(wide), x.astype(wide), axis, zi=zi)
    for made, one in zip(sosfilt(*ours), expected, strict=True):
        agree(made, one.astype(dtype))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("sections", [1, 2, 3, 4, 7, 20])
def test_sections_and_dtypes(sections, dtype):
    sos = theirs.butter(2 * sections, 0.2, output="sos").astype(dtype)
    x = numbers((3, 333), dtype)
    check(sos, x)
    check(sos, x, zi=numbers((sections, 3, 2), dtype, 1))


@pytest.mark.parametrize("n", [1, 7, 8, 9, 511, 512, 513, 2048, 2049, 30_000])
def test_lengths(n):
    sos = theirs.cheby1(5, 1, 0.3, output="sos")
    check(sos, numbers((2, n)), zi=numbers((3, 2, 2), "d", 1))


def test_a_long_signal():
    sos = theirs.butter(4, [0.1, 0.3], "band", output="sos")
    check(sos, numbers(1_000_003, "f"))


@pytest.mark.parametrize("rows", [3, 4, 5, 9, 70])
def test_rows_side_by_side(rows):
    sos = theirs.butter(5, 0.3, output="sos")
    for dtype in "fd":
        check(sos, numbers((rows, 700), dtype), zi=numbers((3, rows, 2), dtype, 1))


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes_and_layouts(axis):
    sos = theirs.butter(3, 0.3, output="sos")
    x = numbers((40, 70, 6))
    for view in (x, x.T, x[::-1, ::3], np.broadcast_to(x[:, :1], x.shape)):
        shape = [2, *view.shape]
        shape[1 + axis % 3] = 2
        check(sos, view, axis)
        check(sos, view, axis, zi=numbers(shape, "d", 3))
        check(np.asfortranarray(sos), view[..., ::-1], axis)


def test_pieces_are_the_whole():
    sos = cp.array(theirs.butter(6, 0.1, output="sos"))
    x, zi = cp.array(numbers((3, 1000))), cp.array(numbers((3, 3, 2), "d", 1))
    whole, end = sosfilt(sos, x, zi=zi)
    made, z = [], zi
    for begin, stop in ((0, 1), (1, 130), (130, 700), (700, 1000)):
        y, z = sosfilt(sos, x[:, begin:stop], zi=z)
        made.append(y)
    agree(cp.concatenate(made, axis=1), whole.get(), 1e-13)
    agree(z, end.get(), 1e-13)


@pytest.mark.parametrize("rows", [1, 3, 4, 9])
@pytest.mark.parametrize("sections", [1, 2, 3, 5])
def test_pieces_and_rows_to_the_bit(sections, rows):
    """On a CPU: a GPU cuts a piece into other tiles than the whole."""
    sos = theirs.butter(2 * sections, 0.3, output="sos")
    x = cp.array(numbers((rows, 3000)))
    zi = cp.array(numbers((sections, rows, 2), "d", 1))
    whole, end = sosfilt(sos, x, zi=zi)
    made, z = [], zi
    for begin, stop in ((0, 1), (1, 3), (3, 130), (130, 1999), (1999, 3000)):
        y, z = sosfilt(sos, x[:, begin:stop], zi=z)
        made.append(y)
    made = cp.concatenate(made, axis=1)
    one = sosfilt(sos, x[-1:], zi=zi[:, -1:])[0]
    if _sos._library.on_host(x):
        np.testing.assert_array_equal(made.get(), whole.get())
        np.testing.assert_array_equal(z.get(), end.get())
        np.testing.assert_array_equal(one.get(), whole.get()[-1:])
    agree(made, whole.get(), 1e-12)
    agree(one, whole.get()[-1:], 1e-12)


@pytest.mark.parametrize("radius", [0.9999, 1.0, 1.0005])
def test_poles_near_and_beyond_the_circle(radius):
    angle = np.array([0.01, 0.5, 2.9])
    one = np.ones(3)
    sos = np.stack(
        [one, -one, 0.5 * one, one, -2 * radius * np.cos(angle), radius**2 * one], 1
    )
    x = numbers(12_000)
    expected = theirs.sosfilt(sos, x)
    made = sosfilt(cp.array(sos), cp.array(x)).get()
    scale = np.maximum.accumulate(np.abs(expected))
    assert (np.abs(made - expected) <= 1e-8 * scale).all()


def test_nan_from_there_on():
    sos = theirs.butter(4, 0.1, output="sos")
    x = numbers((2, 600))
    x[1, 300] = np.nan
    made = sosfilt(sos, cp.array(x)).get()
    assert np.isfinite(made[0]).all()
    assert np.isfinite(made[1, :300]).all()
    assert np.isnan(made[1, 300:]).all()


def test_nothing_grows_of_nothing():
    """Powers of an unstable section are infinite long before its first element."""
    x = np.zeros(9000)
    x[-60] = 1
    sos = np.array([[1.0, 0, 0, 1, -6, 8], [1, 1, 0, 1, -0.5, 0]])
    made = sosfilt(sos, cp.array(x)).get()
    np.testing.assert_allclose(made, theirs.sosfilt(sos, x), rtol=1e-12, atol=0)


def test_dtypes_agree_as_in_scipy():
    sos = theirs.butter(3, 0.3, output="sos")
    for s, x in ("df", "fd", "ff", "dl", "d?", "dB", "fh", "dF", "Fd", "fe", "de"):
        arrays = sos.astype(s), np.arange(50).astype(x)
        agree(sosfilt(arrays[0], cp.array(arrays[1])), theirs.sosfilt(*arrays), 1e-5)
    half = sosfilt(sos.astype("e"), cp.ones(9, "e"), zi=cp.ones((2, 2), "e"))
    assert [v.dtype.char for v in half] == ["e", "e"]
    expected = theirs.sosfilt(sos.astype("e").astype("f"), np.ones(9, "f"))
    made = sosfilt(cp.array(sos, "e"), cp.ones(9, "e")).get()
    np.testing.assert_allclose(made, expected, rtol=2e-3)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_no_elements(shape):
    """SciPy's reshape of such raises."""
    sos = theirs.butter(3, 0.3, output="sos")
    assert sosfilt(sos, cp.zeros(shape)).shape == shape
    zi = numbers((2, *shape[:-1], 2))
    y, zf = sosfilt(sos, cp.zeros(shape), zi=cp.array(zi))
    assert y.shape == shape
    np.testing.assert_array_equal(zf.get(), zi)


def test_the_input_stays_as_it_is():
    sos = cp.array(theirs.butter(3, 0.3, output="sos"))
    x, zi = cp.array(numbers((4, 100))), cp.ones((2, 4, 2))
    before = x.get()
    for _ in range(3):  # replayed
        y, zf = sosfilt(sos, x, zi=zi)
    np.testing.assert_array_equal(x.get(), before)
    np.testing.assert_array_equal(zi.get(), 1)
    agree(y, theirs.sosfilt(sos.get(), before, zi=zi.get())[0])
    agree(zf, theirs.sosfilt(sos.get(), before, zi=zi.get())[1])


def test_one_section_of_one_axis():
    """As SciPy's `atleast_2d`."""
    one = theirs.butter(2, 0.3, output="sos")[0]
    expected = theirs.sosfilt(one, np.arange(9.0))
    for of in (list, np.array, cp.array):
        agree(sosfilt(of(one), cp.arange(9.0)), expected)


@pytest.mark.parametrize(
    ("sos", "shape", "kwargs", "match"),
    [
        (np.ones((2, 5)), (5,), {}, r"\(2, 5\)"),
        (np.ones(5), (5,), {}, r"\(1, 5\)"),
        (np.ones((0, 6)), (5,), {}, r"\(0, 6\)"),
        (np.ones((1, 2, 6)), (5,), {}, r"\(1, 2, 6\)"),
        (np.full((2, 6), 2.0), (5,), {}, "all ones"),
        (np.ones((2, 6)), (), {}, "at least 1-D"),
        (np.ones((2, 6)), (3, 5), {"zi": np.zeros((2, 2))}, r"\(2, 3, 2\)"),
        (np.ones((2, 6)), (3, 5), {"zi": np.zeros((2, 1, 2))}, r"got \(2, 1, 2\)"),
        (np.ones((2, 6)), (5,), {"zi": np.zeros((1, 2))}, r"\(2, 2\)"),
    ],
)
def test_errors(sos, shape, kwargs, match):
    with pytest.raises(ValueError):
        theirs.sosfilt(sos, np.zeros(shape), **kwargs)
    ours = {k: cp.array(v) for k, v in kwargs.items()}
    for of in (np.array, cp.array):
        for _ in range(2):
            with pytest.raises(ValueError, match=match):
                sosfilt(of(sos), cp.zeros(shape), **ours)


def test_errors_of_types_and_axes():
    sos = np.ones((2, 6))
    for axis in (1, -2):
        with pytest.raises(np.exceptions.AxisError):
            sosfilt(sos, cp.ones(5), axis)
    with pytest.raises(NotImplementedError, match="int64"):
        sosfilt(sos.astype(int), cp.ones(5, int))
    with pytest.raises(TypeError, match="Unsupported type"):
        sosfilt(sos, np.ones(5))


@pytest.mark.parametrize("dtype", "fd")
def test_steady_states(dtype):
    for sos in (
        theirs.butter(7, 0.2, output="sos"),
        theirs.cheby2(4, 40, [0.2, 0.5], "stop", output="sos"),
        theirs.butter(3, 0.2, "high", output="sos"),
    ):
        sos = sos.astype(dtype)
        made = sosfilt_zi(cp.array(sos))
        expected = theirs.sosfilt_zi(sos)
        assert made.dtype == expected.dtype
        tolerance = 1e-4 if dtype == "f" else 1e-9
        np.testing.assert_allclose(
            made.get(), expected, rtol=tolerance, atol=tolerance * abs(expected).max()
        )
        y, _ = sosfilt(sos, cp.ones(50, dtype), zi=made)
        assert abs(y - y[0]).max().get() < tolerance * 50


def test_steady_states_of_integers_and_errors():
    sos = [[1, 2, 3, 1, 4, 1], [1, 0, 0, 1, 0, 0]]
    np.testing.assert_allclose(sosfilt_zi(sos).get(), theirs.sosfilt_zi(sos))
    complex_sos = np.array(sos) * [1j, 1, 1, 1, 1j, 1]
    made = sosfilt_zi(cp.array(complex_sos)).get()
    y, _ = sosfilt(complex_sos, cp.ones(5), zi=cp.array(made))
    np.testing.assert_allclose(y.get(), y.get()[0], rtol=1e-12)
    with pytest.raises(ValueError, match=r"\(6,\)"):
        sosfilt_zi(sos[0])
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        sosfilt_zi([[1.0, 0, 0, 1, -1, 0]])
