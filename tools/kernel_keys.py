"""Which kernels come compiled with the package: those that common programs use.

Of an operation they are the column `ships` of its row, whose notation src/ops/ships.h
explains; of what has no row (conversions, indexing, sorting, …), the rules below. All
other kernels are compiled when they are first used. CUPRIC_DEBUG=3 tells which those
are in a program; tests/cuda/common_calls.py lists calls that should need none.
"""

import ctypes
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import ROOT, rows

CODEGEN = ROOT / "src/cuda/codegen.h"
# What writes the sources of kernels and knows the rows: C that needs nothing else.
WRITERS = [*sorted((ROOT / "src/cuda/codegen").glob("*.c")), ROOT / "src/dtype.c"]
WRITERS += [ROOT / "tools/ships.c"]
LINEAR = ROOT / "cuda/include/cupric/linear.hpp"


def constants():
    """The enumerators of codegen.h, without CUPRIC_."""
    text = re.sub(r"/\*.*?\*/", "", CODEGEN.read_text(), flags=re.S)
    found = {}
    for body in re.findall(r"enum\s*\w*\s*\{(.*?)\}", text, re.S):
        value = -1
        for name, given in re.findall(r"CUPRIC_(\w+)(?:\s*=\s*(\w+))?", body):
            value = int(given, 0) if given else value + 1
            found[name] = value
    return found


C = constants()
IMMEDIATE, NO_TYPE, CONVERT = 0x80, 0x7F, 0xFFFF
MASKED = C["KEY_MASKED"]

NUMBERS = "ilfd"
FLOATS = "fd"
COMPLEX = "FD"
INTEGERS = "?bBhHiIlL"
ALL = INTEGERS + "eEfdFD"
TRAITS = {row["name"]: row.get("traits", "") for row in rows.elementwise()}
DTYPE_RULES = {row["name"]: row["dtypes"] for row in rows.read("reduce")}


class Key(ctypes.Structure):
    """cu_kernel_key of src/cuda/codegen.h."""

    _fields_ = (
        ("family", ctypes.c_uint8),
        ("layout", ctypes.c_uint8),
        ("op", ctypes.c_uint16),
        ("sig", ctypes.c_uint8),
        ("rank", ctypes.c_uint8 * 2),
        ("flags", ctypes.c_uint8),
        ("type", ctypes.c_uint8 * 8),
    )


