"""Which kernels come compiled with the package: those that common programs use.

A rule names operations, the types they are computed in and the layouts of the operands.
All other kernels are compiled when they are first used. CUPRIC_DEBUG=3 tells which
those are in a program; tests/cuda/common_calls.py lists calls that should need none.

Types are the letters of src/dtypes.def. A form is the layout of an elementwise kernel
and which operands are numbers passed by value:

    D dense   U dense, not aligned   S1, S2, … strided, of that rank   R2 rows
    T1, … turned over, in tiles; H1 short ones; W1 by words
    :xs, …    x an array, s a number, for each input: "D:xs" is x + 1
"""

import ctypes
import itertools
import re

from . import ROOT

CODEGEN = ROOT / "src/cuda/codegen.h"
# What writes the sources of kernels: C that needs nothing else.
WRITERS = [*sorted((ROOT / "src/cuda/codegen").glob("*.c")), ROOT / "src/dtype.c"]
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

COMMON = "?Bilefd"
NUMBERS = "ilfd"
FLOATS = "fd"
COMPLEX = "FD"
ALL = "?bBhHiIlLeEfdFD"


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
    )


# ---- the rules -----------------------------------------------------------------------

BINARY = "D:xx D:xs D:sx"
STRIDED = "U:xx S1:xx S2:xx R2:xx S1:xs S2:xs R2:xs"
UNARY = "D:x"
VIEWS = "U:x S1:x S2:x R2:x"

# (operations, types, forms): operands and results are stored in the types computed in.
ELEMENTWISE_RULES = [
    ("add subtract multiply divide", "ilfd", f"{BINARY} {STRIDED}"),
    ("add subtract multiply divide", "BeFD", BINARY),
    ("add", FLOATS, "D:xsm D:xxm"),
    ("add multiply", "?", "D:xx"),
    ("add subtract multiply", "FD", "U:xx S1:xx S2:xx S1:xs"),
    ("equal not_equal less less_equal greater greater_equal", NUMBERS,
     "D:xx D:xs S1:xx S2:xx R2:xx S1:xs S2:xs R2:xs"),
    ("equal not_equal", "?BeFD", "D:xx D:xs"),
    ("less less_equal greater greater_equal", "Be", "D:xx D:xs"),
    ("not_equal", NUMBERS + "B", "U:xx"),
    ("bitwise_and bitwise_or bitwise_xor", "?", "D:xx D:xs U:xx S1:xx S2:xx"),
    ("bitwise_and bitwise_or bitwise_xor left_shift right_shift", "Bil",
     "D:xx D:xs"),
    ("invert", "?Bil", UNARY),
    ("logical_and logical_or logical_xor logical_not", "?", "D:xx U:xx D:x"),
    ("maximum minimum", NUMBERS, f"{BINARY} S1:xx S2:xx R2:xx"),
    ("maximum minimum", "Be", "D:xx D:xs"),
    ("fmax fmin", FLOATS, "D:xx D:xs"),
    ("clip", NUMBERS + "Be", "D:xss"),
    ("clip", NUMBERS, "D:xxx"),
    ("where", NUMBERS, "D:xxx D:xxs D:xsx D:xss S1:xxx S2:xxx R2:xxx S2:xxs"),
    ("where", "?BeFD", "D:xxx D:xxs D:xsx D:xss"),
    ("where", "d", "U:xsx"),
    ("floor_divide remainder", NUMBERS, "D:xx D:xs D:sx S2:xx S1:xs"),
    ("floor_divide remainder", "B", "D:xx D:xs"),
    ("fmod divmod", NUMBERS, "D:xx D:xs"),
    ("power", NUMBERS, "D:xx D:xs D:sx"),
    ("power", FLOATS, "S2:xx S1:xs"),
    ("power", "D", "D:xs"),
    ("gcd lcm", "l", "D:xx"),
    ("negative absolute square sign positive", NUMBERS, f"{UNARY} {VIEWS}"),
    ("negative absolute square", "BeFD", UNARY),
    ("conjugate real imag", "FD", "D:x S1:x S2:x"),
    ("conjugate", FLOATS, UNARY),
    ("reciprocal", "fdD", UNARY),
    ("isnan isinf isfinite", "ilefdFD", UNARY),
    ("isnan isfinite", FLOATS, "S1:x S2:x"),
    ("isinf", "d", "U:x"),
    ("equal", "d", "U:xx"),
    ("signbit", FLOATS, UNARY),
    ("floor ceil trunc rint", "efd", UNARY),
    ("floor rint", FLOATS, "S2:x"),
    ("copysign hypot arctan2 logaddexp heaviside", FLOATS, "D:xx D:xs"),
    ("nextafter ldexp", FLOATS, "D:xx"),
    ("modf frexp spacing", FLOATS, UNARY),
    ("sqrt exp log sin cos tanh", "efd", UNARY),
    ("sqrt exp log sin cos tanh", FLOATS, VIEWS),
    ("sqrt exp log", COMPLEX, UNARY),
    ("rsqrt deg2rad rad2deg exp2 expm1 log2 log10 log1p cbrt tan arcsin arccos arctan "
     "sinh cosh arcsinh arccosh arctanh sinc i0", FLOATS, UNARY),
    ("angle", "dFD", UNARY),
    ("nan_to_num", FLOATS, "D:xsss"),
    ("interpolate", "d", "D:xxxx"),
]  # fmt: skip

