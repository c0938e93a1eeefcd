"""The modes of `scipy.ndimage`'s filters: what lies outside an array."""

__all__ = [
    "UnknownModeError",
    "mode_number",
]

_MODES = {  # numbers as in _boundary.cuh
    "reflect": 0,
    "grid-mirror": 0,
    "constant": 1,
    "grid-constant": 1,
    "nearest": 2,
    "mirror": 3,
    "wrap": 4,
    "grid-wrap": 4,
}


class UnknownModeError(RuntimeError, ValueError):
    """A mode that is none: a wrong value, which SciPy and CuPy call a RuntimeError."""

    def __init__(self, mode, modes):
        super().__init__(
            f"boundary mode not supported: {mode!r}; there are {', '.join(modes)}"
        )


def mode_number(mode):
    """The number that kernels know a filter's mode by."""
    try:
        return _MODES[mode]
    except (KeyError, TypeError):
        raise UnknownModeError(mode, _MODES) from None
