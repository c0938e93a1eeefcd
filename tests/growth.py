"""What calls leave behind: blocks of Python's memory and bytes of the device.

To look at all objects takes Python a fifth of a second in a process of many tests. As
long as it does so only when told, what calls leave are young objects, a few, unless
they are parts of older ones: then all are looked at.
"""

import contextlib
import gc
import sys

import cupric as cp

ROUNDS = 20  # what is kept to be used again fills in some, a leak grows every time
YOUNG, ALL = 1, 2  # generations


@contextlib.contextmanager
def collected_when_told():
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def settle(generation):
    """Nothing is under way: what copies to the host hold meanwhile is let go."""
    cp.cuda.Device().synchronize()
    cp.cuda.pinned_memory._let_go()
    gc.collect(generation)


def used_bytes():
    return cp.get_default_memory_pool().used_bytes()


def check_used(before):
    """No more bytes of the device are in use. What Python's cycles hold is let go."""
    if used_bytes() != before:
        gc.collect()  # which takes long in a process of many tests
    assert used_bytes() == before


def growth(call, times, generation):
    """Blocks of Python's memory that so many calls leave behind."""
    settle(generation)
    before = sys.getallocatedblocks()
    for _ in range(times):
        call()
    settle(generation)
    return sys.getallocatedblocks() - before


def warm_up(call, generation=ALL):
    """What is made once is there: caches, imports, spare objects."""
    for _ in range(5):
        call()
    settle(generation)


def check_leaves_nothing(call, times):
    """Neither blocks, one for every other call, nor bytes of the device."""
    with collected_when_told():
        warm_up(call, YOUNG)
        used, grown = used_bytes(), [growth(call, times, YOUNG)]
        if grown[-1] > times // 2 or used_bytes() != used:
            settle(ALL)
            used = used_bytes()
            grown.append(growth(call, times, ALL))
        while grown[-1] > times // 2 and len(grown) < ROUNDS:
            grown.append(growth(call, times, ALL))
    assert grown[-1] <= times // 2, f"{grown} blocks left by {times} calls each"
    assert used_bytes() == used, f"{used_bytes() - used} bytes of the device left"
