"""What works on a machine that has a driver and nothing else of CUDA: each row of the
table in docs/install.md, with the libraries hidden, and with all but the one it needs.
"""

import json
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs/install.md"
LIBRARIES = {
    "NVRTC": "nvrtc",
    "cuBLAS": "cublas",
    "cuFFT": "cufft",
    "cuSOLVER": "cusolver",
}

NEEDED = {"cuSOLVER": ["cuBLAS"]}  # libraries that a library loads itself

# The library that a row of the table needs, and calls of cupric (cp) or NumPy.
CALLS = {
    "create": ("", "xp.linspace(0, 1, 100) + xp.ones(100)"),
    "convert": ("", "xp.arange(10).astype('f').reshape(2, 5).T.copy()"),
    "index": ("", "xp.arange(10.0)[xp.array([3, 1])]"),
    "choose": ("", "xp.arange(10.0)[xp.arange(10) % 3 == 1]"),
    "compute": ("", "xp.exp(xp.sin(xp.arange(10.0)))"),
    "reduce": ("", "xp.ones((10, 10), 'f').sum(axis=0)"),
    "scan": ("", "xp.cumsum(xp.arange(10.0))"),
    "sort": ("", "xp.sort(xp.arange(100_000.0)[::-1])"),
    "random": ("", "xp.shape(xp.random.default_rng(1).normal(size=10))"),
    "filter": ("", "ndimage.gaussian_filter(xp.eye(10), 1)"),
    "product": ("", "xp.ones((200, 300), 'f') @ xp.ones((300, 100), 'f')"),
    "product of vectors": ("", "xp.arange(9999.0) @ xp.arange(9999.0)"),
    "product with a vector": ("", "xp.ones((200, 300)) @ xp.ones(300)"),
    "products": ("", "xp.ones((3, 99, 99), 'D') @ xp.ones((3, 99, 99), 'D')"),
    "product of halves": ("", "xp.ones((99, 99), 'e') @ xp.ones((99, 99), 'e')"),
    "small system": ("", "xp.linalg.solve(xp.eye(9) * 2, xp.ones(9))"),
    "small systems": ("", "xp.linalg.inv(xp.ones((7, 1, 1)) * xp.eye(3))"),
    "rare dtypes": ("", "xp.arctan2(xp.ones(3, 'e'), xp.ones(3, 'e'))"),
    "reduction of rare dtypes": ("", "xp.prod(xp.ones(3, 'h'))"),
    "kernel of one's own": ("NVRTC", "triple(xp.arange(3.0))"),
    "triangle": ("cuBLAS", "linalg.solve_triangular(xp.eye(99) * 2, xp.ones(99))"),
    "large system": ("cuSOLVER", "xp.linalg.solve(xp.eye(99) * 2, xp.ones(99))"),
    "transform": ("cuFFT", "xp.fft.fft(xp.arange(16.0))"),
}

PROGRAM = """
import json, sys
import numpy as np, scipy.linalg, scipy.ndimage
import cupric as cp
from cupricx.scipy import linalg, ndimage
def triple(x):
    if isinstance(x, np.ndarray):
        return 3 * x
    return cp.ElementwiseKernel("T x", "T y", "y = 3 * x", "triple")(x)

modules = {"linalg": linalg, "ndimage": ndimage}
found = {}
for name, (_, text) in json.loads(sys.stdin.read()).items():
    try:
        result = eval(text, {"xp": cp, **modules, "triple": triple})
    except ImportError as error:
        found[name] = str(error)
        continue
    except ValueError:  # without a device, results are what memory held
        if compared:
            raise
    found[name] = ""
    if compared:
        modules_of_scipy = {"linalg": scipy.linalg, "ndimage": scipy.ndimage}
        expected = eval(text, {"xp": np, **modules_of_scipy, "triple": triple})
        np.testing.assert_allclose(cp.asnumpy(result), expected, 1e-5)
print(json.dumps(found))
"""


def outcomes(run, hidden, device):
    """{call: what the ImportError said, or ""}."""
    program = f"compared = {device == 'cuda'}\n{PROGRAM}"
    program = program.replace("sys.stdin.read()", repr(json.dumps(CALLS)))
    return json.loads(run(program, *hidden, CUPRIC_TEST_CAPABILITY="90").stdout)


def test_driver_alone(run, has_cuda, tmp_path, device):
    found = outcomes(run, LIBRARIES.values(), device)
    assert found.keys() == CALLS.keys()
    for name, (library, _) in CALLS.items():
        wanted = f"lib{LIBRARIES[library]}" if library else ""
        assert found[name].startswith(wanted), (name, found[name])
        assert bool(found[name]) == bool(library), (name, found[name])
    assert not (tmp_path / "cache").exists()  # nothing was compiled


@pytest.mark.only_on("cuda")
@pytest.mark.parametrize("library", LIBRARIES)
def test_one_library(run, has_cuda, device, library):
    """Beside the driver one library alone: its rows work, too."""
    there = {"", library, *NEEDED.get(library, [])}
    hidden = [name for title, name in LIBRARIES.items() if title not in there]
    found = outcomes(run, hidden, device)
    failed = {name: said for name, said in found.items() if said}
    assert failed.keys() == {name for name in CALLS if CALLS[name][0] not in there}, (
        failed
    )


@pytest.mark.skipif(not PAGE.exists(), reason="the documents are not here")
def test_every_library_is_in_the_table():
    table = [row for row in PAGE.read_text().splitlines() if row.startswith("| ")]
    for title in LIBRARIES:
        assert any(row.startswith(f"| {title}, `nvidia-") for row in table), title
