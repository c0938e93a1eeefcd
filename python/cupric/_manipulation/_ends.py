"""Differences of neighbours with what is put before and behind them: one launch."""

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["differences_with_ends"]

_library = Library(__file__)
_RUN = 1 << 12  # elements of a piece of the host


def _example(xp):
    x = xp.arange(9) ** 2
    made = [xp.ediff1d(x.astype(t), 0, x[:2].astype(t)) for t in "fdil"]
    return [*made, xp.ediff1d(x[::2], to_begin=[1, 2])]


_differences = _library.kernel(
    "differences_with_ends<T>",
    elements="p.pieces",
    ships="f d i l",
    example=_example,
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
    n, before, behind = max(x.size - 1, 0), _size(begin), _size(end)
    out = _core.empty(before + n + behind, x.dtype)
    run = _RUN if _library.on_host(out) else 1
    pieces = -(-out.size // run)
    if pieces:
        begin, first, one_first = _given(begin, x)
        end, last, one_last = _given(end, x)
        p = _library.struct.ends_sizes(
            n=n,
            before=before,
            behind=behind,
            pieces=pieces,
            run=run,
            one_first=one_first,
            one_last=one_last,
        )
        _differences[x.dtype](
            x=x, begin=begin, first=first, end=end, last=last, out=out, p=p
        )
    return out


def _given(end, x):
    """An end as the kernel takes it: an array, or x in its place and a number."""
    if isinstance(end, _core.ndarray):
        return end, 0, False
    return x, 0 if end is None else end, True
