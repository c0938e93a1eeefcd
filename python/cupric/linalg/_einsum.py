"""Einstein summation, as products of matrices and sums of products.

What subscripts ask for depends on how many axes each array has, and is planned once for
those numbers. The lengths are compared by the core, which broadcasts those of 1.
"""

import functools
import math

import numpy as np

from cupric import _core
from cupric._manipulation._args import parameter_array, store_result, where_it_lives

__all__ = [
    "einsum",
]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ONE = "1"  # among letters, an axis of length 1 that is none of the array's
_SHORT = 1 << 14  # elements; to multiply them costs less than to lay them out for it


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
    plan = _plan_of_two(*operands) if len(operands) == 3 and dtype is None else None
    if plan:
        terms, target, how = plan
        arrays = operands[1:]
    else:
        subscripts, arrays = _read(operands)
        terms, target, how = _plan(subscripts, *[a.ndim for a in arrays])
        if dtype is not None or len(arrays) > 1:
            arrays = _of_one_dtype(arrays, dtype, casting)
    try:
        result = how(*arrays) if how else _in_pairs(terms, target, arrays, optimize)
    except ValueError:
        _sizes(terms, arrays)  # has better words where lengths do not agree
        raise
    if out is not None:
        return store_result(result, out, casting)
    if result is arrays[0]:
        result = result.view()
    if order in ("C", "F"):
        return result.astype(result.dtype, order=order, copy=False)
    return result


# ---- arguments -----------------------------------------------------------------------


def _plan_of_two(subscripts, a, b):
    """The plan for two arrays of one dtype, which most calls have, in a quarter of the
    time that it takes to read any; None for others."""
    are_arrays = type(a) is type(b) is _core.ndarray and type(subscripts) is str
    if are_arrays and a.dtype == b.dtype:
        return _plan(subscripts, a.ndim, b.ndim)
    return None


def _read(operands):
    """The subscripts and the arrays."""
    if not operands:
        raise ValueError(
            "must specify the einstein sum subscripts string and at least one operand, "
            "or at least one operand and its corresponding subscripts list"
        )
    subscripts, *arrays = operands
    if not isinstance(subscripts, str):
        subscripts, arrays = _from_lists(operands)
    return subscripts, _operands(*arrays)


@where_it_lives
def _operands(*arrays):
    return [parameter_array(a) for a in arrays]


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


def _of_one_dtype(arrays, dtype, casting):
    if dtype is None:
        dtypes = [a.dtype for a in arrays]
        if dtypes.count(dtypes[0]) == len(dtypes):
            return arrays
        dtype = _core.result_type(*dtypes)
    else:
        dtype = np.dtype(dtype)
        for a in arrays:
            if not np.can_cast(a.dtype, dtype, casting):
                raise TypeError(
                    f"Iterator operand requires a cast from {a.dtype!r} to {dtype!r}, "
                    f"which the rule '{casting}' does not allow"
                )
    return [a.astype(dtype, copy=False) for a in arrays]


