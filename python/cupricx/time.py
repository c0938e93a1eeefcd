"""`cupyx.time`, which programs use that were written before `cupricx.profiler`."""

import math
import warnings

from cupricx.profiler import benchmark

__all__ = [
    "repeat",
]


def __dir__():
    return __all__


def repeat(
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
    """Deprecated: `cupricx.profiler.benchmark` under its old name.

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
        What `benchmark` returns.

    See Also
    --------
    cupricx.profiler.benchmark

    Examples
    --------
    >>> import cupricx.time
    >>> x = cupric.ones(1000)
    >>> cupricx.time.repeat(cupric.sum, (x,), n_repeat=5).cpu_times.shape
    (5,)
    """
    warnings.warn(
        "cupricx.time.repeat is deprecated: use cupricx.profiler.benchmark, with the "
        "same arguments",
        DeprecationWarning,
        stacklevel=2,
    )
    return benchmark(
        func,
        args,
        kwargs,
        n_repeat,
        name=name,
        n_warmup=n_warmup,
        max_duration=max_duration,
        devices=devices,
    )
