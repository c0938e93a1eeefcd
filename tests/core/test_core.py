"""Inner names of CuPy's, by both names of the package."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import cupric as cp
from cupric import _core

NAMES = [
    "core.ndarray",
    "core.array",
    "internal.prod",
    "internal._normalize_axis_index",
    "_scalar.get_typename",
    "_kernel.ElementwiseKernel",
    "_reduction.ReductionKernel",
    "_accelerator.ACCELERATOR_CUB",
    "fusion.Fusion",
    "dlpack.toDlpack",
    "set_routine_accelerators",
    "get_reduction_accelerators",
]


@pytest.mark.parametrize("name", NAMES)
def test_imported_from_the_module(name):
    space, _, last = name.rpartition(".")
    module = importlib.import_module(
        f"cupric._core.{space}" if space else "cupric._core"
    )
    assert getattr(module, last) is not None


def test_attributes_of_the_module():
    assert _core.core.ndarray is cp.ndarray
    assert isinstance(cp.ones(3), _core.core.ndarray)
    assert _core.internal.prod((2, 3, 4)) == 24
    assert _core._scalar.get_typename(np.float32) == "float"
    with pytest.raises(
        AttributeError, match="'cupric._core' has no attribute 'no_such'"
    ):
        _core.no_such  # noqa: B018
    assert getattr(_core, "__no_such__", None) is None


def test_nothing_more_is_loaded_at_first():
    program = (
        "import sys, cupric; print([m for m in sys.modules if 'cupric.core' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_default_pools():
    assert cp._default_memory_pool is cp.get_default_memory_pool()
    assert cp._default_pinned_memory_pool is cp.get_default_pinned_memory_pool()
    cp._default_memory_pool.free_all_blocks()


@pytest.mark.parametrize("kind", ["elementwise", "reduction", "routine"])
def test_accelerators_are_kept(kind):
    setter = getattr(_core, f"set_{kind}_accelerators")
    getter = getattr(_core, f"get_{kind}_accelerators")
    before = getter()
    try:
        setter(["cutensor", "cub"])
        assert getter() == [2, 1]
        setter([])
        assert getter() == []
        with pytest.raises(ValueError, match="unknown accelerator 'gpu'"):
            setter(["gpu"])
    finally:
        setter(before)
