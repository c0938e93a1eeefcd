"""Pages that move: memory that is free is usable, and nothing in use is disturbed."""

import pytest

COMMON = """
import random
def refused(f):
    try:
        f()
    except RuntimeError as error:
        assert "Out of memory" in str(error), error
        return True
def fill(block, nbytes, byte):
    ctypes.memset(address(block), byte, nbytes)
def holds(block, nbytes, byte):
    return ctypes.string_at(address(block), nbytes) == bytes([byte]) * nbytes
def value(name):
    return ctypes.c_size_t.in_dll(late, "late_" + name).value
def set_int(name, to):
    ctypes.c_int.in_dll(late, "late_" + name).value = to
def set_size(name, to):
    ctypes.c_size_t.in_dll(late, "late_" + name).value = to
def default():
    return pointer(core.cu_pool_default, device)
def check():
    assert count("wrong") == count("too_early") == 0
"""


@pytest.fixture
def pages(run):
    def run_pages(code, **env):
        return run(COMMON + code + "\ncheck()\n", **env)

    return run_pages


def test_a_live_block_does_not_pin_its_chunk(pages):
    pages("""
whole = alloc(device, 64 * MIB)
free(whole)
kept = alloc(device, 16 * MIB)
fill(kept, 16 * MIB, 7)
large = alloc(device, 48 * MIB)
free(large)
# all that is free lies in one piece, but at the end of the chunk: make holes
small = [alloc(device, 4 * MIB) for _ in range(12)]
for block in small[::2]:
    free(block)
assert value("held") == 64 * MIB
large = alloc(device, 24 * MIB)
fill(large, 24 * MIB, 9)
assert holds(kept, 16 * MIB, 7)
assert value("held") == 64 * MIB
assert refused(lambda: alloc(device, MIB * 2))
free(large)
free(kept)
""")


def test_pages_are_not_moved_under_pending_work(pages):
    pages("""
s, t = stream(device), stream(device)
blocks = [alloc(device, 4 * MIB, s) for _ in range(16)]
for block in blocks[::2]:
    free(block)
set_busy(2)  # the device is waited for, but more work has come
assert refused(lambda: alloc(device, 32 * MIB, t))
assert count("device_syncs") == 2
set_busy(1)
assert address(alloc(device, 32 * MIB, t))
assert count("device_syncs") == 3
""")


@pytest.mark.parametrize("kind", ["page", "map"])
def test_every_failure_of_the_backend_in_turn(pages, kind):
    name = {"page": "fail_in", "map": "fail_map"}[kind]
    pages(f"""
for n in range(1, 40):
    pool = pointer(core.cu_pool_new, device)
    def get(nbytes):
        return pointer(core.cu_pool_alloc, pool, ctypes.c_size_t(nbytes),
                       ctypes.c_void_p(core.cu_stream_current(device)))
    def get_or_none(nbytes):
        try:
            block = get(nbytes)
        except RuntimeError:
            return None
        fill(block, nbytes, nbytes % 251)
        return block
    sizes = [100, 3 * MIB, 5 * MIB + 512, 8 * MIB, 6 * MIB, 100 * 1024]
    blocks = {{size: get_or_none(size) for size in sizes}}
    set_int("{name}", n)
    free(blocks.pop(5 * MIB + 512))
    got = [get_or_none(size) for size in (12 * MIB, 7 * MIB, MIB, 30 * MIB)]
    struck = ctypes.c_int.in_dll(late, "late_{name}").value == 0
    set_int("{name}", 0)
    for size, block in blocks.items():
        assert holds(block, size, size % 251)
    again = get(9 * MIB)
    for block in [again, *blocks.values(), *filter(None, got)]:
        free(block)
    core.cu_pool_free(pool)
    assert value("held") == 0
    if not struck:
        break
else:
    raise AssertionError("it never went through")
assert n > 2
""")


def test_caches_are_dropped_before_giving_up(pages):
    pages("""
set_size("hoard", 40 * MIB)
a = alloc(device, 24 * MIB)
assert count("drops") == 0
b = alloc(device, 32 * MIB)
assert count("drops") == 1
""")


def test_other_pools_make_room(pages):
    pages("""
pool = pointer(core.cu_pool_new, device)
s = ctypes.c_void_p(core.cu_stream_current(device))
a = pointer(core.cu_pool_alloc, pool, ctypes.c_size_t(60 * MIB), s)
assert refused(lambda: alloc(device, 30 * MIB))
free(a)
assert address(alloc(device, 30 * MIB))
free(pointer(core.cu_pool_alloc, pool, ctypes.c_size_t(30 * MIB), s))
""")


