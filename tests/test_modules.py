"""The Python modules, by docs/architecture.md: one form of each import, an underscore
before what is private, names exported by name, and `cupricx` on what `cupric` offers.
"""

import ast
from pathlib import Path

import pytest

import cupric
import cupricx

TOPS = [Path(package.__file__).resolve().parent for package in (cupric, cupricx)]
BASE = TOPS[0].parent
FILES = {
    path: ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for top in TOPS
    for path in (file.relative_to(top.parent) for file in sorted(top.rglob("*.py")))
    if "include" not in path.parts
}
MODULES = {name: path for path, name in FILES.items()}

# Without an underscore, as programs for CuPy import from them.
PUBLIC = {
    *("cupric.polynomial.polynomial", "cupric.polynomial.polyutils"),
    *(
        "cupric.lib.stride_tricks",
        "cupric.typing",
        "cupric.cublas",
        "cupric.fft.config",
        "cupricx.cusolver",
        "cupricx.cusparse",
        "cupricx.lapack",
        "cupricx.time",
    ),
    *("cupric.cuda.cub", "cupric.cuda.cufft", "cupric.cuda.nvrtc"),
    *("cupric.cuda.texture", "cupric.cuda.thrust"),
    *("cupric.as_cupy", "cupric.core.core", "cupric.core.dlpack"),
    *(
        "cupric.core.fusion",
        "cupric.core.internal",
        "cupric.exceptions",
        "cupric.cuda.compiler",
    ),
    *("cupric.cuda.device", "cupric.cuda.driver", "cupric.cuda.function"),
    *("cupric.cuda.graph", "cupric.cuda.memory", "cupric.cuda.memory_hook"),
    *("cupric.cuda.memory_hooks.debug_print", "cupric.cuda.nvtx"),
    *("cupric.cuda.memory_hooks.line_profile", "cupric.cuda.pinned_memory"),
    *("cupric.cuda.profiler", "cupric.cuda.runtime", "cupric.cuda.stream"),
}
# Modules that are a table of names, and that others take as a whole.
TABLES = {"_constants", "_ufuncs"}
AS = {"numpy": "np", "cupric": "cp"}

each_file = pytest.mark.parametrize("path", FILES, ids=str)


def tree(path):
    return ast.parse((BASE / path).read_text())


def is_package(path):
    return path.name == "__init__.py"


def is_table(name):
    return name.rpartition(".")[2] in TABLES


def exported(path):
    """`__all__`; None where there is none."""
    for node in tree(path).body:
        if isinstance(node, ast.Assign):
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
            if names == ["__all__"]:
                return ast.literal_eval(node.value)
    return None


