"""Matrices that few numbers make: strided views of these, copied at once."""

import math

import numpy as np

import cupric as cp
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import warn

__all__ = [
    "circulant",
    "companion",
    "convolution_matrix",
    "dft",
    "fiedler",
    "fiedler_companion",
    "hadamard",
    "hankel",
    "helmert",
    "hilbert",
    "leslie",
    "toeplitz",
]


def _vectors(x, name):
    x = arguments.array(x, name)
    return x.reshape(1) if x.ndim == 0 else x


def _bands(values, first, shape, down, right):
    """The matrices whose elements are those of `values`, (..., k): the first one at
    `first`, the next one below `down` further, that to the right `right` further."""
    batch, step = values.shape[:-1], values.strides[-1]
    if math.prod((*batch, *shape)) == 0:
        return cp.empty((*batch, *shape), values.dtype, device=values.device)
    view = cp.lib.stride_tricks.as_strided(
        values[..., first:],
        (*batch, *shape),
        (*values.strides[:-1], down * step, right * step),
    )
    return view.copy()


def _stack(a, n):
    """The vectors of a stack, repeated for the stack of another of shape n."""
    shape = np.broadcast_shapes(a.shape[:-1], n)
    return a if a.shape[:-1] == shape else cp.broadcast_to(a, (*shape, a.shape[-1]))


@where_it_lives
def toeplitz(c, r=None):
    """Toeplitz matrices: the elements of a diagonal are the same.

    Parameters
    ----------
    c : cupric.ndarray, shape (..., m)
        The first column.
    r : cupric.ndarray, shape (..., n), optional
        The first row, whose first element is not read; the conjugate of `c` by default.

    Returns
    -------
    cupric.ndarray, shape (..., m, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import toeplitz
    >>> toeplitz(cp.array([1, 2, 3]), cp.array([1, 4, 5]))
    array([[1, 4, 5],
           [2, 1, 4],
           [3, 2, 1]])
    """
    c = _vectors(c, "c")
    r = c.conj() if r is None else _vectors(r, "r")
    m, n = c.shape[-1], r.shape[-1]
    c, r = _stack(c, r.shape[:-1]), _stack(r, c.shape[:-1])
    values = cp.concatenate((c[..., ::-1], r[..., 1:]), -1)
    return _bands(values, m - 1, (m, n), -1, 1)


@where_it_lives
def circulant(c):
    """Circulant matrices: each column is the one before, moved down by one.

    Parameters
    ----------
    c : cupric.ndarray, shape (..., n)
        The first column.

    Returns
    -------
    cupric.ndarray, shape (..., n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import circulant
    >>> circulant(cp.array([1, 2, 3]))
    array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]])
    """
    c = _vectors(c, "c")
    n = c.shape[-1]
    values = cp.concatenate((c[..., ::-1], c[..., :0:-1]), -1)
    return _bands(values, n - 1, (n, n), -1, 1)


@where_it_lives
def hankel(c, r=None):
    """Hankel matrix: the elements of a diagonal that rises are the same.

    Parameters
    ----------
    c : cupric.ndarray, shape (m,)
        The first column.
    r : cupric.ndarray, shape (n,), optional
        The last row, whose first element is not read; zeros by default.

    Returns
    -------
    cupric.ndarray, shape (m, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import hankel
    >>> hankel(cp.array([1, 2, 3]))
    array([[1, 2, 3],
           [2, 3, 0],
           [3, 0, 0]])
    """
    c = _vectors(c, "c")
    r = cp.zeros_like(c) if r is None else _vectors(r, "r")
    if c.ndim > 1 or r.ndim > 1:
        warn(
            "hankel takes arrays of several dimensions as flat, and will take them as "
            "stacks, as SciPy 1.19: pass c.ravel()",
            FutureWarning,
            stacklevel=2,
        )
        c, r = c.ravel(), r.ravel()
    values = cp.concatenate((c, r[1:]))
    return _bands(values, 0, (c.size, r.size), 1, 1)


def hadamard(n, dtype=int):
    """Hadamard matrix of Sylvester's construction: 1 and -1, orthogonal columns.

    Parameters
    ----------
    n : int
        Rows and columns: a power of 2.
    dtype : data-type, optional

    Returns
    -------
    cupric.ndarray, shape (n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import hadamard
    >>> hadamard(2)
    array([[ 1,  1],
           [ 1, -1]])
    """
    if n < 1 or n != int(n) or int(n) & (int(n) - 1):
        raise ValueError(f"n must be a positive power of 2, not {n}")
    n = int(n)
    one = np.ones(1, dtype)
    if n == 1:
        return cp.array(one[:, None])
    signs = cp.array(np.concatenate((one, -one)))
    i = cp.arange(n, dtype=np.min_scalar_type(n - 1))
    odd = cp.bitwise_count(i[:, None] & i) & np.uint8(1)
    return cp.where(odd, signs[1], signs[0])


