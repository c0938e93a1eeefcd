"""A plugin for pytest: what POT's tests take from a conftest.py, which its source
distribution lacks, with CuPy's backend alone.
"""

import functools

import pytest

pytest_plugins = ("cupric.as_cupy",)


def skip_arg(arg, value, reason=None, getter=lambda given: given):
    """A decorator of tests that are skipped where an argument, or each of several, has
    a value."""
    wanted = (
        dict(zip(arg, value, strict=True)) if isinstance(arg, tuple) else {arg: value}
    )

    def decorated(test):
        @functools.wraps(test)
        def run(*args, **kwargs):
            if all(getter(kwargs[name]) == given for name, given in wanted.items()):
                pytest.skip(reason or str(wanted))
            return test(*args, **kwargs)

        return run

    return decorated


def skip_backend(backend, reason=None):
    return skip_arg("nx", backend, reason, str)


pytest.skip_arg, pytest.skip_backend = skip_arg, skip_backend


@pytest.fixture(params=["cupy"])
def nx(request):
    from ot.backend import get_backend_list

    (backend,) = (b for b in get_backend_list() if str(b) == request.param)
    return backend
