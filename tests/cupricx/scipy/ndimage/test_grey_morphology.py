"""Morphology of grey images, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

MODES = ("reflect", "constant", "nearest", "mirror", "wrap")
GREY = [
    "grey_erosion",
    "grey_dilation",
    "grey_opening",
    "grey_closing",
    "morphological_gradient",
    "morphological_laplace",
    "white_tophat",
    "black_tophat",
]


def values(rng, shape, dtype):
    x = rng.integers(0, 100, shape)
    return (x > 50) if np.dtype(dtype).kind == "b" else x.astype(dtype)


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy: the same."""
    expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    bound = 2e-5 if "structure" in kwargs and x.dtype.char == "f" else 0
    np.testing.assert_allclose(
        found.get(), expected, rtol=0, atol=bound, err_msg=str((x.shape, args, kwargs))
    )


def draw(seed, n):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        ndim = int(rng.integers(1, 4))
        shape = tuple(rng.integers(1, (60, 20, 9)[ndim - 1], ndim).tolist())
        size = tuple(rng.integers(1, (12, 6, 4)[ndim - 1], ndim).tolist())
        origin = [int(rng.integers(-((s - 1) // 2), (s - 1) // 2 + 1)) for s in size]
        dtype = "BhHiIlfd"[rng.integers(8)]
        mode = MODES[rng.integers(len(MODES))]
        x = values(rng, shape, dtype)
        yield (
            rng,
            x,
            size,
            {"origin": origin, "mode": mode, "cval": int(rng.integers(9))},
        )


@pytest.mark.parametrize("name", GREY)
def test_grey_boxes_and_footprints(name):
    for rng, x, size, kwargs in draw(1, 30):
        check(name, x, size, **kwargs)
        footprint = rng.random(size) < 0.5
        footprint.flat[rng.integers(footprint.size)] = True
        check(name, x, footprint=footprint, **kwargs)


@pytest.mark.parametrize("name", GREY)
def test_grey_structures(name):
    for rng, x, size, kwargs in draw(2, 30):
        structure = rng.integers(0, 20, size)
        if x.dtype.kind == "u":  # where SciPy wraps differences below zero
            x, kwargs["cval"] = x + x.dtype.type(100), 100
        if x.dtype.kind == "f":
            structure = structure * (0.1 if rng.integers(2) else 0.25)
        check(name, x, structure=structure, **kwargs)
        footprint = rng.random(size) < 0.5
        footprint.flat[rng.integers(footprint.size)] = True
        check(name, x, structure=structure, footprint=footprint, **kwargs)


def test_grey_structures_below_zero():
    """A difference below zero is the smallest, among unsigned integers too."""
    x = np.array([5, 5, 60, 2])
    expected = scipy.ndimage.grey_erosion(x, structure=[9, 9, 9])
    found = ndimage.grey_erosion(cp.array(x, "u1"), structure=[9, 9, 9], output="i8")
    np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("name", ["grey_opening", "white_tophat", "black_tophat"])
def test_grey_of_bools(name):
    check(name, values(np.random.default_rng(3), (9, 10), "?"), 3)


@pytest.mark.parametrize("name", GREY)
def test_grey_structures_of_bools(name):
    """SciPy computes on bools as on bytes: 0 - 1 is 255, which is True."""
    fails = name in ("morphological_gradient", "morphological_laplace")
    for rng, x, size, kwargs in draw(6, 40):
        x, kwargs["cval"] = x > 40, int(rng.integers(2))
        for dtype in "?Bid":
            structure = rng.integers(0, 2 if dtype == "?" else 4, size).astype(dtype)
            footprint = rng.random(size) < 0.5
            footprint.flat[rng.integers(footprint.size)] = True
            for output in ("d", "?", None):
                if fails and output != "d":
                    continue
                kwargs["output"] = out = output and np.zeros(x.shape, output)
                given = kwargs | {"output": output and cp.array(out)}
                for more in ({}, {"footprint": footprint}):
                    args = {"structure": structure} | more
                    expected = getattr(scipy.ndimage, name)(x, **args, **kwargs)
                    found = getattr(ndimage, name)(cp.array(x), **args, **given)
                    assert found.dtype == expected.dtype
                    np.testing.assert_array_equal(found.get(), expected)
    if fails:
        with pytest.raises(TypeError, match="bool"):
            getattr(ndimage, name)(cp.array(x), structure=structure)


@pytest.mark.parametrize("name", GREY)
def test_grey_axes(name):
    x = values(np.random.default_rng(4), (5, 6, 7), "f4")
    check(name, x, 3, axes=(0, 2))
    check(name, x, (3, 2), axes=(2, 1))
    check(name, x, footprint=[[1, 0, 1], [0, 1, 0]], axes=(0, 2))
    check(name, x, structure=np.arange(9).reshape(3, 3), axes=(0, 1))


@pytest.mark.parametrize("name", GREY)
def test_grey_output(name):
    x = values(np.random.default_rng(5), (8, 9), "u1")
    ours, theirs = getattr(ndimage, name), getattr(scipy.ndimage, name)
    check(name, x, 3, output="f8")
    for dtype in ("u1", "f8"):
        expected = np.zeros((8, 9), dtype)
        theirs(x, 3, output=expected)
        out = cp.zeros((8, 9), dtype)
        assert ours(cp.array(x), 3, output=out) is out
        np.testing.assert_array_equal(out.get(), expected)
    base = cp.array(x)  # in place: as if not
    assert ours(base, 3, output=base) is base
    np.testing.assert_array_equal(base.get(), theirs(x, 3))


def test_grey_errors():
    x = cp.ones((4, 5))
    for name in GREY:
        with pytest.raises(ValueError, match="must be specified"):
            getattr(ndimage, name)(x)
        with pytest.raises(RuntimeError, match="structure array"):
            getattr(ndimage, name)(x, structure=[1, 2])
        with pytest.raises(TypeError, match="Unsupported type"):
            getattr(ndimage, name)(np.ones(3), 3)
        with pytest.warns(UserWarning, match="ignoring size"):
            getattr(ndimage, name)(x, 3, footprint=[[1, 1]])
    with pytest.raises(TypeError, match="Complex"):
        ndimage.grey_erosion(x.astype("F"), 3)
    with pytest.raises(RuntimeError, match="same shape"):
        ndimage.grey_erosion(x, footprint=[[1, 1]], structure=[[1, 2, 3]])
