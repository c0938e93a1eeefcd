"""What Python functions are translated to compiles as device code, without a GPU."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "functional"))
from test_device_code_compiles import find_nvrtc, nvrtc_compile, skip_without_toolkit
from translated import FUNCTIONS, GROUPS, group_of

from cupric._functional import _vectorize
from cupric._lib.kernels import _translate

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ["--std=c++17", f"-I{ROOT}/cuda/include", "-arch=sm_80"]


def source(function, letters):
    kinds = [_translate.Scalar(letter) for letter in letters]
    translation = _translate.translate(function, kinds)
    kernel = _vectorize._Kernel(function.__name__, translation, kinds, None).kernel
    outputs = [p.dtype.char for p in kernel.out_params]
    operands = tuple((letter, "d", 1) for letter in [*letters, *outputs])
    return kernel._source(operands, 1)


@pytest.mark.parametrize("part", range(4))
def test_functions_compile(part):
    nvrtc = find_nvrtc()
    if nvrtc is None:
        skip_without_toolkit("needs libnvrtc")
    listed = [*FUNCTIONS, *((group_of(texts), letters) for letters, texts in GROUPS)]
    for function, letters in listed[part::4]:
        text = source(function, letters)
        status, log = nvrtc_compile(nvrtc, text, OPTIONS)
        assert status == 0, f"{log[:2000]}\n{text}"
