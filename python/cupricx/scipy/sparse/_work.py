"""How much work the host device can have in hand."""

import functools

__all__ = ["cores_of"]


@functools.cache
def cores_of(device):
    """The cores of a host device, whose attributes take long to read.

    Parameters
    ----------
    device : cupric.cuda.Device

    Returns
    -------
    int
    """
    return device.attributes["MultiProcessorCount"]
