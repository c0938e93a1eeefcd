"""The host device as a side, in a process of its own: what CUDA is compared with.

The process runs the steps that it is sent and says what arrays came of each: their
shape, dtype, strides and addresses. Values are asked for.
"""

import atexit
import os
import pickle
import subprocess
import sys
from types import SimpleNamespace

from . import sides

_process = None


def process():
    """The process of this one, started when it is first needed."""
    global _process
    if _process is None:
        _process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.remote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "CUPRIC_DEVICE": "host"},
        )
        atexit.register(_process.kill)
    return _process


def separates(step):
    return step.row is not None and not step.row.order


class Remote:
    name = "host"

    def __init__(self):
        self._ask("__init__")

    def _ask(self, method, *args):
        pickle.dump((method, args), process().stdin)
        process().stdin.flush()
        return pickle.load(process().stdout)

    def run(self, step):
        return self._ask("run", step.source, step.target, step.data, separates(step))

    def value(self, name):
        return self._ask("value", name)

    @staticmethod
    def is_scalar(target):
        return False

    def read(self, x):
        return self._ask("read", x.name)

    def write(self, x, data):
        self._ask("write", x.name, data)

    def forget(self, name):
        self._ask("forget", name)

    @staticmethod
    def overlap(a, b):
        return a.span[0] < b.span[1] and b.span[0] < a.span[1]


class Server:
    """What the process does for a Remote."""

    def __init__(self):
        self.side = sides.Cupric()

    def run(self, source, target, data, separate):
        row = SimpleNamespace(order=not separate)
        step = SimpleNamespace(source=source, target=target, data=data, row=row)
        outcome = self.side.run(step)
        if isinstance(outcome, Exception):
            return outcome
        return {name: described(name, x) for name, x in outcome.items()}

    def forget(self, name):
        self.side.forget(name)

    def value(self, name):
        value = self.side.value(name)
        return repr(value) if hasattr(value, "__dlpack__") else value

    def read(self, name):
        return eval(name, self.side.names).get()

    def write(self, name, data):
        eval(name, self.side.names)[...] = self.side.xp.asarray(data)


def described(name, x):
    """An array without its values."""
    flags = x.flags
    return SimpleNamespace(
        name=name,
        shape=x.shape,
        dtype=x.dtype,
        strides=x.strides,
        size=x.size,
        span=sides.span(x) if x.size else (0, 0),
        flags=SimpleNamespace(
            c_contiguous=flags.c_contiguous, f_contiguous=flags.f_contiguous
        ),
    )


def sendable(x):
    """The answer, or the nearest that can be sent."""
    try:
        return pickle.dumps(x)
    except Exception:
        kind = type(x) if isinstance(x, Exception) else None
        return pickle.dumps(RuntimeError(repr(x)) if kind is None else kind(str(x)))


def serve():
    import warnings

    import numpy as np

    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    server = None
    output = os.fdopen(os.dup(1), "wb")  # what a program prints goes elsewhere
    os.dup2(2, 1)
    while True:
        try:
            method, args = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer = None
        if method == "__init__":
            server = Server()
        else:
            answer = getattr(server, method)(*args)
        output.write(sendable(answer))
        output.flush()


if __name__ == "__main__":
    serve()
