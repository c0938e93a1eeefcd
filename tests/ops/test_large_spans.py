"""Views that reach 2**31 - 1, 2**31 and more bytes: indices are as wide as they must
be.

An array of bytes is 2 GiB long. A view of two planes lies at both of its ends, so that
its last element is exactly so many bytes behind its first: a kernel whose offsets have
lost their upper bits reads and writes elsewhere. Whoever joins axes or chooses the
width of indices has a case: iterations, reductions, scans, indices, masks, sorts,
copies for the math libraries, users' kernels. tests/cuda/test_large.py has more
elements than that.
"""

import fcntl
import tempfile
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

HALF = 1 << 31
NARROW_MAX = HALF - 1 - (1 << 20)  # of src/device/axes.h
LENGTH = HALF + (1 << 17)
GIB = 1 << 30
PLANES = (2, 37, 41)
PITCH = 64  # bytes from row to row
PLANE = (PLANES[1] - 1) * PITCH + PLANES[2]  # bytes of a plane, with what is between
SPANS = [NARROW_MAX, NARROW_MAX + 1, HALF - 1, HALF, HALF + 70_001]
VALUES = (np.arange(np.prod(PLANES)).reshape(PLANES) * 7 % 251).astype("u1")


def free_memory(device):
    if device == "cuda":
        pool = cp.get_default_memory_pool()
        return cp.cuda.Device().mem_info[0] + pool.free_bytes()
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable"):
            return int(line.split()[1]) * 1024
    return 0


