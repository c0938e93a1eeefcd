"""Drawing the arguments of a call. Each word of the table of calls is a function here.

A function takes the program in the making and returns source; what it needs of earlier
arguments it finds in `d.first`, the array drawn first, and `d.text`, the call so far.
"""

import re

import numpy as np

from . import indices, values

KINDS = {}
OFTEN_RIGHT = 0.93  # how often an argument is one that the call takes


def kind(function):
    KINDS[function.__name__.removesuffix("_")] = function
    return function


def argument(d, word):
    """The source of an argument drawn as `word` says."""
    if word in KINDS:
        return KINDS[word](d)
    if "|" in word:
        return _constant(d.one(word.split("|")))
    if word[0] == "'" or word.isdigit() or word in ("True", "False", "None"):
        return word
    raise KeyError(f"the table of calls has {word!r}, which draw.py does not know")


def _constant(text):
    plain = text in ("None", "True", "False") or not re.fullmatch(r"[A-Za-z]\w*", text)
    return text if plain else repr(text)


# ---- arrays --------------------------------------------------------------------------


def _take(d, accepts=None, make=None, viewed=0.3):
    """An array of which `accepts` is true, alive or new, as (source, NumPy's array)."""
    if accepts and d.chance(1 - OFTEN_RIGHT):
        accepts = None
    found = [(n, x) for n, x in d.live.items() if accepts is None or accepts(x)]
    if found and d.chance(0.85):
        near = len(found) - 1 - int(len(found) * d.random() ** 1.5)
        text, x = found[near]
    else:
        text = make() if make else d.new()
        x = d.live[text]
    if d.chance(viewed):
        view = indices.view(d.rng, x.ndim)
        seen = d.evaluate(text + view)
        if isinstance(seen, np.ndarray) and (accepts is None or accepts(seen)):
            text, x = text + view, seen
    if d.first is d.nothing:
        d.first = x
    return text, x


def _of_codes(d, codes):
    dtypes = {values.DTYPES[c] for c in codes}

    def make():
        return d.new(dtype=d.one(list(codes)))

    return _take(d, lambda x: x.dtype in dtypes, make)[0]


@kind
def x(d):
    return _take(d)[0]


@kind
def xi(d):
    """Of integers, or bool."""
    return _of_codes(d, "?bBhHiIlLqQ")


@kind
def xf(d):
    """Of floating or complex numbers."""
    return _of_codes(d, "efdfdFD")


@kind
def xr(d):
    """Of real numbers."""
    return _of_codes(d, "bBhHiIlLqQefdfd")


@kind
def xc(d):
    return _of_codes(d, "FD")


@kind
def xb(d):
    return _of_codes(d, "?")


@kind
def x1(d):
    """Of one dimension."""
    return _take(d, lambda a: a.ndim == 1, lambda: d.new((d.below(9),)))[0]


@kind
def x2(d):
    def make():
        return d.new((d.below(6), d.below(6)))

    return _take(d, lambda a: a.ndim == 2, make)[0]


@kind
def some(d):
    """With at least one element and one dimension."""
    return _take(d, lambda a: a.ndim > 0 and a.size > 0)[0]


@kind
def name(d):
    """A variable: what can be assigned to."""
    found = [n for n, x in d.live.items() if "[" not in n and x.flags.writeable]
    text = d.one(found) if found else d.new()
    d.first = d.live[text]
    return text


@kind
def target(d):
    """A view that can be written to."""
    return _take(d, lambda a: a.flags.writeable)[0]


@kind
def y(d):
    """An operand beside the first: an array that broadcasts with it, or a scalar."""
    return operand(d, d.first.shape, values.CODES)


@kind
def yi(d):
    return operand(d, d.first.shape, "?bBhHiIlLqQ")


@kind
def yr(d):
    return operand(d, d.first.shape, "bBhHiIlLqQefd")


def operand(d, shape, codes):
    if d.chance(0.3):
        return scalar(d)
    return beside(d, shape, codes)


def beside(d, shape, codes):
    """An array that broadcasts with `shape`."""
    dtypes = {values.DTYPES[c] for c in codes}

    def fits(a):
        n = min(a.ndim, len(shape))
        same = zip(a.shape[a.ndim - n :], shape[len(shape) - n :], strict=True)
        return a.dtype in dtypes and all(i == j or i == 1 or j == 1 for i, j in same)

    def make():
        return d.new(indices.broadcastable(d.rng, shape), d.one(codes))

    return _take(d, fits, make)[0]


@kind
def same(d):
    """An array of the first one's shape."""
    shape = d.first.shape
    return _take(d, lambda a: a.shape == shape, lambda: d.new(shape))[0]


