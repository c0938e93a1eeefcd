"""How the package is built: what setup.py calls, and nothing that runs afterwards.

settings        what the environment asks for
objects         compile what has changed, in parallel, and link
compilers       the C and C++ compilers and their flags; instruction sets
cuda            CUDA's toolkit: headers, nvcc
libraries       the four shared libraries: which sources, which flags, which symbols
kernels         what comes compiled: _kernels.so of the libraries, kernels.bin
kernel_keys     which kernels of built-in operations those are
kernel_archive  their sources, as units for python/cupric/_lib/kernels/_archive.py
package         what the package has beside its Python files
rows            the operation tables as they are written, src/ops/*.def
names           lists of public names that follow from them: `make names`
coverage        what there is of CuPy's interface: `make coverage`
documented      what of it lacks a part of its documentation: `make coverage`
launches        what calls ask of the CUDA driver: `make launches`
stubs           types for checkers and editors, from signatures and docstrings: *.pyi
signatures      what stubs say of one function or method
phrases         what docstrings call types, and the types
site            the documents as a site: `make docs`
site_links      its links
site_notebooks  notebooks, run, as its pages
times           what each object took to compile: `make build-times`
"""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def part_of_package(path: str) -> ModuleType:
    """A module of the package by itself, before the package can be imported."""
    file = ROOT / "python" / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
