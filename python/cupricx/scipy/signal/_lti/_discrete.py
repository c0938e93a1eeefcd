"""Systems in discrete time: outputs, and responses to impulses and frequencies."""

from cupricx.scipy.signal._lti._simulation import discrete
from cupricx.scipy.signal._lti._systems import StateSpace, dlti, lti

__all__ = ["dbode", "dfreqresp", "dimpulse", "dlsim", "dstep"]


def _system(system, name, what="discrete-time dlti systems"):
    if isinstance(system, dlti):
        return system
    if isinstance(system, lti):
        raise AttributeError(f"{name} can only be used with {what}.")
    *parts, dt = system
    return dlti(*parts, dt=dt)


def dlsim(system, u, t=None, x0=None):
    """Simulate the output of a linear system in discrete time.

    Parameters
    ----------
    system : dlti or tuple of array_like
        Or (num, den, dt), (zeros, poles, gain, dt) or (A, B, C, D, dt).
    u : array_like
        The input at each time, a column for each input of the system.
    t : array_like, optional
        Times of `u`, between which it is linear; there are samples from 0 to the last
        of them. By default those of the samples.
    x0 : array_like, optional
        The state at the start; zero by default.

    Returns
    -------
    tuple of cupric.ndarray
        The times of the samples; the output, of shape (samples, outputs); and, where
        the system is a `StateSpace`, its states, of shape (samples, states). Both are
        float64 or complex128.

    Raises
    ------
    ValueError
        Shapes do not fit together, or `t` is not increasing.
    IndexError
        There is no sample.
    AttributeError
        The system is one in continuous time.

    Notes
    -----
    The states are a linear recurrence, which runs in parallel along time. Waits for the
    device where `t` is one of its arrays, which has to be increasing.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import dlsim
    >>> t, y = dlsim(([1.0], [1.0, -0.5], 0.1), cp.ones(4))
    >>> y.ravel()
    array([0.  , 1.  , 1.5 , 1.75])
    """
    system = _system(system, "dlsim")
    parts = system._as_ss()._parts()
    made = discrete(parts, system.dt, system._device, u, t, x0)
    return made if isinstance(system, StateSpace) else made[:2]


def dimpulse(system, x0=None, t=None, n=None):
    """Impulse response of a linear system in discrete time.

    Parameters
    ----------
    system : dlti or tuple of array_like
        Or (num, den, dt), (zeros, poles, gain, dt) or (A, B, C, D, dt).
    x0 : array_like, optional
        The state at the start; zero by default.
    t : array_like, optional
        Times. By default those of `n` samples.
    n : int, optional
        100 by default.

    Returns
    -------
    tout : cupric.ndarray
    yout : tuple of cupric.ndarray
        For each input the outputs, of shape (samples, outputs).

    Examples
    --------
    >>> from cupricx.scipy.signal import dimpulse
    >>> t, (y,) = dimpulse(([1.0], [1.0, -0.5], 1), n=4)
    >>> y.ravel()
    array([0.  , 1.  , 0.5 , 0.25])
    """
    return _system(system, "dimpulse").impulse(x0, t, n)


def dstep(system, x0=None, t=None, n=None):
    """Step response of a linear system in discrete time.

    Parameters
    ----------
    system : dlti or tuple of array_like
        Or (num, den, dt), (zeros, poles, gain, dt) or (A, B, C, D, dt).
    x0 : array_like, optional
        The state at the start; zero by default.
    t : array_like, optional
        Times. By default those of `n` samples.
    n : int, optional
        100 by default.

    Returns
    -------
    tout : cupric.ndarray
    yout : tuple of cupric.ndarray
        For each input the outputs, of shape (samples, outputs).

    Examples
    --------
    >>> from cupricx.scipy.signal import dstep
    >>> t, (y,) = dstep(([1.0], [1.0, -0.5], 1), n=4)
    >>> y.ravel()
    array([0.  , 1.  , 1.5 , 1.75])
    """
    return _system(system, "dstep").step(x0, t, n)


def dfreqresp(system, w=None, n=10000, whole=False):
    """Frequency response of a linear system in discrete time.

    Parameters
    ----------
    system : dlti or tuple of array_like
        Or (num, den, dt), (zeros, poles, gain, dt) or (A, B, C, D, dt), of one input
        and one output.
    w : array_like, optional
        Angular frequencies, in radians per sample. By default `n` from 0 to pi.
    n : int, optional
    whole : bool, optional
        Up to twice pi instead.

    Returns
    -------
    w : cupric.ndarray
    H : cupric.ndarray of complex128

    Raises
    ------
    ValueError
        The system has more inputs or outputs.
    AttributeError
        It is one in continuous time.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import dfreqresp
    >>> w, h = dfreqresp(([1.0], [1.0, -0.5], 0.1), w=cp.array([0.0]))
    >>> h
    array([2.+0.j])
    """
    system = _system(system, "dfreqresp", "discrete-time systems")
    return system.freqresp(w, n, whole)


def dbode(system, w=None, n=100):
    """Magnitude and phase of the frequency response of a system in discrete time.

    Parameters
    ----------
    system : dlti or tuple of array_like
        Or (num, den, dt), (zeros, poles, gain, dt) or (A, B, C, D, dt), of one input
        and one output.
    w : array_like, optional
        Angular frequencies, in radians per sample. By default `n` from 0 to pi.
    n : int, optional

    Returns
    -------
    w : cupric.ndarray
        Angular frequencies, in radians per unit of time.
    mag : cupric.ndarray
        In decibels.
    phase : cupric.ndarray
        In degrees, without jumps.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import dbode
    >>> w, mag, phase = dbode(([1.0], [1.0, 0.0], 0.5), w=cp.array([1.0]))
    >>> w
    array([2.])
    >>> mag
    array([0.])
    """
    return _system(system, "dfreqresp", "discrete-time systems").bode(w, n)
