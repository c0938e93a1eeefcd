"""Distances to the background, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage


def check(x, sampling=None, **kwargs):
    """Distances as SciPy's, and indices of zeros that are as far away."""
    expected = scipy.ndimage.distance_transform_edt(x, sampling)
    found, indices = ndimage.distance_transform_edt(
        cp.array(x), sampling, return_indices=True, **kwargs
    )
    alone = ndimage.distance_transform_edt(cp.array(x), sampling, **kwargs)
    # Of places that are equally far, sums of squares may be rounded otherwise.
    bound = 0 if sampling is None else 1e-7 if kwargs else 1e-15
    np.testing.assert_allclose(alone.get(), found.get(), rtol=bound)
    assert indices.dtype == np.int32
    assert indices.shape == (x.ndim, *x.shape)
    indices = indices.get()
    if kwargs:
        assert found.dtype == np.float32
        np.testing.assert_allclose(found.get(), expected, rtol=1e-7)
    elif sampling is None:
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found.get(), expected)
    else:
        np.testing.assert_allclose(found.get(), expected, rtol=1e-14)
    if (np.asarray(x) != 0).all():
        assert (indices[0] == -1).all()
        assert not indices[1:].any()
        return
    assert not x[tuple(indices)].any()
    steps = (indices - np.indices(x.shape)).astype(float)
    steps *= np.reshape(1 if sampling is None else sampling, (-1,) + (1,) * x.ndim)
    np.testing.assert_allclose(np.sqrt((steps**2).sum(axis=0)), expected, rtol=1e-14)


def draw(seed, n):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        ndim = int(rng.integers(1, 5))
        shape = tuple(rng.integers(1, (300, 60, 16, 8)[ndim - 1], ndim).tolist())
        x = rng.random(shape) < rng.choice([0.3, 0.9, 0.99, 0.999])
        yield rng, x


def test_distances():
    for _, x in draw(1, 120):
        check(x)


def test_sampling():
    for rng, x in draw(2, 80):
        check(x, rng.choice([0.3, 1, 2.5, 7], x.ndim))
        check(x, 1.5)


def test_float32_distances():
    for _, x in draw(3, 20):
        check(x, float64_distances=False)
        check(x, 0.7, float64_distances=False)


@pytest.mark.parametrize(
    "shape", [(5000, 3), (3, 5000), (4097, 2, 2), (1000, 70), (300000,), (2, 150000)]
)
@pytest.mark.parametrize("sampling", [None, 0.3])
def test_long_axes(shape, sampling):
    rng = np.random.default_rng(4)
    x = np.ones(shape, "u1")
    check(x, sampling)
    for count in (1, 3, 40):
        for _ in range(count):
            x[tuple(rng.integers(shape))] = 0
        check(x, sampling)


def test_what_is_not_zero_is_image():
    rng = np.random.default_rng(5)
    for dtype in "?bhiHIlLefdFD":
        x = (rng.random((20, 30)) < 0.9).astype(dtype) * np.dtype(dtype).type(3)
        check(x)
    x = x.real.astype("d")
    x[3, 4:9] = [np.nan, np.inf, -0.0, 0.25, -1]
    check(x)
    check(np.float64(rng.random((12, 9)) < 0.8).T)
    for a in (cp.array(x).T, cp.array(x)[::2, ::-3]):
        expected = scipy.ndimage.distance_transform_edt(a.get())
        found = ndimage.distance_transform_edt(a)
        np.testing.assert_array_equal(found.get(), expected)


def test_empty_and_without_axes():
    for shape in ((0,), (3, 0), (0, 3)):
        found = ndimage.distance_transform_edt(cp.zeros(shape), return_indices=True)
        assert found[0].shape == shape
        assert found[1].shape == (len(shape), *shape)
    assert ndimage.distance_transform_edt(cp.array(1)).get() == [1.0]
    assert ndimage.distance_transform_edt(cp.array(0)).get() == [0.0]


