"""apply_along_axis, apply_over_axes and piecewise against NumPy."""

import numpy as np
import pytest

import cupric as cp

X = np.random.default_rng(0).integers(-9, 9, (3, 4, 5))


def agree(mine, numpy):
    assert isinstance(mine, cp.ndarray)
    assert (mine.dtype, mine.shape) == (numpy.dtype, numpy.shape)
    np.testing.assert_array_equal(mine.get(), numpy)


FUNCTIONS = {
    "number": lambda v: v.sum(),
    "line": lambda v: v[::-1] * 2,
    "shorter": lambda v: v[:2] / 2,
    "matrix": lambda v: v[:, None] + v[None, :3],
    "python": lambda v: 1.5,
    "strided": lambda v: v[::2],
}


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("dtype", "?bfD")
def test_apply_along_axis(f, axis, dtype):
    a, f = X.astype(dtype), FUNCTIONS[f]
    agree(cp.apply_along_axis(f, axis, cp.asarray(a)), np.apply_along_axis(f, axis, a))
    x = cp.asarray(a)
    agree(
        cp.apply_along_axis(f, axis, x.T[::-1]), np.apply_along_axis(f, axis, a.T[::-1])
    )


def test_apply_along_axis_passes_arguments_on():
    def f(v, k, scale=1):
        return v[k] * scale

    agree(
        cp.apply_along_axis(f, 1, cp.asarray(X), 2, scale=3),
        np.apply_along_axis(f, 1, X, 2, scale=3),
    )


def test_apply_along_axis_of_one_line_and_of_empty_ones():
    agree(
        cp.apply_along_axis(np.sum, 0, cp.arange(3)),
        np.asarray(np.apply_along_axis(np.sum, 0, np.arange(3))),
    )
    empty = np.ones((2, 0))
    agree(
        cp.apply_along_axis(lambda v: v.sum(), 1, cp.asarray(empty)),
        np.apply_along_axis(lambda v: v.sum(), 1, empty),
    )
    with pytest.raises(ValueError, match="iteration dimensions are 0"):
        cp.apply_along_axis(np.sum, 0, cp.asarray(empty))
    with pytest.raises(np.exceptions.AxisError):
        cp.apply_along_axis(np.sum, 3, cp.asarray(X))
    with pytest.raises(np.exceptions.AxisError):
        cp.apply_along_axis(np.sum, 0, cp.array(1))


@pytest.mark.parametrize("axes", [0, [0], (0, 2), [-1, 0], (1, 1), []])
@pytest.mark.parametrize("f", ["sum", "max", "cumsum"])
def test_apply_over_axes(f, axes):
    agree(
        cp.apply_over_axes(getattr(cp, f), cp.asarray(X), axes),
        np.apply_over_axes(getattr(np, f), X, axes),
    )


def test_apply_over_axes_with_a_function_of_another_shape():
    with pytest.raises(ValueError, match="correct shape"):
        cp.apply_over_axes(lambda a, axis: a[0, 0], cp.asarray(X), [0])


@pytest.mark.parametrize("dtype", "bhifdD")
@pytest.mark.parametrize("pieces", [[-1, 1], [-1, 1, 5], [0.5, 2.5]])
def test_piecewise_of_scalars(dtype, pieces):
    a = X.astype(dtype)
    x = cp.asarray(a)
    agree(
        cp.piecewise(x, [x < -2, x > 3], pieces),
        np.piecewise(a, [a < -2, a > 3], pieces),
    )


@pytest.mark.parametrize(
    "pieces",
    [
        [lambda v: -v, lambda v: v * 2],
        [lambda v: v + 1, 7, lambda v: v - 1],
        [lambda v: v.sum(), lambda v: 2.5],
    ],
)
def test_piecewise_of_functions(pieces):
    a = X[0].T
    x = cp.asarray(X)[0].T
    agree(
        cp.piecewise(x, [x < -2, x > -4], pieces),
        np.piecewise(a, [a < -2, a > -4], pieces),
    )
    agree(
        cp.piecewise(x, [x < 0], [lambda v, k, m: v * k + m], 3, m=1),
        np.piecewise(a, [a < 0], [lambda v, k, m: v * k + m], 3, m=1),
    )


def test_piecewise_reads_conditions_as_numpy_does():
    a = np.arange(4.0)
    x = cp.asarray(a)
    agree(cp.piecewise(x, x < 2, [1, 2]), np.piecewise(a, a < 2, [1, 2]))
    agree(
        cp.piecewise(x, [True, False, True, False], [1]),
        np.piecewise(a, [True, False, True, False], [1]),
    )
    agree(
        cp.piecewise(x, cp.stack([x < 1, x > 2]), [1, 2, 3]),
        np.piecewise(a, np.stack([a < 1, a > 2]), [1, 2, 3]),
    )
    agree(cp.piecewise(x, [a < 2], [5]), np.piecewise(a, [a < 2], [5]))
    zero = np.array(3.0)
    y = cp.asarray(zero)
    agree(cp.piecewise(y, y > 2, [1, 2]), np.piecewise(zero, zero > 2, [1, 2]))
    agree(
        cp.piecewise(y, [y < 2, y > 2], [1, 2]),
        np.piecewise(zero, [zero < 2, zero > 2], [1, 2]),
    )
    empty = np.zeros((0, 2))
    e = cp.asarray(empty)
    agree(
        cp.piecewise(e, [e < 1], [lambda v: v / 0]),
        np.piecewise(empty, [empty < 1], [lambda v: v / 0]),
    )


def test_piecewise_with_too_few_functions():
    x = cp.arange(4)
    with pytest.raises(ValueError, match="functions are expected"):
        cp.piecewise(x, [x < 1, x > 2], [1])
    with pytest.raises(ValueError, match="functions are expected"):
        cp.piecewise(x, [x < 1], [1, 2, 3])
    with pytest.raises(IndexError):
        cp.piecewise(x, [x[:2] < 1], [1])
    with pytest.raises(ValueError, match="one shape"):
        cp.piecewise(x, [x[:2] < 1, x < 2], [1, 2])


@pytest.mark.parametrize("dtype", ["?", "b", "L", "e", "d", "F"])
def test_piecewise_of_numbers(dtype):
    base = np.arange(24).reshape(4, 6).astype(dtype)
    for x in (base, base.T, base[:, ::2], base[0, 0], base[:0]):
        x = np.asarray(x)
        conditions = [x.real < 20, x.real > 10, x.real == 12]
        y, there = cp.array(x), [cp.array(c) for c in conditions]
        for values in ([1, 0, 1], [1, 1, 0, 1]):
            want = np.piecewise(x, conditions, values)
            got = cp.piecewise(y, there, values)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got.get(), want)
            assert got.flags.f_contiguous == want.flags.f_contiguous
    x = cp.array(base)
    many = [x.real == i for i in range(12)]
    want = np.piecewise(base, [c.get() for c in many], [0, 1] * 6)
    np.testing.assert_array_equal(cp.piecewise(x, many, [0, 1] * 6).get(), want)
