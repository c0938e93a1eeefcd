"""Differences of neighbours with what is put before and behind them: one launch."""

from cupric import _core
from cupric._lib._library import Library, view
from cupric._lib._replay import replayed

__all__ = ["differences_with_ends"]

_library = Library(__file__, "_ends.cuh")
_RUN = 1 << 12  # elements of a piece of the host


def _example(xp):
    x = xp.arange(9) ** 2
    made = [xp.ediff1d(x.astype(t), 0, x[:2].astype(t)) for t in "fdil"]
    return [*made, xp.ediff1d(x[::2], to_begin=[1, 2])]


_differences = _library.kernel(
    "differences_with_ends<T>", ships="f d i l", example=_example
)


def differences_with_ends(x, begin, end):
    """Differences between consecutive elements of one axis, with what is put before and
    behind them: a number of x's dtype, an array of one axis and that dtype, or None."""
    if x.dtype.char in "fdil":
        return _in_one_launch(x, begin, end)
    n = max(x.size - 1, 0)
    before, behind = (_size(e) for e in (begin, end))
    out = _core.empty(before + n + behind, x.dtype)
    _core.subtract(x[1:], x[:-1], out[before : before + n])
    if before:
        out[:before] = begin
    if behind:
        out[before + n :] = end
    return out


def _size(end):
    return 0 if end is None else end.size


@replayed
def _in_one_launch(x, begin, end):
    n = max(x.size - 1, 0)
    out = _core.empty(_size(begin) + n + _size(end), x.dtype)
    run = _RUN if _library.on_host(out) else 1
    pieces = -(-out.size // run)
    if pieces:
        args = (*_given(begin, x), *_given(end, x), out, pieces, run)
        _differences[x.dtype].elements(pieces, (view(x), n, *args))
    return out


def _given(end, x):
    """An end as the kernel takes it."""
    if isinstance(end, _core.ndarray):
        return view(end), end.size, x.dtype.type(0), False
    return view(x), _size(end), x.dtype.type(0 if end is None else end), True