class Row(ctypes.Structure):
    """The head of cu_cuda_row."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("signatures", ctypes.c_char_p),
        ("code", ctypes.c_char_p),  # empty for a row of reduce.def
        ("parts", ctypes.c_char_p * 3),  # empty for any other
        ("skips_nans", ctypes.c_bool),
        ("is_special", ctypes.c_bool),
    )


# ---- what has no row -----------------------------------------------------------------

# (stored from, stored to, forms): copies and fills (a number), which move unsigned
# integers of any dtype's size, and conversions. Copies of whole arrays are kernels only
# where they are replayed.
MOVED = "BHIL"
CONVERT_RULES = [
    (a, a, "D:s U:s S1:s S2:s S3:s R2:s R3:s D:sm S1:sm D:x U:x S1:x S2:x S3:x S4:x "
           "R2:x R3:x T1:t T2:t H1:t W1:t S1:xm") for a in MOVED
] + [
    (a, a, "D:s U:s S1:s S2:s R2:s D:sm S1:x S2:x R2:x T1:t U:x") for a in COMPLEX
] + [
    (a, b, "D:x") for a, b in itertools.permutations("?Bilefd", 2)
] + [
    (a, b, "S1:x") for a, b in itertools.permutations("ilfd", 2)
] + [
    (a, b, "S1:x") for a in "?B" for b in "fd"
] + [
    *((a, b, "D:x S1:x S2:x") for a, b in ("fF", "dD")),
    *((a, b, "D:x S1:x") for a, b in ("lD", "FD", "DF", "Fd", "df", "Ld")),
    *((a, b, "D:x") for a, b in ("lF", "?h", "dF", "Hf", "Hd", "fH", "dH", "lL", "Ll")),
    *((a, b, "D:x") for a, b in ("Ef", "fE", "iF", "iD", "?F", "?D", "Df", "Dd")),
]  # fmt: skip

# (units that are moved, (rank of the iteration, number of index arrays))
INDEX_RULES = [
    ("BHILD", (rank, n)) for n in range(4) for rank in (1, 2, 3) if n or rank == 1
]
CHECKED = ((1, 1), (2, 1))  # the same of indices that are looked at

# Kernels of cuda/include/cupric/linear.hpp, with their types, where it has them.
LINEAR_RULES = [
    ("matmul_tiles", "?bBhHiIlLeEfdFD"),
    ("matmul_thin matmul_dots vector_dots join_dots", "?bBhHiIlLeEfdFD"),
    ("scale_values", "fd"),
    ("transpose_matrices identity_matrices keep_lower take_upper", "fdFD"),
    ("unpack_eigenvectors", "fd"),
    ("determinants log_determinants", "fdFD"),
]


# ---- their keys ----------------------------------------------------------------------


class Tables:
    """The operation tables, from the code that makes the kernels."""

    def __init__(self, codegen):
        self.codegen = codegen
        codegen.cu_cuda_row_get.restype = ctypes.POINTER(Row)
        codegen.cu_row_ships.restype = ctypes.c_char_p
        codegen.cu_cuda_skips.restype = ctypes.c_bool
        codegen.cu_cuda_is_iterated.restype = ctypes.c_bool
        self.rows = {}
        for op in itertools.count():
            row = codegen.cu_cuda_row_get(op)
            if not row:
                break
            self.rows[row.contents.name.decode()] = op, row.contents

    def is_ufunc(self, name):
        return bool(self.rows[name][1].code)

    def is_iterated(self, op):
        """Whether it is a special function with loops and branches."""
        return bool(self.codegen.cu_cuda_is_iterated(op))

    def ships(self, op):
        """The column `ships` of a row."""
        return self.codegen.cu_row_ships(op).decode()

    def signature(self, name, wanted):
        """(op, sig, types) of the signature whose letters begin with `wanted`."""
        found = self.find(name, wanted)
        if found is None:
            raise LookupError(f"{name} has no signature {wanted}")
        return found

    def find(self, name, wanted):
        """The same, or None."""
        op, _ = self.rows[name]
        wanted = [ALL.index(letter) for letter in wanted]
        for sig in self.signatures(op):
            types = self.types(op, sig)
            if types[: len(wanted)] == wanted:
                return op, sig, types
        return None

    def signatures(self, op):
        """The numbers of those that there is code for."""
        return [sig for sig in range(32) if self.types(op, sig)]

    def types(self, op, sig):
        """Of a signature, inputs then outputs; empty where there is none."""
        row, types = self.codegen.cu_cuda_row_get(op).contents, (ctypes.c_int * 8)()
        there = self.codegen.cu_cuda_signature(op, sig, types)
        return list(types)[: row.nin + row.nout] if there else []

    def wide_signatures(self, op):
        """Those that can stand for all of them."""
        wide = self.codegen.cu_cuda_wide_signature
        return sorted({wide(op, sig) for sig in self.signatures(op)})


def key(family, types=(), op=0, sig=0, layout=0, rank=(1, 1), flags=0):
    types = [*types, *[NO_TYPE] * (8 - len(types))]
    return Key(
        family, layout, op, sig, (ctypes.c_uint8 * 2)(*rank), flags,
        (ctypes.c_uint8 * 8)(*types),
    )  # fmt: skip


def numbers(letters):
    return [ALL.index(letter) for letter in letters]


LAYOUTS = {
    "D": "DENSE",
    "U": "UNALIGNED",
    "S": "STRIDED",
    "R": "ROWS",
    **dict.fromkeys("THW", "TILED"),
}
SHORT_TYPES = numbers("?bBhHeE")  # shorter than the words they are transposed by
TRANSPOSED = {"H": "TRANSPOSED_SHORT", "W": "TRANSPOSED_WORDS"}


def elementwise(op, sig, inputs, outputs, forms):
    """Keys of an operation whose operands are stored so, in each form for as many."""
    for form in forms:
        layout, _, operands = form.partition(":")
        masked = operands.endswith("m")
        operands = operands.rstrip("m")
        if len(operands) != len(inputs):
            continue
        stored = [
            t | (IMMEDIATE if o == "s" else 0)
            for t, o in zip(inputs, operands, strict=True)
        ]
        way = C.get(TRANSPOSED.get(layout[0]), 1)
        if layout[0] == "T":
            turned = sum(1 << i for i, o in enumerate(operands) if o == "t")
            way = C["TRANSPOSED_TILES"] + turned
        rank = int(layout[1:] or 1), way
        if layout[0] == "W" and not all(t in SHORT_TYPES for t in inputs + outputs):
            continue
        yield key(
            C["KERNEL_ELEMENTWISE"], stored + outputs, op, sig,
            C["LAYOUT_" + LAYOUTS[layout[0]]], rank, MASKED if masked else 0,
        )  # fmt: skip


LATER = "later"  # of a row of which no kernel ships


class Rule(NamedTuple):
    """A rule of a row: src/ops/ships.h."""

    kind: str  # of MAKERS
    stored: list[str]
    computed: str  # "": as stored
    forms: list[str]


def rules(text: str) -> Iterator[Rule]:
    """Those of a text as the column `ships` has it."""
    if text == LATER:
        return
    for rule in filter(str.strip, text.split(";")):
        head, _, forms = rule.partition(": ")
        words = head.split()
        kind = words.pop(0) if words[0] in MAKERS else ""
        stored, _, computed = " ".join(words).partition(">")
        yield Rule(kind, stored.split(), computed, forms.split())


def row_keys(tables: "Tables") -> Iterator[Key]:
    """Keys of all that the rows say ships."""
    for name, (op, _) in tables.rows.items():
        for rule in rules(tables.ships(op)):
            for k in MAKERS[rule.kind](tables, name, rule):
                if not tables.is_iterated(op) or is_computed(tables, k):
                    yield k


def is_computed(tables: "Tables", k: Key) -> bool:
    """Whether a kernel of a special function with loops ships: dense, all operands
    arrays, in the signature that others are computed by."""
    stored = [t for t in k.type if t != NO_TYPE]
    dense = k.layout == C["LAYOUT_DENSE"] and not k.flags
    wide = tables.codegen.cu_cuda_wide_signature(k.op, k.sig)
    return dense and wide == k.sig and stored == tables.types(k.op, k.sig)


def elementwise_keys(tables: "Tables", name: str, rule: Rule) -> Iterator[Key]:
    nin = tables.rows[name][1].nin
    if not rule.computed:
        for letter in "".join(rule.stored):
            condition = "CONDITION" in TRAITS[name]
            first = "?" + letter * (nin - 1) if condition else letter * nin
            op, sig, types = tables.find(name, first) or tables.signature(name, letter)
            yield from elementwise(op, sig, types[:nin], types[nin:], rule.forms)
        return
    wide = rule.computed if len(rule.computed) > 1 else rule.computed * nin
    op, sig, types = tables.signature(name, wide)
    for stored in rule.stored:
        yield from elementwise(op, sig, numbers(stored), types[nin:], rule.forms)


def conversion_keys(tables: "Tables") -> Iterator[Key]:
    for a, b, forms in CONVERT_RULES:
        yield from elementwise(CONVERT, 0, numbers(a), numbers(b), forms.split())


def reduction(tables, name, stored):
    """(op, sig, types stored) of a reduction or scan of `stored`, input and result."""
    if tables.rows[name][1].nin == 2 and tables.is_ufunc(name):
        op, sig, _ = tables.signature(name, stored[-1] * 3)
        return op, sig, numbers(stored)
    computed = stored
    if DTYPE_RULES.get(name) == "INEXACT" and stored[0] in INTEGERS + "f":
        computed = stored[1] * 2  # of float32 in float64, where that is asked for
    if DTYPE_RULES.get(name) == "WIDENED":
        computed = stored[1] * 2
    if tables.rows[name][1].nin == 2:
        stored = stored[0] + computed
        computed = computed[0] + computed
    op, sig, _ = tables.signature(name, computed)
    return op, sig, numbers(stored)


PLACES = {
    "r": ["REDUCE_ROWS"],
    "c": ["REDUCE_COLUMNS"],
    "R": ["REDUCE_DENSE_ROWS", "REDUCE_DENSE_NARROW"],
    "C": ["REDUCE_DENSE_COLUMNS", "REDUCE_DENSE_FEW"],
}


def reduce_keys(tables: "Tables", name: str, rule: Rule) -> Iterator[Key]:
    for stored, place in itertools.product(rule.stored, rule.forms):
        op, sig, types = reduction(tables, name, stored)
        rank = int(place[1]), int(place[2])
        flags = MASKED if place.endswith("m") else 0
        for layout in PLACES[place[0]]:
            yield key(C["KERNEL_REDUCE"], types, op, sig, C[layout], rank, flags)


def scan_keys(tables: "Tables", name: str, rule: Rule) -> Iterator[Key]:
    ranks = [form for form in rule.forms if form != "general"]
    for stored, rank in itertools.product(rule.stored, ranks):
        op, sig, types = reduction(tables, name, stored)
        for layout in ("SCAN_DENSE_RUN", "SCAN_DENSE_COLUMNS", "SCAN_SHARED"):
            yield key(C["KERNEL_SCAN"], types, op, sig, C[layout], (int(rank), 1))


def slices_keys(tables: "Tables", name: str, rule: Rule) -> Iterator[Key]:
    for stored in rule.stored:
        op, sig, types = reduction(tables, name, stored)
        yield key(C["KERNEL_REDUCEAT"], types, op, sig)


def scatter_keys(tables: "Tables", name: str, rule: Rule) -> Iterator[Key]:
    for stored in rule.stored:
        op, sig, _ = tables.signature(name, stored)
        yield key(C["KERNEL_SCATTER_OP"], numbers(stored), op, sig)


MAKERS = {
    "": elementwise_keys,
    "reduce": reduce_keys,
    "scan": scan_keys,
    "slices": slices_keys,
    "at": scatter_keys,
}


def index_keys(tables):
    for letters, rank in INDEX_RULES:
        for t in numbers(letters):
            yield key(C["KERNEL_GATHER"], [t], rank=rank)
            yield key(C["KERNEL_SCATTER"], [t], rank=rank)
            if rank in CHECKED:
                yield key(C["KERNEL_CHECK_INDEX"], [t], rank=rank)


def choice_keys(tables):
    """Nonzero elements: their coordinates, and those of others of each size."""
    for t in numbers("BHILefdFD"):
        yield key(C["KERNEL_SELECT"], [t], rank=(1, 1))
    for t in numbers("BILfd"):
        yield key(C["KERNEL_SELECT"], [t], rank=(2, 1))
    for t in numbers("BIL"):
        yield key(C["KERNEL_SELECT"], [t], rank=(3, 1))
    for moved, rank in itertools.product("BIL", (1, 2)):
        yield key(C["KERNEL_SELECT"], numbers("B" + moved), rank=(rank, 1))
    for moved in "HD":
        yield key(C["KERNEL_SELECT"], numbers("B" + moved), rank=(1, 1))


def ordering_keys(tables):
    """Of every dtype: sorts but of bfloat16, places in what is sorted, ranges."""
    for t in numbers(ALL):
        if t != ALL.index("E"):
            yield key(C["KERNEL_SORT"], [t])
            yield key(C["KERNEL_SORT"], [t], flags=C["KEY_ORDER"])
        yield key(C["KERNEL_ARANGE"], [t])
        for right, rank in itertools.product((0, 1), (1, 2)):
            yield key(C["KERNEL_SEARCH"], [t], layout=right, rank=(rank, 1))


def other_keys(tables):
    for t, kind in itertools.product(numbers("fd"), (1, 2, 4)):
        yield key(C["KERNEL_RANDOM"], [t], kind)
    for t in numbers("BHIL"):
        yield key(C["KERNEL_RANDOM"], [t], 0)
        yield key(C["KERNEL_RANDOM"], [t], 3)
    yield key(C["KERNEL_RANDOM"], numbers("L"), 3, layout=1)
    for t in numbers("ilfdFD"):
        yield key(C["KERNEL_CONVOLVE"], [t], layout=1, rank=(2, 1))
        yield key(C["KERNEL_CONVOLVE"], [t], layout=0)
    for t in numbers("BilfdFD"):
        yield key(C["KERNEL_CONVOLVE"], [t], layout=1)


def counting_keys(tables):
    for t in numbers("BHILD"):
        yield key(C["KERNEL_JOIN"], [t])
    for t in numbers("bBhHilL"):
        yield key(C["KERNEL_HISTOGRAM"], [t])
        yield key(C["KERNEL_HISTOGRAM"], [t], flags=C["KEY_WEIGHTED"])
    binned = ("dd", "fd", "ff", "ef", "ld", "id", "hd", "bd", "Bd", "Hd", "Id", "Ld")
    for stored, even in itertools.product(binned, (0, 1)):
        yield key(C["KERNEL_HISTOGRAM"], numbers(stored), layout=even)


def general_keys(tables, found):
    """What src/cuda/general.c makes any elementwise call of: conversions to each dtype,
    and each operation on dense arrays, in the signatures that stand for all."""
    for t in numbers(ALL):
        types = [NO_TYPE, t]
        yield key(C["KERNEL_ELEMENTWISE"], types, CONVERT, layout=C["LAYOUT_ANY"])
    for op, row in tables.rows.values():
        if not row.code or tables.ships(op) == LATER:
            continue
        for sig in tables.wide_signatures(op):
            types = tables.types(op, sig)
            dense = key(C["KERNEL_ELEMENTWISE"], types, op, sig, C["LAYOUT_DENSE"])
            if bytes(dense) not in found:
                dense.layout = C["LAYOUT_SINGLE"]
                yield dense


def is_scanned(tables, op, row):
    """Whether there are general kernels for a row's scans: they are large."""
    if row.code:
        return any(rule.kind == "scan" for rule in rules(tables.ships(op)))
    return DTYPE_RULES[row.name.decode()] == "WIDENED"


