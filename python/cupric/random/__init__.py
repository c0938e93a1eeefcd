"""Random numbers: the same for a seed on every device.

The functions of this module draw from one `RandomState` for each device; a program that
wants its own stream makes a `Generator` with `default_rng`.
"""

import os
import threading

from cupric import _core
from cupric.cuda.device import get_device_id
from cupric.random import _numpy_shuffle
from cupric.random._generator import Generator, default_rng
from cupric.random._philox import XORWOW, BitGenerator, MRG32k3a, Philox4x3210
from cupric.random._state import RandomState

__all__ = [
    "BitGenerator",
    "Generator",
    "MRG32k3a",
    "Philox4x3210",
    "RandomState",
    "XORWOW",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_random_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "reset_states",
    "sample",
    "seed",
    "set_random_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]

_numpy_shuffle.watch()

_states = {}
_lock = threading.Lock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)


def __dir__():
    return __all__


def get_random_state():
    """The state from which the functions of this module draw on the current device.

    It is made at first use, with the seed that the environment's ``CUPY_SEED`` says, or
    an unpredictable one.

    Returns
    -------
    RandomState

    Examples
    --------
    >>> cp.random.seed(1)
    >>> cp.round(cp.random.get_random_state().rand(2), 2)
    array([0.73, 0.35])
    """
    device = get_device_id()
    state = _states.get(device)
    if state is not None:
        return state
    seed = _core._settings().get("CUPY_SEED")
    with _lock:
        return _states.setdefault(
            device, RandomState(None if seed is None else int(seed))
        )


def set_random_state(rs):
    """Make `rs` the state from which this module draws on the current device.

    Parameters
    ----------
    rs : RandomState

    Raises
    ------
    ValueError
        `rs` is of another type.

    Examples
    --------
    >>> before = cp.random.get_random_state()
    >>> cp.random.set_random_state(cp.random.RandomState(1))
    >>> cp.round(cp.random.rand(2), 2)
    array([0.73, 0.35])
    >>> cp.random.set_random_state(before)
    """
    if not isinstance(rs, RandomState):
        raise ValueError(
            f"Random state must be an instance of RandomState. Actual: {type(rs)}"
        )
    with _lock:
        _states[get_device_id()] = rs


def reset_states():
    """Forget the states of all devices: the next use makes new, unpredictable ones.

    Examples
    --------
    >>> state = cp.random.get_random_state()
    >>> cp.random.reset_states()
    >>> cp.random.get_random_state() is state
    False
    """
    with _lock:
        _states.clear()


def seed(seed=None):
    """Start the current device's stream again.

    Parameters
    ----------
    seed : int or sequence of ints, optional
        Not negative. Unpredictable by default.

    Examples
    --------
    >>> cp.random.seed(1)
    >>> x = cp.random.rand(3)
    >>> cp.random.seed(1)
    >>> bool((cp.random.rand(3) == x).all())
    True
    """
    get_random_state().seed(seed)


class _Function:
    """A method of the current device's RandomState, as a function."""

    def __init__(self, name):
        self._method = getattr(RandomState, name)
        self.__name__ = self.__qualname__ = name
        self.__module__ = __name__
        self.__doc__ = self._method.__doc__

    def __call__(self, *args, **kwargs):
        return self._method(get_random_state(), *args, **kwargs)

    @property
    def __signature__(self):
        import inspect  # slow to import, and only a reader of documentation asks

        signature = inspect.signature(self._method)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def __reduce__(self):
        return self.__name__

    def __repr__(self):
        return f"<function cupric.random.{self.__name__}>"


random_sample = _Function("random_sample")
random = ranf = sample = random_sample
rand = _Function("rand")
randn = _Function("randn")
randint = _Function("randint")
random_integers = _Function("random_integers")
uniform = _Function("uniform")
normal = _Function("normal")
standard_normal = _Function("standard_normal")
exponential = _Function("exponential")
standard_exponential = _Function("standard_exponential")
lognormal = _Function("lognormal")
laplace = _Function("laplace")
logistic = _Function("logistic")
gumbel = _Function("gumbel")
rayleigh = _Function("rayleigh")
weibull = _Function("weibull")
pareto = _Function("pareto")
power = _Function("power")
standard_cauchy = _Function("standard_cauchy")
triangular = _Function("triangular")
bytes = _Function("bytes")
choice = _Function("choice")
permutation = _Function("permutation")
shuffle = _Function("shuffle")
beta = _Function("beta")
binomial = _Function("binomial")
chisquare = _Function("chisquare")
dirichlet = _Function("dirichlet")
f = _Function("f")
gamma = _Function("gamma")
geometric = _Function("geometric")
hypergeometric = _Function("hypergeometric")
logseries = _Function("logseries")
multinomial = _Function("multinomial")
multivariate_normal = _Function("multivariate_normal")
negative_binomial = _Function("negative_binomial")
noncentral_chisquare = _Function("noncentral_chisquare")
noncentral_f = _Function("noncentral_f")
poisson = _Function("poisson")
standard_gamma = _Function("standard_gamma")
standard_t = _Function("standard_t")
vonmises = _Function("vonmises")
wald = _Function("wald")
zipf = _Function("zipf")
