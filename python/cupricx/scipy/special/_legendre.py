"""Legendre functions of integer degree and order, with derivatives, and spherical
harmonics: one of each point, or all up to a degree and an order at once."""

import operator

import numpy as np

from cupric import _core
from cupric._lib.core import contiguous, where_it_lives
from cupric._lib.kernels import Library

__all__ = [
    "assoc_legendre_p",
    "assoc_legendre_p_all",
    "legendre_p",
    "legendre_p_all",
    "sph_harm_y",
    "sph_harm_y_all",
    "sph_legendre_p",
    "sph_legendre_p_all",
]

_library = Library(__file__)


def _example_of_points(xp):
    from cupricx.scipy import special

    n, m = xp.asarray(np.arange(6)), xp.asarray(np.arange(-2, 4))
    z = xp.asarray(np.linspace(-0.9, 1, 6))
    made = []
    for diff_n in range(3):
        made.append(special.legendre_p(n, z, diff_n=diff_n))
        made.append(special.sph_legendre_p(n, m, z, diff_n=diff_n))
    made.append(special.assoc_legendre_p(n, m, z + 0.25j, norm=True))
    made += special.sph_harm_y(n, m, z, z * 2, diff_n=2)
    made += special.sph_harm_y(n, m, z, 0.5, diff_n=1)
    return [*made, special.sph_harm_y(n, m, z, 0.5)]


def _example_of_orders(xp):
    from cupricx.scipy import special

    z = xp.asarray(np.linspace(-0.9, 0.9, 6).reshape(2, 3))
    made = []
    for diff_n in range(3):
        made.append(special.legendre_p_all(4, z, diff_n=diff_n))
        made.append(special.assoc_legendre_p_all(4, 2, z, diff_n=diff_n))
        y = special.sph_harm_y_all(3, 2, z, 0.5, diff_n=diff_n)
        made += y if diff_n else [y]
    made.append(special.assoc_legendre_p_all(3, 3, z + 0.25j))
    made.append(special.sph_legendre_p_all(5, 3, z.astype("f")))
    return [*made, special.sph_harm_y_all(3, 3, z.astype("f"), z.astype("f"))]


_each_point = _library.kernel(
    "each_point<X, D>",
    elements="p.count",
    ships="d1 d2 d3 D1",
    example=_example_of_points,
)
_every_order = _library.kernel(
    "every_order<X, D>",
    elements="total",
    ships="f1 d1 d2 d3 D1",
    example=_example_of_orders,
)
_each_harmonic = _library.kernel(
    "each_harmonic<X, D>",
    elements="p.count",
    ships="d1 d2 d3",
    example=_example_of_points,
)
_every_harmonic = _library.kernel(
    "every_harmonic<X, D>",
    elements="total",
    ships="f1 d1 d2 d3",
    example=_example_of_orders,
)


# ---- arguments -----------------------------------------------------------------------


def _derivatives(diff_n):
    try:
        wanted = operator.index(diff_n)
    except TypeError:
        wanted = -1
    if wanted < 0:
        raise ValueError(f"diff_n must be a non-negative integer, received: {diff_n}.")
    if wanted > 2:
        raise NotImplementedError(
            "diff_n is currently only implemented for orders 0, 1, and 2, received: "
            f"{diff_n}."
        )
    return wanted


def _count_of(value, name):
    """A degree or order that is one for all points."""
    try:
        wanted = operator.index(value) if np.ndim(value) == 0 else -1
    except TypeError:
        wanted = -1
    if wanted < 0:
        raise ValueError(f"{name} must be a non-negative integer, not {value!r}")
    return wanted


def _integers(value, name):
    a = _core.array(value, copy=False)
    if a.dtype.kind not in "iub":
        raise TypeError(f"{name} must be of integers, not {a.dtype}")
    return a.astype(np.int64, copy=False)


def _numbers(value, name, kinds, narrow):
    """Floats as they are; what else real is, as float64, unless `narrow`."""
    a = _core.array(value, copy=False)
    if a.dtype.kind not in "iub" + kinds:
        raise TypeError(f"{name} cannot be of {a.dtype}")
    if not narrow:
        return a.astype(
            np.complex128 if a.dtype.kind == "c" else np.float64, copy=False
        )
    if a.dtype.kind in "iub":
        return a.astype(np.float32 if a.dtype.itemsize < 4 else np.float64)
    return a if a.dtype.itemsize > 2 else a.astype(np.float32)


