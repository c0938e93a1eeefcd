"""Direct convolution of the host device, against SciPy's."""

import host_plugin as hp
import numpy as np
import pytest
from host_plugin import KNOWN

signal = pytest.importorskip("scipy.signal")

SHAPES = [  # input, kernel
    ((5,), (3,)),
    ((100,), (15,)),
    ((20000,), (7,)),
    ((9,), (14,)),
    ((7, 8), (3, 3)),
    ((40, 50), (5, 7)),
    ((130, 1100), (3, 4)),
    ((70, 70), (1, 1)),
    ((5, 6), (9, 11)),
    ((4, 5, 6), (2, 3, 3)),
    ((3, 4, 3, 5), (2, 2, 1, 3)),
]
BOUNDARIES = ["fill", "wrap", "symm"]


def convolve(host, a, kernel, mode="full", boundary="fill", fill=0, correlate=False):
    full = [n - 1 for n in kernel.shape]
    if mode == "full":
        shape = [n + k for n, k in zip(a.shape, full, strict=True)]
        start = [-k if correlate else 0 for k in full]
    else:  # same, of a convolution
        shape, start = a.shape, [k // 2 for k in full]
    out = np.empty(shape, a.dtype)
    args = hp.Convolve(hp.view(a), hp.view(kernel), hp.view(out))
    args.start[: a.ndim] = start
    args.boundary = BOUNDARIES.index(boundary)
    args.fill = hp.scalar(fill, a.dtype)
    args.correlate = correlate
    host.call("convolve", args, None)
    return out


def pair(dtype, shapes):
    rng = np.random.default_rng(0)
    return [hp.values(rng, shape, dtype) for shape in shapes]


@pytest.mark.parametrize("correlate", [False, True])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_full(host, dtype, shapes, correlate):
    a, kernel = pair(dtype, shapes)
    got = convolve(host, a, kernel, correlate=correlate)
    reference = signal.correlate if correlate else signal.convolve
    wide = hp.exact(dtype)
    expected = reference(a.astype(wide), kernel.astype(wide), method="direct")
    assert (got == expected.astype(dtype)).all()


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("mode", ["full", "same"])
@pytest.mark.parametrize("shapes", [s for s in SHAPES if len(s[0]) == 2], ids=str)
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_boundaries(host, dtype, shapes, mode, boundary):
    a, kernel = pair(dtype, shapes)
    fill = 1 if np.dtype(dtype).kind == "b" else 2
    got = convolve(host, a, kernel, mode, boundary, fill)
    wide = hp.exact(dtype)
    expected = signal.convolve2d(
        a.astype(wide), kernel.astype(wide), mode, boundary, fill
    )
    assert (got == expected.astype(dtype)).all()


@pytest.mark.parametrize("dtype", ["b", "H", "i", "L"])
def test_integers_wrap(host, dtype):
    rng = np.random.default_rng(1)
    limits = np.iinfo(dtype)
    a = rng.integers(limits.min, limits.max, 200, dtype, endpoint=True)
    kernel = rng.integers(limits.min, limits.max, 9, dtype, endpoint=True)
    exact = np.convolve(a.astype(object), kernel.astype(object))
    expected = np.array([int(x) % 2**64 for x in exact], "L").astype(dtype)
    assert (convolve(host, a, kernel) == expected).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_stays_where_it_belongs(host, bad):
    a, kernel = np.ones((40, 50)), np.ones((5, 7))
    a[20, 25] = bad
    got = np.isfinite(convolve(host, a, kernel, "same"))
    expected = np.ones(a.shape, bool)
    expected[18:23, 22:29] = False
    assert (got == expected).all()
