"""Partial fractions of rational functions, and roots that are the same."""

import numpy as np

from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["invres", "invresz", "residue", "residuez", "unique_roots"]

# What stands for roots that are the same.
REPRESENTATIVES = {
    "max": np.max,
    "maximum": np.max,
    "min": np.min,
    "minimum": np.min,
    "avg": np.mean,
    "mean": np.mean,
}


def _groups(p, tol):
    """Which roots are the same: lists of indices, each of those within a distance of
    the first that no list has yet."""
    free = np.ones(p.size, bool)
    groups = []
    for i, root in enumerate(p):
        if not free[i]:
            continue
        near = free & (np.abs(p - root) <= tol)
        near[i] = True
        free &= ~near
        groups.append(np.flatnonzero(near))
    return groups


def _unique(p, tol, rtype):
    if rtype not in REPRESENTATIVES:
        raise ValueError(
            f"rtype must be one of {', '.join(REPRESENTATIVES)}, not {rtype!r}"
        )
    p = np.asarray(p)
    if p.ndim != 1:
        raise ValueError(f"roots must have one axis, but their shape is {p.shape}")
    if not np.all(np.isfinite(p)):
        raise ValueError("roots must be finite, but there are infinities or NaNs")
    groups = _groups(p, tol)
    reduce = REPRESENTATIVES[rtype]
    return (
        [reduce(p[g]) for g in groups],
        [len(g) for g in groups],
        groups,
    )


@on_host
def unique_roots(p, tol=1e-3, rtype="min"):
    """Roots without those that are the same, and how often each is there.

    Parameters
    ----------
    p : array_like, shape (n,)
        Roots.
    tol : float, optional
        The distance from a root up to which others are the same as it. They are taken
        in their order.
    rtype : {'max', 'maximum', 'min', 'minimum', 'avg', 'mean'}, optional
        What stands for those that are the same. Complex ones are ordered by their real
        part, then by their imaginary part.

    Returns
    -------
    unique : cupric.ndarray
        Of the dtype of `p`, or a mean's.
    multiplicity : cupric.ndarray of int64

    Raises
    ------
    ValueError
        `p` has not one axis, or is not finite; `rtype` is none of those.

    Examples
    --------
    >>> from cupricx.scipy.signal import unique_roots
    >>> unique_roots([1.0, 2.0, 1.0001], tol=0.01)
    (array([1., 2.]), array([2, 1]))
    """
    p = np.asarray(p)
    unique, multiplicity, _ = _unique(p, tol, rtype)
    dtype = None if unique else p.dtype
    return np.array(unique, dtype), np.array(multiplicity, np.int64)


# ---- polynomials ---------------------------------------------------------------------


def _polynomial(c, name):
    c = np.atleast_1d(c)
    if c.ndim != 1:
        raise ValueError(f"{name} must have one axis, but its shape is {c.shape}")
    return c.astype(np.result_type(c.dtype, np.float64))


def _trimmed(c):
    """Without leading zeros; none is left of zero."""
    return np.trim_zeros(c, "f")


def _of_one_dtype(b, a):
    b, a = _polynomial(b, "b"), _polynomial(a, "a")
    dtype = np.result_type(b, a)
    return b.astype(dtype), a.astype(dtype)


def _product(root, times):
    """The polynomial with a root so many times."""
    c = np.ones(1, float)
    for _ in range(times):
        c = np.convolve(c, [1, -root])
    return c


def _cofactors(roots, times):
    """For each root the product of the powers of all others."""
    powers = [_product(r, m) for r, m in zip(roots, times, strict=True)]
    before, after = [np.ones(1, float)], [np.ones(1, float)]
    for power in powers:
        before.append(np.convolve(before[-1], power))
    for power in reversed(powers):
        after.append(np.convolve(after[-1], power))
    count = len(powers)
    return [np.convolve(before[i], after[count - 1 - i]) for i in range(count)]


def _series(c, root, terms):
    """The first coefficients of a polynomial's Taylor series at a root: by divisions by
    x - root, of which the remainders are these."""
    found = []
    for _ in range(terms):
        if not c.size:
            found.append(0)
            continue
        quotient = np.empty(c.size, np.result_type(c, root, np.float64))
        carried = 0
        for i, v in enumerate(c):
            carried = carried * root + v
            quotient[i] = carried
        found.append(quotient[-1])
        c = quotient[:-1]
    return np.array(found)


