"""Headers that users include compile for a GPU, in each standard from C++11 on."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "kernel"))
import public_headers

from .test_device_code_compiles import find_nvrtc, skip_without_toolkit

PROGRAM = """
import sys
import cupric as cp

sys.path.insert(0, {folder!r})
import public_headers as p

def together(headers):
    lines = [f"#include <{{h}}>" for h in headers[1:]]
    return "\\n".join([*lines, p.including(headers[0])])

alone = [(p.including(h), s) for h in p.CUPY for s in p.STANDARDS]
alone += [(p.including(h), "c++17") for h in [*p.CUDA, *p.STANDARD]]
all_of = [(together(h), s) for h in (p.CUDA_STD, p.CUB) for s in ("c++14", "c++20")]
all_of += [(together(p.HEADERS[::-1]), "c++17")]
failed = []
for text, standard in {what}:
    try:
        cp.RawModule(code=text, options=("--std=" + standard,)).compile()
    except cp.cuda.compiler.CompileException as error:
        failed.append((text[:50], standard, str(error)[:500]))
assert not failed, failed
"""


@pytest.mark.parametrize(
    "what", ["alone", "all_of", "[(k, 'c++14') for k in p.KERNELS]"]
)
def test_headers_compile(run, what):
    if find_nvrtc() is None:
        skip_without_toolkit("needs libnvrtc")
    folder = str(Path(public_headers.__file__).parent)
    run(PROGRAM.format(folder=folder, what=what))


def test_what_has_no_include_keeps_its_standard(run):
    if find_nvrtc() is None:
        skip_without_toolkit("needs libnvrtc")
    run("""
import cupric as cp
body = "{ register int y = 1; *x = y; }"
for head in ("", "#include <cupy/complex.cuh>\\n"):
    code = head + 'extern "C" __global__ void f(int *x) ' + body
    cp.RawModule(code=code, options=("--std=c++11",)).compile()
""")
