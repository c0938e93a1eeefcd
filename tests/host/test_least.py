"""All thresholds at their least, so that small arrays cross them."""

import os
import subprocess
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.only_on("host")

# Of a few thousand elements, in the calls that divide: copies between orders of memory,
# sweeps, reductions, positions, scans, selections, sorts, products, transforms.
PROGRAM = """
import itertools, warnings
import numpy as np
import cupric as cp

warnings.simplefilter("ignore")
np.seterr(all="ignore")


def same(f, *arrays):
    there, here = f(np, *arrays), f(cp, *map(cp.asarray, arrays))
    for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (there, here))):
        b = cp.asnumpy(b)
        assert a.shape == b.shape, (f, a.shape, b.shape)
        exact = a.dtype.kind in "biu"
        rounded = 0 if exact else 1e-4
        told = (f, [(x.shape, x.dtype) for x in arrays])
        assert np.allclose(a, b, rounded, rounded, equal_nan=True), told


def numbers(shape, dtype):
    x = np.arange(np.prod(shape)) * 7919 % 1009 % 100
    return x.astype(dtype).reshape(shape)


for dtype in "?bhifdFD":
    for shape in [(4, 5, 50), (3, 4, 5, 7), (17, 300), (2000,), (40, 3, 2), (1, 1500)]:
        x = numbers(shape, dtype)
        for order in itertools.islice(itertools.permutations(range(x.ndim)), 6):
            same(lambda xp, x: xp.ascontiguousarray(x.transpose(order)), x)
            same(lambda xp, x: x.transpose(order)[..., ::2].copy(), x)
            same(lambda xp, x: x.transpose(order) + x.transpose(order)[::-1], x)
            same(lambda xp, x: xp.asfortranarray(x.transpose(order)), x)
        for axis in (None, *range(x.ndim)):
            same(lambda xp, x: x.sum(axis), x)
            same(lambda xp, x: x.max(axis), x)
            same(lambda xp, x: x.argmin(axis), x)
            same(lambda xp, x: xp.cumsum(x, axis, "d"), x.real)
            same(lambda xp, x: xp.sort(x, axis), x)
            same(lambda xp, x: xp.argsort(x, axis, kind="stable"), x)
            same(lambda xp, x: x.any(axis), x)
        same(lambda xp, x: x[x > 40], x)
        same(lambda xp, x: xp.nonzero(x), x)
        same(lambda xp, x: xp.fft.fft(x.real), x)
        same(lambda xp, x: x.astype("e"), x.real)
        same(lambda xp, x: xp.take(x, xp.arange(0, 999, 7) % x.size), x)
        same(lambda xp, x: xp.searchsorted(xp.sort(x.ravel()), x), x)
for dtype in "bifdF":
    for m, k, n in [(40, 30, 20), (1, 300, 5), (300, 2, 3), (5, 7, 400)]:
        a, b = numbers((m, k), dtype), numbers((k, n), dtype)
        same(lambda xp, a, b: a @ b, a, b)
        same(lambda xp, a, b: a @ b[:, 0], a, b)
        same(lambda xp, a, b: xp.stack([a] * 5) @ b, a, b)
same(lambda xp, x, y: xp.convolve(x, y), numbers(3000, "d"), numbers(40, "d"))
same(lambda xp, x: xp.bincount(x), numbers(3000, "l"))
assert cp._core._guard_finding() is None
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_small_arrays_cross_all_thresholds(threads):
    environment = {"_CUPRIC_TESTING": "least", "CUPRIC_NUM_THREADS": str(threads)}
    program = PROGRAM.replace(
        "import cupric as cp", "import cupric as cp; cp._core._guard(1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "CUPRIC_DEVICE": "host", **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_thresholds_are_lowered():
    """By the order of additions, which blocks decide: a sum of one block is another."""
    program = "import numpy as np, cupric as cp; x = np.random.default_rng(1).random("
    program += "60_000, 'f'); print(float(cp.asarray(x).sum()).hex())"
    outcomes = []
    for environment in ({}, {"_CUPRIC_TESTING": "least"}):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env={
                **{k: v for k, v in os.environ.items() if k != "_CUPRIC_TESTING"},
                "CUPRIC_DEVICE": "host",
                **environment,
            },
            check=True,
        )
        outcomes.append(float.fromhex(done.stdout.strip()))
    assert outcomes[0] != outcomes[1]
    assert np.isclose(*outcomes)
