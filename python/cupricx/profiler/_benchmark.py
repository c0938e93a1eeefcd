"""benchmark: a function called many times, by the clocks of CPU and devices."""

import math
import time

import numpy as np

from cupric import cuda

__all__ = [
    "benchmark",
]


class _PerfCaseResult:
    """Times of a function: arrays in seconds, printed as a table.

    Attributes
    ----------
    name : str
    cpu_times : numpy.ndarray, shape (repetitions,)
        How long the calls took to return.
    gpu_times : numpy.ndarray, shape (devices, repetitions)
        How long the devices' streams were at work.
    """

    def __init__(self, name, times, devices):
        self.name = name
        self._times = times
        self._labels = ["CPU"] + [f"GPU-{i}" for i in devices]

    @property
    def cpu_times(self):
        return self._times[0]

    @property
    def gpu_times(self):
        return self._times[1:]

    def to_str(self, show_gpu=False):
        """One line of text, in microseconds, with or without the devices' times."""
        rows = [
            _summary(label, times * 1e6)
            for label, times in zip(self._labels, self._times, strict=True)
        ]
        return " ".join([f"{self.name:<20s}:", *(rows if show_gpu else rows[:1])])

    def __str__(self):
        n = self._times.shape[1]
        title = f"{self.name}: {n} call" + "s" * (n != 1)
        if n == 0:
            return title
        lines = [title, " " * 6 + "".join(f"{label:>10}" for label in self._labels)]
        for statistic in (np.mean, np.median, np.min, np.max):
            cells = map(_duration, statistic(self._times, axis=1))
            lines.append(
                f"{statistic.__name__:<6}" + "".join(f"{c:>10}" for c in cells)
            )
        return "\n".join(lines)

    def __repr__(self):
        return str(self)


_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def _duration(seconds):
    """Three digits, in a unit that suits: "1.32 ms"."""
    # Three digits make 1.00 of 0.9995.
    fitting = (u for u in _UNITS if seconds >= 0.9995 * u[0])
    unit, name = next(fitting, _UNITS[-1])
    value = seconds / unit
    digits = sum(value < limit for limit in (9.995, 99.95))
    return f"{value:.{digits}f} {name}"


def _summary(label, times):
    """One clock's times in microseconds, as text."""
    text = f"   {label}: {times.mean():9.03f} us"
    if times.size > 1:
        text += (
            f"   +/- {times.std():6.03f} (min: {times.min():9.03f} / "
            f"max: {times.max():9.03f}) us"
        )
    return text


def benchmark(
    func,
    args=(),
    kwargs={},  # noqa: B006, read only
    n_repeat=10000,
    *,
    name=None,
    n_warmup=10,
    max_duration=math.inf,
    devices=None,
):
    """Call a function many times and say how long it took, on the CPU and on devices.

    Parameters
    ----------
    func : callable
    args : tuple
        Its arguments.
    kwargs : dict
        Its keyword arguments.
    n_repeat : int
        Calls that are measured, at most.
    name : str, optional
        The result's name; by default the function's.
    n_warmup : int
        Calls before these.
    max_duration : float
        Seconds after which no further call is made.
    devices : sequence of int, optional
        Devices whose current streams are timed; by default the current one.

    Returns
    -------
    object
        With `name`, `cpu_times` and `gpu_times` (in seconds). It prints as a table;
        ``to_str(show_gpu=True)`` is one line of text, as CuPy prints it.

    Notes
    -----
    A call returns when its work is queued, and a GPU does it later: the column CPU is
    what the call costs the program, GPU what it costs the device. On the host device
    the two are the same but for the clocks.

    Examples
    --------
    >>> x = cupric.ones(1000)
    >>> result = cupricx.profiler.benchmark(cupric.sum, (x,), n_repeat=5)
    >>> result.cpu_times.shape, result.gpu_times.shape
    ((5,), (1, 5))
    >>> print(result)
    sum: 5 calls
                CPU     GPU-0
    mean     ...
    median   ...
    min      ...
    max      ...
    """
    if not callable(func):
        raise ValueError("func is not callable")
    if not isinstance(args, tuple):
        raise ValueError("args is a tuple")
    if not isinstance(kwargs, dict):
        raise ValueError("kwargs is a dict")
    if not isinstance(n_repeat, int) or not isinstance(n_warmup, int):
        raise ValueError("n_repeat and n_warmup are ints")
    if name is None:
        name = getattr(func, "__name__", repr(func))
    if not isinstance(name, str):
        raise ValueError("name is a str")
    if devices is None:
        devices = (cuda.Device().id,)

    for _ in range(n_warmup):
        func(*args, **kwargs)
    clocks = [_DeviceClock(i) for i in devices]
    for clock in clocks:
        clock.wait()
    times, spent = [], 0.0
    while len(times) < n_repeat and spent < max_duration:
        for clock in clocks:
            clock.start()
        began = time.perf_counter()
        func(*args, **kwargs)
        cpu = time.perf_counter() - began
        times.append([cpu, *(clock.stop() for clock in clocks)])
        spent += time.perf_counter() - began
    rows = np.array(times, dtype=np.float64).reshape(len(times), len(clocks) + 1)
    return _PerfCaseResult(name, np.ascontiguousarray(rows.T), tuple(devices))


class _DeviceClock:
    """Two events on a device, in its current stream."""

    def __init__(self, device):
        self._device = cuda.Device(device)
        with self._device:
            self._begin = cuda.Event()
            self._end = cuda.Event()

    def wait(self):
        self._device.synchronize()

    def start(self):
        with self._device:
            self._begin.record()

    def stop(self):
        """Seconds since `start`, once the stream has come this far."""
        with self._device:
            self._end.record()
            self._end.synchronize()
        return cuda.get_elapsed_time(self._begin, self._end) * 1e-3
