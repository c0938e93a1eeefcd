"""The examples in docstrings run and print what they say."""

import doctest
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import cupric
import cupricx

NAMES = {"cp": cupric, "cupric": cupric, "cupricx": cupricx}
NAMES |= {"np": numpy, "numpy": numpy}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


# The program, a module that gives all types another name where it is imported, and the
# libraries beside the modules.
NO_EXAMPLES = ("__main__", "as_cupy", "_core", "_host", "_cuda", "_cub")
NO_EXAMPLES += ("_kernels", "_kernels_v3")


def modules():
    for top in (cupric, cupricx):
        yield top.__name__
        for found in pkgutil.walk_packages(top.__path__, top.__name__ + "."):
            if found.name.rpartition(".")[2] not in NO_EXAMPLES:
                yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_examples(name):
    module = importlib.import_module(name)
    cupric.cuda.set_allocator(cupric.get_default_memory_pool().malloc)
    result = doctest.testmod(module, extraglobs=NAMES, optionflags=FLAGS)
    cupric.cuda.set_allocator(cupric.get_default_memory_pool().malloc)
    assert result.failed == 0
    assert cupric.ndarray.__module__ == "cupric"  # as other examples print it


def of_the_core():
    """(name, docstring with examples) of the core's functions, types and methods."""
    special = vars(cupric._core.special)
    for name, o in [*vars(cupric._core).items(), *special.items()]:
        yield name, o.__doc__
        if isinstance(o, type):
            for member in dir(o):  # what it inherits from a type with no name here, too
                yield f"{name}.{member}", getattr(o, member).__doc__


CORE = {name: doc for name, doc in of_the_core() if ">>>" in (doc or "")}


@pytest.mark.parametrize("name", CORE)
def test_examples_of_the_core(name):
    test = doctest.DocTestParser().get_doctest(CORE[name], NAMES, name, None, None)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


SPACES = [cupric, cupric.linalg, cupric.fft, cupric.random, cupric.cuda, cupricx]
SPACES += [cupric.ndarray, cupric.ufunc, cupric.RawKernel, cupric.RawModule]
SPACES += [cupric.ElementwiseKernel, cupric.ReductionKernel, cupric.testing]
SPACES += [cupric.cuda.Stream, cupric.cuda.Event, cupric.cuda.MemoryPool]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.__name__)
def test_all_that_is_public_is_documented(space):
    bare = [
        name
        for name in dir(space)
        if not name.startswith("_")
        and (callable(o := getattr(space, name)) or inspect.isgetsetdescriptor(o))
        and not (o.__doc__ or "").strip()
    ]
    assert bare == []


# ---- the programs of examples/ that README.md runs by `make run` ---------------------

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PROGRAMS = {
    "own_kernel.py": ([], "the same as NumPy"),
    "single_cell.py": ([], "are of the same kind; 6 parts"),
    "says_cupy.py": (["-m", "cupric"], "centers: [-4, 1] [0, -3] [3, 3] [5, -1]"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    before, expected = PROGRAMS[name]
    paths = [str(Path(cupric.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    result = subprocess.run(
        [sys.executable, *before, EXAMPLES / name],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    assert expected in result.stdout, result.stderr


def test_programs_are_those_of_the_readme():
    readme = (EXAMPLES.parent / "README.md").read_text()
    for name, (before, _) in PROGRAMS.items():
        assert " ".join([*before, f"examples/{name}"]) in readme
