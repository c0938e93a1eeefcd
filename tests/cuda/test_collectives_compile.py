"""The collectives of kernel libraries compile as device code."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))
sys.path.insert(0, str(Path(__file__).parents[1] / "lib" / "algorithms"))
import test_block as block
import test_keys as keys
import test_scan as scans
import test_union_find as sets
from test_device_code_compiles import find_nvrtc, nvrtc_compile, skip_without_toolkit

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURES = (75, 80, 90, 100)


def check_compiles(text, arch):
    nvrtc = find_nvrtc()
    if nvrtc is None:
        skip_without_toolkit("needs libnvrtc")
    options = ["--std=c++17", f"-I{ROOT}/cuda/include", f"-arch=sm_{arch}"]
    status, log = nvrtc_compile(nvrtc, text, options)
    assert status == 0, f"{log[:2000]}\n{text}"


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_block(arch):
    monoids = [block.operator(*one)[0] for one in block.USUAL]
    monoids += ["affine_maps", "cupric::pair_of<affine_maps, cupric::sum_of<int>>"]
    lines = [block.CODE]
    for monoid in monoids:
        s = f"typename {monoid}::state"
        lines += [
            f"template __global__ void reduced<{monoid}>(const {s} *, {s} *);",
            f"template __global__ void scanned<{monoid}>("
            f"const {s} *, const int *, {s} *, {s} *, {s} *);",
        ]
    check_compiles("\n".join(lines), arch)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_scan(arch):
    check_compiles('#include "cupric/library.hpp"\n' + scans.CODE, arch)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_keys(arch):
    check_compiles('#include "cupric/library.hpp"\n' + keys.CODE, arch)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_disjoint_sets(arch):
    lines = ['#include "cupric/library.hpp"', sets.CODE]
    for t in ("int", "long long"):
        edges = f"{t} *, const {t} *, const {t} *, long long"
        lines += [
            f"template __global__ void joined<{t}>({edges});",
            f"template __global__ void joined_alone<{t}>({edges});",
            f"template __global__ void joined_in_blocks<{t}>("
            f"{edges}, long long, long long);",
            f"template __global__ void roots<{t}>({t} *, {t} *, long long);",
        ]
    check_compiles("\n".join(lines), arch)
