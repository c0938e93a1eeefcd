"""Solvers that run on the device: their vectors, their state, and the steps."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library
from cupricx._pinned import empty_pinned

__all__ = ["Check", "Run", "Solver", "as_vector", "enum", "initial_sums"]

_library = Library(__file__)
enum = _library.enum


def _example(xp):
    """Every phase, on vectors for which nothing is divided by zero."""
    results = []
    for dtype in "fdFD":
        n = 1500
        y = xp.asarray((1 + np.arange(n) % 5).astype(dtype))
        for phase in range(enum.START, enum.LSMR_X + 1):
            w = xp.ones((enum.QMR_ROWS, n), dtype)
            state = xp.ones(enum.SLOTS + enum.SUMS * enum.PARTS, np.complex128)
            state[: enum.STOPPED + 1] = 0
            s = _sizes(n, n)
            _phase[phase, w.dtype](y=y, z=y, u=y, w=w, state=state, s=s)
            results += [w, state[: enum.SLOTS]]
    return results


_phase = _library.kernel(
    "step_phase<P, T>",
    blocks="s.parts",
    threads="THREADS",
    ships=" ".join(f"({phase}){t}" for t in "fdFD" for phase in range(enum.LSMR_X + 1)),
    example=_example,
)

_LINE = 128  # bytes at which rows begin
_CAPTURED = 8  # steps of a graph
_BEFORE_CAPTURE = 12  # steps: who needs no more is served before a graph were
_SMALL = 1 << 19  # elements: for more, the kernels take longer than their launches
_LAPS = 2  # checks that are under way


def _sizes(n, ld):
    part = max(enum.PART, -(-n // enum.PARTS))
    part = -(-part // enum.THREADS) * enum.THREADS
    return _library.struct.step_sizes(n=n, part=part, parts=-(-n // part), ld=ld)


def _scratch(device):
    return _core.zeros(
        enum.SLOTS + enum.SUMS * enum.PARTS, np.complex128, device=device
    )


def initial_sums(y, z, u):
    """The squared norms of two vectors and the product of the second with a third, by
    one launch and one wait."""
    state = _scratch(y.device)
    _phase[enum.START, y.dtype](
        y=y, z=z, u=u, w=z, state=state, s=_sizes(y.size, y.size)
    )
    return state[enum.RHO : enum.BETA + 1].get()


class Solver:
    """The vectors of a solver and its state on the device.

    Parameters
    ----------
    like : cupric.ndarray
        A vector: the others are of its length, dtype and device.
    rows : int
        How many there are.
    values : dict
        The state by slots; what is not in it is 0.

    Attributes
    ----------
    rows : list of cupric.ndarray
    state : cupric.ndarray
    """

    def __init__(self, like, rows, values):
        n, self.dtype = like.size, like.dtype
        ld = -(-n // (_LINE // self.dtype.itemsize)) * (_LINE // self.dtype.itemsize)
        self._w = _core.zeros((rows, ld), self.dtype, device=like.device)
        self.rows = [row[:n] for row in self._w]
        host = np.zeros(enum.SLOTS, np.complex128)
        for slot, value in values.items():
            host[slot] = value
        self.state = _scratch(like.device)
        self.state[: enum.SLOTS] = _core.array(host, device=like.device)
        self._sizes = _sizes(n, ld)

    def phase(self, number, y=None, z=None, u=None):
        """Launches a phase on the rows and on results of products."""
        self.phase_of(number, self._w, self._sizes, y, z, u)

    def phase_of(self, number, w, sizes, y=None, z=None, u=None):
        """As `phase`, on other rows: `sizes` is what `sizes_of` returned for them."""
        _phase[number, self.dtype](y=y, z=z, u=u, w=w, state=self.state, s=sizes)

    @staticmethod
    def sizes_of(w):
        return _sizes(w.size, w.size)

    def product(self, function, x):
        """The result of a product, as phases read it."""
        return as_vector(function(x), self.dtype)


def as_vector(y, dtype):
    """What a product returned, as kernels of a system of that dtype read it."""
    if y.dtype != dtype:
        if y.dtype.kind == "c" and dtype.kind != "c":
            raise TypeError(
                f"an operator returned a vector of {y.dtype}, and the system is solved "
                f"in {dtype}: the operator's dtype, or that of b, has to be complex"
            )
        y = y.astype(dtype)
    return y if y.flags.c_contiguous else y.copy()


class Run:
    """Repeats a step of a solver until its state says that it has stopped.

    The host launches steps ahead and looks at a copy of the state, two batches late, so
    that the device never waits for it. Steps that are launched after the last one leave
    everything as it is.

    Parameters
    ----------
    solver : Solver
    step : callable
        Launches one step.
    maxiter : int
    operators : sequence of LinearOperator
        What the step applies: where all can be captured, the steps of a small system
        are replayed as a graph.
    callback : callable, optional
        Called after each step, with the state on the host.
    """

    def __init__(self, solver, step, maxiter, operators=(), callback=None):
        self._solver, self._step, self._callback = solver, step, callback
        self._left = maxiter
        self._done = 0
        self._graph = None
        self._is_own = all(getattr(a, "_can_be_captured", False) for a in operators)
        self._may_capture = self._is_own and solver.rows[0].size <= _SMALL

    def finish(self):
        """Runs the steps.

        Returns
        -------
        numpy.ndarray
            The state.
        """
        state = self._solver.state
        if self._callback is not None or state.device.backend == "host":
            return self._one_by_one()
        return self._ahead()

    def _one_by_one(self):
        state, iterations, lost = self._solver.state[: enum.SLOTS], 0, 0
        host = state.get()
        while self._left > 0:
            self._step()
            self._left -= 1
            host = state.get()
            if self._callback is not None and host[enum.ITERATIONS].real > iterations:
                self._callback(host)
            elif _is_lost(host):
                lost += 1
            iterations = host[enum.ITERATIONS].real
            if _has_stopped(host) or lost > 1:
                break
        return host

    def _ahead(self):
        checks = []
        while self._left > 0:
            self._launch(min(self._batch(), self._left))
            checks.append(Check(self._solver.state))
            if len(checks) >= _LAPS:
                host = checks.pop(0).wait()
                if _has_stopped(host) or _is_lost(host):
                    break
        if not checks:  # no steps are asked for
            return self._solver.state[: enum.SLOTS].get()
        return checks[-1].wait()

    def _batch(self):
        """How many steps to launch before the next check. Functions of Python are not
        called much more often than they have to be."""
        if not self._is_own:
            return 1
        if not self._may_capture:
            return min(max(4, self._done // 8), 4 * _CAPTURED)
        return _CAPTURED * min(max(1, self._done // (4 * _CAPTURED)), 4)

    def _launch(self, steps):
        self._left -= steps
        while steps > 0:
            if steps >= _CAPTURED and self._has_graph(steps):
                self._graph.launch()
                launched = _CAPTURED
            else:
                self._step()
                launched = 1
            steps -= launched
            self._done += launched

    def _has_graph(self, steps):
        if (
            self._graph is None
            and self._may_capture
            and self._done >= _BEFORE_CAPTURE
            and self._left + steps >= 2 * _CAPTURED
        ):
            self._graph = _capture(self._step, _CAPTURED)
            self._may_capture = self._graph is not None
        return self._graph is not None


def _capture(step, count):
    """A graph of some steps; None where something in them cannot be captured."""
    graph, stream = None, _core.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        try:
            for _ in range(count):
                step()
        except (RuntimeError, NotImplementedError):
            stream.end_capture()
        except BaseException:
            stream.end_capture()
            raise
        else:
            graph = stream.end_capture()
    return graph


class Check:
    """A copy of the state on its way to the host."""

    def __init__(self, state):
        self._host = empty_pinned(enum.SLOTS, np.complex128)
        state[: enum.SLOTS].get(out=self._host, blocking=False)
        self._event = _core.Event(disable_timing=True)
        self._event.record()

    def wait(self):
        self._event.synchronize()
        return self._host


def _has_stopped(host):
    return host[enum.STOPPED] != 0 or host[enum.PENDING] != 0


def _is_lost(host):
    """Whether the residual is no number: then none of the next ones is, either."""
    return math.isnan(host[enum.RESIDUAL].real)
