"""Memory of captured streams: a graph's own until the graph is gone."""


def test_what_is_freed_inside_is_used_inside(run):
    run("""
s = stream(device)
before = alloc(device, 3000, s)
outside = address(before)
free(before)
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
core.cu_capture_free(c, None)
assert address(alloc(device, 40 * MIB)) == ptr
""")


def test_given_up_behind_the_last_launch(run):
    run("""
s = stream(device)
c = begin(s)
a, live = alloc(device, 40 * MIB, s), alloc(device, 2 * MIB, s)
ptr, live_ptr = address(a), address(live)
free(a)
end(c)
set_busy(1)
core.cu_capture_free(c, s)
assert count("records") == count("waits") == 1
assert address(alloc(device, 40 * MIB)) == ptr
free(live)
assert address(alloc(device, 2 * MIB)) == live_ptr
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
core.cu_capture_free(c, None)
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
core.cu_capture_free(c, None)
d = begin(t)
core.cu_capture_free(d, None)
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
core.cu_capture_free(c, s)
assert held.value == 0
""")
