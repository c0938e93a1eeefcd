"""Einstein summation: parsed here, computed by products of matrices."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._manipulation._args import store_result
from cupric.linalg._products import as_arrays, sum_of_products

__all__ = [
    "einsum",
]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(*operands, out=None, dtype=None, casting="safe", order="K", optimize=False):
    """Sum of products over indices, by Einstein's convention.

    Parameters
    ----------
    *operands : str and cupric.ndarray
        Subscripts such as ``"ij,jk->ik"``, where ``...`` stands for the axes
        without a letter, then the arrays. Or the form with lists: ``einsum(a, [0,
        1], b, [1, 2], [0, 2])``.
    out : cupric.ndarray, optional
        Where the result goes.
    dtype : dtype, optional
        To compute in; the promoted dtype by default.
    casting : str, optional
        What `dtype` may do to the operands.
    order : {'C', 'F', 'A', 'K'}, optional
        Layout of the result.
    optimize : bool, 'greedy' or 'optimal', optional
        How to order the products of three and more operands (numpy.einsum_path).

    Returns
    -------
    cupric.ndarray
        A view where the result is one operand's diagonal or transpose.

    Examples
    --------
    >>> cp.einsum("ij,j->i", cp.array([[1, 2], [3, 4]]), cp.array([10, 1]))
    array([12, 34])
    """
    if dtype is None and out is None and order == "K":
        result = _at_once(*operands)
        if result is not NotImplemented:
            return result
    terms, target, arrays = _parse(operands)
    target_dtype = _result_dtype(arrays, dtype, casting)
    sizes = _sizes(terms, arrays)
    if dtype is not None or len(arrays) > 1:
        arrays = [a.astype(target_dtype, copy=False) for a in arrays]
    pairs = [_diagonal(t, a) for t, a in zip(terms, arrays, strict=True)]

    if len(pairs) > 2 and optimize is not False:
        path = _path(pairs, target, sizes, optimize)
    else:
        path = [(0, 1)] * (len(pairs) - 1)
    for step in path:
        taken = [pairs[i] for i in sorted(step, reverse=True)]
        pairs = [p for i, p in enumerate(pairs) if i not in step]
        while len(taken) > 1:
            rest = "".join(t for t, _ in pairs + taken[:-2]) + target
            taken[-2:] = [_contract(taken[-1], taken[-2], rest)]
        pairs.append(taken[0])
    term, array = pairs[0]
    result = _reduce_to(term, array, target, target_dtype)
    if out is not None:
        return store_result(result, out, casting)
    if order in ("C", "F"):
        return result.astype(result.dtype, order=order, copy=False)
    return result


def _at_once(subscripts=None, *arrays):
    """The result where one call of the core makes it; NotImplemented for the others."""
    if type(subscripts) is not str:
        return NotImplemented
    how, ndims = _one_call(subscripts)
    if how is None or len(arrays) != len(ndims):
        return NotImplemented
    for i, a in enumerate(arrays):
        if type(a) is not _core.ndarray or a.ndim != ndims[i]:
            return NotImplemented
        if a.dtype.kind not in "biufc":
            return NotImplemented
    return how(*arrays)


@functools.lru_cache(1024)
def _one_call(subscripts):
    """The function that computes this, if there is one, and the number of axes of each
    array. It gives NotImplemented for lengths that do not agree."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    return _by_terms(terms, arrow, right), [len(t) for t in terms]


def _by_terms(terms, arrow, right):
    every = "".join(terms)
    if not all(c in _LETTERS for c in every + right):
        return None
    if not arrow:
        right = "".join(sorted(c for c in set(every) if every.count(c) == 1))
    if len(set(right)) < len(right) or not set(right) <= set(every):
        return None
    if len(terms) == 1:
        return _of_one(terms[0], right)
    distinct = all(len(set(t)) == len(t) for t in terms)
    return _of_two(*terms, right) if len(terms) == 2 and distinct else None


def _of_one(term, target):
    if len(set(term)) == len(term):
        summed = tuple(i for i, c in enumerate(term) if c not in target)
        kept = [c for c in term if c in target]
        axes = [kept.index(c) for c in target]

        def of_distinct(a):
            if summed:
                a = a.sum(summed, a.dtype)
            return a.transpose(axes) if axes != sorted(axes) else a

        return of_distinct
    if len(term) == 2 and len(set(term)) == 1:

        def diagonal(a):
            if a.shape[0] != a.shape[1]:
                return NotImplemented
            return a.diagonal() if target else a.diagonal().sum(dtype=a.dtype)

        return diagonal
    return None