@kind
def mask(d):
    shape = d.first.shape
    made = indices.broadcastable(d.rng, shape)

    def make():
        return d.new(made, "?")

    if d.chance(0.05):
        return d.one(["True", "False"])
    return _take(d, lambda a: a.dtype == bool and a.shape == made, make)[0]


@kind
def several(d):
    """A list of arrays that can be joined or stacked."""
    text, a = _take(d)
    parts = [text]
    for _ in range(d.below(3)):
        found, _ = _take(d, lambda b: b.shape == a.shape, lambda: d.new(a.shape))
        parts.append(found)
    return d.one(["[{}]", "({},)"]).format(", ".join(parts))


@kind
def sorted1(d):
    """A sorted array of one dimension."""
    return f"xp.sort({x1(d)})"


# ---- scalars and choices -------------------------------------------------------------


@kind
def scalar(d):
    return values.scalar(d.rng)


@kind
def small(d):
    return str(d.below(6) - 1)


@kind
def count(d):
    return str(d.below(5))


@kind
def number(d):
    return d.one(["0", "1", "2", "-1", "0.5", "3", "1.5", "100"])


@kind
def flag(d):
    return d.one(["True", "True", "False"])


@kind
def dtype(d):
    return indices.dtype_text(d.rng)


@kind
def casting(d):
    return repr(d.one(["no", "equiv", "safe", "same_kind", "unsafe", "unsafe"]))


@kind
def order(d):
    return repr(d.one("CFAK"))


@kind
def axis(d):
    return repr(indices.axis(d.rng, d.first.ndim))


@kind
def axes(d):
    return repr(indices.axes(d.rng, d.first.ndim))


@kind
def perm(d):
    axes_ = list(range(d.first.ndim))
    d.rng.shuffle(axes_)
    return repr(tuple(a - d.first.ndim if d.chance(0.2) else a for a in axes_))


@kind
def shape(d):
    return repr(indices.shape(d.rng))


@kind
def reshaped(d):
    """A shape that the first array can take, one length left open at times."""
    dims = list(indices.split_of(d.rng, d.first.size))
    if d.chance(0.3):
        dims[d.below(len(dims))] = -1
    return repr(tuple(dims))


@kind
def larger(d):
    """A shape that the first array broadcasts to."""
    dims = [d.below(4) if n == 1 else n for n in d.first.shape]
    return repr(tuple([d.below(4) for _ in range(d.below(3))] + dims))


@kind
def places(d):
    """Where to cut, or the first of each segment."""
    n = d.first.shape[0] if d.first.ndim else 1
    return repr([d.below(n + 1) for _ in range(1 + d.below(3))])


@kind
def index(d):
    return indices.index(d.rng, d.first.shape)


@kind
def read(d):
    """An array and an index of it."""
    text, a = _take(d)
    return f"{text}[{indices.index(d.rng, a.shape)}]"


@kind
def place(d):
    """A place in an array that can be assigned to."""
    text, a = _take(d, lambda a: a.flags.writeable)
    text = f"{text}[{indices.index(d.rng, a.shape)}]"
    seen = d.evaluate(text)
    d.first = np.asarray(seen) if seen is not None else a
    return text


@kind
def numbers(d):
    """A NumPy array, where the device takes one."""
    made = values.array(d.rng, d.first.shape, values.DTYPES[d.one("bilfd")], False)
    return values.array_literal(made).replace("xp.", "np.")


@kind
def numbers_as(d):
    """A NumPy array as the first array is."""
    made = values.array(d.rng, d.first.shape, d.first.dtype, False)
    return values.array_literal(made).replace("xp.", "np.")


@kind
def numbers0(d):
    made = values.array(d.rng, (1,), values.DTYPES[d.one("bilfd")], False)
    return values.array_literal(made).replace("xp.", "np.")


@kind
def within(d):
    """Integers that index the first array's elements, or an axis of it."""
    n = max(d.first.size, 1)
    items = [d.below(2 * n) - n for _ in range(1 + d.below(5))]
    return f"xp.array({items!r})"


@kind
def within0(d):
    """Integers that index the first axis."""
    n = d.first.shape[0] if d.first.ndim else 1
    items = [d.below(2 * n) - n for _ in range(1 + d.below(5))] if n else []
    return f"xp.array({items!r}, 'l')"


@kind
def places0(d):
    """Integers along the first axis, one for each line of the first array."""
    n = d.first.shape[0] if d.first.ndim else 1
    shape = (d.below(3), *d.first.shape[1:])
    data = np.array([d.below(2 * n) - n for _ in range(int(np.prod(shape)))], "l")
    return d.given(data.reshape(shape))


