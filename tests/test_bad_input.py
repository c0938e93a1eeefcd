"""No argument crashes the interpreter: fuzzing, and what it or a reader once found."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
import cupricx

HERE = Path(__file__).resolve().parent
GROUPS = {  # of bad_input.py, with how often each function is called
    "main": 30,
    "ndarray": 40,
    "ufuncs": 8,
    "linalg": 60,
    "fft": 40,
    "random": 25,
    "cuda": 60,
    "kernels": 60,
    "cupricx": 60,
}


@pytest.mark.parametrize("group", GROUPS)
def test_survives(group, tmp_path):
    """CUPRIC_FUZZ=20: twenty times as long, and another seed than usual."""
    times = int(os.environ.get("CUPRIC_FUZZ", "1"))
    seed = 0 if times == 1 else int.from_bytes(os.urandom(3), "little")
    log = tmp_path / "log"
    environment = {"PYTHONMALLOC": "debug", **os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(p or os.getcwd() for p in sys.path)
    done = subprocess.run(
        [sys.executable, HERE / "bad_input.py", group]
        + [str(seed), str(GROUPS[group] * times), log],
        capture_output=True,
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=300 * times,
    )
    where = log.read_text() if log.exists() else "before the first call"
    assert done.returncode == 0, f"{where}\n{done.stderr[-4000:]}"
    assert where == "done\n"


class SetsShape:
    """An index that gives an array another shape when it is read."""

    def __init__(self, array, shape):
        self.array, self.shape = array, shape

    def __index__(self):
        self.array.shape = self.shape
        return 0


CHANGED_WHILE_READ = {
    "transpose": lambda a, x: a.transpose(x, 1),
    "swapaxes": lambda a, x: a.swapaxes(x, 1),
    "diagonal": lambda a, x: a.diagonal(0, x, 1),
    "squeeze": lambda a, x: a.squeeze(x),
    "slice": lambda a, x: a[x:, :],
    "index": lambda a, x: a[x, :],
    "second slice": lambda a, x: a[0, x:],
    "set": lambda a, x: a.__setitem__((x, slice(None)), a),
    "item": lambda a, x: a.item(x, 1),
    "take": lambda a, x: a.take(0, axis=x),
    "concatenate": lambda a, x: cp.concatenate([a, a], axis=x),
    "sum": lambda a, x: a.sum(axis=x),
    "sum over both": lambda a, x: a.sum(axis=(x, 1)),
    "std": lambda a, x: a.std(axis=(x, 1)),
    "argmax": lambda a, x: a.argmax(axis=x),
    "cumsum": lambda a, x: a.cumsum(axis=x),
    "sort": lambda a, x: a.sort(axis=x),
    "argsort": lambda a, x: a.argsort(axis=x),
    "partition": lambda a, x: a.partition(x, axis=1),
    "reduceat along": lambda a, x: cp.add.reduceat(a, [0], axis=x),
    "reduceat from": lambda a, x: cp.add.reduceat(a, [x]),
    "roll": lambda a, x: cp.roll(a, 1, axis=x),
}


@pytest.mark.parametrize("shape", [(12,), (1,) * 9 + (12,), (6, 2), (12, 1)])
@pytest.mark.parametrize("name", CHANGED_WHILE_READ)
def test_shape_set_while_arguments_are_read(name, shape):
    a = cp.arange(12.0).reshape(3, 4).copy()
    try:
        result = CHANGED_WHILE_READ[name](a, SetsShape(a, shape))
    except (RuntimeError, ValueError, IndexError):
        result = None
    assert a.shape == shape
    if isinstance(result, cp.ndarray):
        result.get()
    np.testing.assert_array_equal(np.sort(a.get().ravel()), np.arange(12.0))


class Clears:
    """An index that empties a list when it is read."""

    def __init__(self, victim):
        self.victim = victim

    def __index__(self):
        self.victim.clear()
        return 1


@pytest.mark.parametrize(
    "call",
    [
        lambda x: cp.zeros(x),
        lambda x: cp.zeros(6).reshape(x),
        lambda x: cp.partition(cp.zeros(6), x),
        lambda x: cp.broadcast_to(cp.zeros(1), x),
    ],
)
def test_list_that_shrinks(call):
    sizes = []
    sizes += [Clears(sizes), 1, 2, 3]
    with contextlib.suppress(TypeError, ValueError):
        call(sizes)
    assert sizes == []


def nested_tuple(depth):
    x = ()
    for _ in range(depth):
        x = (x,)
    return x


def object_holding_itself():
    x = np.array(None, object)
    x[()] = x
    return x


MEMORY = {"shape": (16,), "dtype": "f4", "strides": (4,)}


def over_memory(**changes):
    given = {**MEMORY, **changes}
    memory = cp.cuda.alloc(64)
    return cp.ndarray(given["shape"], given["dtype"], memory, given["strides"])


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda: cp.zeros((1,) * 65)),
        (ValueError, lambda: cp.zeros((1 << 40, 1 << 40))),
        (ValueError, lambda: cp.zeros((1 << 62, 0, 1 << 62))),
        (MemoryError, lambda: cp.zeros(1 << 50)),
        (TypeError, lambda: cp.zeros((3, 3)).diagonal(0, (0, 1), 0)),
        (TypeError, lambda: cp.zeros((3, 3)).take(0, axis=(0, 1))),
        (TypeError, lambda: cp.concatenate([cp.zeros((3, 3))] * 2, axis=(0, 1))),
        (TypeError, lambda: cp.zeros(3).item(nested_tuple(100_000))),
        (TypeError, lambda: cp.zeros(3).fill(object_holding_itself())),
        (TypeError, lambda: cp.zeros(3).__setitem__(0, object_holding_itself())),
        (ValueError, lambda: cp.broadcast_to(cp.zeros(1), (1 << 62, 8))),
        (ValueError, lambda: cupricx.empty_pinned(3, "O")),
        (ValueError, lambda: over_memory(shape=(17,))),
        (ValueError, lambda: over_memory(shape=(-1,))),
        (ValueError, lambda: over_memory(shape=(1 << 40,))),
        (ValueError, lambda: over_memory(strides=(-4,))),
        (ValueError, lambda: over_memory(strides=(1 << 61,))),
        (ValueError, lambda: over_memory(strides=(1 << 61, 4))),
        (ValueError, lambda: over_memory(dtype="f8", strides=(8,))),
    ],
)
def test_raises(error, call):
    with pytest.raises(error):
        call()


def test_array_over_memory():
    a = over_memory()
    a[:] = 3
    assert a.sum() == 48
    assert over_memory(shape=(0, 1 << 30), strides=(4, 4)).size == 0
