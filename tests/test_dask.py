"""dask.array with our blocks: as with NumPy's, and what is made stays on the device."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

ROOT = Path(__file__).resolve().parents[1]

DATA = np.random.default_rng(0).standard_normal((60, 40))
HOLES = np.where(DATA > 1, np.nan, DATA)


def spd(a):
    return (a.T @ a).rechunk(20)


CALLS = {
    "map_blocks": lambda a: a.map_blocks(lambda b: b * 2),
    "ufuncs": lambda a: da.exp(a) + np.sin(a) - a**2,
    "astype": lambda a: a.astype("f4"),
    "where": lambda a: da.where(a > 0, a, 0),
    "clip": lambda a: da.clip(a, -1, 1),
    "round": lambda a: a.round(1),
    "rechunk": lambda a: a.rechunk((7, 13)),
    "slice": lambda a: a[3:50:3, ::-1],
    "list": lambda a: a[[1, 5, 30]],
    "mask": lambda a: a[a[:, 0] > 0],
    "mask of elements": lambda a: a[a > 0],
    "take": lambda a: da.take(a, [1, 50], axis=0),
    "blocks": lambda a: a.blocks[1, 0],
    "transpose": lambda a: a.T + 1,
    "reshape": lambda a: a.reshape(2400),
    "concatenate": lambda a: da.concatenate([a, a], axis=1),
    "stack": lambda a: da.stack([a, a]),
    "roll": lambda a: da.roll(a, 3, axis=0),
    "pad": lambda a: da.pad(a, 1),
    "tril": da.tril,
    "diag": lambda a: da.diag(a[:40, :40]),
    "diff": da.diff,
    "overlap": lambda a: da.overlap.overlap(a, depth=1, boundary="reflect"),
    "map_overlap": lambda a: a.map_overlap(lambda b: b + b[::-1], 1, "periodic"),
    "map_overlap, none": lambda a: a.map_overlap(lambda b: b * 2, 1, "none"),
    "tensordot": lambda a: da.tensordot(a, a.T, axes=1),
    "matmul": lambda a: a @ a.T,
    "dot": lambda a: a.dot(a.T),
    "einsum": lambda a: da.einsum("ij,kj->ik", a, a),
    "outer": lambda a: da.outer(a[:, 0], a[:, 1]),
    "percentile": lambda a: da.percentile(a[:20, 0], [10, 50, 90]),
    "percentile of blocks": lambda a: da.percentile(a[:, 0], [0, 100]),
    "median": lambda a: da.median(a, axis=0),
    "cumsum": lambda a: da.cumsum(a, axis=0),
    "cumprod": lambda a: da.cumprod(a, axis=1),
    "topk": lambda a: da.topk(a, 3),
    "histogram": lambda a: da.histogram(a, bins=10, range=(-3, 3))[0],
    "bincount": lambda a: da.bincount((a[:, 0] > 0).astype(int)),
    "average": lambda a: da.average(a, axis=0),
    "cov": da.cov,
    "moment": lambda a: da.reductions.moment(a, 3),
    "norm": da.linalg.norm,
    "fft": lambda a: da.fft.fft(a.rechunk((20, 40))),
    "q": lambda a: abs(da.linalg.qr(a.rechunk((20, 40)))[0]),
    "r": lambda a: abs(da.linalg.qr(a.rechunk((20, 40)))[1]),
    "svd": lambda a: da.linalg.svd(a.rechunk((30, 40)))[1],
    "lstsq": lambda a: da.linalg.lstsq(a.rechunk((30, 40)), a[:, 0].rechunk(30))[0],
    "cholesky": lambda a: da.linalg.cholesky(spd(a)),
}
REDUCTIONS = [
    *("sum", "mean", "var", "std", "min", "max"),
    *("prod", "any", "all", "argmax", "argmin"),
]
OF_NANS = ["nansum", "nanmean", "nanvar", "nanmin", "nanmax", "nanargmax", "nanprod"]


def agree(call, data):
    ours = da.from_array(cp.array(data), chunks=(20, 20))
    theirs = da.from_array(data, chunks=(20, 20))
    assert isinstance(ours._meta, cp.ndarray)
    found, expected = call(ours).compute(), call(theirs).compute()
    assert isinstance(found, cp.ndarray)
    assert found.dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(found.get(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    agree(CALLS[name], DATA)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    for axis in (None, 0, 1):
        agree(lambda a, axis=axis: getattr(a, name)(axis=axis), DATA)
        if not name.startswith("arg"):
            agree(lambda a, x=axis: getattr(a, name)(axis=x, keepdims=True), DATA)


@pytest.mark.parametrize("name", OF_NANS)
def test_reductions_of_nans(name):
    for axis in (None, 0, 1):
        agree(lambda a, axis=axis: getattr(da, name)(a, axis=axis), HOLES)


MADE = {
    "ones": lambda: da.ones((4, 5), chunks=2),
    "zeros": lambda: da.zeros(4),
    "empty": lambda: da.empty(3),
    "full": lambda: da.full((3,), 2.0),
    "arange": lambda: da.arange(10, chunks=5),
    "standard_normal": lambda: da.random.default_rng(1).standard_normal(
        (4, 4), chunks=2
    ),
    "integers": lambda: da.random.default_rng(1).integers(0, 5, size=8, chunks=4),
    "RandomState": lambda: da.random.RandomState(2).normal(size=4, chunks=2),
}


@pytest.mark.parametrize("name", MADE)
def test_backend(name):
    with dask.config.set({"array.backend": "cupric"}):
        made = MADE[name]()
        found = made.compute()
    assert isinstance(made._meta, cp.ndarray)
    assert isinstance(found, cp.ndarray)
    if name in ("ones", "zeros", "full", "arange"):
        np.testing.assert_array_equal(found.get(), MADE[name]().compute())


def test_random_blocks_differ():
    rng = da.random.default_rng(cp.random.default_rng(3))
    found = rng.random(40, chunks=10).compute()
    assert isinstance(found, cp.ndarray)
    assert len(np.unique(found.get())) == 40


def test_to_backend():
    x = da.from_array(np.arange(6.0), chunks=2)
    ours = x.to_backend("cupric")
    assert isinstance(ours.compute(), cp.ndarray)
    assert ours.to_backend("cupric") is ours
    assert isinstance(ours.to_backend("numpy").compute(), np.ndarray)


def test_sizes():
    from dask.sizeof import sizeof

    assert sizeof(cp.ones(100)) == 800


def run(source, **settings):
    paths = [str(Path(cp.__file__).parents[1]), *sys.path]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | settings
    command = [sys.executable, *source]
    result = subprocess.run(
        command, capture_output=True, text=True, env=env, timeout=300
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("first", ["cupric", "dask.array"])
def test_import_order(first):
    second = "dask.array" if first == "cupric" else "cupric"
    out = run(
        [
            "-c",
            f"import {first}, sys; before = 'dask' in sys.modules; import {second}\n"
            "import cupric, dask.array as da\n"
            "x = da.from_array(cupric.ones((4, 2)), chunks=2)\n"
            "print(before, type(da.tensordot(x, x.T, 1).sum().compute()).__module__)\n"
            "print(sum('Watch' in type(f).__name__ for f in sys.meta_path))",
        ]
    )
    assert out.split() == [str(first != "cupric"), "cupric", "0"]


def test_several_devices():
    if cp.cuda.Device().backend == "host":
        devices = {"CUPRIC_HOST_DEVICES": "2"}
    else:
        devices = {}
    out = run([str(ROOT / "examples/dask_devices.py")], **devices)
    n = 2 if devices else cp.cuda.runtime.getDeviceCount()
    assert f"{n} devices, blocks on {list(range(n))}" in out