@kind
def mask_of(d):
    shape = d.first.shape
    fits = lambda a: a.dtype == bool and a.shape == shape  # noqa: E731
    return _take(d, fits, lambda: d.new(shape, "?"))[0]


@kind
def numbers_of(d):
    return d.new((1 + d.below(4),), d.first.dtype)


@kind
def dims(d):
    return d.one(["(5, 10)", "(50,)", "(2, 5, 5)"])


@kind
def coordinates(d):
    shape = (1 + d.below(4),)
    return f"({d.new(shape, 'l')}, {d.new(shape, 'b')})"


@kind
def indices1(d):
    return d.one(["[0, 2]", "[True, False, True]", "xp.array([1, 0])", "[]"])


@kind
def sorted1r(d):
    """Increasing numbers, always as many."""
    return d.given(
        np.cumsum(values.array(d.rng, (4,), values.DTYPES["B"], False) + 1.0)
    )


@kind
def npdtype(d):
    return f"np.dtype({dtype(d)})"


@kind
def shape1(d):
    return repr(indices.shape(d.rng) or (2,))


@kind
def corder(d):
    return d.one(["'C'", "'F'"])


@kind
def positive(d):
    return d.one(["1", "2", "0.5", "100"])


@kind
def one(d):
    """An array of one element."""
    return _take(d, lambda a: a.size == 1, lambda: d.new((1,)))[0]


@kind
def axis1(d):
    return f"({axis(d)},)"


@kind
def mask1(d):
    """Which elements of some axis to keep."""
    return repr([d.chance(0.5) for _ in range(d.below(4))])


@kind
def choice(d):
    return d.new(d.one([(), (3,), (2, 3)]), "l") + " % 2"


@kind
def keys(d):
    return f"xp.stack(({x1(d)},) * 2)" if d.chance(0.2) else _take(d, _two_axes)[0]


def _two_axes(a):
    return a.ndim == 2 and a.shape[0] > 0


@kind
def naturals(d):
    return f"xp.abs({_of_codes(d, 'bhil')}).astype('i2') % 50"


@kind
def section(d):
    return d.one([str(1 + d.below(3)), places(d)])


@kind
def reps(d):
    return repr(d.one([2, (1, 2), (2, 1, 1), 0, (2, 2), 1, 3]))


@kind
def width(d):
    one = (d.below(3), d.below(3))
    return repr(d.one([1, 2, one, (one,) * d.first.ndim]))


@kind
def percent(d):
    return d.one(["50", "25", "[10, 90]", "0", "100", "33.3", "(0, 50, 100)"])


@kind
def fraction(d):
    return d.one(["0.5", "0.25", "[0.1, 0.9]", "0", "1", "0.333"])


# ---- operands of products ------------------------------------------------------------


@kind
def xm(d):
    return _take(d, lambda a: a.ndim > 0 and a.size < 300)[0]


@kind
def ym(d):
    """The right operand of a matrix product."""
    n = d.first.shape[-1] if d.first.ndim else 1
    lead = d.first.shape[:-2]
    shape = d.one([(n,), (n, d.below(5)), (n, d.below(5)), (*lead, n, d.below(4))])

    def fits(a):
        return a.ndim and a.shape[max(a.ndim - 2, 0)] == n and a.ndim < 3

    return _take(d, fits, lambda: d.new(shape))[0]


@kind
def yd(d):
    n = d.first.shape[-1] if d.first.ndim else 1
    return d.new(d.one([(n,), (n, d.below(5)), (2, n, 2)]))


@kind
def yl(d):
    n = d.first.shape[-1] if d.first.ndim else 1
    return _take(d, lambda a: a.ndim and a.shape[-1] == n, lambda: d.new((2, n)))[0]


@kind
def x3(d):
    return _first(d, d.new(d.one([(3,), (2, 3), (4, 3)])))


def _first(d, name):
    d.first = d.live[name] if d.first is d.nothing else d.first
    return name


@kind
def some1(d):
    return _take(d, lambda a: a.ndim == 1 and a.size, lambda: d.new((1 + d.below(8),)))[
        0
    ]


@kind
def square(d):
    """Matrices that are far from singular."""
    n = d.below(5)
    shape = d.one([(n, n), (n, n), (2, n, n)])
    dtype = values.DTYPES[d.one("fdFDd")]
    data = values.array(d.rng, shape, dtype, False)
    d.first = data = data + (40 * np.eye(n)).astype(dtype)
    return d.given(data)


@kind
def square0(d):
    """One such matrix."""
    n = 1 + d.below(4)
    data = values.array(d.rng, (n, n), values.DTYPES[d.one("fd")], False)
    d.first = data = data + (40 * np.eye(n)).astype(data.dtype)
    return d.given(data)


