"""benchmark: a function called many times, by the clocks of CPU and devices."""

import math
import time

import numpy as np

from cupric import cuda

__all__ = [
    "benchmark",
]


class _PerfCaseResult:
    """Times of a function: arrays in seconds, and a line of text by `str`.

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
        self._devices = devices

    @property
    def cpu_times(self):
        return self._times[0]

    @property
    def gpu_times(self):
        return self._times[1:]

    def to_str(self, show_gpu=False):
        """The line of text, with or without the devices' times."""
        labels = ["CPU"] + [f"GPU-{i}" for i in self._devices]
        rows = [
            _summary(label, times * 1e6)
            for label, times in zip(labels, self._times, strict=True)
        ]
        return " ".join([f"{self.name:<20s}:", *(rows if show_gpu else rows[:1])])

    def __str__(self):
        return self.to_str(show_gpu=True)

    def __repr__(self):
        return str(self)


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
        With `name`, `cpu_times`, `gpu_times` (in seconds), and a line of text by `str`.

    Examples
    --------
    >>> x = cupric.ones(1000)
    >>> result = cupricx.profiler.benchmark(cupric.sum, (x,), n_repeat=5)
    >>> result.cpu_times.shape, result.gpu_times.shape
    ((5,), (1, 5))
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
