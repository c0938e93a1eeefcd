"""The operation tables, src/ops/*.def, as they are written: each row a dict of texts.

The columns of a table are named by the first comment of its file:
`UFUNC(name, nin, nout, …)`.
"""

import re

from . import ROOT

OPS = ROOT / "src/ops"
MACROS = {"ufunc": "UFUNC", "special": "SPECIAL", "reduce": "REDUCE"}
STRINGS = ("signature.h", "special/signatures.h")
ELEMENTWISE = ("ufunc", "special")  # as elementwise.def includes them
GROUPS = {"i": "bBhHiIlL", "f": "eEfd", "c": "FD", "b": "?"}  # of signature.h


def text_of(table):
    """A table with those that it includes."""
    return _with_included(OPS / f"{table}.def")


def _with_included(path):
    return re.sub(
        r'^#include "ops/(.*\.def)"$',
        lambda found: _with_included(OPS / found[1]),
        path.read_text(),
        flags=re.M,
    )


def read(table):
    """The rows of a table, in order."""
    text, macro = text_of(table), MACROS[table]
    columns = re.search(rf"^ \* {macro}\(([^)]*)\)", text, re.M).group(1)
    columns = re.sub(r"[\s*]+", " ", columns).split(", ")
    known = _strings(text)
    rows = []
    for start in re.finditer(rf"^{macro}\(", text, re.M):
        given = _arguments(text, start.end(), len(columns))
        row = dict(zip(columns, given, strict=True))
        row["signatures"] = _joined(row["signatures"], known)
        for column in ("names", "summary"):
            row[column] = row.get(column, '""').strip('"')
        rows.append(row)
    return rows


def elementwise():
    """The rows of all elementwise tables, in the order of their numbers."""
    return [row | {"table": table} for table in ELEMENTWISE for row in read(table)]


def signatures(row, nout=1):
    """A row's signatures, "ff>f"; what NumPy refuses among them, "??>!"."""
    nin, nout = int(row["nin"]), int(row.get("nout", nout))
    found = []
    for token in row["signatures"].split():
        if token[0] != "$":
            found.append(token)
            continue
        for letter in GROUPS[token[1]]:
            found.append(letter * nin + ">" + (token[3:] or letter) * nout)
    return found


def _strings(text):
    """Macros that are strings, those of signature.h among them."""
    found = {}
    for name, value in re.findall(
        r'^#define (\w+) (".*)$',
        "".join((OPS / name).read_text() for name in STRINGS) + text,
        re.M,
    ):
        found[name] = "".join(re.findall(r'"([^"]*)"', value))
    return found


def _joined(text, known):
    """Literals and macros side by side, as the preprocessor joins them."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"|(\w+)', text)
    joined = "".join(known[name] if name else literal for literal, name in parts)
    return joined.replace("\\?", "?")


def _arguments(text, at, count):
    """The arguments of a call that begins at `at`; the last one takes what is left."""
    parts, depth, quoted = [""], 1, False
    for c in text[at:]:
        quoted ^= c == '"'
        depth += 0 if quoted else (c in "([{") - (c in ")]}")
        if depth == 0:
            return [p.strip() for p in parts]
        if c == "," and depth == 1 and not quoted and len(parts) < count:
            parts.append("")
        else:
            parts[-1] += c
    raise ValueError("a call without an end")
