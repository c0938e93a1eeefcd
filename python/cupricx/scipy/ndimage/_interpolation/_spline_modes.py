"""The boundary modes of interpolation."""

import functools

from cupric._lib.kernels import declarations
from cupricx.scipy.ndimage._boundary import UnknownModeError

__all__ = ["boundary_mode"]

# By mode, names of _spline_modes.h: of coordinates; where a spline reaches out of its
# coefficients; how the samples go on; and the coefficients on each side besides, for
# orders of more than 1.
_MODES = {
    "reflect": ("REFLECT", "REFLECT", "REFLECT", 0),
    "grid-mirror": ("REFLECT", "REFLECT", "REFLECT", 0),
    "constant": ("CONSTANT", "MIRROR", "MIRROR", 0),
    "nearest": ("NEAREST", "NEAREST", "REFLECT", 12),
    "mirror": ("MIRROR", "MIRROR", "MIRROR", 0),
    "wrap": ("WRAP", "MIRROR", "MIRROR", 0),
    "grid-wrap": ("GRID_WRAP", "WRAP", "WRAP", 0),
    "grid-constant": ("NEAREST", "CONSTANT", "MIRROR", 12),
}


class _Mode:
    """What a mode means: for coordinates, for coefficients, and for their filter."""

    def __init__(self, coordinates, around, filtered, pad):
        enum = declarations(__file__).enum
        self.coordinates, self.around, self.filtered, self.pad = (
            *(getattr(enum, name) for name in (coordinates, around, filtered)),
            pad,
        )
        # outside of the samples is nothing but the constant
        self.is_constant = coordinates == "CONSTANT"
        self.ends_constant = "CONSTANT" in (coordinates, around)  # far enough outside


@functools.cache
def _mode(mode):
    return _Mode(*_MODES[mode])


def boundary_mode(mode):
    try:
        return _mode(mode)
    except (KeyError, TypeError):
        raise UnknownModeError(mode, _MODES) from None