def test_outputs():
    x = np.random.default_rng(6).random((30, 40)) < 0.9
    expected = scipy.ndimage.distance_transform_edt(x)
    for order in "CF":
        distances = cp.zeros(x.shape, order=order)
        indices = cp.zeros((2, *x.shape), "i4", order=order)
        found = ndimage.distance_transform_edt(
            cp.array(x), distances=distances, indices=indices, return_indices=True
        )
        assert found is None
        np.testing.assert_array_equal(distances.get(), expected)
        assert not x[tuple(indices.get())].any()
    found = ndimage.distance_transform_edt(
        cp.array(x), return_indices=True, indices=indices
    )
    np.testing.assert_array_equal(found.get(), expected)
    found = ndimage.distance_transform_edt(
        cp.array(x), return_distances=False, return_indices=True
    )
    assert not x[tuple(found.get())].any()
    base = cp.array(x.astype("d"))
    ndimage.distance_transform_edt(base, distances=base)
    np.testing.assert_array_equal(base.get(), expected)


def test_errors():
    x = cp.ones((3, 4))
    edt = ndimage.distance_transform_edt
    with pytest.raises(TypeError, match="Unsupported type"):
        edt(np.ones(3))
    with pytest.raises(TypeError, match="Unsupported type"):
        edt(x, distances=np.ones((3, 4)))
    with pytest.raises(RuntimeError, match="at least one"):
        edt(x, return_distances=False)
    with pytest.raises(RuntimeError, match="must be True"):
        edt(x, return_distances=False, return_indices=True, distances=cp.ones((3, 4)))
    with pytest.raises(RuntimeError, match="must be True"):
        edt(x, indices=cp.ones((2, 3, 4), "i4"))
    with pytest.raises(RuntimeError, match="wrong shape"):
        edt(x, distances=cp.ones((4, 3)))
    with pytest.raises(RuntimeError, match="float64"):
        edt(x, distances=cp.ones((3, 4), "f4"))
    with pytest.raises(RuntimeError, match="int16 or uint16 or int32"):
        edt(x, return_indices=True, indices=cp.ones((2, 3, 4), "i1"))
    with pytest.raises(RuntimeError, match="sampling"):
        edt(x, sampling=[1, 2, 3])


@pytest.mark.parametrize("shape", [(700, 90), (90, 700), (140, 40, 33), (3, 2, 90, 70)])
def test_few_zeros_and_many(shape):
    """Near ones are searched, far ones found by the minima of blocks, or envelopes."""
    rng = np.random.default_rng(9)
    for share in (0.9, 0.99, 0.999):
        check(rng.random(shape) < share)
    x = np.ones(shape, bool)
    for _ in range(3):
        x[tuple(rng.integers(0, n) for n in shape)] = False
        check(x)
        check(x, rng.choice([0.5, 2], len(shape)))
    x[:] = True
    x[: shape[0] // 3] = rng.random((shape[0] // 3, *shape[1:])) < 0.9
    check(x)
    check(x[::-1], 3.0)


@pytest.mark.parametrize("dtype", "hHiIlLqQ")
@pytest.mark.parametrize("shape", [(60,), (20, 30), (6, 7, 8)])
def test_indices_of_each_integer(dtype, shape):
    x = np.random.default_rng(1).random(shape) < 0.9
    expected = ndimage.distance_transform_edt(
        cp.array(x), return_distances=False, return_indices=True
    )
    for made in (
        cp.zeros((x.ndim, *shape), dtype),
        cp.zeros((x.ndim, *shape), dtype, order="F"),
    ):
        distances = ndimage.distance_transform_edt(
            cp.array(x), return_indices=True, indices=made
        )
        assert isinstance(distances, cp.ndarray)
        assert (made == expected).all()


def test_indices_that_do_not_reach():
    with pytest.raises(RuntimeError, match="do not reach"):
        ndimage.distance_transform_edt(
            cp.ones(40_000, bool),
            return_indices=True,
            indices=cp.zeros((1, 40_000), "h"),
        )
