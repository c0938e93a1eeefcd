"""Measuring how long functions take, on the CPU and on the device."""

from cupricx.profiler._benchmark import benchmark
from cupricx.profiler._magics import register_magics
from cupricx.profiler._ranges import profile, time_range

__all__ = [
    "benchmark",
    "load_ipython_extension",
    "profile",
    "time_range",
]


def __dir__():
    return __all__


def load_ipython_extension(ipython):
    """``%load_ext cupricx.profiler`` gives ``%gpu_timeit``, as `benchmark` measures.

    Parameters
    ----------
    ipython : IPython.InteractiveShell

    Examples
    --------
    >>> %load_ext cupricx.profiler  # doctest: +SKIP
    >>> %gpu_timeit cupric.sort(x)  # doctest: +SKIP
    """
    register_magics(ipython)
