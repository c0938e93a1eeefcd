"""Discrete cosine and sine transforms, of types 1 to 4."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import contiguous, cosine_transform
from cupric._lib.kernels import Library
from cupric.fft import fft, irfft, rfft
from cupricx.scipy.fft import _shapes

__all__ = [
    "dct",
    "dctn",
    "dst",
    "dstn",
    "idct",
    "idctn",
    "idst",
    "idstn",
]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import fft

    x = (np.arange(5 * 8) % 17).reshape(5, 8) - 8.0
    made = []
    for dtype in "fd":
        for axis in (0, 1):
            for type in (1, 2, 3, 4):
                each = xp.asarray(x.astype(dtype))
                made.append(fft.dct(each, type, axis=axis))
                made.append(fft.dst(each, type, axis=axis))
    return made


_fold, _unfold, _rotate, _interleave, _pair, _unpair = (
    _library.kernel(f"{name}<T>", elements="total", ships="f d", example=_example)
    for name in ("fold", "unfold", "rotate", "interleave", "pair", "unpair")
)


def _type(type, name):
    if type not in (1, 2, 3, 4):
        raise ValueError(f"invalid {name} type: {type!r} is none of 1, 2, 3, 4")
    return int(type)


def _factor(norm, inverse, total):
    """What a transform is multiplied by, `total`: of it and its inverse."""
    if norm == "ortho":
        return 1 / math.sqrt(total)
    return 1 / total if (norm == "forward") != inverse else 1.0


def _logical_length(n, type, sine):
    """The length of the periodic sequence of which n numbers are a period's part."""
    if type != 1:
        return 2 * n
    return 2 * (n + 1) if sine else 2 * (n - 1)


