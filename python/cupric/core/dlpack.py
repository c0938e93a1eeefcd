"""DLPack capsules, by the names of CuPy before version 8. Prefer `cupric.from_dlpack`."""

from cupric import fromDlpack


def toDlpack(array):
    """A DLPack capsule over the memory of `array`, which it keeps alive."""
    return array.toDlpack()
