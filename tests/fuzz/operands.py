"""Drawing operands that have to fit: of products, of linear algebra, and out=."""

import re

import numpy as np

from . import indices, values
from .choices import casting, dtype, order
from .draw import first_of, kind, mask, take


@kind
def xm(d):
    return take(d, lambda a: a.ndim > 0 and a.size < 300)[0]


@kind
def ym(d):
    """The right operand of a matrix product."""
    n = d.first.shape[-1] if d.first.ndim else 1
    lead = d.first.shape[:-2]
    shape = d.one([(n,), (n, d.below(5)), (n, d.below(5)), (*lead, n, d.below(4))])

    def fits(a):
        return a.ndim and a.shape[max(a.ndim - 2, 0)] == n and a.ndim < 3

    return take(d, fits, lambda: d.new(shape))[0]


@kind
def yd(d):
    n = d.first.shape[-1] if d.first.ndim else 1
    return d.new(d.one([(n,), (n, d.below(5)), (2, n, 2)]))


@kind
def yl(d):
    n = d.first.shape[-1] if d.first.ndim else 1
    return take(d, lambda a: a.ndim and a.shape[-1] == n, lambda: d.new((2, n)))[0]


@kind
def x3(d):
    return first_of(d, d.new(d.one([(3,), (2, 3), (4, 3)])))


@kind
def some1(d):
    return take(d, lambda a: a.ndim == 1 and a.size, lambda: d.new((1 + d.below(8),)))[
        0
    ]


@kind
def square(d):
    """Matrices that are far from singular."""
    n = d.below(5)
    shape = d.one([(n, n), (n, n), (2, n, n)])
    dtype = values.DTYPES[d.code("fdFDd")]
    data = values.array(d.rng, shape, dtype, False)
    d.first = data = data + (40 * np.eye(n)).astype(dtype)
    return d.given(data)


@kind
def square0(d):
    """One such matrix."""
    n = 1 + d.below(4)
    data = values.array(d.rng, (n, n), values.DTYPES[d.code("fd")], False)
    d.first = data = data + (40 * np.eye(n)).astype(data.dtype)
    return d.given(data)


@kind
def definite(d):
    """A matrix that is symmetric and positive definite."""
    n = d.below(5)
    data = values.array(d.rng, (n, n), values.DTYPES[d.code("fd")], False)
    d.first = data = data + data.T + (90 * np.eye(n)).astype(data.dtype)
    return d.given(data)


@kind
def mx(d):
    return take(d, lambda a: a.ndim > 1, lambda: d.new((2, d.below(4))))[0]


@kind
def last(d):
    """A vector as long as the last axis of the first array."""
    n = d.first.shape[-1] if d.first.ndim else 1
    return take(d, lambda a: a.shape == (n,), lambda: d.new((n,)))[0]


@kind
def shorter(d):
    """A vector that is one shorter than the first."""
    n = d.first.shape[-1] - 1 if d.first.ndim else 0
    return d.given(
        values.array(d.rng, (max(n, 0),), values.DTYPES[d.code("fd")], False)
    )


@kind
def divisor(d):
    """The coefficients of a polynomial."""
    data = values.array(d.rng, (d.below(7),), values.DTYPES[d.code("fdFD")], False)
    return d.given(data + np.asarray(40, data.dtype))


@kind
def x1s(d):
    return take(d, lambda a: a.ndim == 1, lambda: d.new((d.below(5),)))[0]


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
    return d.given(values.array(d.rng, shape, values.DTYPES[d.code("fd")], False))


@kind
def rhs_of(d):
    """A matrix of as many columns as the first."""
    shape = (1 + d.below(3), d.first.shape[-1])
    return d.given(values.array(d.rng, shape, values.DTYPES[d.code("fd")], False))


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


# np.add.accumulate(ones(3), out=array(0.0)) crashes NumPy 2.5.
_SCANS = re.compile(r"cum\w+\(|accumulate\(")
_MOST = 1 << 20  # elements of an array that is drawn for a result, of a broadcast one


def out_of(d, call):
    """Where the result of `call` could go, or "" where there is none."""
    result = d.evaluate(call)
    if isinstance(result, tuple):
        parts = [d.new(r.shape, r.dtype) for r in result]
        return f"({', '.join(parts)})" if parts else ""
    if not isinstance(result, np.ndarray | np.generic) or result.size > _MOST:
        return ""
    return _out_like(d, result)


def _out_like(d, result):
    shape = result.shape if d.chance(0.97) else indices.shape(d.rng)
    if not shape and result.ndim == 1 and _SCANS.search(d.text):
        shape = result.shape
    found = [n for n, x in d.live.items() if x.shape == shape and x.flags.writeable]
    if found and d.chance(0.4):
        return d.one(found)
    dtype = result.dtype
    if dtype not in values.TAME or d.chance(0.3):
        dtype = values.DTYPES[d.code(values.CODES)]
    if shape and d.chance(0.3):
        if d.chance(0.5):
            return d.new((*shape[:-1], 2 * shape[-1]), dtype) + "[..., ::2]"
        return d.new(shape, dtype) + "[..., ::-1]"
    if len(shape) > 1 and d.chance(0.2):
        return d.new(shape[::-1], dtype) + ".T"
    return d.new(shape, dtype)
