"""The pool and the device table on a device that works later, as a GPU does.

The host does its work at once, so nothing there shows whether memory is kept from a
stream that must not have it yet. Here the core's C files are built alone, beside a
backend whose streams finish when the test says so, and run in a process of their own.
"""


def test_ones_own_stream_reuses_at_once(run):
    run("""
set_busy(1)
for size in (100, 5000, 3 * MIB):
    a = alloc(device, size)
    ptr = address(a)
    free(a)
    assert address(alloc(device, size)) == ptr
assert count("records") == count("waits") == count("syncs") == 0
""")


def test_a_busy_streams_memory_is_left_alone(run):
    run("""
s, t = stream(device), stream(device)
a = alloc(device, 8 * MIB, s)
ptr = address(a)
free(a)
set_busy(1)
b = alloc(device, 8 * MIB, t)
assert address(b) != ptr
assert count("waits") == 0
set_busy(0)
assert address(alloc(device, 8 * MIB, t)) == ptr
assert count("waits") == count("syncs") == 0
""")


def test_in_need_memory_is_taken_behind_an_event(run):
    run("""
s, t = stream(device), stream(device)
blocks = [alloc(device, 16 * MIB, s) for _ in range(4)]
ptrs = [address(b) for b in blocks]
keep = blocks.pop()
for b in blocks:
    free(b)
set_busy(1)
b = alloc(device, 16 * MIB, t)
assert address(b) in ptrs
assert count("records") == count("waits") == 1
assert count("syncs") == 0
""")


def test_small_blocks_are_joined_in_need(run):
    run("""
s = stream(device)
blocks = [alloc(device, MIB, s) for _ in range(60)]
for b in blocks:
    free(b)
assert address(alloc(device, 60 * MIB, s))
""")


def test_a_stream_that_ends_leaves_its_memory_behind_an_event(run):
    run("""
s = stream(device)
a, live = alloc(device, 4 * MIB, s), alloc(device, 2 * MIB, s)
ptr, live_ptr = address(a), address(live)
free(a)
set_busy(1)
core.cu_stream_unref(s)
assert count("records") == count("waits") == 1
assert address(alloc(device, 4 * MIB)) == ptr
free(live)
assert address(alloc(device, 2 * MIB)) == live_ptr
""")


def test_running_out_names_the_backend(run):
    out = run("""
try:
    alloc(device, 100 * MIB)
except RuntimeError as error:
    assert "cuda device 0" in str(error), error
    assert "device memory free: 67,108,864 bytes of 67,108,864 bytes" in str(error)
    print("ok")
assert address(alloc(device, 64 * MIB))
""")
    assert out == ["ok"]


def test_both_backends_in_one_process(run):
    assert run("print(core.cu_device_count())") == ["2"]
    run("""
host = pointer(core.cu_device_find, b"host", 1)
assert host.value != device.value
a, b = alloc(host, 100), alloc(device, 100)
assert address(a) and address(b)
""")
    code = """
cuda = core.cu_device_find(b"cuda", 0, ctypes.byref(ctypes.c_void_p()))
print(cuda, core.cu_error_message().decode())
"""
    assert run(code, CUPRIC_DEVICE="host")[-1] == "0"


def test_a_forked_child_is_told(run):
    out = run("""
a = alloc(device, 100)
free(a)
host = pointer(core.cu_device_find, b"host", 0)
alloc(host, 100)
pid = os.fork()
if pid == 0:
    ok = False
    for size in (100, 5 * MIB):
        try:
            alloc(device, size)
        except RuntimeError as error:
            ok = "forked" in str(error) and "spawn" in str(error)
        if not ok:
            os._exit(1)
    try:
        stream(device)
    except RuntimeError:
        os._exit(0 if address(alloc(host, 100)) else 2)
    os._exit(3)
print(os.waitpid(pid, 0)[1])
assert address(alloc(device, 100))
""")
    assert out == ["0"]
