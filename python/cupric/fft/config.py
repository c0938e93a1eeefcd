"""How transforms are made: the plans that are kept, as CuPy's programs set them."""

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


def get_plan_cache():
    """The plans that the current device keeps.

    Returns
    -------
    PlanCache
    """
    return PlanCache()


def clear_plan_cache():
    """Drop the plans that the current device keeps, and their memory."""
    PlanCache().clear()


def get_plan_cache_size():
    """How many plans the current device may keep."""
    return PlanCache().get_size()


def set_plan_cache_size(size):
    """Set how many plans the current device may keep.

    Parameters
    ----------
    size : int
        -1 is as many as there is place for; at most 256, of all devices.
    """
    PlanCache().set_size(size)


def get_plan_cache_max_memsize():
    """How many bytes the current device's plans may have; -1: any number."""
    return PlanCache().get_memsize()


def set_plan_cache_max_memsize(size):
    """Set how many bytes the memory of the current device's plans may have.

    Parameters
    ----------
    size : int
        -1 for any number.
    """
    PlanCache().set_memsize(size)


def show_plan_cache_info():
    """Print what the current device keeps."""
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
    """The callbacks in use: None, as there are none."""
    return None


class set_cufft_callbacks:  # named as CuPy's
    """Callbacks of cuFFT, which are not supported: apply functions before and after.

    Raises
    ------
    NotImplementedError
        Always.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            "cuFFT's callbacks: apply an ElementwiseKernel before or after a transform"
        )


def __getattr__(name):
    if name == "enable_nd_planning":
        import warnings

        warnings.warn(
            "enable_nd_planning has no effect: several axes are always one plan",
            DeprecationWarning,
            stacklevel=2,
        )
        return True
    raise AttributeError(f"module 'cupric.fft.config' has no attribute {name!r}")
