"""sporco's modules for CuPy, where sporco is installed, by the name `cupy`."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric as cp

PACKAGE = Path(cp.__file__).resolve().parents[1]

needs_sporco = pytest.mark.skipif(
    not all(
        importlib.util.find_spec(name) for name in ("sporco", "cupricx.scipy.linalg")
    ),
    reason="needs sporco, and cupricx.scipy.linalg",
)

# Those of sporco's page of its modules for CuPy.
MODULES = [
    *("cnvrep", "common", "linalg", "metric", "prox", "util", "admm.admm", "admm.bpdn"),
    *("admm.cbpdn", "admm.cbpdntv", "admm.pdcsc", "admm.rpca", "admm.tvl1"),
    *("admm.tvl2", "pgm.cbpdn", "dictlrn.onlinecdl"),
]

BEGIN = """
import numpy as np
import cupy as cp
import sporco.cupy as package
assert package.have_cupy and package.cupy_enabled()
"""


def run(code):
    inherited = os.environ.get("PYTHONPATH", "")  # where sporco may be
    path = os.pathsep.join(filter(None, [str(PACKAGE), inherited]))
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "cupric", "-c", BEGIN + code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert result.returncode == 0, result.stderr


@needs_sporco
def test_modules_compute_on_the_device():
    run(
        "from importlib import import_module\n"
        f"for name in {MODULES}:\n"
        "    module = import_module('sporco.cupy.' + name)\n"
        "    assert getattr(module, 'np', cp) is cp, name\n"
    )


@needs_sporco
def test_utility_functions():
    run("""
x = package.np2cp(np.arange(3.0))
assert type(x) is cp.ndarray and type(package.cp2np(x)) is np.ndarray
assert package.array_module(x) is cp and package.array_module(np.ones(2)) is np
double = package.cupy_wrapper(lambda a, b=0: a + b)
y = double(np.ones(2), b=np.ones(2))
assert type(y) is np.ndarray and (y == 2).all()
several = package.cupy_wrapper(lambda a: [a, a.shape])
assert type(several(np.ones(2))[0]) is np.ndarray
assert package.select_device_by_load() in range(cp.cuda.runtime.getDeviceCount())
assert len(package.gpu_info()) == len(package.gpu_load())
assert len(package.device_by_load()) == len(package.gpu_load())
assert isinstance(package.available_gpu(), list)
""")


@needs_sporco
def test_a_solver():
    """Denoising by total variation, as sporco itself does it on the CPU."""
    run("""
import sporco.admm.tvl2 as on_host
import sporco.cupy.admm.tvl2 as on_device
rng = np.random.default_rng(3)
image = np.kron(rng.random((4, 4)), np.ones((8, 8))) + 0.1 * rng.random((32, 32))
results = []
for module, convert in ((on_host, np.asarray), (on_device, package.np2cp)):
    options = module.TVL2Denoise.Options({'MaxMainIter': 50, 'gEvalY': False})
    results.append(module.TVL2Denoise(convert(image), 0.1, options).solve())
assert type(results[1]) is cp.ndarray
np.testing.assert_allclose(results[1].get(), results[0], rtol=1e-6, atol=1e-8)
""")
