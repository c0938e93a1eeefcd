"""Structures in the order of their fields."""

from cupric import _core
from cupric._dtypes import comparable_fields
from cupric._manipulation._args import normalize_axis_index, where_it_lives
from cupric._sorting._sort import lexsort

__all__ = [
    "order_by_fields",
    "sort_by_fields",
]


def _fields_in_order(dtype, order):
    """The names of all fields: those of `order`, then the others."""
    if dtype.names is None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if order is None:
        return dtype.names
    if isinstance(order, str):
        order = [order]
    if not isinstance(order, list | tuple):
        raise ValueError(f"unsupported order value: {order!r}")
    for name in order:
        if name not in dtype.names:
            raise ValueError(f"unknown field name: {name}")
        if order.count(name) > 1:
            raise ValueError(f"duplicate field name: {name}")
    return [*order, *(name for name in dtype.names if name not in order)]


@where_it_lives
def order_by_fields(a, axis, order):
    """`argsort` of structures, which is stable; NotImplemented for what has no fields
    and no `order`."""
    if a.dtype.names is None and order is None:
        return NotImplemented
    names = _fields_in_order(a.dtype, order)
    if axis is None or a.ndim == 0:
        a, axis = a.reshape(-1), 0
    axis = normalize_axis_index(axis, a.ndim)
    keys = comparable_fields(a, names)
    return lexsort(keys[::-1], axis) if keys else lexsort([_core.zeros(a.shape)], axis)


def sort_by_fields(a, axis, order):
    """`sort` of structures: as `order_by_fields`."""
    places = order_by_fields(a, axis, order)
    if places is NotImplemented:
        return places
    if axis is None:
        a, axis = a.reshape(-1), 0
    if a.ndim == 0:
        return a.copy()
    return _core.take_along_axis(a, places, axis)
