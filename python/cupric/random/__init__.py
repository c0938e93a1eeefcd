"""Random numbers: the same for a seed on every device.

The functions of this module draw from one `RandomState` for each device; a program that
wants its own stream makes a `Generator` with `default_rng`.
"""

import threading as _threading

from cupric.random._generator import Generator, default_rng
from cupric.random._philox import XORWOW, BitGenerator, MRG32k3a, Philox4x3210
from cupric.random._state import RandomState

_states = {}
_lock = _threading.Lock()


def _device_id():
    from cupric.cuda import get_device_id

    return get_device_id()


def get_random_state():
    """The current device's state.

    Returns
    -------
    RandomState
    """
    device = _device_id()
    with _lock:
        if device not in _states:
            _states[device] = RandomState()
        return _states[device]


def set_random_state(rs):
    """Make `rs` the current device's state.

    Parameters
    ----------
    rs : RandomState
    """
    if not isinstance(rs, RandomState):
        raise ValueError(
            f"Random state must be an instance of RandomState. Actual: {type(rs)}"
        )
    with _lock:
        _states[_device_id()] = rs


def reset_states():
    """Forget the states of all devices."""
    with _lock:
        _states.clear()


def seed(seed=None):
    """Start the current device's stream again.

    Parameters
    ----------
    seed : int or sequence of ints, optional
        Unpredictable by default.
    """
    get_random_state().seed(seed)


def _function(name, public=None):
    method = getattr(RandomState, name)

    def function(*args, **kwargs):
        return method(get_random_state(), *args, **kwargs)

    import inspect

    signature = inspect.signature(method)
    parameters = list(signature.parameters.values())[1:]
    function.__signature__ = signature.replace(parameters=parameters)
    function.__name__ = function.__qualname__ = public or name
    function.__doc__ = method.__doc__
    return function


random_sample = _function("random_sample")
random = ranf = sample = random_sample
rand = _function("rand")
randn = _function("randn")
randint = _function("randint")
random_integers = _function("random_integers")
uniform = _function("uniform")
normal = _function("normal")
standard_normal = _function("standard_normal")
exponential = _function("exponential")
standard_exponential = _function("standard_exponential")
lognormal = _function("lognormal")
laplace = _function("laplace")
logistic = _function("logistic")
gumbel = _function("gumbel")
rayleigh = _function("rayleigh")
weibull = _function("weibull")
pareto = _function("pareto")
power = _function("power")
standard_cauchy = _function("standard_cauchy")
triangular = _function("triangular")
bytes = _function("bytes")
choice = _function("choice")
permutation = _function("permutation")
shuffle = _function("shuffle")
