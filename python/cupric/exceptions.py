"""Exceptions and warnings that functions of the package raise."""

from numpy.exceptions import (
    AxisError,
    ComplexWarning,
    ModuleDeprecationWarning,
    RankWarning,
    TooHardError,
    VisibleDeprecationWarning,
)
from numpy.linalg import LinAlgError

__all__ = [
    "AxisError",
    "ComplexWarning",
    "LinAlgError",
    "ModuleDeprecationWarning",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
]