def test_a_backend_that_lacks_memory_gets_what_is_free(pages):
    pages("""
blocks = [alloc(device, 10 * MIB) for _ in range(6)]
free(blocks.pop(2))
set_busy(1)
late.late_wants_memory()
assert value("held") == 50 * MIB
""")


def test_a_limit_is_kept(pages):
    pages("""
core.cu_pool_set_limit(default(), ctypes.c_size_t(20 * MIB))
rng = random.Random(3)
live = []
for _ in range(3000):
    if live and rng.random() < 0.5:
        free(live.pop(rng.randrange(len(live))))
    else:
        try:
            live.append(alloc(device, rng.randint(1, 6 * MIB)))
        except RuntimeError:
            free(live.pop(rng.randrange(len(live))))
    assert total(device) <= 20 * MIB
for block in live:
    free(block)
assert address(alloc(device, 20 * MIB))
""")


STORM = """
rng = random.Random({seed})
live, used, whole = [], 0, {whole} * MIB
def drop(bound):
    global used
    while used > bound:
        i = rng.randrange(len(live))
        live[i], live[-1] = live[-1], live[i]
        block, size = live.pop()
        assert holds(block, 64, size % 251)
        free(block)
        used -= size
for i in range({steps}):
    size = int(MIB * {largest} ** rng.random())
    drop({fill} * whole - size)
    block = alloc(device, size)
    fill(block, 64, size % 251)
    live.append((block, size))
    used += size
drop(whole // 2)
left = whole - used
low, high = 0, left
while high - low > left // 200:
    middle = (low + high) // 2
    try:
        free(alloc(device, middle))
        low = middle
    except RuntimeError:
        high = middle
print(low / left, len(live), count("device_syncs"))
drop(0)
core.cu_pool_trim(default())
assert value("held") == 0
"""


@pytest.mark.parametrize("fill", [0.5, 0.9])
def test_what_is_free_after_a_storm_can_be_had(pages, fill):
    code = STORM.format(seed=5, whole=16384, steps=6000, largest=256, fill=fill)
    out = pages(code, LATE_TOTAL=str(16 << 30))
    assert float(out[0]) >= 0.95


def test_growing_sizes_grow_in_place(pages):
    pages("""
for n in range(1, 60):
    block = alloc(device, n * MIB)
    fill(block, n * MIB, n)
    free(block)
assert value("held") <= 64 * MIB
largest = alloc(device, 62 * MIB)
""")


def test_trimming_returns_the_middle_of_a_chunk(pages):
    pages("""
free(alloc(device, 60 * MIB))
blocks = [alloc(device, 20 * MIB) for _ in range(3)]
fill(blocks[0], 20 * MIB, 1)
fill(blocks[2], 20 * MIB, 2)
free(blocks[1])
core.cu_pool_trim(default())
assert value("held") == 40 * MIB
assert holds(blocks[0], 20 * MIB, 1) and holds(blocks[2], 20 * MIB, 2)
""")


def test_neighbours_of_two_streams_go_together(pages):
    pages("""
s, t = stream(device), stream(device)
a, b = alloc(device, 100, s), alloc(device, 100, t)
assert value("held") == 2 * MIB
free(a)
free(b)
core.cu_pool_trim(default())
assert value("held") == 0
""")


def test_plain_memory_when_told(pages):
    pages(
        """
free(alloc(device, 64 * MIB))
blocks = [alloc(device, 16 * MIB) for _ in range(4)]
for block in blocks[::2]:
    free(block)
assert refused(lambda: alloc(device, 32 * MIB))
for block in blocks[1::2]:
    free(block)
assert address(alloc(device, 64 * MIB))
""",
        CUPRIC_POOL="plain",
    )


def test_a_capture_moves_no_pages(pages):
    pages("""
s = stream(device)
blocks = [alloc(device, 8 * MIB) for _ in range(8)]
for block in blocks[::2]:
    free(block)
c = begin(s)
assert refused(lambda: alloc(device, 20 * MIB, s))
assert refused(lambda: alloc(device, 20 * MIB))
core.cu_pool_trim(default())
assert value("held") == 64 * MIB
assert count("device_syncs") == 0
pool = pointer(core.cu_pool_new, device)
core.cu_pool_free(pool)
core.cu_capture_free(c, None)
assert address(alloc(device, 20 * MIB, s))
""")
