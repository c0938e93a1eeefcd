"""What the factorisations return: tuples whose parts have the array API's names."""

from typing import NamedTuple

from cupric import _core

__all__ = ["EigResult", "EighResult", "QRResult", "SVDResult", "SlogdetResult"]


class EigResult(NamedTuple):
    """What `cupric.linalg.eig` returns."""

    eigenvalues: _core.ndarray
    eigenvectors: _core.ndarray


class EighResult(NamedTuple):
    """What `cupric.linalg.eigh` returns."""

    eigenvalues: _core.ndarray
    eigenvectors: _core.ndarray


class QRResult(NamedTuple):
    """What `cupric.linalg.qr` returns."""

    Q: _core.ndarray
    R: _core.ndarray


class SVDResult(NamedTuple):
    """What `cupric.linalg.svd` returns."""

    U: _core.ndarray
    S: _core.ndarray
    Vh: _core.ndarray


class SlogdetResult(NamedTuple):
    """What `cupric.linalg.slogdet` returns."""

    sign: _core.ndarray
    logabsdet: _core.ndarray
