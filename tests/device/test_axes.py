"""Which dimensions are joined and how wide indices are: src/device/axes.h, alone."""

import ctypes
import itertools
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    not (ROOT / "src").is_dir() or shutil.which("cc") is None,
    reason="needs the sources and a C compiler",
)

# Strides lie behind each other, `rank` of each operand.
SOURCE = """
#include "device/axes.h"
cu_dtype_info cu_dtypes[CUPRIC_N_DTYPES] = {
#define DTYPE(NAME, name, ch, ctype, size, kind) {#name, #ctype, ch, kind, size},
#include "dtypes.def"
#undef DTYPE
};
static int64_t *row[CUPRIC_MAXOPERANDS];
static int64_t **rows(int64_t *strides, int nops, int rank)
{
    for (int k = 0; k < nops; k++) row[k] = strides + k * rank;
    return row;
}
int move(int64_t *shape, int nops, int64_t *strides, int rank, int begin, int end,
         int to, bool join)
{
    return cu_axes_move(shape, nops, rows(strides, nops, rank), begin, end, to, join);
}
int64_t span(int ndim, const int64_t *shape, const int64_t *strides)
{
    return cu_axes_span(ndim, shape, strides);
}
/* Bit 0: wide; bit 1: contiguous; above: dimensions. Of a copy of bytes. */
int of_views(int ndim, const int64_t *shape, const int64_t *from, const int64_t *to)
{
    static cu_iter it;
    static cu_view v[2];
    for (int k = 0; k < 2; k++) {
        v[k] = (cu_view){.ptr = (char *)4096, .dtype = CUPRIC_UINT8, .ndim = ndim};
        for (int d = 0; d < ndim; d++) {
            v[k].shape[d] = shape[d];
            v[k].strides[d] = (k ? to : from)[d];
        }
    }
    cu_iter_of_views(&it, &v[0], &v[1]);
    return it.index64 | it.contiguous << 1 | it.ndim << 2;
}
/* Forward and sorted; the strides of operand 0 and the shape come back, and *base. */
int sorted(int ndim, int64_t *shape, int64_t *strides, int64_t *moved)
{
    static cu_axes a;
    char *base[CUPRIC_AXES_OPERANDS] = {(char *)4096};
    a = (cu_axes){.ndim = ndim};
    for (int d = 0; d < ndim; d++) {
        a.shape[d] = shape[d];
        a.stride[0][d] = strides[d];
    }
    cu_axes_forward(&a, base);
    cu_axes_sort(&a);
    for (int d = 0; d < a.ndim; d++) {
        shape[d] = a.shape[d];
        strides[d] = a.stride[0][d];
    }
    *moved = base[0] - (char *)4096;
    return a.ndim;
}
"""

NARROW_MAX = 2**31 - 1 - 2**20


@pytest.fixture(scope="module")
def axes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("axes")
    (folder / "axes.c").write_text(SOURCE)
    command = ["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-shared", "-fPIC"]
    command += [f"-I{ROOT}/src", str(folder / "axes.c"), "-o", str(folder / "axes.so")]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(str(folder / "axes.so"))
    library.span.restype = ctypes.c_int64
    return library


def pointer(array):
    assert array.dtype == np.int64
    assert array.flags.c_contiguous
    return array.ctypes.data_as(ctypes.c_void_p)


def offsets(shape, strides):
    """Where the elements lie, in C order."""
    steps = [np.arange(n) * s for n, s in zip(shape, strides, strict=True)]
    total = np.zeros((), np.int64)
    for step in steps:
        total = total[..., None] + step
    return total.ravel()


def joined(axes, shape, *strides, begin=0, end=None, to=0, join=True):
    rank = len(shape)
    shape = np.array(shape, np.int64)
    rows = np.array(strides, np.int64).reshape(len(strides), rank)
    end = rank if end is None else end
    n = axes.move(
        pointer(shape), len(strides), pointer(rows), rank, begin, end, to, join
    )
    return n, shape.tolist(), rows.tolist()


@pytest.mark.parametrize(
    ("shape", "strides", "expected"),
    [
        ((4, 3, 5), [(60, 20, 4)], ((60,), [(4,)])),
        ((4, 3, 5), [(60, 20, 4), (15, 5, 1)], ((60,), [(4,), (1,)])),
        ((4, 3, 5), [(60, 20, 4), (80, 20, 4)], ((4, 15), [(60, 4), (80, 4)])),
        ((4, 3, 5), [(60, 20, 4), (0, 5, 1)], ((4, 15), [(60, 4), (0, 1)])),
        ((4, 3, 5), [(0, 0, 0)], ((60,), [(0,)])),
        ((4, 3, 5), [(-60, -20, -4)], ((60,), [(-4,)])),
        ((4, 3, 5), [(60, 20, -4)], ((12, 5), [(20, -4)])),
        ((4, 1, 5), [(20, 999, 4)], ((20,), [(4,)])),
        ((1, 1), [(7, 7)], ((), [()])),
        ((5, 4), [(4, 20)], ((5, 4), [(4, 20)])),
    ],
)
def test_neighbours_are_joined(axes, shape, strides, expected):
    n, got_shape, got_strides = joined(axes, shape, *strides)
    assert n == len(expected[0])
    assert tuple(got_shape[:n]) == expected[0]
    assert [tuple(s[:n]) for s in got_strides] == expected[1]


