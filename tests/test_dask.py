"""dask.array with our blocks: as with NumPy's, and what is made stays on the device."""

import os
import pickle
import shutil
import subprocess
import sys
import venv
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


def dominant(a):
    """A matrix whose factors have no rows to exchange."""
    return spd(a) + da.diag(da.full_like(a[0], 500)).rechunk(20)


def whole(a):
    return (a * 2).astype(int)


def pairs(a):
    return [a[:, 0], a[:, 1]]


RANGES = [(-3, 3), (-2, 2)]


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
    "unique": lambda a: da.unique(whole(a)),
    "unique, indices": lambda a: da.unique(whole(a), return_index=True)[1],
    "unique, inverse": lambda a: da.unique(whole(a), return_inverse=True)[1],
    "unique, counts": lambda a: da.unique(whole(a), return_counts=True)[1],
    "unique of floats": lambda a: da.unique(a.round().astype("f4"), return_counts=True)[
        0
    ],
    "union1d": lambda a: da.union1d(whole(a[0]), whole(a[1])),
    "isin": lambda a: da.isin(whole(a), [1, 2]),
    "isin, inverted": lambda a: da.isin(whole(a), whole(a[0]), invert=True),
    "nonzero": lambda a: da.nonzero(a > 0)[1],
    "argwhere": lambda a: da.argwhere(a > 0),
    "argtopk": lambda a: da.argtopk(a, 3, axis=0),
    "argtopk, method": lambda a: a.argtopk(-3),
    "quantile": lambda a: da.quantile(a, [0.25, 0.5], axis=0),
    "unravel_index": lambda a: da.unravel_index(da.argmax(a, axis=0), (6, 10))[1],
    "insert": lambda a: da.insert(a, [1, 5], -3.0, axis=0),
    "histogramdd": lambda a: da.histogramdd(a[:, :2].rechunk((20, 2)), 3, RANGES)[0],
    "histogram2d": lambda a: da.histogram2d(*pairs(a), bins=3, range=RANGES)[0],
    "histogram2d, weights": lambda a: da.histogram2d(
        *pairs(a), bins=3, range=RANGES, weights=abs(a[:, 2])
    )[0],
    "histogramdd, density": lambda a: da.histogramdd(
        a[:, :2].rechunk((20, 2)), (3, 4), RANGES, density=True
    )[0],
    "histogramdd, edges": lambda a: da.histogramdd(
        pairs(a),
        [np.array([-3.0, -1, 0, 3]), np.array([-2.0, 0.5, 2])],
        density=True,
        weights=abs(a[:, 2]),
    )[0],
    "histogramdd, normed": lambda a: da.histogramdd(pairs(a), 3, RANGES, normed=True)[
        0
    ],
    "histogram2d, density": lambda a: da.histogram2d(
        *pairs(a), bins=(3, 5), range=RANGES, density=True
    )[0],
    "p of lu": lambda a: da.linalg.lu(dominant(a))[0],
    "l of lu": lambda a: da.linalg.lu(dominant(a))[1],
    "u of lu": lambda a: da.linalg.lu(dominant(a))[2],
    "solve": lambda a: da.linalg.solve(dominant(a), a[0].rechunk(20)),
    "solve, columns": lambda a: da.linalg.solve(dominant(a), a.T.rechunk((20, 30))),
    "solve, positive": lambda a: da.linalg.solve(
        dominant(a), a[0].rechunk(20), assume_a="pos"
    ),
    "inv": lambda a: da.linalg.inv(dominant(a)),
    "svd_compressed": lambda a: da.linalg.svd_compressed(a, 40, seed=0)[1],
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
    lazy = call(ours)
    lazy.dask.validate()
    found, expected = lazy.compute(), call(theirs).compute()
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
    "choice": lambda: da.random.default_rng(1).choice(10, size=6, chunks=3),
    "permutation": lambda: da.random.default_rng(1).permutation(6),
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


def test_factors_whose_rows_change_places():
    """SciPy's factors of the whole matrix, in chunks of any shape."""
    data = DATA[:40].copy()
    data[0, 0] = 0
    a = da.from_array(cp.array(data), chunks=(15, 20))
    p, lower, upper = dask.compute(*da.linalg.lu(a))
    np.testing.assert_allclose((p @ lower @ upper).get(), data, atol=1e-12)
    assert abs(lower).max() == 1
    assert da.linalg.lu(a)[1].chunks == a.chunks
    with pytest.raises(ValueError, match="square"):
        da.linalg.lu(a[:30])
    with pytest.raises(ValueError):
        da.linalg.solve(a, a[0], assume_a="sym")