def _of_two(t1, t2, target):
    common = [c for c in t1 if c in t2]
    if set(target) == set(t1 + t2):
        return _without_sum(t1, t2, target)
    if len(common) != 1 or common[0] in target:
        if t1 != t2 or target != t1[:-1]:
            return None

        def along_last(a, b):
            if a.dtype != b.dtype or a.shape != b.shape:
                return NotImplemented
            real = a.dtype.kind == "f"
            return _core.vecdot(a, b) if real else sum_of_products(a, b)

        return along_last
    if max(len(t1), len(t2)) > 2:
        return None
    free1, free2 = t1.replace(common[0], ""), t2.replace(common[0], "")
    if target != free1 + free2:
        return None
    transposed1, transposed2 = t1[-1] != common[0], t2[0] != common[0]

    def product(a, b):
        a, b = a.T if transposed1 else a, b.T if transposed2 else b
        if a.dtype != b.dtype or a.shape[-1] != b.shape[0]:
            return NotImplemented
        return _core.matmul(a, b)

    return product


def _without_sum(t1, t2, target):
    same = [(t1.index(c), t2.index(c)) for c in t1 if c in t2]
    spread1, spread2 = _spreading(t1, target), _spreading(t2, target)

    def product(a, b):
        if a.dtype != b.dtype or any(a.shape[i] != b.shape[j] for i, j in same):
            return NotImplemented
        return _core.multiply(spread1(a), spread2(b))

    return product


def _result_dtype(arrays, dtype, casting):
    if dtype is None:
        return _core.result_type(*(a.dtype for a in arrays))
    dtype = np.dtype(dtype)
    for a in arrays:
        if not np.can_cast(a.dtype, dtype, casting):
            raise TypeError(
                f"Iterator operand requires a cast from {a.dtype!r} to {dtype!r}, "
                f"which the rule '{casting}' does not allow"
            )
    return dtype


def _from_lists(operands):
    """The letters of the interleaved form."""
    operands = list(operands)
    explicit = operands.pop() if len(operands) % 2 else None

    def letters(sublist):
        return "".join("..." if x is Ellipsis else _LETTERS[x] for x in sublist)

    subscripts = ",".join(letters(s) for s in operands[1::2])
    if explicit is not None:
        subscripts += "->" + letters(explicit)
    return subscripts, operands[::2]


def _parse(operands):
    """Terms without ellipses, the output term, and the arrays."""
    if not operands:
        raise ValueError(
            "must specify the einstein sum subscripts string and at least one operand, "
            "or at least one operand and its corresponding subscripts list"
        )
    if isinstance(operands[0], str):
        subscripts, arrays = operands[0], operands[1:]
    else:
        subscripts, arrays = _from_lists(operands)
    arrays = list(as_arrays(*arrays))
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        fewer = len(terms) > len(arrays)
        raise ValueError(
            f"{'fewer' if fewer else 'more'} operands provided to einstein sum "
            "function than specified in the subscripts string"
        )
    for c in left.replace("...", "").replace(",", "") + right.replace("...", ""):
        if c not in _LETTERS:
            raise ValueError(
                f"invalid subscript '{c}' in einstein sum subscripts string, "
                "subscripts must be letters"
            )
    used = set(left + right)
    spare = [c for c in _LETTERS if c not in used]
    spare += [chr(i) for i in range(0x100, 0x140)]
    hidden = [_hidden(t, a) for t, a in zip(terms, arrays, strict=True)]
    dots = "".join(spare[: max(hidden, default=0)])
    expanded = [
        t.replace("...", dots[len(dots) - n :])
        for t, n in zip(terms, hidden, strict=True)
    ]
    if arrow:
        target = right.replace("...", dots)
        if dots and "..." not in right:
            raise ValueError(
                "output has fewer dimensions than the broadcast of the operands: the "
                "output subscripts have no '...', but an operand's have"
            )
    else:
        every = "".join(expanded)
        target = dots + "".join(
            sorted(c for c in set(every) - set(dots) if every.count(c) == 1)
        )
    for c in target:
        if target.count(c) > 1:
            raise ValueError(
                f"einstein sum subscripts string includes output subscript '{c}' "
                "multiple times"
            )
        if not any(c in t for t in expanded):
            raise ValueError(
                f"einstein sum subscripts string included output subscript '{c}' which "
                "never appeared in an input"
            )
    return expanded, target, arrays


def _hidden(term, a):
    """How many axes the term's ellipsis stands for."""
    named = len(term.replace("...", ""))
    if "..." in term:
        if term.count(".") != 3 or named > a.ndim:
            raise ValueError(
                "einstein sum subscripts string contains too many subscripts for "
                f"operand of {a.ndim} dimensions: '{term}'"
            )
        return a.ndim - named
    if "." in term:
        raise ValueError(
            "einstein sum subscripts string contains a '.' that is not part of an "
            "ellipsis ('...')"
        )
    if named != a.ndim:
        kind = "too many" if named > a.ndim else "fewer"
        raise ValueError(
            f"einstein sum subscripts string contains {kind} subscripts "
            f"('{term}') for an operand of {a.ndim} dimensions"
        )
    return 0