def _laid_out(arrays):
    """The shape that arrays are broadcast to, and of each its elements in that order,
    or the only one, with the step from one to the next."""
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    made, steps = [], []
    for a in arrays:
        if a.size == 1:
            made.append(a.reshape(1))
            steps.append(0)
        else:
            made.append(contiguous(_core.broadcast_to(a, shape)).reshape(-1))
            steps.append(1)
    return shape, made, steps


def _of_points(kind, n, m, z, cut, diff_n):
    d = _derivatives(diff_n) + 1
    shape, (n, m, z, cut), steps = _laid_out([n, m, z, cut])
    out = _core.empty((d, *shape), z.dtype)
    count = out.size // d
    p = _library.struct.legendre_points(
        count=count,
        n_step=steps[0],
        m_step=steps[1],
        z_step=steps[2],
        cut_step=steps[3],
        kind=kind,
    )
    if count:
        _each_point[z.dtype, d](n=n, m=m, z=z, cut=cut, out=out, p=p)
    return out


def _of_orders(kind, n, m, z, cut, diff_n):
    d = _derivatives(diff_n) + 1
    shape, (z, cut), steps = _laid_out([z, cut])
    orders = () if kind == _library.enum.POLYNOMIAL else (2 * m + 1,)
    out = _core.empty((d, n + 1, *orders, *shape), z.dtype)
    work = out.size // (d * (n + 1))
    p = _library.struct.legendre_orders(
        count=work // (2 * m + 1),
        n=n,
        m=m,
        z_step=steps[0],
        cut_step=steps[1],
        kind=kind,
    )
    if work:
        _every_order[z.dtype, d](z=z, cut=cut, out=out, total=work, p=p)
    return out


def _cuts(branch_cut):
    return _integers(branch_cut, "branch_cut")


# ---- functions -----------------------------------------------------------------------


@where_it_lives
def legendre_p(n, z, *, diff_n=0):
    """Legendre polynomial of a degree, and its derivatives, at points.

    Parameters
    ----------
    n : array_like of int
        Degrees; the polynomial of one below 0 is 0.
    z : array_like
        Real points.
    diff_n : int, optional
        0, 1 or 2: how many derivatives there are besides.

    Returns
    -------
    cupric.ndarray, shape (diff_n + 1, ...)
        float64: behind the first axis, of the derivatives, those of `n` and `z`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import legendre_p
    >>> legendre_p(2, cp.array([0.0, 0.5, 1.0]), diff_n=1)
    array([[-0.5  , -0.125,  1.   ],
           [ 0.   ,  1.5  ,  3.   ]])
    """
    n, z = _integers(n, "n"), _numbers(z, "z", "f", False)
    none = _core.zeros((), np.int64)
    return _of_points(_library.enum.POLYNOMIAL, n, none, z, none, diff_n)


@where_it_lives
def assoc_legendre_p(n, m, z, *, branch_cut=2, norm=False, diff_n=0):
    """Associated Legendre polynomial of a degree and an order, and its derivatives.

    Parameters
    ----------
    n, m : array_like of int
        Degrees and orders, of either sign; 0 where ``abs(m) > n``.
    z : array_like
        Real or complex points.
    branch_cut : array_like of int, optional
        2: cuts where ``abs(z) > 1`` on the real axis, the default. 3: a cut between -1
        and 1.
    norm : bool, optional
        Times ``sqrt((2 n + 1) (n - m)! / (2 (n + m)!))``.
    diff_n : int, optional
        0, 1 or 2: how many derivatives there are besides.

    Returns
    -------
    cupric.ndarray, shape (diff_n + 1, ...)
        float64 or complex128. NaN where a real `z` has no real value.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import assoc_legendre_p
    >>> assoc_legendre_p(2, cp.array([0, 1, 2]), 0.6)
    array([[ 0.04, -1.44,  1.92]])
    """
    kind = _library.enum.NORMALIZED if norm else _library.enum.ASSOCIATED
    n, m, cut = _integers(n, "n"), _integers(m, "m"), _cuts(branch_cut)
    return _of_points(kind, n, m, _numbers(z, "z", "fc", False), cut, diff_n)