def test_numpys_blocks_and_ours():
    """Values of the host are copied where they are few beside the collection."""
    data = DATA[:40] + 40 * np.eye(40)
    a = da.from_array(cp.array(data), chunks=20)
    b = da.from_array(DATA[:40, 0], chunks=20)
    found = da.linalg.solve(a, b).compute()
    np.testing.assert_allclose(found.get(), np.linalg.solve(data, DATA[:40, 0]))
    assert isinstance(da.isin(da.from_array(DATA), [1.0]).compute(), np.ndarray)


def test_functions_of_graphs_are_found_by_name():
    """A worker in another process takes them so."""
    a = da.from_array(cp.arange(6), chunks=3)
    graph = pickle.loads(pickle.dumps(dict(da.isin(a, [1]).__dask_graph__())))
    assert any("isin" in str(key) for key in graph)


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


METADATA = """
import sys
from setuptools import build_meta
print(build_meta.prepare_metadata_for_build_wheel(sys.argv[1]))
"""


@pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="no sources here")
def test_entry_point_of_an_installed_package(tmp_path):
    """In an environment of its own, with the metadata that pip would install, Dask
    finds the backend by its name where nobody has imported the package."""
    setuptools = pytest.importorskip("setuptools")
    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip(f"setuptools {setuptools.__version__} knows no licence expressions")
    sources, home = tmp_path / "sources", tmp_path / "environment"
    sources.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    venv.create(home, with_pip=False)
    (site,) = home.glob("lib/python*/site-packages")
    command = [sys.executable, "-W", "ignore", "-c", METADATA, str(site)]
    subprocess.run(command, cwd=sources, check=True, capture_output=True)
    packages = [str(Path(m.__file__).parents[1]) for m in (cp, np, dask)]
    (site / "others.pth").write_text("\n".join(dict.fromkeys(packages)))
    program = (
        "import sys, dask, dask.array as da\n"
        "print('cupric' in sys.modules)\n"
        "with dask.config.set({'array.backend': 'cupric'}):\n"
        "    x = da.ones((4, 2), chunks=2)\n"
        "print(type(x.sum(axis=0).compute()).__module__)"
    )
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    python = home / "bin/python"
    result = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, env=env, check=False
    )
    assert result.stdout.split() == ["False", "cupric"], result.stderr


def test_several_devices():
    if cp.cuda.Device().backend == "host":
        devices = {"CUPRIC_HOST_DEVICES": "2"}
    else:
        devices = {}
    out = run([str(ROOT / "examples/dask_devices.py")], **devices)
    n = 2 if devices else cp.cuda.runtime.getDeviceCount()
    assert f"{n} devices, blocks on {list(range(n))}" in out


UNIQUE_OF_DEVICES = """
import numpy as np
import dask
import dask.array as da
import cupric as cp

def block(i):
    with cp.cuda.Device(1 - i % 2):
        return cp.asarray(data[10 * i : 10 * i + 10])

data = np.random.default_rng(0).integers(0, 6, 40)
blocks = [dask.delayed(block)(i) for i in range(4)]
meta = cp.empty(0, data.dtype)
x = da.concatenate([da.from_delayed(b, (10,), meta=meta) for b in blocks])
found = dask.compute(*da.unique(x, True, True, True))
expected = np.unique(data, True, True, True)
for ours, theirs in zip(found, expected, strict=True):
    assert isinstance(ours, cp.ndarray)
    np.testing.assert_array_equal(ours.get(), theirs)
values = da.unique(x).compute()
np.testing.assert_array_equal(values.get(), expected[0])
print("equal")
"""


def test_unique_of_several_devices():
    if cp.cuda.Device().backend == "host":
        devices = {"CUPRIC_HOST_DEVICES": "2"}
    elif cp.cuda.runtime.getDeviceCount() > 1:
        devices = {}
    else:
        pytest.skip("one device")
    assert "equal" in run(["-c", UNIQUE_OF_DEVICES], **devices)
