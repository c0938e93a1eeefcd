"""What two sides must agree on, and how a disagreement is told."""

from dataclasses import dataclass

import numpy as np

from . import values

COPIED = 1 << 13  # bytes up to which it is quickest to compare copies
MANY = 1 << 12  # elements of which only those that differ are looked at


@dataclass
class Difference:
    """`kind`: error, type, shape, dtype, values, memory, order or views."""

    kind: str
    where: str  # the variable
    expected: str
    got: str
    error: BaseException | None = None  # NumPy's
    got_error: BaseException | None = None
    arrays: tuple = ()  # NumPy's and ours, where values or memory differ

    @property
    def dtype(self):
        return self.arrays[0].dtype if self.arrays else None

    def __str__(self):
        return f"{self.kind} of {self.where}: {self.got}, not {self.expected}"


def errors(expected, got):
    """Two outcomes of which at least one is an exception."""
    if same_error(type(expected), type(got)):
        return None
    if NameError in (type(expected), type(got)):  # a program broken by shrinking it
        return None
    return Difference(
        "error",
        "the call",
        _outcome(expected),
        _outcome(got),
        expected if isinstance(expected, Exception) else None,
        got if isinstance(got, Exception) else None,
    )


def same_error(expected, got):
    """The same class, or one that NumPy derives for its own use from it."""
    if not (issubclass(expected, Exception) and issubclass(got, Exception)):
        return False
    private = expected.__module__.startswith("numpy") and got is not Exception
    return got is expected or (private and issubclass(expected, got))


def _outcome(x):
    if isinstance(x, Exception):
        return f"{type(x).__name__}: {str(x)[:200]}"
    return "a result"


def same_bits(a, b):
    """Whether two arrays of one shape and dtype have the same bytes."""
    if a.nbytes < COPIED:
        return a.tobytes() == b.tobytes()
    return not _differ(a, b).any()


def _differ(a, b):
    """Which elements have other bits."""
    bits = (
        f"u{min(a.itemsize, 8)}" if a.itemsize in (1, 2, 4, 8, 16) else f"V{a.itemsize}"
    )
    a, b = (np.ascontiguousarray(x).reshape(-1).view(bits) for x in (a, b))
    return a != b


def arrays(name, expected, got, tolerance):
    """NumPy's array and ours, read back. `tolerance`: the largest error allowed."""
    if got.shape != expected.shape:
        return Difference("shape", name, str(expected.shape), str(got.shape))
    if got.dtype != expected.dtype:
        return Difference("dtype", name, expected.dtype.name, got.dtype.name)
    if (
        expected.dtype == bool
        and (expected.view("B") > 0).tobytes() == (got.view("B") > 0).tobytes()
    ):
        return None  # any byte but 0 is True
    if same_bits(got, expected) or close(expected, got, tolerance):
        return None
    found = Difference("values", name, *shown(expected, got, tolerance))
    found.arrays = (expected, got)
    return found


def close(expected, got, tolerance):
    """Whether each element is within its bound. The bits of a NaN do not count, nor
    does the sign of a zero that has a bound."""
    if not values.is_inexact(expected.dtype):
        return False
    if expected.size <= MANY:
        return not _far(expected, got, tolerance).any()
    differ = _differ(expected, got).reshape(*expected.shape, -1).any(-1)
    limit = tolerance(expected)
    if isinstance(limit, np.ndarray) and limit.shape == expected.shape:
        limit = limit[differ]
    return not _far(expected[differ], got[differ], lambda _: limit).any()


def _far(expected, got, tolerance):
    """Which elements are further apart than their bound."""
    if not values.is_inexact(expected.dtype):
        return expected != got
    limit = tolerance(expected)
    if expected.dtype.kind == "c":
        return _far_apart(expected.real, got.real, limit) | _far_apart(
            expected.imag, got.imag, limit
        )
    return _far_apart(expected, got, limit)


def _far_apart(expected, got, limit):
    info = values.finfo(expected.dtype)
    most = float(info.max) * (1 - 4 * float(info.eps))  # what may round to infinity
    expected, got = expected.astype("d"), got.astype("d")
    same = (expected == got) & (np.signbit(expected) == np.signbit(got))
    same |= np.isnan(expected) & np.isnan(got)
    if limit is None or same.all():
        return ~same
    with np.errstate(all="ignore"):
        near = np.abs(expected - got) <= limit
        free = np.isposinf(limit)
        edge = (np.sign(expected) == np.sign(got)) & (np.abs(expected) >= most)
        edge &= np.abs(got) >= most
    return ~(same | near | free | edge)


def shown(expected, got, tolerance):
    """The arrays if they are small, else the first elements beyond their bound."""
    if expected.size <= 12:
        return _text(expected), _text(got)
    other = np.argwhere(_far(expected, got, tolerance))[:3]
    places = [tuple(int(i) for i in p) for p in other]
    return tuple(", ".join(f"[{p}] {x[p]}" for p in places) for x in (expected, got))


def _text(x):
    return np.array2string(x, separator=", ", threshold=20).replace("\n", "")


def layout(name, expected, got, is_view):
    """The memory order of NumPy's array and ours; a view's strides, to the byte."""
    if expected.size == 0:
        return None
    if is_view:
        kept = [i for i, n in enumerate(expected.shape) if n > 1]
        ours = [got.strides[i] for i in kept]
        theirs = [expected.strides[i] for i in kept]
        if ours != theirs:
            return Difference("order", name, f"strides {theirs}", f"strides {ours}")
        return None
    flags = [(f.c_contiguous, f.f_contiguous) for f in (expected.flags, got.flags)]
    if flags[0] != flags[1]:
        ours, theirs = ("C {} F {}".format(*f) for f in (flags[1], flags[0]))
        return Difference("order", name, theirs, ours)
    return None
