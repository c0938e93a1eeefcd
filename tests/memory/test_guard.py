"""Red zones around blocks of the host: a write outside a block is reported."""

import ctypes

import numpy as np
import pytest

import cupric as cp
from cupric import _core

pytestmark = pytest.mark.only_on("host")


@pytest.fixture(autouse=True)
def guarded():
    before = _core._guard(True)
    _core._guard_finding()
    yield
    _core._guard_finding()
    _core._guard(before)


def write(x, offset):
    """One byte, which is another than before."""
    at = x.data.ptr + offset
    ctypes.memset(at, ctypes.string_at(at, 1)[0] ^ 0xFF, 1)


@pytest.mark.parametrize("size", [1, 511, 512, 513, 5000, 1 << 20, 3 << 20])
@pytest.mark.parametrize("by", ["free", "request"])
@pytest.mark.parametrize(
    ("place", "said"),
    [
        (-1, "at byte 1 before its beginning"),
        (-512, "at byte 512 before its beginning"),
        ("end", "at byte 1 after its end"),
        ("far", "at byte 400 after its end"),
    ],
)
def test_a_write_outside_a_block_is_reported_once(size, by, place, said, capfd):
    x = cp.zeros(size, "B")
    write(x, {"end": size, "far": size + 399}.get(place, place))
    if by == "free":
        del x
        assert str(size) in capfd.readouterr().err
    found = _core._guard_finding()
    assert found == f"a block of {size} bytes was written outside: {said}"
    assert _core._guard_finding() is None


def test_what_is_written_within_is_not_reported():
    for size in (1, 7, 512, 4096, 100_003, 1 << 21):
        x = cp.zeros(size, "B")
        x[...] = 255
        write(x, 0)
        write(x, size - 1)
        assert _core._guard_finding() is None
        del x
        assert _core._guard_finding() is None


def test_neighbours_have_zones_between_them():
    several = [cp.ones(64) for _ in range(20)]
    begins = sorted(x.data.ptr for x in several)
    assert min(np.diff(begins)) >= 512 + 2 * 512
    assert all(x.data.ptr % 256 == 0 for x in several)


def test_zones_are_not_counted():
    pool = cp.get_default_memory_pool()
    counts = []
    for on in (False, True):
        _core._guard(on)
        before = pool.used_bytes()
        x = [cp.zeros(n, "B") for n in (1, 512, 513, 1 << 20)]
        counts.append(pool.used_bytes() - before)
        del x
        assert pool.used_bytes() == before
    assert counts[0] == counts[1] == 512 + 512 + 1024 + (1 << 20)


def test_blocks_of_either_kind_live_beside_each_other():
    guarded = cp.zeros(1000)
    _core._guard(False)
    plain = cp.zeros(1000)
    ctypes.memset(plain.data.ptr + 8000, 7, 192)  # what was rounded up
    assert _core._guard_finding() is None
    del plain
    write(guarded, 8000)
    assert "a block of 8000 bytes" in _core._guard_finding()


@pytest.mark.parametrize("of_graph", [False, True])
def test_memory_of_graphs_is_left_alone(of_graph):
    """Its launches write to what was freed while they were captured."""
    if not of_graph:
        x = cp.zeros(100)
        write(x, 800)
        assert _core._guard_finding()
        return
    stream = cp.cuda.Stream()
    y = cp.zeros(3000)
    with stream:
        stream.begin_capture()
        a = y + 1
        b = a * 2
        del a
        c = b[:700] + b[700:1400]
        graph = stream.end_capture()
    for _ in range(3):
        graph.launch(stream)
    stream.synchronize()
    assert float(c[0]) == 4
    assert _core._guard_finding() is None
