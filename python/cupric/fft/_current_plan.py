"""The plan that a program has set for a block, and whether it fits a transform.

A device finds by itself what it needs for a transform, so that a plan changes nothing
of how it is computed: within its block, a transform that is not the plan's is an error.
"""

import contextlib
import itertools
import math
import threading

from cupric import _core

__all__ = ["enter", "get_current_plan", "leave", "require_fit", "using"]

_thread = threading.local()


def get_current_plan():
    """The plan whose `with` block this thread is in.

    Every transform of `cupric.fft`, and what is built on them, is checked against it
    (`require_fit`): within the block of a plan, functions of `cupric.fft` make the
    transforms that it describes, and others are a ValueError. A function that takes
    ``plan=`` makes its transforms within ``using(plan)``.

    Returns
    -------
    cupric.cuda.cufft.Plan1d, cupric.cuda.cufft.PlanNd or None
        That of the innermost block; None outside of all.

    Examples
    --------
    >>> from cupric.cuda import cufft
    >>> with cufft.Plan1d(4, cufft.CUFFT_C2C, 1) as plan:
    ...     cufft.get_current_plan() is plan
    True
    >>> cufft.get_current_plan() is None
    True
    """
    stack = getattr(_thread, "stack", None)
    return stack[-1] if stack else None


def enter(plan):
    """Begin a plan's block in this thread."""
    try:
        _thread.stack.append(plan)
    except AttributeError:
        _thread.stack = [plan]


def leave():
    """End the block that this thread entered last."""
    _thread.stack.pop()


_NO_PLAN = contextlib.nullcontext()


def using(plan):
    """A block for a function's ``plan=``.

    Parameters
    ----------
    plan : cupric.cuda.cufft.Plan1d, cupric.cuda.cufft.PlanNd or None
        With None the block changes nothing.

    Raises
    ------
    RuntimeError
        A plan is given within the block of another.
    """
    if plan is None:
        return _NO_PLAN
    if get_current_plan() is not None:
        raise RuntimeError(
            "there are two plans, that of a `with` block and the argument `plan`: "
            "leave one out"
        )
    return plan


def require_fit(a, made_dtype, made_shape, kind, axes, last):
    """Raise ValueError unless this thread's plan, if it has one, fits a transform.

    Parameters
    ----------
    a : cupric.ndarray
        What is transformed.
    made_dtype : numpy.dtype
    made_shape : sequence of int
        Of the result.
    kind : int
        ``_core._C2C``, ``_core._R2C`` or ``_core._C2R``.
    axes : sequence of int
        The axes, different ones, none negative; the last is the halved one.
    last : int
        The length of the last axis, that of the real side.
    """
    plan = get_current_plan()
    if plan is None:
        return
    if (kind, a.dtype, made_dtype) != (plan._kind, *plan._dtypes):
        raise ValueError(
            f"the plan's transforms are from {plan._dtypes[0]} to {plan._dtypes[1]}, "
            f"not from {a.dtype} to {made_dtype}: convert the array, or make a plan "
            "for its dtype"
        )
    lengths = {axis: a.shape[axis] for axis in axes[:-1]} | {axes[-1]: last}
    if plan._takes_one_axis:
        _require_one_axis(plan, a, made_shape, kind, lengths)
    else:
        _require_layout(plan, a, made_shape, kind, lengths)


def _require_one_axis(plan, a, made_shape, kind, lengths):
    """A Plan1d fits if each axis is transformed as it says: one after the other."""
    if kind != _core._C2C and len(lengths) > 1:
        raise ValueError(
            f"the plan is of one axis, the transform of real numbers of {len(lengths)}"
            ", which needs a PlanNd"
        )
    for axis, n in lengths.items():
        others = [m for i, m in enumerate(made_shape) if i != axis]
        if n != plan.nx or math.prod(others) != plan.batch:
            raise ValueError(
                f"the plan is of {plan.batch} transforms of length {plan.nx}; along "
                f"axis {axis} of an array of shape {a.shape} there are "
                f"{math.prod(others)} of length {n}"
            )


def _require_layout(plan, a, made_shape, kind, lengths):
    """A PlanNd fits if it looks for elements where dense memory has them."""
    flags = a.flags
    orders = "F" * flags.f_contiguous + "C" * flags.c_contiguous or "C"
    if plan.order not in orders:
        raise ValueError(
            f"the plan is of memory in order {plan.order!r}, the array in order "
            f"{orders!r}"
        )
    # As plans name the axes: the one that is halved at the end, the fastest last.
    *front, end = lengths
    axes = sorted(lengths) if kind == _core._C2C else [*sorted(front), end]
    if plan.order == "F" and kind == _core._C2C:
        axes.reverse()
    expected = tuple(lengths[axis] for axis in axes)
    if expected != plan.shape:
        raise ValueError(
            f"the plan is of axes of lengths {plan.shape}, the transform of an array "
            f"of shape {a.shape} of {expected}"
        )
    for shape, dtype, layout in zip(
        (a.shape, made_shape), plan._dtypes, plan._layouts, strict=True
    ):
        wanted = _layout(shape, axes, plan.order)
        found = layout[0], [step // dtype.itemsize for step in layout[1]]
        if wanted is None or _without_ones(*wanted) != _without_ones(*found):
            raise ValueError(
                f"the plan is of {plan._batch} transforms in memory that lies "
                f"otherwise than an array of shape {tuple(shape)} whose axes "
                f"{tuple(axes)} are transformed"
            )


def _layout(shape, axes, order):
    """Shape and steps, the batch first, of dense memory; None if it has no one step."""
    sizes = shape if order == "C" else shape[::-1]
    steps = [*itertools.accumulate(sizes[:0:-1], int.__mul__, initial=1)][::-1]
    if order == "F":
        steps.reverse()
    rest = [i for i in range(len(shape)) if i not in axes and shape[i] != 1]
    if order == "F":
        rest.reverse()
    for i, j in itertools.pairwise(rest):
        if steps[i] != steps[j] * shape[j]:
            return None
    batch = math.prod(shape[i] for i in rest)
    step = steps[rest[-1]] if rest else 0
    return (batch, *(shape[i] for i in axes)), [step, *(steps[i] for i in axes)]


def _without_ones(shape, steps):
    """Lengths, and the steps where there is a second element."""
    return shape, [s for n, s in zip(shape, steps, strict=True) if n > 1]
