"""DLPack capsules, by the names of an old CuPy. Prefer `from_dlpack`."""

from cupric import fromDlpack

__all__ = [
    "toDlpack",
]


def __dir__():
    return __all__


def toDlpack(array):
    """A DLPack capsule over the memory of `array`, which it keeps alive."""
    return array.toDlpack()
