"""Spectra of samples at any times: no transform, but sums for each frequency."""

import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library, replayed

__all__ = ["lombscargle", "vectorstrength"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import signal

    x, y = xp.sqrt(xp.arange(300.0)), xp.cos(xp.arange(300.0))
    omega = xp.arange(1.0, 20)
    made = [signal.lombscargle(x, y, omega, normalize=n) for n in (False, True)]
    made.append(signal.lombscargle(x, y, omega, normalize="amplitude", weights=x + 1))
    return [*made, *signal.vectorstrength(x, omega)]


_lomb_scargle, _vector_strengths = (
    _library.kernel(
        name, blocks=count, threads="SUM_THREADS", ships="_", example=_example
    )
    for name, count in (("lomb_scargle", "frequencies"), ("vector_strengths", "count"))
)


class _NoValue:
    """What a parameter is that is not passed."""

    def __repr__(self):
        return "<no value>"


_no_value = _NoValue()

_RESULTS = {
    "power": "AS_POWER",
    "normalize": "AS_SHARE",
    "amplitude": "AS_AMPLITUDE",
}


def _column(x, name):
    x = arguments.array(x, name)
    if x.ndim != 1 or x.size == 0:
        raise ValueError(
            f"Parameter {name} must be 1-dimensional and not empty, not of shape "
            f"{x.shape}"
        )
    if x.dtype.kind == "c":
        raise ValueError(f"Parameter {name} must be real, not of {x.dtype}")
    return x.astype(np.float64, copy=False)


@where_it_lives
def lombscargle(
    x,
    y,
    freqs,
    precenter=_no_value,
    normalize=False,
    weights=None,
    floating_mean=False,
):
    """Generalized Lomb-Scargle periodogram, of samples at any times.

    For each frequency a sine is fitted to the samples, by least squares.

    Parameters
    ----------
    x, y : cupric.ndarray, shape (n,)
        Times and values of the samples.
    freqs : cupric.ndarray, shape (m,)
        Angular frequencies.
    precenter : bool, optional
        Subtract the mean of `y`. Deprecated: ``y - y.mean()`` does the same.
    normalize : bool or {'power', 'normalize', 'amplitude'}, optional
        False, 'power': ``A**2 * n / 4`` of a sine of amplitude A. True, 'normalize':
        the share of the power of `y`. 'amplitude': amplitude and phase, complex.
    weights : cupric.ndarray, shape (n,), optional
        How much samples count.
    floating_mean : bool, optional
        Fit a constant as well.

    Returns
    -------
    cupric.ndarray of float64 or complex128, shape (m,)

    Raises
    ------
    ValueError
        Arrays that have not one axis, are empty, or of other lengths; weights that are
        negative, or sum up to nothing.

    References
    ----------
    M. Zechmeister, M. Kürster, The generalised Lomb-Scargle periodogram, Astronomy and
    Astrophysics 496, 2009.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import signal
    >>> t = cp.sqrt(cp.arange(400.0))
    >>> y = cp.cos(3 * t)
    >>> signal.lombscargle(t, y, cp.array([2.0, 3.0]), normalize=True).round(2)
    array([0.01, 1.  ])
    """
    x, y, omega = _column(x, "x"), _column(y, "y"), _column(freqs, "freqs")
    if x.shape != y.shape:
        raise ValueError(f"x and y do not have the same shape: {x.shape}, {y.shape}")
    if weights is not None:
        weights = _column(weights, "weights")
        if weights.shape != x.shape:
            raise ValueError(
                f"x and weights do not have the same shape: {x.shape}, {weights.shape}"
            )
        least, total = float(weights.min()), float(weights.sum())
        if least < 0:
            raise ValueError(f"weights must not be negative: one is {least}")
        if total <= 0:
            raise ValueError(f"weights must have a positive sum, not {total}")
    if isinstance(normalize, bool | np.bool_):
        normalize = "normalize" if normalize else "power"
    if normalize not in _RESULTS:
        raise ValueError(
            "Normalize must be: False (or 'power'), True (or 'normalize'), or "
            f"'amplitude', not {normalize!r}"
        )
    if precenter is not _no_value:
        warnings.warn(
            "precenter is deprecated: pass y - y.mean() instead",
            DeprecationWarning,
            stacklevel=2,
        )
        if precenter:
            y = y - y.mean()
    made = _periodogram(x, y, omega, weights, _RESULTS[normalize], bool(floating_mean))
    return made.reshape(()) if made.size == 1 else made


@replayed
def _periodogram(x, y, omega, weights, result, has_mean):
    dtype = np.complex128 if result == "AS_AMPLITUDE" else np.float64
    out = _core.empty(omega.shape, dtype)
    _lomb_scargle[()](
        x=x,
        y=y,
        weights=None if weights is None else _core.ascontiguousarray(weights),
        omega=omega,
        out=out.view(np.float64),
        frequencies=omega.size,
        result=getattr(_library.enum, result),
        has_mean=has_mean,
    )
    return out


@where_it_lives
def vectorstrength(events, period):
    """How well events keep to a period: the mean of their phases as unit vectors.

    Parameters
    ----------
    events : cupric.ndarray, shape (n,)
        Times.
    period : float or array_like, shape (m,)

    Returns
    -------
    strength : cupric.ndarray, shape () or (m,)
        The length of the mean vector: 1 where all events have the same phase.
    phase : cupric.ndarray, shape () or (m,)
        Its angle.

    Raises
    ------
    ValueError
        `events` or `period` has more than one axis, or a period is not positive.

    References
    ----------
    J. L. van Hemmen, A. Longtin, A. N. Vollmayr, Testing resonating vector strength,
    Chaos 21, 2011.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> strength, phase = signal.vectorstrength(cp.array([0.25, 1.25, 5.25]), 1)
    >>> strength.round(6), phase.round(6)
    (array(1.), array(1.570796))
    """
    events = arguments.array(events, "events")
    if not isinstance(period, _core.ndarray):
        period = np.asarray(period)
    shape = period.shape
    if period.size and float(period.min()) <= 0:
        raise ValueError(f"periods must be positive, not {float(period.min())}")
    period = arguments.small(period, events)
    if period.dtype.kind in "biu":
        period = period.astype(np.float64)
    for name, found in (("events", events.shape), ("period", shape)):
        if len(found) > 1:
            raise ValueError(
                f"{name} cannot have dimensions more than 1, as shape {found} has"
            )
    wide = (v.reshape(-1).astype(np.float64, copy=False) for v in (events, period))
    both = _strengths(*wide).astype(period.dtype, copy=False)
    return both[0].reshape(shape), both[1].reshape(shape)


@replayed
def _strengths(events, period):
    both = _core.empty((2, period.size))
    _vector_strengths[()](
        events=events,
        periods=period,
        strength=both[0],
        phase=both[1],
        count=period.size,
    )
    return both
