"""Drawing the arguments of a call: arrays. Each word of the table is a function
here, in choices.py or in operands.py.

A function takes the program in the making and returns source; what it needs of earlier
arguments it finds in `d.first`, the array drawn first, and `d.text`, the call so far.
"""

import collections
import math
import re

import numpy as np

from . import indices, values

KINDS = {}
OFTEN_RIGHT = 0.93  # how often an argument is one that the call takes


def kind(function):
    name = function.__name__.removesuffix("_")
    assert name not in KINDS, f"there is a kind {name!r} already"
    KINDS[name] = function
    return function


_THEMSELVES = ("True", "False", "None", "float")


def argument(d, word):
    """The source of an argument drawn as `word` says."""
    if word in d.kinds:
        return d.kinds[word](d)
    if "|" in word:
        return _constant(d.one(word.split("|")))
    if (
        word[0] == "'"
        or word in _THEMSELVES
        or re.match(r"(xp|ndimage|slinalg|np)\.|-?\d+$", word)
    ):
        return word
    raise KeyError(f"the table of calls has {word!r}, which draw.py does not know")


def _constant(text):
    plain = text in ("None", "True", "False") or not re.fullmatch(r"[A-Za-z]\w*", text)
    return text if plain else repr(text)


def take(d, accepts=None, make=None):
    """An array of which `accepts` is true, alive or new, as (source, NumPy's array)."""
    if accepts and d.chance(1 - OFTEN_RIGHT):
        accepts = None
    found = [(n, x) for n, x in d.candidates() if accepts is None or accepts(x)]
    if found and d.chance(0.85):
        near = len(found) - 1 - int(len(found) * d.random() ** 1.5)
        text, x = found[near]
    else:
        text = make() if make else d.new()
        x = d.live[text]
    if d.chance(d.viewed):
        view, seen = d.view(text, x)
        if isinstance(seen, np.ndarray) and (accepts is None or accepts(seen)):
            text, x = view, seen
    if d.first is d.nothing:
        d.first = x
    return text, x


def of_codes(d, codes):
    dtypes = {values.DTYPES[c] for c in codes}

    def make():
        return d.new(dtype=d.code(codes))

    return take(d, lambda x: x.dtype in dtypes, make)[0]


@kind
def x(d):
    return take(d)[0]


@kind
def xi(d):
    """Of integers, or bool."""
    return of_codes(d, "?bBhHiIlLqQ")


@kind
def xf(d):
    """Of floating or complex numbers."""
    return of_codes(d, "efdfdFD")


@kind
def xfd(d):
    """Of float32 or float64."""
    return of_codes(d, "fd")


@kind
def xr(d):
    """Of real numbers."""
    return of_codes(d, "bBhHiIlLqQefdfd")


@kind
def xc(d):
    return of_codes(d, "FD")


@kind
def xb(d):
    return of_codes(d, "?")


@kind
def x1(d):
    """Of one dimension."""
    return take(d, lambda a: a.ndim == 1, lambda: d.new((d.below(9),)))[0]


@kind
def x2(d):
    def make():
        return d.new((d.below(6), d.below(6)))

    return take(d, lambda a: a.ndim == 2, make)[0]


@kind
def x1f(d):
    """Of one dimension, and of NumPy's own floating dtypes."""
    return first_of(d, d.new((d.below(9),), d.code("efdFD")))


@kind
def some(d):
    """With at least one element and one dimension."""
    return take(d, lambda a: a.ndim > 0 and a.size > 0)[0]


@kind
def name(d):
    """A variable: what can be assigned to."""
    found = [n for n, x in d.live.items() if "[" not in n and x.flags.writeable]
    text = d.one(found) if found else d.new()
    d.first = d.live[text]
    return text


def _place(x):
    """What two names of one array have in common."""
    return x.__array_interface__["data"][0], x.shape, x.strides, x.dtype.str


@kind
def unshared(d):
    """A variable whose array no other names: squeeze, say, may return its operand, and
    what makes an int64 of a `long long` there returns it here."""
    places = collections.Counter(_place(x) for x in d.live.values())
    found = [n for n, x in d.live.items() if "[" not in n and places[_place(x)] == 1]
    text = d.one(found) if found else d.new()
    d.first = d.live[text]
    return text


@kind
def target(d):
    """A view that can be written to."""
    return take(d, lambda a: a.flags.writeable)[0]


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
        return values.scalar(d.rng, d.code(values.CODES))
    return beside(d, shape, codes)


def beside(d, shape, codes):
    """An array that broadcasts with `shape`."""
    dtypes = {values.DTYPES[c] for c in codes}

    def fits(a):
        n = min(a.ndim, len(shape))
        same = zip(a.shape[a.ndim - n :], shape[len(shape) - n :], strict=True)
        if a.dtype not in dtypes or not all(i == j or 1 in (i, j) for i, j in same):
            return False
        return math.prod(np.broadcast_shapes(a.shape, shape)) <= d.largest

    def make():
        return d.new(indices.broadcastable(d.rng, shape), d.code(codes))

    return take(d, fits, make)[0]


@kind
def yfd(d):
    return beside(d, d.first.shape, "fd")


@kind
def yc(d):
    return beside(d, d.first.shape, "FD")


_ORDERS = "bBhHiIlq"


@kind
def whole(d):
    """Small integers."""
    return f"({of_codes(d, _ORDERS)} % 7)"


@kind
def wholes(d):
    return f"({beside(d, d.first.shape, _ORDERS)} % 7)"


@kind
def same(d):
    """An array of the first one's shape."""
    shape = d.first.shape
    return take(d, lambda a: a.shape == shape, lambda: d.new(shape))[0]


@kind
def alike(d):
    """An array of the first one's dtype that broadcasts with it."""
    return d.new(indices.broadcastable(d.rng, d.first.shape), d.first.dtype)


@kind
def mask(d):
    shape = d.first.shape
    made = indices.broadcastable(d.rng, shape)

    def make():
        return d.new(made, "?")

    if d.chance(0.05):
        return d.one(["True", "False"])
    return take(d, lambda a: a.dtype == bool and a.shape == made, make)[0]


@kind
def several(d):
    """A list of arrays that can be joined or stacked."""
    text, a = take(d)
    parts = [text]
    for _ in range(d.below(3)):
        found, _ = take(d, lambda b: b.shape == a.shape, lambda: d.new(a.shape))
        parts.append(found)
    return d.one(["[{}]", "({},)"]).format(", ".join(parts))


@kind
def sorted1(d):
    """A sorted array of one dimension."""
    return f"xp.sort({x1(d)})"


def first_of(d, name):
    d.first = d.live[name] if d.first is d.nothing else d.first
    return name
