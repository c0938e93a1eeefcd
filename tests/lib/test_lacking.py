"""What CuPy has and is not there yet: the errors of our own names say so."""

import importlib
import importlib.util
import subprocess
import sys

import pytest

import cupric as cp
import cupricx.scipy
import cupricx.scipy.signal
import cupricx.scipy.special
from cupric import _lacking

SAYS = r"is not in cupric .* yet; docs/coverage.md"


def is_there(module):
    """Whether a module has come since it stood in the list."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of its package
        return False


NAMES = [(space, name) for space, names in _lacking.lacking().items() for name in names]
MODULES = sorted(
    ours
    for theirs in _lacking.MODULES
    if (ours := _lacking.place_of(theirs)) != theirs and not is_there(ours)
)


@pytest.mark.parametrize(("space", "name"), NAMES)
def test_names(space, name):
    module = importlib.import_module(space)
    with pytest.raises(AttributeError, match=rf"no attribute '{name}': .*{SAYS}"):
        getattr(module, name)
    with pytest.raises(ImportError, match=SAYS):
        exec(f"from {space} import {name}")
    assert not hasattr(module, name)


@pytest.mark.parametrize("module", MODULES)
def test_modules(module):
    space, _, name = module.rpartition(".")
    if name and f"{space}." in (
        "cupric.",
        "cupricx.",
        "cupricx.scipy.",
        "cupric.cuda.",
    ):
        with pytest.raises(AttributeError, match=SAYS):
            getattr(importlib.import_module(space), name)
        with pytest.raises(ModuleNotFoundError, match=SAYS):
            exec(f"from {space} import {name}")
    with pytest.raises(ModuleNotFoundError, match=SAYS):
        importlib.import_module(module)


def test_the_error_names_cupys_place(monkeypatch):
    names = {"cupricx.scipy.signal": ["to_come", "to_come_too"]}
    monkeypatch.setattr(_lacking, "lacking", lambda: names)
    with pytest.raises(AttributeError, match=r"CuPy's cupyx\.scipy\.stats is not in"):
        cupricx.scipy.stats  # noqa: B018
    with pytest.raises(
        AttributeError, match=r"CuPy's cupyx\.scipy\.signal\.to_come is"
    ):
        cupricx.scipy.signal.to_come  # noqa: B018
    with pytest.raises(AttributeError, match=cp.__version__.replace(".", r"\.")):
        cupricx.scipy.signal.to_come_too  # noqa: B018


@pytest.mark.parametrize(
    "module",
    [cp, cp.cuda, cupricx, cupricx.scipy, cupricx.scipy.signal, cupricx.scipy.special],
)
def test_names_that_are_nobodys(module):
    for name in ("no_such_name", "_private", "__no_such__"):
        with pytest.raises(AttributeError) as told:
            getattr(module, name)
        assert "CuPy" not in str(told.value)
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        importlib.import_module(f"{module.__name__}.no_such_name")
    assert importlib.util.find_spec(f"{module.__name__}.no_such_name") is None


def test_the_finder_comes_once_and_last():
    """Of those that were there: other packages may add theirs later."""
    code = "import sys, cupric._lacking as a; print(sys.meta_path[-1] is a._Imports)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stdout.split() == [b"True"]
    _lacking.watch_imports()
    assert sys.meta_path.count(_lacking._Imports) == 1