def test_elements_stay_where_they_are(axes):
    rng = np.random.default_rng(0)
    for _ in range(500):
        rank = int(rng.integers(0, 6))
        shape = rng.choice([1, 2, 3, 5], rank).tolist()
        rows = []
        for _ in range(int(rng.integers(1, 4))):
            order = rng.permutation(rank) if rng.random() < 0.3 else np.arange(rank)
            step, row = 4, [0] * rank
            for d in order[::-1]:
                row[d] = step * int(rng.choice([1, 1, 1, 0, -1]))
                step *= shape[d] + (rng.random() < 0.2)
            rows.append(row)
        n, new_shape, new_rows = joined(axes, shape, *rows)
        assert 1 not in new_shape[:n]
        for before, after in zip(rows, new_rows, strict=True):
            np.testing.assert_array_equal(
                offsets(shape, before), offsets(new_shape[:n], after[:n])
            )
        for d in range(n - 1):  # and no two are left that could be one
            assert any(r[d] != r[d + 1] * new_shape[d + 1] for r in new_rows)


def test_groups_are_joined_apart(axes):
    shape, row = (2, 1, 3, 4, 5), (60, 1, 20, 5, 1)
    n, new_shape, (new_row,) = joined(axes, shape, row, end=3)
    assert (n, new_shape[:1], new_row[:1]) == (1, [6], [20])
    n, new_shape, (new_row,) = joined(axes, shape, row, begin=3, to=1)
    assert (n, new_shape[1:2], new_row[1:2]) == (2, [20], [1])


def test_without_joining_dimensions_of_one_element_go(axes):
    n, shape, (row,) = joined(axes, (2, 1, 3), (12, 7, 4), join=False)
    assert (n, shape[:2], row[:2]) == (2, [2, 3], [12, 4])


@pytest.mark.parametrize("past", [-1, 0, 1, 2**20, 2**20 + 1, 2**20 + 70_001])
@pytest.mark.parametrize("sign", [1, -1])
def test_width_by_span(axes, past, sign):
    """2**31 - 1 and 2**31 bytes are beyond what threads may count to, as is what comes
    a little before: those of the last block count past the end."""
    span = NARROW_MAX + past
    shape, near, far = (3, 2), (2, 1), (sign * (span - 1) // 2, 1)
    if (span - 1) % 2:
        shape, near, far = (2, 2), (2, 1), (sign * (span - 1), 1)
    shape, near, far = (np.array(x, np.int64) for x in (shape, near, far))
    assert axes.span(2, pointer(shape), pointer(far)) == span
    for rows in ((near, far), (far, near)):
        wide = axes.of_views(2, pointer(shape), *map(pointer, rows)) & 1
        assert wide == (past > 0)


@pytest.mark.parametrize("n", [NARROW_MAX, NARROW_MAX + 1, 2**31 - 1, 2**31])
def test_width_by_size(axes, n):
    """Of one element that stands for all, too."""
    shape, still, dense = (np.array([x], np.int64) for x in (n, 0, 1))
    for rows in ((still, still), (still, dense), (dense, dense)):
        wide = axes.of_views(1, pointer(shape), *map(pointer, rows)) & 1
        assert wide == (n > NARROW_MAX)


def test_what_is_contiguous(axes):
    def settled(shape, from_, to):
        rows = (np.array(x, np.int64) for x in (shape, from_, to))
        flags = axes.of_views(len(shape), *map(pointer, rows))
        return flags >> 2, bool(flags & 2)

    assert settled((), (), ()) == (1, True)
    assert settled((1, 1), (9, 9), (5, 5)) == (1, True)
    assert settled((2, 3), (3, 1), (3, 1)) == (1, True)
    assert settled((2, 3), (6, 2), (3, 1)) == (1, False)
    assert settled((2, 3), (4, 1), (3, 1)) == (2, False)


def test_an_order_that_is_free_is_that_of_memory(axes):
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            lengths, steps = (4, 3, 5), (60, 20, 4)
            shape = np.array([lengths[d] for d in order], np.int64)
            row = np.array([signs[d] * steps[d] for d in order], np.int64)
            first = offsets(shape, row).min()
            moved = np.zeros(1, np.int64)
            n = axes.sorted(3, pointer(shape), pointer(row), pointer(moved))
            assert (n, shape[0], row[0], moved[0]) == (1, 60, 4, first)