@where_it_lives
def leslie(f, s):
    """Leslie matrices: fecundities in the first row, survival below the diagonal.

    Parameters
    ----------
    f : cupric.ndarray, shape (..., n)
    s : cupric.ndarray, shape (..., n - 1)

    Returns
    -------
    cupric.ndarray, shape (..., n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import leslie
    >>> leslie(cp.array([0.0, 2.0, 1.0]), cp.array([0.5, 0.25]))
    array([[0.  , 2.  , 1.  ],
           [0.5 , 0.  , 0.  ],
           [0.  , 0.25, 0.  ]])
    """
    f, s = _vectors(f, "f"), _vectors(s, "s")
    n = f.shape[-1]
    if n != s.shape[-1] + 1:
        raise ValueError(
            "Incorrect lengths for f and s. The length of s along the last axis must "
            f"be one less than the length of f: they are {s.shape[-1]} and {n}"
        )
    if n < 2:
        raise ValueError("The length of s must be at least 1.")
    batch = np.broadcast_shapes(f.shape[:-1], s.shape[:-1])
    dtype = np.result_type(f.dtype, s.dtype)
    a = cp.zeros((*batch, n, n), dtype, device=f.device)
    a[..., 0, :] = f
    a.diagonal(-1, -2, -1)[...] = s
    return a


@where_it_lives
def companion(a):
    """Companion matrices of polynomials.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n)
        Coefficients, the first of which is not 0, for which the call waits for the
        device.

    Returns
    -------
    cupric.ndarray, shape (..., n - 1, n - 1)

    Examples
    --------
    >>> from cupricx.scipy.linalg import companion
    >>> companion(cp.array([1.0, -6.0, 11.0, -6.0]))
    array([[  6., -11.,   6.],
           [  1.,   0.,   0.],
           [  0.,   1.,   0.]])
    """
    a = _vectors(a, "a")
    n = a.shape[-1]
    if n < 2:
        raise ValueError(
            f"The length of `a` along the last axis must be at least 2: it is {n}"
        )
    if bool((a[..., 0] == 0).any()):
        raise ValueError(
            "The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not "
            "be zero."
        )
    row = -a[..., 1:] / (1.0 * a[..., :1])
    c = cp.zeros((*a.shape[:-1], n - 1, n - 1), row.dtype, device=a.device)
    c[..., 0, :] = row
    if n > 2:
        c.diagonal(-1, -2, -1)[...] = 1
    return c


def helmert(n, full=False):
    """Helmert matrix: orthonormal rows, all but the first of which sum to 0.

    Parameters
    ----------
    n : int
    full : bool, optional
        With the first row, of equal elements.

    Returns
    -------
    cupric.ndarray of float64, shape (n - 1, n), or (n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import helmert
    >>> helmert(2, full=True)
    array([[ 0.70710678,  0.70710678],
           [ 0.70710678, -0.70710678]])
    """
    j = cp.arange(n)
    i = j[:, None]
    h = (j < i) - cp.where(i == j, i, 0).astype(np.float64)
    d = i * (i + 1)
    if n:
        h[0] = 1
        d[0] = n
    h = h / cp.sqrt(d)
    return h if full else h[1:]


def hilbert(n):
    """Hilbert matrix: ``1 / (i + j + 1)``.

    Parameters
    ----------
    n : int

    Returns
    -------
    cupric.ndarray of float64, shape (n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import hilbert
    >>> hilbert(2)
    array([[1.        , 0.5       ],
           [0.5       , 0.33333333]])
    """
    values = 1.0 / (1.0 + cp.arange(2 * n - 1))
    return _bands(values, 0, (n, n), 1, 1)


