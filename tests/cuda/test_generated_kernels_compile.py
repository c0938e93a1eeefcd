"""The kernels that src/cuda/codegen/ writes compile, for a sample of rows of the
tables, signatures, stored dtypes and layouts. NVRTC needs no GPU.
"""

import ctypes
import itertools
import random
import re
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))
from test_device_code_compiles import (
    EVERYTHING,
    find_nvcc,
    find_nvrtc,
    nvrtc_compile,
    skip_without_toolkit,
)
from tools import cuda, kernel_archive, rows
from tools.kernel_keys import CONVERT, IMMEDIATE, key

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ["--std=c++17", f"-I{ROOT}/cuda/include"]
ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100")  # in turn
(ELEMENTWISE, REDUCE, REDUCEAT, SCAN, GATHER, SCATTER, SCATTER_OP, CHECK_INDEX) = range(
    8
)
SELECT, ARANGE, SORT, SEARCH, RANDOM, CONVOLVE, HISTOGRAM, JOIN = range(8, 16)
WIDE, MASKED, ORDER, WEIGHTED = 1, 2, 4, 8
TILED, SHORT, WORDS, TILES = 3, 0, 1, 32
ROWS, COLUMNS, SERIAL, *DENSE = range(7)  # of reductions
DTYPES = range(15)
# Functions that are nothing's combiner.
SPECIAL = re.findall(r"^SPECIAL\((\w+)", rows.text_of("special"), re.M)
SECONDS = float("inf") if EVERYTHING else 15  # of a test; keys are a sample
ITERATED = {
    row["name"]
    for row in rows.elementwise()
    if row["table"] == "special" and row["unit"] != "special"
}


@pytest.fixture(scope="module")
def nvrtc():
    found = find_nvrtc()
    if found is None:
        skip_without_toolkit("needs libnvrtc")
    return found


def signatures(codegen, op):
    types = (ctypes.c_int * 8)()
    for sig in range(24):
        if codegen.cu_cuda_signature(op, sig, types):
            yield sig, list(types)


def table_rows(codegen):
    for op in itertools.count():
        row = codegen.cu_cuda_row_get(op)
        if not row:
            return
        yield op, row.contents


def elementwise_keys(codegen, rng, iterated=False):
    for op, row in table_rows(codegen):
        if not row.code:
            return
        if (row.name.decode() in ITERATED) != iterated:
            continue
        for sig, types in signatures(codegen, op):
            stored = types[: row.nin + row.nout]
            if rng.random() < 0.3:
                k = rng.randrange(len(stored))
                stored[k] = rng.choice(DTYPES)
            if row.nin > 1 and rng.random() < 0.3:
                stored[rng.randrange(row.nin)] |= IMMEDIATE
            flags = rng.choice([0, 0, 0, WIDE, MASKED, WIDE | MASKED])
            rank = (rng.choice([1, 2, 3, 8, 32]), 1)
            layout = rng.randrange(3)
            turned = sum(1 << i for i in range(row.nin) if stored[i] < IMMEDIATE)
            if row.nin > 4 or row.nout > 2:  # without kernels of tiles
                turned = 0
            turned &= rng.randrange(1, 16)
            if flags & MASKED:
                turned |= rng.choice([0, 16])
            if turned.bit_count() in (1, 2) and rng.random() < 0.3:
                layout, rank = TILED, (rank[0], TILES + turned)
            yield key(ELEMENTWISE, stored, op, sig, layout, rank, flags)


def special_keys(codegen, rng):
    """Functions with loops and branches, whose kernels take long to compile: that each
    function does, test_device_code_compiles.py says."""
    yield from elementwise_keys(codegen, rng, True)
    for op, row in table_rows(codegen):
        if row.code and row.name.decode() in ITERATED and (row.nin, row.nout) == (1, 1):
            sig, types = next(signatures(codegen, op))
            yield key(SCATTER_OP, [types[0]] * 2, op, sig, 0, (1, 1))


def convert_keys(codegen, rng):
    for a, b in itertools.product(DTYPES, DTYPES):
        a |= rng.choice([0, 0, IMMEDIATE])
        rank = (rng.choice([1, 2, 4]), 1)
        flags = rng.choice([0, MASKED, WIDE])
        yield key(ELEMENTWISE, [a, b], CONVERT, 0, rng.randrange(3), rank, flags)
    for a in DTYPES:
        for way in (SHORT, TILES + 1, WORDS) if a < 5 else (SHORT, TILES + 1):
            yield key(ELEMENTWISE, [a, a], CONVERT, 0, TILED, (rng.choice([1, 2]), way))