# (operation, signature, stored inputs, forms): an input is stored in another type.
MIXED_RULES = [
    *((op, "dd", stored, form)
      for op in ("add", "subtract", "multiply")
      for stored, form in [("ld", "D:xs D:xx S1:xx S2:xx R2:xx"),
                           ("dl", "D:sx D:xx S2:xx"), ("dB", "D:sx"),
                           ("id", "D:xs D:xx S1:xx S2:xx R2:xx"), ("di", "D:sx D:xx"),
                           ("fd", "D:xx S2:xx"), ("df", "D:xx"), ("?d", "D:xx D:xs"),
                           ("d?", "D:xx"), ("Bd", "D:xs"), ("lf", "D:xx"),
                           ("fl", "D:xx"), ("if", "D:xx"), ("fi", "D:xx")]),
    *(("divide", "dd", stored, form)
      for stored, form in [("ld", "D:xx D:xs S2:xx"), ("dl", "D:xx D:sx S2:xx"),
                           ("id", "D:xx D:xs"), ("di", "D:xx D:sx"), ("fd", "D:xx"),
                           ("df", "D:xx"), ("?d", "D:xs"), ("Bd", "D:xs")]),
    *(("where", "?" + t * 2, t * 3, "D:xxx D:xxs D:xss") for t in NUMBERS),
    *((op, "ff", stored, "D:xx") for op in ("add", "subtract", "multiply", "divide")
      for stored in ("f?", "?f", "fB", "Bf")),
    ("divide", "ll", "il", "D:xx S1:xx S2:xx R2:xx"),
    *((op, "ii", stored, "D:xx") for op in ("add", "multiply")
      for stored in ("?i", "i?")),
    *((op, "DD", stored, "D:xs") for op in ("add", "multiply")
      for stored in ("iD", "lD")),
    *(("multiply", "FF", stored, "S1:xx") for stored in ("Ff", "fF")),
    *(("multiply", "DD", stored, "S1:xx") for stored in ("Dd", "dD")),
    *((op, "ll", stored, "D:xx D:xs") for op in ("add", "subtract", "multiply")
      for stored in ("?l", "il", "l?", "li")),
    *((op, "dd", stored, "D:xs D:xx S1:xx") for stored in ("ld", "id")
      for op in ("equal", "not_equal", "less", "less_equal", "greater",
                 "greater_equal")),
    *((op, "DD", "dD", "D:xs D:xx D:sx") for op in ("add", "subtract", "multiply")),
    *((op, "DD", "Dd", "D:xx D:xs D:sx")
      for op in ("add", "subtract", "multiply", "divide")),
    *((op, "FF", stored, "D:xx D:xs D:sx") for op in ("add", "subtract", "multiply")
      for stored in ("fF", "Ff")),
    *(("power", "dd", stored, "D:xs D:xx") for stored in ("ld", "id")),
    *(("where", "?" + t * 2, t * 3, "D:xxx D:xxs D:xsx") for t in "Bilefd"),
    *((op, "d", stored, "D:x") for stored in "il"
      for op in ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "log2", "log10",
                 "arctan", "deg2rad", "rad2deg", "expm1", "log1p", "exp2")),
]  # fmt: skip

