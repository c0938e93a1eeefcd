"""Docstrings of methods follow from those of the functions that they are."""

import inspect

import pytest

import cupric as cp
from cupric import _core


def test_all_but_the_array_is_that_of_the_function():
    ours = inspect.cleandoc(cp.ndarray.sum.__doc__).splitlines()
    theirs = inspect.cleandoc(cp.sum.__doc__).splitlines()
    at = theirs.index("a : cupric.ndarray")
    del theirs[at : at + 2]
    theirs = [line.replace("`a`", "the array") for line in theirs]
    theirs = [
        line.replace("cp.sum(cp.ones((2, 3)), ", "cp.ones((2, 3)).sum(")
        for line in theirs
    ]
    assert ours == theirs
    assert ">>> cp.ones((2, 3)).sum(axis=1)" in ours


def test_a_method_without_parameters_has_no_such_section():
    assert "Parameters" in cp.nonzero.__doc__
    assert "Parameters" not in cp.ndarray.nonzero.__doc__
    assert "Returns\n-------" in cp.ndarray.nonzero.__doc__


def test_no_docstring_only_refers_to_another():
    methods = [m for m in vars(cp.ndarray).values() if inspect.ismethoddescriptor(m)]
    assert [m.__name__ for m in methods if "See cupric" in (m.__doc__ or "")] == []
    assert len(methods) > 50


FUNCTION = """Put `a` in a row.

    More of `a`.

    Parameters
    ----------
    a, axis, order : int
        Of `a`.
    axis2, more : int
        What the method has not.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.run([1, (2, 3)]).sum() + cp.run(x - 1, order="F") + cp.run(f(x)[0], 1)
    >>> cp.run() + cp.run(1,
    """
METHOD = """run($self, axis=None, order='C')
--

Put the array in a row.

More of the array.

Parameters
----------
axis, order : int
    Of the array.

Returns
-------
int

Examples
--------
>>> cp.array([1, (2, 3)]).run().sum() + (x - 1).run(order="F") + f(x)[0].run(1)
>>> cp.run() + 1.run(

"""


def test_what_becomes_of_a_docstring():
    signature = METHOD.partition("Put")[0]
    assert _core._method_doc("run", signature, FUNCTION) == METHOD


def test_long_docstrings_that_are_no_docstrings():
    """They are longer than what is made room for, and end anywhere."""
    signature = "run($self, axis=None)\n--\n\n"
    long = FUNCTION.replace("More of", "More of " * 2000)
    for end in range(0, len(long), 251):
        assert _core._method_doc("run", signature, long[:end]).startswith(signature)
    with pytest.raises(ValueError, match="blank line"):
        _core._method_doc("run", "run()", "")


@pytest.mark.parametrize("functions", [None, []])
def test_functions_are_a_dictionary(functions):
    with pytest.raises(TypeError, match="dict"):
        _core._document_methods(functions)
