"""Direct convolution: the bridge between NumPy's and SciPy's functions and the core."""

from copy import copy

from cupric import _core

__all__ = [
    "convolve",
    "correlate",
    "direct",
]

_BOUNDARY = {
    "fill": _core._FILL,
    "wrap": _core._WRAP,
    "symm": _core._SYMM,
    "none": _core._NONE,
}


def direct(a, v, mode, *, boundary="fill", fill=0, correlating=False, late=False):
    """Convolve, or correlate with the conjugate of `v`, over every axis.

    Parameters
    ----------
    a, v : cupric.ndarray
        Of one dtype and ndim. Output position 0 of mode 'full' is where only the first
        elements meet.
    mode : {'full', 'same', 'valid'}
        'same' is centred on `a`; 'valid' needs `v` no longer than `a` on any axis.
    boundary : {'fill', 'wrap', 'symm', 'none'}
        'none': products outside are left out, also those of a NaN in `v`.
    fill : scalar
    late : bool
        Where `v` has no middle, 'same' is centred on the later of its two middles.

    Returns
    -------
    cupric.ndarray
    """
    if mode == "full":
        shape = [m + n - 1 for m, n in zip(a.shape, v.shape, strict=True)]
        first = [0] * a.ndim
    elif mode == "same":
        shape = list(a.shape)
        first = [(n if late else n - 1) // 2 for n in v.shape]
    elif mode == "valid":
        shape = [m - n + 1 for m, n in zip(a.shape, v.shape, strict=True)]
        first = [0] * a.ndim if correlating else [n - 1 for n in v.shape]
    else:
        raise ValueError(
            f"acceptable mode flags are 'valid', 'same' or 'full', not {mode!r}"
        )
    if correlating and mode != "valid":  # out[i] = sum_j a[i + start + j] conj(v[j])
        first = [f - (n - 1) for f, n in zip(first, v.shape, strict=True)]
    return _core._convolve(
        a, v, shape, first, _BOUNDARY[boundary], fill, bool(correlating)
    )


def _vectors(a, v, name):
    are_alike = type(a) is type(v) is _core.ndarray and a.dtype == v.dtype
    if are_alike and a.ndim == v.ndim == 1 and a.size and v.size:
        return a, v
    for x in (a, v):
        if not isinstance(x, _core.ndarray):
            raise _core._unsupported(x)
    if name == "correlate" and 0 in (a.ndim, v.ndim):
        raise ValueError("object of too small depth for desired array")
    a, v = a.reshape(1) if a.ndim == 0 else a, v.reshape(1) if v.ndim == 0 else v
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("object too deep for desired array")
    if a.size == 0:
        which = "a" if name == "convolve" else "first array argument"
        raise ValueError(f"{which} cannot be empty")
    if v.size == 0:
        which = "v" if name == "convolve" else "second array argument"
        raise ValueError(f"{which} cannot be empty")
    dtype = _core.result_type(a.dtype, v.dtype)
    return a.astype(dtype, copy=False), v.astype(dtype, copy=False)


def _conjugate(x):
    return x.conj() if x.dtype.kind == "c" else x


def convolve(a, v, mode="full"):
    """Linear convolution of two one-dimensional arrays.

    Parameters
    ----------
    a, v : cupric.ndarray, shapes (m,) and (n,)
    mode : {'full', 'same', 'valid'}, optional
        m + n - 1 elements, the middle max(m, n), or the max(m, n) - min(m, n) + 1
        that need no elements from outside.

    Returns
    -------
    cupric.ndarray
        In the promoted dtype; integers wrap.

    Examples
    --------
    >>> import cupric as cp
    >>> cp.convolve(cp.array([1, 2, 3]), cp.array([0, 1]))
    array([0, 1, 2, 3])
    """
    a, v = _vectors(a, v, "convolve")
    if v.size > a.size:
        a, v = v, a
    return direct(a, v, mode, boundary="none")


def correlate(a, v, mode="valid"):
    """Cross-correlation of two one-dimensional arrays: ``sum_n a[n + k] * conj(v[n])``.

    Parameters
    ----------
    a, v : cupric.ndarray, shapes (m,) and (n,)
    mode : {'valid', 'same', 'full'}, optional

    Returns
    -------
    cupric.ndarray
        In the promoted dtype; integers wrap.

    Examples
    --------
    >>> cp.correlate(cp.array([1, 2, 3]), cp.array([0, 1, 1]), 'same')
    array([3, 5, 3])
    """
    a, v = _vectors(a, v, "correlate")
    if v.size <= a.size:
        return direct(a, v, mode, boundary="none", correlating=True)
    swapped = correlate(v, a, mode)
    return copy(_conjugate(swapped[::-1]))