@kind
def definite(d):
    """A matrix that is symmetric and positive definite."""
    n = d.below(5)
    data = values.array(d.rng, (n, n), values.DTYPES[d.one("fd")], False)
    d.first = data = data + data.T + (90 * np.eye(n)).astype(data.dtype)
    return d.given(data)


@kind
def mx(d):
    return _take(d, lambda a: a.ndim > 1, lambda: d.new((2, d.below(4))))[0]


@kind
def last(d):
    """A vector as long as the last axis of the first array."""
    n = d.first.shape[-1] if d.first.ndim else 1
    return _take(d, lambda a: a.shape == (n,), lambda: d.new((n,)))[0]


@kind
def x1s(d):
    return _take(d, lambda a: a.ndim == 1, lambda: d.new((d.below(5),)))[0]


@kind
def matrix_of(d):
    return d.new((d.first.shape[-1] if d.first.ndim else 1, d.below(4)))


@kind
def vector(d):
    return d.new((d.first.shape[0],), d.one("fd"))


@kind
def rhs(d):
    n = d.first.shape[-1]
    shape = d.one([(n, 2), (n, 1), (n, 3)])
    return d.given(values.array(d.rng, shape, values.DTYPES[d.one("fd")], False))


_EINSUMS = ["ij->ji", "ii->i", "ii", "ij->", "ij->j", "...i->...", "i,i", "i,j->ij"]
_EINSUMS += ["ij,jk->ik", "ij,kj", "bij,bjk->bik", "ij,j", "ij,ij->i", "i...,i...->..."]
_EINSUMS += ["ij,jk,kl->il", "i,j,k->kji", "ji,jk->ki", "ab,ab,ab->", "i,->i"]


@kind
def einsum(d):
    """Subscripts and operands that fit."""
    subscripts = d.one(_EINSUMS)
    lengths = {}
    operands = []
    for term in subscripts.partition("->")[0].split(","):
        letters = term.replace("...", "")
        shape = tuple(lengths.setdefault(c, d.below(5)) for c in letters)
        shape = (*shape, 3) if "..." in term else shape
        found = [n for n, x in d.live.items() if x.shape == shape and shape]
        operands.append(d.one(found) if found and d.chance(0.6) else d.new(shape))
    return ", ".join([repr(subscripts), *operands])


# ---- keywords that belong together ---------------------------------------------------


# np.less(int16 array, -(2**63), out=int8 array) crashes NumPy 2.4.
_COMPARES_NUMBER = re.compile(r"xp\.(less|greater|equal|not_equal)\w*\(.*, -?\d+$")


@kind
def ufunc(d):
    """The keywords of a ufunc: out=, where=, dtype=, casting=, order=."""
    parts = []
    if d.chance(0.15):
        parts.append(f"dtype={dtype(d)}")
    if d.chance(0.1):
        parts.append(f"casting={casting(d)}")
    if d.chance(0.05):
        parts.append(f"order={order(d)}")
    given = "".join(f", {p}" for p in parts)
    crashes = _COMPARES_NUMBER.match(d.text)
    found = not crashes and d.chance(0.35) and out_of(d, f"{d.text}{given})")
    if found:
        given += f", out={found}"
        if d.chance(0.4):
            given += f", where={mask(d)}"
    return given


@kind
def out(d):
    found = d.chance(0.2) and out_of(d, f"{d.text})")
    return f", out={found}" if found else ""


def out_of(d, call):
    """Where the result of `call` could go, or "" where there is none."""
    result = d.evaluate(call)
    if isinstance(result, tuple):
        parts = [d.new(r.shape, r.dtype) for r in result]
        return f"({', '.join(parts)})" if parts else ""
    if not isinstance(result, np.ndarray | np.generic):
        return ""
    return _out_like(d, result)


def _out_like(d, result):
    shape = result.shape if d.chance(0.97) else indices.shape(d.rng)
    found = [n for n, x in d.live.items() if x.shape == shape and x.flags.writeable]
    if found and d.chance(0.4):
        return d.one(found)
    dtype = result.dtype
    if dtype not in values.TAME or d.chance(0.3):
        dtype = values.DTYPES[d.one(values.CODES)]
    if shape and d.chance(0.3):
        if d.chance(0.5):
            return d.new((*shape[:-1], 2 * shape[-1]), dtype) + "[..., ::2]"
        return d.new(shape, dtype) + "[..., ::-1]"
    if len(shape) > 1 and d.chance(0.2):
        return d.new(shape[::-1], dtype) + ".T"
    return d.new(shape, dtype)
