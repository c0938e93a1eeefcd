"""Arrays rolled along axes, on GPUs by one launch where that costs more than index
arithmetic. On the host, and of large arrays, blocks are copied."""

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["rolled", "takes"]

_library = Library(__file__)

_BYTES = {1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}  # what elements are moved as
_NDIM = _library.enum.NDIM
_LARGE = 1 << 19  # elements: 10 ps each here and 4 ps copied on an H100, 2 us a launch


def _example(xp):
    x = xp.arange(24).reshape(4, 6)
    made = [xp.roll(x.astype(t), 5) for t in "?hfdD"]
    made += [xp.roll(x, 1, axis=1), xp.roll(x.T, (1, -2), axis=(0, 1))]
    return [*made, xp.roll(x.reshape(2, 2, 3, 2)[::-1], (1, 1, 2), axis=(0, 2, 2))]


_rolled = _library.kernel(
    "rolled<T>", elements="p.n", ships="B H I L D", example=_example
)


def takes(x):
    """Whether `rolled` is for an array."""
    return (
        x.dtype.kind in "biufc"
        and 0 < x.ndim <= _NDIM
        and 0 < x.size < _LARGE
        and not _library.on_host(x)
    )


@replayed
def rolled(x, shifts):
    """`x`, each axis rolled so far, in C order."""
    out = _core.empty(x.shape, x.dtype)
    extra = _NDIM - x.ndim
    lengths = (1,) * extra + x.shape
    begins = [-s % n for s, n in zip((0,) * extra + shifts, lengths, strict=True)]
    p = _library.struct.rolled_axes(n=out.size, lengths=lengths, begins=begins)
    _rolled[_BYTES[x.dtype.itemsize]](x=x[(None,) * extra], out=out, p=p)
    return out
