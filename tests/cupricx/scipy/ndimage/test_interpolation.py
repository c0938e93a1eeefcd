"""Splines: coefficients, and values between samples, against SciPy.

Bounds: of float64 1e-11 of the largest coefficient, of float32 1e-5 of it; integers are
the same but for ties, which rounding errors decide: they may differ by 1.
"""

import itertools
import warnings

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

MODES = (
    "reflect",
    "constant",
    "nearest",
    "mirror",
    "wrap",
    "grid-mirror",
    "grid-constant",
    "grid-wrap",
)
INTEGERS = "bBhHiIlL"


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 100, shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.integers(0, 100, shape)
    elif np.dtype(dtype).kind == "b":
        x = x > 50
    return x.astype(dtype)


def quiet(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # grid_mode; a dtype made complex
        return function(*args, **kwargs)


def agree(found, expected, largest=100):
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if expected.dtype.kind in "fc":
        bound = {"e": 1e-3, "f": 1e-5, "F": 1e-5}.get(expected.dtype.char, 1e-11)
        np.testing.assert_allclose(found.get(), expected, rtol=0, atol=bound * largest)
    else:
        gap = np.abs(found.get().astype(float) - expected.astype(float))
        assert gap.max(initial=0) <= 1
        assert np.count_nonzero(gap) <= 0.05 * gap.size + 2


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy."""
    expected = quiet(getattr(scipy.ndimage, name), x, *args, **kwargs)
    found = quiet(getattr(ndimage, name), cp.array(x), *args, **kwargs)
    # a spline goes beyond its samples, and its coefficients further, along each axis
    agree(found, expected, 100 * 4**x.ndim)


# ---- coefficients --------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_coefficients_along_each_axis(mode, order):
    for shape in ((60,), (40, 43), (35, 40, 3), (3, 41, 70)):
        for dtype in "fdFD":
            x = values(shape, dtype)
            axis = (order + len(shape)) % x.ndim
            if x.shape[axis] < 30:
                axis = 1  # SciPy's beginning of 'reflect' is not exact where n is small
            check("spline_filter1d", x, order, axis, output=dtype, mode=mode)


@pytest.mark.parametrize("mode", ["mirror", "constant", "wrap", "grid-wrap"])
def test_coefficients_of_short_axes(mode):
    for n, order in itertools.product((1, 2, 3, 5), (2, 3, 4, 5)):
        check("spline_filter", values((n, 7), "d"), order, mode=mode)
        check("spline_filter", values((n, 40), "D"), order, mode=mode, output="D")


@pytest.mark.parametrize(
    "shape", [(9000,), (3, 5000), (5000, 3), (2, 1300, 40), (300, 1)]
)
@pytest.mark.parametrize("dtype", "fd")
def test_coefficients_of_many_chunks(shape, dtype):
    x = values(shape, dtype)
    for axis, order in itertools.product(range(x.ndim), (3, 5)):
        check("spline_filter1d", x, order, axis, output=dtype)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_splines_go_through_their_samples(mode, n):
    """Which is what coefficients are, also of `reflect` and few samples."""
    x = values((n, 5), "d")
    at = np.indices(x.shape)
    for order in (2, 3, 4, 5):
        y = ndimage.map_coordinates(cp.array(x), at, order=order, mode=mode)
        np.testing.assert_allclose(y.get(), x, rtol=0, atol=1e-10)


def test_coefficients_of_dtypes():
    for dtype in "?" + INTEGERS + "fd":
        x = values((31, 33), dtype)
        check("spline_filter", x, 3)
        check("spline_filter", x, 2, output="f4")
        check("spline_filter1d", x, 1, output=np.float32)
        check("spline_filter1d", x, 4, 0, output=np.int32)
    half = ndimage.spline_filter(cp.array(values(40, "e")), output="e")
    expected = scipy.ndimage.spline_filter(values(40, "d"))
    agree(half, expected.astype("e"), 400)


def test_coefficients_in_place():
    x = values((40, 50), "d")
    base = cp.array(x)
    assert ndimage.spline_filter(base, output=base) is base
    np.testing.assert_allclose(base.get(), scipy.ndimage.spline_filter(x), atol=1e-9)


# ---- values --------------------------------------------------------------------------


def some_image(rng, kinds):
    """A random image and the arguments that all functions have."""
    ndim = int(rng.integers(1, 5))
    dtype = str(rng.choice(kinds))
    if ndim == 4:
        shape, orders, modes = rng.integers(3, 7, ndim), 4, ("mirror", "constant")
    else:
        shape, orders, modes = rng.integers(17, 26, ndim), 6, MODES
    x = values(tuple(shape), dtype, int(rng.integers(1000)))
    cval = complex(2, 3) if x.dtype.kind == "c" else 2.0
    return x, {
        "order": int(rng.integers(0, orders)),
        "mode": str(rng.choice(modes)),
        "cval": cval,
        "prefilter": bool(rng.integers(0, 4)),
    }


def draws(seed, kinds=tuple("ffddFDBhi"), n=40):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        x, options = some_image(rng, kinds)
        yield rng, x, options


@pytest.mark.parametrize("seed", range(3))
def test_map_coordinates(seed):
    for rng, x, options in draws(seed):
        at = rng.uniform(-30, 55, (x.ndim, 7, 9))
        at.flat[::5] = np.round(at.flat[::5])
        check("map_coordinates", x, at.astype(rng.choice(["f4", "f8"])), **options)


@pytest.mark.parametrize("seed", range(3))
def test_affine_transform(seed):
    for rng, x, options in draws(seed):
        matrix, offset = rng.normal(size=(x.ndim, x.ndim)), rng.uniform(-3, 10, x.ndim)
        check("affine_transform", x, matrix, offset, **options)
        check("affine_transform", x, np.abs(matrix[0]) + 0.3, offset, **options)


@pytest.mark.parametrize("seed", range(3))
def test_shift(seed):
    for rng, x, options in draws(seed):
        by = np.round(rng.uniform(-20, 20, x.ndim), 1) * rng.integers(0, 3, x.ndim)
        check("shift", x, by, **options)
        check("shift", x, float(rng.integers(-5, 5)), **options)


@pytest.mark.parametrize("seed", range(3))
def test_zoom(seed):
    for rng, x, options in draws(seed):
        by = np.where(rng.integers(0, 3, x.ndim) == 0, 1, rng.uniform(0.3, 2, x.ndim))
        check("zoom", x, by, **options)
        if x.dtype.kind != "c":  # SciPy forgets grid_mode
            check("zoom", x, by, grid_mode=True, **options)


@pytest.mark.parametrize("seed", range(3))
def test_rotate(seed):
    for rng, x, options in draws(seed):
        if x.ndim < 2:
            continue
        axes = tuple(int(axis) for axis in rng.permutation(x.ndim)[:2])
        angle = float(rng.choice([17.3, 30, 45, 90, -60, 180, 270, 400]))
        check("rotate", x, angle, axes, bool(rng.integers(2)), **options)


@pytest.mark.parametrize("mode", MODES)
def test_inside_and_at_the_borders(mode):
    """Points whose taps all lie inside are made in another way than others on a GPU."""
    for ndim, order in itertools.product((1, 2, 3), range(6)):
        n = (17, 19, 18)[:ndim] if ndim > 1 else (41,)
        x = values(n, "d")
        along = np.arange(-3, n[0] + 3, 0.25 if ndim == 1 else 1.25)
        at = np.stack(np.meshgrid(*(along,) * ndim, indexing="ij"))
        for kind, dtype in (("d", "d"), ("f", "d"), ("f", "f"), ("d", "f")):
            if ndim == 3 and (order + "df".index(kind)) % 2:
                continue
            check(
                "map_coordinates", x.astype(dtype), at.astype(kind), None, order, mode
            )


@pytest.mark.parametrize("mode", ["constant", "nearest", "grid-wrap"])
@pytest.mark.parametrize("inner", [1, 2, 3, 33, 130, 300])
def test_rows_and_channels(mode, inner):
    """How a GPU's threads share rows of points, and the channels of a point."""
    for dtype, order in (("f", 1), ("d", 3), ("F", 1), ("f", 0), ("d", 2)):
        x = values((7, 9, inner), dtype)
        check("rotate", x, 25, (0, 1), order=order, mode=mode)
        check("rotate", x, 25, (0, 2), False, order=order, mode=mode)
        if inner > 30:
            check("rotate", x[0], 10, (0, 1), False, order=order, mode=mode)
            check("rotate", x, -10, (1, 2), order=order, mode=mode)
    at = np.random.default_rng(0).uniform(-2, 8, (2, inner * 9))
    check("map_coordinates", values((7, 9), "F"), at, mode=mode, cval=1 + 2j)


@pytest.mark.parametrize("mode", MODES)
def test_zooms_of_one_pass(mode):
    for order in (0, 1):
        for dtype in "fdiF":
            x = values((12, 7, 35), dtype)
            # between samples, and not at ties, which rounding errors decide
            check("zoom", x, (1.3, 1, 0.7), order=order, mode=mode)
            check("shift", x, (0.3, 1.2, -2.7), order=order, mode=mode)
            check("shift", x, (0, 1.2, -2.7), order=order, mode=mode)
            check("shift", x, (1.2, -2.7, 0), order=order, mode=mode)
            check("shift", x[None], (0, 1.2, 0, -2.7), order=order, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_indices_of_64_bits(mode, monkeypatch):
    """As of images of 2^31 elements and more."""
    from cupricx.scipy.ndimage._interpolation import _points

    monkeypatch.setattr(_points, "_MOST_NARROW", 0)
    at = np.random.default_rng(0).uniform(-5, 25, (3, 60))
    for ndim, order in itertools.product((1, 2, 3), range(6)):
        x = values((17, 19, 18)[:ndim], "fd"[order % 2])
        check("map_coordinates", x, at[:ndim], None, order, mode)
    x = values((17, 19, 5), "f")
    check("rotate", x, 20, order=1, mode=mode)
    check("zoom", x.astype("B"), 1.7, order=1, mode=mode)


def test_coordinates_between_two_samples():
    """The nearest sample, of coordinates that single precision would round."""
    x = values(9, "d")
    half = np.array([0.5, 1.5, 3.5, 7.5])
    for dtype in "fd":
        near = half.astype(dtype)
        at = np.concatenate([np.nextafter(near, near.dtype.type(0)), near])[None]
        for order in (0, 1, 2, 3):
            check("map_coordinates", x, at, None, order)
    at = np.array([[-1e-30, 8 + 1e-6, -0.0, 8, 1e30, 3e9, -3e9]])
    for dtype, order in itertools.product("fd", range(4)):
        check("map_coordinates", x, at.astype(dtype), None, order)


def test_grid_mode_of_complex_images():
    x = values((20, 21), "D")
    found = ndimage.zoom(cp.array(x), 1.5, mode="grid-wrap", grid_mode=True)
    for part in ("real", "imag"):
        expected = scipy.ndimage.zoom(
            getattr(x, part), 1.5, mode="grid-wrap", grid_mode=True
        )
        np.testing.assert_allclose(getattr(found, part).get(), expected, atol=1e-9)


@pytest.mark.parametrize("dtype", "?" + INTEGERS + "e")
def test_dtypes(dtype):
    x = values((30, 31), dtype)
    reference = x.astype("f4") if dtype == "e" else x
    at = np.random.default_rng(0).uniform(-2, 32, (2, 300))
    for order in (0, 1, 3):
        if dtype == "?" and order:
            continue  # the sum of the weights, 1 or just less, is cut off
        for name, args in (("map_coordinates", (at,)), ("shift", (1.5,))):
            expected = getattr(scipy.ndimage, name)(reference, *args, order=order)
            found = getattr(ndimage, name)(cp.array(x), *args, order=order)
            agree(found, expected.astype(dtype), 1000)


def test_integers_are_bounded():
    x = np.array([0.0, 300, -300, 1e30, -1e30, 254.6, 2.5, -2.5])
    at = np.arange(8)[None]
    for dtype in INTEGERS:
        expected = scipy.ndimage.map_coordinates(x, at, order=0, output=np.dtype(dtype))
        found = ndimage.map_coordinates(
            cp.array(x), at, order=0, output=np.dtype(dtype)
        )
        info = np.iinfo(dtype)
        inside = (x > info.min) & (x < info.max)
        np.testing.assert_array_equal(found.get()[inside], expected[inside])
        np.testing.assert_array_equal(found.get()[3:5], [info.max, info.min])


def test_coordinates_of_every_dtype():
    x = values((8, 9), "d")
    at = np.array([[0, 3, 7], [1, 8, 2]])
    for dtype in "bBhHiIlLfd":
        check("map_coordinates", x, at.astype(dtype))
    expected = scipy.ndimage.map_coordinates(x, at)
    for given in (at.tolist(), cp.array(at), cp.array(at.T.copy()).T):
        agree(ndimage.map_coordinates(cp.array(x), given), expected)


def test_coordinates_that_are_not_finite():
    x = cp.arange(5.0)
    for mode in MODES:
        at = [[np.nan, 1.0, np.inf, -np.inf, 1e300]]
        y = ndimage.map_coordinates(x, at, order=1, mode=mode, cval=-7).get()
        assert y[0] == -7
        assert y[1] == 1
        if mode in ("constant", "grid-constant"):
            assert (y[2:] == -7).all()
        if mode == "nearest":
            assert y[2:].tolist() == [4, 0, 4]


@pytest.mark.parametrize("cval", [np.inf, np.nan, -np.inf])
def test_constants_that_are_not_finite(cval):
    x = values((9, 8), "d")
    for order in (0, 1, 3):
        check("shift", x, (2, -3), order=order, cval=cval)
        check("zoom", x, (1.5, 0.6), order=order, cval=cval)


def test_not_contiguous():
    x = values((18, 19, 20), "f8")
    for view in (lambda a: a.T, lambda a: a[::2, ::-1], lambda a: a[:, 1:, 3]):
        expected = scipy.ndimage.shift(view(x), 1.5)
        agree(ndimage.shift(view(cp.array(x)), 1.5), expected)
        expected = scipy.ndimage.rotate(view(x), 20, order=1)
        agree(ndimage.rotate(view(cp.array(x)), 20, order=1), expected)
    flat = cp.broadcast_to(cp.arange(9.0), (7, 9))
    agree(ndimage.zoom(flat, 2), scipy.ndimage.zoom(flat.get(), 2))


def test_matrices():
    x = values((12, 13), "d")
    square = np.array([[0.8, -0.6], [0.6, 0.8]])
    check("affine_transform", x, np.hstack([square, [[1], [2]]]))
    check(
        "affine_transform", x, np.vstack([np.hstack([square, [[1], [2]]]), [0, 0, 1]])
    )
    check("affine_transform", x, square[:, :1], output_shape=(30,))
    check("affine_transform", x, np.ones((2, 4)) / 4, output_shape=(4, 5, 6, 2))
    check("affine_transform", x, square, output_shape=(20, 5), offset=(1, 2))
    expected = scipy.ndimage.affine_transform(x, square, (1, 2))
    found = ndimage.affine_transform(cp.array(x), cp.array(square), cp.array([1, 2]))
    agree(found, expected)


def test_outputs():
    x = values((20, 21), "f4")
    for output in ("f8", np.float32, np.int16, "u1"):
        check("shift", x, 1.5, output=output)
        check("rotate", x, 20, output=output)
    for out in (np.zeros((20, 21)), np.zeros((21, 20), "i4").T):
        expected = out.copy()
        scipy.ndimage.shift(x, 1.5, output=expected)
        target = cp.array(out)
        assert ndimage.shift(cp.array(x), 1.5, output=target) is target
        agree(target, expected)
    y = ndimage.shift(cp.array(x), 1.5, output="c8")  # which SciPy does not have
    agree(y, scipy.ndimage.shift(x, 1.5).astype("c8"))
    x = values((6, 20, 21), "d")
    out = cp.zeros((21, 20, 6)).T
    ndimage.rotate(cp.array(x), 20, (0, 2), False, out)
    agree(out, scipy.ndimage.rotate(x, 20, (0, 2), False))
    x = values((20, 20), "D")
    out = cp.array(x)
    ndimage.shift(out, 1.5, output=out)
    agree(out, scipy.ndimage.shift(x, 1.5))
    out = cp.zeros((5, 6), "f4")
    ndimage.affine_transform(cp.array(x.real), np.eye(2), output=out)
    assert out[4, 5] == x.real[4, 5].astype("f4")


def test_nothing():
    x = cp.ones((4, 5))
    assert ndimage.map_coordinates(x, np.zeros((2, 0))).shape == (0,)
    assert ndimage.zoom(x, (0, 1)).shape == (0, 5)
    assert ndimage.spline_filter(cp.ones((0, 5))).shape == (0, 5)
    assert ndimage.shift(cp.ones((0, 5)), 2).shape == (0, 5)
    for mode in ("nearest", "reflect", "mirror", "wrap", "grid-wrap"):
        with pytest.raises(ValueError, match="nothing to interpolate"):
            ndimage.map_coordinates(cp.ones((0, 5)), np.zeros((2, 3)), mode=mode)


@pytest.mark.parametrize("dtype", "?BlefdFD")
def test_of_no_samples_is_the_constant(dtype):
    """As in SciPy, whose sum of no terms it is."""
    x = np.ones((0, 5), dtype)
    for order in (0, 1, 3):
        for mode in ("constant", "grid-constant"):
            for cval in (0, 3, 2.5 + 1j if x.dtype.kind == "c" else 2.25):
                kw = {"order": order, "mode": mode, "cval": cval}
                found = ndimage.map_coordinates(cp.array(x), np.zeros((2, 3)), **kw)
                assert found.dtype == dtype
                expected = np.full(3, cval).astype(dtype)
                np.testing.assert_array_equal(found.get(), expected)
                turned = ndimage.rotate(cp.array(x), 20, **kw)
                assert turned.shape == (2, 5)
                assert (turned == found[0]).all()


def test_long_axes_in_few_launches():
    """One chunk of an axis knows nothing of the others but what lies `warm` before."""
    x = np.zeros(20000)
    x[::777] = 1
    check("shift", x, 0.25, order=5)
    check("zoom", x, 0.25, order=3, mode="mirror")


def test_errors():
    x = cp.ones((4, 5))
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.shift(np.ones(4), 1)
    with pytest.raises(RuntimeError, match="spline order"):
        ndimage.shift(x, 1, order=6)
    with pytest.raises(RuntimeError, match="spline order"):
        ndimage.spline_filter(x, 1)
    with pytest.raises(RuntimeError, match="boundary mode"):
        ndimage.zoom(x, 2, mode="none")
    with pytest.raises(RuntimeError, match="shift has 3 values"):
        ndimage.shift(x, (1, 2, 3))
    with pytest.raises(RuntimeError, match="invalid shape for coordinate"):
        ndimage.map_coordinates(x, np.zeros((3, 4)))
    with pytest.raises(RuntimeError, match="rank"):
        ndimage.map_coordinates(x, np.zeros(2))
    with pytest.raises(TypeError, match="Complex"):
        ndimage.map_coordinates(x, np.zeros((2, 3), complex))
    with pytest.raises(RuntimeError, match="number of rows"):
        ndimage.affine_transform(x, np.eye(4))
    with pytest.raises(RuntimeError, match="number of columns"):
        ndimage.affine_transform(x, np.ones((2, 1)))
    with pytest.raises(ValueError, match="last row"):
        ndimage.affine_transform(x, np.ones((3, 3)))
    with pytest.raises(RuntimeError, match="affine matrix"):
        ndimage.affine_transform(x, 2.0)
    with pytest.raises(ValueError, match="2D"):
        ndimage.rotate(cp.ones(3), 20)
    with pytest.raises(ValueError, match="two values"):
        ndimage.rotate(x, 20, axes=(0,))
    with pytest.raises(ValueError, match="rotation plane"):
        ndimage.rotate(x, 20, axes=(0, 2))
    with pytest.raises(ValueError, match="integer values"):
        ndimage.rotate(x, 20, axes=(0, 0.5))
    with pytest.raises(RuntimeError, match="output shape"):
        ndimage.shift(x, 1, output=cp.ones((5, 4)))
    with pytest.raises(TypeError, match="cval"):
        ndimage.shift(x, 1, cval=1j)
    with pytest.raises(ValueError, match="axis"):
        ndimage.spline_filter1d(x, axis=2)
    with pytest.warns(UserWarning, match="grid-constant"):
        ndimage.zoom(x, 2, grid_mode=True)


def test_coefficients_of_one_sample_are_new():
    x = cp.array([[2.0]])
    for found in (ndimage.spline_filter1d(x), ndimage.spline_filter(x)):
        found += 1
    assert x.item() == 2


@pytest.mark.parametrize("shape", [(2, 2), (40, 70), (5, 9, 33), (2, 3, 2)])
def test_linear_at_float_coordinates(shape):
    """Samples themselves, the ends, just outside of them, and what is no coordinate."""
    n = np.reshape(shape, (-1, 1)).astype("f")
    random = np.random.default_rng(0).uniform(-0.2, 1.2, (len(shape), 1500))
    at = (random * (n - 1)).astype("f")
    at[:, 0:200] = np.round(at[:, 0:200])
    at[:, 200] = 0
    at[:, 201:202] = n - 1
    at[:, 202] = np.nextafter(np.float32(0), np.float32(-1))
    at[:, 203:204] = np.nextafter(n - 1, np.float32(1e9))
    at[0, 204:210] = np.inf, -np.inf, 3e38, -3e38, 2.0**22, -0.0
    for dtype in "fd":
        x = values(shape, dtype)
        for count in (1, 31, 33, 1024, 1500):
            check("map_coordinates", x, at[:, :count], order=1, cval=7)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("grid_mode", [False, True])
def test_linear_zooms(mode, grid_mode):
    for shape, zoom in (((70, 50), (2.3, 1.7)), ((3, 40, 30), (1.4, 1.8, 1.3))):
        for dtype in "fd":
            x = values(shape, dtype)
            check("zoom", x, zoom, order=1, mode=mode, cval=3, grid_mode=grid_mode)
