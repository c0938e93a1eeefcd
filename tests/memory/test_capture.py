"""Memory of captured streams: a graph's own until the graph is gone."""


def test_what_is_freed_inside_is_used_inside(run):
    run("""
s = stream(device)
outside = address(alloc(device, 3000, s))
c = begin(s)
for size in (3000, 5 * MIB):
    a = alloc(device, size, s)
    ptr = address(a)
    assert ptr != outside
    free(a)
    a = alloc(device, size, s)
    assert address(a) == ptr
    free(a)
end(c)
""")


def test_nobody_else_gets_it_before_the_graph_is_gone(run):
    run("""
s, t = stream(device), stream(device)
c = begin(s)
a = alloc(device, 40 * MIB, s)
small = alloc(device, 100, s)
ptr, small_ptr = address(a), address(small)
free(a)
other = alloc(device, 20 * MIB, t)
assert not ptr <= address(other) < ptr + 40 * MIB
free(other)
end(c)
end(c)
free(small)
for stream_ in (s, t, None):
    b, small = alloc(device, 20 * MIB, stream_), alloc(device, 100, stream_)
    assert not ptr <= address(b) < ptr + 40 * MIB
    assert address(small) != small_ptr
    free(b)
    free(small)
core.cu_pool_trim(pointer(core.cu_pool_default, device))
try:
    alloc(device, 40 * MIB)
except RuntimeError:
    pass
else:
    raise AssertionError("the graph's memory was given away")
core.cu_capture_free(c)
assert address(alloc(device, 40 * MIB)) == ptr
""")


def test_later_captures_have_the_memory_of_earlier_ones(run):
    run("""
s = stream(device)
first = total_then = None
for n in range(600):
    c = begin(s)
    temporary, result = alloc(device, 3000, s), alloc(device, 5 * MIB, s)
    free(temporary)
    end(c)
    core.cu_capture_free(c)
    first = first or address(result)
    assert address(result) == first
    free(result)
    total_then = total_then or total(device)
    assert total(device) == total_then
""")


def test_graphs_that_live_share_chunks(run):
    run("""
s = stream(device)
live = []
for n in range(600):
    c = begin(s)
    free(alloc(device, 512, s))
    end(c)
    live.append(c)
    if n % 3 == 2:
        core.cu_capture_free(live.pop(n // 3))
assert total(device) == 2 * MIB
for c in live:
    core.cu_capture_free(c)
core.cu_pool_trim(pointer(core.cu_pool_default, device))
assert total(device) == 0
""")


def test_what_others_use_is_awaited_after_the_graph(run):
    """Also by the stream that was captured: then it owns the memory no more."""
    run("""
s = stream(device)
c = begin(s)
results = [alloc(device, 5 * MIB, s) for n in range(2)]
at = [address(r) for r in results]
for r in results:
    core.cu_storage_note(r, s)
end(c)
set_busy(1)
for r in results:
    core.cu_storage_note(r, s)
free(results[0])
core.cu_capture_free(c)
free(results[1])
assert count("records") == 2
for stream_ in (s, stream(device), None):
    assert address(alloc(device, 5 * MIB, stream_)) not in at
set_busy(0)
assert {address(alloc(device, 5 * MIB)) for n in range(2)} == set(at)
""")


def test_idle_memory_is_captured_and_busy_memory_is_not(run):
    run("""
s, t = stream(device), stream(device)
for busy in (0, 1):
    block = alloc(device, 40 * MIB, t)
    ptr = address(block)
    set_busy(busy)
    free(block)
    c = begin(s)
    try:
        captured = alloc(device, 40 * MIB, s)
        assert address(captured) == ptr and not busy
        free(captured)
    except RuntimeError:
        assert busy
    end(c)
    core.cu_capture_free(c)
    set_busy(0)
""")


def test_no_stream_is_asked_while_one_is_captured(run):
    run("""
s, t = stream(device), stream(device)
blocks = [alloc(device, 16 * MIB, t), alloc(device, 100, t)]
for b in blocks:
    free(b)
c = begin(s)
before = count("queries")
for stream_ in (s, None):
    free(alloc(device, 20 * MIB, stream_))
    free(alloc(device, 100, stream_))
try:
    alloc(device, 60 * MIB, s)
except RuntimeError as error:
    assert "60" not in str(error) or "Out of memory" in str(error)
else:
    raise AssertionError("there was no such memory")
assert count("queries") == before
assert count("records") == count("waits") == count("syncs") == 0
assert total(device) >= 36 * MIB, "memory was returned"
end(c)
core.cu_capture_free(c)
assert address(alloc(device, 60 * MIB))
""")


def test_a_stream_that_takes_part_has_its_own(run):
    run("""
s, t = stream(device), stream(device)
c = begin(s)
assert core.cu_capture_join(c, t) == 0
assert core.cu_capture_join(c, t) == 0
assert core.cu_capture_begin(t, ctypes.byref(ctypes.c_void_p())) != 0
a, b = alloc(device, 100, s), alloc(device, 100, t)
ptrs = address(a), address(b)
free(a)
free(b)
assert address(alloc(device, 100, t)) == ptrs[1]
assert address(alloc(device, 100, s)) == ptrs[0]
end(c)
core.cu_capture_free(c)
d = begin(t)
core.cu_capture_free(d)
""")


def test_a_pool_outlives_its_owner_for_a_graph(run):
    run("""
s = stream(device)
pool = pointer(core.cu_pool_new, device)
c = begin(s)
a = pointer(core.cu_pool_alloc, pool, ctypes.c_size_t(5 * MIB), s)
free(a)
core.cu_pool_free(pool)
held = ctypes.c_size_t.in_dll(late, "late_held")
assert held.value >= 5 * MIB
core.cu_capture_free(c)
assert held.value == 0
""")
