"""Morphology of binary images, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage


def steps(name, x, structure, iterations, mask, **kwargs):
    """Erosions or dilations one after the other, by SciPy; until nothing changes where
    there are to be less than one."""
    mask = np.broadcast_to(True if mask is None else mask, x.shape)
    before, n = None, 0
    while n < iterations or (iterations < 1 and not np.array_equal(before, x)):
        before, n = x, n + 1
        x = getattr(scipy.ndimage, name)(x, structure, mask=mask, **kwargs)
    return x


def by_steps(name, x, structure, iterations=1, *, mask=None, **kwargs):
    """What SciPy says, a step at a time: with an origin and `iterations` it writes
    outside of its arrays."""
    x = x != 0
    if name == "binary_propagation":
        name, iterations = "binary_dilation", -1
    if name == "binary_fill_holes":
        outside = steps(
            "binary_dilation", x & False, structure, -1, ~x, border_value=1, **kwargs
        )
        return ~outside
    first, second = {
        "binary_opening": ("binary_erosion", "binary_dilation"),
        "binary_closing": ("binary_dilation", "binary_erosion"),
    }.get(name, (name, None))
    x = steps(first, x, structure, iterations, mask, **kwargs)
    return steps(second, x, structure, iterations, mask, **kwargs) if second else x


def check(name, x, *args, expected=None, **kwargs):
    """The result of a function here and in SciPy: the same."""
    if expected is None:
        expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    kwargs = {k: cp.array(v) if k == "mask" else v for k, v in kwargs.items()}
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    assert found.flags.c_contiguous
    np.testing.assert_array_equal(
        found.get(), expected, err_msg=str((x.shape, args, kwargs))
    )


# ---- structures ----------------------------------------------------------------------


@pytest.mark.parametrize("rank", [-1, 0, 1, 2, 3, 4])
def test_structures_of_neighbours(rank):
    for connectivity in range(-1, 6):
        expected = scipy.ndimage.generate_binary_structure(rank, connectivity)
        found = ndimage.generate_binary_structure(rank, connectivity)
        assert found.dtype == bool
        assert found.shape == np.shape(expected)
        np.testing.assert_array_equal(found.get(), expected)


WITH_STRUCTURE = (
    *("binary_erosion", "binary_dilation", "binary_opening", "binary_closing"),
    *("binary_hit_or_miss", "binary_propagation", "binary_fill_holes"),
)


@pytest.mark.parametrize("name", WITH_STRUCTURE)
def test_the_shape_of_a_structure(name):
    """An int or a tuple of ints for a full box, as CuPy takes them."""
    rng = np.random.default_rng(8)
    cases = (
        *(((40,), n, (n,)) for n in (3, np.int32(2))),
        *(((40,), (n,), (n,)) for n in (3, 4)),
        *(((12, 15), n, (n, n)) for n in (3, 2)),
        *(((12, 15), s, s) for s in ((3, 3), (2, 3), (1, np.int64(3)))),
        ((4, 5, 6), (3, 2, 1), (3, 2, 1)),
    )
    for shape, given, box in cases:
        x = rng.random(shape) < 0.8
        found = getattr(ndimage, name)(cp.array(x), given)
        expected = getattr(ndimage, name)(cp.array(x), np.ones(box, bool))
        np.testing.assert_array_equal(found.get(), expected.get(), err_msg=str(given))
        check(name, x, np.ones(box, bool))
    x = rng.random((7, 8, 9)) < 0.8
    found = getattr(ndimage, name)(cp.array(x), (3, 2), axes=(0, 2))
    expected = getattr(ndimage, name)(cp.array(x), np.ones((3, 2)), axes=(0, 2))
    np.testing.assert_array_equal(found.get(), expected.get())


@pytest.mark.parametrize("name", WITH_STRUCTURE)
def test_tuples_that_are_structures(name):
    """Of bools, of other lengths than an image has axes, and nested ones."""
    x = np.random.default_rng(9).random(30) < 0.7
    for structure in ((True,), (0, 1, 1), (1, 1)):
        check(name, x, structure)
    check(name, x.reshape(5, 6), ((0, 1, 0), (1, 1, 1)))
    for structure in (0, (0,), -1, (-3,)):
        with pytest.raises(RuntimeError, match="must not be empty"):
            getattr(ndimage, name)(cp.array(x), structure)
    with pytest.raises(RuntimeError, match="dimensionality"):
        getattr(ndimage, name)(cp.array(x.reshape(5, 6)), (3, 3, 3))


def test_erosion_by_a_box():
    x = cp.array([0, 1, 1, 1, 1, 0, 1], bool)
    assert ndimage.binary_erosion(x, (3,)).get().tolist() == [0, 0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("shape", [(3,), (2,), (3, 3), (4, 3), (1, 2, 3)])
def test_iterated_structures(shape):
    rng = np.random.default_rng(6)
    for iterations in (0, 1, 2, 3, 5):
        x = rng.random(shape) < 0.6
        expected = scipy.ndimage.iterate_structure(x, iterations)
        found = ndimage.iterate_structure(cp.array(x), iterations)
        np.testing.assert_array_equal(found.get(), expected)
    expected = scipy.ndimage.iterate_structure(x, 3, origin=1)
    found = ndimage.iterate_structure(cp.array(x), 3, origin=1)
    np.testing.assert_array_equal(found[0].get(), expected[0])
    assert found[1] == list(expected[1])


# ---- binary --------------------------------------------------------------------------

BINARY = ["binary_erosion", "binary_dilation", "binary_opening", "binary_closing"]


def draw_binary(seed, n, centred=None):
    """n images and structures with what else a function takes, at random."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        ndim = int(rng.integers(1, 5))
        shape = tuple(rng.integers(1, (300, 90, 20, 9)[ndim - 1], ndim).tolist())
        size = tuple(rng.integers(1, (9, 5, 4, 4)[ndim - 1], ndim).tolist())
        origin = [int(rng.integers(-((s - 1) // 2), (s - 1) // 2 + 1)) for s in size]
        x = rng.random(shape) < rng.choice([0.2, 0.5, 0.9])
        structure = rng.random(size) < 0.6
        if centred:
            at = tuple(s // 2 + o for s, o in zip(size, origin, strict=True))
            structure[at] = True
        kwargs = {"origin": origin, "border_value": int(rng.integers(2))}
        if rng.integers(2):
            kwargs["mask"] = rng.random(shape) < 0.7
        if rng.integers(2):
            x = x.astype("Bif"[rng.integers(3)]) * 3
        yield rng, x, structure, kwargs


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    for rng, x, structure, kwargs in draw_binary(7, 100):
        iterations = int(rng.choice([1, 1, 2, 3, 6]))
        expected = by_steps(name, x, structure, iterations, **kwargs)
        check(name, x, structure, iterations, expected=expected, **kwargs)
        if kwargs["origin"] == [0] * x.ndim:
            check(name, x, **kwargs)


@pytest.mark.parametrize("name", BINARY)
def test_binary_until_nothing_changes(name):
    for rng, x, structure, kwargs in draw_binary(8, 60, centred=True):
        iterations = int(rng.choice([0, -1]))
        expected = by_steps(name, x, structure, iterations, **kwargs)
        check(name, x, structure, iterations, expected=expected, **kwargs)
        kwargs["origin"] = 0
        for connectivity in (1, x.ndim):
            one = scipy.ndimage.generate_binary_structure(x.ndim, connectivity)
            check(name, x, one, -1, **kwargs)


@pytest.mark.parametrize("shape", [(1000,), (130, 129), (3, 70, 200), (300, 64, 2)])
def test_binary_structures_wider_than_a_word(shape):
    rng = np.random.default_rng(9)
    x = rng.random(shape) < 0.05
    for length in (65, 130):
        for axis in range(len(shape)):
            structure = np.ones([length if d == axis else 1 for d in range(len(shape))])
            for origin in (0, -(length // 2), (length - 1) // 2):
                origins = [origin if d == axis else 0 for d in range(len(shape))]
                check("binary_dilation", x, structure, origin=origins)
                check("binary_erosion", ~x, structure, origin=origins, border_value=1)


def test_hit_or_miss():
    for rng, x, structure, kwargs in draw_binary(10, 60):
        origin = kwargs["origin"]
        check("binary_hit_or_miss", x, structure, origin1=origin)
        other = rng.random(structure.shape) < 0.3
        check("binary_hit_or_miss", x, structure, other, origin1=0, origin2=origin)
    check("binary_hit_or_miss", x)


def test_propagation_and_holes():
    for _, x, structure, kwargs in draw_binary(11, 60, centred=True):
        expected = by_steps("binary_propagation", x, structure, **kwargs)
        check("binary_propagation", x, structure, expected=expected, **kwargs)
        origin = kwargs["origin"]
        expected = by_steps("binary_fill_holes", x, structure, origin=origin)
        check("binary_fill_holes", x, structure, origin=origin, expected=expected)
        del kwargs["origin"]
        for connectivity in (1, x.ndim):
            one = scipy.ndimage.generate_binary_structure(x.ndim, connectivity)
            check("binary_propagation", x, one, **kwargs)
            check("binary_fill_holes", x, one)
    check("binary_fill_holes", np.random.default_rng(1).random((400, 500)) < 0.4)


def test_propagation_along_a_spiral():
    n = 101
    walls = np.zeros((n, n), bool)
    for d in range(1, n // 2, 4):
        walls[d, d : n - d] = walls[n - 1 - d, d : n - d] = True
        walls[d : n - d, d] = walls[d : n - d, n - 1 - d] = True
        walls[d, d + 2 + d % 3] = False
    seed = np.zeros((n, n), bool)
    seed[0, 0] = True
    check("binary_propagation", seed, mask=~walls)
    check("binary_fill_holes", walls)


@pytest.mark.parametrize("name", [*BINARY, "binary_hit_or_miss"])
def test_binary_axes_and_layouts(name):
    x = np.random.default_rng(12).random((6, 7, 80)) < 0.8
    check(name, x, np.ones((2, 3)), axes=(0, 2))
    check(name, x, axes=(2, 1))
    for axes in ((2, 0), (-1, 1), (1, 0)):
        check(name, x, np.ones((3, 5)), axes=axes)
    check(name, x, [1, 1], axes=1)
    views = (lambda a: a.T, lambda a: a[::2, ::-1], lambda a: a[:, :, 3:70:2])
    for view in views:
        expected = getattr(scipy.ndimage, name)(view(x))
        found = getattr(ndimage, name)(view(cp.array(x)))
        np.testing.assert_array_equal(found.get(), expected)
    wide = cp.broadcast_to(cp.array(x[0, 0]), (5, 80))
    expected = getattr(scipy.ndimage, name)(np.broadcast_to(x[0, 0], (5, 80)))
    np.testing.assert_array_equal(getattr(ndimage, name)(wide).get(), expected)


@pytest.mark.parametrize("name", [*BINARY, "binary_fill_holes", "binary_hit_or_miss"])
def test_bools_of_any_byte(name):
    """A byte that is neither 0 nor 1 is True."""
    x = np.random.default_rng(14).integers(0, 3, (21, 90), np.uint8) * 85
    found = getattr(ndimage, name)(cp.array(x).view(bool))
    np.testing.assert_array_equal(found.get(), getattr(scipy.ndimage, name)(x > 0))


def test_binary_empty_and_without_axes():
    for name in (*BINARY, "binary_propagation", "binary_fill_holes"):
        for value in (False, True):
            found = getattr(ndimage, name)(cp.array(value))
            expected = getattr(scipy.ndimage, name)(np.array(value))
            np.testing.assert_array_equal(found.get(), expected)
    for shape in ((0,), (3, 0), (0, 3)):
        for name in (*BINARY, "binary_propagation", "binary_fill_holes"):
            check(name, np.zeros(shape, bool))
        check("binary_hit_or_miss", np.zeros(shape, bool))


@pytest.mark.parametrize("name", [*BINARY, "binary_propagation", "binary_fill_holes"])
def test_binary_output(name):
    x = np.random.default_rng(13).random((20, 70)) < 0.6
    ours, theirs = getattr(ndimage, name), getattr(scipy.ndimage, name)
    for dtype in ("u1", "f4", np.int32):
        if name != "binary_fill_holes":
            check(name, x, output=dtype)
        expected = np.zeros((20, 70), dtype)
        theirs(x, output=expected)
        out = cp.zeros((20, 70), dtype)
        result = ours(cp.array(x), output=out)
        assert result is out or name == "binary_fill_holes"
        np.testing.assert_array_equal(out.get(), expected)
    base = cp.array(x)
    ours(base, output=base)
    np.testing.assert_array_equal(base.get(), theirs(x))
    mask = np.random.default_rng(14).random((20, 70)) < 0.6
    if name != "binary_fill_holes":
        expected = theirs(x, mask=mask)
        out = cp.array(mask)
        ours(cp.array(x), mask=out, output=out)
        np.testing.assert_array_equal(out.get(), expected)


def test_binary_errors():
    x = cp.ones((4, 5))
    for name in BINARY:
        function = getattr(ndimage, name)
        with pytest.raises(TypeError, match="Unsupported type"):
            function(np.ones((4, 5)))
        with pytest.raises(TypeError, match="Complex type"):
            function(x.astype("D"))
        with pytest.raises(TypeError, match="Complex output"):
            function(x, output=cp.ones((4, 5), "D"))
        with pytest.raises(RuntimeError, match="dimensionality"):
            function(x, [1, 1])
        with pytest.raises(RuntimeError, match="empty"):
            function(x, np.ones((0, 1)))
        with pytest.raises(RuntimeError, match="mask"):
            function(x, mask=cp.ones(4))
        with pytest.raises(RuntimeError, match="output shape"):
            function(x, output=cp.ones((5, 4)))
        with pytest.raises(TypeError, match="iterations"):
            function(x, iterations=1.5)
        with pytest.raises(ValueError, match="origin"):
            function(x, np.ones((3, 3)), origin=2)


@pytest.mark.parametrize("name", ["binary_erosion", "binary_dilation"])
def test_iterations_end_when_nothing_changes(name):
    image = np.zeros(3000, bool)
    image[[0, 700]] = True
    if name == "binary_erosion":
        image = ~image
    x = cp.array(image)
    for times in (1000, 1024, 1025, 1500, 2299, 2300, 2301):
        expected = getattr(scipy.ndimage, name)(image, iterations=times)
        found = getattr(ndimage, name)(x, iterations=times)
        np.testing.assert_array_equal(found.get(), expected)
    found = getattr(ndimage, name)(x, iterations=1 << 62)
    np.testing.assert_array_equal(found.get(), expected)
