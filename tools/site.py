"""The documents as a site: `make docs`, which is Sphinx over docs/ and the docstrings.

    python -m tools.site             into build/site, warnings are errors

docs/ has the guide. The reference follows from the package: a page for every public
namespace, that of cupric itself by families, as the packages are that its functions
come from; names that are NumPy's own are listed, and NumPy's documentation describes
them. Notebooks are run on the host device (site_notebooks.py). The pages are written
beside a copy of docs/ under build/. At the end every link within the site has to lead
somewhere (site_links.py).
"""

import ast
import contextlib
import functools
import importlib
import inspect
import json
import shutil
import subprocess
import sys
import textwrap
import warnings

import numpy as np

from . import ROOT, site_links, site_notebooks

SOURCE, SITE = ROOT / "build/site-source", ROOT / "build/site"

FAMILIES = {  # of `cupric`: a title, and where its names come from
    "Arrays and kernels": ("_core", "_kernels"),
    "Creating arrays": ("_creation",),
    "Shapes, joining and splitting": ("_manipulation", "_padding"),
    "Indexing": ("_indexing",),
    "Elementwise operations": ("_ufuncs",),
    "Mathematics": ("_math", "_convolution"),
    "Linear algebra": ("linalg",),
    "Logic": ("_logic",),
    "Sorting, searching and sets": ("_sorting",),
    "Statistics": ("_statistics",),
    "Polynomials": ("_polynomials",),
    "Functions of functions": ("_functional",),
    "Bits": ("_packing",),
    "Files and text": ("_io",),
    "Data types": ("_dtypes", "_array_api"),
    "The device and the package": (),
}
REST, DTYPES = "The device and the package", "Data types"
ON_DTYPES = {  # functions and types that come from NumPy, or from several parts
    *("astype", "can_cast", "common_type", "dtype", "finfo", "iinfo", "isdtype"),
    *("issubdtype", "min_scalar_type", "mintypecode", "promote_types"),
    *("result_type", "typename"),
}
OWN = ["cupricx.kernels", "cupricx.profiler"]  # beside CuPy's namespaces


def imported_from():
    """{name of cupric: the part of the package that it is imported from}."""
    tree = ast.parse((ROOT / "python/cupric/__init__.py").read_text())
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("cupric."):
            names = {alias.asname or alias.name for alias in node.names}
            if "*" in names:
                names = importlib.import_module(node.module).__all__
            found |= dict.fromkeys(names, node.module.split(".")[1])
    return found


def families():
    """{title: the names of `cupric` that stand under it}."""
    cupric, origin = importlib.import_module("cupric"), imported_from()
    titles = {part: title for title, parts in FAMILIES.items() for part in parts}
    found = {title: [] for title in FAMILIES}
    for name in cupric.__all__:
        o = getattr(cupric, name)
        is_dtype = isinstance(o, type) and issubclass(o, np.generic)
        usual = DTYPES if is_dtype or name in ON_DTYPES else REST
        title = usual if name in ON_DTYPES else titles.get(origin.get(name), usual)
        found[title].append(name)
    return found


def is_numpys(o):
    return (getattr(o, "__module__", None) or "").split(".")[0] == "numpy"


def entry(space, name, o):
    """How autodoc is told of a name; "" where it has a page of its own."""
    if inspect.ismodule(o):
        return ""
    called = getattr(o, "__name__", name)
    if callable(o) and called != name and hasattr(o, "nin"):
        return f".. function:: {space}.{name}\n\n   Another name of `{called}`.\n"
    kind = "class" if isinstance(o, type) else "function" if callable(o) else "data"
    lines = f".. auto{kind}:: {space}.{name}\n"
    if kind == "class":
        lines += "   :members:\n"
    if kind == "data":
        lines += "   :no-value:\n"
    return lines


