"""get_runtime_info: what the package found on this machine."""

from cupric._lib.core import Config

__all__ = [
    "get_runtime_info",
]


def get_runtime_info(*, full=True):
    """Versions, devices, libraries and settings: what a bug report should hold.

    Parameters
    ----------
    full : bool
        Look for devices, and the libraries that work on them, too.

    Returns
    -------
    object
        `print` it, or read its attributes.

    Examples
    --------
    >>> "NumPy version" in str(cupricx.get_runtime_info())
    True
    """
    return Config(full)