# (stored from, stored to, forms): copies, fills (a number) and conversions.
CONVERT_RULES = [
    (a, a, "D:s U:s S1:s S2:s S3:s R2:s R3:s D:sm S1:sm U:x S1:x S2:x S3:x S4:x R2:x "
           "R3:x T1:x T2:x H1:x W1:x S1:xm") for a in "Bilefd"
] + [  # bools are copied as bytes
    ("?", "?", "D:s U:s S1:s S2:s S3:s R2:s R3:s D:sm S1:sm"),
] + [
    (a, a, "D:s U:s S1:s S2:s R2:s D:sm S1:x S2:x R2:x T1:x U:x") for a in "bhHILEFD"
] + [
    (a, b, "D:x") for a, b in itertools.permutations("?Bilefd", 2)
] + [
    (a, b, "S1:x S2:x R2:x T1:x U:x") for a, b in itertools.permutations("ilfd", 2)
] + [
    (a, b, "S1:x S2:x T1:x") for a in "?B" for b in "fd"
] + [
    *((a, b, "D:x S1:x S2:x") for a, b in ("fF", "dD", "lD", "FD", "DF", "Fd", "df")),
    *((a, b, "D:x") for a in "bhHIL" for b in "lfd"),
    *((a, b, "D:x") for a in "lfd" for b in "bhHIL"),
    *((a, b, "D:x") for a, b in ("Ef", "fE", "iF", "iD", "?F", "?D", "Df", "Dd")),
]  # fmt: skip

# (operations, (stored input and result, …), where). Where: R rows and C columns of
# arrays without gaps, r and c of any others, with the ranks of the kept and of the
# reduced axes; m: masked. A second input is stored in the type computed in.
BASIC = "R11 C11"
REDUCE_RULES = [
    ("add", "ff dd ll", f"{BASIC} r11 c11 r12 c21"),
    ("add", "ff dd", "r11m r21"),
    ("add", "il", f"{BASIC} r11 r12 r21 c21"),
    ("add", "?l", f"{BASIC} r11"),
    ("add", "BL ee FF DD", BASIC),
    ("maximum minimum", "ff dd ll", BASIC),
    ("maximum minimum", "ff dd", "r11"),
    ("maximum minimum", "ii BB", BASIC),
    ("maximum", "LL ee", "R11"),
    ("multiply", "ff dd ll il", "R11"),
    ("logical_and logical_or", "??", "R11"),
    ("any all", "??", BASIC),
    ("any", "??", "r11"),
    ("any all", "f? d? i? l?", "R11"),
    ("count_nonzero", "?l fl dl il ll Bl", "R11"),
    ("count_nonzero", "?l", "C11"),
    ("mean", "ff dd", f"{BASIC} r11 r11m"),
    ("mean", "id ld", BASIC),
    ("mean", "?d Bd ee FF DD", BASIC),
    ("var std", "ff dd id ld", BASIC),
    ("std", "ff dd", "r11m"),
    ("std", "Bd", "R11"),
    ("fmax fmin nansum", "ff dd", BASIC),
    ("nansum", "il ll", "R11"),
    ("nanprod", "ff dd", "R11"),
    ("argmax", "fl dl il ll", BASIC),
    ("argmin", "fl dl il ll", "R11"),
    ("argmin", "fl dl", "C11"),
    ("argmax", "?l Bl", "R11"),
    ("nanargmax nanargmin", "fl dl", "R11"),
    ("any_nan", "f? d?", "R11"),
    ("nanmean nanvar nanstd", "ff dd", "r11 c11"),
    ("vecdot", "ff dd ll FF DD", "r11"),
    ("norm_1 norm_max", "ff dd", "R11"),
    ("norm_2", "ff dd", BASIC),
    ("norm_2", "Dd", "R11"),
]

# (operation, stored input and result, rank of the other axes)
SCAN_RULES = [
    ("add", "ff dd ll il ?l", (1,)),
    ("add", "ff dd", (2,)),
    ("multiply", "ff dd ll il", (1,)),
]