def _sizes(terms, arrays):
    sizes = {}
    for k, (term, a) in enumerate(zip(terms, arrays, strict=True)):
        for c, n in zip(term, a.shape, strict=True):
            if sizes.setdefault(c, n) == 1:
                sizes[c] = n
            elif n not in (1, sizes[c]):
                raise ValueError(
                    f"operand {k} has length {n} along subscript '{c}', an operand "
                    f"before has {sizes[c]}"
                )
    return sizes


def _diagonal(term, a):
    """One axis for each letter: repeated ones become a diagonal."""
    for c in term:
        while term.count(c) > 1:
            i, j = term.index(c), term.rindex(c)
            if a.shape[i] != a.shape[j]:
                raise ValueError(
                    f"dimensions in operand for collapsing index '{c}' don't match "
                    f"({a.shape[i]} != {a.shape[j]})"
                )
            a = a.diagonal(0, i, j)
            term = term[:i] + term[i + 1 : j] + term[j + 1 :] + c
    return term, a


def _sum_out(term, a, keep):
    """Sum over the letters that nothing else needs."""
    axes = tuple(i for i, c in enumerate(term) if c not in keep)
    if axes:
        a = a.sum(axes, dtype=a.dtype)
        term = "".join(c for c in term if c in keep)
    return term, a


def _contract(left, right, rest):
    """The product of two operands, summed over letters that `rest` does not need."""
    (t1, a1), (t2, a2) = left, right
    t1, a1 = _sum_out(t1, a1, t2 + rest)
    t2, a2 = _sum_out(t2, a2, t1 + rest)
    # A length of 1 against a longer one broadcasts: it cannot be contracted as it is.
    shared = [c for c in t1 if c in t2]
    stretched = any(a1.shape[t1.index(c)] != a2.shape[t2.index(c)] for c in shared)
    batch = [c for c in shared if c in rest]
    summed = [c for c in shared if c not in rest]
    free1 = [c for c in t1 if c not in t2]
    free2 = [c for c in t2 if c not in t1]
    term = "".join(batch + free1 + free2)
    if stretched or not summed:
        every = batch + summed + free1 + free2
        product = _spread(t1, a1, every) * _spread(t2, a2, every)
        if summed:
            axes = tuple(range(len(batch), len(batch) + len(summed)))
            product = product.sum(axes, dtype=product.dtype)
        return term, product

    def lengths(letters):
        return [
            a1.shape[t1.index(c)] if c in t1 else a2.shape[t2.index(c)] for c in letters
        ]

    k = math.prod(lengths(summed))
    m1 = a1.transpose([t1.index(c) for c in batch + free1 + summed])
    m2 = a2.transpose([t2.index(c) for c in batch + free2 + summed])
    if not free1 and not free2:
        m1 = m1.reshape(*lengths(batch), k)
        m2 = m2.reshape(*lengths(batch), k)
        return term, sum_of_products(m1, m2)
    m1 = m1.reshape(*lengths(batch), math.prod(lengths(free1)), k)
    m2 = m2.reshape(*lengths(batch), math.prod(lengths(free2)), k)
    product = _core.matmul(m1, m2.swapaxes(-1, -2))
    return term, product.reshape(lengths(batch + free1 + free2))


def _spread(term, a, letters):
    """Axes in the order of `letters`, of length 1 where the term has none."""
    return _spreading(term, letters)(a)


def _spreading(term, letters):
    """The function that does so with an array."""
    axes = [term.index(c) for c in letters if c in term]
    key = tuple(slice(None) if c in term else None for c in letters)
    in_order = axes == sorted(axes)

    def spread(a):
        if not in_order:
            a = a.transpose(axes)
        return a[key] if None in key else a

    return spread


def _reduce_to(term, a, target, dtype):
    term, a = _sum_out(term, a.astype(dtype, copy=False), target)
    return a.transpose([term.index(c) for c in target]) if target != term else a


def _path(pairs, target, sizes, optimize):
    # numpy.einsum_path looks at shapes alone: arrays without memory do.
    names = {c: _LETTERS[i] for i, c in enumerate(sizes)}
    terms = ["".join(names[c] for c in t) for t, _ in pairs]
    shapes = [[sizes[c] for c in t] for t, _ in pairs]
    dummies = [np.broadcast_to(np.float64(0), s) for s in shapes]
    subscripts = ",".join(terms) + "->" + "".join(names[c] for c in target)
    how = "greedy" if optimize is True else optimize
    return np.einsum_path(subscripts, *dummies, optimize=how)[0][1:]