@where_it_lives
def sph_legendre_p(n, m, theta, *, diff_n=0):
    """Spherical harmonic at longitude 0, and its derivatives over the polar angle.

    Parameters
    ----------
    n, m : array_like of int
        Degrees and orders, of either sign; 0 where ``abs(m) > n``.
    theta : array_like
        Polar angles.
    diff_n : int, optional
        0, 1 or 2: how many derivatives there are besides.

    Returns
    -------
    cupric.ndarray, shape (diff_n + 1, ...)
        float64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import sph_legendre_p
    >>> sph_legendre_p(2, cp.array([0, 1]), 0.5)
    array([[ 0.41330597, -0.32503853]])
    """
    n, m = _integers(n, "n"), _integers(m, "m")
    theta = _numbers(theta, "theta", "f", False)
    none = _core.zeros((), np.int64)
    return _of_points(_library.enum.SPHERICAL, n, m, theta, none, diff_n)


@where_it_lives
def legendre_p_all(n, z, *, diff_n=0):
    """Legendre polynomials of all degrees from 0 to `n`, and derivatives, at points.

    Parameters
    ----------
    n : int
    z : array_like
        Real or complex points.
    diff_n : int, optional
        0, 1 or 2: how many derivatives there are besides.

    Returns
    -------
    cupric.ndarray, shape (diff_n + 1, n + 1, ...)
        Of the dtype of `z`, at least float32; float64 of integers.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import legendre_p_all
    >>> legendre_p_all(2, cp.array([0.0, 0.5]))
    array([[[ 1.   ,  1.   ],
            [ 0.   ,  0.5  ],
            [-0.5  , -0.125]]])
    """
    n, z = _count_of(n, "n"), _numbers(z, "z", "fc", True)
    none = _core.zeros((), np.int64)
    return _of_orders(_library.enum.POLYNOMIAL, n, 0, z, none, diff_n)


@where_it_lives
def assoc_legendre_p_all(n, m, z, *, branch_cut=2, norm=False, diff_n=0):
    """Associated Legendre polynomials of all degrees and orders, at points.

    Parameters
    ----------
    n, m : int
        The largest degree and order.
    z : array_like
        Real or complex points.
    branch_cut, norm, diff_n : optional
        As of `assoc_legendre_p`.

    Returns
    -------
    cupric.ndarray, shape (diff_n + 1, n + 1, 2 * m + 1, ...)
        float64 or complex128. Orders are 0 to `m`, then ``-m`` to -1, so that those
        below 0 are counted from the end.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import assoc_legendre_p_all
    >>> assoc_legendre_p_all(1, 1, 0.6)
    array([[[ 1. ,  0. ,  0. ],
            [ 0.6, -0.8,  0.4]]])
    """
    kind = _library.enum.NORMALIZED if norm else _library.enum.ASSOCIATED
    n, m = _count_of(n, "n"), _count_of(m, "m")
    z = _numbers(z, "z", "fc", False)
    return _of_orders(kind, n, m, z, _cuts(branch_cut), diff_n)


@where_it_lives
def sph_legendre_p_all(n, m, theta, *, diff_n=0):
    """Spherical harmonics at longitude 0 of all degrees and orders, at polar angles.

    Parameters
    ----------
    n, m : int
        The largest degree and order.
    theta : array_like
        Polar angles.
    diff_n : int, optional
        0, 1 or 2: how many derivatives over `theta` there are besides.

    Returns
    -------
    cupric.ndarray, shape (diff_n + 1, n + 1, 2 * m + 1, ...)
        float32 or float64. Orders are 0 to `m`, then ``-m`` to -1.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import sph_legendre_p_all
    >>> sph_legendre_p_all(1, 1, 0.5)
    array([[[ 0.28209479,  0.        ,  0.        ],
            [ 0.42878904, -0.16563872,  0.16563872]]])
    """
    n, m = _count_of(n, "n"), abs(operator.index(m))
    theta = _numbers(theta, "theta", "f", True)
    none = _core.zeros((), np.int64)
    return _of_orders(_library.enum.SPHERICAL, n, m, theta, none, diff_n)


