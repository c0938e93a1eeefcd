"""Windows by name."""

import operator

from cupricx.scipy.signal.windows import _dpss, _windows

__all__ = ["get_window"]

# Names, the function, and how many parameters there are at least and at most.
_FAMILIES = [
    ("barthann brthan bth", _windows.barthann, 0, 0),
    ("bartlett bart brt", _windows.bartlett, 0, 0),
    ("blackman black blk", _windows.blackman, 0, 0),
    ("blackmanharris blackharr bkh", _windows.blackmanharris, 0, 0),
    ("bohman bman bmn", _windows.bohman, 0, 0),
    ("boxcar box ones rect rectangular", _windows.boxcar, 0, 0),
    ("chebwin cheb", _windows.chebwin, 1, 1),
    ("cosine halfcosine", _windows.cosine, 0, 0),
    ("dpss", _dpss.dpss, 1, 1),
    ("exponential poisson", _windows.exponential, 0, 2),
    ("flattop flat flt", _windows.flattop, 0, 0),
    ("gaussian gauss gss", _windows.gaussian, 1, 1),
    ("general_cosine", _windows.general_cosine, 1, 1),
    (
        "general_gaussian general_gauss ggs",
        _windows.general_gaussian,
        2,
        2,
    ),
    ("general_hamming", _windows.general_hamming, 1, 1),
    ("hamming hamm ham", _windows.hamming, 0, 0),
    ("hann han", _windows.hann, 0, 0),
    ("kaiser ksr", _windows.kaiser, 1, 1),
    ("kaiser_bessel_derived kbd", _windows.kaiser_bessel_derived, 1, 1),
    ("lanczos sinc", _windows.lanczos, 0, 0),
    ("nuttall nutl nut", _windows.nuttall, 0, 0),
    ("parzen parz par", _windows.parzen, 0, 0),
    ("taylor taylorwin", _windows.taylor, 0, 3),
    ("triang triangle tri", _windows.triang, 0, 0),
    ("tukey tuk", _windows.tukey, 0, 1),
]

_BY_NAME = {
    spelling: (function, least, most)
    for names, function, least, most in _FAMILIES
    for name in names.split()
    for spelling in {name, name.replace("_", " ")}
}


def _read(window):
    """The window's name and parameters."""
    if isinstance(window, str):
        return window, ()
    if isinstance(window, tuple) and window and isinstance(window[0], str):
        return window[0], window[1:]
    try:
        return "kaiser", (float(window),)
    except (TypeError, ValueError):
        raise ValueError(
            f"window={window!r} is not a name, a tuple of a name and parameters, or "
            "the beta of a Kaiser window"
        ) from None


def get_window(window, Nx, fftbins=True, *, xp=None, device=None):
    """A window by its name.

    Parameters
    ----------
    window : str, tuple or float
        A name, a tuple of a name and parameters, or the `beta` of a Kaiser window. A
        name may end in ``'_periodic'`` or ``'_symmetric'``, which `fftbins` does not
        change.
    Nx : int
        Points, at least 1.
    fftbins : bool, optional
        A periodic window, as transforms need it; else a symmetric one.
    xp : module, optional
        Has no effect: windows are arrays of cupric.
    device : cupric.cuda.Device, optional
        Where the window is, by default on the current device.

    Returns
    -------
    cupric.ndarray of float64, shape (Nx,)

    Raises
    ------
    ValueError
        No window has that name, it has another number of parameters, or `Nx` is not
        positive.

    See Also
    --------
    cupricx.scipy.signal.windows : Names and parameters of windows.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.get_window("bartlett", 4)
    array([0. , 0.5, 1. , 0.5])
    >>> signal.get_window("bartlett_symmetric", 5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    >>> signal.get_window(("general_hamming", 0.75), 4)
    array([0.5 , 0.75, 1.  , 0.75])
    """
    try:
        points = operator.index(Nx)
    except TypeError:
        if not isinstance(Nx, float):
            raise
        points = 0
    if points < 1:
        raise ValueError(f"Parameter Nx={Nx!r} is not a positive integer")
    if not isinstance(fftbins, bool):
        raise ValueError(f"Parameter fftbins={fftbins!r} is not of type bool!")
    name, parameters = _read(window)
    is_symmetric = not fftbins
    for ending, symmetric in (("_periodic", False), ("_symmetric", True)):
        if name.endswith(ending):
            name, is_symmetric = name[: -len(ending)], symmetric
    if name not in _BY_NAME:
        raise ValueError(f"Invalid window name {name!r} in parameter window={window!r}")
    function, least, most = _BY_NAME[name]
    if not least <= len(parameters) <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        raise ValueError(
            f"window {name!r} takes {expected} parameters, not {len(parameters)} as "
            f"in window={window!r}"
        )
    return function(points, *parameters, sym=is_symmetric, device=device)
