"""The examples in docstrings run and print what they say."""

import doctest
import importlib
import pkgutil

import numpy
import pytest

import cupric
import cupricx

NAMES = {"cp": cupric, "cupric": cupric, "cupricx": cupricx}
NAMES |= {"np": numpy, "numpy": numpy}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def modules():
    for top in (cupric, cupricx):
        yield top.__name__
        for found in pkgutil.walk_packages(top.__path__, top.__name__ + "."):
            if not found.name.endswith(("__main__", "._core", "._host", "._cuda")):
                yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_examples(name):
    module = importlib.import_module(name)
    cupric.cuda.set_allocator(cupric.get_default_memory_pool().malloc)
    result = doctest.testmod(module, extraglobs=NAMES, optionflags=FLAGS)
    cupric.cuda.set_allocator(cupric.get_default_memory_pool().malloc)
    assert result.failed == 0
