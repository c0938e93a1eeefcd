"""How transforms are made: the plans that are kept, as CuPy's programs set them."""

import sys
import types
import warnings

from cupric.fft._cache import PlanCache

__all__ = [
    "clear_plan_cache",
    "devices",
    "get_current_callback_manager",
    "get_plan_cache",
    "get_plan_cache_max_memsize",
    "get_plan_cache_size",
    "set_cufft_callbacks",
    "set_cufft_gpus",
    "set_plan_cache_max_memsize",
    "set_plan_cache_size",
    "show_plan_cache_info",
    "use_multi_gpus",
]

use_multi_gpus = False  # a transform is one device's
devices = None


def __dir__():
    return __all__


def get_plan_cache():
    """The cache of the current device's plans.

    Returns
    -------
    PlanCache
        Its limits and what it holds. Each call makes a new view of the one that the
        device has.

    Examples
    --------
    >>> cache = cp.fft.config.get_plan_cache()
    >>> len(cache) <= cache.get_size()
    True
    """
    return PlanCache()


def clear_plan_cache():
    """Drop the plans that the current device keeps, and their memory.

    Examples
    --------
    >>> y = cp.fft.fft(cp.arange(8.0))
    >>> cp.fft.config.clear_plan_cache()
    >>> len(cp.fft.config.get_plan_cache())
    0
    """
    PlanCache().clear()


def get_plan_cache_size():
    """How many plans the current device may keep.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.fft.config.get_plan_cache_size()
    32
    """
    return PlanCache().get_size()


def set_plan_cache_size(size):
    """Set how many plans the current device may keep.

    Parameters
    ----------
    size : int
        -1 is as many as there is place for; at most 256, of all devices.

    Raises
    ------
    ValueError
        `size` is below -1.

    Examples
    --------
    >>> before = cp.fft.config.get_plan_cache_size()
    >>> cp.fft.config.set_plan_cache_size(4)
    >>> cp.fft.config.get_plan_cache_size()
    4
    >>> cp.fft.config.set_plan_cache_size(before)
    """
    PlanCache().set_size(size)


def get_plan_cache_max_memsize():
    """How many bytes of memory the current device's plans may have.

    Returns
    -------
    int
        -1 where there is no limit.

    Examples
    --------
    >>> cp.fft.config.get_plan_cache_max_memsize()
    -1
    """
    return PlanCache().get_memsize()


def set_plan_cache_max_memsize(size):
    """Set how many bytes of memory the current device's plans may have.

    Parameters
    ----------
    size : int
        -1 for any number.

    Raises
    ------
    ValueError
        `size` is below -1.

    Examples
    --------
    >>> cp.fft.config.set_plan_cache_max_memsize(2**30)
    >>> cp.fft.config.get_plan_cache_max_memsize()
    1073741824
    >>> cp.fft.config.set_plan_cache_max_memsize(-1)
    """
    PlanCache().set_memsize(size)


def show_plan_cache_info():
    """Print how many plans the current device keeps, their memory, and the limits.

    Examples
    --------
    >>> cp.fft.config.clear_plan_cache()
    >>> cp.fft.config.show_plan_cache_info()  # on a GPU: <CUDA Device 0>
    plans of Fourier transforms on <...Device 0>: 0 (at most 32), 0 bytes (no limit)
    """
    PlanCache().show_info()


def set_cufft_gpus(gpus):
    """Say which GPUs share a transform: it is always one.

    Parameters
    ----------
    gpus : int or list of int
        How many, or which.

    Raises
    ------
    NotImplementedError
        For more than one.

    Examples
    --------
    >>> cp.fft.config.set_cufft_gpus(1)
    >>> cp.fft.config.devices
    [0]
    >>> cp.fft.config.set_cufft_gpus(0)  # forgets them
    """
    global devices
    chosen = list(range(gpus)) if isinstance(gpus, int) else list(gpus)
    if len(chosen) > 1:
        raise NotImplementedError(
            f"a transform over {len(chosen)} GPUs: transform the parts of a batch on "
            "each, within `with cupric.cuda.Device(i)`"
        )
    devices = chosen or None


def get_current_callback_manager():
    """The callbacks in use: None, as there are none.

    Returns
    -------
    None

    Examples
    --------
    >>> cp.fft.config.get_current_callback_manager() is None
    True
    """
    return None


class set_cufft_callbacks:  # named as CuPy's
    """Callbacks of cuFFT, which are not supported: apply functions before and after.

    Parameters
    ----------
    *args, **kwargs
        Any.

    Raises
    ------
    NotImplementedError
        Always.

    Examples
    --------
    Multiply before a transform, which a load callback would do:

    >>> x, window = cp.arange(4.0), cp.hanning(4)
    >>> cp.fft.rfft(x * window).shape
    (3,)
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            "cuFFT's callbacks: apply an ElementwiseKernel before or after a transform"
        )


class _Config(types.ModuleType):
    """This module, whose deprecated setting warns on reading and on writing."""

    @property
    def enable_nd_planning(self):
        _warn_of_planning()
        return self.__dict__.get("_nd_planning", True)

    @enable_nd_planning.setter
    def enable_nd_planning(self, value):
        _warn_of_planning()
        self.__dict__["_nd_planning"] = value


def _warn_of_planning():
    warnings.warn(
        "enable_nd_planning has no effect: several axes are always one plan",
        DeprecationWarning,
        stacklevel=3,
    )


sys.modules[__name__].__class__ = _Config
