"""Random matrices and states, requirements, and mocks."""

import contextlib
import functools
import inspect
import random

import numpy as np

import cupric as cp

__all__ = [
    "AssertFunctionIsCalled",
    "assert_warns",
    "fix_random",
    "generate_matrix",
    "generate_seed",
    "installed",
    "multi_gpu",
    "numpy_satisfies",
    "slow",
    "with_requires",
]

_SEED = 2026


class AssertFunctionIsCalled:
    """Context in which a function is replaced by a mock, and has to be called.

    Parameters
    ----------
    *args, **kwargs
        Of `unittest.mock.patch`: the function's name, and what it does.
    times_called : int
        How often.

    Examples
    --------
    >>> import math
    >>> with cupric.testing.AssertFunctionIsCalled("math.floor") as floor:
    ...     _ = math.floor(2.5)
    """

    def __init__(self, *args, times_called=1, **kwargs):
        from unittest import mock  # heavy

        self._patch = mock.patch(*args, **kwargs)
        self._times = times_called

    def __enter__(self):
        self._mock = self._patch.__enter__()
        return self._mock

    def __exit__(self, kind, value, trace):
        self._patch.__exit__(kind, value, trace)
        if kind is None and self._mock.call_count != self._times:
            raise AssertionError(
                f"called {self._mock.call_count} times, not {self._times}"
            )


@contextlib.contextmanager
def assert_warns(expected):
    """Context in which a warning of a category has to be issued.

    No warning that is issued in it is shown.

    Parameters
    ----------
    expected : type
        A subclass of Warning. Its subclasses will do.

    Returns
    -------
    context manager

    Raises
    ------
    AssertionError
        At the end of the block, where there was no such warning.

    Examples
    --------
    >>> import warnings
    >>> with cupric.testing.assert_warns(RuntimeWarning):
    ...     warnings.warn("it is slow", RuntimeWarning)
    """
    import warnings

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    if not any(issubclass(w.category, expected) for w in told):
        raise AssertionError(f"{expected.__name__} was not warned of")


def generate_seed():
    """A seed drawn from Python's random numbers, which `fix_random` fixes.

    Returns
    -------
    int
        From 0 to 2**31 - 1.

    Examples
    --------
    >>> @cupric.testing.fix_random()
    ... def test():
    ...     return cupric.testing.generate_seed()
    >>> test() == test()
    True
    """
    return random.randrange(2**31)


@contextlib.contextmanager
def _fixed():
    states = random.getstate(), np.random.get_state()
    random.seed(_SEED)
    np.random.seed(_SEED)
    cp.random.seed(_SEED)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def fix_random():
    """Decorates a test, or a class of tests: each run has the same random numbers.

    Before the test the generators of `random`, `numpy.random` and `cupric.random` are
    seeded with a fixed number; after it Python's and NumPy's are as they were.

    Returns
    -------
    callable
        A decorator of a function, or of a class, whose methods ``test…`` it decorates.

    Examples
    --------
    >>> @cupric.testing.fix_random()
    ... def test():
    ...     return float(cupric.random.rand())
    >>> test() == test()
    True
    """

    def fixed(test):
        @functools.wraps(test)
        def run(*args, **kwargs):
            with _fixed():
                return test(*args, **kwargs)

        return run

    def decorator(given):
        if not inspect.isclass(given):
            return fixed(given)
        for name, test in list(vars(given).items()):
            if name.startswith("test") and callable(test):
                setattr(given, name, fixed(test))
        return given

    return decorator


def generate_matrix(shape, xp=cp, dtype=np.float32, *, singular_values=None):
    """Random matrices with given singular values.

    Parameters
    ----------
    shape : tuple of int, (..., m, n)
    xp : module
        cupric or numpy: what makes the array.
    dtype : floating or complex data-type
    singular_values : array_like, optional
        That broadcast to (..., min(m, n)).

    Returns
    -------
    array of `xp`

    Examples
    --------
    >>> a = cupric.testing.generate_matrix((2, 3), singular_values=[2, 1])
    >>> cupric.linalg.svdvals(a).round(3)
    array([2., 1.], dtype=float32)
    """
    if len(shape) < 2:
        raise ValueError(f"a matrix has two axes at least, not {len(shape)}")
    if singular_values is None:
        raise TypeError("singular_values have to be given")
    dtype = np.dtype(dtype)
    if dtype.kind not in "fc":
        raise TypeError(f"a floating or complex dtype is needed, not {dtype}")
    values = np.asarray(singular_values)
    if (values < 0).any():
        raise ValueError("singular values are not negative")
    a = np.random.standard_normal(shape)
    if dtype.kind == "c":
        a = a + 1j * np.random.standard_normal(shape)
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    values = np.broadcast_to(values, s.shape)
    return xp.asarray(((u * values[..., None, :]) @ vh).astype(dtype))


# ---- requirements --------------------------------------------------------------------


def installed(*specifiers):
    """Whether packages are installed in versions that fit.

    Parameters
    ----------
    *specifiers : str
        Requirements as those of pip: ``"scipy"``, ``"scipy>=1.11,<2"``.

    Returns
    -------
    bool
        True where all are met.

    Examples
    --------
    >>> cupric.testing.installed("numpy>=1.20", "no-such-package")
    False
    """
    from importlib import metadata

    from packaging.requirements import Requirement

    for requirement in map(Requirement, specifiers):
        try:
            there = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            return False
        if not requirement.specifier.contains(there, prereleases=True):
            return False
    return True


def numpy_satisfies(version_range):
    """Whether NumPy's version is in a range.

    Parameters
    ----------
    version_range : str
        Comparisons as those of pip: ``">=1.25,<3"``.

    Returns
    -------
    bool

    Examples
    --------
    >>> cupric.testing.numpy_satisfies(">=1.20")
    True
    """
    return installed(f"numpy{version_range}")


def with_requires(*requirements):
    """Decorates a test that is skipped unless packages are installed. Needs pytest.

    Parameters
    ----------
    *requirements : str
        As those of `installed`.

    Returns
    -------
    callable
        The decorator, pytest's mark ``skipif``.

    Examples
    --------
    >>> @cupric.testing.with_requires("scipy>=1.11")
    ... def test():
    ...     import scipy
    """
    import pytest

    reason = f"requires {', '.join(requirements)}"
    return pytest.mark.skipif(not installed(*requirements), reason=reason)


def multi_gpu(gpu_num):
    """Decorates a test that is skipped where there are fewer devices. Needs pytest.

    Parameters
    ----------
    gpu_num : int
        How many devices the test needs.

    Returns
    -------
    callable
        The decorator, pytest's mark ``skipif``.

    Examples
    --------
    >>> @cupric.testing.multi_gpu(2)
    ... def test():
    ...     with cupric.cuda.Device(1):
    ...         assert cupric.ones(3).device.id == 1
    """
    import pytest

    there = cp.cuda.runtime.getDeviceCount()
    return pytest.mark.skipif(there < gpu_num, reason=f"{gpu_num} devices are needed")


def slow(test):
    """Decorates a test: marks it as slow, for ``pytest -m "not slow"``. Needs pytest.

    Parameters
    ----------
    test : callable
        A test, or a class of tests.

    Returns
    -------
    callable
        The test itself, with pytest's mark ``slow``. A project has to register it among
        its markers.

    Examples
    --------
    >>> @cupric.testing.slow
    ... def test():
    ...     cupric.linalg.svd(cupric.random.rand(2000, 2000))
    """
    import pytest

    return pytest.mark.slow(test)
