"""Programs of large arrays: what threads, tiles, blocks and vectors divide.

Arrays have 30,000 to ten million elements, most of them few: a call on one takes a
millisecond. They are permuted, stepped, reversed, broadcast and offset, of one to five
dimensions of every proportion. The words here stand in the place of those of other
files whose arguments are small or literal.
"""

import collections

import numpy as np

from . import indices, values
from .draw import KINDS as SMALL_KINDS
from .draw import first_of, of_codes, take

FEWEST, MOST = 30_000, 10_000_000  # elements of an input
STEEP = 0.75  # 1 where twice as many elements are half as likely; less for fewer
LARGEST = 10_000_000  # of a result that a program goes on with
LENGTHS = (2, 8)  # of a program, in calls
BLOCK = 100  # programs that share a few dtypes
LITERAL = 64  # elements up to which an input is written as a list
VIEWED = 0.55  # how often an operand is a view
LITTLE = 1000  # elements of a result that is seldom taken up again
WORK = 4_000_000  # products of a product of matrices

# Threads of the host device: a stretch of programs has as many as another process.
THREADS = (2, 3, 7, 1, 3, 2)
STRETCH = 120

KINDS = collections.ChainMap({}, SMALL_KINDS)


def threads(number):
    """The threads that program `number` of a seed runs with."""
    return THREADS[number // STRETCH % len(THREADS)]


def kind(function):
    KINDS[function.__name__.removesuffix("_")] = function
    return function


# ---- shapes --------------------------------------------------------------------------


def size(rng):
    """Elements."""
    rarest = (FEWEST / MOST) ** (1 / STEEP)
    return int(FEWEST / (1 - rng.random() * (1 - rarest)) ** STEEP)


_SHORT = (1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65, 100, 128, 129, 256)


def shape(rng, ndim=0, n=0):
    """One to five dimensions, of any proportions, of some `n` elements."""
    random = rng.random
    ndim = ndim or (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5)[int(random() * 11)]
    left = n or size(rng)
    dims = []
    even = random() < 0.4
    for i in range(ndim, 1, -1):
        if even:
            length = int(left ** (1 / i) * (0.7 + random() * 0.6))
        elif random() < 0.4:
            length = _SHORT[int(random() * len(_SHORT))]
        else:
            length = int(left ** (random() * 2 / i))
        dims.append(max(1, min(length, left)))
        left = max(1, left // dims[-1])
    dims.insert(int(random() * (len(dims) + 1)), left)
    return tuple(dims)


# ---- layouts -------------------------------------------------------------------------


def layout(d, text, x):
    """The source of a view of an array, or of a copy in another memory order."""
    for _ in range(d.one((1, 1, 2, 2, 3))):
        text, x = _step(d, text, x)
        if x is None:
            return None, None
    return text, x


def _step(d, text, x):
    made = d.one(_LAYOUTS)(d, text, x)
    return made, d.evaluate(made)


def _permuted(d, text, x):
    axes = list(range(x.ndim))
    d.rng.shuffle(axes)
    return f"{text}.transpose({tuple(axes)!r})"


def _swapped(d, text, x):
    if x.ndim < 2:
        return f"{text}[::-1]"
    i, j = d.rng.sample(range(x.ndim), 2)
    return f"{text}.swapaxes({i}, {j})"


def _sliced(d, text, x):
    """Along one axis: from an offset, by a step, backwards."""
    if x.ndim == 0:
        return text
    part = d.one(("1:", ":-1", "::2", "1::2", "::-1", "::3", "::-2", "3:-5", "7:"))
    return f"{text}[{_along(d, x, part)}]"


def _along(d, x, part):
    axis = d.below(x.ndim)
    if axis == x.ndim - 1 and axis:
        return f"..., {part}"
    return ", ".join([":"] * axis + [part])


def _narrowed(d, text, x):
    """A row, or all but a few of an axis."""
    if x.ndim < 2:
        return f"{text}[{d.below(9)}:]"
    axis = d.below(x.ndim)
    n = x.shape[axis]
    if n > 4 and d.chance(0.7):
        low = d.below(n // 3)
        return f"{text}[{_of_axis(axis, f'{low}:{n - d.below(n // 3)}')}]"
    return f"{text}[{_of_axis(axis, str(d.below(max(n, 1))))}]"


def _of_axis(axis, part):
    return ", ".join([":"] * axis + [part])


def _reshaped(d, text, x):
    dims = indices.split_of(d.rng, x.size)
    if x.ndim > 1 and d.chance(0.5):
        dims = (-1, *x.shape[2:]) if x.size else x.shape
    # Of a result, which may lie in another order than NumPy's, it may be no view there.
    copied = "" if text in d.inputs else ".copy()"
    return f"{text}{copied}.reshape({tuple(dims)!r})"


def _longer(d, text, x):
    return f"{text}[{_of_axis(d.below(x.ndim + 1), 'None')}]"


def _repeated(d, text, x):
    """Broadcast along one axis, to as many elements as before."""
    if x.ndim == 0:
        return text
    axis = d.below(x.ndim)
    return f"xp.broadcast_to({text}[{_of_axis(axis, ':1')}], {x.shape!r})"


def _fortran(d, text, x):
    return f"xp.asfortranarray({text})" if x.ndim else text


_LAYOUTS = [_permuted] * 5 + [_swapped] * 4 + [_sliced] * 6 + [_narrowed] * 2
_LAYOUTS += [_reshaped] * 2 + [_longer, _repeated, _fortran]


# ---- indices -------------------------------------------------------------------------


def places(d, n, shape_, code="q"):
    """Integers that index an axis of `n` elements, as source."""
    n = max(n, 1)
    made = f"drawn({code!r}, {shape_!r}, {d.below(1000)}, 'spread') % {n}"
    if d.chance(0.3):
        made += f" - {n}"  # counted from the end
    return d.computed(f"xp.array({made})")


def index(d, x):
    """An index of an array: slices, integers, arrays of integers, masks."""
    if x.ndim == 0:
        return "..."
    if d.chance(0.15):
        return _mask(d, x.shape)
    parts = [_slice(d, n) for n in x.shape]
    used = d.below(x.ndim + 1) if d.chance(0.3) else x.ndim
    parts = parts[: max(used, 1)]
    if d.chance(0.5):
        _put_arrays(d, x, parts)
    if d.chance(0.1):
        parts.insert(d.below(len(parts) + 1), "None")
    return ", ".join(parts)


def _slice(d, n):
    how = d.random()
    if how < 0.5:
        return ":"
    if how < 0.6 and n:
        return str(d.below(2 * n) - n)
    low = str(d.below(n // 2 + 1)) if d.chance(0.4) else ""
    high = str(-1 - d.below(n // 2 + 1)) if d.chance(0.3) else ""
    if how > 0.9:
        return f"{low}::-{1 + d.below(3)}"
    step = d.one(("", "", "", ":2", ":3", ":7"))
    return f"{low}:{high}{step}"


def _put_arrays(d, x, parts):
    """Arrays in the place of one index or two; their lengths are what makes the result
    about as large as the array."""
    axes = d.rng.sample(range(len(parts)), 1 + (len(parts) > 1 and d.chance(0.3)))
    around = 1
    for i, n in enumerate(x.shape):
        around *= 1 if i in axes else n
    length = max(1, min(x.size // max(around, 1), 200_000))
    shape_ = (length,) if d.chance(0.7) else shape(d.rng, 2, length)
    for i in axes:
        n = x.shape[i]
        if len(axes) == 1 and d.chance(0.25):
            parts[i] = _mask(d, (n,))
        else:
            parts[i] = places(d, n, shape_, d.one("qqili"))


def _mask(d, shape_):
    return d.computed(f"xp.array(drawn('?', {shape_!r}, {d.below(1000)}))")


# ---- the words -----------------------------------------------------------------------


@kind
def read(d):
    text, x = take(d)
    return f"{text}[{index(d, x)}]"


@kind
def place(d):
    text, x = take(d, lambda a: a.flags.writeable)
    text = f"{text}[{index(d, x)}]"
    seen = d.evaluate(text)
    d.first = np.asarray(seen) if seen is not None else x
    return text


@kind
def index_(d):
    return index(d, d.first)


@kind
def numbers(d):
    code = d.one("bilfd")
    return f"drawn({code!r}, {d.first.shape!r}, {d.below(1000)})"


@kind
def numbers_as(d):
    dtype = d.first.dtype
    if dtype not in values.TAME:
        return f"np.zeros({d.first.shape!r}, np.{dtype!r})"
    code = values.name(dtype)
    return f"drawn({code}, {d.first.shape!r}, {d.below(1000)})"


@kind
def within(d):
    return places(d, d.first.size, (1 + size(d.rng) // 4,))


@kind
def within0(d):
    n = d.first.shape[0] if d.first.ndim else 1
    return places(d, n, (1 + min(n, 20_000),), "l")


@kind
def places0(d):
    n = d.first.shape[0] if d.first.ndim else 1
    return places(d, n, (1 + d.below(n + 1), *d.first.shape[1:]), "l")


@kind
def choice(d):
    text = f"xp.array(drawn('l', {shape(d.rng)!r}, {d.below(1000)}) % 2)"
    d.first = d.live[d.computed(text)]
    return d.latest


@kind
def several(d):
    """Arrays that can be joined: of one shape, or of choose's."""
    if d.first is d.nothing:
        text, a = take(d)
        parts = [text]
    else:
        a, parts = d.first, []
    for _ in range(d.below(3) if parts else 2):
        found, _ = take(d, lambda b: b.shape == a.shape, lambda: d.new(a.shape))
        parts.append(found)
    return d.one(["[{}]", "({},)"]).format(", ".join(parts))


@kind
def larger(d):
    dims = [1 + d.below(3) if n == 1 else n for n in d.first.shape]
    return repr(tuple([1 + d.below(3) for _ in range(d.below(2))] + dims))


@kind
def shape_(d):
    return repr(shape(d.rng))


@kind
def shape1(d):
    return repr(shape(d.rng))


def _line(d, codes=None):
    return d.new(shape(d.rng, 1), codes and d.code(codes))


@kind
def x1(d):
    return take(d, lambda a: a.ndim == 1, lambda: _line(d))[0]


@kind
def x2(d):
    return take(d, lambda a: a.ndim == 2, lambda: d.new(shape(d.rng, 2)))[0]


@kind
def table(d):
    """Of two dimensions, always: of one, `tril` makes a matrix."""
    text = d.new(shape(d.rng, 2))
    return first_of(d, text) + d.one(("", ".T", "[:, ::-1]"))


@kind
def x1f(d):
    return first_of(d, _line(d, "efdFD"))


@kind
def keys(d):
    def fits(a):
        return a.ndim == 2 and 0 < a.shape[0] < 5

    return take(d, fits, lambda: d.new((1 + d.below(4), size(d.rng) // 2)))[0]


@kind
def naturals(d):
    text = of_codes(d, "bhil")
    if d.first.dtype.kind not in "bui":
        text = d.new(d.first.shape, d.code("bhil"))
    return f"xp.abs({text}).astype('i2') % 50"


@kind
def coordinates(d):
    shape_ = shape(d.rng)
    return f"({d.new(shape_, 'l')}, {d.new(shape_, 'b')})"


@kind
def x3(d):
    if d.first is not d.nothing:
        return d.new(d.first.shape[d.below(d.first.ndim) :])
    return first_of(d, d.new((*shape(d.rng, 1 + d.below(2), size(d.rng) // 3), 3)))


# Products: of work that is bounded, one side of which is large.


@kind
def xm(d):
    m, k, _ = d.lengths_of_product = _lengths(d)
    lead = (1 + d.below(4),) if d.chance(0.2) else ()
    text = d.new((*lead, m, k), d.code("fdfdFDilbe"))
    text, d.first = _maybe_transposed(d, text)
    return text


@kind
def ym(d):
    _, k, n = d.lengths_of_product
    shape_ = (k,) if d.chance(0.25) else (k, n)
    return _maybe_transposed(d, d.new(shape_, d.code("fdfdFDilbe")))[0]


yd = KINDS["yd"] = ym


@kind
def yl(d):
    _, k, n = d.lengths_of_product
    return d.new((n, k), d.code("fdfdFDil"))


def _lengths(d):
    """m, k and n, each long or short."""
    m, k, n = (d.one((1, 2, 3, 5, 8, 17, 40)) for _ in range(3))
    left = size(d.rng) // 2
    for _ in range(2):
        grown = 1 + int(min(left, WORK / (m * k * n)) ** d.random())
        which = d.below(3)
        m, k, n = (x * grown if i == which else x for i, x in enumerate((m, k, n)))
    return m, k, n


def _maybe_transposed(d, text):
    """The same array by another order in memory."""
    x = d.live[text]
    if d.chance(0.3) and x.ndim > 1:
        text = f"xp.ascontiguousarray({text}.swapaxes(-1, -2)).swapaxes(-1, -2)"
    elif d.chance(0.15):
        text = f"{text}[..., ::-1]"
    return text, d.evaluate(text)


@kind
def mx(d):
    return take(d, lambda a: a.ndim > 1, lambda: d.new(shape(d.rng, 2)))[0]


@kind
def x1s(d):
    return d.new((d.one((1, 2, 3, 17, 200)),))


@kind
def matrix_of(d):
    n = d.first.shape[-1] if d.first.ndim else 1
    return d.new((n, 1 + size(d.rng) // n))


@kind
def some1(d):
    """The first is long, the second short."""
    if d.first is d.nothing:
        return first_of(d, _line(d, "ilfdfd"))
    return d.new((1 + d.below(40),), d.code("ilfdfd"))


def _stack(d, rows, columns, add):
    n = 1 + min(size(d.rng), 100_000) // (rows * columns)
    dtype = values.DTYPES[d.code("fdd")]
    code = values.name(dtype)
    made = f"drawn({code}, {(n, rows, columns)!r}, {d.below(1000)})"
    return d.computed(f"xp.array({made}{add})")


@kind
def square(d):
    """A stack of matrices that are far from singular."""
    n = 1 + d.below(6)
    text = _stack(d, n, n, f" + 40 * np.eye({n}, dtype='f')")
    d.first = d.live[text]
    return text


@kind
def rhs(d):
    n = d.first.shape[-1]
    return d.new((*d.first.shape[:-2], n, 1 + d.below(3)), d.code("fd"))


# ---- images and signals --------------------------------------------------------------


def _image(codes):
    def draw(d):
        ndim = 1 + d.below(3)
        elements = FEWEST + d.below(FEWEST)
        text = d.new(shape(d.rng, ndim, elements), d.code(codes), "tame")
        x = d.live[text]
        if d.chance(0.3):
            other, seen = layout(d, text, x)
            if isinstance(seen, np.ndarray) and seen.ndim and 0 not in seen.strides:
                text, x = other, seen
        return _as_first(d, text, x)

    return draw


def _as_first(d, text, x):
    if d.first is d.nothing:
        d.first = x
    return text


KINDS["img"] = _image("bBhHiIlLfdfd")
KINDS["imgn"] = _image("ilfdfd")
KINDS["imgi"] = _image("bBhHiIlL")
KINDS["imgb"] = _image("???B")
KINDS["imgf"] = _image("fdfd")


def _signal(ndim):
    def draw(d):
        if d.first is d.nothing:
            dims = shape(d.rng, ndim)
            return first_of(d, d.new(dims, d.code("ilfdfdFD"), "tame"))
        few = tuple(1 + d.below(40 if ndim == 1 else 5) for _ in range(ndim))
        return d.new(few, d.code("ilfdfdFD"), "tame")

    return draw


KINDS["x1n"] = _signal(1)
KINDS["x2n"] = _signal(2)


# ---- BLAS ----------------------------------------------------------------------------


@kind
def vec(d):
    return _as_first_new(d, shape(d.rng, 1), "fdFD")


@kind
def vecr(d):
    return _as_first_new(d, shape(d.rng, 1), "fd")


KINDS["updated_vec"] = vec


def _as_first_new(d, shape_, codes):
    text = d.new(shape_, d.code(codes))
    d.first = d.live[text]
    if d.chance(0.3):
        text += "[..., ::-1]"
    return text


@kind
def matrix(d):
    return _as_first_new(d, shape(d.rng, 2), "fdFD")
