"""What CuPy's linear algebra has beyond NumPy's."""

from cupricx._below import modules_below
from cupricx.linalg._cholesky import cho_solve, invh

__all__ = ["cho_solve", "invh"]


__getattr__, __dir__ = modules_below(__name__, __path__, globals())
