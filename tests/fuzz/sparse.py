"""Programs over sparse arrays and matrices, beside SciPy's: `--family sparse`.

A program is statements of text over names v0, v1, …, which are run on both sides one by
one: formats that change, slices, products, in-place changes, reductions. Arguments are
drawn by what SciPy's values are at that point. What a statement gives, and what it
changes, has to agree: the class, format, shape, dtype, places that are stored and all
elements, or the kind of error.
"""

import time
import traceback
import warnings

import numpy as np

__all__ = ["check", "fuzz", "fuzz_all", "program", "shrunk"]

STATEMENTS = 9
LARGEST = 1e4  # of magnitudes of an array that goes on
DTYPES = ("?", "b", "B", "i", "l", "f", "d", "F", "D")
FORMATS = ("csr", "csc", "coo")
CHANGES = "sum_duplicates", "eliminate_zeros", "sort_indices", "setdiag", "resize"
ERRORS = (TypeError, ValueError, IndexError, NotImplementedError, AttributeError)
ERRORS += (OverflowError,)


class Side:
    """Statements on one side: `sp` is its sparse package, `xp` its arrays."""

    def __init__(self, sp, xp):
        self.names = {"sp": sp, "xp": xp, "abs": abs, "round": round}

    def run(self, statement):
        """What a statement gives; an error as the class that it is of."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                if not is_expression(statement):
                    exec(statement, self.names)
                    return None
                return eval(statement, self.names)
            except ERRORS as e:
                return next(kind for kind in ERRORS if isinstance(e, kind))


def is_expression(statement):
    try:
        compile(statement, "statement", "eval")
    except SyntaxError:
        return False
    return True


def sides():
    import scipy.sparse

    import cupric as cp
    import cupricx.scipy.sparse

    return Side(scipy.sparse, np), Side(cupricx.scipy.sparse, cp)


# ---- drawing -------------------------------------------------------------------------


class Draw:
    """Statements, drawn by the arrays of SciPy's that there are."""

    def __init__(self, rng, side):
        self.rng, self.side, self.count = rng, side, 0

    def below(self, n):
        return int(self.rng.integers(n))

    def one(self, choices):
        return choices[self.below(len(choices))]

    def fresh(self):
        self.count += 1
        return f"v{self.count - 1}"

    def arrays(self, condition=lambda a: True):
        found = self.side.names.items()
        return [
            n
            for n, a in found
            if n[0] == "v" and n[1:].isdigit() and usable(a) and condition(a)
        ]

    def value(self, dtype):
        x = self.one([-2, -1, 0, 1, 2, 3])
        if np.dtype(dtype).kind == "u":
            return abs(x)
        if np.dtype(dtype).kind == "b":
            return bool(x)
        return x

    def numbers(self, n, dtype):
        return [self.value(dtype) for _ in range(n)]

    def dense(self, shape, dtype=None):
        dtype = self.one("ldfi") if dtype is None else dtype
        n = int(np.prod(shape))
        x = f"xp.array({self.numbers(n, dtype)}, {dtype!r})"
        return f"{x}.reshape({tuple(shape)})"

    def indices(self, n, most=4):
        return [self.below(2 * n) - n for _ in range(self.below(most + 1))] if n else []

    def made(self, shape=None):
        """A new array: duplicates, disorder and explicit zeros are as likely as not."""
        rows, columns = shape or (self.below(6) + (self.below(5) > 0), self.below(7))
        kind = self.one(("array", "array", "matrix"))
        dtype = self.one(DTYPES)
        index = self.one("iil")
        n = self.below(rows * columns + 3) if rows and columns else 0
        if dtype == "?":  # of duplicates SciPy makes 1 or 2
            n = min(n, 1)
        data = f"xp.array({self.numbers(n, dtype)}, {dtype!r})"
        format = self.one(FORMATS)
        where = f"shape=({rows}, {columns})"
        if format == "coo" or self.below(3) == 0:
            i = [self.below(rows) for _ in range(n)]
            j = [self.below(columns) for _ in range(n)]
            at = f"(xp.array({i}, {index!r}), xp.array({j}, {index!r}))"
            return f"sp.{format}_{kind}(({data}, {at}), {where})"
        majors, minors = (rows, columns) if format == "csr" else (columns, rows)
        ends = sorted(self.below(n + 1) for _ in range(majors - 1)) if majors else []
        indptr = [0, *ends, n] if majors else [0]
        j = [self.below(minors) for _ in range(n)]
        parts = f"xp.array({j}, {index!r}), xp.array({indptr}, {index!r})"
        return f"sp.{format}_{kind}(({data}, {parts}), {where})"

    def slice(self, n):
        ends = [self.one(("", str(self.below(2 * n + 3) - n - 1))) for _ in range(2)]
        step = self.one(("", "", ":2", ":-1", ":-2", ":3"))
        return f"{ends[0]}:{ends[1]}{step}"

    def index(self, n):
        kind = self.below(5)
        if kind == 0 and n:
            return str(self.below(2 * n) - n)
        if kind == 1:
            return f"xp.array({self.indices(n)}, 'l')"
        if kind == 2:
            return f"xp.array({[bool(self.below(2)) for _ in range(n)]}, '?')"
        return self.slice(n)

    def statement(self):
        names = self.arrays()
        if not names or self.below(5) == 0:
            return f"{self.fresh()} = {self.made()}"
        name = names[-1] if self.below(3) else self.one(names)
        draw = self.one(FAMILIES)
        return draw(self, name, self.side.names[name])


