"""Drawing scalars, dtypes, axes, shapes, indices, masks and other choices."""

import numpy as np

from . import indices, values
from .draw import kind, of_codes, take, x1


@kind
def scalar(d):
    return values.scalar(d.rng, d.code(values.CODES))


@kind
def small(d):
    return str(d.below(6) - 1)


@kind
def count(d):
    return str(d.below(5))


@kind
def number(d):
    return d.one(["0", "1", "2", "-1", "0.5", "3", "1.5", "100"])


@kind
def flag(d):
    return d.one(["True", "True", "False"])


@kind
def dtype(d):
    code = d.code([*values.CODES, "bfloat16"])
    return code if code == "bfloat16" else repr(code)


@kind
def casting(d):
    return repr(d.one(["no", "equiv", "safe", "same_kind", "unsafe", "unsafe"]))


@kind
def order(d):
    return repr(d.one("CFAK"))


@kind
def axis(d):
    return repr(indices.axis(d.rng, d.first.ndim))


@kind
def axes(d):
    return repr(indices.axes(d.rng, d.first.ndim))


@kind
def perm(d):
    axes_ = list(range(d.first.ndim))
    d.rng.shuffle(axes_)
    return repr(tuple(a - d.first.ndim if d.chance(0.2) else a for a in axes_))


@kind
def shape(d):
    return repr(indices.shape(d.rng))


@kind
def reshaped(d):
    """A shape that the first array can take, one length left open at times."""
    dims = list(indices.split_of(d.rng, d.first.size))
    if d.chance(0.3):
        dims[d.below(len(dims))] = -1
    return repr(tuple(dims))


@kind
def larger(d):
    """A shape that the first array broadcasts to."""
    dims = [d.below(4) if n == 1 else n for n in d.first.shape]
    return repr(tuple([d.below(4) for _ in range(d.below(3))] + dims))


@kind
def places(d):
    """Where to cut, or the first of each segment."""
    n = d.first.shape[0] if d.first.ndim else 1
    return repr([d.below(n + 1) for _ in range(1 + d.below(3))])


@kind
def index(d):
    return indices.index(d.rng, d.first.shape)


@kind
def read(d):
    """An array and an index of it."""
    text, a = take(d)
    return f"{text}[{indices.index(d.rng, a.shape)}]"


@kind
def place(d):
    """A place in an array that can be assigned to."""
    text, a = take(d, lambda a: a.flags.writeable)
    text = f"{text}[{indices.index(d.rng, a.shape)}]"
    seen = d.evaluate(text)
    d.first = np.asarray(seen) if seen is not None else a
    return text


@kind
def numbers(d):
    """A NumPy array, where the device takes one."""
    made = values.array(d.rng, d.first.shape, values.DTYPES[d.one("bilfd")], False)
    return values.array_literal(made).replace("xp.", "np.")


@kind
def numbers_as(d):
    """A NumPy array as the first array is; of zeros where there are no values of its
    dtype, times and NumPy's objects among them."""
    if d.first.dtype not in values.TAME:
        return f"np.zeros({d.first.shape!r}, np.{d.first.dtype!r})"
    made = values.array(d.rng, d.first.shape, d.first.dtype, False)
    return values.array_literal(made).replace("xp.", "np.")


@kind
def numbers0(d):
    made = values.array(d.rng, (1,), values.DTYPES[d.one("bilfd")], False)
    return values.array_literal(made).replace("xp.", "np.")


@kind
def within(d):
    """Integers that index the first array's elements, or an axis of it."""
    n = max(d.first.size, 1)
    items = [d.below(2 * n) - n for _ in range(1 + d.below(5))]
    return f"xp.array({items!r})"


@kind
def within0(d):
    """Integers that index the first axis."""
    n = d.first.shape[0] if d.first.ndim else 1
    items = [d.below(2 * n) - n for _ in range(1 + d.below(5))] if n else []
    return f"xp.array({items!r}, 'l')"


@kind
def places0(d):
    """Integers along the first axis, one for each line of the first array."""
    n = d.first.shape[0] if d.first.ndim else 1
    shape = (d.below(3), *d.first.shape[1:])
    data = np.array([d.below(2 * n) - n for _ in range(int(np.prod(shape)))], "l")
    return d.given(data.reshape(shape))


@kind
def mask_of(d):
    shape = d.first.shape
    fits = lambda a: a.dtype == bool and a.shape == shape  # noqa: E731
    return take(d, fits, lambda: d.new(shape, "?"))[0]


@kind
def numbers_of(d):
    return d.new((1 + d.below(4),), d.first.dtype)


@kind
def dims(d):
    return d.one(["(5, 10)", "(50,)", "(2, 5, 5)"])


@kind
def coordinates(d):
    shape = (1 + d.below(4),)
    return f"({d.new(shape, 'l')}, {d.new(shape, 'b')})"


@kind
def indices1(d):
    return d.one(["[0, 2]", "[True, False, True]", "xp.array([1, 0])", "[]"])


@kind
def sorted1r(d):
    """Increasing numbers, always as many."""
    return d.given(
        np.cumsum(values.array(d.rng, (4,), values.DTYPES["B"], False) + 1.0)
    )


@kind
def npdtype(d):
    return f"np.dtype({dtype(d)})"


@kind
def shape1(d):
    return repr(indices.shape(d.rng) or (2,))


@kind
def corder(d):
    return d.one(["'C'", "'F'"])


@kind
def positive(d):
    return d.one(["1", "2", "0.5", "100"])


@kind
def one(d):
    """An array of one element."""
    return take(d, lambda a: a.size == 1, lambda: d.new((1,)))[0]


@kind
def axis1(d):
    return f"({axis(d)},)"


@kind
def mask1(d):
    """Which elements of some axis to keep."""
    return repr([d.chance(0.5) for _ in range(d.below(4))])


@kind
def choice(d):
    return d.new(d.one([(), (3,), (2, 3)]), "l") + " % 2"


@kind
def keys(d):
    return f"xp.stack(({x1(d)},) * 2)" if d.chance(0.2) else take(d, _two_axes)[0]


def _two_axes(a):
    return a.ndim == 2 and a.shape[0] > 0


@kind
def naturals(d):
    text = of_codes(d, "bhil")
    if d.first.dtype.kind not in "bui":  # of others the magnitude may be a bit less
        text = d.new(d.first.shape, d.code("bhil"))
    return f"xp.abs({text}).astype('i2') % 50"


@kind
def section(d):
    return d.one([str(1 + d.below(3)), places(d)])


@kind
def reps(d):
    return repr(d.one([2, (1, 2), (2, 1, 1), 0, (2, 2), 1, 3]))


@kind
def width(d):
    one = (d.below(3), d.below(3))
    return repr(d.one([1, 2, one, (one,) * d.first.ndim]))


@kind
def percent(d):
    return d.one(["50", "25", "[10, 90]", "0", "100", "33.3", "(0, 50, 100)"])


@kind
def fraction(d):
    return d.one(["0.5", "0.25", "[0.1, 0.9]", "0", "1", "0.333"])