def _ratio_of_series(numerator, denominator):
    """The series of a quotient."""
    quotient = np.zeros(len(numerator), np.result_type(numerator, denominator))
    for i in range(len(numerator)):
        known = np.dot(denominator[1 : i + 1], quotient[:i][::-1])
        quotient[i] = (numerator[i] - known) / denominator[0]
    return quotient


def _residues(roots, times, numerator):
    """Of each root the coefficients of 1 / (x - root), 1 / (x - root)**2, …: those of
    the series of the function without these factors, from the last."""
    others = _cofactors(roots, times)
    residues = []
    for root, m, other in zip(roots, times, others, strict=True):
        series = _ratio_of_series(_series(numerator, root, m), _series(other, root, m))
        residues.extend(series[::-1])
    return np.array(residues) if residues else np.empty(0, float)


def _poles(a, tol, rtype):
    """The roots of a denominator in ascending order of their size, without repetition;
    how often each is there; and all of them."""
    roots = np.roots(a)
    unique, times, _ = _unique(roots, tol, rtype)
    order = np.argsort(np.abs(unique), kind="stable")
    unique, times = [unique[i] for i in order], [times[i] for i in order]
    dtype = np.result_type(roots, a)
    return unique, times, np.repeat(np.array(unique, dtype), times)


# ---- partial fractions ---------------------------------------------------------------


@on_host
def residue(b, a, tol=1e-3, rtype="avg"):
    """Partial fractions of a function of s.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator, of the highest power first.
    tol : float, optional
        The distance up to which poles are the same.
    rtype : {'avg', 'min', 'max', 'mean', 'minimum', 'maximum'}, optional
        What stands for those that are the same.

    Returns
    -------
    r : cupric.ndarray
        Residues of the poles: of a pole of multiplicity m, of ``1 / (s - p)`` up to
        ``1 / (s - p)**m``.
    p : cupric.ndarray
        Poles, each as often as it is there.
    k : cupric.ndarray
        The polynomial that is left, of the highest power first.

    Raises
    ------
    ValueError
        The denominator is zero; `rtype` is none of those; an array has not one axis.

    Notes
    -----
    Residues are the coefficients of a Taylor series at the pole, of the function
    without it, as the remainders of divisions give them.

    Examples
    --------
    >>> from cupricx.scipy.signal import residue
    >>> r, p, k = residue([1.0, 3.0, 3.0], [1.0, 1.0])
    >>> r, p, k
    (array([1.]), array([-1.]), array([1., 2.]))
    """
    b, a = _of_one_dtype(b, a)
    b, a = _trimmed(b), _trimmed(a)
    if not a.size:
        raise ValueError("Denominator `a` is zero")
    unique, times, poles = _poles(a, tol, rtype)
    if not b.size:
        return np.zeros(poles.size, float), poles, np.empty(0, float)
    k, b = _divided(b, a)
    return _residues(unique, times, b) / a[0], poles, k


def _divided(b, a):
    """Quotient and remainder; no quotient is one of no elements."""
    if b.size < a.size:
        return np.empty(0, float), b
    quotient, remainder = np.polydiv(b, a)
    return quotient, remainder


@on_host
def residuez(b, a, tol=1e-3, rtype="avg"):
    """Partial fractions of a function of 1 / z.

    Parameters
    ----------
    b, a : array_like, shape (n,)
        Numerator and denominator, of :math:`z^0` first.
    tol : float, optional
        The distance up to which poles are the same.
    rtype : {'avg', 'min', 'max', 'mean', 'minimum', 'maximum'}, optional
        What stands for those that are the same.

    Returns
    -------
    r : cupric.ndarray
        Residues of the poles: of a pole of multiplicity m, of ``1 / (1 - p / z)`` up to
        ``1 / (1 - p / z)**m``.
    p : cupric.ndarray
        Poles, each as often as it is there.
    k : cupric.ndarray
        The polynomial that is left, of :math:`z^0` first.

    Raises
    ------
    ValueError
        The denominator is zero, or begins with zero; `rtype` is none of those; an array
        has not one axis.

    Examples
    --------
    >>> from cupricx.scipy.signal import residuez
    >>> r, p, k = residuez([1.0, 0.5, 0.0], [1.0, -0.5])
    >>> r, p, k
    (array([2.]), array([0.5]), array([-1.]))
    """
    b, a = _of_one_dtype(b, a)
    b, a = np.trim_zeros(b, "b"), np.trim_zeros(a, "b")
    if not a.size:
        raise ValueError("Denominator `a` is zero")
    if a[0] == 0:
        raise ValueError("First coefficient of the denominator `a` must not be zero")
    unique, times, poles = _poles(a, tol, rtype)
    if not b.size:
        return np.zeros(poles.size, float), poles, np.empty(0, float)
    # As polynomials of x = 1 / z, the highest power first: poles are reciprocals.
    k, b = _divided(b[::-1], a[::-1])
    roots = [1 / p for p in unique]
    r = _residues(roots, times, b) / a[-1]
    powers = [j for m in times for j in range(1, m + 1)]
    return r * (-poles) ** np.array(powers, int), poles, k[::-1]


