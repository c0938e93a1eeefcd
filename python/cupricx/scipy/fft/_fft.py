"""Fourier transforms with SciPy's conventions, over those of `cupric.fft`."""

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, fft_of_real, fft_to_real, using_plan
from cupricx.scipy.fft import _shapes

__all__ = [
    "fft",
    "fft2",
    "fftn",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftn",
]


def _one(x, n, axis, kind):
    """An axis and a length: of the real side."""
    axis = arguments.axis(axis, x.ndim)
    if n is None:
        n = 2 * (x.shape[axis] - 1) if kind == "C2R" else x.shape[axis]
    return [axis], [_shapes.length(n)]


def _several(x, s, axes, kind):
    axes, lengths = _shapes.axes_and_lengths(x, s, axes)
    if kind != "C2C" and not axes:
        raise ValueError("at least 1 axis must be transformed")
    if kind == "C2R" and s is None:
        lengths[-1] = _shapes.length(2 * (lengths[-1] - 1))
    return axes, lengths


def _run(x, read, size, where, norm, kind, plan=None, inverse=False, overwrite=False):
    """A transform of what SciPy's arguments mean.

    `read`: `_one` or `_several`, of `size` and `where`.
    """
    given, x = x, _shapes.floating(x)
    if kind == "R2C" and x.dtype.kind == "c":
        raise TypeError(f"x must be a real sequence, not of {x.dtype}: see fft, x.real")
    axes, lengths = read(x, size, where, kind)
    norm = _shapes.norm(norm)
    if not axes:
        return given
    args = x, None if size is None else lengths, tuple(axes), norm
    with using_plan(plan):
        if kind == "R2C":
            return fft_of_real(*args, "C")
        if kind == "C2R":
            return fft_to_real(*args, "C")
        return complex_fft(*args, inverse, _order(x, axes), bool(overwrite))


def _order(x, axes):
    """That of the result: as in CuPy, of several axes Fortran's where it was."""
    return "K" if len(axes) > 1 and x.flags.f_contiguous else "C"


_SWAPPED = {None: "forward", "backward": "forward", "forward": "backward"}


def _real_spectrum(x, read, size, where, norm, plan):
    """The real transform of what is Hermitian."""
    x = _shapes.floating(x).conj()
    norm = _SWAPPED.get(norm, norm)
    return _run(x, read, size, where, norm, "C2R", plan)


def _hermitian(x, read, size, where, norm, plan):
    """The inverse of that."""
    norm = _SWAPPED.get(norm, norm)
    spectrum = _run(x, read, size, where, norm, "R2C", plan)
    return _core.conjugate(spectrum, out=spectrum)


def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform along one axis.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.fft(cp.array([1.0, 2, 3, 4]))
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return _run(x, _one, n, axis, norm, "C2C", plan, False, overwrite_x)


