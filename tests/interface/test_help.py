"""What is public has a signature and a docstring in NumPy's format.

undocumented.json lists what lacks a part of it, and only becomes shorter: `make
coverage` takes names off it, and puts none on it. tests/test_examples.py runs the
examples.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from tools import documented  # noqa: E402


def test_what_is_public_is_documented():
    """What is printed lacks a part of its documentation. Where it is a path, run
    `make coverage`: something is documented now that was not."""
    command = [sys.executable, "-m", "tools.documented", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", "")


def test_every_namespace_is_walked():
    code = "from tools import documented as d; print(*(s for s, _, _ in d.callables()))"
    command = [sys.executable, "-W", "ignore", "-c", code]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    spaces = set(result.stdout.split())
    assert {"cupric", "cupric.ndarray", "cupric.linalg", "cupric.ufunc"} <= spaces
    assert {"cupricx", "cupricx.scipy.special", "cupric.random.Generator"} <= spaces
    assert "cupric.cuda.runtime" in spaces  # has no __all__
    assert not [space for space in spaces if "._" in space]


def whole(a, *args, axis=None):
    """Do it.

    Parameters
    ----------
    a, *args : int
        Numbers.
    axis : int, optional
        The axis.

    Returns
    -------
    int

    Examples
    --------
    >>> whole(1)
    1
    """
    return a


def bare(a):
    """Do it."""
    return a


def silent():
    """Do it.

    >>> silent()
    """


def early(a):
    """Do it.

    Parameters
    ----------
    b : int

    Examples
    --------
    >>> early(1)
    """
    if a:
        return
    print(a)


def open_ended(a, mode="x", **kwargs):
    """Do it.

    Parameters
    ----------
    a, mode : int
        Numbers.
    end : int
        Of the mode x.

    Examples
    --------
    >>> open_ended(1)
    """


@pytest.mark.parametrize(
    ("function", "parts"),
    [
        (whole, []),
        (bare, ["parameters", "returns", "example"]),
        (silent, []),
        (early, ["parameters"]),
        (open_ended, []),
        (dict.fromkeys, ["parameters", "returns", "example"]),
        (type("E", (ValueError,), {}), ["summary"]),
    ],
    ids=["whole", "bare", "silent", "early", "open", "builtin", "error"],
)
def test_what_is_lacking(function, parts):
    assert documented.lacking("tests", "f", function) == parts


def test_list_becomes_only_shorter():
    found = {"cupric": {"a": "returns example", "b": "summary"}}
    known = {"cupric": {"a": "parameters example"}, "cupricx": {"c": "example"}}
    assert documented.added(found, known) == ["cupric.a: returns", "cupric.b: summary"]
    assert documented.shortened(found, known) == {"cupric": {"a": "example"}}
