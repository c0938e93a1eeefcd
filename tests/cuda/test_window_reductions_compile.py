"""What `ndimage.generic_filter` makes of a ReductionKernel compiles as device code."""

import sys
from pathlib import Path

import pytest

import cupric as cp

sys.path.insert(0, str(Path(__file__).parent))
from test_device_code_compiles import find_nvrtc, nvrtc_compile, skip_without_toolkit

from cupricx.scipy.ndimage._filters import _generic_filters

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ["--std=c++17", f"-I{ROOT}/cuda/include", "-arch=sm_80"]


@pytest.mark.parametrize("dtype", "?Blefd")
def test_window_reductions_compile(dtype):
    nvrtc = find_nvrtc()
    if nvrtc is None:
        skip_without_toolkit("needs libnvrtc")
    given = cp.ReductionKernel(
        *("X x", "Y y", "x * _raw_x[_J] + _raw_x.size() + _in_ind.get()[0]", "a + b"),
        *("y = a / _in_ind.size() + _out_ind.size() // a note", "0"),
    )
    kernel = _generic_filters._kernel_of(given)
    operands = (dtype, "r", 2), ("i", "v", 0), (dtype, "d", 1)
    text = kernel._source(operands, 1)
    status, log = nvrtc_compile(nvrtc, text, OPTIONS)
    assert status == 0, f"{log[:2000]}\n{text}"