# (types, (rank of the iteration, number of index arrays))
INDEX_RULES = [(COMMON + COMPLEX, (1, 1)), (COMMON + COMPLEX, (2, 1)),
               (COMMON + COMPLEX, (1, 2)), (NUMBERS, (2, 2)), ("fdBl", (3, 1)),
               (NUMBERS, (1, 3))]  # fmt: skip
SCATTER_OP_RULES = [("add", "ff dd ii ll"), ("subtract", "ff dd ll"),
                    ("maximum minimum", "ff dd ll")]  # fmt: skip

# Kernels of cuda/include/cupric/linear.hpp, with their types, where it has them.
LINEAR_RULES = [
    ("matmul_tiles", "?bBhHiIlLfdFD"),
    ("scale_values", "fd"),
    ("transpose_matrices identity_matrices keep_lower take_upper", "fdFD"),
    ("determinants log_determinants", "fdFD"),
    ("matmul_dots join_dots", "fdFD"),
]


# ---- their keys ----------------------------------------------------------------------


class Tables:
    """The operation tables, from the code that makes the kernels."""

    def __init__(self, codegen):
        self.codegen = codegen
        codegen.cu_cuda_row_get.restype = ctypes.POINTER(Row)
        self.rows = {}
        for op in itertools.count():
            row = codegen.cu_cuda_row_get(op)
            if not row:
                break
            self.rows[row.contents.name.decode()] = op, row.contents

    def is_ufunc(self, name):
        return self.rows[name][0] < self.rows["count_nonzero"][0]

    def signature(self, name, wanted):
        """(op, sig, types) of the signature whose letters begin with `wanted`."""
        found = self.find(name, wanted)
        if found is None:
            raise LookupError(f"{name} has no signature {wanted}")
        return found

    def find(self, name, wanted):
        """The same, or None."""
        op, row = self.rows[name]
        types = (ctypes.c_int * 8)()
        wanted = [ALL.index(letter) for letter in wanted]
        for sig in range(32):
            if not self.codegen.cu_cuda_signature(op, sig, types):
                continue
            if list(types)[: len(wanted)] == wanted:
                return op, sig, list(types)[: row.nin + row.nout]
        return None


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
SHORT_TYPES = numbers("?bBhHeE")  # shorter than the words they are turned over by
TURNED = {"T": "TURNED_TILES", "H": "TURNED_SHORT", "W": "TURNED_WORDS"}


def elementwise(op, sig, inputs, outputs, forms):
    """Keys of an operation whose operands are stored so, in each form for as many."""
    for form in forms.split():
        layout, _, operands = form.partition(":")
        masked = operands.endswith("m")
        operands = operands.rstrip("m")
        if len(operands) != len(inputs):
            continue
        stored = [
            t | (IMMEDIATE if o == "s" else 0)
            for t, o in zip(inputs, operands, strict=True)
        ]
        rank = int(layout[1:] or 1), C.get(TURNED.get(layout[0]), 1)
        if layout[0] == "W" and not all(t in SHORT_TYPES for t in inputs + outputs):
            continue
        yield key(
            C["KERNEL_ELEMENTWISE"], stored + outputs, op, sig,
            C["LAYOUT_" + LAYOUTS[layout[0]]], rank, MASKED if masked else 0,
        )  # fmt: skip


def elementwise_keys(tables):
    for names, letters, forms in ELEMENTWISE_RULES:
        for name, letter in itertools.product(names.split(), letters):
            nin = tables.rows[name][1].nin
            first = "?" + letter * 2 if name == "where" else letter * nin
            found = tables.find(name, first) or tables.find(name, letter)
            if found:
                op, sig, types = found
                yield from elementwise(op, sig, types[:nin], types[nin:], forms)
    for name, computed, stored, forms in MIXED_RULES:
        op, sig, types = tables.signature(name, computed)
        nin = len(computed)
        yield from elementwise(op, sig, numbers(stored), types[nin:], forms)
    for a, b, forms in CONVERT_RULES:
        yield from elementwise(CONVERT, 0, numbers(a), numbers(b), forms)


