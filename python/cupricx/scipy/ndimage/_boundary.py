"""The modes of `scipy.ndimage`'s filters: what lies outside an array."""

__all__ = [
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


def mode_number(mode):
    """The number that kernels know a filter's mode by."""
    try:
        return _MODES[mode]
    except (KeyError, TypeError):
        raise ValueError(
            f"boundary mode not supported: {mode!r}; there are {', '.join(_MODES)}"
        ) from None