def dft(n, scale=None):
    """The matrix of the discrete Fourier transform: ``dft(n) @ x`` is ``fft(x)``.

    Parameters
    ----------
    n : int
    scale : {None, 'sqrtn', 'n'}, optional
        Divide by ``sqrt(n)``, or by `n`.

    Returns
    -------
    cupric.ndarray of complex128, shape (n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import dft
    >>> dft(2).real
    array([[ 1.,  1.],
           [ 1., -1.]])
    """
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(
            f"scale must be None, 'sqrtn', or 'n'; {scale!r} is not valid."
        )
    k = cp.arange(n)
    omegas = cp.exp(-2j * np.pi * k / n) if n else cp.empty(0, np.complex128)
    if scale is not None and n:
        omegas = omegas / (math.sqrt(n) if scale == "sqrtn" else n)
    # The powers of the first root are roots, too: none is rounded twice.
    return omegas[k[:, None] * k % n] if n else omegas.reshape(0, 0)


@where_it_lives
def fiedler(a):
    """Fiedler matrices: ``abs(a[i] - a[j])``.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n)

    Returns
    -------
    cupric.ndarray, shape (..., n, n)

    Examples
    --------
    >>> from cupricx.scipy.linalg import fiedler
    >>> fiedler(cp.array([1, 4, 6]))
    array([[0, 3, 5],
           [3, 0, 2],
           [5, 2, 0]])
    """
    a = _vectors(a, "a")
    if a.size == 0:
        return cp.empty((*a.shape, a.shape[-1]), device=a.device)
    if a.size == 1:
        return cp.zeros((1, 1), device=a.device)
    return cp.abs(a[..., :, None] - a[..., None, :])


@where_it_lives
def fiedler_companion(a):
    """Fiedler's companion matrices: of five diagonals, with the eigenvalues of
    `companion`.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., n)
        Coefficients of a polynomial, the first of which is not 0, for which the call
        waits for the device.

    Returns
    -------
    cupric.ndarray, shape (..., n - 1, n - 1)

    Examples
    --------
    >>> from cupricx.scipy.linalg import fiedler_companion
    >>> fiedler_companion(cp.array([1.0, -6.0, 11.0, -6.0]))
    array([[  6., -11.,   1.],
           [  1.,   0.,   0.],
           [  0.,   6.,   0.]])
    """
    a = _vectors(a, "a")
    n = a.shape[-1] - 1
    if n < 1:
        return cp.empty((*a.shape[:-1], 0, 0), a.dtype, device=a.device)
    if n == 1:
        return -(a / a[..., :1])[..., 1:, None]
    if bool((a[..., 0] == 0).any()):
        raise ValueError("Leading coefficient is zero.")
    a = a / a[..., :1]
    c = cp.zeros((*a.shape[:-1], n, n), a.dtype, device=a.device)
    if n > 2:
        c.diagonal(-2, -2, -1)[..., 1::2] = 1
        c.diagonal(2, -2, -1)[..., 0::2] = 1
    c.diagonal(-1, -2, -1)[..., 1::2] = -a[..., 3::2]
    c.diagonal(1, -2, -1)[..., 0::2] = -a[..., 2::2]
    c[..., 0, 0] = -a[..., 1]
    c[..., 1, 0] = 1
    return c


@where_it_lives
def convolution_matrix(a, n, mode="full"):
    """The matrices by which a vector of length `n` is convolved with `a`.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m)
    n : int
    mode : {'full', 'valid', 'same'}, optional
        As `numpy.convolve`'s.

    Returns
    -------
    cupric.ndarray, shape (..., k, n)
        k is ``m + n - 1``, ``max(m, n)`` for 'same', ``abs(m - n) + 1`` for 'valid'.

    Examples
    --------
    >>> from cupricx.scipy.linalg import convolution_matrix
    >>> convolution_matrix(cp.array([-1, 4, -2]), 3, mode="same")
    array([[ 4, -1,  0],
           [-2,  4, -1],
           [ 0, -2,  4]])
    """
    if n <= 0:
        raise ValueError(f"n must be a positive integer, not {n}.")
    a = arguments.array(a, "a")
    if a.size == 0 or a.ndim == 0:
        raise ValueError(f"len(a) must be at least 1: the shape of a is {a.shape}")
    if mode not in ("full", "valid", "same"):
        raise ValueError(
            f"'mode' argument must be one of ('full', 'valid', 'same'), not {mode!r}"
        )
    m = a.shape[-1]
    trim = 0 if mode == "full" else min(m, n) - 1
    top = trim // 2 if mode == "same" else trim
    rows = m + n - 1 - trim - (top if mode == "valid" else 0)
    zeros = cp.zeros((*a.shape[:-1], n - 1), a.dtype, device=a.device)
    values = cp.concatenate((zeros, a, zeros), -1)
    return _bands(values, n - 1 + top, (rows, n), 1, -1)