def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, *, plan=None):
    """Inverse discrete Fourier transform along one axis.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.ifft(cp.array([4.0, 0, 0, 0]))
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _run(x, _one, n, axis, norm, "C2C", plan, True, overwrite_x)


def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform over two axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        By default the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.fft2(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _run(x, _several, s, axes, norm, "C2C", plan, False, overwrite_x)


def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, *, plan=None):
    """Inverse discrete Fourier transform over two axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        By default the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.ifft2(cp.ones((2, 2)))
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _run(x, _several, s, axes, norm, "C2C", plan, True, overwrite_x)


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.fftn(cp.ones((2, 1, 2))).shape
    (2, 1, 2)
    """
    return _run(x, _several, s, axes, norm, "C2C", plan, False, overwrite_x)


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, *, plan=None):
    """Inverse discrete Fourier transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.ifftn(cp.ones((2, 2)), axes=0)
    array([[1.+0.j, 1.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _run(x, _several, s, axes, norm, "C2C", plan, True, overwrite_x)


def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform of real numbers: the first n // 2 + 1 terms.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.rfft(cp.array([1.0, 2, 3, 4]))
    array([10.+0.j, -2.+2.j, -2.+0.j])
    """
    return _run(x, _one, n, axis, norm, "R2C", plan)


def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, *, plan=None):
    """Inverse of `rfft`.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex: the terms that are not redundant.
    n : int, optional
        Length of the result; an even one by default.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.irfft(cp.array([4.0, 0, 4]))
    array([2., 0., 2., 0.])
    """
    return _run(x, _one, n, axis, norm, "C2R", plan)


def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform of real numbers over two axes, the last halved.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        By default the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.rfft2(cp.ones((2, 4)))
    array([[8.+0.j, 0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    return _run(x, _several, s, axes, norm, "R2C", plan)


def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, *, plan=None):
    """Inverse of `rfft2`.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex: the terms that are not redundant.
    s : int or sequence of ints, optional
        Lengths of the result,
        by default an even one along the last axis.
    axes : int or sequence of ints, optional
        By default the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.irfft2(cp.ones((2, 3)))
    array([[1., 0., 0., 0.],
           [0., 0., 0., 0.]])
    """
    return _run(x, _several, s, axes, norm, "C2R", plan)


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform of real numbers over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.rfftn(cp.ones((3, 4, 5))).shape
    (3, 4, 3)
    """
    return _run(x, _several, s, axes, norm, "R2C", plan)


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, *, plan=None):
    """Inverse of `rfftn`.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex: the terms that are not redundant.
    s : int or sequence of ints, optional
        Lengths of the result,
        by default an even one along the last axis.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.irfftn(cp.ones((3, 4, 5))).shape
    (3, 4, 8)
    """
    return _run(x, _several, s, axes, norm, "C2R", plan)


def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform of a Hermitian signal: its spectrum is real.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex: the terms that are not redundant.
    n : int, optional
        Length of the result; an even one by default.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.hfft(cp.array([1.0, 2, 3]))
    array([ 8., -2.,  0., -2.])
    """
    return _real_spectrum(x, _one, n, axis, norm, plan)


def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, *, plan=None):
    """Inverse of `hfft`.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.ihfft(cp.array([1.0, 2, 3, 4]))
    array([ 2.5-0.j , -0.5-0.5j, -0.5-0.j ])
    """
    return _hermitian(x, _one, n, axis, norm, plan)


def hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform of a Hermitian signal over two axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex: the terms that are not redundant.
    s : int or sequence of ints, optional
        Lengths of the result,
        by default an even one along the last axis.
    axes : int or sequence of ints, optional
        By default the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.hfft2(cp.ones((2, 3)))
    array([[8., 0., 0., 0.],
           [0., 0., 0., 0.]])
    """
    return _real_spectrum(x, _several, s, axes, norm, plan)


def ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, *, plan=None):
    """Inverse of `hfft2`.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        By default the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.ihfft2(cp.ones((2, 4)))
    array([[1.-0.j, 0.-0.j, 0.-0.j],
           [0.-0.j, 0.-0.j, 0.-0.j]])
    """
    return _hermitian(x, _several, s, axes, norm, plan)


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, *, plan=None):
    """Discrete Fourier transform of a Hermitian signal over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex: the terms that are not redundant.
    s : int or sequence of ints, optional
        Lengths of the result,
        by default an even one along the last axis.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.hfftn(cp.ones((3, 4, 5))).shape
    (3, 4, 8)
    """
    return _real_spectrum(x, _several, s, axes, norm, plan)


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, *, plan=None):
    """Inverse of `hfftn`.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    s : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros,
        -1 for an axis that stays as it is.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor, one over the number of points, goes: to the inverse
        transform, evenly, or to the forward one.
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fft
    >>> fft.ihfftn(cp.ones((3, 4, 5))).shape
    (3, 4, 3)
    """
    return _hermitian(x, _several, s, axes, norm, plan)
