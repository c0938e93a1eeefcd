"""What calls leave behind: blocks of Python's memory and bytes of the device."""

import gc
import sys

import cupric as cp

ROUNDS = 20  # what is kept to be used again fills in some, a leak grows every time


def settle():
    """Nothing is under way: what copies to the host hold meanwhile is let go."""
    cp.cuda.Device().synchronize()
    cp.cuda.pinned_memory._let_go()
    gc.collect()


def used_bytes():
    return cp.get_default_memory_pool().used_bytes()


def check_used(before):
    """No more bytes of the device are in use. What Python's cycles hold is let go."""
    if used_bytes() != before:
        gc.collect()  # which takes long in a process of many tests
    assert used_bytes() == before


def growth(call, times):
    """Blocks of Python's memory that so many calls leave behind."""
    settle()
    before = sys.getallocatedblocks()
    for _ in range(times):
        call()
    settle()
    return sys.getallocatedblocks() - before


def warm_up(call):
    """What is made once is there: caches, imports, spare objects."""
    for _ in range(5):
        call()
    settle()


def check_leaves_nothing(call, times):
    """Neither blocks, one for every other call, nor bytes of the device."""
    warm_up(call)
    used = used_bytes()
    grown = [growth(call, times)]
    while grown[-1] > times // 2 and len(grown) < ROUNDS:
        grown.append(growth(call, times))
    assert grown[-1] <= times // 2, f"{grown} blocks left by {times} calls each"
    assert used_bytes() == used, f"{used_bytes() - used} bytes of the device left"
