"""Conversions to and from matrices of a state space."""

import numpy as np

from cupricx.scipy.signal._design._forms import normalize, tf2zpk, zpk2tf
from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["abcd_normalize", "ss2tf", "ss2zpk", "tf2ss", "zpk2ss"]


def _two_axes(m, name):
    """A matrix; None where there is none. Numbers and rows become matrices."""
    if m is None:
        return None
    m = np.atleast_2d(m)
    if m.ndim != 2:
        raise ValueError(f"{name} must have at most two axes, its shape is {m.shape}")
    return m


def _length(about, *choices):
    """The first length that a matrix has."""
    for m, axis in choices:
        if m is not None and m.shape[axis] > 0:
            return m.shape[axis]
    for m, axis in choices:
        if m is not None:
            return m.shape[axis]
    raise ValueError(about)


@on_host
def abcd_normalize(A=None, B=None, C=None, D=None):
    """Check the matrices of a state space, and make those that are not there.

    Parameters
    ----------
    A, B, C, D : array_like, optional
        Of shapes (n, n), (n, p), (q, n) and (q, p).

    Returns
    -------
    A, B, C, D : cupric.ndarray, two-dimensional
        What was not passed is zero.

    Raises
    ------
    ValueError
        Shapes do not fit together, or a length follows from none.

    Examples
    --------
    >>> from cupricx.scipy.signal import abcd_normalize
    >>> A, B, C, D = abcd_normalize([[1, 2], [3, 4]], [[-1], [5]], [[4, 5]])
    >>> D
    array([[0.]])
    """
    given = {"A": A, "B": B, "C": C, "D": D}
    A, B, C, D = (_two_axes(m, name) for name, m in given.items())
    n = _length(
        "Dimension n is undefined for parameters A = B = C = None!",
        *((A, 0), (B, 0), (C, 1)),
    )
    p = _length("Dimension p is undefined for parameters B = D = None!", (B, 1), (D, 1))
    q = _length("Dimension q is undefined for parameters C = D = None!", (C, 0), (D, 0))
    shapes = {"A": (n, n), "B": (n, p), "C": (q, n), "D": (q, p)}
    made = []
    for m, (name, shape) in zip((A, B, C, D), shapes.items(), strict=True):
        if m is None:
            m = np.zeros(shape, float)
        elif m.shape != shape and m.size == 0:
            m = np.zeros(shape, m.dtype)
        if m.shape != shape:
            raise ValueError(
                f"Parameter {name} has shape {m.shape} but should be {shape}!"
            )
        made.append(m)
    return tuple(made)


@on_host
def tf2ss(num, den):
    """State space of a transfer function, in controller canonical form.

    Parameters
    ----------
    num, den : array_like
        Coefficients of the numerator and the denominator, the highest power first.
        `num` may have a row for each output.

    Returns
    -------
    A, B, C, D : cupric.ndarray, two-dimensional

    Raises
    ------
    ValueError
        The order of the numerator is the higher one.

    Examples
    --------
    >>> from cupricx.scipy.signal import tf2ss
    >>> A, B, C, D = tf2ss([1, 3, 3], [1, 2, 1])
    >>> A
    array([[-2., -1.],
           [ 1.,  0.]])
    >>> C
    array([[1., 2.]])
    """
    num, den = normalize.on_host(num, den)
    num = np.atleast_2d(num)
    more = den.size - num.shape[1]
    if more < 0:
        raise ValueError(
            "Improper transfer function. `num` is longer than `den`: "
            f"{num.shape[1]} and {den.size} coefficients"
        )
    if num.shape[1] == 0 or den.size == 0:
        none = np.array([], float)
        return none, none, none, none
    num = np.hstack([np.zeros((num.shape[0], more), num.dtype), num])
    outputs, n = num.shape[0], den.size - 1
    D = num[:, :1]
    if n == 0:
        return (
            np.zeros((1, 1), float),
            np.zeros((1, 1), float),
            np.zeros((outputs, 1), float),
            D,
        )
    A = np.vstack([-den[1:], np.eye(n - 1, n)])
    return A, np.eye(n, 1), num[:, 1:] - D * den[1:], D


@on_host
def ss2tf(A, B, C, D, input=0):
    """Transfer function of a state space.

    Parameters
    ----------
    A, B, C, D : array_like
        Of shapes (n, n), (n, p), (q, n) and (q, p).
    input : int, optional
        Which of the inputs.

    Returns
    -------
    num : cupric.ndarray, two-dimensional
        A row for each output.
    den : cupric.ndarray, one-dimensional

    Raises
    ------
    ValueError
        Shapes do not fit together, or there is no such input.

    Examples
    --------
    >>> from cupricx.scipy.signal import ss2tf
    >>> ss2tf([[-2, -1], [1, 0]], [[1], [0]], [[1, 2]], [[1]])
    (array([[1., 3., 3.]]), array([1., 2., 1.]))
    """
    A, B, C, D = abcd_normalize.on_host(A, B, C, D)
    outputs, inputs = D.shape
    if input >= inputs:
        raise ValueError(
            f"System does not have the input specified: input={input} of {inputs}"
        )
    B, D = B[:, input : input + 1], D[:, input]
    if A.size == 0:
        if D.size == 0:
            return D.ravel(), np.array([], float)
        return D.reshape(outputs, 1).astype(float), np.ones(1, float)
    den = np.poly(A)
    dtype = np.result_type(A.dtype, B.dtype, C.dtype, D.dtype, np.float64)
    num = np.empty((outputs, A.shape[0] + 1), dtype)
    for k in range(outputs):
        # det(s I - A + B C) is the denominator and what the output adds to it.
        num[k] = np.poly(A - B * C[k]) + (D[k] - 1) * den
    return num, den


@on_host
def zpk2ss(z, p, k):
    """State space of zeros, poles and gain, in controller canonical form.

    Parameters
    ----------
    z, p : array_like
        Zeros and poles.
    k : number
        The gain.

    Returns
    -------
    A, B, C, D : cupric.ndarray, two-dimensional

    Examples
    --------
    >>> from cupricx.scipy.signal import zpk2ss
    >>> A, B, C, D = zpk2ss([1], [2, 3], 4)
    >>> A
    array([[ 5., -6.],
           [ 1.,  0.]])
    """
    return tf2ss.on_host(*zpk2tf.on_host(z, p, k))


@on_host
def ss2zpk(A, B, C, D, input=0):
    """Zeros, poles and gain of a state space.

    Parameters
    ----------
    A, B, C, D : array_like
        Of shapes (n, n), (n, p), (q, n) and (q, p).
    input : int, optional
        Which of the inputs.

    Returns
    -------
    z, p : cupric.ndarray
        Zeros and poles.
    k : float
        The gain.

    Examples
    --------
    >>> from cupricx.scipy.signal import ss2zpk
    >>> z, p, k = ss2zpk([[5, -6], [1, 0]], [[1], [0]], [[0, -6]], [[1]])
    >>> z
    array([5., 0.])
    """
    return tf2zpk.on_host(*ss2tf.on_host(A, B, C, D, input))