@pytest.fixture(scope="module")
def base(device):
    with open(Path(tempfile.gettempdir()) / "cupric-large-tests.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if free_memory(device) < 6 * GIB:
            pytest.skip("needs 6 GiB of free memory")
        yield cp.zeros(LENGTH, "u1")
        cp.get_default_memory_pool().free_all_blocks()


def ends(base, span):
    """The memory of both planes, each dense."""
    return base[:PLANE], base[span + 1 - PLANE : span + 1]


def put(base, span, values):
    """`values` in the view of so many bytes; zeros between its rows."""
    for plane, memory in zip(values, ends(base, span), strict=True):
        rows = np.zeros((PLANES[1], PITCH), "u1")
        rows[:, : PLANES[2]] = plane
        memory[...] = cp.asarray(rows.ravel()[:PLANE])


def planes(base, span):
    """What is in the view, by way of dense memory alone."""
    got = np.zeros((2, PLANES[1] * PITCH), "u1")
    for k, memory in enumerate(ends(base, span)):
        got[k, :PLANE] = memory.get()
    return got.reshape(2, PLANES[1], PITCH)[:, :, : PLANES[2]]


def view_of(base, span):
    v = cp.ndarray(PLANES, "u1", base.data, (span + 1 - PLANE, PITCH, 1))
    last = v[-1, -1, -1]
    assert last.data.ptr - v.data.ptr == span
    return v


@pytest.fixture
def view(base, request):
    span = request.param
    put(base, span, VALUES)
    yield view_of(base, span)
    for memory in ends(base, span):
        memory[...] = 0


MASK = VALUES > 100
PLACES = np.array([30, 2, -1, 0])

RESULTS = {
    "elementwise": lambda xp, v: v + 1,
    "elementwise, reversed": lambda xp, v: v[::-1, ::-1] + v,
    "elementwise, every third": lambda xp, v: v[:, ::3] * 2,
    "compared": lambda xp, v: v < 100,
    "broadcast": lambda xp, v: v + v[:, :1],
    "copy": lambda xp, v: v.copy(),
    "transposed copy": lambda xp, v: v.transpose(2, 0, 1).copy(),
    "transposed planes": lambda xp, v: v.transpose(1, 2, 0).copy(),
    "converted": lambda xp, v: v.astype("f4"),
    "where": lambda xp, v: xp.where(v > 9, v, 0),
    "masked": lambda xp, v: xp.add(v, 1, out=v.copy(), where=v > 100),
    "concatenated": lambda xp, v: xp.concatenate([v, v], 1),
    "sum of planes": lambda xp, v: v.sum(0),
    "sum of a plane": lambda xp, v: v.sum((1, 2)),
    "sum of all": lambda xp, v: v.sum(),
    "sum, reversed": lambda xp, v: v[::-1, :, ::-1].sum((0, 2)),
    "sum where": lambda xp, v: v.sum(0, where=v > 100),
    "maximum": lambda xp, v: v.max((0, 1)),
    "position": lambda xp, v: v.argmax(0),
    "position in all": lambda xp, v: v.argmin(),
    "variance": lambda xp, v: v.var(0),
    "running sum": lambda xp, v: v.cumsum(2),
    "running sum over planes": lambda xp, v: v.cumsum(0),
    "running maximum": lambda xp, v: xp.maximum.accumulate(v, 1),
    "sums of slices": lambda xp, v: xp.add.reduceat(v, [0, 5, 30], 1),
    "places": lambda xp, v: v[:, xp.asarray(PLACES)],
    "places in planes": lambda xp, v: v[xp.asarray([1, 0, 1]), xp.asarray([2, 3, -1])],
    "take": lambda xp, v: v.take(xp.asarray(PLACES), 2),
    "mask": lambda xp, v: v[xp.asarray(MASK)],
    "mask of planes": lambda xp, v: v[xp.asarray([False, True])],
    "coordinates": lambda xp, v: xp.stack(xp.nonzero(v)),
    "sorted": lambda xp, v: xp.sort(v, 2),
    "sorted over planes": lambda xp, v: xp.sort(v, 0),
    "order": lambda xp, v: xp.argsort(v, 2, kind="stable"),
    "searched for": lambda xp, v: xp.searchsorted(xp.arange(251, dtype="u1"), v),
    "products": lambda xp, v: v @ v.transpose(0, 2, 1),
    "repeated": lambda xp, v: xp.repeat(v, 2, 1),
}


@pytest.mark.parametrize("view", SPANS, indirect=True)
@pytest.mark.parametrize("name", RESULTS)
def test_result(view, name):
    got, expected = RESULTS[name](cp, view), RESULTS[name](np, VALUES)
    assert got.dtype == expected.dtype
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(got.get(), expected)
    else:
        np.testing.assert_array_equal(got.get(), expected)


def assign_places(xp, v):
    v[:, xp.asarray(PLACES)] = 9


def assign_many(xp, v):
    v[:, xp.asarray(PLACES)] = v[:, xp.asarray(PLACES - 1)].copy()


def add_at(xp, v):
    xp.add.at(v, (slice(None), xp.asarray(PLACES)), 3)


def assign_masked(xp, v):
    v[xp.asarray(MASK)] = 5


def assign_reversed(xp, v):
    v[...] = v[::-1].copy()


CHANGES = {
    "in place": lambda xp, v: xp.add(v, 1, out=v),
    "filled": lambda xp, v: v.fill(7),
    "assigned": assign_reversed,
    "into a part": lambda xp, v: xp.multiply(v[:, ::2], 2, out=v[:, ::2]),
    "where": lambda xp, v: xp.add(v, 1, out=v, where=xp.asarray(MASK)),
    "transposed": lambda xp, v: xp.copyto(v.transpose(1, 2, 0), 3),
    "sorted": lambda xp, v: v.sort(2),
    "places": assign_places,
    "values in places": assign_many,
    "added in places": add_at,
    "mask": assign_masked,
    "running sum": lambda xp, v: xp.add.accumulate(v, 1, out=v),
    "sum of planes": lambda xp, v: xp.add.reduce(v, 0, keepdims=True, out=v[1:]),
}


@pytest.mark.parametrize("view", SPANS, indirect=True)
@pytest.mark.parametrize("name", CHANGES)
def test_change(base, view, name, request):
    span = request.node.callspec.params["view"]
    expected = VALUES.copy()
    CHANGES[name](np, expected)
    CHANGES[name](cp, view)
    np.testing.assert_array_equal(planes(base, span), expected)
    assert not base[PLANE : span + 1 - PLANE : 4099].any()  # nor anything between


@pytest.mark.parametrize("view", SPANS, indirect=True)
def test_users_kernels(view):
    kernel = cp.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[i % 41]", "span_e")
    expected = VALUES + VALUES[0, 0]
    np.testing.assert_array_equal(kernel(view, view).get(), expected)
    total = cp.ReductionKernel(
        "T x", "int64 y", "x", "a + b", "y = a", "0", "span_r", "long long"
    )
    np.testing.assert_array_equal(total(view, axis=0).get(), VALUES.sum(0))
    np.testing.assert_array_equal(total(view, axis=(1, 2)).get(), VALUES.sum((1, 2)))


@pytest.mark.parametrize("view", SPANS, indirect=True)
def test_library_of_kernels(view):
    ndimage = pytest.importorskip("scipy.ndimage")
    from cupricx.scipy.ndimage import minimum_filter

    np.testing.assert_array_equal(
        minimum_filter(view, 3).get(), ndimage.minimum_filter(VALUES, 3)
    )


@pytest.mark.parametrize("span", [4 * (n // 4) for n in SPANS[2:]])
def test_copies_for_the_math_libraries(base, span):
    """Matrices of floats far from each other, and neither dense."""
    values = VALUES[:, :16, :9].astype("f4")
    v = cp.ndarray(values.shape, "f4", base.data, (span - 15 * PITCH - 32, PITCH, 4))
    v[...] = cp.asarray(values)
    try:
        np.testing.assert_array_equal(v.get(), values)
        got = cp.matmul(v, v.transpose(0, 2, 1))
        np.testing.assert_allclose(got.get(), values @ values.transpose(0, 2, 1))
        np.testing.assert_allclose(
            cp.fft.fft(v).get(), np.fft.fft(values), rtol=1e-4, atol=1e-2
        )
        tall = v[:, :9] + 300 * cp.eye(9, dtype="f4")
        v[:, :9] = tall
        np.testing.assert_allclose(
            cp.linalg.inv(v[:, :9]).get(), np.linalg.inv(tall.get()), rtol=1e-3
        )
    finally:
        v[...] = 0


@pytest.mark.parametrize("size", [*SPANS[2:], NARROW_MAX + 1])
def test_so_many_elements(base, size):
    places = [0, 5, size - 70_000, size - 1]
    x = base[:size]
    try:
        x[cp.asarray(places)] = cp.asarray([3, 1, 200, 2], "u1")
        assert int(x.sum()) == 206
        assert int(x[::-1].sum()) == 206
        assert int(x.argmax()) == places[2]
        assert int(x[::-1].argmax()) == size - 1 - places[2]
        assert int(cp.count_nonzero(x)) == 4
        assert cp.flatnonzero(x).tolist() == places
        assert x[x.view("?")].tolist() == [3, 1, 200, 2]
    finally:
        x[cp.asarray(places)] = 0
