"""Sorts by keys, and what is made of runs of equal keys."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms._scan import KINDS, plan_scan
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["order_by_key", "reduce_by_key", "sort_by_key", "unique_by_key"]

_library = Library(__file__)

_ORDERS = ("maximum", "minimum")  # kinds that complex numbers have not


def _reduce_example(xp):
    made = []
    for k in "il":
        keys = (xp.arange(5000) * xp.arange(5000) // 90000).astype(k)
        made += reduce_by_key(keys, keys)
        for v in "fd":
            made += reduce_by_key(keys, xp.cos(xp.arange(5000.0)).astype(v))
    return made


def _number_example(xp):
    made = []
    for k in "il":
        keys = (xp.arange(5000) // 7).astype(k)
        for p in "il":
            made += unique_by_key(keys, inverse=True, positions=p)
    return made


_reduce = _library.kernel(
    "reduce_by_key<K, V, KIND>",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="ii0 if0 id0 ll0 lf0 ld0",
    example=_reduce_example,
)
_number = _library.kernel(
    "number_runs<K, P>",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="ii il li ll",
    example=_number_example,
)


def order_by_key(*keys, positions=np.int64):
    """The positions of elements in the order of their keys; equal ones stay in theirs.

    Parameters
    ----------
    *keys : cupric.ndarray, shape (n,)
        The first is the first to be compared.
    positions : dtype, optional
        int32 or int64.

    Returns
    -------
    cupric.ndarray, shape (n,)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupric._lib.algorithms import order_by_key
    >>> order_by_key(cp.array([2, 1, 2]), cp.array([1, 5, 0]))
    array([1, 2, 0])
    """
    order = None
    for key in reversed(keys):
        _check_vector(key)
        if order is None:
            order = key.argsort(kind="stable")
        else:
            order = order[key[order].argsort(kind="stable")]
    return order.astype(_position_dtype(positions, order.size), copy=False)


def sort_by_key(keys, *values):
    """Keys in order, and the values beside them moved likewise: a stable sort.

    Parameters
    ----------
    keys : cupric.ndarray, shape (n,), or a tuple of some
        The first is the first to be compared.
    *values : cupric.ndarray, shape (n, ...)

    Returns
    -------
    keys : cupric.ndarray, or a tuple of some
    *values : cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupric._lib.algorithms import sort_by_key
    >>> sort_by_key(cp.array([2, 1, 2]), cp.array([7, 8, 9]))
    (array([1, 2, 2]), array([8, 7, 9]))
    """
    several = isinstance(keys, tuple)
    order = order_by_key(*(keys if several else (keys,)))
    keys = tuple(k[order] for k in keys) if several else keys[order]
    return keys, *(v[order] for v in values)


def reduce_by_key(keys, values, kind="sum"):
    """Values of each run of equal neighbouring keys, combined in their order.

    Parameters
    ----------
    keys : cupric.ndarray, shape (n,)
        Sorted, or grouped otherwise. NaNs are equal.
    values : cupric.ndarray, shape (n,)
    kind : {"sum", "product", "maximum", "minimum"}

    Returns
    -------
    keys, values : cupric.ndarray
        One element for each run: their number is waited for.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupric._lib.algorithms import reduce_by_key
    >>> reduce_by_key(cp.array([1, 1, 4]), cp.array([0.5, 0.25, 2.0]))
    (array([1, 4]), array([0.75, 2.  ]))
    """
    _check_vector(keys)
    if values.shape != keys.shape:
        raise ValueError(f"values of shape {values.shape} for keys of {keys.shape}")
    is_number = values.dtype.kind in ("biuf" if kind in _ORDERS else "biufc")
    if kind not in KINDS or not is_number:
        raise TypeError(f"no reduction of {values.dtype} by {kind!r}")
    if values.dtype == np.complex128:  # by its parts, which a tile has room for
        if kind != "sum":
            raise TypeError(f"no reduction of {values.dtype} by {kind!r}")
        first, real = reduce_by_key(keys, values.real)
        made = real.astype(np.complex128)
        made.imag = reduce_by_key(keys, values.imag)[1]
        return first, made
    if keys.size == 0:
        return keys.copy(), values.copy()
    with keys.device:
        first = _core.empty(keys.size, keys.dtype)
        reduced = _core.empty(keys.size, values.dtype)
    by = getattr(_library.enum, f"KIND_{kind.upper()}")
    runs = int(_reduced(keys, values, first, reduced, by)[0])
    return first[:runs], reduced[:runs]


@replayed
def _reduced(keys, values, first, reduced, kind):
    runs = _core.empty(1, np.int64)
    keys, values = _core.ascontiguousarray(keys), _core.ascontiguousarray(values)
    s, workspace = plan_scan(
        _library, keys, 1, keys.size, 8 + max(values.dtype.itemsize, 8)
    )
    _reduce[keys.dtype, values.dtype, kind](
        keys=keys,
        values=values,
        first=first,
        reduced=reduced,
        runs=runs,
        s=s,
        workspace=workspace,
    )
    return runs


def unique_by_key(keys, inverse=False, positions=np.int64):
    """Where runs of equal neighbouring keys begin.

    Parameters
    ----------
    keys : cupric.ndarray, shape (n,)
        Sorted, or grouped otherwise. NaNs are equal.
    inverse : bool, optional
        Also the run of each element.
    positions : dtype, optional
        int32 or int64.

    Returns
    -------
    starts : cupric.ndarray
        ``keys[starts]`` are the keys of the runs: their number is waited for.
    run_of : cupric.ndarray, shape (n,)
        Where `inverse` is true.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupric._lib.algorithms import unique_by_key
    >>> unique_by_key(cp.array([1, 1, 4]), inverse=True)
    (array([0, 2]), array([0, 0, 1]))
    """
    _check_vector(keys)
    dtype = _position_dtype(positions, keys.size)
    with keys.device:
        starts = _core.empty(keys.size, dtype)
        run_of = _core.empty(keys.size, dtype) if inverse else None
    if keys.size:
        starts = starts[: int(_numbered(keys, starts, run_of)[0])]
    return (starts, run_of) if inverse else starts


@replayed
def _numbered(keys, starts, run_of):
    runs = _core.empty(1, np.int64)
    keys = _core.ascontiguousarray(keys)
    s, workspace = plan_scan(_library, keys, 1, keys.size, 16)
    _number[keys.dtype, starts.dtype](
        keys=keys,
        starts=starts,
        run_of=run_of,
        runs=runs,
        s=s,
        workspace=workspace,
    )
    return runs


def _check_vector(keys):
    if keys.ndim != 1:
        raise ValueError(f"keys have one axis, not {keys.ndim}")


def _position_dtype(dtype, n):
    dtype = np.dtype(dtype)
    if dtype not in (np.int32, np.int64):
        raise TypeError(f"positions are int32 or int64, not {dtype}")
    if n > np.iinfo(dtype).max:
        raise OverflowError(f"{n} elements have more positions than {dtype} holds")
    return dtype
