"""Memory that runs out in the middle of a call, and arrays on several devices."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import cupric as cp
from cupric._core import _fail_allocation


def base():
    return cp.arange(12.0).reshape(3, 4)


def assign(key, value):
    def call(d):
        d[key(d)] = value(d)

    return call


CALLS = {
    "index": lambda d: d[[0, 1]],
    "mask": lambda d: d[d > 3],
    "mixed": lambda d: d[:, np.array([True, False, True, True])],
    "bool": lambda d: d[True],
    "set index": assign(lambda d: [0, 1], lambda d: d[1:]),
    "set cast": assign(lambda d: [0, 1], lambda d: d[1:].astype("i4")),
    "set mask": assign(lambda d: d > 3, lambda d: 7),
    "set mask values": assign(lambda d: d > 3, lambda d: d[d > 3] * 2),
    "set list": assign(lambda d: 0, lambda d: [1, 2, 3, 4]),
    "set overlap": assign(lambda d: slice(1, None), lambda d: d[:-1]),
    "set by itself": assign(
        lambda d: d.astype(int) % 3, lambda d: d.astype("i8").reshape(3, 4, 1)
    ),
    "take": lambda d: cp.take(d, [0, 5]),
    "take strided": lambda d: cp.take(d.T, [0, 5]),
    "put": lambda d: cp.put(d.T, [0, 5], [1, 2]),
    "put cycle": lambda d: cp.put(d, [0, 5, 6], [1, 2]),
    "along": lambda d: cp.take_along_axis(d, cp.array([[1], [2], [0]], "i4"), 1),
    "put along": lambda d: cp.put_along_axis(d, cp.array([[1], [2], [0]], "i4"), 5, 1),
    "concatenate": lambda d: cp.concatenate((d, d.T), None),
    "concatenate out": lambda d: cp.concatenate((d[1:], d[:1]), out=d),
    "roll": lambda d: cp.roll(d, 1),
    "pad": lambda d: cp.pad(d, 2, "mean"),
    "unique": lambda d: cp.unique(d, True, True, True),
    "tile": lambda d: cp.tile(d, 3),
    "insert": lambda d: cp.insert(d, 1, 5.0),
    "where": lambda d: cp.where(d > 3, d, 0),
    "linspace": lambda d: cp.linspace(0, 1, 5),
    "eye": lambda d: cp.eye(3),
    "repr": repr,
}


@pytest.mark.usefixtures("no_leak")
@pytest.mark.parametrize("name", CALLS)
def test_every_allocation_fails_in_turn(name):
    call = CALLS[name]
    want = base()
    call(want)
    for n in range(1, 200):
        d = base()
        _fail_allocation(n)
        try:
            call(d)
        except MemoryError:
            _fail_allocation(0)
            np.testing.assert_array_equal(d.get(), base().get())
            continue
        finally:
            left = _fail_allocation(0)
        assert left > 0
        break
    np.testing.assert_array_equal(d.get(), want.get())


FOUR_DEVICES = """
    import numpy as np
    import cupric as cp

    with cp.cuda.Device(1):
        a = cp.arange(12.0).reshape(3, 4)
        m = a > 3
    assert a.device.id == 1
    results = [
        a[1:], a[[0, 1]], a[m], a[1:2, None], a.flat[1:3],
        cp.roll(a, 1), cp.tile(a, 2), cp.repeat(a, 2), cp.resize(a, (5, 5)),
        cp.pad(a, 1), cp.pad(a, 2, "reflect"), cp.pad(a, 2, "mean"),
        cp.triu(a), cp.diag(a[0]), *cp.unique(a, True, True, True),
        cp.insert(a, 1, 5, 0), cp.delete(a, 1, 0), cp.append(a, 5),
        cp.where(m, a, 0), cp.choose(m.astype(int), [a, a]), cp.select([m], [a]),
        cp.take(a, [1, 2]), cp.concatenate((a, a)), cp.stack((a, a)),
        cp.block([[a, a]]), *cp.meshgrid(a[0], a[1]), cp.diff(a, prepend=0),
        cp.from_dlpack(a),
    ]
    for r in results:
        assert r.device.id == 1, r

    b = a.get()
    for x, f in ((a, cp), (b, np)):
        x[0] = [1, 2, 3, 4]
        x[x > 5] = 7
        x[[0, 1]] = [1, 2, 3, 4]
        f.put(x, [0, 1], [5, 6])
        f.putmask(x, x > 4, [1, 2])
        f.fill_diagonal(x, [3, 4])
        x.flat[1:3] = [8, 9]
        f.copyto(x, [1, 2, 3, 4])
    assert (a.get() == b).all()

    for call in (
        lambda: a[cp.array([0])],
        lambda: a[cp.zeros((3, 4), bool)],
        lambda: a.__setitem__(cp.array([0]), 5),
        lambda: a.__setitem__(cp.zeros((3, 4), bool), 5),
        lambda: cp.concatenate((a, cp.zeros((1, 4)))),
    ):
        try:
            call()
        except ValueError as error:
            assert "different devices" in str(error)
        else:
            raise AssertionError("operands on two devices")
    assert (a.get() == b).all()

    # What is assigned is copied from its device.
    a[0], b[0] = cp.arange(4.0), np.arange(4.0)
    a[m], b[m.get()] = cp.zeros(1), 0
    assert (a.get() == b).all()
"""


@pytest.mark.only_on("host")
def test_four_devices():
    environment = {**os.environ, "CUPRIC_HOST_DEVICES": "4"}
    code = textwrap.dedent(FOUR_DEVICES)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
