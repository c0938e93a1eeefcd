"""Comparison of arrays as wholes."""

from cupric._logic._comparison import allclose, array_equal, array_equiv, isclose
from cupric._logic._kinds import (
    iscomplex,
    iscomplexobj,
    isneginf,
    isposinf,
    isreal,
    isrealobj,
)

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
]
