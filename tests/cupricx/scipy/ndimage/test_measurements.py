"""Statistics of what has a label, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

pytestmark = pytest.mark.filterwarnings("ignore:Mean of empty slice")


# ---- statistics ----------------------------------------------------------------------

INDICES = (
    None,
    2,
    -1,
    [1, 2, 3],
    [5, 3, 3, 99, 0],
    np.array([[2, 1], [1, 7]]),
    [],
    np.arange(9),
    [1.5, 2.0],
    [-3, 4],
    np.array([7, 300], "u2"),
)
TOLERANCE = {"e": 2e-3, "f": 1e-5, "F": 1e-5}


def of_both(name, x, labels, index, *args):
    """What SciPy finds, and the same here for every way to give the index."""
    with np.errstate(all="ignore"):
        expected = getattr(scipy.ndimage, name)(x, *args, labels, index)
    labels = None if labels is None else cp.array(labels)
    given = [index]
    if isinstance(index, (list, np.ndarray)):
        given.append(cp.array(index))
    for i in given:
        yield expected, getattr(ndimage, name)(cp.array(x), *args, labels, i)


def check_numbers(found, expected, bound):
    assert isinstance(found, cp.ndarray)
    assert found.dtype == np.asarray(expected).dtype
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found.get(), expected, rtol=bound)


SUMS = ("sum", "sum_labels", "mean", "variance", "standard_deviation")


@pytest.mark.parametrize("name", SUMS)
def test_sums(name):
    rng = np.random.default_rng(5)
    for dtype in "?bBhHiIlLefd":
        shape = tuple(rng.integers(1, 30, rng.integers(1, 4)))
        x = rng.integers(0, 100, shape).astype(dtype)
        check_all_labels(name, x, rng, TOLERANCE.get(dtype, 1e-12))


def check_all_labels(name, x, rng, bound):
    for labels_dtype in rng.choice(list("?bBhHiIlLefd"), 4, replace=False):
        labels = rng.integers(0, 8, x.shape).astype(labels_dtype)
        for index in INDICES:
            single = index is None or np.isscalar(index)
            if single and x.dtype.char == "e" and name[0] != "m":
                continue  # SciPy's overflow
            for expected, found in of_both(name, x, labels, index):
                check_numbers(found, expected, bound)


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_runs_of_labels(name):
    """Groups of one label, alone and among others, over several pieces."""
    rng = np.random.default_rng(6)
    x = rng.random((70, 333))
    for length in (1, 16, 40, 5000):
        labels = np.repeat(rng.integers(-3, 700, x.size // length + 1), length)[
            : x.size
        ]
        labels = labels.reshape(x.shape)
        for index in (np.arange(600), np.arange(1, 600, 7), [3, 2**40], None, 5):
            for expected, found in of_both(name, x, labels, index):
                check_numbers(found, expected, 1e-9)


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_one_group_of_many(name):
    """More elements than one thread takes; parts that lie in the group altogether, in
    part and not at all, and what is no number outside of it."""
    rng = np.random.default_rng(17)
    labels = rng.integers(0, 3, 40_001)
    labels[5_000:15_000], labels[20_000:30_000] = 1, 2
    for dtype in "BhiILfd":
        x = rng.integers(0, 100, labels.size).astype(dtype)
        for index in (1, 2, None):
            for expected, found in of_both(name, x, labels, index):
                check_numbers(found, expected, TOLERANCE.get(dtype, 1e-12))
    x[labels == 0] = np.nan
    for expected, found in of_both(name, x, labels, None):
        check_numbers(found, expected, 1e-12)


@pytest.mark.parametrize("name", SUMS)
def test_sums_without_labels(name):
    x = np.random.default_rng(7).integers(0, 90, (5, 60))
    for dtype in "?bBiIlLfdFD":
        for expected, found in of_both(name, x.astype(dtype), None, None):
            check_numbers(found, expected, TOLERANCE.get(dtype, 1e-12))


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_complex_numbers(name):
    rng = np.random.default_rng(8)
    x = rng.random((4, 50)) + 1j * rng.random((4, 50))
    labels = rng.integers(0, 3, x.shape)
    for index in (None, 2):
        for expected, found in of_both(name, x, labels, index):
            check_numbers(found, expected, 1e-12)
    with pytest.raises(TypeError, match="complex128"):
        getattr(ndimage, name)(cp.array(x), cp.array(labels), [1, 2])


@pytest.mark.parametrize("name", SUMS)
def test_sums_broadcast_and_other_layouts(name):
    rng = np.random.default_rng(9)
    x, labels = rng.random((6, 8)), rng.integers(0, 4, 8)
    for a, b in ((x, labels), (x.T[::-1, ::2], labels[:3]), (x[0], labels[:, None])):
        for expected, found in of_both(name, a, b, [1, 3, 2]):
            check_numbers(found, expected, 1e-12)
    with pytest.raises(ValueError, match="shape"):
        getattr(ndimage, name)(cp.array(x), cp.array([1, 2]), [1])
    with pytest.raises(TypeError, match="Unsupported type"):
        getattr(ndimage, name)(cp.array(x), np.ones(8), [1])
    with pytest.raises(TypeError, match="real"):
        getattr(ndimage, name)(cp.array(x), cp.ones(8, "F"), [1])
    with pytest.raises(TypeError, match="real"):
        getattr(ndimage, name)(cp.array(x), cp.array(labels), ["a"])


def test_labels_of_nothing():
    nothing = cp.zeros((0, 3))
    assert ndimage.sum(nothing, nothing, [1, 2]).get().tolist() == [0, 0]
    assert np.isnan(ndimage.mean(nothing, nothing, [1]).get()).all()
    assert ndimage.sum(cp.ones(3), cp.ones(3), []).shape == (0,)


def test_labels_at_the_ends_of_integers():
    low, high = -(2**63), 2**63 - 1
    x, labels = np.arange(1.0, 5), np.array([low, high, 0, high])
    found = ndimage.sum(cp.array(x), cp.array(labels), [high, 0, low, 1])
    assert found.get().tolist() == [6, 3, 1, 0]
    large = np.array([2**64 - 1, 2**63, 0, 1], "u8")
    found = ndimage.sum(cp.array(x), cp.array(large), np.array([2**63, 1, 7], "u8"))
    assert found.get().tolist() == [2, 4, 0]
    assert ndimage.sum(cp.array(x), cp.array(large), [-1, 0]).get().tolist() == [0, 3]
    narrow = cp.array([1, 2, 1, 3], dtype="i4")
    found = ndimage.sum(cp.array(x), narrow, np.array([2**64 - 1, 2**32 + 1, 1], "u8"))
    assert found.get().tolist() == [0, 0, 4]
    nan = cp.array([np.nan, 1, 2, 1])
    assert ndimage.sum(cp.array(x), nan, [np.nan, 1, 2]).get().tolist() == [0, 6, 3]


# ---- center of mass ------------------------------------------------------------------


def check_center(found, expected):
    """A tuple of numbers, or for each label an array, where SciPy has a tuple."""
    assert type(found) is type(expected)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert isinstance(a, cp.ndarray)
        np.testing.assert_allclose(a.get(), b, rtol=1e-10)


def test_center_of_mass():
    rng = np.random.default_rng(10)
    for dtype in "?bBhHiIlLfd":
        shape = tuple(rng.integers(1, 30, rng.integers(1, 5)))
        x = rng.integers(0, 100, shape).astype(dtype)
        labels = np.repeat(rng.integers(0, 8, x.size), rng.integers(1, 30))[: x.size]
        labels = labels.reshape(shape).astype(rng.choice(list("Bhilfd")))
        for index in (None, 2, [1, 2, 3], [5, 3, 3, 99, 0], np.arange(9), -1):
            for expected, found in of_both("center_of_mass", x, labels, index):
                check_center(found, expected)
        for expected, found in of_both("center_of_mass", x, None, None):
            check_center(found, expected)


def test_center_of_mass_of_complex_numbers():
    x = np.arange(12.0).reshape(3, 4) * (1 + 2j) + 3
    for index in (None, 1):
        for expected, found in of_both("center_of_mass", x, np.eye(3, 4), index):
            check_center(found, expected)
    with pytest.raises(TypeError, match="complex128"):
        ndimage.center_of_mass(cp.array(x), cp.array(np.eye(3, 4)), [1])


# ---- extrema -------------------------------------------------------------------------

EXTREMES = ("minimum", "maximum", "minimum_position", "maximum_position", "extrema")


def extremes(x, labels, index):
    """By definition: stable sorts, NaN last; the last of equal ones is the largest."""
    order = np.argsort(x, axis=None, kind="stable")
    flat, of = x.ravel()[order], labels.ravel()[order]
    found = []
    for i in index:
        here = np.flatnonzero(of == i)
        at = order[here[[0, -1]]] if here.size else [0, 0]
        found.append(
            [flat[here[0]], flat[here[-1]], *at] if here.size else [0, 0, 0, 0]
        )
    return list(zip(*found, strict=True))


def check_extremes(x, labels, index):
    low, high, first, last = extremes(x, labels, index)
    a, b, p, q = ndimage.extrema(cp.array(x), cp.array(labels), index)
    assert a.dtype == b.dtype == x.dtype
    np.testing.assert_array_equal(a.get(), low)
    np.testing.assert_array_equal(b.get(), high)
    for found, at in ((p, first), (q, last)):
        assert all(type(t) is tuple for t in found)
        np.testing.assert_array_equal(
            found, np.transpose(np.unravel_index(at, x.shape))
        )


def test_extrema():
    rng = np.random.default_rng(11)
    for dtype in "?bBhHiIlLefdFD":
        for labels_dtype in rng.choice(list("?bBhHiIlLefd"), 4, replace=False):
            shape = tuple(rng.integers(1, 30, rng.integers(1, 4)))
            x = rng.integers(-50, 50, shape).astype(dtype)
            if x.dtype.kind in "fc":
                x[rng.random(shape) < 0.1] = np.nan
                x[rng.random(shape) < 0.1] = -np.inf
            labels = np.repeat(rng.integers(0, 8, x.size), rng.integers(1, 30))
            labels = labels[: x.size].reshape(shape).astype(labels_dtype)
            check_extremes(x, labels, [5, 3, 3, 99, 0, 1, 2])


def check_parts(found, expected):
    """What SciPy returns: numbers as arrays of no dimensions, tuples, lists of them."""
    if isinstance(expected, (tuple, list)):
        assert type(found) is type(expected)
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            check_parts(a, b)
    elif isinstance(found, cp.ndarray):
        check_numbers(found, expected, 0)
    else:
        assert found == expected


@pytest.mark.parametrize("name", EXTREMES)
def test_extrema_as_scipy_has_them(name):
    rng = np.random.default_rng(12)
    for dtype in "iIlLfdD":
        shape = tuple(rng.integers(2, 20, rng.integers(1, 4)))
        x = rng.permutation(np.prod(shape)).reshape(shape).astype(dtype)
        labels = rng.integers(0, 3, x.shape)
        labels.ravel()[:2] = [1, 2]
        for index in (None, 2, [2, 1], [1, 99], np.array([2])):
            for expected, found in of_both(name, x, labels, index):
                check_parts(found, expected)
        for expected, found in of_both(name, x, None, None):
            check_parts(found, expected)


def test_extrema_at_the_ends_of_dtypes():
    for dtype in "bBiIlL":
        info = np.iinfo(dtype)
        for value in (info.min, info.max):
            check_extremes(np.full(40, value, dtype), np.arange(40) // 9, range(6))
    for dtype in "fd":
        info = np.finfo(dtype)
        for value in (np.nan, np.inf, -np.inf, -0.0, info.max, info.smallest_subnormal):
            x = np.full(40, value, dtype)
            check_extremes(x, np.arange(40) // 9, range(6))


def test_extrema_of_many_elements():
    """Over several pieces; all equal, and in ascending order."""
    labels = np.arange(60000).reshape(200, 300) // 7000
    for x in (np.ones(labels.shape, "f4"), np.arange(60000.0).reshape(labels.shape)):
        check_extremes(x, labels, range(10))
        check_extremes(x[::-1], labels, range(10))


def test_extrema_of_nothing():
    x, nothing = cp.ones((2, 3)), cp.zeros((2, 3), int)
    for name in EXTREMES:
        with pytest.raises(ValueError, match=r"zero-size|empty"):
            getattr(ndimage, name)(x, nothing)
        with pytest.raises(ValueError, match=r"zero-size|empty"):
            getattr(ndimage, name)(x, nothing, 5)
    assert ndimage.minimum(x, nothing, []).shape == (0,)
    assert ndimage.minimum_position(x, nothing, []) == []
    assert ndimage.minimum_position(cp.array(3.0), cp.array(1), [1, 2]) == [(), ()]


# ---- medians -------------------------------------------------------------------------


def test_median():
    rng = np.random.default_rng(14)
    for dtype in "?bBhHiIlLefd":
        for labels_dtype in rng.choice(list("?bBhHiIlLefd"), 3, replace=False):
            shape = tuple(rng.integers(1, 20, rng.integers(1, 4)))
            x = rng.integers(-50, 50, shape).astype(dtype)
            labels = rng.integers(0, 8, shape).astype(labels_dtype)
            there = np.unique(labels)
            for index in (there, there[::-1], [there[0]] * 3, there[0].item()):
                for expected, found in of_both("median", x, labels, index):
                    check_numbers(found, expected, TOLERANCE.get(dtype, 1e-12))
            if (labels > 0).any():
                for expected, found in of_both("median", x, labels, None):
                    check_numbers(found, expected, TOLERANCE.get(dtype, 1e-12))


def test_median_of_labels_that_are_not_there():
    x, labels = cp.array([4, 1, 2]), cp.array([1, 1, 2])
    for dtype in "ildf":
        found = ndimage.median(x.astype(dtype), labels, [2, 5, 1, -1])
        np.testing.assert_array_equal(found.get(), [2, np.nan, 2.5, np.nan])
    assert ndimage.median(x, labels, []).shape == (0,)
    assert np.isnan(ndimage.median(cp.ones(0), cp.ones(0), [1]).get()).all()


def test_median_of_infinities_and_nan():
    x = np.array([np.inf, 1, -np.inf, -3, np.nan, np.nan, 2, -0.0, np.nan])
    labels = np.array([1, 1, 1, 1, 2, 2, 2, 3, 3])
    for dtype in "fd":
        for expected, found in of_both("median", x.astype(dtype), labels, [1, 2, 3]):
            np.testing.assert_array_equal(found.get(), expected)


# ---- comprehensions, histograms, values ----------------------------------------------


def test_labeled_comprehension():
    rng = np.random.default_rng(15)
    x, labels = rng.random((9, 20)), rng.integers(0, 6, (9, 20))
    for index in (None, 2, 77, [1, 2, 3], [5, 3, 3, 99, 0], cp.array([4, 1])):
        ours = scipys = index
        if isinstance(index, cp.ndarray):
            scipys = index.get()
        args = (scipys, np.sum, float, -1)
        expected = scipy.ndimage.labeled_comprehension(x, labels, *args)
        args = (ours, cp.sum, float, -1)
        found = ndimage.labeled_comprehension(cp.array(x), cp.array(labels), *args)
        check_numbers(found, expected, 1e-12)


def test_labeled_comprehension_with_positions():
    x, labels = np.arange(12.0).reshape(3, 4), np.array([1, 2, 1, 0])

    def total(values, positions):
        return (values * positions).sum()

    for numbers, index in ((labels, [2, 1, 7]), (labels, None), (None, None)):
        args = (index, total, int, -1, True)
        expected = scipy.ndimage.labeled_comprehension(x, numbers, *args)
        of = None if numbers is None else cp.array(numbers)
        found = ndimage.labeled_comprehension(cp.array(x), of, *args)
        np.testing.assert_array_equal(found.get(), expected)


def test_labeled_comprehension_of_objects():
    x, labels = cp.array([4, 1, 2, 3]), cp.array([1, 1, 2, 4])
    args = (lambda v: v.get().tolist(), object, None)
    found = ndimage.labeled_comprehension(x, labels, [2, 3, 1], *args)
    assert found == [[2], None, [4, 1]]
    assert ndimage.labeled_comprehension(x, labels, 4, *args) == [3]
    found = ndimage.labeled_comprehension(x, labels, [3], cp.sum, float, None)
    assert np.isnan(found.get()).all()


def test_labeled_comprehension_errors():
    x, labels = cp.ones((3, 4)), cp.ones((3, 4), "u1")
    args = (cp.sum, float, 0)
    with pytest.raises(ValueError, match="without defined labels"):
        ndimage.labeled_comprehension(x, None, [1], *args)
    with pytest.raises(ValueError, match="same shape"):
        ndimage.labeled_comprehension(x, labels[:2], [1], *args)
    for index in ([1.5], [300], cp.array([-1])):
        with pytest.raises(ValueError, match="loss of precision"):
            ndimage.labeled_comprehension(x, labels, index, *args)


def test_histogram():
    rng = np.random.default_rng(16)
    for dtype in "?bBhHiIlLfd":
        x = rng.integers(0, 12, (9, 20)).astype(dtype)
        labels = rng.integers(0, 6, x.shape).astype(rng.choice(list("Bhild")))
        for low, high, bins in ((0, 12, 4), (1, 7, 7), (2.5, 9.1, 10), (3, 3, 2)):
            for index in (None, 2, 77, [1, 2, 3], [5, 3, 3, 99, 0]):
                args = (low, high, bins)
                for expected, found in of_both("histogram", x, labels, index, *args):
                    if not isinstance(index, list):
                        expected, found = [expected], [found]
                    assert isinstance(found, list)
                    for a, b in zip(expected, found, strict=True):
                        if a is None:
                            assert b is None
                        else:
                            check_numbers(b, a, 0)


def test_histogram_at_edges():
    """Numbers that lie at an edge, where its place would be rounded otherwise."""
    for low, high, bins in ((0, 1, 10), (0.1, 0.7, 6), (-3, 1e-3, 49)):
        edges = np.linspace(low, high, bins + 1)
        x = np.concatenate((edges, np.nextafter(edges, 9), np.nextafter(edges, -9)))
        x = np.append(x, [np.nan, np.inf, -np.inf])
        [expected] = scipy.ndimage.histogram(x[:-3], low, high, bins, x[:-3] < 9, [1])
        [found] = ndimage.histogram(cp.array(x), low, high, bins, cp.ones(x.size), [1])
        np.testing.assert_array_equal(found.get(), expected)
    with pytest.raises(ValueError, match="increase monotonically"):
        ndimage.histogram(cp.array(x), 2, 1, 3, cp.ones(x.size), [1])
    assert ndimage.histogram(cp.array(x), 0, 1, 3, cp.ones(x.size), []) == []


def test_value_indices():
    rng = np.random.default_rng(17)
    for dtype in "bBhHiIlL":
        for shape in ((), (40,), (9, 20), (3, 0), (3, 4, 5), (90, 200)):
            x = rng.integers(0, 6, shape).astype(dtype)
            for ignored in (None, 0, 3, 99):
                expected = scipy.ndimage.value_indices(x, ignore_value=ignored)
                found = ndimage.value_indices(cp.array(x), ignore_value=ignored)
                assert sorted(found) == sorted(expected)
                for value, at in expected.items():
                    np.testing.assert_array_equal(
                        [i.get() for i in found[value]], list(at)
                    )
    for shape, narrow in (((128,), "i1"), ((2, 300), "i2"), ((70000,), "i4")):
        found = ndimage.value_indices(cp.ones(shape, int), adaptive_index_dtype=True)
        assert {i.dtype for i in found[1]} == {np.dtype(narrow)}
    with pytest.raises(ValueError, match="integer array"):
        ndimage.value_indices(cp.ones(3))


# ---- replays -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["sum_labels", "mean", "variance", "standard_deviation"]
)
@pytest.mark.parametrize("index", [[1, 2, 9], np.array([[1, 2]])])
@pytest.mark.parametrize("on_device", [False, True])
def test_small_calls_for_several_labels_are_replayed(name, index, on_device):
    rng = np.random.default_rng(0)
    function = getattr(ndimage, name)
    wanted = cp.array(index) if on_device else index
    for _ in range(3):
        x = rng.random((16, 16)).astype("f4")
        labels = rng.integers(0, 5, (16, 16)).astype("i4")
        before = function._replays
        found = function(cp.array(x), cp.array(labels), wanted).get()
        with np.errstate(invalid="ignore"):
            expected = getattr(scipy.ndimage, name)(x, labels, index)
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert function._replays == before + 1


@pytest.mark.parametrize("n", [0, 1, 7, 64, 65, 500, 513])
@pytest.mark.parametrize("dtype", ["l", "d"])
def test_labels_on_the_device_in_any_order(n, dtype):
    from cupricx.scipy.ndimage._measurements import _slots

    wanted = np.random.default_rng(n).integers(-9, 99, n).astype(dtype)
    if dtype == "d":
        wanted[::5] = np.nan
    index, place = _slots._in_order(cp.array(wanted))
    np.testing.assert_array_equal(index.get(), np.sort(wanted))
    numbers = wanted == wanted
    expected = np.searchsorted(np.sort(wanted), wanted)
    np.testing.assert_array_equal(place.get()[numbers], expected[numbers])
    np.testing.assert_array_equal(place.get()[~numbers], numbers.sum())
    x, labels = np.arange(60.0), np.arange(60) // 4
    found = ndimage.sum_labels(cp.array(x), cp.array(labels), cp.array(wanted))
    expected = scipy.ndimage.sum_labels(x, labels, wanted)
    np.testing.assert_array_equal(found.get(), expected)


def test_small_calls_that_give_lists_are_replayed_within():
    from cupricx.scipy.ndimage._measurements import _find_objects, _measurements

    rng = np.random.default_rng(0)
    inner = _measurements._centers, _find_objects._bounds_of
    for _ in range(3):
        x, labels = rng.random((16, 16)), rng.integers(0, 5, (16, 16))
        before = [f._replays for f in inner]
        found = ndimage.center_of_mass(cp.array(x), cp.array(labels), [1, 2, 9])
        with np.errstate(invalid="ignore"):
            expected = scipy.ndimage.center_of_mass(x, labels, [1, 2, 9])
        np.testing.assert_allclose(np.array([f.get() for f in found]), expected)
        found = ndimage.find_objects(cp.array(labels), 4)
        assert found == scipy.ndimage.find_objects(labels, 4)
    assert [f._replays for f in inner] == [n + 1 for n in before]


@pytest.mark.parametrize("size", [4096, 4097, 50_000])
def test_one_table_or_several(size):
    rng = np.random.default_rng(0)
    x, labels = rng.random(size), rng.integers(0, 9, size)
    index = np.arange(9)
    for name in ("variance", "minimum", "maximum_position"):
        found = getattr(ndimage, name)(cp.array(x), cp.array(labels), index)
        found = found.get() if isinstance(found, cp.ndarray) else found
        expected = getattr(scipy.ndimage, name)(x, labels, index)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
