"""Sums that integers are made of: each product and each sum is rounded, as on the host;
these kernels have no fused multiply-add of doubles. It needs no GPU.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_device_code_compiles import INCLUDE, find_nvcc

from cupric._lib.kernels import _archive
from cupricx.scipy.ndimage._filters import _correlation, _means
from cupricx.scipy.ndimage._interpolation import _points, _resample, _splines

KERNELS = [
    (kernel, word)
    for kernel, words in (
        (_correlation._tile, "BdB hdh ddd"),
        (_correlation._columns, "BdB idi ddd"),
        (_correlation._window, "BdB ddd"),
        (_means._uniform_tile, "B d"),
        (_means._uniform_line, "i d"),
        (_means._uniform_columns, "B d"),
        (_points._interpolate, "BdBi11 BdBi21 dddi31 dddl21 dddi15 dddi23"),
        (_resample._resample, "d"),
        (_splines._coefficients, "d"),
    )
    for word in words.split()
]


@pytest.fixture(scope="module")
def toolkit():
    if not find_nvcc():
        pytest.skip("needs CUDA's toolkit")
    return _archive.Toolkit(Path(find_nvcc()).parents[1], str(INCLUDE))


@pytest.mark.parametrize(
    ("kernel", "word"), KERNELS, ids=[f"{k.name}-{word}" for k, word in KERNELS]
)
def test_doubles_are_not_fused(toolkit, kernel, word):
    arguments = [int(c) if c.isdigit() else c for c in word]
    name = kernel.expression(arguments)
    options = [*_archive.OPTIONS, *kernel.library.options]
    ptx, _ = toolkit.assembly(kernel.library.source, 80, options, [name])
    lines = [line.strip() for line in ptx.splitlines()]
    assert any("f64" in line for line in lines)
    assert [line for line in lines if line.startswith("fma.rn.f64")] == []