def reduction_keys(codegen, rng):
    for op, row in table_rows(codegen):
        reduction = not row.code
        if row.name.decode() in SPECIAL:
            continue
        for sig, types in signatures(codegen, op):
            if not reduction and (
                row.nin != 2 or row.nout != 1 or len(set(types[:3])) > 1
            ):
                continue
            nin = row.nin if reduction else 1
            out = types[nin] if reduction else types[2]
            rank = (rng.choice([1, 2, 32]), rng.choice([1, 2]))
            flags = rng.choice([0, 0, WIDE, MASKED])
            skips = codegen.cu_cuda_skips(op)
            dense = nin == 1 and not flags & MASKED and not skips
            layout = rng.choice([ROWS, COLUMNS, *DENSE] if dense else [ROWS, COLUMNS])
            if not reduction and rng.random() < 0.2:
                layout = SERIAL
            yield key(REDUCE, [*types[:nin], out], op, sig, layout, rank, flags)
            if not reduction:
                yield key(SCAN, [types[0], out], op, sig, rng.randrange(5), rank)
                yield key(
                    REDUCEAT, [types[0], out], op, sig, rng.choice([ROWS, SERIAL]), rank
                )


def index_keys(codegen, rng):
    for family in (GATHER, SCATTER, CHECK_INDEX):
        for t in (0, 3, 5, 7, 14):
            for n in (1, 2, 5):
                yield key(family, [t], rank=(rng.choice([1, 2, 4]), n), flags=n % 2)
    for op, row in table_rows(codegen):
        if not row.code:
            return
        if row.nin > 2 or row.nout != 1 or row.name.decode() in ITERATED:
            continue
        for sig, types in signatures(codegen, op):
            stored = [types[0], types[1] if row.nin > 1 else types[0]]
            yield key(SCATTER_OP, stored, op, sig, sig % 2, (1, 1))


def other_keys(codegen, rng):
    for t in DTYPES:
        yield key(SELECT, [t], rank=(rng.choice([1, 2, 32]), 1))
        yield key(SELECT, [t, rng.choice(DTYPES)], rank=(rng.choice([1, 2, 8]), 1))
        yield key(ARANGE, [t])
        yield key(SORT, [t], rank=(1, 1), flags=rng.choice([0, ORDER, ORDER | WIDE]))
        yield key(SEARCH, [t], layout=t % 2, rank=(2, 1))
        yield key(CONVOLVE, [t], layout=0, rank=(3, 1))
        yield key(CONVOLVE, [t], layout=1, rank=(1 + t % 2, 1))
    for t in range(13):
        edges = rng.choice([7, 8, 11, 12])
        flags = rng.choice([0, WEIGHTED])
        yield key(HISTOGRAM, [t, edges], layout=int(edges > 8), flags=flags)
        yield key(HISTOGRAM, [t, edges], flags=flags)
    for t in range(9):
        yield key(HISTOGRAM, [t], flags=rng.choice([0, WEIGHTED]))
    for t in (2, 4, 6, 8, 14):
        yield key(JOIN, [t], flags=t % 3 & WIDE)
    for t in (9, 10, 11, 12):
        for kind in (1, 2, 4):
            yield key(RANDOM, [t], kind)
    for t in (2, 4, 6, 8):
        yield key(RANDOM, [t], 0)
        yield key(RANDOM, [t], 3, layout=t == 8)


@pytest.mark.parametrize(
    "keys",
    [
        *(elementwise_keys, special_keys, convert_keys, reduction_keys, index_keys),
        other_keys,
    ],
)
def test_sources_compile(codegen, nvrtc, keys):
    rng = random.Random(keys.__name__)
    chosen = list(keys(codegen, rng))
    rng.shuffle(chosen)
    source = ctypes.create_string_buffer(8192)
    end = time.monotonic() + SECONDS
    for k, arch in zip(chosen, itertools.cycle(ARCHITECTURES)):
        if time.monotonic() > end:
            break
        assert codegen.cu_cuda_source(ctypes.byref(k), source, len(source))
        text = source.value.decode()
        status, log = nvrtc_compile(nvrtc, text, [f"-arch={arch}", *OPTIONS])
        assert status == 0, f"{text}\n{log[:3000]}"


@pytest.mark.skipif(not find_nvcc(), reason="needs the toolkit")
def test_modules_have_no_variables_for_constants(codegen):
    """NVRTC keeps each with its name, used or not: a seventh of all bytes."""
    if cuda.home() is None:
        pytest.skip("no CUDA, or CUPRIC_CUDA=0")
    toolkit = kernel_archive._archive.Toolkit(cuda.home(), kernel_archive.INCLUDE)
    variable = re.compile(r"^\.global .*?([\w$]+)(?:\[\d+\])?(?: = .*)?;$", re.M)
    for unit in kernel_archive.make_units(codegen)[::97]:
        text, _ = toolkit.assembly(unit.source, 75, unit.options(), unit.names)
        unused = [name for name in variable.findall(text) if text.count(name) == 1]
        assert not unused, unit.title