# ---- back again ----------------------------------------------------------------------


def _combined(r, p, tol, rtype, powers):
    """Numerator and denominator of the sum of fractions.

    powers(root) : the polynomial of one factor of the denominator
    """
    r, p = _polynomial(r, "r"), _polynomial(p, "p")
    if r.size != p.size:
        raise ValueError(
            f"r and p must have one length, but there are {r.size} residues and "
            f"{p.size} poles"
        )
    unique, _, groups = _unique(p, tol, rtype)
    factors = [powers(root) for root in unique]
    numerator, denominator = None, np.ones(1, float)
    for factor, group in zip(factors, groups, strict=True):
        # Horner's scheme in 1 / factor, to the residue of the highest power.
        above, below = r[group[:1]], factor
        for i in group[1:]:
            above = np.polyadd(np.convolve(above, factor), r[i : i + 1])
            below = np.convolve(below, factor)
        above = np.convolve(above, denominator)
        if numerator is not None:
            above = np.polyadd(np.convolve(numerator, below), above)
        numerator, denominator = above, np.convolve(denominator, below)
    return np.zeros(1, float) if numerator is None else numerator, denominator


@on_host
def invres(r, p, k, tol=1e-3, rtype="avg"):
    """Function of s of its partial fractions.

    Parameters
    ----------
    r, p : array_like, shape (n,)
        Residues and poles. Of a pole that is there m times, the residues are those of
        ``1 / (s - p)`` up to ``1 / (s - p)**m``, in their order.
    k : array_like, shape (m,)
        The polynomial that is left, of the highest power first.
    tol : float, optional
        The distance up to which poles are the same.
    rtype : {'avg', 'min', 'max', 'mean', 'minimum', 'maximum'}, optional
        What stands for those that are the same.

    Returns
    -------
    b, a : cupric.ndarray
        Numerator and denominator, of the highest power first.

    Raises
    ------
    ValueError
        `r` and `p` differ in length; `rtype` is none of those.

    Examples
    --------
    >>> from cupricx.scipy.signal import invres
    >>> invres([1.0], [-1.0], [1.0, 2.0])
    (array([1., 3., 3.]), array([1., 1.]))
    """
    b, a = _combined(r, p, tol, rtype, lambda root: np.array([1, -root]))
    k = _trimmed(_polynomial(k, "k"))
    if k.size:
        b = np.polyadd(b, np.convolve(k, a))
    return b, a


@on_host
def invresz(r, p, k, tol=1e-3, rtype="avg"):
    """Function of 1 / z of its partial fractions.

    Parameters
    ----------
    r, p : array_like, shape (n,)
        Residues and poles. Of a pole that is there m times, the residues are those of
        ``1 / (1 - p / z)`` up to ``1 / (1 - p / z)**m``, in their order.
    k : array_like, shape (m,)
        The polynomial that is left, of :math:`z^0` first.
    tol : float, optional
        The distance up to which poles are the same.
    rtype : {'avg', 'min', 'max', 'mean', 'minimum', 'maximum'}, optional
        What stands for those that are the same.

    Returns
    -------
    b, a : cupric.ndarray
        Numerator and denominator, of :math:`z^0` first.

    Raises
    ------
    ValueError
        `r` and `p` differ in length; `rtype` is none of those.

    Examples
    --------
    >>> from cupricx.scipy.signal import invresz
    >>> invresz([2.0], [0.5], [-1.0])
    (array([1. , 0.5]), array([ 1. , -0.5]))
    """
    # In descending powers of 1 / z, as polynomials are added.
    b, a = _combined(r, p, tol, rtype, lambda root: np.array([-root, 1]))
    k = np.trim_zeros(_polynomial(k, "k"), "b")
    if k.size:
        b = np.polyadd(b, np.convolve(k[::-1], a))
    return b[::-1], a[::-1]