def page(title, space, names, module):
    text = f"# {title}\n\n"
    if title == space:
        text += f"{inspect.getdoc(module) or ''}\n\n"
    numpys = [n for n in names if is_numpys(getattr(module, n))]
    own = [n for n in names if n not in numpys and f"{space}.{n}" not in spaces()]
    above = importlib.import_module(space.rpartition(".")[0] or space)
    if above is not module:  # what it has under the same name is described there
        again = [n for n in own if getattr(above, n, None) is getattr(module, n)]
        own = [n for n in own if n not in again]
        if again:
            text += f"With `{above.__name__}`: {quoted(again)}.\n\n"
    entries = "\n".join(entry(space, n, getattr(module, n)) for n in own).strip("\n")
    if entries:
        text += f"```{{eval-rst}}\n.. currentmodule:: {space}\n\n{entries}\n```\n"
    if numpys:
        text += f"\nNumPy's own: {quoted(numpys)}.\n"
    return text


def class_page(space, made):
    """Of a type that is a page: its members one by one."""
    from sphinx.ext.napoleon import Config, NumpyDocstring

    config = Config(napoleon_use_rtype=False, napoleon_use_ivar=True)
    doc = str(NumpyDocstring(inspect.getdoc(made), config))
    text = f"# {space}\n\n```{{eval-rst}}\n.. class:: {space}\n   :no-index:\n\n"
    text += f"{textwrap.indent(doc, '   ')}\n\n"
    for name in public(made):
        kind = "method" if callable(getattr(made, name)) else "attribute"
        text += f".. auto{kind}:: {space}.{name}\n"
    return text + "```\n"


def quoted(names):
    return ", ".join(f"`{name}`" for name in names)


def pages():
    """{file: text} of the reference."""
    cupric, made = importlib.import_module("cupric"), {}
    for title, names in families().items():
        file = title.lower().replace(",", "").replace(" ", "_")
        made[file] = page(title, "cupric", names, cupric)
    for space, module in spaces().items():
        if isinstance(module, type):
            made[space] = class_page(space, module)
        else:
            made[space] = page(space, space, public(module), module)
    listed = "\n".join(made)
    made["index"] = f"# Reference\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    return made


def public(module):
    names = getattr(module, "__all__", None)
    if names is None:  # where __getattr__ answers, too
        names = [n for n in dir(module) if not n.startswith("_")]
    return sorted(names)


@functools.cache
def spaces():
    """{namespace: the module or type}, of those that are there, but cupric."""
    names = json.loads((ROOT / "tests/interface/names.json").read_text())
    found = {}
    for space in sorted({*names, *OWN} - {"cupric"}):
        with contextlib.suppress(ImportError, AttributeError):
            found[space] = lookup(space)
    return found


def lookup(space):
    try:
        return importlib.import_module(space)
    except ModuleNotFoundError:
        parent, _, name = space.rpartition(".")
        return getattr(importlib.import_module(parent), name)


def write_sources():
    """A copy of docs/, the reference and the notebooks as pages."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    reference = SOURCE / "reference"
    reference.mkdir()
    for file, text in pages().items():
        (reference / f"{file}.md").write_text(text)
    site_notebooks.write(ROOT / "notebooks", SOURCE / "notebooks")
    for folder, place in (("docs", SOURCE), ("notebooks", SOURCE / "notebooks")):
        for file in place.glob("*.md"):
            text = site_links.within(file.read_text(), ROOT / folder, ROOT, SOURCE)
            file.write_text(text)


def main():
    with warnings.catch_warnings():  # of names that are there for CuPy's programs
        warnings.simplefilter("ignore", DeprecationWarning)
        write_sources()
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-W", "--keep-going"]
    command += ["-b", "html", *sys.argv[1:]]
    status = subprocess.run([*command, SOURCE, SITE], check=False).returncode
    dead = site_links.dead(SITE)
    print("\n".join(dead), end="\n" if dead else "")
    if not status and not dead:
        print(f"{SITE.relative_to(ROOT)}/index.html")
    return status or bool(dead)


if __name__ == "__main__":
    sys.exit(main())
