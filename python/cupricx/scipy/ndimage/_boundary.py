"""The modes of `scipy.ndimage`'s filters: what lies outside an array."""

import functools

from cupric._lib.kernels import declarations

__all__ = [
    "UnknownModeError",
    "mode_number",
]

_MODES = {
    "reflect": "REFLECT",
    "grid-mirror": "REFLECT",
    "constant": "CONSTANT",
    "grid-constant": "CONSTANT",
    "nearest": "NEAREST",
    "mirror": "MIRROR",
    "wrap": "WRAP",
    "grid-wrap": "WRAP",
}


class UnknownModeError(RuntimeError, ValueError):
    """A mode that is none: a wrong value, which SciPy and CuPy call a RuntimeError."""

    def __init__(self, mode, modes):
        super().__init__(
            f"boundary mode not supported: {mode!r}; there are {', '.join(modes)}"
        )


@functools.cache
def _numbers():
    """The number of each mode, as _boundary.h has it."""
    enum = declarations(__file__).enum
    return {mode: getattr(enum, name) for mode, name in _MODES.items()}


def mode_number(mode):
    """The number that kernels know a filter's mode by."""
    try:
        return _numbers()[mode]
    except (KeyError, TypeError):
        raise UnknownModeError(mode, _MODES) from None
