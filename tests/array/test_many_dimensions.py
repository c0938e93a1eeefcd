"""Arrays of up to 64 dimensions, NumPy 2's limit, in everything that walks them."""

import pickle

import numpy as np
import pytest

import cupric as cp

NDIMS = [32, 33, 48, 63, 64]


def shape_of(ndim):
    shape = [1] * ndim
    shape[3], shape[7], shape[ndim // 2], shape[-1] = 2, 2, 3, 4
    return shape


def example(xp, ndim, dtype="d"):
    shape = shape_of(ndim)
    return xp.asarray(np.arange(np.prod(shape)).reshape(shape).astype(dtype))


def order(ndim):
    return np.random.default_rng(ndim).permutation(ndim).tolist()


def along(xp, ndim):
    """A key that chooses from axis 3 by an array."""
    return (slice(None),) * 3 + (xp.asarray([1, 0, 1]),)


def filled(xp, ndim):
    x = example(xp, ndim)
    x[x > 30] = -1
    x[along(xp, ndim)[:3] + (xp.asarray([1, 0]),)] *= 2
    x[..., 1:] = x[..., :-1].copy()
    x += x
    return x


CASES = {
    "zeros": lambda xp, n: xp.zeros(shape_of(n)),
    "full": lambda xp, n: xp.full(shape_of(n), 3),
    "ones in Fortran order": lambda xp, n: xp.ones(shape_of(n), order="F"),
    "zeros_like": lambda xp, n: xp.zeros_like(example(xp, n)),
    "ndmin": lambda xp, n: xp.array(5, ndmin=n),
    "reverse and copy": lambda xp, n: example(xp, n).T.copy(),
    "permute and copy": lambda xp, n: example(xp, n).transpose(order(n)).copy(),
    "reshape": lambda xp, n: example(xp, n).transpose(order(n)).reshape(4, 12),
    "squeeze": lambda xp, n: xp.squeeze(example(xp, n)),
    "swapaxes": lambda xp, n: xp.swapaxes(example(xp, n), 0, n - 1),
    "moveaxis": lambda xp, n: xp.moveaxis(example(xp, n), -1, 0),
    "broadcast_to": lambda xp, n: xp.broadcast_to(example(xp, n)[..., :1], shape_of(n)),
    "add": lambda xp, n: example(xp, n) + example(xp, n),
    "add broadcast": lambda xp, n: example(xp, n)[..., :1] + example(xp, n)[..., ::-1],
    "multiply permuted": lambda xp, n: example(xp, n).transpose(order(n)) * 2,
    "cast": lambda xp, n: example(xp, n).astype("f", order="F"),
    "imag": lambda xp, n: example(xp, n, "D").imag,
    "where": lambda xp, n: xp.where(example(xp, n) > 3, example(xp, n), 0),
    "clip": lambda xp, n: xp.clip(example(xp, n), 2, 8),
    "write": filled,
    "sum": lambda xp, n: example(xp, n).sum(),
    "sum of axes": lambda xp, n: example(xp, n).sum(axis=(3, -1)),
    "sum keeping": lambda xp, n: example(xp, n).sum(axis=n // 2, keepdims=True),
    "sum permuted": lambda xp, n: example(xp, n).transpose(order(n)).sum(axis=3),
    "max of all axes": lambda xp, n: example(xp, n).max(axis=tuple(range(n))),
    "var": lambda xp, n: example(xp, n).var(axis=3),
    "any": lambda xp, n: xp.any(example(xp, n, "?"), axis=3),
    "argmax": lambda xp, n: example(xp, n).argmax(axis=-1),
    "median": lambda xp, n: xp.median(example(xp, n), axis=-1),
    "cumsum": lambda xp, n: example(xp, n).cumsum(axis=3),
    "accumulate": lambda xp, n: xp.maximum.accumulate(example(xp, n), axis=n // 2),
    "sort": lambda xp, n: xp.sort(-example(xp, n), axis=3),
    "argsort": lambda xp, n: xp.argsort(-example(xp, n), axis=-1),
    "nonzero": lambda xp, n: xp.nonzero(example(xp, n)),
    "mask": lambda xp, n: example(xp, n)[example(xp, n) > 5],
    "ints": lambda xp, n: example(xp, n)[(0,) * n],
    "an array": lambda xp, n: example(xp, n)[along(xp, n)],
    "63 arrays": lambda xp, n: example(xp, n)[(xp.asarray([0, 0]),) * min(n, 63)],
    "take": lambda xp, n: xp.take(example(xp, n), xp.asarray([1, 0]), axis=3),
    "take_along_axis": lambda xp, n: xp.take_along_axis(
        example(xp, n), xp.argsort(-example(xp, n), axis=3), axis=3
    ),
    "concatenate": lambda xp, n: xp.concatenate([example(xp, n)] * 2, axis=7),
    "split": lambda xp, n: xp.split(example(xp, n), 2, axis=3)[1],
    "flip": lambda xp, n: xp.flip(example(xp, n)),
    "roll": lambda xp, n: xp.roll(example(xp, n), 1, axis=n // 2),
    "repeat": lambda xp, n: xp.repeat(example(xp, n), 2, axis=3),
    "tile": lambda xp, n: xp.tile(example(xp, n), (2, 3)),
    "tile nothing": lambda xp, n: xp.tile(example(xp, n), 0),
    "diagonal": lambda xp, n: xp.diagonal(example(xp, n), 0, 3, 7),
    "searchsorted": lambda xp, n: xp.searchsorted(
        xp.asarray([1.0, 3, 7]), example(xp, n)
    ),
    "unravel_index": lambda xp, n: xp.unravel_index(xp.asarray(5), tuple(shape_of(n))),
    "argwhere": lambda xp, n: xp.argwhere(example(xp, n) > 3),
    "matmul": lambda xp, n: xp.matmul(
        example(xp, n), xp.swapaxes(example(xp, n), -1, -2)
    ),
    "fft": lambda xp, n: xp.round(xp.fft.fft(example(xp, n)).real),
    "tolist": lambda xp, n: example(xp, n).tolist(),
}


@pytest.mark.parametrize("ndim", NDIMS)
@pytest.mark.parametrize("case", CASES)
def test_as_numpy(device, case, ndim):
    got = CASES[case](cp, ndim)
    try:
        expected = CASES[case](np, ndim)
    except RuntimeError:  # NumPy's sorts end at 32: fewer axes of length 1
        expected = CASES[case](np, 16).reshape(got.shape)
    if not isinstance(expected, tuple | list):
        expected, got = (expected,), (got,)
    assert len(got) == len(expected)
    for e, g in zip(expected, got, strict=True):
        g = g.get() if isinstance(g, cp.ndarray) else g
        np.testing.assert_array_equal(g, e, strict=True)


def test_printing_and_pickling(device):
    x, want = example(cp, 64), example(np, 64)
    assert repr(x) == repr(want)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)).get(), want)


def test_elementwise_kernel(device):
    twice = cp.ElementwiseKernel("T x", "T y", "y = 2 * x", "twice_of_many")
    x = example(cp, 64)[..., ::-1]
    np.testing.assert_array_equal(twice(x).get(), 2 * example(np, 64)[..., ::-1])


@pytest.mark.parametrize(
    "make",
    [
        lambda xp: xp.zeros((1,) * 65),
        lambda xp: xp.zeros(1).reshape((1,) * 65),
        lambda xp: xp.broadcast_to(xp.zeros(1), (1,) * 65),
        lambda xp: xp.array(1, ndmin=65),
        lambda xp: xp.zeros((1,) * 64)[None],
    ],
)
def test_more_than_64(device, make):
    with pytest.raises((ValueError, IndexError)) as expected:
        make(np)
    with pytest.raises(expected.type, match="64"):
        make(cp)
