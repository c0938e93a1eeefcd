"""Discrete-time systems that follow continuous ones."""

import numpy as np

from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal._lti._matrices import expm, float_matrix
from cupricx.scipy.signal._lti._state_space import ss2tf, ss2zpk, tf2ss, zpk2ss

__all__ = ["cont2discrete", "discretized", "held", "ramped"]


def _generalized_bilinear(a, b, c, d, dt, alpha):
    if alpha is None:
        raise ValueError(
            "Alpha parameter must be specified for the generalized bilinear transform "
            "(gbt) method"
        )
    if alpha < 0 or alpha > 1:
        raise ValueError(
            f"Alpha parameter must be within the interval [0,1] for the gbt method, "
            f"not {alpha}"
        )
    left = np.eye(a.shape[0]) - alpha * dt * a
    ad = np.linalg.solve(left, np.eye(a.shape[0]) + (1 - alpha) * dt * a)
    bd = np.linalg.solve(left, dt * b)
    return ad, bd, np.linalg.solve(left.T, c.T).T, d + alpha * (c @ bd)


def _of_weight(weight):
    def method(a, b, c, d, dt, alpha):
        return _generalized_bilinear(a, b, c, d, dt, weight)

    return method


def _zero_order_hold(a, b, c, d, dt, alpha):
    ad, bd = held(a, b, dt)
    return ad, bd, c, d


def _first_order_hold(a, b, c, d, dt, alpha):
    ad, bd, slope = ramped(a, b, dt)
    return ad, bd - slope + ad @ slope, c, d + c @ slope


def _impulse_invariant(a, b, c, d, dt, alpha):
    if not np.allclose(d, 0):
        raise ValueError(
            "Impulse method is only applicable to strictly proper systems: D is not "
            "zero"
        )
    ad = expm(a * dt)
    return ad, ad @ b * dt, c, c @ b * dt


_METHODS = {
    "gbt": _generalized_bilinear,
    "bilinear": _of_weight(0.5),
    "tustin": _of_weight(0.5),
    "euler": _of_weight(0.0),
    "forward_diff": _of_weight(0.0),
    "backward_diff": _of_weight(1.0),
    "zoh": _zero_order_hold,
    "foh": _first_order_hold,
    "impulse": _impulse_invariant,
}


def held(a, b, dt):
    """x(dt) = ad x(0) + bd u, where u is constant: blocks of one exponential."""
    n, m = b.shape
    both = expm(dt * np.vstack([np.hstack([a, b]), np.zeros((m, n + m), float)]))
    return both[:n, :n], both[:n, n:]


def ramped(a, b, dt):
    """x(dt) = ad x(0) + bd u(0) + slope (u(dt) - u(0)), where u is linear."""
    n, m = b.shape
    all_of = np.zeros((n + 2 * m, n + 2 * m), np.result_type(a, b))
    all_of[:n, :n], all_of[:n, n : n + m] = a * dt, b * dt
    all_of[n : n + m, n + m :] = np.eye(m)
    made = expm(all_of)
    return made[:n, :n], made[:n, n : n + m], made[:n, n + m :]


def discretized(system, dt, method="zoh", alpha=None):
    """`cont2discrete` of arrays of the host."""
    if len(system) == 2:
        made = discretized(tf2ss.on_host(*system), dt, method, alpha)
        return (*ss2tf.on_host(*made[:4]), dt)
    if len(system) == 3:
        made = discretized(zpk2ss.on_host(*system), dt, method, alpha)
        return (*ss2zpk.on_host(*made[:4]), dt)
    if len(system) != 4:
        raise ValueError(
            "First argument must either be a tuple of 2 (tf), 3 (zpk), or 4 (ss) "
            f"arrays, not of {len(system)}"
        )
    a, b, c, d = (np.atleast_2d(float_matrix(m)) for m in system)
    if a.shape[0] != a.shape[1] or b.shape[0] != a.shape[0] or c.shape[1] != len(a):
        raise ValueError(
            f"matrices do not fit together: A {a.shape}, B {b.shape}, C {c.shape}, D "
            f"{d.shape}"
        )
    if method not in _METHODS:
        raise ValueError(
            f"Unknown transformation method '{method}', not one of {list(_METHODS)}"
        )
    return (*_METHODS[method](a, b, c, d, dt, alpha), dt)


@on_host
def cont2discrete(system, dt, method="zoh", alpha=None):
    """Discrete-time system that follows a continuous-time one.

    Parameters
    ----------
    system : lti or tuple of array_like
        (num, den), (zeros, poles, gain) or (A, B, C, D).
    dt : float
        The time from sample to sample.
    method : str, optional
        'zoh', input that is constant between samples; 'foh', that is linear;
        'impulse', the same impulse response; 'gbt', a generalized bilinear
        transformation of weight `alpha`, of which 'bilinear' or 'tustin' is the one of
        .5, 'euler' or 'forward_diff' of 0, and 'backward_diff' of 1.
    alpha : float, optional
        From 0 to 1, for 'gbt'.

    Returns
    -------
    tuple of cupric.ndarray
        As `system`, with `dt` behind; for an `lti` the `dlti`.

    Raises
    ------
    ValueError
        `system` is no such tuple, its arrays do not fit together, or there is no such
        method or `alpha`.

    References
    ----------
    - G. F. Franklin, J. D. Powell and M. L. Workman, "Digital Control of Dynamic
      Systems", 3rd ed., 1997.
    - G. Zhang, X. Chen and T. Chen, "Digital redesign via the generalised bilinear
      transformation", Int. J. Control 82 (4), 2009.

    Examples
    --------
    >>> from cupricx.scipy.signal import cont2discrete
    >>> num, den, dt = cont2discrete(([1.0], [1.0, 2.0]), 0.5, "euler")
    >>> den
    array([1., 0.])
    """
    if hasattr(system, "to_discrete"):
        return system.to_discrete(dt, method, alpha)
    return discretized(system, dt, method, alpha)
