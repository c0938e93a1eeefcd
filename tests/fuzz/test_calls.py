"""The table of calls has every public name."""

import inspect

import pytest

import cupric as cp
from cupricx.scipy import fft as sfft
from cupricx.scipy import linalg as slinalg
from cupricx.scipy import ndimage

from . import calls, examples

# What is not in the table, and why.
ABSENT = {
    "of files; tests/io/test_io.py": "fromfile genfromtxt load loadtxt save savetxt "
    "savez savez_compressed .dump .dumps .tofile",
    "of the process, not of arrays": "clear_memo get_array_module get_printoptions "
    "get_default_memory_pool get_default_pinned_memory_pool is_available memoize "
    "printoptions set_printoptions show_config",
    "of plans, and lengths; tests/cupricx/scipy/fft": "sfft.get_fft_plan "
    "sfft.next_fast_len",
    "of dtypes; tests/array/test_structured.py": "make_aligned_dtype",
    "of the device": ".cstruct .data .device .to_device .toDlpack .get .set "
    ".reduced_view",
    "tells how arrays are laid out, compared after each statement": ".base .flags "
    ".strides",
}
_NAMESPACES = [("", cp), ("linalg.", cp.linalg), ("fft.", cp.fft)]
_NAMESPACES += [("ndimage.", ndimage), ("slinalg.", slinalg), ("sfft.", sfft)]


def public():
    """Functions and ufuncs of the namespaces, and what an ndarray has."""
    for prefix, module in _NAMESPACES:
        for name in vars(module):
            value = getattr(module, name)
            called = callable(value) and not inspect.isclass(value)
            called = called and name in getattr(module, "__all__", [name])
            if called and not name.startswith("_"):
                yield f"{prefix}{name}"
    yield from (f".{name}" for name in dir(cp.ndarray) if not name.startswith("_"))


def test_every_public_name_is_in_the_table():
    absent = {name for names in ABSENT.values() for name in names.split()}
    missing = set(public()) - examples.names() - absent
    assert not missing, "add a line for each to tests/fuzz/calls.py"


def test_nothing_is_in_the_table_twice():
    lines = [row.spec for rows in calls.ROWS.values() for row in rows]
    often = {"{place} = {y}", "{read}"}  # drawn more often than others
    assert {line for line in lines if lines.count(line) > 1} <= often


@pytest.mark.parametrize("family", calls.ROWS)
def test_every_line_succeeds_at_times(family):
    """A line whose arguments never fit tests nothing."""
    for row in calls.ROWS[family]:
        assert examples.example(row), f"no call of {row.spec} succeeds in NumPy"
