"""A heat map of reductions and of the running sum: every shape of 2**24 float32 numbers
whose sides are powers of two, both axes, as a share of the machine's best copy.

What is counted is what has to cross the memory bus: the input read once and the result
written once. An input has 64 MiB, which a GPU's cache nearly holds: calls take turns
among inputs that are together eight times as large. Many calls are queued before the
clock is stopped, so that what a call costs besides memory is in the figure.
"""

import statistics

from measure import Row, bandwidth, device_kind, time_block

LOG_SIZE = 24
QUICK_LOG_SIZE = 18
INPUTS = 8
CALLS = 4 * INPUTS
BLOCKS = 5
NAMES = ("sum", "max", "mean", "std", "argmax", "any", "cumsum")


def seconds_per_call(lib, arrays, name, axis):
    turn = 0

    def call():
        nonlocal turn
        turn = (turn + 1) % len(arrays)
        getattr(arrays[turn], name)(axis)

    time_block(call, lib.sync, 2)
    return statistics.median(time_block(call, lib.sync, CALLS) for _ in range(BLOCKS))


def nbytes_of(array, name, axis):
    result = getattr(array, name)(axis)
    return array.nbytes + result.nbytes


def rows(libs, quick):
    lib = libs[0]  # cupric
    log_size = QUICK_LOG_SIZE if quick else LOG_SIZE
    generator = lib.xp.random.default_rng(0)
    flat = [generator.random(1 << log_size, dtype="float32") for _ in range(INPUTS)]
    for name in NAMES:
        for axis in (0, 1):
            for log_rows in range(log_size + 1):
                shape = (1 << log_rows, 1 << (log_size - log_rows))
                arrays = [x.reshape(shape) for x in flat]
                seconds = seconds_per_call(lib, arrays, name, axis)
                size = f"2^{log_rows} x 2^{log_size - log_rows}"
                row = Row("reductions", f"{name} axis {axis}", size, device_kind())
                row.median_us = {"cupric": round(seconds * 1e6, 3)}
                rate = nbytes_of(arrays[0], name, axis) / seconds
                row.share = round(rate / bandwidth(), 3)
                yield row
