"""The class poly1d, and the functions that take it as well as coefficients."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import parameter_array
from cupric._polynomials import _routines

__all__ = [
    "poly",
    "poly1d",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "roots",
]


class poly1d:
    """A polynomial of one variable.

    Parameters
    ----------
    c_or_r : array_like, cupric.ndarray, poly1d or numpy.poly1d
        Coefficients, the highest power first, or roots. Leading zeros are left out, for
        which the device is waited for.
    r : bool, optional
        Whether roots are given.
    variable : str, optional
        Its name when the polynomial is printed: 'x' by default.

    Attributes
    ----------
    c, coef, coefficients, coeffs : cupric.ndarray
    o, order : int
        The degree.
    r, roots : cupric.ndarray
        Computed on the host.
    variable : str

    Examples
    --------
    >>> p = cp.poly1d([1, 2, 3])
    >>> print(p)
       2
    1 x + 2 x + 3
    >>> p(0.5)
    array(4.25)
    >>> p.deriv()
    poly1d([2, 2])
    """

    __hash__ = None
    __array_ufunc__ = None  # arrays leave an operation with a polynomial to it

    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, np.poly1d | poly1d):
            given, c_or_r = c_or_r, c_or_r.coeffs
        else:
            given = None
        if isinstance(c_or_r, np.ndarray):
            c_or_r = _core.array(c_or_r)
        if given is None and r:
            c_or_r = _routines.from_roots(c_or_r)
        self._coeffs = _routines.trimmed(c_or_r)
        if variable is None:
            variable = "x" if given is None else given.variable
        self._variable = variable

    # ---- what it is --------------------------------------------------------------

    @property
    def coeffs(self):
        """The coefficients, the highest power first."""
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value):
        # As NumPy: so that `p.coeffs += 1` works, and nothing else.
        if value is not self._coeffs:
            raise AttributeError("Cannot set attribute: make another poly1d")

    c = coef = coefficients = coeffs

    @property
    def order(self):
        """The degree."""
        return len(self._coeffs) - 1

    o = order

    @property
    def roots(self):
        """The roots, computed on the host."""
        return _routines.roots(self._coeffs)

    r = roots

    @property
    def variable(self):
        """The name of the variable."""
        return self._variable

    def get(self, stream=None):
        """A `numpy.poly1d` with the coefficients copied to the host.

        Parameters
        ----------
        stream : cupric.cuda.Stream, optional

        Returns
        -------
        numpy.poly1d

        Examples
        --------
        >>> cp.poly1d([1.0, 2.0]).get()
        poly1d([1., 2.])
        """
        return np.poly1d(self._coeffs.get(stream), variable=self._variable)

    def set(self, polyin, stream=None):
        """Take coefficients and variable from a `numpy.poly1d`, or coefficients from a
        NumPy array.

        Parameters
        ----------
        polyin : numpy.poly1d or numpy.ndarray
        stream : cupric.cuda.Stream, optional

        Examples
        --------
        >>> p = cp.poly1d([1.0, 2.0])
        >>> p.set(np.array([3.0, 4.0, 5.0]))
        >>> p.order
        2
        """
        if not isinstance(polyin, np.poly1d | np.ndarray):
            raise TypeError(
                f"Only numpy.poly1d and numpy.ndarray can be set, not {type(polyin)}"
            )
        c = polyin if isinstance(polyin, np.ndarray) else polyin.coeffs
        self._variable = getattr(polyin, "variable", self._variable)
        made = _core.empty(c.shape, c.dtype, device=self._coeffs.device)
        made.set(c, stream)
        self._coeffs = made

    def __array__(self, dtype=None, copy=None):
        return self._coeffs.__array__(dtype)

    def __cupy_get_ndarray__(self):
        return self._coeffs

    def __repr__(self):
        return repr(self.get())

    def __str__(self):
        return str(self.get())

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._coeffs)

    def __getitem__(self, power):
        if not 0 <= power <= self.order:
            return _core.zeros((), self._coeffs.dtype, device=self._coeffs.device)
        return self._coeffs[self.order - power]

    def __setitem__(self, power, value):
        if power < 0:
            raise ValueError(f"Does not support negative powers: {power}")
        if power > self.order:
            self._coeffs = _routines.longer(self._coeffs, power + 1)
        self._coeffs[self.order - power] = value

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        if self._coeffs.shape != other._coeffs.shape:
            return False
        return bool((self._coeffs == other._coeffs).all())

    def __ne__(self, other):
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    # ---- arithmetic --------------------------------------------------------------

    def __call__(self, val):
        return polyval(self, val)

    def __pos__(self):
        return self

    def __neg__(self):
        return poly1d(-self._coeffs)

    def __add__(self, other):
        return poly1d(_routines.add(self._coeffs, _coeffs(other)))

    __radd__ = __add__

    def __sub__(self, other):
        return poly1d(_routines.subtract(self._coeffs, _coeffs(other)))

    def __rsub__(self, other):
        return poly1d(_routines.subtract(_coeffs(other), self._coeffs))

    def __mul__(self, other):
        if np.isscalar(other):
            return poly1d(self._coeffs * other)
        return poly1d(_routines.multiply(self._coeffs, _coeffs(other)))

    def __rmul__(self, other):
        if np.isscalar(other):
            return poly1d(other * self._coeffs)
        return poly1d(_routines.multiply(_coeffs(other), self._coeffs))

    def __pow__(self, val):
        if not np.isscalar(val) or int(val) != val or val < 0:
            raise ValueError(f"Power to non-negative integers only, not {val!r}")
        made = _core.array([1], device=self._coeffs.device)
        _core._require_objects(val, "the products of a power")
        for _ in range(val):
            made = _routines.multiply(self._coeffs, made)
        return poly1d(made)

    def __rpow__(self, other):
        raise TypeError("a polynomial is no exponent")

    def __truediv__(self, other):
        if np.isscalar(other):
            return poly1d(self._coeffs / other)
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other):
        if np.isscalar(other):
            return poly1d(other / self._coeffs)
        return polydiv(poly1d(other), self)

    def deriv(self, m=1):
        """The m-th derivative, as of `polyder`.

        Parameters
        ----------
        m : int
            How often; 0 gives the polynomial itself.

        Returns
        -------
        poly1d

        Examples
        --------
        >>> print(cp.poly1d([1.0, 2.0, 3.0]).deriv())
        2 x + 2
        """
        return poly1d(_routines.derivative(self._coeffs, m))

    def integ(self, m=1, k=0):
        """The m-th antiderivative, as of `polyint`.

        Parameters
        ----------
        m : int
            How often.
        k : scalar or sequence
            The constants of integration, one for each time.

        Returns
        -------
        poly1d

        Examples
        --------
        >>> print(cp.poly1d([2.0, 2.0]).integ(k=3))
           2
        1 x + 2 x + 3
        """
        return poly1d(_routines.integral(self._coeffs, m, k))


def _coeffs(p):
    """The coefficients of a polynomial of any kind, as `_routines` take them."""
    if isinstance(p, _core.ndarray):
        return p
    if isinstance(p, poly1d):
        return p.coeffs
    if isinstance(p, np.poly1d):
        return _core.array(p.coeffs)
    return p


_KINDS = (poly1d, np.poly1d)


def _like(r, *given):
    """A result: a poly1d where one was given."""
    for p in given:
        if isinstance(p, _KINDS):
            return poly1d(r)
    return r


def poly(seq_of_zeros):
    """Coefficients of the polynomial with given roots, computed on the host.

    Parameters
    ----------
    seq_of_zeros : cupric.ndarray
        The roots; or a square matrix, of whose characteristic polynomial they are.

    Returns
    -------
    cupric.ndarray
        The highest power first, which has 1; real where roots come in conjugate pairs.

    Examples
    --------
    >>> cp.poly(cp.array([-1.0, 1.0]))
    array([ 1.,  0., -1.])
    """
    return _routines.from_roots(seq_of_zeros)


def roots(p):
    """Roots of a polynomial, computed on the host: eigenvalues of its companion.

    Parameters
    ----------
    p : cupric.ndarray or poly1d
        Coefficients, the highest power first.

    Returns
    -------
    cupric.ndarray
        In no order. Waits for the device.

    Examples
    --------
    >>> cp.roots(cp.array([1.0, -3.0, 2.0]))
    array([2., 1.])
    """
    return _routines.roots(_coeffs(p))


def polyadd(a1, a2):
    """Sum of two polynomials.

    Parameters
    ----------
    a1, a2 : cupric.ndarray or poly1d
        Coefficients, the highest power first.

    Returns
    -------
    cupric.ndarray, or poly1d where one is given

    Examples
    --------
    >>> cp.polyadd(cp.array([1, 2]), cp.array([9, 5, 4]))
    array([9, 6, 6])
    """
    return _like(_routines.add(_coeffs(a1), _coeffs(a2)), a1, a2)


def polysub(a1, a2):
    """Difference of two polynomials: see `polyadd`.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        Coefficients, the highest power first.

    Returns
    -------
    cupric.ndarray, or poly1d where one is given

    Examples
    --------
    >>> cp.polysub(cp.array([2, 10, -2]), cp.array([3, 10, -4]))
    array([-1,  0,  2])
    """
    return _like(_routines.subtract(_coeffs(a1), _coeffs(a2)), a1, a2)


def polymul(a1, a2):
    """Product of two polynomials, without leading zeros of either: see `polyadd`. Waits
    for the device.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        Coefficients, the highest power first.

    Returns
    -------
    cupric.ndarray, or poly1d where one is given

    Examples
    --------
    >>> cp.polymul(cp.array([1, 2, 3]), cp.array([9, 5, 1]))
    array([ 9, 23, 38, 17,  3])
    """
    return _like(_routines.multiply(_coeffs(a1), _coeffs(a2)), a1, a2)


def polydiv(u, v):
    """Quotient and remainder of two polynomials, computed on the host.

    Parameters
    ----------
    u, v : cupric.ndarray or poly1d
        Dividend and divisor.

    Returns
    -------
    q, r : cupric.ndarray, or poly1d where one is given

    Examples
    --------
    >>> q, r = cp.polydiv(cp.array([3.0, 5.0, 2.0]), cp.array([2.0, 1.0]))
    >>> q, r
    (array([1.5 , 1.75]), array([0.25]))
    """
    q, r = _routines.divide(_coeffs(u), _coeffs(v))
    return _like(q, u, v), _like(r, u, v)


def polyder(p, m=1):
    """The m-th derivative of a polynomial.

    Parameters
    ----------
    p : cupric.ndarray or poly1d
        Coefficients, the highest power first.
    m : int, optional

    Returns
    -------
    cupric.ndarray or poly1d, as `p` is

    Examples
    --------
    >>> cp.polyder(cp.array([1, 1, 1, 1]))
    array([3, 2, 1])
    """
    return _like(_routines.derivative(_coeffs(p), m), p)


def polyint(p, m=1, k=None):
    """The m-th antiderivative of a polynomial.

    Parameters
    ----------
    p : cupric.ndarray or poly1d
        Coefficients, the highest power first.
    m : int, optional
    k : scalar or sequence of m scalars, optional
        Constants of integration, in order: 0 by default.

    Returns
    -------
    cupric.ndarray or poly1d, as `p` is

    Examples
    --------
    >>> cp.polyint(cp.array([3.0, 2.0, 1.0]), k=5)
    array([1., 1., 1., 5.])
    """
    return _like(_routines.integral(_coeffs(p), m, k), p)


def polyval(p, x):
    """Values of a polynomial, by Horner's rule in one kernel.

    Parameters
    ----------
    p : cupric.ndarray or poly1d
        Coefficients, the highest power first.
    x : cupric.ndarray, scalar or poly1d
        Where; or what is put into it.

    Returns
    -------
    cupric.ndarray of the shape of `x`, or poly1d

    Examples
    --------
    >>> cp.polyval(cp.array([3, 0, 1]), cp.array([5, 6]))
    array([ 76, 109])
    """
    c = _coeffs(p)
    if not isinstance(x, poly1d):
        return _routines.values(c, x)
    with x.coeffs.device:
        c, made = parameter_array(c), poly1d([0])
    for i in range(len(c)):
        made = made * x + c[i]
    return made


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """Polynomial of least squares through points.

    Parameters
    ----------
    x : cupric.ndarray, shape (m,)
    y : cupric.ndarray, shape (m,) or (m, k)
        Of several sets of points that share `x` one a column.
    deg : int
    rcond : float, optional
        Singular values up to this share of the largest count as zero; ``m * eps``
        by default.
    full : bool, optional
        Return how it was found as well.
    w : cupric.ndarray, shape (m,), optional
        Weights: of the residuals, not of their squares.
    cov : bool or 'unscaled', optional
        Return the covariance of the coefficients as well, scaled by the residuals or
        as the weights alone say.

    Returns
    -------
    p : cupric.ndarray, shape (deg + 1,) or (deg + 1, k)
        The highest power first.
    residuals, rank, singular_values, rcond
        With `full`: those of `linalg.lstsq`.
    V : cupric.ndarray, shape (deg + 1, deg + 1) or (deg + 1, deg + 1, k)
        With `cov`.

    Warns
    -----
    numpy.exceptions.RankWarning
        The points do not determine the coefficients. Waits for the device.

    Examples
    --------
    >>> x = cp.array([0.0, 1.0, 2.0, 3.0])
    >>> cp.polyfit(x, 2 * x**2 - 1, 2).round(6) + 0.0
    array([ 2.,  0., -1.])
    """
    return _routines.fit(x, y, deg, rcond, full, w, cov)