def taken(path):
    """(module, name, its name here, line): what `from … import …` takes."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            for name in node.names:
                yield node.module, name.name, name.asname or name.name, node.lineno


@pytest.mark.parametrize("path", [p for p in FILES if not is_package(p)], ids=str)
def test_private_modules_have_an_underscore(path):
    is_private = path.name.startswith("_")
    assert is_private != (FILES[path] in PUBLIC)
    if not is_private:
        assert not any(part.startswith("_") for part in path.parts)


@each_file
def test_modules_are_imported_under_one_name(path):
    for node in ast.walk(tree(path)):
        for name in node.names if isinstance(node, ast.Import) else ():
            top, _, below = name.name.partition(".")
            short = None if below else AS.get(top)  # numpy.fft: so that it is loaded
            assert name.asname == short, f"{path}:{node.lineno}: import {name.name}"


@each_file
def test_of_numpy_and_the_core_names_are_taken_to_be_exported(path):
    """Others are np.… and _core.…"""
    if FILES[path] in PUBLIC:
        pytest.skip("all that a public module has is for its users")
    given = exported(path) or []
    for module, name, here, line in taken(path):
        if module.partition(".")[0] == "numpy" or module == "cupric._core":
            assert here in given, f"{path}:{line}: {name} of {module}"


# The array API standard's names for a package's own interface.
STANDARD = ("__array_api_version__", "__array_namespace_info__")


@each_file
def test_names_are_taken_by_name(path):
    for module, name, _, line in taken(path):
        if name == "*":
            assert is_table(module), f"{path}:{line}: all of {module}"
        elif module in MODULES:
            private = name.startswith("_") and f"{module}.{name}" not in MODULES
            private &= name not in ("_core", "__version__", *STANDARD)
            assert not private, f"{path}:{line}: {name} of {module}"


@each_file
def test_what_modules_take_from_each_other_is_exported(path):
    for module, name, _, line in taken(path):
        below = f"{module}.{name}" in MODULES or name in ("_core", "__version__", "*")
        if below or module not in MODULES or module in PUBLIC or is_table(module):
            continue
        given = exported(MODULES[module])
        assert given is not None, f"{module} has no __all__"
        assert name in given, f"{path}:{line}: {name} of {module}"


@pytest.mark.parametrize("path", [p for p in FILES if p.parts[0] == "cupricx"], ids=str)
def test_cupricx_takes_public_names_the_core_or_those_of_lib(path):
    rooms = ("algorithms", "arguments", "core", "kernels")
    public = {"cupric", "cupric._lib", *(f"cupric._lib.{room}" for room in rooms)}
    public |= {"cupric.cuda", "cupric.fft"} | PUBLIC
    for module, name, _, line in taken(path):
        if module.partition(".")[0] != "cupric" or is_table(FILES[path]):
            continue
        if FILES[path] == "cupricx.kernels.__main__":  # a program of _lib's
            continue
        assert module in public, f"{path}:{line}: {name} of {module}"
        is_private = name.startswith("_") and name != "_core"
        assert not is_private, f"{path}:{line}: {name} of {module}"


# `import cupy` gives both packages; matrices that CuPy's function takes by default.
KNOW_CUPRICX = {"cupric._as_cupy", "cupric.testing._arrays"}


def imported(path):
    """(module, line) of each import, also of a module by its name."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            yield node.module, node.lineno
        elif isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.Call) and node.args:
            named = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if named == "import_module" and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value, node.lineno


@pytest.mark.parametrize("path", [p for p in FILES if p.parts[0] == "cupric"], ids=str)
def test_cupric_never_imports_cupricx(path):
    """An adapter of another package's (`cupric._adapters`) is known by name alone."""
    found = [f"{path}:{n}" for m, n in imported(path) if m.split(".")[0] == "cupricx"]
    assert bool(found) == (FILES[path] in KNOW_CUPRICX), found


# What is about the package as its users see it, or composed of what they call.
KNOW_THE_FACE = {
    *("cupric.__main__", "cupric._as_cupy", "cupric._config"),
    *("cupric.core._kernel", "cupric.core._reduction"),  # other names of it
    *("cupric._lib.kernels._build", "cupric._lib.kernels._translate._calls"),
    *(f"cupric.testing.{name}" for name in ("_aliases", "_arrays", "_helpers")),
    *("cupricx._dask._blocks", "cupricx._dask._functions"),
    *("cupricx.scipy.linalg._arguments", "cupricx.scipy.linalg._expm"),
    *("cupricx.scipy.linalg._lu", "cupricx.scipy.linalg._products"),
    "cupricx.scipy.linalg._special_matrices",
    "cupricx.scipy.signal._lti._frequencies",
    *(f"cupricx.scipy.sparse.linalg.{n}" for n in ("_expm_multiply", "_norm")),
    "cupricx.scipy.sparse.linalg._onenormest",
    *("cupricx.linalg._cholesky", "cupricx.linalg.sparse._solve"),
    *(
        f"cupricx.scipy.sparse.linalg._eigen.{name}"
        for name in ("_eigs", "_eigsh", "_lobpcg", "_restarts", "_svds")
    ),
}


def takes_the_face(path):
    """Whether a module takes names of `cupric` itself: of its face, whose modules are
    those below."""
    names = {name for module, name, *_ in taken(path) if module == "cupric"}
    others = {name for name in names if f"cupric.{name}" not in MODULES} - {"_core"}
    return bool(others) or any(module == "cupric" for module in plainly_imported(path))


def plainly_imported(path):
    """The modules of `import …`."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_private_modules_do_not_take_the_face():
    """They take the core, `cupric._lib` and modules beside them: so there are no
    circles, and a name that a user replaces in `cupric` changes nothing within."""
    private = {
        name
        for path, name in FILES.items()
        if path.name.startswith("_") and not is_package(path)
    }
    found = {n for n in private if takes_the_face(MODULES[n])}
    assert found == KNOW_THE_FACE