def general_reduction_keys(tables):
    """What src/cuda/reductions.c makes any reduction of, and the scans that programs
    use: those of dense rows, in the signatures that stand for all."""
    for op, row in tables.rows.values():
        if tables.codegen.cu_cuda_is_serial(op):
            continue
        for sig in tables.wide_signatures(op):
            types = tables.types(op, sig)
            if row.code:  # a ufunc that combines elements of one dtype
                if len(types) != 3 or len(set(types)) > 1 or row.is_special:
                    continue
                types = types[1:]
            plain = len(types) == 2 and not tables.codegen.cu_cuda_skips(op)
            layout = C["REDUCE_DENSE_ROWS" if plain else "REDUCE_ROWS"]
            yield key(C["KERNEL_REDUCE"], types, op, sig, layout)
            if is_scanned(tables, op, row):
                yield key(C["KERNEL_SCAN"], types, op, sig, C["SCAN_BLOCKS"])


def keys(codegen):
    """Every key that the rules name, once, like ones together."""
    tables = Tables(codegen)
    found = {}
    makers = row_keys, conversion_keys, index_keys, choice_keys, ordering_keys
    for make in (*makers, other_keys, counting_keys):
        for k in make(tables):
            found.setdefault(bytes(k), k)
    for k in [*general_keys(tables, found), *general_reduction_keys(tables)]:
        found.setdefault(bytes(k), k)
    return sorted(found.values(), key=lambda k: (k.family, k.op, bytes(k)))
