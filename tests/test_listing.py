"""What `dir` shows, as completion in notebooks does: public names alone."""

import importlib
import pkgutil
import types

import pytest

import cupric
import cupricx

# What is public and for other tools, not for programs to write.
BESIDES = {
    "cupric": {"load_ipython_extension"},
    "cupric.cuda": {"Function", "Module"},
    "cupric.testing": {"NumpyAliasBasicTestBase", "NumpyAliasValuesTestBase"},
}


def public_modules():
    for package in cupric, cupricx:
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name == "cupric.as_cupy":
                continue  # importing it gives all types another name
            if not any(part.startswith("_") for part in found.name.split(".")):
                yield found.name


@pytest.mark.parametrize("name", sorted(public_modules()))
def test_public_names_alone(name):
    module = importlib.import_module(name)
    exported = {*getattr(module, "__all__", dir(module)), *BESIDES.get(name, ())}
    for listed in dir(module):
        if listed.startswith("_"):
            continue
        value = getattr(module, listed)
        if isinstance(value, types.ModuleType):
            assert value.__name__.startswith("cupric"), listed
        else:
            assert listed in exported, listed
    assert set(getattr(module, "__all__", ())) <= set(dir(module))