def usable(a):
    if not hasattr(a, "tocsr") or a.ndim > 2:
        return False
    x = a.data
    if a.ndim == 1 and not has_distinct_places(a):
        return False  # SciPy sums duplicates in memory that it shares
    return x.size < 200 and bool((abs(x.astype("D")) < LARGEST).all())


def has_distinct_places(a):
    return len(set(a.tocoo().coords[0].tolist())) == a.nnz


def unary(d, v, a):
    calls = [
        *(f".to{f}()" for f in FORMATS),
        *(".T.copy()", ".copy()", ".conj()", ".real.copy()", ".power(2)"),
        ".imag" if a.dtype.kind == "c" else ".conj()",  # else SciPy's is read-only
        ".tan()" if a.dtype.char in "ilfdFD" else ".sign()",
        *(".sign()", ".trunc()", ".transpose(copy=True)", ".astype('d')"),
        *(".astype('f')", ".astype('i')", ".astype('?')", ".astype('D')"),
        *(" * 2", " / 2", " * 0.5", " * -1", " * 0"),
    ]
    text = d.one(calls + [None, None])
    if text is None:
        calls = [f"-{v}", f"abs({v})"]
        if a.dtype != bool:  # which NumPy rounds to float16
            calls.append(f"round({v})")
        return f"{d.fresh()} = {d.one(calls)}"
    return f"{d.fresh()} = {v}{text}"


def binary(d, v, a):
    alike = d.arrays(lambda b: b.shape == a.shape)
    w = d.one(alike)
    if d.below(3) == 0 and a.ndim == 2:
        w = d.fresh()
        d.side.run(f"{w} = {d.made(a.shape)}")
        return (
            f"{w} = {d.made(a.shape)}; {d.fresh()} = {v} {d.one(('+', '-', '!='))} {w}"
        )
    # A quotient is of the dtype of the first operand in SciPy, of both here.
    b = d.side.names[w]
    quotients = [f"{v} / {w}"] if np.result_type(a.dtype, b.dtype) == a.dtype else []
    text = d.one(
        [
            *quotients,
            *(f"{v} {o} {w}" for o in ("+", "-", "!=", "<", ">", "==", "<=", ">=")),
            *(f"{v}.{f}({w})" for f in ("multiply", "maximum", "minimum")),
        ]
    )
    return f"{d.fresh()} = {text}"


def broadcast(d, v, a):
    if a.ndim != 2:
        return unary(d, v, a)
    rows, columns = a.shape
    shape = d.one([(1, columns), (rows, 1), (1, 1), (rows, columns)])
    if d.below(2):
        other = d.made(shape)
        return f"{d.fresh()} = {v}.multiply({other})"
    other = d.dense(shape)
    call = d.one(("{} + {}", "{} - {}", "{}.multiply({})", "{} < {}", "{}.maximum({})"))
    return call.format(v, other)


def scalar(d, v, a):
    x = d.one((-1, 0, 1, 2, 0.5))
    op = d.one(("<", ">", "<=", ">=", "==", "!="))
    text = d.one(
        (
            f"{v} {op} {x}",
            f"{v}.maximum({x})",
            f"{v}.minimum({x})",
            f"{v}.multiply({x})",
        )
    )
    return f"{d.fresh()} = {text}"