def reduction(tables, name, stored):
    """(op, sig, types stored) of a reduction or scan of `stored`, input and result."""
    if tables.rows[name][1].nin == 2 and tables.is_ufunc(name):
        op, sig, _ = tables.signature(name, stored[-1] * 3)
        return op, sig, numbers(stored)
    computed = stored
    if name in ("mean", "var", "std") and stored[0] in "?Bil":
        computed = "d" + stored[1]
    if name in ("nansum", "nanprod"):
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


def reduce_keys(tables):
    for names, kinds, places in REDUCE_RULES:
        for name, stored, place in itertools.product(
            names.split(), kinds.split(), places.split()
        ):
            op, sig, types = reduction(tables, name, stored)
            rank = int(place[1]), int(place[2])
            flags = MASKED if place.endswith("m") else 0
            for layout in PLACES[place[0]]:
                yield key(C["KERNEL_REDUCE"], types, op, sig, C[layout], rank, flags)
    for names, kinds, ranks in SCAN_RULES:
        for name, stored, rank in itertools.product(
            names.split(), kinds.split(), ranks
        ):
            op, sig, types = reduction(tables, name, stored)
            for layout in ("SCAN_DENSE_RUN", "SCAN_DENSE_COLUMNS", "SCAN_SHARED"):
                yield key(C["KERNEL_SCAN"], types, op, sig, C[layout], (rank, 1))


def index_keys(tables):
    for letters, rank in INDEX_RULES:
        for t in numbers(letters):
            yield key(C["KERNEL_GATHER"], [t], rank=rank)
            yield key(C["KERNEL_SCATTER"], [t], rank=rank)
    for names, kinds in SCATTER_OP_RULES:
        for name, stored in itertools.product(names.split(), kinds.split()):
            op, sig, _ = tables.signature(name, stored)
            yield key(C["KERNEL_SCATTER_OP"], numbers(stored), op, sig)


def choice_keys(tables):
    """Nonzero elements: their coordinates, and those of others of each size."""
    for t, rank in itertools.product(numbers("?Bilfd"), (1, 2)):
        yield key(C["KERNEL_SELECT"], [t], rank=(rank, 1))
    for moved, rank in itertools.product("BIL", (1, 2)):
        yield key(C["KERNEL_SELECT"], numbers("?" + moved), rank=(rank, 1))


def other_keys(tables):
    for t in numbers("ilILefdFD"):
        yield key(C["KERNEL_ARANGE"], [t])
    for t in numbers("BilLfd"):
        yield key(C["KERNEL_SORT"], [t])
        yield key(C["KERNEL_SORT"], [t], flags=C["KEY_ORDER"])
    for t, right in itertools.product(numbers("?ilfd"), (0, 1)):
        yield key(C["KERNEL_SEARCH"], [t], layout=right)
    for t, kind in itertools.product(numbers("fd"), (1, 2, 4)):
        yield key(C["KERNEL_RANDOM"], [t], kind)
    for t in numbers("BHIL"):
        yield key(C["KERNEL_RANDOM"], [t], 0)
        yield key(C["KERNEL_RANDOM"], [t], 3)
    yield key(C["KERNEL_RANDOM"], numbers("L"), 3, layout=1)
    for t, rank in itertools.product(numbers("ilfdFD"), (1, 2)):
        yield key(C["KERNEL_CONVOLVE"], [t], layout=1, rank=(rank, 1))
    for t in numbers("ilfdFD"):
        yield key(C["KERNEL_CONVOLVE"], [t], layout=0)


def counting_keys(tables):
    for t in numbers("BHILD"):
        yield key(C["KERNEL_JOIN"], [t])
    for t in numbers("Bil"):
        yield key(C["KERNEL_HISTOGRAM"], [t])
        yield key(C["KERNEL_HISTOGRAM"], [t], flags=C["KEY_WEIGHTED"])
    for stored, even in itertools.product(("dd", "fd", "ld", "id", "ff"), (0, 1)):
        yield key(C["KERNEL_HISTOGRAM"], numbers(stored), layout=even)


def keys(codegen):
    """Every key that the rules name, once, like ones together."""
    tables = Tables(codegen)
    found = {}
    makers = elementwise_keys, reduce_keys, index_keys, choice_keys, other_keys
    for make in (*makers, counting_keys):
        for k in make(tables):
            found.setdefault(bytes(k), k)
    return sorted(found.values(), key=lambda k: (k.family, k.op, bytes(k)))
