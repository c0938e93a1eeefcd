"""Images of no elements and of no axes, and no labels, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

pytestmark = pytest.mark.filterwarnings("ignore")

SHAPES = ((0,), (0, 3), (3, 0), (2, 0, 3), ())


def with_weights(x, xp):
    return x, xp.full((3,) * x.ndim, 2.0)


CALLS = {
    "affine_transform": lambda x, xp: (x, xp.eye(x.ndim)),
    "binary_fill_holes": None,
    "center_of_mass": None,
    "convolve": with_weights,
    "convolve1d": lambda x, xp: (x, xp.ones(3)),
    "correlate": with_weights,
    "correlate1d": lambda x, xp: (x, xp.ones(3)),
    "distance_transform_edt": None,
    "extrema": None,
    "gaussian_gradient_magnitude": lambda x, xp: (x, 1),
    "gaussian_laplace": lambda x, xp: (x, 1),
    "generic_filter": lambda x, xp: (x, xp.sum, 3),
    "iterate_structure": lambda x, xp: (x, 2),
    "label": None,
    "laplace": None,
    "map_coordinates": lambda x, xp: (x, xp.zeros((x.ndim, 2))),
    "percentile_filter": lambda x, xp: (x, 20, 3),
    "prewitt": None,
    "rank_filter": lambda x, xp: (x, 0, 3),
    "rotate": lambda x, xp: (x, 30.0),
    "shift": lambda x, xp: (x, 1.0),
    "sobel": None,
    "spline_filter": None,
    "zoom": lambda x, xp: (x, 2.0),
}
CALLS |= {
    "binary_" + name: None
    for name in (
        *("closing", "dilation", "erosion", "hit_or_miss", "opening", "propagation"),
    )
}
CALLS |= {
    name: lambda x, xp: (x, 3)
    for name in (
        *("black_tophat", "white_tophat", "grey_closing", "grey_dilation"),
        *("grey_erosion", "grey_opening", "morphological_gradient"),
        *("morphological_laplace", "maximum_filter", "minimum_filter"),
        *("median_filter", "uniform_filter", "uniform_filter1d"),
        *("gaussian_filter", "gaussian_filter1d"),
    )
}
CALLS |= {
    "fourier_" + name: lambda x, xp: (x, 2)
    for name in ("ellipsoid", "gaussian", "shift", "uniform")
}
CALLS |= {
    name: None
    for name in (
        *("mean", "median", "minimum", "maximum", "minimum_position"),
        *("maximum_position", "standard_deviation", "sum", "sum_labels", "variance"),
    )
}


def on_host(found):
    if isinstance(found, cp.ndarray):
        return found.get()
    if isinstance(found, (tuple, list)):
        return [on_host(one) for one in found]
    return found


def outcome(call):
    try:
        return call(), None
    except Exception as error:
        return None, error


def check(found, expected):
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            check(one, other)
        return
    assert np.shape(found) == np.shape(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-14)


def skipped(name, x):
    """What is otherwise on purpose, or where SciPy's own code stumbles."""
    if x.ndim == 0:  # no axis -1; no list of no coordinates; splines of an element
        return name in ("center_of_mass", "spline_filter") or name.endswith("1d")
    return name == "binary_fill_holes" and x.dtype.kind == "c"


@pytest.mark.parametrize("name", CALLS)
def test_functions(name):
    make = CALLS[name] or (lambda x, xp: (x,))
    for shape in SHAPES:
        for dtype in "?Bifd" + "D" * (shape != ()):
            x = np.full(shape, 3, dtype)
            if skipped(name, x):
                continue
            here, there = (getattr(m, name) for m in (ndimage, scipy.ndimage))
            expected, error = outcome(lambda: there(*make(x, np)))  # noqa: B023
            found, own = outcome(lambda: here(*make(cp.array(x), cp)))  # noqa: B023
            if error is None:
                assert own is None, (shape, dtype, own)
                check(on_host(found), on_host(expected))
            else:
                assert isinstance(own, (type(error), ValueError)), (shape, dtype, own)


INDICES = ([], np.zeros(0, "i8"), np.zeros((0, 2), "i4"), np.zeros(0))
OF_LABELS = (
    *("sum_labels", "mean", "variance", "standard_deviation", "median"),
    *("minimum", "maximum", "minimum_position", "maximum_position", "extrema"),
    "center_of_mass",
)


@pytest.mark.parametrize("name", OF_LABELS)
@pytest.mark.parametrize("dtype", "?Blefd" + "FD")
def test_no_labels(name, dtype):
    """Nothing is asked for: nothing is read, and what is found has no elements."""
    is_real = dtype not in "FD"
    if not is_real and name in OF_LABELS[:4] + ("center_of_mass",):
        pytest.skip("several labels are of real numbers alone")
    for shape in ((4,), (2, 3), (70, 90), *SHAPES):
        x = cp.ones(shape, dtype)
        for labels in (cp.zeros(shape, int), cp.ones(shape), cp.ones(shape, "u1")):
            for index in INDICES:
                for given in (index, cp.array(index)):
                    found = getattr(ndimage, name)(x, labels, given)
                    for part in found if name == "extrema" else (found,):
                        assert len(part) == 0
                        if isinstance(part, cp.ndarray):
                            assert part.shape == np.shape(index)


@pytest.mark.parametrize("dtype", "?lfdFD")
def test_labels_of_no_elements(dtype):
    x, labels = cp.ones((0, 3), dtype), cp.ones((0, 3), int)
    for index in ([1], [5, 1], np.array([[2], [1]])):
        for name in ("minimum", "maximum"):
            found = getattr(ndimage, name)(x, labels, index)
            assert found.dtype == dtype
            assert found.get().tolist() == np.zeros(np.shape(index), dtype).tolist()
        for name in ("minimum_position", "maximum_position", "extrema"):
            with pytest.raises(ValueError, match=r"no elements, of shape \(0, 3\)"):
                getattr(ndimage, name)(x, labels, index)
        assert cp.isnan(ndimage.median(x, labels, index)).all()


def test_comprehension_and_histogram_of_no_labels():
    x, labels = cp.ones((2, 3)), cp.ones((2, 3), int)
    for index in INDICES[:3]:
        for given in (index, cp.array(index)):
            if np.size(given) == 0 and isinstance(given, list):
                given = np.zeros(0, int)
            found = ndimage.labeled_comprehension(x, labels, given, cp.sum, float, -1)
            assert found.shape == np.shape(index)
            assert ndimage.histogram(x, 0, 4, 3, labels, given) == []


def test_a_mode_that_is_none_is_both_errors():
    """SciPy and CuPy raise RuntimeError; it is a wrong value, too."""
    x = cp.ones((4, 5))
    calls = (
        lambda: ndimage.uniform_filter(x, 3, mode="typo"),
        lambda: ndimage.correlate1d(x, [1, 2], mode="typo"),
        lambda: ndimage.median_filter(x, 3, mode=3),
        lambda: ndimage.grey_erosion(x, 3, mode="typo"),
        lambda: ndimage.generic_filter(x, cp.max, 3, mode="typo"),
        lambda: ndimage.gaussian_filter(x, 1, mode=["reflect", "typo"]),
        lambda: ndimage.shift(x, 1, mode="typo"),
        lambda: ndimage.zoom(x, 2, mode="typo"),
        lambda: ndimage.map_coordinates(x, cp.zeros((2, 3)), mode="typo"),
        lambda: ndimage.spline_filter(x, mode="typo"),
    )
    for call in calls:
        for kind in (RuntimeError, ValueError):
            with pytest.raises(kind, match="boundary mode not supported"):
                call()
