"""The code of a kernel library, as it is read from files and looked through."""

import functools
import os
import re
from pathlib import Path

from cupric import _core
from cupric._lib.kernels._declarations import blank

__all__ = ["Declared", "kernels", "read_code", "read_headers", "top_folder"]

_SHARED = Path(_core.__file__).resolve().parent / "include"  # has cupric/
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[^\n]*\n', re.M)
# Patterns that begin with plain text are found fast.
_GLOBAL = re.compile(r"__global__\b")
_DEVICE = re.compile(r"\n__device__\b")  # of a function outside structures
_NAME = re.compile(r"(\w+)\s*\(")


class Declared:
    """A kernel, or another function of a device, as the code declares it.

    Attributes
    ----------
    template : list of (str, str)
        Kind and name of each parameter of the template: ``("class", "T")``.
    parameters : list of (str, str)
        Type and name of each parameter.
    begin, brace, end : int
        Where its definition stands in the code, and its body.
    """

    __slots__ = ("begin", "brace", "end", "name", "parameters", "template")

    def __init__(self, name, template, parameters, begin, brace, end):
        self.name, self.template, self.parameters = name, template, parameters
        self.begin, self.brace, self.end = begin, brace, end

    def agrees(self, other):
        """Whether both have the same parameters, of the kernel and of its template."""

        def plain(one):  # a const value is the same to who calls
            return one.template, [
                (re.sub(r"\bconst ?", "", kind).strip(), name)
                for kind, name in one.parameters
            ]

        return plain(self) == plain(other)


def kernels(code):
    """The kernels that are defined in a text, by name."""
    return {one.name: one for one in _defined(code, _GLOBAL)}


def _functions(code, names=None):
    """The other functions of a device, a list by name: all, or those of some names."""
    found = {}
    for one in _defined(code, _DEVICE, names):
        found.setdefault(one.name, []).append(one)
    return found


def _defined(code, qualifier, names=None):
    """The functions that are defined in a text behind a qualifier."""
    if names is not None and not names:
        return
    plain = blank(code)
    for match in qualifier.finditer(plain):
        at = match.end()
        while True:  # attributes with arguments come before the name
            name = _NAME.search(plain, at)
            if name is None or name[1] not in ("__launch_bounds__", "alignas"):
                break
            at = _closing(plain, name.end() - 1) + 1
        if name is None or (names is not None and name[1] not in names):
            continue
        close = _closing(plain, name.end() - 1)
        brace = plain.find("{", close)
        if plain[close + 1 : brace].strip():
            continue  # a declaration alone
        begin, template = _template_before(plain, match.end() - 1)
        parameters = [
            _parameter(p) for p in _split(plain[name.end() : close]) if p.strip()
        ]
        end = _closing(plain, brace) + 1
        yield Declared(name[1], template, parameters, begin, brace, end)


def _closing(text, at):
    """Where the bracket that opens at `at` is closed."""
    opening = text[at]
    closing = {"(": ")", "{": "}", "<": ">"}[opening]
    depth = 0
    for match in re.compile(f"[{re.escape(opening + closing)}]").finditer(text, at):
        depth += 1 if match[0] == opening else -1
        if depth == 0:
            return match.start()
    raise ValueError(f"unbalanced {opening} in the code of a kernel library")


def _split(text):
    """The parts between commas that stand in no brackets."""
    depth, begin, parts = 0, 0, []
    for match in re.finditer(r"[,<>()\[\]]", text):
        if match[0] == ",":
            if depth == 0:
                parts.append(text[begin : match.start()])
                begin = match.end()
        else:
            depth += 1 if match[0] in "<([" else -1
    return [*parts, text[begin:]]


def _parameter(text):
    """("const T *", "x") of `const T *__restrict__ x`."""
    text = re.sub(r"\b(__restrict__|__grid_constant__|volatile)\b", " ", text)
    text = re.sub(r"=.*|(\[\w*\])+\s*$", " ", text)  # a value by default; lengths
    match = re.fullmatch(r"(.*?)(\w+)\s*", " ".join(text.split()))
    if match is None:  # of a type that stands around the name
        return text.strip(), ""
    return match[1].strip(), match[2]