def product(d, v, a):
    n = a.shape[-1]
    fits = d.arrays(lambda b: b.ndim == 2 and b.shape[0] == n)
    kind = d.below(4)
    if kind == 0 and fits:
        return f"{d.fresh()} = {v} @ {d.one(fits)}"
    if kind == 1 and a.shape[0] != 1:  # of one row of coo SciPy makes a scalar
        return f"{v} @ {d.dense((n,))}"
    if kind == 2 and a.ndim == 2:
        return f"{d.dense((3, a.shape[0]))} @ {v}"
    return f"{v} @ {d.dense((n, d.below(4)))}"


def indexed(d, v, a):
    if a.format == "coo":
        return unary(d, v, a)
    keys = [d.index(n) for n in a.shape]
    if a.ndim == 1 or any(
        "array" in k for k in keys
    ):  # of arrays and steps SciPy makes points
        keys = [":" if k.count(":") > 1 else k for k in keys]
    if a.ndim == 2 and d.below(3) == 0:
        keys = keys[:1]
    return f"{d.fresh()} = {v}[{', '.join(keys)}]"


def assigned(d, v, a):
    if a.format == "coo" or 0 in a.shape:
        return in_place(d, v, a)
    keys = [
        d.one((str(d.below(2 * n) - n), d.slice(n), f"xp.array({d.indices(n)}, 'l')"))
        for n in a.shape
    ]
    return f"{v}[{', '.join(keys)}] = {d.value(a.dtype)}"


def in_place(d, v, a):
    calls = [f"{v} *= {d.value(a.dtype)}", f"{v}.sum_duplicates()"]
    # Of duplicates of which one is zero it depends on what SciPy has summed before.
    calls.append(f"{v}.sum_duplicates(); {v}.eliminate_zeros()")
    if a.format != "coo":
        calls += [f"{v}.sort_indices()", f"{v}.sorted_indices()"]
    if a.ndim == 2 and 0 not in a.shape:
        k = d.below(sum(a.shape) - 1) - a.shape[0] + 1
        calls += [f"{v}.setdiag({d.value(a.dtype)}, {k})"] * 2
        shape = tuple(1 + d.below(n + 2) for n in a.shape)
        calls.append(f"{v}.resize({shape})")
    return d.one(calls)


def reduced(d, v, a):
    if 0 in a.shape:  # SciPy's mean of nothing is an error of Python's division
        return f"{v}.sum()"
    name = d.one(
        ("sum", "mean", "max", "min", "argmax", "argmin", "nanmax", "nanmin")
        + ("count_nonzero", "sum")
    )
    axis = d.one(("", "axis=0", "axis=1", "axis=-1"))
    if a.ndim == 1:
        axis = ""
    can_be_explicit = name not in ("sum", "mean", "count_nonzero")
    if name[:3] == "arg" and not axis:  # SciPy's is a place in `data`
        can_be_explicit = False
    if can_be_explicit and d.below(3) == 0:
        axis += (", " if axis else "") + "explicit=True"
    return f"{v}.{name}({axis})"