def _parse(subscripts, ndims):
    """Terms without ellipses, and the output term."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ndims):
        fewer = len(terms) > len(ndims)
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
    hidden = [_hidden(t, n) for t, n in zip(terms, ndims, strict=True)]
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
    return expanded, target


def _hidden(term, ndim):
    """How many axes the term's ellipsis stands for."""
    named = len(term.replace("...", ""))
    if "..." in term:
        if term.count(".") != 3 or named > ndim:
            raise ValueError(
                "einstein sum subscripts string contains too many subscripts for "
                f"operand of {ndim} dimensions: '{term}'"
            )
        return ndim - named
    if "." in term:
        raise ValueError(
            "einstein sum subscripts string contains a '.' that is not part of an "
            "ellipsis ('...')"
        )
    if named != ndim:
        kind = "too many" if named > ndim else "fewer"
        raise ValueError(
            f"einstein sum subscripts string contains {kind} subscripts "
            f"('{term}') for an operand of {ndim} dimensions"
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


# ---- plans ---------------------------------------------------------------------------


@functools.lru_cache(1024)
def _plan(subscripts, *ndims):
    """The letters of each array and of the result, and the function that makes it of
    one array or of two."""
    terms, target = _parse(subscripts, ndims)
    if len(terms) > 2:
        return terms, target, None
    distinct, diagonals = zip(*[_diagonal(t) for t in terms], strict=True)
    if len(terms) == 1:
        how = _reduction(*distinct, target)
    else:
        how = _product(*distinct, target)
    return terms, target, _after(diagonals, how)


def _after(before, function):
    """`function` of what other functions, or None, give for each of its arguments."""
    if not any(before):
        return function

    def of_results(*arrays):
        pairs = zip(before, arrays, strict=True)
        return function(*[f(a) if f else a for f, a in pairs])

    return of_results


def _product(t1, t2, target):
    term, product = _contraction(t1, t2, target)
    if term == target:
        return product
    last = _reduction(term, target)
    return lambda a, b: last(product(a, b))


def _in_pairs(terms, target, arrays, optimize):
    pairs = []
    for t, a in zip(terms, arrays, strict=True):
        term, diagonal = _diagonal(t)
        pairs.append((term, diagonal(a) if diagonal else a))
    path = [(0, 1)] * (len(pairs) - 1)
    if optimize is not False:
        path = _path(pairs, target, _sizes(terms, arrays), optimize)
    for step in path:
        taken = [pairs[i] for i in sorted(step, reverse=True)]
        pairs = [p for i, p in enumerate(pairs) if i not in step]
        while len(taken) > 1:
            (t1, a), (t2, b) = taken.pop(), taken.pop()
            kept = target + "".join(t for t, _ in pairs + taken)
            term, product = _contraction(t1, t2, "".join(dict.fromkeys(kept)))
            taken.append((term, product(a, b)))
        pairs.append(taken[0])
    term, array = pairs[0]
    return _reduction(term, target)(array)


@functools.lru_cache(1024)
def _diagonal(term):
    """The letters, each once, and the function that takes the diagonals for it."""
    steps, left = [], term
    for c in term:
        while left.count(c) > 1:
            i, j = left.index(c), left.rindex(c)
            steps.append((c, i, j))
            left = left[:i] + left[i + 1 : j] + left[j + 1 :] + c
    if not steps:
        return term, None

    def diagonal(a):
        for c, i, j in steps:
            if a.shape[i] != a.shape[j]:
                raise ValueError(
                    f"dimensions in operand for collapsing index '{c}' don't match "
                    f"({a.shape[i]} != {a.shape[j]})"
                )
            a = a.diagonal(0, i, j)
        return a

    return left, diagonal


@functools.lru_cache(1024)
def _reduction(term, target):
    """The sum over the letters that `target` does not have, in its order."""
    summed = tuple(i for i, c in enumerate(term) if c not in target)
    kept = [c for c in term if c in target]
    axes = None if kept == list(target) else [kept.index(c) for c in target]

    def reduction(a):
        if summed:
            a = a.sum(summed, a.dtype)
        return a.transpose(axes) if axes else a

    return reduction


@functools.lru_cache(1024)
def _contraction(t1, t2, kept):
    """The product of two arrays of one dtype, summed over letters that are not in
    `kept`: its letters, in that order if that costs nothing, and the function."""
    own1 = "".join(c for c in t1 if c in t2 or c in kept)
    own2 = "".join(c for c in t2 if c in t1 or c in kept)
    summed = [c for c in own1 if c in own2 and c not in kept]
    are_matrices = summed and set(own1) != set(own2)
    of = _of_matrices if are_matrices else _of_elements
    term, product = of(own1, own2, kept)
    alone = [
        _reduction(t, own) if t != own else None for t, own in ((t1, own1), (t2, own2))
    ]
    return term, _after(alone, product)


def _of_elements(t1, t2, kept):
    letters = t1 + "".join(c for c in t2 if c not in t1)
    term = "".join(c for c in kept if c in letters)
    summed = "".join(c for c in letters if c not in kept)
    if [c for c in letters if c in kept] != list(term):
        letters = term + summed
    axes = tuple(letters.index(c) for c in summed)
    along_last = axes == (len(letters) - 1,)
    spread1, spread2 = _spreading(t1, letters), _spreading(t2, letters)

    def product(a, b):
        return _core.multiply(
            spread1(a) if spread1 else a, spread2(b) if spread2 else b
        )

    def sum_of_products(a, b):
        if spread1:
            a = spread1(a)
        if spread2:
            b = spread2(b)
        t = a.dtype.char
        are_rows = along_last and t not in "FDeE" and a.shape[-1] == b.shape[-1]
        if are_rows and a.strides[-1] == b.strides[-1] == a.itemsize:
            return _core.vecdot(a, b)  # on the host, a matrix product
        if t in "FD":
            a = a.conj()  # as vecdot does
        return _core.reductions.vecdot(a, b, axes)

    return term, sum_of_products if summed else product


def _spreading(term, letters):
    """The function that makes the axes `letters` of an array, of length 1 where it has
    none; None where they are its own."""
    if term == letters:
        return None
    axes = [term.index(c) for c in letters if c in term]
    key = tuple(slice(None) if c in term else None for c in letters)
    in_order = axes == sorted(axes)

    def spread(a):
        if not in_order:
            a = a.transpose(axes)
        return a[key] if None in key else a

    return spread


def _of_matrices(t1, t2, kept):
    batch = "".join(c for c in kept if c in t1 and c in t2)
    summed = "".join(c for c in t1 if c in t2 and c not in kept)
    rows = "".join(c for c in t1 if c not in t2)
    columns = "".join(c for c in t2 if c not in t1)
    term = batch + rows + columns
    alone = _ONE if batch else ""  # the vectors of a stack become matrices
    matrix1 = _matrices(t1, batch, rows or alone, summed)
    matrix2 = _matrices(t2, batch, summed, columns or alone)
    _, of_elements = _of_elements(t1, t2, term)
    shared = [(t1.index(c), t2.index(c)) for c in summed]
    n = len(batch)
    free1, free2 = [t1.index(c) for c in rows], [t2.index(c) for c in columns]
    is_split = len(rows) > 1 or len(columns) > 1 or (batch and not (rows and columns))
    # A matrix's product with a vector is no more sums than the matrix has elements.
    one_call = len(summed) > 1 and not batch and not (rows and columns)

    def product(a, b):
        if one_call and a.size + b.size < _SHORT:
            return of_elements(a, b)
        for i, j in shared:
            if a.shape[i] != b.shape[j]:
                return of_elements(a, b)  # which broadcasts a length of 1
        ab = _core.matmul(matrix1(a) if matrix1 else a, matrix2(b) if matrix2 else b)
        if not is_split:
            return ab
        lengths = [a.shape[i] for i in free1] + [b.shape[i] for i in free2]
        return ab.reshape(*ab.shape[:n], *lengths)

    return term, product


def _matrices(term, batch, first, second):
    """The function that makes matrices of an array, or a vector where the first or
    second axes are none; None where it is them."""
    spread = _spreading(term, batch + first + second)
    if max(len(first), len(second)) < 2:
        return spread
    begin, middle = len(batch), len(batch + first)

    def matrices(a):
        if spread:
            a = spread(a)
        n = a.shape
        lengths = [math.prod(part) for part in (n[begin:middle], n[middle:]) if part]
        return a.reshape(*n[:begin], *lengths)

    return matrices


def _path(pairs, target, sizes, optimize):
    # numpy.einsum_path looks at shapes alone: arrays without memory do.
    names = {c: _LETTERS[i] for i, c in enumerate(sizes)}
    terms = ["".join(names[c] for c in t) for t, _ in pairs]
    shapes = [[sizes[c] for c in t] for t, _ in pairs]
    dummies = [np.broadcast_to(np.float64(0), s) for s in shapes]
    subscripts = ",".join(terms) + "->" + "".join(names[c] for c in target)
    how = "greedy" if optimize is True else optimize
    return np.einsum_path(subscripts, *dummies, optimize=how)[0][1:]
