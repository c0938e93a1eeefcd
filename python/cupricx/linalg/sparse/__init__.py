"""Equations with sparse matrices."""

from cupricx.linalg.sparse._solve import lschol

__all__ = ["lschol"]


def __dir__():
    return __all__
