"""Products of matrices, and what matrices are made of."""

import numpy as np

import cupric as cp
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library, replayed

__all__ = ["bandwidth", "block_diag", "khatri_rao"]

_library = Library(__file__)


def _example(xp):
    a = xp.asarray(np.arange(5 * 40) % 7 > 5).reshape(5, 40)
    made = [_reach(a), _reach(xp.ascontiguousarray(a.T)), _reach(a.reshape(2, 5, 20))]
    return [*made, *(_reach(a.astype(t)) for t in "fdFD")]


_READ = "fdFD"  # of these dtypes the kernel reads matrices themselves
_row_reach = _library.kernel(
    "row_reach<T>", elements="rows", ships="? f d F D", example=_example
)


@replayed
def _reach(a):
    """How far each row goes to the left and to the right of the diagonal."""
    *batch, m, n = a.shape
    reach = cp.empty((2, *batch, m), np.int64)
    _row_reach[a.dtype](a=a, reach=reach, rows=reach.size // 2, m=m, n=n)
    return reach


def _copied(x, name):
    """An array, a NumPy array copied to the device: what is done with it is composed of
    operations, and a matrix is small beside them."""
    return cp.asarray(x) if isinstance(x, np.ndarray) else arguments.array(x, name)


@where_it_lives
def bandwidth(a):
    """How many diagonals below and above the main one have elements that are not 0.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, n)

    Returns
    -------
    lower, upper : int, or cupric.ndarray of int64, shape (...)
        For one matrix the call waits for the device.

    Examples
    --------
    >>> from cupricx.scipy.linalg import bandwidth
    >>> bandwidth(cp.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]]))
    (0, 1)
    """
    a = _copied(a, "a")
    if a.ndim < 2:
        raise ValueError(
            f"Input array must be at least two-dimensional: the shape of a is {a.shape}"
        )
    if a.dtype.char not in _READ or not a.flags.c_contiguous:
        a = cp.not_equal(a, 0, order="C")
    both = _reach(a).max(-1, initial=0)
    lower, upper = both if a.ndim > 2 else both.tolist()
    return lower, upper


@where_it_lives
def block_diag(*arrs):
    """A matrix that has the given ones along its diagonal, and is 0 elsewhere.

    Parameters
    ----------
    *arrs : cupric.ndarray, shapes (..., m, n)
        One axis counts as a row; the leading axes are broadcast.

    Returns
    -------
    cupric.ndarray, shape (..., sum of m, sum of n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import block_diag
    >>> block_diag(cp.array([[1, 2]]), cp.array([[3], [4]]))
    array([[1, 2, 0],
           [0, 0, 3],
           [0, 0, 4]])
    """
    arrs = [cp.atleast_2d(arguments.array(a, "arrs")) for a in arrs]
    if not arrs:
        arrs = [cp.empty((1, 0))]
    batch = np.broadcast_shapes(*(a.shape[:-2] for a in arrs))
    rows = sum(a.shape[-2] for a in arrs)
    columns = sum(a.shape[-1] for a in arrs)
    dtype = np.result_type(*(a.dtype for a in arrs))
    out = cp.zeros((*batch, rows, columns), dtype, device=arrs[0].device)
    i = j = 0
    for a in arrs:
        m, n = a.shape[-2:]
        out[..., i : i + m, j : j + n] = a
        i, j = i + m, j + n
    return out


@where_it_lives
def khatri_rao(a, b):
    """Khatri-Rao product: the Kronecker products of the columns of two matrices.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, k)
    b : cupric.ndarray, shape (..., n, k)

    Returns
    -------
    cupric.ndarray, shape (..., m * n, k)

    Examples
    --------
    >>> from cupricx.scipy.linalg import khatri_rao
    >>> khatri_rao(cp.array([[1, 2], [3, 4]]), cp.array([[1, 1], [0, 10]]))
    array([[ 1,  2],
           [ 0, 20],
           [ 3,  4],
           [ 0, 40]])
    """
    a, b = _copied(a, "a"), _copied(b, "b")
    if a.ndim < 2 or b.ndim < 2:
        raise ValueError(
            f"The both arrays should be 2-dimensional: they are {a.shape} and {b.shape}"
        )
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(
            "The number of columns for both arrays should be equal: they are "
            f"{a.shape[-1]} and {b.shape[-1]}"
        )
    c = a[..., :, None, :] * b[..., None, :, :]
    return c.reshape(*c.shape[:-3], a.shape[-2] * b.shape[-2], a.shape[-1])
