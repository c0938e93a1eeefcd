"""Sparse arrays of random elements."""

import math

import numpy as np

from cupric import _core
from cupric import random as streams
from cupric._lib import arguments
from cupricx.scipy.sparse._blocks import of_kind
from cupricx.scipy.sparse._coo import coo_array
from cupricx.scipy.sparse._reading import values_array
from cupricx.scipy.sparse._types import fitting_index_dtype, value_dtype

__all__ = ["rand", "random", "random_array"]

_DENSE = 4  # of every four places one: they come from a permutation of all
_MORE = 1.05  # draws for each place that is lacking


def _generator(rng, random_state):
    """A generator of the device: given, or of a seed."""
    if rng is not None and random_state is not None:
        raise TypeError("rng and random_state are the same: one of them may be given")
    rng = random_state if rng is None else rng
    if isinstance(rng, (streams.Generator, streams.RandomState)):
        return rng
    if isinstance(rng, (np.random.Generator, np.random.RandomState)):
        raise TypeError(
            f"Unsupported type {type(rng)}: numbers are drawn on the device, by a "
            "cupric.random.Generator or RandomState, or from a seed"
        )
    return streams.default_rng(rng)


def _integers(rng, high, size):
    if isinstance(rng, streams.RandomState):
        return rng.randint(0, high, size, dtype=np.int64)
    return rng.integers(0, high, size, dtype=np.int64)


def _places(rng, total, count):
    """Different numbers below `total`, sorted. Where they are few, the first that occur
    in a sequence of draws, each as probable as another."""
    if count == 0:
        return _core.empty(0, np.int64)
    if count * _DENSE > total:
        places = rng.permutation(total)[:count].astype(np.int64, copy=False)
        return _core.sort(places)
    drawn = _core.empty(0, np.int64)
    while True:
        more = int((count - drawn.size) * _MORE) + 64
        drawn = _core.concatenate([drawn, _integers(rng, total, more)])
        order = drawn.argsort(kind="stable")
        ordered = drawn[order]
        is_first = _core.empty(drawn.size, bool)
        is_first[:1] = True
        is_first[1:] = ordered[1:] != ordered[:-1]
        drawn = drawn[_core.sort(order[is_first])]
        if drawn.size >= count:
            return _core.sort(drawn[:count])


def _coordinates(places, shape):
    index, coords = fitting_index_dtype(*shape), []
    for n in shape[:0:-1]:
        rest = places // max(n, 1)
        coords.append((places - rest * n).astype(index, copy=False))
        places = rest
    return [places.astype(index, copy=False), *coords[::-1]]


def _uniform(rng, size):
    if isinstance(rng, streams.RandomState):
        return rng.random_sample(size)
    return rng.random(size)


def _values(rng, size, dtype):
    """Elements by SciPy's rule: integers of any size, or other numbers from 0 to 1."""
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        if isinstance(rng, streams.RandomState):
            return rng.randint(ends.min, ends.max, size, dtype=dtype)
        return rng.integers(ends.min, ends.max, size, dtype=dtype)
    if dtype.kind == "c":
        values = _uniform(rng, size) + 1j * _uniform(rng, size)
        return values.astype(dtype, copy=False)
    return _uniform(rng, size).astype(dtype, copy=False)


def _random(shape, density, dtype, rng, sampler):
    """A coo array in order, of elements that sampler(n) draws."""
    if not 0 <= density <= 1:
        raise ValueError(f"density expected to be 0 <= density <= 1, not {density}")
    total = math.prod(shape)
    if total > np.iinfo(np.int64).max:
        raise ValueError(f"a shape of {total} elements is too large to draw places in")
    count = round(density * total)
    places = _places(rng, total, count)
    dtype = value_dtype(dtype, default=np.dtype(np.float64))
    if sampler is None:
        values = _values(rng, count, dtype)
    else:
        values = values_array(sampler(count), None)
        if values.shape != (count,):
            raise ValueError(
                f"{count} values were to be drawn, and are of shape {values.shape}"
            )
    coords = _coordinates(places, shape)
    return coo_array._of(values.astype(dtype, copy=False), coords, shape, True)


def random_array(
    shape,
    *,
    density=0.01,
    format="coo",
    dtype=None,
    rng=None,
    data_sampler=None,
    random_state=None,
):
    """A sparse array of random elements in random places.

    Parameters
    ----------
    shape : tuple of int
    density : float, optional
        The share of the elements that are stored, from 0 to 1.
    format : str, optional
        Of the result.
    dtype : dtype, optional
        By default float64. Integers are of their whole range, other numbers from 0 to
        1.
    rng : int, cupric.random.Generator or cupric.random.RandomState, optional
        A seed, or what draws.
    data_sampler : callable, optional
        ``data_sampler(size=n)`` gives the stored elements.
    random_state : int, cupric.random.Generator or cupric.random.RandomState, optional
        Another name of `rng`.

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cupricx.scipy.sparse import random_array
    >>> random_array((3, 4), density=0.25, rng=1).nnz
    3
    """
    shape = tuple(arguments.integer(n) for n in shape)
    generator = _generator(rng, random_state)
    sampler = None
    if data_sampler is not None:
        sampler = lambda n: data_sampler(size=n)  # noqa: E731
    made = _random(shape, density, dtype, generator, sampler)
    return made.asformat(format)


def random(
    m,
    n,
    density=0.01,
    format="coo",
    dtype=None,
    random_state=None,
    data_rvs=None,
    *,
    rng=None,
):
    """A sparse matrix of random elements in random places.

    Parameters
    ----------
    m, n : int
        The shape.
    density : float, optional
        The share of the elements that are stored, from 0 to 1.
    format : str, optional
        Of the result.
    dtype : dtype, optional
        By default float64. Integers are of their whole range, other numbers from 0 to
        1.
    random_state : int, cupric.random.Generator or cupric.random.RandomState, optional
        A seed, or what draws.
    data_rvs : callable, optional
        ``data_rvs(k)`` gives the stored elements.
    rng : int, cupric.random.Generator or cupric.random.RandomState, optional
        Another name of `random_state`.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cupricx.scipy.sparse import random
    >>> random(3, 4, density=0.25, random_state=1).nnz
    3
    """
    generator = _generator(rng, random_state)
    shape = int(m), int(n)
    made = _random(shape, density, dtype, generator, data_rvs)
    return of_kind(made, False).asformat(format)


def rand(m, n, density=0.01, format="coo", dtype=None, random_state=None, *, rng=None):
    """A sparse matrix of random elements in random places: `random` without `data_rvs`.

    Parameters
    ----------
    m, n : int
        The shape.
    density : float, optional
        The share of the elements that are stored, from 0 to 1.
    format : str, optional
        Of the result.
    dtype : dtype, optional
        By default float64. Integers are of their whole range, other numbers from 0 to
        1.
    random_state : int, cupric.random.Generator or cupric.random.RandomState, optional
        A seed, or what draws.
    rng : int, cupric.random.Generator or cupric.random.RandomState, optional
        Another name of `random_state`.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cupricx.scipy.sparse import rand
    >>> rand(3, 4, density=0.25, random_state=1).nnz
    3
    """
    return random(m, n, density, format, dtype, random_state, rng=rng)