def shown(d, v, a):
    if a.ndim != 2:
        return f"{v}.toarray()"
    k = d.below(sum(a.shape) + 1) - a.shape[0]
    n = int(np.prod(a.shape))
    shapes = [(m, n // m) for m in range(1, n + 1) if n % m == 0] or [a.shape]
    return d.one(
        (
            f"{v}.toarray()",
            f"{v}.diagonal({k})",
            f"{v}.trace()",
            f"{v}.sum_duplicates(); {v}.nonzero()[0].sum()",
            f"{d.fresh()} = {v}.reshape({d.one(shapes)}, copy=True)",
            f"{d.fresh()} = {v}.reshape({d.one(shapes)}, order='F', copy=True)",
        )
    )


FAMILIES = (
    *(unary, binary, binary, broadcast, scalar, product, indexed, indexed),
    *(assigned, in_place, reduced, reduced, shown),
)


def program(seed, number):
    """The statements of a program."""
    ours = sides()[0]
    d = Draw(np.random.default_rng([seed, number]), ours)
    statements = []
    for _ in range(STATEMENTS):
        statement = d.statement()
        statements += statement.split("; ")
        for each in statement.split("; "):
            ours.run(each)
    return statements


# ---- comparison ----------------------------------------------------------------------


def on_host(x):
    return x.get() if hasattr(x, "get") else x


def difference(a, b):
    """What differs between a value of SciPy's and ours; None where nothing does."""
    if any(x is None or isinstance(x, type) for x in (a, b)):
        return None if a is b else f"{a} and {b}"
    if isinstance(a, tuple):
        found = [difference(x, y) for x, y in zip(a, b, strict=True)]
        return next((f for f in found if f), None)
    if hasattr(a, "tocsr"):
        return sparse_difference(a, b)
    if hasattr(b, "tocsr"):
        return f"{type(a)} and {type(b)}"
    # Counts are of int32 or int64 in SciPy by what it happens to count.
    return dense_difference(np.asarray(a), np.asarray(on_host(b)), loose=True)


def sparse_difference(a, b):
    # Of a product with one axis that stores nothing SciPy makes csr, of others coo.
    if type(a).__name__ != type(b).__name__ and a.ndim > 1:
        return f"{type(a)} and {type(b)}"
    for name in ("shape", "dtype"):
        x, y = getattr(a, name), getattr(b, name)
        if x != y:
            return f"{name} {x} and {y}"
    x, y = distinct(a), distinct(b)
    if x != y:
        return f"{x} and {y} distinct places"
    for name in ("indices", "indptr"):
        if hasattr(b, name) and getattr(b, name).dtype.kind != "i":
            return f"{name} of {getattr(b, name).dtype}"
    with np.errstate(all="ignore"):
        return dense_difference(a.toarray(), b.toarray().get())


def distinct(a):
    """Stored elements that share no place: SciPy sums duplicates where it suits."""
    a = a.copy()
    a.sum_duplicates()
    return a.nnz


def dense_difference(a, b, loose=False):
    if a.shape != b.shape:
        return f"shape {a.shape} and {b.shape}"
    if a.dtype != b.dtype and not (a.dtype.kind == b.dtype.kind == "i" and loose):
        return f"dtype {a.dtype} and {b.dtype}"
    exact = a.dtype.kind in "biu"
    tolerance = 1e-4  # of float32, of which a float64 may be made
    equal = (a == b) if exact else np.isclose(a, b, tolerance, tolerance, True)
    return None if np.all(equal) else f"{a.tolist()}\nand {b.tolist()}"


def touched(statement):
    """The array that a statement gives or changes."""
    if is_expression(statement) and not any(f".{c}(" in statement for c in CHANGES):
        return None  # SciPy sums duplicates in place wherever it suits
    target = statement.partition(" ")[0].partition(".")[0].partition("[")[0]
    return target if target[:1] == "v" and target[1:].isdigit() else None


def check(statements):
    """(number, what differs) of the first statement that differs, or None."""
    theirs, ours = sides()
    for k, statement in enumerate(statements):
        found = difference(theirs.run(statement), ours.run(statement))
        name = touched(statement)
        if found is None and name in theirs.names:
            found = (
                difference(theirs.names[name], ours.names[name])
                if name in ours.names
                else "an error"
            )
        if found:
            return k, found
    return None


def shrunk(statements):
    """As few statements as differ in the end."""
    found = check(statements)
    statements = statements[: found[0] + 1]
    for k in reversed(range(len(statements) - 1)):
        fewer = statements[:k] + statements[k + 1 :]
        try:
            other = check(fewer)
        except Exception:
            continue
        if other and other[0] == len(fewer) - 1:
            statements, found = fewer, other
    return statements, found[1]


def fuzz(seed, start, count, show=print):
    """Run programs; returns how many differ."""
    failed = 0
    for number in range(start, start + count):
        statements = program(seed, number)
        try:
            found = check(statements)
            if found is None:
                continue
            statements, text = shrunk(statements)
        except Exception:
            text = traceback.format_exc(limit=-4)
        failed += 1
        show(f"# program {number} of seed {seed}")
        show("\n".join(statements))
        show(f"# {text}\n")
    return failed


def fuzz_all(given):
    """What `python -m tests.fuzz --family sparse` does, by its options."""
    print(f"seed {given.seed}", flush=True)
    if given.only is not None:
        print("\n".join(program(given.seed, given.only)))
    first, n = (given.start, given.programs) if given.only is None else (given.only, 1)
    failed = done = 0
    end = time.monotonic() + given.seconds
    while time.monotonic() < end if given.seconds else done < n:
        count = 100 if given.seconds else min(100, n - done)
        failed += fuzz(given.seed, first + done, count)
        done += count
    print(f"{done} programs, {failed} differ")
    return failed
