"""Systems in continuous time: outputs, and responses to impulses and frequencies."""

from cupricx.scipy.signal._lti._simulation import continuous
from cupricx.scipy.signal._lti._systems import dlti, lti

__all__ = ["bode", "freqresp", "impulse", "lsim", "step"]


def _system(system, name):
    if isinstance(system, lti):
        return system
    if isinstance(system, dlti):
        raise AttributeError(f"{name} can only be used with continuous-time systems.")
    return lti(*system)


def lsim(system, U, T, X0=None, interp=True):
    """Simulate the output of a linear system in continuous time.

    Parameters
    ----------
    system : lti or tuple of array_like
        Or (num, den), (zeros, poles, gain) or (A, B, C, D).
    U : array_like or None
        The input at each time, a column for each input of the system; 0 or None where
        there is none.
    T : array_like
        Times, equally spaced, from 0 or later.
    X0 : array_like, optional
        The state at time 0; zero by default.
    interp : bool, optional
        Whether the input is linear between the times, or else constant.

    Returns
    -------
    T : cupric.ndarray
    yout, xout : cupric.ndarray
        The output and the states at each time, axes of length one left out: of float64
        or complex128.

    Raises
    ------
    ValueError
        Times are not equally spaced, or shapes do not fit together.
    AttributeError
        The system is one in discrete time.

    Notes
    -----
    The system is held from time to time exactly, by a matrix exponential on the host;
    its states are a linear recurrence then, which runs in parallel along time. Waits
    for the device where `T` is one of its arrays, as it has to be equally spaced.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import lsim
    >>> t, y, x = lsim(([1.0], [1.0, 0.0]), cp.ones(4), cp.arange(4.0))
    >>> y
    array([0., 1., 2., 3.])
    """
    system = _system(system, "lsim")
    parts = system._as_ss()._parts()
    return continuous(parts, system._device, U, T, X0, interp)


def impulse(system, X0=None, T=None, N=None):
    """Impulse response of a linear system in continuous time.

    Parameters
    ----------
    system : lti or tuple of array_like
        Or (num, den), (zeros, poles, gain) or (A, B, C, D), of one input.
    X0 : array_like, optional
        The state before the impulse; zero by default.
    T : array_like, optional
        Times. By default `N` up to seven time constants of the slowest mode.
    N : int, optional
        100 by default.

    Returns
    -------
    T, yout : cupric.ndarray
        Times, and the output at each.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import impulse
    >>> t, y = impulse(([1.0], [1.0, 0.0]), T=cp.arange(3.0))
    >>> y
    array([1., 1., 1.])
    """
    return _system(system, "impulse").impulse(X0, T, N)


def step(system, X0=None, T=None, N=None):
    """Step response of a linear system in continuous time.

    Parameters
    ----------
    system : lti or tuple of array_like
        Or (num, den), (zeros, poles, gain) or (A, B, C, D), of one input.
    X0 : array_like, optional
        The state at time 0; zero by default.
    T : array_like, optional
        Times. By default `N` up to seven time constants of the slowest mode.
    N : int, optional
        100 by default.

    Returns
    -------
    T, yout : cupric.ndarray
        Times, and the output at each.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import step
    >>> t, y = step(([1.0], [1.0, 0.0]), T=cp.arange(3.0))
    >>> y
    array([0., 1., 2.])
    """
    return _system(system, "step").step(X0, T, N)


def freqresp(system, w=None, n=10000):
    """Frequency response of a linear system in continuous time.

    Parameters
    ----------
    system : lti or tuple of array_like
        Or (num, den), (zeros, poles, gain) or (A, B, C, D), of one input and one
        output.
    w : array_like, optional
        Angular frequencies. By default `n` where the response is of interest.
    n : int, optional

    Returns
    -------
    w : cupric.ndarray
    H : cupric.ndarray of complex128

    Raises
    ------
    ValueError
        The system has more inputs or outputs.
    AttributeError
        It is one in discrete time.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import freqresp
    >>> w, h = freqresp(([1.0], [1.0, 1.0]), w=cp.array([0.0, 1.0]))
    >>> h
    array([1. +0.j , 0.5-0.5j])
    """
    return _system(system, "freqresp").freqresp(w, n)


def bode(system, w=None, n=100):
    """Magnitude and phase of the frequency response of a system in continuous time.

    Parameters
    ----------
    system : lti or tuple of array_like
        Or (num, den), (zeros, poles, gain) or (A, B, C, D), of one input and one
        output.
    w : array_like, optional
        Angular frequencies. By default `n` where the response is of interest.
    n : int, optional

    Returns
    -------
    w : cupric.ndarray
    mag : cupric.ndarray
        In decibels.
    phase : cupric.ndarray
        In degrees, without jumps.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import bode
    >>> w, mag, phase = bode(([1.0], [1.0, 1.0]), w=cp.array([1.0]))
    >>> phase
    array([-45.])
    """
    return _system(system, "freqresp").bode(w, n)
