"""How a package serves NumPy and cupric by one source: the idioms of sporco.cupy."""

from functools import wraps

import numpy as np
import pytest

import cupric as cp

array_module = cp.get_array_module
np2cp = cp.asarray
cp2np = cp.asnumpy


def cupy_wrapper(func):
    """NumPy arrays go in and come out, device arrays are used inside."""

    def inside(value):
        return np2cp(value) if isinstance(value, np.ndarray) else value

    def outside(value):
        return cp2np(value) if isinstance(value, cp.ndarray) else value

    @wraps(func)
    def wrapped(*args, **kwargs):
        args = [inside(a) for a in args]
        kwargs = {k: inside(v) for k, v in kwargs.items()}
        result = func(*args, **kwargs)
        if isinstance(result, (tuple, list)):
            return type(result)(outside(r) for r in result)
        return outside(result)

    return wrapped


def prox_l1(v, alpha):
    """Soft thresholding."""
    xp = array_module(v)
    return xp.sign(v) * xp.clip(xp.abs(v) - alpha, 0, float("inf"))


def grad(x, axis):
    xp = array_module(x)
    return xp.concatenate(
        (xp.diff(x, axis=axis), xp.zeros_like(x.take([0], axis))), axis
    )


def grad_adjoint(x, axis):
    return -(x - array_module(x).roll(x, 1, axis))


def denoise(image, weight, iterations=20):
    """Total variation: a proximal loop of the kind that sporco's solvers are."""
    xp = array_module(image)
    dual = [xp.zeros_like(image), xp.zeros_like(image)]
    for _ in range(iterations):
        x = image - sum(grad_adjoint(d, k) for k, d in enumerate(dual))
        for k in range(2):
            v = dual[k] + grad(x, k) / 8
            dual[k] = v - prox_l1(v, weight)
    return x, float(xp.linalg.norm(x - image))


def test_have_device():
    assert cp.cuda.runtime.getDeviceCount() > 0  # sporco's have_cupy


def test_array_module():
    x = np.ones(3)
    assert array_module(x) is np
    assert array_module(np2cp(x)) is cp
    assert array_module(x, np2cp(x)) is cp
    assert array_module(1.0) is np


@pytest.mark.parametrize("order", ["C", "F"])
def test_conversions_keep_values(order):
    x = np.array(np.arange(12.0).reshape(3, 4), order=order)
    y = np2cp(x)
    assert isinstance(y, cp.ndarray)
    assert np2cp(y) is y
    z = cp2np(y)
    assert type(z) is np.ndarray
    np.testing.assert_array_equal(z, x)


def test_numpy_arrays_stay_as_they_are():
    x = np.arange(3.0)
    assert cp2np(x) is x


def test_one_source_two_modules():
    rng = np.random.default_rng(5)
    image = rng.normal(size=(32, 24))
    expected, distance = denoise(image, 0.3)
    result, on_device = denoise(np2cp(image), 0.3)
    assert isinstance(result, cp.ndarray)
    np.testing.assert_allclose(cp2np(result), expected, rtol=1e-10, atol=1e-12)
    assert on_device == pytest.approx(distance)


def test_wrapper_hides_the_device():
    image = np.random.default_rng(6).normal(size=(16, 16))
    result, distance = cupy_wrapper(denoise)(image, weight=0.2)
    assert type(result) is np.ndarray
    np.testing.assert_allclose(result, denoise(image, 0.2)[0], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(
        cupy_wrapper(prox_l1)(image, 0.5), prox_l1(image, 0.5)
    )
    assert isinstance(distance, float)


def test_device_selection():
    last = cp.cuda.runtime.getDeviceCount() - 1
    before = cp.cuda.Device().id
    with cp.cuda.Device(last):
        assert cp.cuda.Device().id == last
        assert cp.zeros(3).device.id == last
    assert cp.cuda.Device().id == before
    cp.cuda.Device(last).use()
    assert cp.cuda.Device().id == last
    cp.cuda.Device(before).use()
