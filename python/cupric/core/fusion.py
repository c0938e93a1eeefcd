"""`cupy._core.fusion`: functions that are marked to be fused."""

from cupric._functional._fuse import Fusion, fuse

__all__ = [
    "Fusion",
    "fuse",
]