def _template_before(plain, at):
    """Where the definition of a `__global__` at `at` begins, and its template."""
    start = max(plain.rfind(c, 0, at) for c in ";}") + 1
    found = plain.rfind("template", start, at)
    if found < 0:
        line = plain.rfind("\n", 0, at) + 1
        return line, []
    opening = plain.find("<", found)
    text = plain[opening + 1 : _closing(plain, opening)]
    pairs = []
    for one in _split(text):
        words = one.split("=")[0].split()
        if words:  # none of a specialization
            pairs.append((" ".join(words[:-1]), words[-1]))
    return found, pairs


# ---- files ---------------------------------------------------------------------------


def read_code(folder, name, seen):
    """The text of a file, and of each of the package that it includes, once.

    Names are relative to the folder of the file that includes them, as ``"_x.cuh"`` and
    ``"../_x.cuh"``.

    Where `_x.host.hpp` stands beside `_x.cuh`, its kernels are the host device's, and
    those of the same names in `_x.cuh` are for GPUs; so are other functions of a device
    of which both files have one.
    """
    path = _path(folder, name)
    seen.add(path)
    folder, name = path.parent, path.name
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise ValueError(f"the code of a kernel library is missing: {e}") from None
    host = name.removesuffix(".cuh") + ".host.hpp"
    if not name.endswith(".cuh") or not (folder / host).exists():
        return expand(folder, text, seen)
    own = (folder / host).read_text(encoding="utf-8")
    text = expand(folder, _for_gpus(text, own), seen)
    return f"{text}\n#if defined(CUPRIC_HOST)\n{expand(folder, own, seen)}#endif\n"


def _path(folder, name):
    """The file that one in a folder includes: of the same package, as others are not
    shipped with it."""
    path = Path(os.path.normpath(folder / name))
    if not path.is_relative_to(top_folder(folder)):
        raise ValueError(f"a kernel library includes files of its package, not {path}")
    return path


@functools.cache
def top_folder(folder):
    """The folder of the package that a folder belongs to: its kernels lie there."""
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _for_gpus(text, own):
    """The text, with what `own` defines as well left to GPUs. What stands between may
    call such a function, so that the host's compiler sees it declared there."""
    places = []
    declared = kernels(text)
    for name, one in kernels(own).items():
        if name not in declared or not one.agrees(declared[name]):
            raise ValueError(f"the host's body of {name} is that of no kernel")
        places.append((declared[name], ""))
    functions = _functions(own)
    declared = _functions(text, functions)
    for name, ours in functions.items():
        for one in ours:
            same = [d for d in declared.get(name, ()) if d.agrees(one)]
            places += [
                (d, f"#else\n{text[d.begin : d.brace].rstrip()};\n") for d in same
            ]
    for one, otherwise in sorted(places, key=lambda place: -place[0].begin):
        body = text[one.begin : one.end]
        text = (
            f"{text[: one.begin]}#if !defined(CUPRIC_HOST)\n{body}\n{otherwise}#endif\n"
            f"{text[one.end :]}"
        )
    return text


def expand(folder, text, seen):
    """The text, each file of the package that it includes put in its place, once."""

    def replace(match):
        name = match[1]
        if name.startswith("cupric/"):
            return match[0]
        is_seen = _path(folder, name) in seen
        return "" if is_seen else read_code(folder, name, seen)

    return _INCLUDE.sub(replace, text)


def read_headers(folder, name, seen=None):
    """The text of all headers (`_x.h`) of the package that a file includes; and of
    `cupric/x.h`, where it includes `cupric/x.hpp`."""
    seen = set() if seen is None else seen
    if name.startswith("cupric/"):
        path = _SHARED / f"{name.removesuffix('.hpp')}.h"
    else:
        path = _path(folder, name)
    if path in seen or not path.exists():
        return ""
    seen.add(path)
    folder, name = path.parent, path.name
    text = path.read_text(encoding="utf-8")
    found = [
        read_headers(folder, match[1], seen)
        for match in _INCLUDE.finditer(text)
        if not match[1].startswith("cupric/") or match[1].endswith(".hpp")
    ]
    if name.endswith(".h"):
        found.append(_INCLUDE.sub("", text))
    return "".join(found)
