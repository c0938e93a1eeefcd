"""The plans that a device keeps of its transforms."""

import operator

from cupric import _core

__all__ = [
    "PlanCache",
]


class PlanCache:
    """What a device keeps to make a transform of the same shape at once.

    On a GPU that are cuFFT's plans with the memory that they work in, those used last;
    on the host device nothing is kept.

    Parameters
    ----------
    size : int, optional
        How many plans may be kept; what is set, if left out.
    memsize : int, optional
        How many bytes their memory may have, -1 for any number.
    dev : int
        The device; -1 is the current one.
    """

    def __init__(self, size=None, memsize=None, dev=-1):
        self._device = _core.Device(dev) if dev >= 0 else _core.Device()
        if size is not None:
            self.set_size(size)
        if memsize is not None:
            self.set_memsize(memsize)

    def _ask(self, *limits):
        return _core._fft_cache(self._device, *limits)

    def get_size(self):
        """How many plans may be kept."""
        return self._ask()[2]

    def set_size(self, size):
        """Set how many plans may be kept: -1 is as many as there is place for."""
        size = _limit(size, "size")
        self._ask(MAX_PLANS if size < 0 else size)

    def get_curr_size(self):
        """How many plans are kept."""
        return self._ask()[0]

    def get_memsize(self):
        """How many bytes the plans' memory may have; -1: there is no limit."""
        return self._ask()[3]

    def set_memsize(self, memsize):
        """Set how many bytes the plans' memory may have, -1 for any number."""
        self._ask(None, _limit(memsize, "memsize"))

    def get_curr_memsize(self):
        """How many bytes the plans' memory has."""
        return self._ask()[1]

    def clear(self):
        """Drop all plans."""
        size = self.get_size()
        self._ask(0)
        self._ask(size)

    def show_info(self):
        """Print what is kept."""
        print(self)

    def __len__(self):
        return self.get_curr_size()

    def __repr__(self):
        plans, nbytes, size, memsize = self._ask()
        limit = "no limit" if memsize < 0 else f"at most {memsize}"
        return (
            f"plans of Fourier transforms on {self._device}: {plans} (at most {size}), "
            f"{nbytes} bytes ({limit})"
        )


MAX_PLANS = 256  # as in src/cuda/fft.c


def _limit(value, name):
    value = operator.index(value)
    if value < -1:
        raise ValueError(f"{name} must be -1, for no limit, or more, not {value}")
    return value