def _of_length(x, n, axis):
    """`x`, cut or padded with zeros to n along one axis."""
    m = x.shape[axis]
    before = (slice(None),) * axis
    if m >= n:
        return x if m == n else x[(*before, slice(n))]
    made = _core.zeros((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype)
    made[(*before, slice(m))] = x
    return made


@functools.lru_cache(maxsize=64)
def _sizes(m, n, length, inner, how, sine):
    how = getattr(_library.enum, how)
    return _library.struct.transform_sizes(
        m=m, n=n, length=length, inner=inner, how=how, sine=sine
    )


def _folding(type, n, sine):
    """What the real FFT transforms, and its length, of types 1, 2 and 4."""
    if type == 4:
        return "ODD_LENGTH", n
    if type == 2:
        return "EVENS_FIRST", n
    return "EXTENSION_ODD" if sine else "EXTENSION_EVEN", _logical_length(n, 1, sine)


def _composed(x, type, n, axis, factor, orthogonal, sine):
    """The transform of `x`, real or complex, along one axis, by an FFT between kernels;
    `type` as it is made."""
    real = np.dtype(x.dtype.char.lower())
    m = x.shape[axis]
    outer = math.prod(x.shape[:axis])
    inner = math.prod(x.shape[axis + 1 :])
    result = _core.empty((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype)
    if not result.size:
        return result
    if x.dtype.kind == "c":
        inner *= 2
    x, total = contiguous(x), outer * n * inner
    if type == 3:
        size = _sizes(m, n, n // 2 + 1, inner, "EVENS_FIRST", sine)
        half = _core.empty((outer, n // 2 + 1, inner), arguments.complex_dtype(real))
        edge = math.sqrt(2) if orthogonal else 1.0
        _rotate[real](x=x, V=half, total=half.size, size=size, edge=edge)
        v = contiguous(irfft(half, n, axis=1, norm="forward"))
        _interleave[real](v=v, y=result, total=total, size=size, scale=factor)
    elif type == 4 and n % 2 == 0:
        size = _sizes(m, n, n // 2, inner, "EVENS_FIRST", sine)
        z = _core.empty((outer, n // 2, inner), arguments.complex_dtype(real))
        _pair[real](x=x, z=z, total=z.size, size=size)
        spectrum = fft(z, axis=1)
        _unpair[real](Z=spectrum, y=result, total=total, size=size, scale=factor)
    else:
        how, length = _folding(type, n, sine)
        v = _core.empty((outer, length, inner), real)
        before = math.sqrt(2) if orthogonal and type == 1 else 1.0
        size = _sizes(m, n, length, inner, how, sine)
        _fold[real](x=x, v=v, total=v.size, size=size, scale=before)
        # On a GPU long transforms come by rows: kernels read them in C order.
        spectrum = contiguous(rfft(v, axis=1))
        after = math.sqrt(0.5) if orthogonal else 1.0
        size = _sizes(m, n, length // 2 + 1, inner, how, sine)
        _unfold[real](
            V=spectrum, y=result, total=total, size=size, scale=factor, edge=after
        )
    return result


def _transform(x, type, lengths, axes, norm, inverse, orthogonalize, sine):
    """Along several axes; `type` as the caller names it."""
    type = _type(type, "DST" if sine else "DCT")
    norm = _shapes.norm(norm)
    orthogonal = norm == "ortho" if orthogonalize is None else bool(orthogonalize)
    if type == 4 or (sine and type == 1):
        orthogonal = False
    if not axes:
        return x
    if type == 1 and not sine and min(lengths) < 2:
        raise ValueError(
            f"a DCT of type 1 needs at least 2 data points along an axis, not "
            f"{min(lengths)}"
        )
    made = {2: 3, 3: 2}.get(type, type) if inverse else type
    owned = False
    with x.device:
        for n, axis in zip(lengths, axes, strict=True):
            factor = _factor(norm, inverse, _logical_length(n, type, sine))
            if _library.on_host(x):
                of = _of_length(x, n, axis)
                in_place = owned and of is x
                args = (made, sine, axis, factor, orthogonal, in_place)
                x = cosine_transform(of, *args)
            else:
                x = _composed(x, made, n, axis, factor, orthogonal, sine)
            owned = True
    return x


def _along_one(x, type, n, axis, norm, inverse, orthogonalize, sine):
    x = _shapes.floating(x)
    axis = arguments.axis(axis, x.ndim)
    n = _shapes.length(x.shape[axis] if n is None else n)
    return _transform(x, type, [n], [axis], norm, inverse, orthogonalize, sine)


def _along_several(x, type, s, axes, norm, inverse, orthogonalize, sine):
    given, x = x, _shapes.floating(x)
    axes, lengths = _shapes.axes_and_lengths(x, s, axes)
    if not axes:
        x = given
    return _transform(x, type, lengths, axes, norm, inverse, orthogonalize, sine)


def dct(
    x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Discrete cosine transform.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1 / 2n (of type 1, 1 / 2(n - 1)) goes: to the inverse
        transform, evenly, or here.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    orthogonalize : bool, optional
        Scale the terms at the ends by the square root of 2, so that with
        ``norm="ortho"`` the transform is orthogonal; by default, with that norm. Type 4
        is orthogonal as it is.

    Returns
    -------
    cupric.ndarray
        New; float32 or complex64 of input that is, or is float16, else float64 or
        complex128.

    Raises
    ------
    ValueError
        A type, norm or length that there is none of.

    Notes
    -----
    One FFT, of real numbers and of the same length, after Makhoul (1980), and a kernel
    before and after it; of type 1, of twice the length.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.dct(cp.array([1.0, 2, 3, 4]), 1)) + 0
    array([15., -4.,  0., -1.])
    """
    return _along_one(x, type, n, axis, norm, False, orthogonalize, False)


def idct(
    x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Inverse discrete cosine transform.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
        Of the transform whose inverse this is.
    n, axis, norm, overwrite_x, orthogonalize : optional
        As of `dct`.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.idct(fft.dct(cp.array([1.0, 2, 3, 4]))))
    array([1., 2., 3., 4.])
    """
    return _along_one(x, type, n, axis, norm, True, orthogonalize, False)


def dst(
    x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Discrete sine transform.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
    n, axis, overwrite_x : optional
        As of `dct`.
    norm : {'backward', 'ortho', 'forward'}, optional
        As of `dct`; the factor is 1 / 2n, of type 1 it is 1 / 2(n + 1).
    orthogonalize : bool, optional
        As of `dct`; types 1 and 4 are orthogonal as they are.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.dst(cp.array([1.0, 0, -1])), 3) + 0
    array([0.   , 3.464, 0.   ])
    """
    return _along_one(x, type, n, axis, norm, False, orthogonalize, True)


def idst(
    x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Inverse discrete sine transform.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
        Of the transform whose inverse this is.
    n, axis, norm, overwrite_x, orthogonalize : optional
        As of `dst`.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.idst(fft.dst(cp.array([1.0, 2, 3, 4]), 3), 3))
    array([1., 2., 3., 4.])
    """
    return _along_one(x, type, n, axis, norm, True, orthogonalize, True)


def dctn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Discrete cosine transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
    s : int or sequence of ints, optional
        Lengths along `axes`, -1 for an axis's own.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm, overwrite_x, orthogonalize : optional
        As of `dct`.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.dctn(cp.ones((2, 2)))
    array([[16.,  0.],
           [ 0.,  0.]])
    """
    return _along_several(x, type, s, axes, norm, False, orthogonalize, False)


def idctn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Inverse discrete cosine transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
        Of the transform whose inverse this is.
    s, axes, norm, overwrite_x, orthogonalize : optional
        As of `dctn`.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.idctn(fft.dctn(cp.ones((2, 2)))))
    array([[1., 1.],
           [1., 1.]])
    """
    return _along_several(x, type, s, axes, norm, True, orthogonalize, False)


def dstn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Discrete sine transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
    s, axes, norm, overwrite_x, orthogonalize : optional
        As of `dctn`, and of `dst`.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.dstn(cp.ones((1, 2))), 3) + 0
    array([[5.657, 0.   ]])
    """
    return _along_several(x, type, s, axes, norm, False, orthogonalize, True)


def idstn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, *, orthogonalize=None
):
    """Inverse discrete sine transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    type : {1, 2, 3, 4}, optional
        Of the transform whose inverse this is.
    s, axes, norm, overwrite_x, orthogonalize : optional
        As of `dctn`, and of `dst`.

    Returns
    -------
    cupric.ndarray
        New, of the dtype that `dct` has.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> cp.round(fft.idstn(fft.dstn(cp.ones((2, 2)))))
    array([[1., 1.],
           [1., 1.]])
    """
    return _along_several(x, type, s, axes, norm, True, orthogonalize, True)