def _angles(theta, phi, narrow):
    theta = _numbers(theta, "theta", "f", narrow)
    phi = _numbers(phi, "phi", "f", narrow)
    dtype = np.result_type(theta.dtype, phi.dtype)
    return theta.astype(dtype, copy=False), phi.astype(dtype, copy=False)


def _harmonics(shape, dtype, d):
    """Where harmonics, gradients and Hessians are written, as many as there are."""
    made = [_core.empty((*shape, *(2,) * k), dtype) for k in range(d)]
    return made, [made[min(k, d - 1)] for k in range(3)]


def _given(made):
    return tuple(made) if len(made) > 1 else made[0]


@where_it_lives
def sph_harm_y(n, m, theta, phi, *, diff_n=0):
    """Spherical harmonic of a degree and an order, and its derivatives.

    Parameters
    ----------
    n, m : array_like of int
        Degrees and orders, of either sign; 0 where ``abs(m) > n``.
    theta : array_like
        Polar angles.
    phi : array_like
        Azimuthal angles.
    diff_n : int, optional
        0, 1 or 2: how many derivatives there are besides.

    Returns
    -------
    cupric.ndarray or tuple of cupric.ndarray
        complex128: the harmonics; where `diff_n` is not 0, a tuple of them, the
        gradients over the angles, with one more axis, and for 2 the Hessians, with two.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.special import sph_harm_y
    >>> sph_harm_y(2, 1, cp.array([0.5, 1.0]), 0.25)
    array([-0.31493387-0.08041582j, -0.34031899-0.08689771j])
    """
    d = _derivatives(diff_n) + 1
    n, m = _integers(n, "n"), _integers(m, "m")
    theta, phi = _angles(theta, phi, False)
    shape, (n, m, theta, phi), steps = _laid_out([n, m, theta, phi])
    made, (y, gradient, hessian) = _harmonics(shape, np.complex128, d)
    p = _library.struct.harmonic_points(
        count=y.size,
        n_step=steps[0],
        m_step=steps[1],
        theta_step=steps[2],
        phi_step=steps[3],
    )
    if y.size:
        _each_harmonic[theta.dtype, d](
            n=n, m=m, theta=theta, phi=phi, y=y, gradient=gradient, hessian=hessian, p=p
        )
    return _given(made)


@where_it_lives
def sph_harm_y_all(n, m, theta, phi, *, diff_n=0):
    """Spherical harmonics of all degrees and orders, and derivatives.

    Parameters
    ----------
    n, m : int
        The largest degree and order.
    theta : array_like
        Polar angles.
    phi : array_like
        Azimuthal angles.
    diff_n : int, optional
        0, 1 or 2: how many derivatives there are besides.

    Returns
    -------
    cupric.ndarray or tuple of cupric.ndarray
        complex64 or complex128, of shape ``(n + 1, 2 * m + 1, ...)``. Orders are 0 to
        `m`, then ``-m`` to -1. Where `diff_n` is not 0, a tuple of them, the gradients,
        with one more axis, and for 2 the Hessians, with two.

    Examples
    --------
    Of degree 1 and the orders 0, 1 and -1:

    >>> from cupricx.scipy.special import sph_harm_y_all
    >>> sph_harm_y_all(1, 1, 0.5, 0.25)[1]
    array([ 0.42878904+0.j        , -0.16048941-0.04097967j,
            0.16048941-0.04097967j])
    """
    d = _derivatives(diff_n) + 1
    n, m = _count_of(n, "n"), abs(operator.index(m))
    theta, phi = _angles(theta, phi, True)
    shape, (theta, phi), steps = _laid_out([theta, phi])
    dtype = np.result_type(theta.dtype, np.complex64)
    made, (y, gradient, hessian) = _harmonics((n + 1, 2 * m + 1, *shape), dtype, d)
    work = y.size // (n + 1)
    p = _library.struct.harmonic_orders(
        count=work // (2 * m + 1), n=n, m=m, theta_step=steps[0], phi_step=steps[1]
    )
    if work:
        _every_harmonic[theta.dtype, d](
            theta=theta,
            phi=phi,
            y=y,
            gradient=gradient,
            hessian=hessian,
            total=work,
            p=p,
        )
    return _given(made)
